import Dispatch
import FreshetBase
import FreshetCore
import FreshetQuery
import FreshetRefresh
import FreshetRemote
import FreshetServer
import FreshetTestSupport
import Testing

/// Mutations: operations that write when they are told to.
@Suite struct MutationTests {
    /// Takes creates, one after the other, or refuses them.
    // SAFETY: all mutable state is read and written under `lock`.
    private final class Taker: RemoteSource, @unchecked Sendable {
        let upstreamName = "api"
        let digest = "one"
        let fallback = FallbackErrors.standard
        let canGet = false
        private let lock = Lock()
        private var refusal: UpstreamError?
        private var taken: [String] = []

        var ids: [String] { lock.withLock { taken } }
        func refuse(_ error: UpstreamError?) { lock.withLock { refusal = error } }

        func canSearch(_ endpoint: String?) -> Bool { false }

        func pushdown(of request: RemoteSearch) throws(UpstreamError) -> RemotePushdown {
            RemotePushdown()
        }

        func get(
            _ id: EntityID, conditions: RemoteValidators?, call: RemoteCall
        ) async throws(UpstreamError) -> RemoteAnswer { throw .timeout }

        func search(
            _ request: RemoteSearch, conditions: RemoteValidators?, call: RemoteCall
        ) async throws(UpstreamError) -> RemoteAnswer { throw .timeout }

        func write(
            _ write: RemoteWrite, call: RemoteCall
        ) async throws(UpstreamError) -> RemoteWriteAnswer {
            let refusal = lock.withLock {
                if case .create(let document) = write.action { taken.append(document.id.text) }
                return self.refusal
            }
            if let refusal { throw refusal }
            return RemoteWriteAnswer(status: 201)
        }
    }

    private struct Scene: Sendable {
        // SAFETY: one thread of the test uses it.
        nonisolated(unsafe) let server: TestServer
        let taker = Taker()

        init() throws {
            server = try TestServer()
            let type = try #require(TypeName("todo"))
            server.server.core.outbox.replace(targets: [
                type: OutboxTarget(
                    taker, operations: [.create], retry: RetryPolicy(limit: 0))
            ])
            var settings = OperationSettings(upstream: "api")
            settings.kind = .mutation
            server.server.core.operations.replace([
                OperationDefinition("create-todo", Query(type: type), write: .create, settings)
            ])
        }

        func run(_ body: String, waits: Bool = true) throws -> TestResponse {
            try server.send(
                "POST", "/v1/_operations/create-todo/run\(waits ? "?wait=1" : "")", body)
        }
    }

    @Test func aMutationWritesThereAndHere() async throws {
        try await offPool {
            let scene = try Scene()
            let answer = try scene.run(#"{"id":"a","title":"first"}"#)
            #expect(answer.status == 200 && answer.body.contains(#""kind":"mutation""#))
            #expect(answer.body.contains(#""status":"success""#))
            #expect(answer.body.contains(#""origin":"mutation""#))
            #expect(answer.body.contains(#""automatic":false"#), "it never runs by itself")
            #expect(scene.taker.ids == ["a"])
            let row = try scene.server.send("GET", "/v1/todo/a")
            #expect(row.body.contains(#""title":"first""#))
            #expect(try scene.run("").status == 400)
            #expect((400..<500).contains(try scene.run("[]").status))
        }
    }

    @Test func mutationsFollowEachOther() async throws {
        try await offPool {
            let scene = try Scene()
            for number in 0..<20 {
                #expect(try scene.run(#"{"id":"n\#(number)"}"#, waits: false).status == 202)
            }
            #expect(try scene.run(#"{"id":"last"}"#).status == 200)
            #expect(scene.taker.ids == (0..<20).map { "n\($0)" } + ["last"])
            let document = try scene.server.send("GET", "/v1/_operations/create-todo").body
            #expect(document.contains(#""valueVersion":21"#), "none has joined another")
        }
    }

    @Test func aRefusedMutationLeavesNothingHere() async throws {
        try await offPool {
            let scene = try Scene()
            scene.taker.refuse(.status(422, retryAfter: nil, excerpt: ""))
            let answer = try scene.run(#"{"id":"a"}"#)
            #expect(answer.status == 200 && answer.body.contains(#""status":"failure""#))
            #expect(answer.body.contains(#""upstreamStatus":422"#), "\(answer.body)")
            #expect(try scene.server.send("GET", "/v1/todo/a").status == 404)
        }
    }

    /// Counts its starts; each ends at once.
    // SAFETY: the one variable is read and written under `lock`.
    private final class Follower: TriggeredOperation, @unchecked Sendable {
        let board: OperationBoard
        let begins = DispatchSemaphore(value: 0)
        private let lock = Lock()
        private var count = 0

        init(_ board: OperationBoard) { self.board = board }

        var starts: Int { lock.withLock { count } }

        func trigger(_ origin: RunOrigin, restarting: Bool) {
            lock.withLock { count += 1 }
            board.commit(.run("follower", .began(origin)))
            board.commit(.run("follower", .ended))
            begins.signal()
        }
        func cancelTriggered() {}
        func levelsChanged(_ levels: OperationLevels) {}
        func evict() {}
    }

    @Test func whatFollowsAMutationFollowsAWriteThatDoesTheSame() async throws {
        try await offPool {
            let scene = try Scene()
            let follower = Follower(scene.server.server.core.operations.board)
            var settings = OperationSettings()
            settings.refetch.when = .never
            settings.refetch.on = [.mutation("create-todo")]
            settings.refetch.requiresSubscribers = false
            follower.board.attach("follower", settings, delegate: follower)
            func begins() -> Bool {
                follower.begins.wait(timeout: .now() + .seconds(120)) == .success
            }
            #expect(try scene.run(#"{"id":"a"}"#).status == 200)
            #expect(begins())
            let direct = try scene.server.send("POST", "/v1/todo?target=remote", #"{"id":"b"}"#)
            #expect(direct.status == 201 && begins())
            // What is not sent, or refused, is none.
            #expect(try scene.server.send("POST", "/v1/todo", #"{"id":"c"}"#).status == 201)
            scene.taker.refuse(.status(422, retryAfter: nil, excerpt: ""))
            _ = try scene.server.send("POST", "/v1/todo?target=remote", #"{"id":"d"}"#)
            scene.taker.refuse(nil)
            let both = try scene.server.send(
                "POST", "/v1/todo?target=both&wait=remote", #"{"id":"e"}"#)
            #expect((200..<300).contains(both.status) && begins(), "\(both.body)")
            #expect(follower.starts == 3)
        }
    }
}
