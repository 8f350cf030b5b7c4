import Dispatch
import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetQuery
import FreshetRemote
import FreshetServer
import FreshetStore
import FreshetTestSupport
import Glibc
import Testing

/// Fetches over HTTP: what they write, who waits for them, what survives them.
@Suite struct FetchScenarioTests {
    struct Scene: Sendable {
        // SAFETY: one thread of the test uses it at a time, or several only send.
        nonisolated(unsafe) let server: TestServer
        let remote: ScriptedSource
        let type: TypeName

        init(
            _ rows: [String] = [], window: Bool = false,
            _ change: (inout ServeSettings) -> Void = { _ in }
        ) throws {
            type = try #require(TypeName("todo"))
            remote = ScriptedSource(type, rows)
            remote.pushesWindow = window
            server = try TestServer(change)
            server.server.core.operations.remotes.replace([type: remote])
        }

        func get(_ target: String, headers: [String] = []) throws -> TestResponse {
            try server.send("GET", "/v1/todo\(target)", headers: headers)
        }

        /// Sends from a thread of its own.
        func later(_ target: String) -> Later {
            let later = Later()
            DispatchQueue(label: "reader").async { later.end(Result { try self.get(target) }) }
            return later
        }
    }

    final class Later: Sendable {
        private let done = DispatchSemaphore(value: 0)
        private let lock = Lock()
        // SAFETY: read and written under `lock` only.
        nonisolated(unsafe) private var result: Result<TestResponse, any Error>?

        func end(_ result: Result<TestResponse, any Error>) {
            lock.withLock { self.result = result }
            done.signal()
        }

        func answer() throws -> TestResponse {
            #expect(done.wait(timeout: .now() + .seconds(120)) == .success)
            return try #require(lock.withLock { result }).get()
        }
    }

