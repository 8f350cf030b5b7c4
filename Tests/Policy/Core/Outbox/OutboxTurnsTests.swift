import FreshetQuery
import FreshetRefresh
import Testing

@testable import FreshetCore

@Suite struct OutboxTurnsTests {
    private static func key(_ number: Int) throws -> EntityKey {
        EntityKey(try #require(TypeName("w")), try EntityID("\(number)"))
    }

    @Test("A delivery on its way keeps its place though the lanes are forgotten")
    func deliveriesKeepTheirPlaces() throws {
        var turns = OutboxTurns(clock: ManualOperationClock()) { _ in }
        var begun = 0
        func start(_ turns: inout OutboxTurns) {
            turns.start { _, _ in
                begun += 1
                return true
            }
        }
        for number in 0..<20 { turns.add(try Self.key(number), at: "api", isFirst: false) }
        start(&turns)
        #expect(begun == OutboxTurns.places)
        turns.clear()
        for number in 0..<20 { turns.add(try Self.key(number), at: "api", isFirst: false) }
        start(&turns)
        #expect(begun == OutboxTurns.places)
        turns.leave("api")
        start(&turns)
        #expect(begun == OutboxTurns.places + 1)
    }

    @Test("Whoever is first goes before all that wait, and what has nothing due takes no place")
    func orderOfTurns() throws {
        var turns = OutboxTurns(clock: ManualOperationClock()) { _ in }
        let keys = try (0..<40).map(Self.key)
        for key in keys { turns.add(key, at: "api", isFirst: key == keys[39]) }
        var seen: [EntityKey] = []
        turns.start { key, _ in
            seen.append(key)
            return !seen.count.isMultiple(of: 2)
        }
        #expect(seen == [keys[39]] + keys[..<30])
    }

    /// Turns whose deliveries end at once, without an answer of the upstream.
    // SAFETY: on the test's thread, where a manual clock makes its calls.
    private final class Unanswered: @unchecked Sendable {
        let clock = ManualOperationClock()
        private var turns: OutboxTurns?
        private(set) var begun = 0

        init() {
            turns = OutboxTurns(clock: clock) { [weak self] name in
                self?.turns?.pass(name)
                self?.start()
            }
            turns?.noteAnswer(of: "api", false)
        }

        func add(_ key: EntityKey) { turns?.add(key, at: "api", isFirst: false) }

        func start() {
            var before = -1
            while before < begun {
                before = begun
                var count = 0
                turns?.start { _, _ in
                    count += 1
                    return true
                }
                for _ in 0..<count { turns?.leave("api") }
                begun += count
            }
        }
    }

    @Test("A silent upstream is tried in each second, whoever begins one before its alarm")
    func triesInEachSecond() throws {
        let upstream = Unanswered()
        for number in 0..<200 { upstream.add(try Self.key(number)) }
        // Set before the alarm is, so that it comes before it.
        _ = upstream.clock.schedule(at: .seconds(1)) { upstream.start() }
        upstream.start()
        #expect(upstream.begun == OutboxTurns.places)
        for second in 1...5 {
            upstream.clock.advance(by: .seconds(1))
            #expect(upstream.begun == OutboxTurns.places * (second + 1))
        }
    }
}
