import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetLogDrivers

/// What no real node can be made to answer in a test, and what comes of it.
@Suite("What is known of a step that etcd has not confirmed")
struct EtcdFailureTests {
    @Test(
        "Only what was surely not made is refused or away",
        arguments: [
            // Said by the check before each request.
            (14, "etcdserver: no leader", EtcdFailure.Kind.unsent),
            // Proposed, or perhaps so.
            (14, "etcdserver: request timed out", .open),
            (14, "etcdserver: request timed out, possibly due to previous leader failure", .open),
            (14, "etcdserver: request timed out, possibly due to connection lost", .open),
            (14, "etcdserver: leader changed", .open),
            (14, "etcdserver: server stopped", .open),
            (14, "transport is closing", .open),
            (14, "all SubConns are in TransientFailure, latest connection error: …", .open),
            (4, "context deadline exceeded", .open), (1, "context canceled", .open),
            (2, "raft proposal dropped", .open), (13, "stream terminated by RST_STREAM", .open),
            (10, "aborted", .open), (15, "data loss", .open), (8, "something new", .open),
            // Judged before it was proposed, or when it was applied.
            (3, "etcdserver: request is too large", .refused),
            (3, "etcdserver: user name is empty", .refused),
            (3, "etcdserver: authentication failed, invalid user ID or password", .refused),
            (7, "etcdserver: permission denied", .refused),
            (8, "etcdserver: too many requests", .refused),
            (9, "etcdserver: authentication is not enabled", .refused),
            (11, "etcdserver: mvcc: required revision has been compacted", .refused),
            (12, "unknown method", .refused),
            (8, "etcdserver: mvcc: database space exceeded", .full),
            (8, "grpc: received message larger than max (9 vs. 4194304)", .tooLarge),
            (16, "etcdserver: invalid auth token", .token),
            (3, "etcdserver: revision of auth store is old", .token),
        ])
    func codes(code: Int, text: String, kind: EtcdFailure.Kind) {
        #expect(EtcdFailure(code: code, text) == EtcdFailure(kind, text))
        let body = bytes(#"{"error":"\#(text)","message":"\#(text)","code":\#(code)}"#)
        #expect(EtcdFailure(status: 503, body: body) == EtcdFailure(kind, text))
    }

    @Test("An answer that is not etcd's leaves it open", arguments: ["", "no", "{}", "[1]", "{"])
    func foreign(body: String) {
        let failure = EtcdFailure(status: 404, body: bytes(body))
        #expect(failure == EtcdFailure(.open, "it answers 404, and not as etcd does"))
    }

    /// A step against a server that does as the script says.
    private func step(
        _ timeout: Duration = .seconds(120),
        _ script: @escaping @Sendable (ScriptedServer.Exchange) -> ScriptedServer.Next
    ) async throws -> LogTrouble? {
        let server = ScriptedServer(etcd: "3.5.20", script)
        let box = Box()
        try await offPool {
            var settings = try EtcdLog.Settings(EtcdAddress("etcd://127.0.0.1:\(server.port)/p"))
            settings.timeout = timeout
            let log = try EtcdLog(settings)
            box.trouble = log.trouble(
                record(1, "a"), "h1", expecting: .init(bytes: [1], revision: 7))
        }
        server.stop()
        return box.trouble
    }

    // SAFETY: written before its reader is resumed.
    private final class Box: @unchecked Sendable {
        var trouble: LogTrouble?
    }

    private func isUnknown(_ trouble: LogTrouble?) -> Bool {
        if case .unknown = trouble { true } else { false }
    }

    @Test("A step whose connection ends is not known, with an answer that is cut as well")
    func broken() async throws {
        #expect(isUnknown(try await step { _ in .close }))
        #expect(
            isUnknown(
                try await step {
                    $0.reset()
                    return .close
                }))
        #expect(
            isUnknown(
                try await step {
                    $0.send("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"succ")
                    return .close
                }))
    }

    @Test("A step without an answer in time is not known")
    func silent() async throws {
        // Long enough for a busy machine to send it.
        let trouble = try await step(.seconds(2)) {
            $0.waitForHangUp()
            return .close
        }
        guard case .unknown(let text) = trouble else {
            Issue.record("\(String(describing: trouble))")
            return
        }
        #expect(text.hasSuffix("no answer within 2.0 seconds"), "\(text)")
    }

