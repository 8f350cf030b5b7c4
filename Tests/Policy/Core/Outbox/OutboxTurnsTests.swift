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
}
