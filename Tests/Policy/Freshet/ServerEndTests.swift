import Foundation
import Freshet
import FreshetTestSupport
import Testing

/// What a program is told once its server has been stopped, and what is left of one.
@Suite("The end of a server inside of a program", .timeLimit(.minutes(1)))
struct ServerEndTests {
    /// A type whose remote refuses connections, so that a write waits for it.
    private static let unreachable = #"""
        {"upstreams": {"away": {"base": "http://127.0.0.1:9"}},
         "types": {"todo": {"remote": {"upstream": "away",
           "get": {"path": "/todo/{id}"},
           "update": {"method": "PUT", "path": "/todo/{id}"}}}}}
        """#

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// How a watch ends: the code of its problem, or `end`. Each answer is told before.
    private func end(_ watch: EntityWatch, _ told: Told<Int> = Told()) -> Task<String, Never> {
        Task {
            do throws(EntityProblem) {
                var snapshots = watch.makeAsyncIterator()
                while let snapshot = try await snapshots.next() {
                    told.add(snapshot.entities.count)
                }
                return "end"
            } catch {
                return error.code
            }
        }
    }

    /// The code of the problem with which `body` is refused.
    private func refusal(
        _ body: () async throws -> Void
    ) async -> EntityProblem? {
        do {
            try await body()
            return nil
        } catch {
            return error as? EntityProblem
        }
    }

    @Test("Open watches end with the server, and so do those that begin behind its end")
    func watches() async throws {
        let server = try EntityServer(.memory())
        let told = Told<Int>()
        let open = end(server.entities.watch(EntityQuery("task")), told)
        await told.count(1)
        server.stop()
        #expect(await open.value == "shutting-down")
        #expect(await end(server.entities.watch(EntityQuery("task"))).value == "shutting-down")
    }

    @Test("Watches end where the server is released without a stop")
    func released() async throws {
        var server: EntityServer? = try EntityServer(.memory())
        let entities = try #require(server?.entities)
        let told = Told<Int>()
        let open = end(entities.watch(EntityQuery("task")), told)
        await told.count(1)
        server = nil
        #expect(server == nil)
        #expect(await open.value == "shutting-down")
    }

    @Test("Agents of a server in this program fail with its end")
    func agents() async throws {
        let server = try EntityServer(.memory())
        let states = Told<String>()
        @Sendable func name(_ status: String, _ error: (any Error)?) -> String {
            "\(status) \((error as? StreamFault)?.code ?? "")"
        }
        let stream = StreamAgent(
            server.entities.events, query: EntityQuery("task"),
            initial: EntityRows(type: "task"), reduce: EntityRows.reduce)
        let observer = stream.observe { states.add(name($0.status.rawValue, $0.error)) }
        stream.start()
        await states.when { $0.last == "success " }
        let snapshots = Told<String>()
        let agent = SnapshotAgent<EmbeddedSnapshots, Int>(server.entities.snapshots)
        let other = agent.observe { snapshots.add(name($0.status.rawValue, $0.error)) }
        agent.subscribe(EntityQuery("task")) { .update($0.entities.count) }
        await snapshots.when { $0.last == "success " }
        server.stop()
        await states.when { $0.last == "failure shutting-down" }
        await snapshots.when { $0.last == "failure shutting-down" }
        observer.cancel()
        other.cancel()
    }

    @Test("A write that waits for its remote is answered at the end: it is in the outbox")
    func waitingWrite() async throws {
        let server = try EntityServer(.memory(json: Self.unreachable))
        let entities = server.entities
        let changes = Told<EntityChange>()
        let handler = server.onChange(of: "todo") { changes.add($0) }
        let write = Task {
            try await entities.set(
                "todo", "1", json: Array(#"{"n":1}"#.utf8), context: .bothAwaitingRemote)
        }
        await changes.count(1)
        server.stop()
        let receipt = try await write.value
        #expect(receipt.created && receipt.outboxEntry != nil)
        #expect(receipt.entity?.id == "1")
        handler.cancel()
    }

    @Test("A call whose task is cancelled says so, and not that the server stops")
    func cancelled() async throws {
        let server = try EntityServer(.memory(json: Self.unreachable))
        defer { server.stop() }
        let entities = server.entities
        let write = Task {
            try await entities.set(
                "todo", "1", json: Array(#"{"n":1}"#.utf8), context: .bothAwaitingRemote)
        }
        write.cancel()
        let problem = await refusal { _ = try await write.value }
        #expect(problem?.code == "cancelled" && problem?.isCancellation == true)
        #expect(problem?.hint.isEmpty == false)
    }

    @Test("A write that its remote does not answer is given up where its task is cancelled")
    func cancelledRemoteWrite() async throws {
        let remote = ScriptedServer { exchange in
            exchange.waitForHangUp()
            return .close
        }
        let json = Self.unreachable.replacing("http://127.0.0.1:9", with: remote.base)
        let server = try EntityServer(.memory(json: json))
        defer { server.stop() }
        defer { remote.stop() }
        let entities = server.entities
        let write = Task {
            try await entities.set(
                "todo", "1", json: Array(#"{"n":1}"#.utf8), context: .remote)
        }
        await remote.arrived(1)
        write.cancel()
        let problem = await refusal { _ = try await write.value }
        #expect(problem?.isCancellation == true)
    }

    @Test("A write to a remote is refused behind the end as any other, and says what it came to")
    func remoteWriteBehindTheEnd() async throws {
        let server = try EntityServer(.memory(json: Self.unreachable))
        let entities = server.entities
        server.stop()
        for context in [WriteContext.local, .remote, .both, .bothAwaitingRemote] {
            let problem = await refusal {
                _ = try await entities.set("todo", "1", json: bytes(#"{"n":1}"#), context: context)
            }
            #expect(problem?.code == "shutting-down")
            #expect(problem?.outcome == "not-applied")
        }
    }

    @Test("Behind the end everything is refused, and the hint is one for the program")
    func refusals() async throws {
        let server = try EntityServer(.memory())
        let entities = server.entities
        try await entities.set("task", "1", json: bytes("{}"))
        server.stop()
        let problems = [
            await refusal { _ = try await entities.get("task", "1") },
            await refusal { _ = try await entities.search(EntityQuery("task")) },
            await refusal { _ = try await entities.set("task", "2", json: bytes("{}")) },
            await refusal { _ = try await entities.remove("task", "1") },
            await refusal {
                _ = try server.drive(
                    "late", EntityQuery("task"), by: PollingController(every: .seconds(1)))
            },
        ]
        for problem in problems {
            #expect(problem?.code == "shutting-down")
            #expect(problem?.hint.contains("EntityServer") == true)
            #expect(problem?.isCancellation == false)
        }
        // It cannot throw; what it returns has nothing to end.
        server.onChange { _ in Issue.record("a change behind the end") }.cancel()
    }

    @Test("A name that is no type's is not listened to in silence")
    func badName() async {
        await #expect(processExitsWith: .failure) {
            let server = try EntityServer(.memory())
            server.onChange(of: "bad name!") { _ in }.cancel()
        }
    }

    /// Tells when it is released.
    private final class Held: RunSpecification {
        private let name: String
        private let told: Told<String>

        init(_ name: String, _ told: Told<String>) {
            self.name = name
            self.told = told
        }

        deinit { told.add(name) }

        func isSatisfied(in context: RunContext) -> Bool { true }

        func subscribe(
            in context: RunContext, onChange: @escaping @Sendable () -> Void
        ) -> RunSubscription { .none }
    }

    private struct HeldKey: RunContextKey {
        static let defaultValue: Held? = nil
    }

    /// What is known of the board of a server that is gone.
    private struct Remains {
        weak var board: OperationBoard?
    }

    private func live(_ told: Told<String>, stops: Bool) async throws -> Remains {
        let extensions = EntityServer.Extensions(
            context: {
                var context = RunContext()
                context[HeldKey.self] = Held("value", told)
                return context
            }())
        extensions.specifications.register("mine", Held("specification", told))
        let server = try EntityServer(
            .memory(
                json: #"""
                    {"specs": {"all": {"spec": "mine"}}, "types": {"note": {}},
                     "operations": {"all": {"type": "note", "query": {},
                       "automatic": {"spec": "all"}}}}
                    """#), extensions)
        let driven = try server.drive(
            "notes", EntityQuery("note"), by: PollingController(every: .seconds(60)),
            while: .spec("all"))
        try await server.entities.set("note", "1", json: bytes("{}"))
        #expect(server.board.evaluate(.spec("all")).isSatisfied)
        driven.cancel()
        if stops { server.stop() }
        return Remains(board: server.board)
    }

    @Test("Nothing of the program is held once the server is released", arguments: [true, false])
    func nothingIsHeld(stops: Bool) async throws {
        let told = Told<String>()
        let remains = try await live(told, stops: stops)
        await told.when { Set($0) == ["value", "specification"] }
        #expect(remains.board == nil)
    }

    /// A server that ends before what it has driven does.
    private func outlived(_ told: Told<String>) throws -> Remains {
        let extensions = EntityServer.Extensions(
            context: {
                var context = RunContext()
                context[HeldKey.self] = Held("value", told)
                return context
            }())
        var server: EntityServer? = try EntityServer(
            .memory(
                json: #"""
                    {"types": {"note": {}},
                     "operations": {"all": {"type": "note", "query": {}}}}
                    """#), extensions)
        let driven = try server?.drive(
            "notes", EntityQuery("note"), by: PollingController(every: .seconds(60)))
        let remains = Remains(board: server?.board)
        server = nil
        driven?.cancel()
        return remains
    }

    @Test("An operation that is driven beyond the end of its server holds nothing of it")
    func drivenBeyondTheEnd() async throws {
        let told = Told<String>()
        let remains = try outlived(told)
        await told.when { $0.contains("value") }
        #expect(remains.board == nil)
    }
}