    @Test func equalReadsAreOneRequestAndLeaversTakeNothingFromTheOthers() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a"}"#])
            scene.remote.hold()
            let first = try scene.server.connect()
            try first.write("GET /v1/todo?source=remote HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(scene.remote.begins())
            let others = (0..<20).map { _ in scene.later("?source=remote") }
            // They are all there once a request that came behind them on each loop was answered.
            while scene.server.server.core.operations.waiting < 21 { sched_yield() }
            first.hangUp()
            while scene.server.server.core.operations.waiting > 20 { sched_yield() }
            scene.remote.release()
            for other in others {
                #expect(try other.answer().body.contains(#""items":[{"id":"a"}]"#))
            }
            #expect(scene.remote.calls.count == 1 && scene.remote.cancelled == 0)
        }
    }

    /// A store that takes nothing keeps nobody from what the remote says.
    @Test func whatCannotBeStoredIsAnsweredAllTheSame() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a"}"#, #"{"id":"b"}"#]) { $0.limits.entities = 1 }
            for target in ["?source=remote", "?source=localOrRemote", "?source=remoteOrLocal"] {
                let answer = try scene.get(target)
                #expect(answer.status == 200, "\(target): \(answer.body)")
                #expect(answer.body.contains(#""items":[{"id":"a"},{"id":"b"}]"#), "\(target)")
                #expect(answer.header("Freshet-Source") == "remote", "\(target)")
            }
            #expect(try scene.get("?source=local").body.contains(#""items":[]"#))
        }
    }

    @Test func anAnswerSaysHowManyElementsItLacks() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a"}"#])
            scene.remote.set(dropped: 3)
            scene.remote.set(etag: "v1")
            // Fetched, found unchanged by the remote, from what is here, and neither stored.
            var tags: [String?] = []
            for target in [
                "?source=remote", "?source=remote", "?source=localOrRemote",
                "?source=localThenRemote&filter=a==null", "?source=remote&persist=none",
            ] {
                let answer = try scene.get(target)
                #expect(answer.status == 200 && answer.body.contains(#""items":[{"id":"a"}]"#))
                #expect(answer.header("Freshet-Degraded") == "upstream-shape", "\(target)")
                #expect(
                    answer.body.contains(#""degraded":{"type":"/problems/upstream-shape""#)
                        && answer.body.contains(#""leftOut":3"#), "\(answer.body)")
                tags.append(answer.header("ETag"))
            }
            scene.remote.set(dropped: 0)
            scene.remote.set(etag: "v2")
            for target in ["?source=remote", "?source=localOrRemote"] {
                let answer = try scene.get(target)
                #expect(answer.header("Freshet-Degraded") == nil)
                #expect(!answer.body.contains("degraded"))
                #expect(!tags.contains(answer.header("ETag")))
            }
        }
    }

    @Test func idsThatAreAskedForOneByOneAnswerNoOtherQuestion() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a"}"#, #"{"id":"b"}"#])
            scene.remote.sendsIDs = false
            scene.remote.hold()
            let one = scene.later("?ids=a&source=remote")
            #expect(scene.remote.begins())
            let other = scene.later("?ids=b&source=remote")
            #expect(scene.remote.begins())
            let all = scene.later("?source=remote")
            #expect(scene.remote.begins())
            scene.remote.release()
            #expect(try one.answer().body.contains(#""items":[{"id":"a"}]"#))
            #expect(try other.answer().body.contains(#""items":[{"id":"b"}]"#))
            #expect(try all.answer().body.contains(#""items":[{"id":"a"},{"id":"b"}]"#))
        }
    }

    @Test func theLastOneToLeaveEndsTheRequest() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a"}"#])
            scene.remote.hold()
            let only = try scene.server.connect()
            try only.write("GET /v1/todo/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(scene.remote.begins())
            only.hangUp()
            #expect(scene.remote.begins(), "it hears of the end")
            #expect(scene.remote.cancelled == 1)
            scene.remote.release()
            #expect(try scene.get("/a").status == 200, "the next one asks anew")
        }
    }

    @Test func aStopWaitsForNoRemote() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a"}"#])
            scene.remote.hold()
            let waiting = scene.later("?source=remote")
            #expect(scene.remote.begins())
            scene.server.server.stop()
            #expect(try waiting.answer().status == 503)
            #expect(scene.remote.cancelled == 1)
        }
    }

    @Test func whatChangesHereDuringAFetchWins() async throws {
        try await offPool {
            let scene = try Scene(["a", "b", "c"].map { #"{"id":"\#($0)","n":1}"# })
            _ = try scene.get("?source=remote")
            scene.remote.set(rows: ["a", "b", "c", "d"].map { #"{"id":"\#($0)","n":2}"# })
            scene.remote.hold()
            let waiting = scene.later("?source=remote")
            #expect(scene.remote.begins() && scene.remote.begins())
            _ = try scene.server.send("PUT", "/v1/todo/a", #"{"n":9}"#)
            _ = try scene.server.send("DELETE", "/v1/todo/b")
            scene.remote.release()
            let rows = #"[{"n":9,"id":"a"},{"id":"c","n":2},{"id":"d","n":2}]"#
            let answer = try waiting.answer().body
            #expect(
                answer.contains(rows.replacing(#"{"n":9,"id":"a"}"#, with: #"{"id":"a","n":9}"#)),
                "\(answer)")
            let local = try scene.get("?source=local").body
            #expect(!local.contains(#""id":"b""#), "a removed one does not come back")
            #expect(local.contains(#""n":9"#))
        }
    }

    @Test func replaceRemovesWhatTheRemoteHasNoMore() async throws {
        try await offPool {
            let scene = try Scene(["a", "b"].map { #"{"id":"\#($0)"}"# })
            _ = try scene.get("?source=remote")
            _ = try scene.server.send("PUT", "/v1/todo/mine", "{}")
            scene.remote.set(rows: [#"{"id":"b"}"#])
            #expect(
                try scene.get("?source=remote").body.contains(#""items":[{"id":"b"}]"#))
            #expect(try scene.get("/a?source=local").status == 200, "merge removes nothing")
            _ = try scene.get("?source=remote&persist=replace")
            #expect(try scene.get("/a?source=local").status == 404)
            #expect(try scene.get("/mine?source=local").status == 200, "never what is ours")
            for window in ["limit=5", "offset=1"] {
                let answer = try scene.get("?source=remote&persist=replace&\(window)")
                #expect(answer.status == 400 && answer.body.contains(#""parameter":"persist""#))
            }
        }
    }

    @Test func whatIsNotToBeKeptIsNotKept() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a","n":1}"#, #"{"id":"b","n":2}"#])
            let answer = try scene.get("?source=remote&persist=none&filter=n==2&order=-n")
            #expect(answer.body.contains(#""items":[{"id":"b","n":2}]"#))
            #expect(try scene.get("?source=local").body.contains(#""items":[]"#))
            #expect(try scene.get("/a?source=remote&persist=none").body.contains(#""n":1"#))
            #expect(try scene.get("/a?source=local").status == 404)
        }
    }

    @Test func aTrustedAnswerIsTakenAsItIs() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"b","n":2}"#, #"{"id":"a","n":1}"#])
            let plain = try scene.get("?source=remote&filter=n==7")
            #expect(plain.body.contains(#""items":[]"#))
            let trusted = try scene.get("?source=remote&trustRemote=true&filter=n==7")
            #expect(
                trusted.body.contains(#""items":[{"id":"b","n":2},{"id":"a","n":1}]"#))
            // The same question is answered from here, in the same order.
            let again = try scene.get("?source=localOrRemote&trustRemote=true&filter=n==7")
            #expect(again.header("Freshet-Source") == "local")
            #expect(again.body.contains(#""items":[{"id":"b","n":2},{"id":"a","n":1}]"#))
            #expect(
                try scene.get("?source=localOrRemote&trustRemote=true&filter=n==8")
                    .header("Freshet-Source") == "remote")
        }
    }

    @Test func endpointsAreNamesAndHaveTheirOwnRecords() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"b"}"#, #"{"id":"a"}"#])
            _ = try scene.server.send("PUT", "/v1/todo/c", "{}")
            let path = "?source=localOrRemote&endpoint=popular&endpoint.since=5"
            let first = try scene.get(path)
            #expect(first.header("Freshet-Source") == "remote")
            #expect(first.body.contains(#""items":[{"id":"b"},{"id":"a"}]"#), "\(first.body)")
            let again = try scene.get(path)
            #expect(again.header("Freshet-Source") == "local")
            #expect(again.body.contains(#""items":[{"id":"b"},{"id":"a"}]"#))
            #expect(try scene.get(path + "0").header("Freshet-Source") == "remote")
            for faulty in [
                "?endpoint=secret", "?endpoint.since=5", "/a?endpoint=popular",
                "?endpoint=popular&persist=replace",
            ] {
                #expect(try scene.get(faulty).status == 400, "\(faulty)")
            }
        }
    }

    @Test func aWiderQuestionThatWasAnsweredSuffices() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a","n":1}"#, #"{"id":"b","n":2}"#], window: true)
            func source(_ target: String) throws -> String? {
                try scene.get(target).header("Freshet-Source")
            }
            #expect(try source("?source=localOrRemote&limit=1&order=n") == "remote")
            #expect(try source("?source=localOrRemote&limit=1&order=n") == "local")
            #expect(try source("?source=localOrRemote&limit=2&order=n") == "remote")
            // All of it, without a window.
            #expect(try source("?source=localOrRemote&count=true") == "remote")
            #expect(try source("?source=localOrRemote&limit=5&order=-n") == "local")
            #expect(try source("?source=localOrRemote&filter=n==2") == "local")
            #expect(try source("?source=localOrRemote&ids=a,b") == "local")
            #expect(try source("?source=localOrRemote&ids=a,x") == "remote")
        }
    }

    @Test func anOrderThatWasAskedForIsNotTheRemotesOwn() async throws {
        try await offPool {
            let rows = [#"{"id":"a","n":1}"#, #"{"id":"b","n":2}"#]
            let scene = try Scene(rows)
            #expect(try scene.get("?order=-n&source=remote").body.contains(#"{"id":"b","n":2},{"#))
            scene.remote.set(rows: rows.reversed())
            let natural = try scene.get("?source=localOrRemote")
            #expect(natural.header("Freshet-Source") == "remote")
            #expect(natural.body.contains(#"{"id":"b","n":2},{"id":"a""#))
            scene.remote.set(rows: rows)
            _ = try scene.get("?order=n&source=remote")
            let kept = try scene.get("?source=localOrRemote")
            #expect(kept.header("Freshet-Source") == "local")
            #expect(kept.body.contains(#"{"id":"b","n":2},{"id":"a""#))
        }
    }

    @Test func anyWindowOfACompleteAnswerIsHere() async throws {
        try await offPool {
            let rows = (1...5).map { #"{"id":\#($0)}"# }
            let scene = try Scene(rows.reversed())
            _ = try scene.get("?source=remote&count=true")
            scene.remote.pushesWindow = true
            let window = try scene.get("?source=localOrRemote&offset=3&limit=2&order=natural")
            #expect(window.header("Freshet-Source") == "local")
            #expect(window.body.contains(#""items":[{"id":2},{"id":1}]"#), "\(window.body)")
        }
    }

    @Test func aWindowBehindTheFrontIsAnsweredByItsRows() async throws {
        try await offPool {
            let rows = (1...6).map { #"{"id":"r\#($0)","n":\#($0)}"# }
            let scene = try Scene(rows, window: true)
            let target = "?source=localOrRemote&offset=2&limit=2&order=n"
            let expected = #""items":[{"id":"r3","n":3},{"id":"r4","n":4}]"#
            #expect(try scene.get(target).body.contains(expected))
            let again = try scene.get(target)
            #expect(again.header("Freshet-Source") == "local")
            #expect(again.body.contains(expected), "\(again.body)")
        }
    }

    @Test func aRefreshOfUnchangedRowsIsOneCommit() async throws {
        try await offPool {
            let scene = try Scene((0..<10_000).map { #"{"id":"r\#($0)","n":\#($0)}"# })
            _ = try scene.get("?source=remote&limit=1&count=true")
            let before = scene.server.server.store.cursor.seq
            _ = try scene.get("?source=remote&limit=1&count=true")
            #expect(scene.server.server.store.cursor.seq <= before + 1)
        }
    }

    @Test func aNotModifiedIsFreshnessOnly() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a","n":1}"#])
            scene.remote.set(etag: "v1")
            _ = try scene.get("?source=remote")
            let tag = try scene.get("/a?source=local").header("ETag")
            let again = try scene.get("?source=remote")
            #expect(again.body.contains(#""items":[{"id":"a","n":1}]"#))
            #expect(
                scene.remote.calls.last == .search(endpoint: nil, ids: nil, conditions: "v1"))
            #expect(try scene.get("/a?source=local").header("ETag") == tag)
            // What was changed here cannot be told by a 304.
            _ = try scene.server.send("PUT", "/v1/todo/a", #"{"n":7}"#)
            _ = try scene.get("?source=remote")
            #expect(scene.remote.calls.last == .search(endpoint: nil, ids: nil, conditions: nil))
        }
    }

    @Test func aTypeWithoutARemoteSaysSo() async throws {
        try await offPool {
            let scene = try Scene()
            for source in ["remote", "remoteOrLocal"] {
                let answer = try scene.server.send("GET", "/v1/note?source=\(source)")
                #expect(answer.status == 400 && answer.body.contains(#""parameter":"source""#))
            }
            for source in ["local", "localOrRemote", "localThenRemote"] {
                let answer = try scene.server.send("GET", "/v1/note?source=\(source)")
                #expect(answer.status == 200 && answer.header("Freshet-Source") == "local")
            }
            #expect(try scene.get("?source=elsewhere").status == 400)
            #expect(try scene.get("?persist=maybe").status == 400)
        }
    }

    @Test func theBodyOfASearchSaysTheSame() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a"}"#])
            let answer = try scene.server.send(
                "POST", "/v1/todo/_search",
                #"{"source":"remote","persist":"none","endpoint":"popular","endpoint.since":5}"#)
            #expect(answer.header("Freshet-Source") == "remote", "\(answer.body)")
            #expect(
                scene.remote.calls == [.search(endpoint: "popular", ids: nil, conditions: nil)])
        }
    }
}

/// Who may cause requests to a remote.
@Suite struct FetchLevelTests {
    private static let access = #"""
        {"tokens": [
          {"name": "reader", "sha256": "@reader",
           "types": {"todo": {"read": true, "level": "local"}}},
          {"name": "blue", "sha256": "@blue", "claims": {"team": "blue"},
           "types": {"todo": {"read": "team == $claims.team"}}}
        ]}
        """#

    @Test func aLocalCallerCausesNoRequest() async throws {
        try await offPool {
            let server = try AccessScene.server(Self.access)
            let type = try #require(TypeName("todo"))
            let remote = ScriptedSource(type, [#"{"id":"a","team":"blue"}"#])
            server.server.core.operations.remotes.replace([type: remote])
            #expect(
                try server.ask("reader", "GET", "/v1/todo?source=remote").status == 403)
            for source in ["remoteOrLocal", "localOrRemote", "localThenRemote", "local"] {
                let answer = try server.ask("reader", "GET", "/v1/todo?source=\(source)")
                #expect(answer.status == 200 && answer.header("Freshet-Source") == "local")
                #expect(answer.header("Freshet-Refresh") == "none")
            }
            #expect(try server.ask("reader", "GET", "/v1/todo/a").status == 404)
            #expect(remote.calls == [])
        }
    }

    @Test func aFetchIsEverybodysAndItsAnswerBearsTheCallersRule() async throws {
        try await offPool {
            let server = try AccessScene.server(Self.access)
            let type = try #require(TypeName("todo"))
            let remote = ScriptedSource(
                type, [#"{"id":"a","team":"red"}"#, #"{"id":"b","team":"blue"}"#])
            server.server.core.operations.remotes.replace([type: remote])
            for target in [
                "?source=remote", "?source=remote&trustRemote=true", "?source=remote&persist=none",
                "?endpoint=popular", "",
            ] {
                let answer = try server.ask("blue", "GET", "/v1/todo\(target)")
                #expect(
                    answer.body.contains(#""items":[{"id":"b","team":"blue"}]"#),
                    "\(target): \(answer.body)")
            }
            #expect(try server.ask("blue", "GET", "/v1/todo/a?source=remote").status == 404)
            #expect(
                try server.ask("blue", "GET", "/v1/todo/a?source=remote&persist=none").status
                    == 404)
            // What one caller's fetch has brought is there for the next.
            #expect(
                try server.ask("reader", "GET", "/v1/todo").body.contains(#""team":"red""#))
        }
    }
}
