import Dispatch
import FreshetBase
@testable import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRefresh
import FreshetServer
import FreshetTestSupport
import Glibc
import Testing

/// Streams that are open while a configuration names, renames or takes away what is behind them.
@Suite struct ReloadedOperationTests {
    /// The operation, which runs when its condition becomes true.
    private static func open(_ name: String = "todos", _ more: String = "") -> String {
        #"""
        {"\#(name)":{"type":"todo","query":{"filter":"s == 'open'"},
         "stale":{"age":"1h"},"refetch":{"when":{"condition":"due"},"requireStale":false}\#(more)}}
        """#
    }

    private static let done = #"{"todos":{"type":"todo","query":{"filter":"s == 'done'"}}}"#

    private struct Scene: Sendable {
        let upstream: ScriptedServer
        // SAFETY: one thread of the test uses it.
        nonisolated(unsafe) let server: TestServer
        var operations: Operations { server.server.core.operations }

        /// - Parameter holds: Called with each request before it is answered.
        init(_ operations: String, holds: @escaping @Sendable () -> Void = {}) throws {
            let answers = Counter()
            upstream = ScriptedServer { exchange in
                answers.add()
                holds()
                exchange.answer(
                    200, #"{"items":[{"id":"a","s":"open","n":\#(answers.value)}]}"#)
                return .keep
            }
            let change = try Self.change(upstream.base, operations)
            server = try TestServer(change)
        }

        private static func change(
            _ base: String, _ operations: String
        ) throws -> (inout ServeSettings) -> Void {
            var faults: [ConfigurationFault] = []
            let file = ConfigurationFile.read(
                Array(
                    #"""
                    {"upstreams":{"api":{"base":"\#(base)"}},"conditions":{"due":{}},
                     "types":{"todo":{"remote":{"upstream":"api",
                      "search":{"path":"/todo","items":"/items"}}}},
                     "operations":\#(operations)}
                    """#.utf8), path: "f", faults: &faults)
            try #require(faults == [])
            return {
                $0.types = file.types
                $0.remotes = file.remotes
                $0.upstreams = file.upstreams.map(\.settings)
                $0.operations = file.operations
            }
        }

        func reload(_ operations: String) throws {
            var changed = ServeSettings.standard
            try Self.change(upstream.base, operations)(&changed)
            server.server.reload(changed)
        }

        func send(_ method: String, _ target: String, _ body: String? = nil) throws -> JSONValue {
            let answer = try server.send(method, target, body)
            #expect(answer.status < 300, "\(answer.body)")
            return try JSONValue.parse(answer.body)
        }

        /// By the id of the operation; those without subscribers are left out.
        func subscribers() throws -> [String: Int64] {
            let items = try send("GET", "/v1/_operations")["items"]?.arrayValue ?? []
            return items.reduce(into: [:]) { counts, item in
                guard let id = item["id"]?.stringValue, let count = item["subscribers"]?.int64Value,
                    count > 0
                else { return }
                counts[id.hasPrefix("todo:") ? "unnamed" : id] = count
            }
        }

        /// Has the operation become due, and reads what that brings.
        func readRun(_ stream: TestStream) throws {
            let before = upstream.requests.count
            for value in [false, true] {
                _ = try send("PUT", "/v1/_conditions/due", #"{"value":\#(value)}"#)
            }
            _ = try stream.next { events in
                let number = events.last?.data.firstMatch(of: #/"n":(\d+)/#)?.output.1
                return number.flatMap { Int($0) } ?? 0 > before
            }
        }
    }

    private static func opened(_ scene: Scene, _ target: String) throws -> TestStream {
        let stream = try TestStream(scene.server, target)
        _ = try stream.next { events in
            events.contains { $0.name == "snapshot" }
                && events.contains { $0.data.contains(#""state":"fresh""#) }
        }
        return stream
    }

    @Test(arguments: [
        "/v1/todo?filter=s=='open'&live=delta", "/v1/_live?q.a=/v1/todo?filter=s=='open'",
    ])
    func anOpenStreamFollowsTheNameOfItsQuery(target: String) async throws {
        try await offPool {
            let scene = try Scene(Self.open())
            let stream = try Self.opened(scene, target)
            #expect(try scene.subscribers() == ["todos": 1])
            let first = try #require(scene.operations["todos"])
            // Renamed.
            try scene.reload(Self.open("other"))
            #expect(try scene.subscribers() == ["other": 1])
            #expect(first.state.subscribers == 0 && !first.isWatched)
            try scene.readRun(stream)
            // Taken away.
            let second = try #require(scene.operations["other"])
            try scene.reload("{}")
            #expect(try scene.subscribers() == ["unnamed": 1])
            #expect(second.state.subscribers == 0 && !second.isWatched)
            #expect(scene.operations.board.levels(of: "other") == nil)
            // Given back.
            try scene.reload(Self.open())
            #expect(try scene.subscribers() == ["todos": 1])
            try scene.readRun(stream)
            stream.close()
            while try !scene.subscribers().isEmpty { sched_yield() }
        }
    }

    @Test(
        "Who waits for a run whose operation goes is told that, not how it stands",
        arguments: ["{}", done])
    func aRunOfWhatGoes(_ next: String) async throws {
        try await offPool {
            let (begun, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let scene = try Scene(Self.open()) {
                begun.signal()
                ends.wait()
            }
            defer { ends.signal() }
            let (answer, answered) = (Shared<TestResponse?>(nil), DispatchSemaphore(value: 0))
            DispatchQueue.global().async {
                answer.set(try? scene.server.send("POST", "/v1/_operations/todos/run?wait=1"))
                answered.signal()
            }
            begun.wait()
            try scene.reload(next)
            answered.wait()
            let told = try #require(answer.value)
            #expect(told.status == 404 && told.body.contains("while it ran"), "\(told.body)")
        }
    }

    @Test func anotherQueryUnderTheNameHasNoPartInTheStream() async throws {
        try await offPool {
            let scene = try Scene(Self.open())
            let stream = try Self.opened(scene, "/v1/todo?filter=s=='open'")
            try scene.reload(Self.done)
            #expect(try scene.subscribers() == ["unnamed": 1])
            #expect(scene.operations.board.levels(of: "todos") != nil)
            try scene.reload(Self.open())
            #expect(try scene.subscribers() == ["todos": 1])
            try scene.readRun(stream)
        }
    }

    @Test func whatAStreamHadOpenedIsFoundByTheNameThatItGets() async throws {
        try await offPool {
            let scene = try Scene("{}")
            let stream = try Self.opened(scene, "/v1/todo?filter=s=='open'")
            #expect(try scene.subscribers() == ["unnamed": 1])
            try scene.reload(Self.open())
            #expect(try scene.subscribers() == ["todos": 1])
            try scene.readRun(stream)
        }
    }

    @Test func whatStaysIsFollowedAsBefore() async throws {
        try await offPool {
            let scene = try Scene(Self.open())
            let stream = try Self.opened(scene, "/v1/todo?filter=s=='open'")
            let known = try #require(scene.operations["todos"])
            try scene.reload(Self.open("todos", #","deadline":"45s""#))
            #expect(scene.operations["todos"] === known)
            #expect(try scene.subscribers() == ["todos": 1])
            try scene.readRun(stream)
        }
    }

    @Test func anOperationOfControllersIsFollowedFromItsNamingToItsEnd() async throws {
        try await offPool {
            let server = try TestServer()
            let operations = server.server.core.operations
            let stream = try TestStream(server, "/v1/note?filter=n>0&live=delta")
            _ = try stream.next { $0.last?.name == "snapshot" }
            var query = Query(type: try #require(TypeName("note")))
            query.filter = try Filter(parsing: "n > 0")
            operations.replace([OperationDefinition("notes", query, OperationSettings())])
            let notes = try #require(operations["notes"])
            // The stream looks at its next turn.
            #expect(try server.send("PUT", "/v1/note/1", #"{"n":1}"#).status == 201)
            while notes.state.subscribers == 0 { sched_yield() }
            notes.noteValue(count: 1)
            _ = try stream.next { $0.last?.data.contains(#""state":"fresh""#) == true }
            operations.replace([])
            #expect(notes.state.subscribers == 0)
            _ = try stream.next { $0.last?.data.contains(#""state":"stale""#) == true }
        }
    }
}