    @Test(
        "An answer that says nothing is no answer", arguments: ["", "{}", "{\"header\":{}}", "x"])
    func empty(body: String) async throws {
        #expect(
            isUnknown(
                try await step {
                    $0.answer(200, body)
                    return .keep
                }))
    }

    @Test("One that says neither yes nor no says no, as JSON of protocol buffers does")
    func conflict() async throws {
        let trouble = try await step {
            $0.answer(200, #"{"header":{"revision":"9"},"responses":[]}"#)
            return .keep
        }
        #expect(trouble == .conflict)
    }

    @Test(
        "Full: what became of the step is read from the head",
        arguments: [("AQ==", 7, "full"), ("aDE=", 8, "made"), ("aDI=", 8, "unknown")])
    func full(value: String, revision: Int, outcome: String) async throws {
        let text = "etcdserver: mvcc: database space exceeded"
        let trouble = try await step { exchange in
            if exchange.request.target == "/v3/kv/txn" {
                exchange.answer(429, #"{"error":"\#(text)","message":"\#(text)","code":8}"#)
            } else {
                exchange.answer(
                    200,
                    #"{"header":{"revision":"9"},"kvs":[{"key":"cC9oZWFk","#
                        + #""mod_revision":"\#(revision)","value":"\#(value)"}],"count":"1"}"#)
            }
            return .keep
        }
        switch trouble {
        case nil: #expect(outcome == "made")
        case .full(let said): #expect(outcome == "full" && said.hasSuffix(text))
        case .unknown: #expect(outcome == "unknown")
        default: Issue.record("\(String(describing: trouble))")
        }
    }

    @Test("A step goes on to the next node behind one that has no leader, and nowhere else")
    func nextNode() async throws {
        let bad = ScriptedServer(etcd: "3.5.20") {
            $0.answer(503, #"{"message":"etcdserver: no leader","code":14}"#)
            return .keep
        }
        let good = ScriptedServer(etcd: "3.5.20") {
            $0.answer(200, #"{"header":{"revision":"9"},"succeeded":true}"#)
            return .keep
        }
        let late = ScriptedServer(etcd: "3.5.20") {
            $0.answer(503, #"{"message":"etcdserver: request timed out","code":14}"#)
            return .keep
        }
        try await offPool {
            for (first, count) in [(bad, 1), (late, 0)] {
                let before = good.steps.count
                let log = try EtcdLog(
                    .init(EtcdAddress("etcd://127.0.0.1:\(first.port),127.0.0.1:\(good.port)/p")))
                _ = log.trouble(nil, "h1", expecting: .init(bytes: [1], revision: 7))
                #expect(good.steps.count - before == count)
                // From then on the other is asked first.
                _ = log.trouble(nil, "h2", expecting: .init(bytes: [1], revision: 7))
                #expect(first.steps.count == 1)
            }
        }
        for server in [bad, good, late] { server.stop() }
    }

    @Test("A node is asked for its version once, and for nothing else where it is too old")
    func versions() async throws {
        for (version, steps) in [("3.4.20", 0), ("3.5.20", 2)] {
            let server = ScriptedServer(etcd: version) {
                $0.answer(200, #"{"header":{"revision":"9"},"succeeded":true}"#)
                return .keep
            }
            try await offPool {
                let log = try EtcdLog(.init(EtcdAddress("etcd://127.0.0.1:\(server.port)/p")))
                for _ in 0..<2 {
                    let trouble = log.trouble(nil, "h1", expecting: .init(bytes: [1], revision: 7))
                    guard steps == 0 else {
                        #expect(trouble == nil)
                        continue
                    }
                    guard case .refused(let text) = trouble else {
                        Issue.record("\(String(describing: trouble))")
                        continue
                    }
                    #expect(text.contains("etcd 3.4.20 is too old"), "\(text)")
                }
            }
            #expect(server.steps.count == steps)
            #expect(server.requests.count - steps == (steps == 0 ? 2 : 1))
            server.stop()
        }
    }
}

extension ScriptedServer {
    private static let status = "/v3/maintenance/status"

    /// A node of etcd that says its version, and does all else by the script.
    fileprivate convenience init(
        etcd version: String, _ script: @escaping @Sendable (Exchange) -> Next
    ) {
        self.init { exchange in
            guard exchange.request.target == ScriptedServer.status else { return script(exchange) }
            // What comes next has a connection of its own, whatever the script does to that.
            exchange.answer(200, #"{"version":"\#(version)"}"#, headers: ["Connection: close"])
            return .close
        }
    }

    /// The requests but those for the version.
    fileprivate var steps: [Request] { requests.filter { $0.target != ScriptedServer.status } }
}
