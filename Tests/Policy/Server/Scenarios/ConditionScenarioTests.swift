import Foundation
import FreshetBase
@testable import FreshetConfig
import FreshetJSON
import FreshetRefresh
import FreshetStore
import Testing

@testable import FreshetServer

@Suite("Conditions and specifications over HTTP")
struct ConditionScenarioTests {
    private static func operations(_ text: String) throws -> OperationsConfiguration {
        var faults: [ConfigurationFault] = []
        let file = ConfigurationFile.read(Array(text.utf8), path: "f", faults: &faults)
        try #require(faults == [])
        return file.operations
    }

    private static let text = """
        {"conditions":{"a":{},"b":{"initial":true},"kept":{"persist":true}},
         "upstreams":{"api":{"base":"http://127.0.0.1:9"}},
         "specs":{"both":{"and":[{"condition":"a"},{"condition":"b"}]}},
         "operations":{"list":{"type":"todo"}}}
        """

    private func server(_ change: (inout ServeSettings) -> Void = { _ in }) throws -> TestServer {
        let operations = try Self.operations(Self.text)
        return try TestServer {
            $0.operations = operations
            change(&$0)
        }
    }

    private func json(_ response: TestResponse, _ status: Int = 200) throws -> JSONValue {
        #expect(response.status == status, "\(response.body)")
        return try JSONValue.parse(response.body)
    }

