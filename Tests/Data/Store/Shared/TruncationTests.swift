import FreshetBase
import Testing

@testable import FreshetStore

@Suite struct TruncationTests {
    private func post(
        _ applied: UInt64, _ snapshot: UInt64, age: Duration = .zero
    ) -> ReplicaPost {
        ReplicaPost(replica: "r", applied: applied, snapshot: snapshot, age: age)
    }

    private func floor(
        _ posts: ReplicaPost..., kept: UInt64 = .max - 1, isTight: Bool = false
    ) -> UInt64 {
        TruncationRule.floor(posts, kept: kept, isTight: isTight)
    }

    @Test func whatTwoReplicasHaveInSnapshotsIsGivenUp() {
        #expect(floor(post(90, 50), post(90, 70), post(90, 60)) == 61, "the second highest")
        #expect(floor(post(90, 50), post(90, 70)) == 51, "of two replicas both have it")
        #expect(floor(post(90, 50)) == 51)
        #expect(floor(post(90, 0), post(90, 0), post(90, 70)) == 1)
        #expect(floor() == 1)
    }

    @Test func whatAReplicaThatWasHeardOfNeedsIsKept() {
        #expect(floor(post(20, 10), post(90, 70), post(90, 60)) == 21)
        let lost = post(20, 10, age: .seconds(601))
        #expect(floor(lost, post(90, 70), post(90, 60)) == 61, "it joins anew")
        #expect(floor(post(20, 10), post(90, 70), post(90, 60), isTight: true) == 61)
        #expect(floor(post(90, 70), post(90, 60), kept: 30) == 31)
    }

    @Test func theNewestPartOfTheLogIsKept() {
        let start = MonotonicInstant(nanoseconds: 1_000_000_000)
        var window = LogWindow(seq: 100, at: start)
        for second in 1...10 {
            for part in 0..<10 {
                let at = start + .seconds(second) + .milliseconds(Int64(part * 50))
                window.add(100 + UInt64(second * 10 + part - 9), bytes: 1_000, at: at)
            }
        }
        let now = start + .seconds(11)
        #expect(window.bytes == 100_000)
        #expect(window.last(olderThan: .seconds(100), orBefore: .max, at: now) == 0)
        #expect(window.last(olderThan: .seconds(11), orBefore: .max, at: now) == 100)
        // Of second 5 the last was put at 5.45.
        #expect(window.last(olderThan: .seconds(5), orBefore: .max, at: now) == 150)
        #expect(window.last(olderThan: .seconds(100), orBefore: 30_000, at: now) == 170)
        #expect(window.last(olderThan: .seconds(5), orBefore: 90_000, at: now) == 150)
        window.forget(before: 151)
        #expect(window.bytes == 50_000)
        #expect(window.last(olderThan: .seconds(5), orBefore: .max, at: now) == 150)
    }

    @Test func aMarkStandsForNoMoreThanAMebibyte() {
        let start = MonotonicInstant(nanoseconds: 1_000_000_000)
        var window = LogWindow(seq: 0, at: start)
        for seq in 1...8 { window.add(UInt64(seq), bytes: 512 << 10, at: start) }
        #expect(window.last(olderThan: .seconds(1), orBefore: 2 << 20, at: start) == 4)
    }
}
