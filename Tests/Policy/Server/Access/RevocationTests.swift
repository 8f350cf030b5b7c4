import FreshetBase
@testable import FreshetConfig
import FreshetCore
import FreshetQuery
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// Rights that change while they are used.
@Suite struct RevocationTests {
    private func reload(_ server: TestServer, _ access: String?) throws {
        var settings = ServeSettings.standard
        settings.logLevel = .error
        settings.access = try access.map { try AccessScene.settings($0) }
        settings.digest = SHA256Digest(of: access ?? "").hexadecimal
        server.server.reload(settings)
    }

    private func rules(_ read: String) -> String {
        #"{"tokens":[{"name":"blue","sha256":"@blue","types":{"task":{"read":\#(read)}}}]}"#
    }

    private func watch(_ server: TestServer) throws -> TestStream {
        let stream = try TestStream(server, "/v1/task", headers: [AccessScene.bearer("blue")])
        #expect(try stream.next().name == "hello")
        return stream
    }

    @Test func aRevokedTokenGets401AndItsStreamsEnd() throws {
        let server = try AccessScene.server(rules("true"))
        let stream = try watch(server)
        #expect(try stream.next().name == "snapshot")
        try reload(server, "{}")
        let bye = try stream.next()
        #expect(bye.name == "bye" && bye.data.contains(#""reason":"access","reconnect":false"#))
        #expect(try server.ask("blue", "GET", "/v1/task").status == 401)
    }

