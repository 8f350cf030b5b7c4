import Testing

@testable import FreshetBase

@Suite struct RecentDurationsTests {
    private func second(_ number: UInt64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: number * 1_000_000_000)
    }

    @Test func whatIsOlderThanTheWindowIsForgotten() {
        let recent = RecentDurations()
        #expect(recent.figures(at: second(5_000)).quantile(0.5) == nil)
        for _ in 0..<98 { recent.record(.milliseconds(3), at: second(5_000)) }
        recent.record(.milliseconds(400), at: second(5_100))
        recent.record(.seconds(60), at: second(5_100))
        let all = recent.figures(at: second(5_200))
        #expect(all.count == 100 && all.quantile(0.5) == 5 && all.quantile(0.99) == 500)
        #expect(all.quantile(1) == nil, "longer than all bounds")
        #expect(all.cells.first { $0.bound == 5 }?.count == 98)
        #expect(all.cells.last.map { $0.bound == nil && $0.count == 1 } == true)
        #expect(recent.figures(at: second(5_350)).count == 2)
        #expect(recent.figures(at: second(6_000)).count == 0)
    }
}
