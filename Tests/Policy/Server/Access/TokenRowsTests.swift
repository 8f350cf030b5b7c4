import FreshetBase
@testable import FreshetConfig
import FreshetJSON
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// The rows of `_tokens`, and that nothing tells a secret of the configuration.
@Suite struct TokenRowsTests {
    private func rows(_ server: TestServer, _ query: String = "order=id") throws -> [JSONValue] {
        let answer = try server.ask("root", "GET", "/v1/_tokens?\(query)")
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.header("Cache-Control") == "no-store")
        return try #require(try JSONValue.parse(answer.body)["items"]?.arrayValue)
    }

    private func row(_ name: String, _ server: TestServer) throws -> JSONValue {
        let answer = try server.ask("root", "GET", "/v1/_tokens/\(name)")
        #expect(answer.status == 200, "\(answer.body)")
        return try JSONValue.parse(answer.body)
    }

    @Test("A row is a token with its rules, and nobody in particular has one, too")
    func rows() throws {
        let server = try AccessScene.server(
            AccessScene.standard.replacing(
                #"{"name": "mute", "sha256": "@mute"}"#,
                with: #"{"name": "mute", "sha256": "@mute", "expires": "2001-01-01T00:00:00Z"}"#))
        let all = try rows(server)
        #expect(
            all.compactMap { $0["id"]?.stringValue } == [
                "_anonymous", "blue", "mute", "reader", "root", "writer",
            ])
        #expect(
            all[1].objectValue?.map(\.name) == [
                "id", "subject", "claims", "admin", "expires", "expired", "types", "others",
                "uses", "lastUsedAt",
            ])
        let task = try #require(all[1]["types"]?["task"])
        #expect(task["read"] == #"owner == "blue" or team == "blue""#)
        #expect(task["write"] == #"rank <= 5 and team == "blue""# && task["level"] == "remote")
        #expect(all[1]["types"]?["note"]?["write"] == true)
        #expect(all[1]["others"] == ["read": false, "write": false, "level": "none"])
        #expect(all[1]["claims"] == ["team": "blue", "most": 5] && all[1]["subject"] == "blue")
        #expect(all[0]["subject"] == .null && all[0]["types"]?["open"]?["read"] == true)
        #expect(all[2]["expired"] == true && all[2]["expires"] == "2001-01-01T00:00:00.000Z")
        #expect(all[4]["admin"] == true && all[4]["expired"] == false)
        #expect(try rows(server, "filter=admin==true").count == 1)
        #expect(try server.ask("root", "GET", "/v1/_tokens/none").status == 404)
        #expect(try server.ask("writer", "GET", "/v1/_tokens").status == 403)
        #expect(try server.ask(nil, "GET", "/v1/_tokens/blue").status == 401)
        let links = try JSONValue.parse(server.ask("root", "GET", "/v1").body)["links"]
        #expect(links?["tokens"] == "/v1/_tokens")
        let open = try TestServer().send("GET", "/v1/_tokens?fields=admin")
        #expect(open.body.contains(#""items":[{"id":"_anonymous","admin":true}]"#))
    }

    @Test("Claims of more levels than an entity has cut their row, and end nothing")
    func claimsOfManyLevels() throws {
        let deep = String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
        let server = try AccessScene.server(
            AccessScene.standard.replacing(
                #"{"name": "mute", "sha256": "@mute"}"#,
                with: "{\"name\": \"mute\", \"sha256\": \"@mute\", \"claims\": {\"a\": \(deep)}}"))
        let all = try rows(server)
        #expect(all.count == 6)
        #expect(all[2] == ["id": "mute", "cut": true])
        #expect(try row("mute", server) == ["id": "mute", "cut": true])
        let stream = try TestStream(
            server, "/v1/_tokens?live=delta", headers: [AccessScene.bearer("root")])
        _ = try stream.next()
        #expect(try stream.next().data.contains(#"{"id":"mute","cut":true}"#))
    }

    @Test("Uses are counted, over a reload too, and those that are refused are not")
    func uses() throws {
        let server = try AccessScene.server()
        #expect(try row("reader", server)["uses"] == 0)
        #expect(try row("reader", server)["lastUsedAt"] == .null)
        for _ in 1...3 { #expect(try server.ask("reader", "GET", "/v1/task").status == 200) }
        _ = try server.ask(nil, "GET", "/v1/open")
        let wrong = ["Authorization: Bearer wrong"]
        #expect(try server.send("GET", "/v1/task", headers: wrong).status == 401)
        let used = try row("reader", server)
        #expect(used["uses"] == 3 && used["lastUsedAt"]?.stringValue != nil)
        // One use is told as the same time.
        #expect(try row("reader", server)["lastUsedAt"] == used["lastUsedAt"])
        #expect(try row("_anonymous", server)["uses"] == 1)
        var settings = ServeSettings.standard
        settings.logLevel = .error
        settings.digest = "other"
        settings.access = try AccessScene.settings(
            AccessScene.standard.replacing(#""*": {"read": true}}}"#, with: #""*": {}}}"#))
        server.server.reload(settings)
        let kept = try row("reader", server)
        #expect(kept["uses"] == 3 && kept["others"]?["read"] == false)
    }

    @Test("A stream shows a use, and a reload")
    func live() throws {
        let server = try AccessScene.server()
        let stream = try TestStream(
            server, "/v1/_tokens?live=delta&ids=reader&fields=uses,others",
            headers: [AccessScene.bearer("root")])
        func next(_ part: String) throws {
            let deadline = TestDeadline("the stream shows \(part)")
            while try !stream.next().data.contains(part) { try deadline.check() }
        }
        try next(#""uses":0"#)
        _ = try server.ask("reader", "GET", "/v1/task")
        try next(#""uses":1"#)
        var settings = ServeSettings.standard
        settings.logLevel = .error
        settings.digest = "other"
        settings.access = try AccessScene.settings(
            AccessScene.standard.replacing(
                #""*": {"read": true}}}"#, with: #""*": {"read": "a == 1"}}}"#))
        server.server.reload(settings)
        try next(#""read":"a == 1""#)
    }

    @Test("No token has the name of a caller without one")
    func names() throws {
        for name in ["_anonymous", "a\\u0007"] {
            var reading = Reading()
            let text = AccessScene.withDigests(
                "{\"tokens\":[{\"name\":\"\(name)\",\"sha256\":\"@root\"}]}")
            _ = AccessSettings.form.read(
                try JSONValue.parse(text), JSONPointer(), &reading)
            #expect(reading.faults.count == 1, "\(name)")
        }
    }
}
