import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRefresh
import FreshetRemote
import FreshetServer
import FreshetTestSupport
import Testing

/// Write contexts and the outbox, over HTTP.
@Suite struct WriteContextTests {
    /// Takes what it is sent, or fails.
    // SAFETY: all mutable state is read and written under `lock`.
    private final class Sink: RemoteSource, @unchecked Sendable {
        let upstreamName = "api"
        let digest = "one"
        let fallback = FallbackErrors.standard
        let canGet = false
        private let lock = Lock()
        private var failure: UpstreamError?
        private var calls: [String] = []
        private var newID: String?

        var log: [String] { lock.withLock { calls } }
        func fail(_ error: UpstreamError?) { lock.withLock { failure = error } }
        func name(_ id: String) { lock.withLock { newID = id } }

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
            let text =
                switch write.action {
                case .create(let document): "create \(document.id)"
                case .update(let id, _): "update \(id)"
                case .remove(let id): "remove \(id)"
                }
            let (failure, newID) = lock.withLock {
                calls.append(text)
                defer { self.newID = nil }
                return (self.failure, self.newID)
            }
            if let failure { throw failure }
            var answer = RemoteWriteAnswer(status: 200)
            if let newID { answer.id = try? EntityID(newID) }
            return answer
        }
    }

    private func server(
        _ sink: Sink, operations: Set<OutboxEntry.Operation> = [.create, .update, .remove],
        _ change: (inout ServeSettings) throws -> Void = { _ in }
    ) throws -> TestServer {
        var settings = ServeSettings.standard
        try change(&settings)
        let types = settings.types
        let server = try TestServer { $0.types = types }
        // Longer than a machine with much else to do takes for a delivery.
        server.server.core.outbox.longestWait = .seconds(600)
        let type = try #require(TypeName("todo"))
        server.server.core.outbox.replace(targets: [
            type: OutboxTarget(
                sink, operations: operations, retry: RetryPolicy(limit: 0))
        ])
        return server
    }

    @Test func bothIsDoneHereAndSent() async throws {
        try await offPool {
            let sink = Sink()
            let server = try self.server(sink)
            let answer = try server.send("PUT", "/v1/todo/1?target=both", #"{"n":1}"#)
            #expect(answer.status == 202)
            let place = try #require(answer.header("Location"))
            #expect(place.hasPrefix("/v1/_outbox/"))
            #expect(try server.send("GET", "/v1/todo/1").body == "{\"id\":\"1\",\"n\":1}\n")
            let waited = try server.send(
                "PATCH", "/v1/todo/1?target=both&wait=remote", #"{"n":2}"#,
                headers: ["Content-Type: application/merge-patch+json"])
            #expect(waited.status == 200)
            #expect(waited.body == "{\"id\":\"1\",\"n\":2}\n")
            let entry = try server.send("GET", place)
            #expect(entry.status == 200)
            #expect(entry.body.contains(#""state":"done""#) || entry.body.contains("superseded"))
            // The remote has it as it is here.
            #expect(try server.send("PUT", "/v1/todo/1?target=both", #"{"n":2}"#).status == 200)
            #expect(
                try server.send("DELETE", "/v1/todo/1?target=both&wait=remote").status == 204)
            // What is not here may be there.
            #expect(
                try server.send("DELETE", "/v1/todo/7?target=both&wait=remote").status == 204)
            #expect(sink.log.last == "remove 7")
            let list = try server.send("GET", "/v1/_outbox?state=done&limit=10")
            #expect(list.status == 200 && list.body.hasPrefix(#"{"items":[{"id":"#))
            #expect(try server.send("GET", "/metrics").body.contains("freshet_outbox_pending 0"))
        }
    }

    @Test func remoteIsAskedFirst() async throws {
        try await offPool {
            let sink = Sink()
            let server = try self.server(sink)
            #expect(try server.send("PUT", "/v1/todo/1?target=remote", #"{"n":1}"#).status == 201)
            #expect(try server.send("GET", "/v1/todo/1").status == 200)
            sink.fail(.timeout)
            #expect(try server.send("PUT", "/v1/todo/2?target=remote", #"{"n":1}"#).status == 504)
            sink.fail(.status(422, retryAfter: nil, excerpt: "no"))
            let refused = try server.send("DELETE", "/v1/todo/1?target=remote")
            #expect(refused.status == 502 && refused.body.contains("upstream-status"))
            #expect(try server.send("GET", "/v1/todo/1").status == 200)
            #expect(try server.send("GET", "/v1/todo/2").status == 404)
            sink.fail(nil)
            #expect(
                try server.send(
                    "PATCH", "/v1/todo/3?target=remote", "{}",
                    headers: ["Content-Type: application/merge-patch+json"]
                ).status == 404)
            #expect(
                try server.send(
                    "PUT", "/v1/todo/1?target=remote", #"{"n":9}"#, headers: ["If-None-Match: *"]
                ).status == 412)
            #expect(try server.send("DELETE", "/v1/todo/1?target=remote").status == 204)
            #expect(try server.send("GET", "/v1/todo/1").status == 404)
            #expect(sink.log == ["create 1", "create 2", "remove 1", "remove 1"])
        }
    }

    @Test func bothIdsResolveOnceTheRemoteHasItsOwn() async throws {
        try await offPool {
            let sink = Sink()
            sink.name("r1")
            let server = try self.server(sink)
            let made = try server.send(
                "PUT", "/v1/todo/tmp?target=both&wait=remote", #"{"id":"tmp","n":1}"#)
            #expect(made.status == 201)
            #expect(made.body == "{\"id\":\"r1\",\"n\":1}\n")
            for id in ["tmp", "r1"] {
                #expect(
                    try server.send("GET", "/v1/todo/\(id)").body == "{\"id\":\"r1\",\"n\":1}\n")
            }
            #expect(try server.send("PUT", "/v1/todo/tmp", #"{"id":"tmp","n":2}"#).status == 200)
            #expect(try server.send("GET", "/v1/todo/r1").body == "{\"id\":\"r1\",\"n\":2}\n")
            // However many a request writes, and whichever way, there is one entity.
            let set = #""set":{"type":"todo","entity":{"id":"tmp","n":3}}"#
            let patch = #""patch":{"type":"todo","id":"tmp","patch":{"n":3}}"#
            let several = [
                ("/v1/todo/_set", #"[{"id":"tmp","n":3}]"#),
                ("/v1/_batch", "{\"operations\":[{\(set)}]}"),
                ("/v1/_batch", "{\"operations\":[{\(patch)}]}"),
            ]
            for (path, body) in several {
                let answer = try server.send("POST", path, body)
                #expect(answer.status == 200 && answer.body.contains(#""id":"r1""#), "\(answer)")
                #expect(try server.send("GET", "/v1/todo/r1").body == "{\"id\":\"r1\",\"n\":3}\n")
            }
            #expect(try server.send("POST", "/v1/todo", #"{"id":"tmp","n":4}"#).status == 409)
            #expect(try server.send("GET", "/v1/todo").body.contains(#""count":1"#))
            #expect(try server.send("DELETE", "/v1/todo/tmp").status == 204)
            #expect(try server.send("GET", "/v1/todo/r1").status == 404)
        }
    }

    @Test func severalAreDoneHereAtOnceAndSentEach() async throws {
        try await offPool {
            let sink = Sink()
            let server = try self.server(sink)
            let set = try server.send(
                "POST", "/v1/todo/_set?target=both", #"[{"id":1,"n":1},{"id":2,"n":1}]"#)
            #expect(set.status == 202 && set.header("Location") == "/v1/_outbox")
            #expect(set.body.contains(#""outbox":["/v1/_outbox/"#), "\(set.body)")
            #expect(try server.send("GET", "/v1/todo/2").body == "{\"id\":2,\"n\":1}\n")
            let waited = try server.send(
                "POST", "/v1/todo/_set?target=both&wait=remote",
                #"[{"id":2,"n":1},{"id":3,"n":1}]"#)
            #expect(waited.status == 200 && !waited.body.contains("outbox"), "\(waited.body)")
            #expect(Set(sink.log).isSuperset(of: ["create 2", "create 3"]))
            let batch = try server.send(
                "POST", "/v1/_batch?target=both&wait=remote",
                #"""
                {"operations":[{"patch":{"type":"todo","id":3,"patch":{"n":2}}},
                               {"remove":{"type":"todo","id":2}}]}
                """#)
            #expect(batch.status == 200, "\(batch.body)")
            #expect(Set(sink.log).isSuperset(of: ["update 3", "remove 2"]))
            let removed = try server.send("DELETE", "/v1/todo?filter=n==2&target=both&wait=remote")
            #expect(removed.status == 200 && removed.body == "{\"removed\":[3]}\n")
            #expect(sink.log.contains("remove 3"))
            let one = try server.send("POST", "/v1/todo/_remove?target=both", #"{"ids":[1]}"#)
            #expect(one.status == 202 && one.header("Location")?.count == 48, "\(one.body)")
            // A remote that will not have one of them is told of; it is done here.
            sink.fail(.status(422, retryAfter: nil, excerpt: "no"))
            let refused = try server.send(
                "POST", "/v1/todo/_set?target=both&wait=remote", #"[{"id":7}]"#)
            #expect(refused.status == 502 && refused.body.contains(#""outcome":"rejected""#))
            #expect(try server.send("GET", "/v1/todo/7").status == 200)
        }
    }

    @Test func whatARemoteHasNoRequestForIsRefused() async throws {
        try await offPool {
            let server = try self.server(Sink(), operations: [.update])
            let batch = #"{"operations":[{"remove":{"type":"todo","id":2}}]}"#
            let other = #"{"operations":[{"set":{"type":"other","entity":{"id":2}}}]}"#
            for (method, target, body) in [
                ("POST", "/v1/_batch?target=remote", batch),
                ("POST", "/v1/other/_set?target=remote", "[{}]"),
                ("POST", "/v1/todo/_remove?target=remote", #"{"ids":[1]}"#),
                ("POST", "/v1/todo/_set?wait=remote", "[]"),
                ("POST", "/v1/other/_set?target=both", "[{}]"),
                ("POST", "/v1/_batch?target=both", batch),
                ("POST", "/v1/_batch?target=both", other),
                ("DELETE", "/v1/todo?all=true&target=both", nil),
            ] {
                let answer = try server.send(method, target, body)
                #expect(answer.status == 400, "\(target)")
                #expect(answer.body.contains(#""parameter":"#), "\(target)")
            }
            #expect(try server.send("GET", "/v1/_outbox").body == "{\"items\":[]}\n")
        }
    }

    @Test func aReplacedIDIsGoodInListsAndReferences() async throws {
        try await offPool {
            let sink = Sink()
            sink.name("r1")
            let server = try self.server(sink) { settings in
                let types = #"""
                    {"note":{"relationships":{"about":{"type":"todo","association":"one"}}}}
                    """#
                settings.types = try declaredTypes(types)
            }
            let made = try server.send(
                "PUT", "/v1/todo/tmp?target=both&wait=remote", #"{"id":"tmp","n":1}"#)
            #expect(made.status == 201)
            for ids in ["tmp", "tmp,r1"] {
                let found = try server.send("GET", "/v1/todo?ids=\(ids)").body
                #expect(found.hasPrefix(#"{"items":[{"id":"r1","n":1}],"#), "\(found)")
                #expect(found.contains(#""missing":[]"#))
            }
            let posted = try server.send("POST", "/v1/todo/_search", #"{"ids":["tmp"]}"#)
            #expect(posted.body.contains(#"[{"id":"r1","n":1}]"#))
            #expect(try server.send("PUT", "/v1/note/1", #"{"about":"tmp"}"#).status == 201)
            let shown = try server.send("GET", "/v1/note?include=about").body
            #expect(shown.contains(#""included":{"todo":{"r1":{"id":"r1","n":1}}}"#), "\(shown)")
            let stream = try TestStream(server, "/v1/_live?q.a=/v1/todo/tmp")
            #expect(try stream.next().name == "hello")
            #expect(try stream.next().data.contains(#"{"id":"r1","n":1}"#))
            let gone = try server.send("POST", "/v1/todo/_remove", #"{"ids":["tmp"]}"#)
            #expect(gone.body == "{\"removed\":[\"r1\"]}\n")
        }
    }

    @Test(arguments: ["/v1/todo/tmp?live=delta", "/v1/_live?q.a=/v1/todo%3Fids=x,tmp"])
    func anOpenStreamFollowsAReplacedID(target: String) async throws {
        try await offPool {
            let sink = Sink()
            let server = try self.server(sink)
            let type = try #require(TypeName("todo"))
            server.server.core.operations.remotes.replace([type: sink])
            sink.fail(.timeout)
            let made = try server.send(
                "PUT", "/v1/todo/tmp?target=both&wait=remote", #"{"id":"tmp","n":1}"#)
            let entry = try #require(
                made.body.firstMatch(of: /"entry":"([^"]+)"/).map { String($0.1) })
            let stream = try TestStream(server, target)
            while try !stream.next().data.contains(#"{"id":"tmp","n":1}"#) {}
            sink.fail(nil)
            sink.name("r1")
            #expect(try server.send("POST", "\(entry)/retry").status == 200)
            while try !stream.next().data.contains(#"{"id":"r1","n":1}"#) {}
            #expect(try server.send("PUT", "/v1/todo/r1", #"{"n":2}"#).status == 200)
            while try !stream.next().data.contains(#""n":2"#) {}
        }
    }

    @Test func deadEntriesAreSeenAndDrivenAgain() async throws {
        try await offPool {
            let sink = Sink()
            let server = try self.server(sink)
            sink.fail(.timeout)
            let failed = try server.send("PUT", "/v1/todo/1?target=both&wait=remote", "{}")
            #expect(failed.status == 504 && failed.body.contains(#""outcome":"dead""#))
            let list = try server.send("GET", "/v1/_outbox?state=dead").body
            let id = try #require(
                list.firstMatch(of: /"id":"([0-9a-f-]{36})"/).map { String($0.1) })
            #expect(try server.send("GET", "/metrics").body.contains("freshet_outbox_dead 1"))
            // It must not be overtaken.
            #expect(try server.send("PUT", "/v1/todo/1?target=remote", "{}").status == 503)
            sink.fail(nil)
            #expect(try server.send("POST", "/v1/_outbox/\(id)/retry").status == 200)
            let next = try server.send("PUT", "/v1/todo/1?target=both&wait=remote", #"{"n":1}"#)
            #expect(next.status == 200)
            #expect(try server.send("POST", "/v1/_outbox/\(id)/retry").status == 409)
            #expect(try server.send("DELETE", "/v1/_outbox/\(id)").status == 204)
            #expect(try server.send("GET", "/v1/_outbox/\(id)").status == 404)
            #expect(try server.send("DELETE", "/v1/_outbox/\(id)").status == 404)
        }
    }

    @Test func whatCannotBeSaidIsRefused() async throws {
        try await offPool {
            let server = try self.server(Sink(), operations: [.update])
            for target in [
                "/v1/other/1?target=both", "/v1/other/1?target=remote",
                "/v1/todo/1?target=upstream",
                "/v1/todo/1?wait=remote", "/v1/todo/1?target=both&wait=1",
            ] {
                let answer = try server.send("PUT", target, "{}")
                #expect(answer.status == 400, "\(target)")
                #expect(answer.body.contains("bad-parameter"), "\(target)")
            }
            #expect(try server.send("DELETE", "/v1/todo/1?target=both").status == 400)
            #expect(try server.send("GET", "/v1/_outbox?state=odd").status == 400)
            #expect(try server.send("GET", "/v1/_outbox?limit=1001").status == 400)
            #expect(try server.send("GET", "/v1/_outbox/none").status == 404)
        }
    }
}
