import FreshetBase
import FreshetQuery
import Testing

@testable import FreshetStore

@Suite struct CommitPathTests {
    /// One transaction that sets `count` entities of a MiB each.
    private func large(_ type: String, count: Int) throws -> Transaction {
        let text = String(repeating: "x", count: (1 << 20) - 64)
        let operations = try (0..<count).map {
            try Make.set(type, "{\"id\":\($0),\"v\":\"\(text)\"}")
        }
        return try #require(Transaction(operations: operations))
    }

    @Test func aTransactionThatFitsAloneIsNotRefusedForItsNeighbours() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files)
        let names = [AwaitedValue<String>(), AwaitedValue<String>(), AwaitedValue<String>()]
        let transactions = [
            try large("first", count: 2), try large("second", count: 63),
            Transaction(try Make.set("third", #"{"id":1}"#)),
        ]
        for (transaction, name) in zip(transactions, names) {
            store.submit(transaction) { name.give("\($0.name) \($0.receipt?.cursor.seq ?? 0)") }
        }
        store.runQueue()
        #expect(names.map { $0.wait() } == ["changed 1", "changed 2", "changed 3"])
        #expect(store.metrics.batches == 3)
        let revision = store.document(Make.type("second"), try Make.id("62"))?.revision
        #expect(revision == 2, "sealed with the seq that it got in the end")
        let contents = store.contents.keys.sorted()
        let again = try Simulated.open(files.restarted(seed: 1))
        #expect(again.contents.keys.sorted() == contents)
        again.close()
    }
}