    /// A body may take hours.
    @Test func aRequestThatWasLetInWhileNothingWasForbiddenIsJudgedAnew() throws {
        let server = try TestServer()
        func head(_ line: String, _ type: String, _ length: Int) -> String {
            "\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/\(type)\r\n"
                + "Content-Length: \(length)\r\n\r\n"
        }
        let put = try server.connect()
        try put.write(head("PUT /v1/task/1", "json", 7) + #"{"n":"#)
        let lines = (0..<9_000).map { #"{"id":\#($0)}"# + "\n" }
        let whole = lines.joined()
        let load = try server.connect()
        try load.write(head("POST /v1/_import?type=task", "x-ndjson", whole.utf8.count))
        try load.write(lines[..<5_000].joined())
        let deadline = TestDeadline("the first part is there")
        while try !server.send("GET", "/v1/task?count=true&limit=0").body.contains(#""total":4000"#)
        {
            try deadline.check()
        }
        try reload(server, rules("true"))
        try put.write("1}")
        #expect(try put.readResponse().status == 401)
        try load.write(lines[5_000...].joined())
        #expect(try load.readResponse().status == 401)
        let seen = try server.ask("blue", "GET", "/v1/task?count=true&limit=0").body
        #expect(seen.contains(#""total":4000"#), "\(seen)")
    }

    @Test func aFirstAnswerIsToldAgainWithoutWhatMayNotBeReadNow() throws {
        let text =
            #"{"tokens":[{"name":"root","sha256":"@root","admin":true},"#
            + #"{"name":"blue","sha256":"@blue","types":{"task":{"read":"n > 0","write":"n > 0"}}}]}"#
        let server = try AccessScene.server(text)
        #expect(try server.ask("root", "PUT", "/v1/task/1", #"{"n":1,"by":"root"}"#).status == 201)
        func patch() throws -> TestResponse {
            try server.ask(
                "blue", "PATCH", "/v1/task/1", #"{"z":1}"#, headers: ["Idempotency-Key: k"])
        }
        let first = try patch()
        #expect(first.status == 200 && first.body == #"{"id":"1","n":1,"by":"root","z":1}"# + "\n")
        #expect(try patch().body == first.body)
        #expect(try server.ask("root", "PATCH", "/v1/task/1", #"{"n":-5}"#).status == 200)
        let hidden = try patch()
        #expect(hidden.status == 204 && hidden.body.isEmpty)
        #expect(hidden.header("ETag") == first.header("ETag"))
        // What was shown counts as well as what there is.
        #expect(try server.ask("root", "PATCH", "/v1/task/1", #"{"n":9}"#).status == 200)
        #expect(try patch().status == 200)
        try reload(server, text.replacing("n > 0", with: "n > 3"))
        #expect(try server.ask("blue", "GET", "/v1/task/1").status == 200)
        #expect(try patch().status == 204)
        #expect(try server.ask("root", "DELETE", "/v1/task/1").status == 204)
        #expect(try patch().status == 204)
    }

    @Test func aBatchTellsNobodyWithoutARightWhichTypesAreDeclared() throws {
        var faults: [ConfigurationFault] = []
        let types = ConfigurationFile.read(
            Array(#"{"types":{"task":{},"secret":{}}}"#.utf8), path: "f", faults: &faults
        ).types
        let server = try AccessScene.server(rules("true")) {
            $0.isStrict = true
            $0.types = types
        }
        for type in ["secret", "none"] {
            for operation in [
                #"{"set":{"type":"\#(type)","entity":{"id":1}}}"#,
                #"{"patch":{"type":"\#(type)","id":1,"patch":{}}}"#,
                #"{"remove":{"type":"\#(type)","id":1}}"#,
            ] {
                let answer = try server.ask(
                    "blue", "POST", "/v1/_batch", #"{"operations":[\#(operation)]}"#)
                #expect(answer.status == 403, "\(operation) \(answer.body)")
            }
        }
    }

    @Test func aTokenRevokedBetweenHeadAndBodyIsRefused() throws {
        let server = try AccessScene.server(rules("true"))
        let connection = try server.connect()
        func begin() throws {
            try connection.write(
                """
                POST /v1/task/_search HTTP/1.1\r
                Host: localhost\r
                \(AccessScene.bearer("blue"))\r
                Content-Type: application/json\r
                Content-Length: 2\r
                Expect: 100-continue\r
                \r

                """)
            // The head has been judged.
            #expect(try connection.readResponse(hasBody: false).status == 100)
        }
        try begin()
        try connection.write("{}")
        #expect(try connection.readResponse().status == 200)
        try begin()
        try reload(server, "{}")
        try connection.write("{}")
        #expect(try connection.readResponse().status == 401)
    }

    @Test func aLostRightEndsTheStreamAndANarrowedRuleShowsLess() throws {
        let server = try AccessScene.server(rules("true"))
        _ = server.server.store
        let type = try #require(TypeName("task"))
        for id in 1...3 {
            var builder = DocumentBuilder()
            let json = Array(#"{"id":\#(id),"rank":\#(id)}"#.utf8)
            let document = try json.withUnsafeBytes { try builder.build(json: $0, id: .fromBody) }
            server.server.store.submit(Transaction(.set(type, document, .none))) { _ in }
        }
        let stream = try watch(server)
        #expect(try stream.next().data.contains(#"{"id":3,"#))
        try reload(server, rules(#""rank <= 2""#))
        let narrowed = try stream.next()
        #expect(narrowed.name == "snapshot" && narrowed.data.contains(#"{"id":2,"#))
        #expect(!narrowed.data.contains(#"{"id":3,"#))
        try reload(server, rules("false"))
        let bye = try stream.next()
        #expect(bye.name == "bye" && bye.data.contains(#""reason":"access","reconnect":false"#))
        #expect(try server.ask("blue", "GET", "/v1/task").status == 403)
    }

    private func fill(_ server: TestServer, _ ranks: ClosedRange<Int>) throws {
        let type = try #require(TypeName("task"))
        for rank in ranks {
            var builder = DocumentBuilder()
            let json = Array(#"{"id":\#(rank),"rank":\#(rank)}"#.utf8)
            let document = try json.withUnsafeBytes { try builder.build(json: $0, id: .fromBody) }
            server.server.store.submit(Transaction(.set(type, document, .none))) { _ in }
        }
    }

    @Test func aChangedRuleIsADeltaForWhoTakesDeltas() throws {
        let server = try AccessScene.server(rules(#""rank <= 3""#))
        try fill(server, 1...5)
        let stream = try TestStream(
            server, "/v1/task?live=delta&old=true&count=true&order=-rank",
            headers: [AccessScene.bearer("blue")])
        #expect(try stream.next().name == "hello")
        #expect(try stream.next().data.contains(#""total":3"#))
        try reload(server, rules(#""rank >= 2 and rank <= 4""#))
        let moved = try stream.next()
        #expect(moved.name == "delta" && moved.id != nil)
        #expect(moved.data.contains(#""remove":{"1":"forbidden"},"place":[[4,0]]"#))
        #expect(
            moved.data.contains(
                #""put":[{"id":4,"rank":4}],"old":{"1":{"id":1,"rank":1}},"total":3,"commits":1"#),
            "\(moved.data)")
        // It goes on from there.
        try fill(server, 4...4)
        server.server.store.submit(
            Transaction(.remove(try #require(TypeName("task")), try EntityID("3"), .none))
        ) { _ in }
        let gone = try stream.next()
        #expect(gone.data.contains(#""remove":{"3":"deleted"},"place":[]"#))
        #expect(gone.data.contains(#""old":{"3":{"id":3,"rank":3}}"#))
    }

    @Test func aCursorOfAnotherRuleIsAnsweredWithASnapshot() throws {
        let server = try AccessScene.server(rules("true"))
        try fill(server, 1...3)
        let stream = try TestStream(
            server, "/v1/task?live=delta", headers: [AccessScene.bearer("blue")])
        #expect(try stream.next().name == "hello")
        let cursor = try #require(try stream.next().id)
        try reload(server, rules(#""rank <= 2""#))
        let again = try TestStream(
            server, "/v1/task?live=delta",
            headers: [AccessScene.bearer("blue"), "Last-Event-ID: \(cursor)"])
        #expect(try again.next().name == "hello")
        let state = try again.next()
        #expect(state.name == "snapshot" && state.data.contains(#""why":"schema""#))
        #expect(!state.data.contains(#""id":3"#))
    }

    @Test func aRowThatLeavesTheRuleIsForbiddenAndOneThatLeavesTheFilterUnmatched() throws {
        let server = try AccessScene.server(rules(#""rank <= 3""#))
        try fill(server, 1...3)
        let stream = try TestStream(
            server, "/v1/task?live=delta&filter=done+!=+true",
            headers: [AccessScene.bearer("blue")])
        #expect(try stream.next().name == "hello")
        #expect(try stream.next().name == "snapshot")
        let type = try #require(TypeName("task"))
        for (json, reason) in [
            (#"{"id":1,"rank":9}"#, "forbidden"), (#"{"id":2,"rank":2,"done":true}"#, "unmatched"),
            (#"{"id":3,"rank":9,"done":true}"#, "forbidden"),
        ] {
            var builder = DocumentBuilder()
            let document = try Array(json.utf8).withUnsafeBytes {
                try builder.build(json: $0, id: .fromBody)
            }
            server.server.store.submit(Transaction(.set(type, document, .none))) { _ in }
            let delta = try stream.next()
            #expect(delta.data.contains(#"":"\#(reason)"}"#), "\(delta.data)")
        }
    }

    @Test func aStreamFromBeforeThereWereRulesIsJudgedAsNobodys() throws {
        let server = try TestServer()
        let stream = try TestStream(server, "/v1/task")
        #expect(try stream.next().name == "hello")
        #expect(try stream.next().name == "snapshot")
        try reload(server, rules("true"))
        #expect(try stream.next().data.contains(#""reason":"access","reconnect":false"#))
    }

    @Test func anExpiredTokenEndsItsStreams() throws {
        let settings = try AccessScene.settings(
            #"""
            {"tokens":[{"name":"blue","sha256":"@blue","types":{"*":{"read":true}},
                        "expires":"2030-01-01T00:00:00Z"}]}
            """#)
        let access = AccessControl(settings)
        let token = Array(AccessScene.token("blue").utf8)
        let digest = token.withUnsafeBytes { SHA256Digest(of: $0) }
        let caller = Caller(
            name: "blue", digest: digest, rights: settings.tokens[0].rights,
            expires: settings.tokens[0].expires, use: TokenUse(),
            generation: access.generation)
        let expiry = try #require(caller.expires)
        let stream = StreamAccess(access, caller)
        let now = MonotonicInstant(nanoseconds: 1_000_000)
        let before = WallTime(milliseconds: expiry.milliseconds - 1)
        #expect(stream.nextDeadline(now, wall: before) == now + .milliseconds(1))
        // Due for a loop, too, whose own instant is older than the one it asks with.
        let due = try #require(stream.nextDeadline(now, wall: expiry))
        #expect(due <= MonotonicInstant(nanoseconds: 1))
        guard case .same = access.standing(of: caller, at: before),
            case .expired = access.standing(of: caller, at: expiry)
        else {
            Issue.record("a token holds until it expires")
            return
        }
    }

    @Test func rightsAreThoseOfTheCommit() throws {
        let access = AccessControl(try AccessScene.settings(AccessScene.standard))
        let settings = try AccessScene.settings(AccessScene.standard)
        let blue = try #require(settings.tokens.first { $0.name == "blue" })
        let caller = Caller(
            name: "blue", digest: blue.digest, rights: blue.rights, expires: nil,
            use: TokenUse(), generation: access.generation)
        let store = MemoryStore()
        let type = try #require(TypeName("task"))
        func write(_ id: Int) throws -> WriteOutcome {
            var builder = DocumentBuilder()
            let json = Array(#"{"id":\#(id),"team":"blue","rank":1}"#.utf8)
            let document = try json.withUnsafeBytes { try builder.build(json: $0, id: .fromBody) }
            var transaction = Transaction(.set(type, document, .none))
            transaction.guardian = CommitGuard(access, caller)
            return store.commit(transaction)
        }
        guard case .done = try write(1) else {
            Issue.record("it is within the rule")
            return
        }
        access.replace(
            try AccessScene.settings(
                #"{"tokens":[{"name":"blue","sha256":"@blue","types":{"task":{"read":true}}}]}"#))
        guard case .rejected(0, .forbidden) = try write(2) else {
            Issue.record("the right to write has gone")
            return
        }
        access.replace(try AccessScene.settings("{}"))
        guard case .rejected(0, .unauthenticated) = try write(3) else {
            Issue.record("the token has gone")
            return
        }
        access.replace(nil)
        guard case .done = try write(4) else {
            Issue.record("everything is allowed again")
            return
        }
    }
}
