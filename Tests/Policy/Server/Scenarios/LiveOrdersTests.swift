import FreshetLive
import FreshetQuery
import Testing

@testable import FreshetServer

/// Changes of a stream's set of queries that its loop has not come to.
@Suite struct LiveOrdersTests {
    private typealias Change = LiveOrders.Change

    private func change(
        _ removed: Set<String>, _ added: [String], _ number: Int
    ) throws -> LiveOrders.Change {
        let type = try #require(TypeName("t"))
        return Change(
            removed: removed, added: added.map { ($0, LiveRequest(Query(type: type), .delta)) },
            generation: .init(number: number, session: 7))
    }

    @Test func changesThatFollowEachOtherAreOne() throws {
        let orders = LiveOrders()
        #expect(orders.drain().change == nil)
        // The stream has a and b.
        orders.change(try change(["a"], ["a"], 2))
        orders.change(try change(["a"], ["c"], 3))
        orders.change(try change(["b", "c"], ["b"], 4))
        let found = try #require(orders.drain().change)
        #expect(found.removed == ["a", "b"] && found.added.map(\.alias) == ["b"])
        #expect(found.generation.number == 4)
        #expect(orders.drain().change == nil)
    }

    @Test func howeverManyThereAreTheyAreNoLongerThanTheSet() throws {
        let orders = LiveOrders()
        for number in 0..<1_000 {
            let names = (0..<10).map { "\(number).\($0)" }
            let before = (0..<10).map { "\(number - 1).\($0)" }
            orders.change(try change(Set(before), names, number))
        }
        let found = try #require(orders.drain().change)
        #expect(found.added.count == 10 && found.removed.count == 10)
    }
}
