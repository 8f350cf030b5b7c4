import Dispatch
import FreshetBase
@testable import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRefresh
import FreshetRemote
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// What each write does in each context, over real sockets: here, and in a second server that is the
/// upstream.
@Suite struct WriteTableTests {
    // SAFETY: one thread of the test uses it.
    private final class Scene: @unchecked Sendable {
        let upstream: TestServer
        let server: TestServer

        /// Both have the rows 1, 2 and 3, each with its number as `n`. The upstream takes no `n`
        /// above 100, and keeps a log of what it has on its shelf.
        init() throws {
            let types = try declaredTypes(
                #"{"todo":{"properties":{"n":{"type":"integer","maximum":100}}}}"#)
            let upstream = try TestServer { $0.types = types }
            self.upstream = upstream
            let remote = #"""
                {"todo":{"remote":{"upstream":"api",
                  "get":{"path":"/v1/todo/{id}"},"search":{"path":"/v1/todo","items":"/items"},
                  "create":{"method":"POST","path":"/v1/todo"},
                  "update":{"method":"PUT","path":"/v1/todo/{id}"},
                  "remove":{"method":"DELETE","path":"/v1/todo/{id}"},
                  "endpoints":{
                    "shelve":{"method":"PUT","path":"/v1/{shelf}/{id}","query":{"meta":"{meta}"}},
                    "drop":{"method":"DELETE","path":"/v1/todo/{id}"},
                    "all":{"path":"/v1/todo","items":"/items"}}}}}
                """#
            var faults: [ConfigurationFault] = []
            let remotes = ConfigurationFile.read(
                Array(#"{"upstreams":{"api":{"base":"http://a"}},"types":\#(remote)}"#.utf8),
                path: "f", faults: &faults
            ).remotes
            try #require(faults == [])
            let base = try #require(UpstreamBase("http://127.0.0.1:\(upstream.port)"))
            server = try TestServer {
                var api = UpstreamSettings(name: "api", base: base)
                api.retry = RetryPolicy.none
                $0.upstreams = [api]
                $0.remotes = remotes
            }
            // Longer than a machine with much else to do takes for a delivery.
            server.server.core.outbox.longestWait = .seconds(600)
            try #require(
                upstream.send(
                    "POST", "/v1/todo/_set", #"[{"id":1,"n":1},{"id":2,"n":2},{"id":3,"n":3}]"#
                )
                .status == 200)
            try #require(server.send("GET", "/v1/todo?source=remote").status == 200)
        }

        /// `n` by id.
        static func rows(_ server: TestServer, _ type: String = "todo") throws -> [String: String] {
            let answer = try server.send("GET", "/v1/\(type)?source=local")
            var rows: [String: String] = [:]
            for item in try JSONValue.parse(answer.body)["items"]?.arrayValue ?? [] {
                rows[item["id"]?.numberText ?? "\"\(item["id"]?.stringValue ?? "")\""] =
                    item["n"]?.numberText
            }
            return rows
        }

        var here: [String: String] { get throws { try Self.rows(server) } }
        var there: [String: String] { get throws { try Self.rows(upstream) } }

        /// Waits for the ends of all entries of the outbox.
        func drain() throws {
            let list = try JSONValue.parse(server.send("GET", "/v1/_outbox?limit=1000").body)
            for entry in list["items"]?.arrayValue ?? [] {
                let id = try EntityID(try #require(entry["id"]?.stringValue))
                let ended = DispatchSemaphore(value: 0)
                server.server.core.outbox.wait(for: id) { _ in ended.signal() }
                ended.wait()
            }
        }

        func send(_ write: Write, _ context: String) throws -> TestResponse {
            let mark = write.target.contains("?") ? "&" : "?"
            return try server.send(
                write.method, write.target + (context.isEmpty ? "" : mark + context), write.body,
                headers: write.type.map { ["Content-Type: \($0)"] } ?? [])
        }
    }

    struct Write: Sendable, CustomTestStringConvertible {
        let method: String
        let target: String
        var body: String?
        var type: String?
        /// What is there afterwards.
        let rows: [String: String]
        /// The status of the answer where nothing is on its way any more.
        let status: Int
        /// The statuses of the results of several, with target=remote; none: it is about one.
        var results: [Int] = []

        var testDescription: String { "\(method) \(target)" }

        static let patch = "application/merge-patch+json"
        static let lines = "application/x-ndjson"

        static let all = [
            Write(
                method: "PUT", target: "/v1/todo/1", body: #"{"id":1,"n":9}"#,
                rows: ["1": "9", "2": "2", "3": "3"], status: 200),
            Write(
                method: "PUT", target: "/v1/todo/7", body: #"{"id":7,"n":7}"#,
                rows: ["1": "1", "2": "2", "3": "3", "7": "7"], status: 201),
            Write(
                method: "POST", target: "/v1/todo", body: #"{"id":8,"n":8}"#,
                rows: ["1": "1", "2": "2", "3": "3", "8": "8"], status: 201),
            Write(
                method: "PATCH", target: "/v1/todo/2", body: #"{"n":9}"#, type: patch,
                rows: ["1": "1", "2": "9", "3": "3"], status: 200),
            Write(
                method: "DELETE", target: "/v1/todo/2", rows: ["1": "1", "3": "3"], status: 204),
            Write(
                method: "POST", target: "/v1/todo/_set", body: #"[{"id":1,"n":9},{"id":7,"n":7}]"#,
                rows: ["1": "9", "2": "2", "3": "3", "7": "7"], status: 200, results: [200, 201]),
            Write(
                method: "POST", target: "/v1/todo/_set",
                body: "{\"id\":1,\"n\":9}\n{\"id\":7,\"n\":7}\n", type: lines,
                rows: ["1": "9", "2": "2", "3": "3", "7": "7"], status: 200, results: [200, 201]),
            Write(
                method: "POST", target: "/v1/_batch",
                body: #"""
                    {"operations":[{"set":{"type":"todo","entity":{"id":1,"n":9}}},
                      {"patch":{"type":"todo","id":1,"patch":{"n":10}}},
                      {"remove":{"type":"todo","id":3}}]}
                    """#,
                rows: ["1": "10", "2": "2"], status: 200, results: [200, 200, 204]),
            Write(
                method: "DELETE", target: "/v1/todo?ids=1,3", rows: ["2": "2"], status: 200,
                results: [204, 204]),
            Write(
                method: "POST", target: "/v1/todo/_remove", body: #"{"ids":[1,3]}"#,
                rows: ["2": "2"], status: 200, results: [204, 204]),
            Write(
                method: "DELETE", target: "/v1/todo?filter=n%3E1", rows: ["1": "1"], status: 200,
                results: [204, 204]),
            Write(
                method: "POST", target: "/v1/todo/_remove", body: #"{"filter":"n > 1"}"#,
                rows: ["1": "1"], status: 200, results: [204, 204]),
            Write(
                method: "DELETE", target: "/v1/todo?all=true", rows: [:], status: 200,
                results: [204, 204, 204]),
        ]
    }

    enum Context: String, CaseIterable, Sendable {
        case local = "target=local"
        case remote = "target=remote"
        case both = "target=both"
        case bothWaiting = "target=both&wait=remote"
    }

    @Test(arguments: Write.all, Context.allCases)
    func eachWriteDoesTheSameInEachContext(write: Write, context: Context) async throws {
        try await offPool {
            let scene = try Scene()
            let before = try scene.there
            let answer = try scene.send(write, context.rawValue)
            #expect(answer.status == (context == .both ? 202 : write.status), "\(answer.body)")
            #expect(answer.header("Freshet-Changed") == "true")
            #expect(try scene.here == write.rows, "\(answer.body)")
            if context == .both { try scene.drain() }
            #expect(try scene.there == (context == .local ? before : write.rows))
            guard context == .remote, !write.results.isEmpty else { return }
            let body = try JSONValue.parse(answer.body)
            let results = try #require(body["results"]?.arrayValue)
            #expect(
                results.compactMap { $0["status"]?.numberText } == write.results.map(String.init))
            #expect(results.allSatisfy { $0["id"]?.numberText != nil }, "\(answer.body)")
            #expect(body["meta"]?["failed"]?.numberText == "0")
            #expect(body["meta"]?["changed"]?.numberText == "\(results.count)")
            #expect(answer.header("Freshet-Cursor")?.isEmpty == false)
        }
    }

    @Test func aRemovedIdKeepsItsForm() async throws {
        try await offPool {
            let scene = try Scene()
            #expect(try scene.server.send("PUT", "/v1/todo/9", #"{"id":"9"}"#).status == 201)
            for context in ["", "?target=both", "?target=remote"] {
                let batch = try scene.server.send(
                    "POST", "/v1/_batch\(context)",
                    #"""
                    {"operations":[{"remove":{"type":"todo","id":"1"}},
                      {"remove":{"type":"todo","id":9}},
                      {"set":{"type":"todo","entity":{"id":1}}},
                      {"set":{"type":"todo","entity":{"id":"9"}}}]}
                    """#)
                let ids = try #require(JSONValue.parse(batch.body)["results"]?.arrayValue)
                    .map { $0["id"] }
                #expect(
                    ids == [.number("1"), .string("9"), .number("1"), .string("9")],
                    "\(context): \(batch.body)")
            }
        }
    }

    @Test func whatOneOfSeveralHasFailedOfIsTold() async throws {
        try await offPool {
            let scene = try Scene()
            let answer = try scene.server.send(
                "POST", "/v1/todo/_set?target=remote",
                #"[{"id":1,"n":9},{"id":2,"n":500},{"id":"x","n":500}]"#,
                headers: ["Prefer: return=minimal"])
            #expect(answer.status == 200)
            let results = try JSONValue.parse(answer.body)["results"]?.arrayValue ?? []
            #expect(results.map { $0["status"]?.numberText } == ["200", "502", "502"])
            #expect(
                results.map { $0["problem"]?["code"]?.stringValue ?? "" }
                    == ["", "upstream-status", "upstream-status"])
            #expect(results[1]["problem"]?["upstreamStatus"]?.numberText == "422")
            #expect(results[2]["id"]?.stringValue == "x")
            #expect(answer.body.contains(#""meta":{"count":3,"changed":1,"failed":2,"#))
            #expect(try scene.here == ["1": "9", "2": "2", "3": "3"])
            #expect(try scene.there == ["1": "9", "2": "2", "3": "3"])
            let quiet = try scene.server.send(
                "POST", "/v1/todo/_set?target=remote", #"[{"id":1,"n":10}]"#,
                headers: ["Prefer: return=minimal"])
            #expect(quiet.status == 204)
            // A body with a fault in it is refused before anything is sent.
            let faulty = try scene.server.send(
                "POST", "/v1/todo/_set?target=remote", #"[{"id":1,"n":11},[]]"#)
            #expect(faulty.status == 422)
            let batch = try scene.server.send(
                "POST", "/v1/_batch?target=remote",
                #"""
                {"operations":[{"set":{"type":"todo","entity":{"id":1,"n":12}},"ifMatch":"1"},
                  {"patch":{"type":"todo","id":99,"patch":{}}},
                  {"set":{"type":"todo","entity":{"id":2,"n":12}}}]}
                """#)
            let statuses = try JSONValue.parse(batch.body)["results"]?.arrayValue?
                .map { $0["status"]?.numberText }
            #expect(statuses == ["412", "404", "200"], "\(batch.body)")
            #expect(try scene.there == ["1": "10", "2": "12", "3": "3"])
            let none = try scene.server.send("POST", "/v1/todo/_set?target=remote", "[]")
            #expect(none.status == 200)
            #expect(none.body.hasPrefix(#"{"results":[],"meta":{"count":0,"#))
        }
    }

    @Test func idsThatAreNotHereAreRemovedThere() async throws {
        try await offPool {
            let scene = try Scene()
            for (id, context) in [("7", "target=remote"), ("8", "target=both&wait=remote")] {
                #expect(
                    try scene.upstream.send("PUT", "/v1/todo/\(id)", #"{"n":7}"#).status == 201)
                let answer = try scene.server.send("DELETE", "/v1/todo?ids=1,\(id)&\(context)")
                #expect(answer.status == 200, "\(answer.body)")
                #expect(try scene.there == ["2": "2", "3": "3"], "\(answer.body)")
            }
        }
    }

    @Test func aRepeatOfSeveralIsAnsweredAsTheFirst() async throws {
        try await offPool {
            let scene = try Scene()
            func set(_ body: String) throws -> TestResponse {
                try scene.server.send(
                    "POST", "/v1/todo/_set?target=remote", body, headers: ["Idempotency-Key: k"])
            }
            let body = #"[{"id":1,"n":9},{"id":2,"n":500}]"#
            let first = try set(body)
            #expect(first.body.contains(#""failed":1"#))
            #expect(try scene.upstream.send("PUT", "/v1/todo/1", #"{"id":1,"n":1}"#).status == 200)
            let second = try set(body)
            #expect(second.status == 200 && second.body == first.body)
            #expect(second.header("Freshet-Changed") == "true")
            #expect(try scene.there["1"] == "1")
            #expect(try set("[]").status == 422)
        }
    }

    /// A write of each kind, as method, path, query and body. Of the row 50 the remote has yet to hear.
    private static let keyed = [
        ("POST", "/v1/todo", "", #"{"n":5}"#), ("POST", "/v1/todo", "", #"{"id":"a","n":5}"#),
        ("POST", "/v1/todo/_set", "", #"[{"id":1,"n":6},{"id":3,"n":3},{"id":60,"n":1}]"#),
        ("POST", "/v1/todo/_set", "", #"[{"id":50,"n":50}]"#),
        (
            "POST", "/v1/_batch", "",
            #"{"operations":[{"remove":{"type":"todo","id":"1"}},"#
                + #"{"remove":{"type":"todo","id":70}},{"set":{"type":"todo","entity":{"id":50,"n":50}}},"#
                + #"{"patch":{"type":"todo","id":"2","patch":{"n":7}}}]}"#
        ),
        ("POST", "/v1/todo/_remove", "", #"{"ids":[1,"2",70]}"#),
        ("POST", "/v1/todo/_remove", "", #"{"filter":"n == 3"}"#),
        ("POST", "/v1/todo/_remove", "", #"{"filter":"n == 99"}"#),
        ("DELETE", "/v1/todo", "filter=n==99", ""), ("DELETE", "/v1/todo", "ids=3,50", ""),
    ]

    @Test(
        arguments: ["", "target=both", "target=both&wait=remote", "target=remote"], [false, true])
    func whateverIsRepeatedByKeyIsAnsweredAsTheFirstAndDoesNothing(
        _ context: String, isMinimal: Bool
    ) async throws {
        try await offPool {
            for (method, path, query, body) in Self.keyed {
                let scene = try Scene()
                _ = try scene.server.send("PUT", "/v1/todo/50", #"{"id":50,"n":50}"#)
                func send(_ query: String, _ body: String) throws -> TestResponse {
                    let target = [query, context].filter { !$0.isEmpty }.joined(separator: "&")
                    return try scene.server.send(
                        method, path + (target.isEmpty ? "" : "?\(target)"),
                        body.isEmpty ? nil : body,
                        headers: ["Idempotency-Key: k"]
                            + (isMinimal ? ["Prefer: return=minimal"] : []))
                }
                let first = try send(query, body)
                let what: Comment = "\(method) \(path) \(query) \(body): \(first.body)"
                #expect((200...204).contains(first.status), what)
                if first.status == 202 {
                    #expect(first.header("Location")?.hasPrefix("/v1/_outbox") == true, what)
                }
                // What the request would find now is something else.
                if context.hasPrefix("target=both") { try scene.drain() }
                _ = try scene.server.send("PUT", "/v1/todo/1", #"{"id":"1","n":99}"#)
                _ = try scene.server.send("PUT", "/v1/todo/70", #"{"id":70,"n":3}"#)
                let held = (here: try scene.here, there: try scene.there)
                let second = try send(query, body)
                #expect(second.status == first.status && second.body == first.body, what)
                for name in [
                    "Location", "ETag", "Freshet-Changed", "Freshet-Durability", "Freshet-Cursor",
                ] {
                    #expect(second.header(name) == first.header(name), what)
                }
                if context.hasPrefix("target=both") { try scene.drain() }
                #expect(try scene.here == held.here && scene.there == held.there, what)
                #expect(
                    try send(query.isEmpty ? "" : "ids=1", body.isEmpty ? "" : body + " ").status
                        == 422, what)
            }
        }
    }

    @Test func aNamedEndpointWithAMethodTakesWrites() async throws {
        try await offPool {
            let scene = try Scene()
            let context = "endpoint=shelve&endpoint.shelf=shelf"
            func shelf() throws -> [String: String] { try Scene.rows(scene.upstream, "shelf") }
            let one = try scene.server.send(
                "PATCH", "/v1/todo/1?target=remote&\(context)", #"{"n":11}"#,
                headers: ["Content-Type: \(Write.patch)"])
            #expect(one.status == 200, "\(one.body)")
            #expect(try shelf() == ["1": "11"])
            #expect(try scene.here["1"] == "11")
            #expect(try scene.there["1"] == "1")
            let several = try scene.server.send(
                "POST", "/v1/todo/_set?target=remote&\(context)",
                #"[{"id":2,"n":12},{"id":7,"n":17}]"#)
            #expect(several.status == 200, "\(several.body)")
            #expect(try shelf() == ["1": "11", "2": "12", "7": "17"])
            // What changes nothing here is an act there all the same.
            #expect(try scene.upstream.send("DELETE", "/v1/shelf/2").status == 204)
            for context in [context, context + "&endpoint.meta=true"] {
                let both = try scene.server.send(
                    "PATCH", "/v1/todo/2?target=both&wait=remote&\(context)", "{}",
                    headers: ["Content-Type: \(Write.patch)"])
                #expect(both.status == 200, "\(both.body)")
                #expect(try shelf()["2"] == "12")
            }
            // Each is an act of its own: what waits is not made one of.
            let queued = try scene.server.send(
                "POST", "/v1/_batch?target=both&\(context)",
                #"{"operations":[{"set":{"type":"todo","entity":{"id":3,"n":13}}}]}"#)
            #expect(queued.status == 202, "\(queued.body)")
            try scene.drain()
            #expect(try shelf()["3"] == "13")
            let list = try scene.server.send("GET", "/v1/_outbox").body
            #expect(
                list.contains(#""endpoint":"shelve","parameters":{"meta":"true","shelf":"shelf"}"#))
            let gone = try scene.server.send(
                "DELETE", "/v1/todo?filter=n%3E10&target=remote&endpoint=drop")
            #expect(gone.status == 200)
            #expect(try scene.here == [:])
            #expect(try scene.there == [:])
        }
    }

    @Test(arguments: [
        ("target=remote&endpoint=none", "endpoint"),
        ("target=remote&endpoint=all", "endpoint"),
        ("target=both&endpoint=shelve", "endpoint.shelf"),
        ("target=remote&endpoint=shelve&endpoint.shelf=a&endpoint.x=1", "endpoint.x"),
        ("target=both&endpoint=drop&endpoint.id=1", "endpoint.id"),
        ("target=both&endpoint.shelf=a", "endpoint"),
        ("endpoint=drop", "endpoint"), ("target=local&endpoint=drop", "endpoint"),
        ("target=remote&wait=remote", "wait"), ("target=there", "target"),
    ])
    func whatNoRemoteCanBeToldIsRefused(context: String, parameter: String) async throws {
        try await offPool {
            let scene = try Scene()
            for write in Write.all {
                let answer = try scene.send(write, context)
                #expect(answer.status == 400, "\(write) \(answer.body)")
                #expect(
                    answer.body.contains("\"parameter\":\"\(parameter)\""),
                    "\(write) \(answer.body)")
            }
            #expect(try scene.here == scene.there)
            #expect(try scene.server.send("GET", "/v1/todo?endpoint=drop").status == 400)
        }
    }
}