    @Test("A condition is read, set, set for a time, and changes only where its value does")
    func life() throws {
        let server = try server()
        var state = try json(server.send("GET", "/v1/_conditions/b"))
        #expect(state["value"] == true)
        #expect(state["revision"] == 0)
        #expect(state["expiresAt"] == .null)
        state = try json(server.send("PUT", "/v1/_conditions/b", #"{"value":true}"#))
        #expect(state["changed"] == false)
        #expect(state["revision"] == 0)
        state = try json(server.send("PUT", "/v1/_conditions/b", #"{"value":false,"ttl":"10m"}"#))
        #expect(state["changed"] == true)
        #expect(state["revision"] == 1)
        #expect(state["expiresAt"]?.stringValue != nil)
        state = try json(server.send("PUT", "/v1/_conditions/b", #"{"value":false,"ttl":null}"#))
        #expect(state["changed"] == false)
        #expect(state["expiresAt"] == .null)
        let all = try json(server.send("GET", "/v1/_conditions"))
        #expect(all["items"]?.arrayValue?.map { $0["name"] } == ["a", "b", "kept"])
    }

    @Test("A patch is one commit, and none where a name is not declared")
    func patch() throws {
        let server = try server()
        let set = try json(server.send("PATCH", "/v1/_conditions", #"{"b":false,"a":true}"#))
        #expect(set["items"]?.arrayValue?.map { $0["name"] } == ["b", "a"])
        #expect(set["items"]?.arrayValue?.map { $0["changed"] } == [true, true])
        let refused = try json(
            server.send("PATCH", "/v1/_conditions", #"{"b":true,"nope":true}"#), 404)
        #expect(refused["errors"]?.arrayValue?.first?["pointer"] == "/nope")
        #expect(try json(server.send("GET", "/v1/_conditions/b"))["value"] == false)
        let merge = try server.send(
            "PATCH", "/v1/_conditions", #"{"a":false}"#,
            headers: ["Content-Type: application/merge-patch+json"])
        #expect(merge.status == 200)
    }

    @Test(
        "Bad writes say what was expected",
        arguments: [
            ("PUT", "/v1/_conditions/nope", #"{"value":true}"#, 404, ""),
            ("GET", "/v1/_conditions/nope", "", 404, ""),
            ("PUT", "/v1/_conditions/a", "[]", 400, ""),
            ("PUT", "/v1/_conditions/a", "{", 400, ""),
            ("PUT", "/v1/_conditions/a", #"{"value":1}"#, 400, "/value"),
            ("PUT", "/v1/_conditions/a", #"{"value":true,"ttl":"0s"}"#, 400, "/ttl"),
            ("PUT", "/v1/_conditions/a", #"{"value":true,"until":"1s"}"#, 400, "/until"),
            ("PATCH", "/v1/_conditions", "true", 400, ""),
            ("PATCH", "/v1/_conditions", #"{"a":"yes"}"#, 400, "/a"),
        ])
    func badWrites(
        _ method: String, _ path: String, _ body: String, _ status: Int, _ pointer: String
    ) throws {
        let server = try server()
        let problem = try json(
            server.send(method, path, body.isEmpty ? nil : body), status)
        if !pointer.isEmpty {
            #expect(problem["errors"]?.arrayValue?.first?["pointer"] == .string(pointer))
        }
    }

    @Test("Streams tell how things stand, then each change")
    func stream() throws {
        let server = try server()
        let one = try server.connect()
        try one.write(
            "GET /v1/_conditions/a HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
        )
        #expect(try one.read(until: "\r\n\r\n").contains("text/event-stream"))
        _ = try one.read(until: #"{"name":"a","value":false,"revision":0"#)
        let all = try server.connect()
        try all.write("GET /v1/_conditions?live=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try all.read(until: "event: conditions").contains("200 OK"))
        _ = try server.send("PATCH", "/v1/_conditions", #"{"a":true,"b":false}"#)
        #expect(
            try one.read(until: #"{"name":"a","value":true,"revision":1"#).contains(
                "event: condition"))
        let change = try all.read(until: #"{"name":"b","value":false,"revision":1"#)
        #expect(change.contains(#"{"name":"a","value":true,"revision":1"#))
    }

    @Test("A condition that is declared so is there after a restart, its end included")
    func persisted() throws {
        let directory =
            FileManager.default.temporaryDirectory.path + "/freshet-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for round in 0..<3 {
            let server = try server {
                $0.storage = .directory(directory)
                $0.durability = .full
            }
            let state = try json(server.send("GET", "/v1/_conditions/kept"))
            #expect(state["value"] == .bool(round > 0))
            #expect(state["revision"] == .number(round > 0 ? "1" : "0"))
            #expect((state["expiresAt"]?.stringValue != nil) == (round == 2))
            #expect(try json(server.send("GET", "/v1/_conditions/a"))["value"] == false)
            _ = try server.send("PUT", "/v1/_conditions/a", #"{"value":true}"#)
            let body = round == 0 ? #"{"value":true}"# : #"{"value":true,"ttl":"1h"}"#
            #expect(try server.send("PUT", "/v1/_conditions/kept", body).status == 200)
            let types = try json(server.send("GET", "/v1"))
            #expect(!"\(types)".contains(#""_condition""#))
        }
    }

    @Test(
        "An instant that cannot be reckoned with is refused",
        arguments: ["0001-01-01T00:00:00Z", "1677-12-31T23:59:59Z", "2262-01-01T00:00:00Z"])
    func farInstants(_ instant: String) throws {
        let server = try server()
        let body = #"{"spec":{"condition":"a"},"at":"\#(instant)"}"#
        let problem = try json(server.send("POST", "/v1/_specs/evaluate", body), 422)
        #expect(problem["errors"]?.arrayValue?.map { $0["pointer"] } == ["/at"])
    }

    @Test("An evaluation tells the value, the next change and every part")
    func evaluate() throws {
        let server = try server()
        let body = #"{"spec":{"or":[{"spec":"both"},{"not":{"condition":"a"}}]}}"#
        let result = try json(server.send("POST", "/v1/_specs/evaluate", body))
        #expect(result["satisfied"] == true)
        #expect(result["nextChange"] == .null)
        let trace = (result["trace"]?.arrayValue ?? []).map {
            "\($0["pointer"]?.stringValue ?? "-") \($0["value"] == true)"
        }
        #expect(
            trace == [
                " true", "/or/0 false", "/specs/both false", "/specs/both/and/0 false",
                "/specs/both/and/1 true", "/or/1 true", "/or/1/not false",
            ])
        let window = try json(
            server.send(
                "POST", "/v1/_specs/evaluate",
                #"{"spec":{"window":{"days":"mon-fri","from":"08:00","to":"18:00","tz":"Europe/Berlin"}},"at":"2026-11-20T18:00:00Z","operation":"list"}"#
            ))
        #expect(window["satisfied"] == false)
        #expect(window["nextChange"] == "2026-11-23T07:00:00.000Z")
    }

    @Test("Faults of a specification are 422, each with its pointer")
    func faults() throws {
        let server = try server()
        let problem = try json(
            server.send(
                "POST", "/v1/_specs/evaluate",
                #"{"spec":{"and":[{"nope":1},{"condition":"x"}]},"at":"now","operation":"y","z":1}"#
            ),
            422)
        #expect(problem["code"] == "invalid-spec")
        #expect(
            problem["errors"]?.arrayValue?.map { $0["pointer"] } == [
                "/z", "/spec/and/0/nope", "/spec/and/1/condition", "/operation", "/at",
            ])
        #expect(try server.send("POST", "/v1/_specs/evaluate", "{}").status == 422)
        #expect(try server.send("POST", "/v1/_specs/evaluate", "[]").status == 400)
    }

    @Test("A changed configuration brings new conditions and keeps the values of others")
    func reload() throws {
        let server = try server()
        _ = try server.send("PUT", "/v1/_conditions/a", #"{"value":true}"#)
        var changed = ServeSettings.standard
        changed.operations = try Self.operations(
            #"{"conditions":{"a":{},"new":{"initial":true}}}"#)
        server.server.reload(changed)
        #expect(try json(server.send("GET", "/v1/_conditions/a"))["value"] == true)
        #expect(try json(server.send("GET", "/v1/_conditions/new"))["value"] == true)
        #expect(try server.send("GET", "/v1/_conditions/b").status == 404)
    }
}
