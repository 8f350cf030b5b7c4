import FreshetBase
import FreshetQuery
import Testing

@testable import FreshetStore

/// Holds one entity, and knows one that the remote has.
private final class Policy: FetchPolicy {
    func holds(_ type: TypeName, _ id: UnsafeRawBufferPointer) -> Bool {
        String(decoding: id, as: UTF8.self) == "held"
    }

    func isConfirmed(_ type: TypeName, _ document: Document) -> Bool {
        document.id.description == "confirmed"
    }
}

/// What a fetch has found against what was written meanwhile.
@Suite struct FetchTests {
    private let type = Make.type("tasks")

    private func refresh(_ json: String, _ ticket: FetchTicket) throws -> WriteOperation {
        .refresh(type, try Make.document(json), ticket)
    }

    private func retire(_ id: String, _ ticket: FetchTicket) throws -> WriteOperation {
        .retire(type, try Make.id(id), ticket)
    }

    @Test(arguments: StoreKind.allCases)
    func whatHasChangedSinceTheFetchBeganWins(_ kind: StoreKind) throws {
        let store = try kind.make()
        for id in ["same", "changed", "removed", "gone", "held"] {
            _ = store.submitted(try Make.set("tasks", #"{"id":"\#(id)","n":1}"#))
        }
        let ticket = store.beginFetch(Policy())
        _ = store.submitted(try Make.set("tasks", #"{"id":"changed","n":2}"#))
        _ = store.submitted(try Make.remove("tasks", "removed"))
        _ = store.submitted(try Make.set("tasks", #"{"id":"made","n":2}"#))
        let receipt = try #require(
            store.submitted(
                try refresh(#"{"id":"same","n":9}"#, ticket),
                try refresh(#"{"id":"changed","n":9}"#, ticket),
                try refresh(#"{"id":"removed","n":9}"#, ticket),
                try refresh(#"{"id":"made","n":9}"#, ticket),
                try refresh(#"{"id":"held","n":9}"#, ticket),
                try refresh(#"{"id":"gone","n":1}"#, ticket),
                try refresh(#"{"id":"new","n":9}"#, ticket)
            ).receipt)
        #expect(
            (0..<receipt.count).map { receipt[$0].skipped }
                == [false, true, true, true, true, false, false])
        #expect(
            store.contents.mapValues { String($0.suffix(2).prefix(1)) } == [
                "tasks/same": "9", "tasks/changed": "2", "tasks/made": "2", "tasks/held": "1",
                "tasks/gone": "1", "tasks/new": "9",
            ])
        func isFetched(_ id: String) throws -> Bool? {
            store.document(type, try Make.id(id))?.isFetched
        }
        #expect(try isFetched("same") == true && isFetched("new") == true)
        #expect(try isFetched("gone") == false, "an equal one was not written")
        _ = store.submitted(try Make.merge("tasks", "new", #"{"n":10}"#))
        #expect(try isFetched("new") == false, "a write here makes it one of ours")
        store.checkConsistency()
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func onlyWhatCameFromTheRemoteAndIsNotNewerIsRetired(_ kind: StoreKind) throws {
        let store = try kind.make()
        do {
            let first = store.beginFetch(nil)
            _ = store.submitted(
                try refresh(#"{"id":"old"}"#, first), try refresh(#"{"id":"held"}"#, first),
                try refresh(#"{"id":"touched"}"#, first))
        }
        _ = store.submitted(try Make.set("tasks", #"{"id":"local"}"#))
        _ = store.submitted(try Make.set("tasks", #"{"id":"confirmed"}"#))
        let ticket = store.beginFetch(Policy())
        do {
            let other = store.beginFetch(Policy())
            _ = store.submitted(try refresh(#"{"id":"touched","n":1}"#, other))
        }
        for id in ["old", "held", "touched", "local", "confirmed", "absent"] {
            _ = store.submitted(try retire(id, ticket))
        }
        #expect(store.contents.keys.sorted() == ["tasks/held", "tasks/local", "tasks/touched"])
        store.checkConsistency()
        store.close()
    }

    @Test func whereRemovalsWereForgottenNothingComesBack() throws {
        let store = MemoryStore()
        _ = store.submitted(try Make.set("tasks", #"{"id":"there"}"#))
        let ticket = store.beginFetch(nil)
        for round in 0...FetchLedger.capacity {
            _ = store.commit(Transaction(try Make.set("tasks", #"{"id":"\#(round)"}"#)))
            _ = store.commit(Transaction(try Make.remove("tasks", "\(round)")))
        }
        _ = store.submitted(try refresh(#"{"id":"0"}"#, ticket))
        _ = store.submitted(try refresh(#"{"id":"there","n":1}"#, ticket))
        #expect(store.contents == ["tasks/there": #"{"id":"there","n":1}"#])
        // A later fetch does not suffer from it.
        let later = store.beginFetch(nil)
        _ = store.submitted(try refresh(#"{"id":"0"}"#, later))
        #expect(store.contents["tasks/0"] != nil)
    }

    @Test func theOriginSurvivesARestart() throws {
        let files = SimulatedFileSystem(seed: 1)
        var options = Simulated.options()
        options.isStepped = true
        let log = Log(level: .error, descriptor: -1)
        let store = try FileStore.open(options, files: files, rules: nil, observer: nil, log: log)
        let ticket = store.beginFetch(nil)
        _ = store.submitted(try refresh(#"{"id":"a","n":1}"#, ticket))
        _ = store.submitted(try Make.set("tasks", #"{"id":"b","n":1}"#))
        store.close()
        let again = try FileStore.open(options, files: files, rules: nil, observer: nil, log: log)
        #expect(again.document(type, try Make.id("a"))?.isFetched == true)
        #expect(again.document(type, try Make.id("b"))?.isFetched == false)
        again.close()
    }
}
