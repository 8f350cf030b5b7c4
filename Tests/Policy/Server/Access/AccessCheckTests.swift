import FreshetBase
import FreshetConfig
import FreshetJSON
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// `POST /v1/_access/check`: what it says is what a request then gets.
@Suite struct AccessCheckTests {
    private func check(_ server: TestServer, _ body: String) throws -> JSONValue {
        let answer = try server.ask("root", "POST", "/v1/_access/check", body)
        #expect(answer.status == 200, "\(body): \(answer.body)")
        #expect(answer.header("Cache-Control") == "no-store")
        return try JSONValue.parse(answer.body)
    }

    /// `allowed status because`, and what each rule came to.
    private func verdict(_ server: TestServer, _ body: String) throws -> String {
        let told = try check(server, body)
        let checks = try #require(told["checks"]?.arrayValue).map {
            " \($0["of"]?.stringValue ?? "")=\($0["satisfied"]?.text ?? "")"
        }
        return [told["allowed"], told["status"], told["because"]].map { $0?.text ?? "" }
            .joined(separator: " ") + checks.joined()
    }

    @Test("Each verdict names its reason, and the rules with what decides")
    func verdicts() throws {
        let server = try AccessScene.server(
            AccessScene.standard.replacing(
                #"{"name": "mute", "sha256": "@mute"}"#,
                with: #"{"name": "mute", "sha256": "@mute", "expires": "2001-01-01T00:00:00Z"},"#
                    + #"{"name": "still", "sha256": "\#(String(repeating: "ab", count: 32))","#
                    + #" "types": {"task": {"read": true, "level": "none"}}}"#))
        for row in [#"{"id":1,"team":"blue","rank":3}"#, #"{"id":2,"team":"red","rank":9}"#] {
            let id = row.contains(":1,") ? 1 : 2
            #expect(try server.ask("root", "PUT", "/v1/task/\(id)", row).status == 201)
        }
        for (question, expected) in [
            (#""reader","do":"read","type":"task""#, "true 200 \"all\""),
            (#""reader","do":"read","type":"task","id":1"#, "true 200 \"all\""),
            (#""reader","do":"read","type":"task","id":7"#, "false 404 \"absent\""),
            (#""reader","do":"write","type":"task","id":1"#, "false 403 \"none\""),
            (#"null,"do":"read","type":"task""#, "false 401 \"none\""),
            (#"null,"do":"read","type":"open""#, "true 200 \"all\""),
            (#""mute","do":"read","type":"task""#, "false 401 \"expired\""),
            (#""still","do":"read","type":"task""#, "false 403 \"level\""),
            (#""root","do":"remove","type":"task","id":1"#, "true 200 \"all\""),
            (#""writer","do":"remove","type":"task","id":7"#, "true 200 \"absent\""),
            (#""blue","do":"read","type":"task""#, "\"some\" 200 \"rule\" stored=null"),
            (#""blue","do":"read","type":"task","id":1"#, "true 200 \"rule\" stored=true"),
            (#""blue","do":"read","type":"task","id":"2""#, "false 404 \"rule\" stored=false"),
            (
                #""blue","do":"read","type":"task","entity":{"team":"blue"}"#,
                "true 200 \"rule\" new=true"
            ),
            (
                #""blue","do":"write","type":"task","id":1"#,
                "\"some\" 200 \"rule\" stored=true stored=true new=null"
            ),
            (
                #""blue","do":"write","type":"task","id":1,"entity":{"team":"red"}"#,
                "false 403 \"rule\" stored=true stored=true new=false"
            ),
            (
                #""blue","do":"write","type":"task","id":2,"entity":{"team":"blue"}"#,
                "false 403 \"rule\" stored=false"
            ),
            (
                #""blue","do":"write","type":"task","entity":{"id":5,"team":"blue","rank":1}"#,
                "true 200 \"rule\" new=true"
            ),
            (#""blue","do":"remove","type":"task","id":9"#, "false 404 \"absent\""),
            (#""blue","do":"remove","type":"task","id":2"#, "false 404 \"rule\" stored=false"),
        ] {
            #expect(
                try verdict(server, "{\"token\":\(question)}") == expected, "\(question)")
        }
        let told = try check(
            server, #"{"token":"blue","do":"read","type":"task","id":2}"#)["checks"]?.arrayValue
        #expect(told?.first?["rule"] == #"owner == "blue" or team == "blue""#)
        let nodes = try #require(told?.first?["nodes"]?.arrayValue)
        #expect(nodes.first?["text"] == "or" && nodes.first?["value"] == false)
        #expect(nodes.contains { $0["actual"] == "red" })
        #expect(nodes.contains { $0["absent"] == true })
        // Nothing was done.
        #expect(try server.ask("root", "GET", "/v1/task/5").status == 404)
    }

    @Test("Faulty questions are refused with every fault, and unknown tokens are 404")
    func refusals() throws {
        let server = try AccessScene.server()
        func ask(_ body: String) throws -> (Int, JSONValue) {
            let answer = try server.ask("root", "POST", "/v1/_access/check", body)
            return (answer.status, try JSONValue.parse(answer.body))
        }
        let (status, problem) = try ask(
            #"{"token":7,"do":"own","type":"_x","id":true,"entity":[],"who":1}"#)
        #expect(status == 422 && problem["code"] == "invalid-check")
        #expect(
            problem["errors"]?.arrayValue?.map { $0["pointer"]?.stringValue } == [
                "/who", "/token", "/do", "/type", "/id", "/entity",
            ])
        #expect(try ask("{}").0 == 422 && ask("[]").0 == 422 && ask("{").0 == 400)
        #expect(try ask(#"{"token":"none","do":"read","type":"task"}"#).0 == 404)
        // An integer beyond 64 bits is no id, and no text of one.
        let large = #"{"token":"root","do":"read","type":"task","id":9223372036854775808}"#
        #expect(try ask(large).0 == 422)
        #expect(try ask(large.replacing("5808}", with: "5807}")).0 == 200)
        let mismatch = #"{"token":"ci","do":"write","type":"task","id":1,"entity":{"id":2}}"#
        #expect(try ask(mismatch.replacing("ci", with: "root")).0 == 422)
        let body = #"{"token":"root","do":"read","type":"task"}"#
        #expect(try server.ask("writer", "POST", "/v1/_access/check", body).status == 403)
        #expect(try server.ask(nil, "POST", "/v1/_access/check", body).status == 401)
        #expect(try server.ask("root", "POST", "/v1/_access/check?x=1", body).status == 400)
        #expect(try server.ask("root", "GET", "/v1/_access/check").status == 405)
        let open = try TestServer()
        let answer = try open.send(
            "POST", "/v1/_access/check", #"{"token":null,"do":"write","type":"task"}"#)
        #expect(answer.body.contains(#""allowed":true,"status":200,"because":"all""#))
    }

    // MARK: Against requests

    private static let rules = [
        "true", "true", "false", #""team == 'blue'""#, #""rank < 3""#, #""owner == $subject""#,
        #""not (team == 'red')""#, #""team in ('blue','red') and rank >= 2""#,
        #""rank = /[12]/ or owner == $subject""#.replacing(" = /[12]/", with: " in (1,2)"),
    ]
    private static let callers = ["reader", "writer", "blue", "mute"]

    private func access(_ random: inout SocketGenerator) -> String {
        func rights() -> String {
            let read = Self.rules[random.below(Self.rules.count)]
            let write = Self.rules[random.below(Self.rules.count)]
            let level = random.below(8) == 0 ? #","level":"none""# : ""
            return "{\"read\":\(read),\"write\":\(write)\(level)}"
        }
        let tokens = Self.callers.map {
            "{\"name\":\"\($0)\",\"sha256\":\"@\($0)\",\"types\":{\"task\":\(rights())}}"
        }
        return "{\"tokens\":[\(tokens.joined(separator: ",")),"
            + #"{"name":"root","sha256":"@root","admin":true}]}"#
    }

    private func entity(_ random: inout SocketGenerator) -> String {
        "{\"team\":\"\(["blue", "red", "green"][random.below(3)])\","
            + "\"rank\":\(random.below(4)),"
            + "\"owner\":\"\(Self.callers[random.below(Self.callers.count)])\"}"
    }

    @Test("Of 200 random rules a check says what a request then gets")
    func requests() throws {
        let seed = TestSeed.first
        print("access check: seed \(seed)")
        var random = SocketGenerator(state: seed)
        let server = try AccessScene.server(access(&random))
        var outcomes: Set<Int> = []
        // Four callers with two rules each.
        for round in 0..<25 {
            if round > 0 {
                var settings = ServeSettings.standard
                settings.logLevel = .error
                settings.access = try AccessScene.settings(access(&random))
                settings.digest = "\(round)"
                server.server.reload(settings)
            }
            for caller in Self.callers {
                for act in ["read", "write", "remove"] {
                    outcomes.insert(try compare(caller, act, &random, server, seed))
                }
            }
        }
        #expect(outcomes == [200, 403, 404], "seed \(seed)")
    }

    private func compare(
        _ caller: String, _ act: String, _ random: inout SocketGenerator, _ server: TestServer,
        _ seed: UInt64
    ) throws -> Int {
        let path = "/v1/task/1"
        _ = try server.ask("root", "DELETE", path)
        if random.below(4) > 0 {
            _ = try server.ask("root", "PUT", path, entity(&random))
        }
        let new = entity(&random)
        let told = try check(
            server,
            "{\"token\":\"\(caller)\",\"do\":\"\(act)\",\"type\":\"task\",\"id\":1"
                + (act == "write" ? ",\"entity\":\(new)}" : "}"))
        let answer: TestResponse
        switch act {
        case "read": answer = try server.ask(caller, "GET", path)
        case "write": answer = try server.ask(caller, "PUT", path, new)
        default: answer = try server.ask(caller, "DELETE", path)
        }
        let status = (200...204).contains(answer.status) ? 200 : answer.status
        #expect(
            told["status"]?.int64Value == Int64(status), "seed \(seed): \(act), \(caller): \(told)")
        #expect(told["allowed"] == .bool(status == 200), "seed \(seed): \(told)")
        return status
    }
}

extension JSONValue {
    fileprivate var text: String {
        var text = ByteBuffer()
        write(to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}
