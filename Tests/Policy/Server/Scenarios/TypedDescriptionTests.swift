import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import Testing

@testable import FreshetServer

/// `/openapi.json?types=declared`, as far as a generated client does not show it (Tests/Clients).
@Suite("The API description with declared types")
struct TypedDescriptionTests {
    private static let declarations = [
        (
            "task",
            #"""
            {"identifier": "integer", "additionalProperties": false, "properties": {
              "title": {"type": "string", "required": true},
              "state": {"type": "string", "enum": ["open", "done"], "default": "open",
                        "required": true}}}
            """#
        ),
        ("note", #"{"properties": {"team": {"type": "any", "nullable": true}}}"#),
        ("set", #"{"properties": {"a/b c": {"type": "object", "properties": {}}}}"#),
    ]

    private func server(_ access: String? = nil) throws -> TestServer {
        let types = try Self.declarations.map { try declaredType($0, $1) }
        guard let access else { return try TestServer { $0.types = types } }
        return try AccessScene.server(access) { $0.types = types }
    }

    private func document(_ response: TestResponse) throws -> JSONValue {
        #expect(response.status == 200)
        return try JSONValue.parse(response.body, depthLimit: 100)
    }

    private func names(_ value: JSONValue?) -> [String] { (value?.objectValue ?? []).map(\.name) }

    @Test("Without types it is the document; with them paths and schemas are added")
    func merged() throws {
        let server = try server()
        let plain = try document(server.send("GET", "/openapi.json"))
        let whole = try document(server.send("GET", "/openapi.json?types=declared"))
        let paths = names(whole["paths"])
        #expect(
            paths == [
                "/v1/task", "/v1/task/{id}", "/v1/note", "/v1/note/{id}", "/v1/set", "/v1/set/{id}",
            ] + names(plain["paths"]))
        let schemas = try #require(whole["components"]?["schemas"])
        #expect(Set(names(schemas)).count == names(schemas).count)
        #expect(schemas["Task"]?["required"] == ["id", "title", "state"])
        #expect(schemas["NewTask"]?["required"] == ["title"])
        #expect(schemas["Task"]?["additionalProperties"] == false)
        #expect(schemas["TaskState"] == ["type": "string", "enum": ["open", "done"]])
        #expect(schemas["Note"]?["properties"]?["team"] == .object([]))
        // `SetResult` is the description's own.
        #expect(schemas["SetEntity"] != nil && schemas["SetEntityABC"] != nil)
        #expect(schemas["SetResult"] == plain["components"]?["schemas"]?["SetResult"])
        #expect(!whole.text.contains("{{"))
    }

    @Test("Every reference leads somewhere, and no operation's name stands twice")
    func isWhole() throws {
        let whole = try document(server().send("GET", "/openapi.json?types=declared"))
        var operations: [String] = []
        func walk(_ value: JSONValue) {
            if let reference = value["$ref"]?.stringValue {
                let parts = reference.dropFirst(2).split(separator: "/").map(String.init)
                let end = parts.reduce(whole as JSONValue?) { $0?[$1] }
                #expect(end != nil, "\(reference)")
            }
            if let name = value["operationId"]?.stringValue { operations.append(name) }
            for member in value.objectValue ?? [] where member.name != "example" {
                walk(member.value)
            }
            for element in value.arrayValue ?? [] { walk(element) }
        }
        walk(whole)
        #expect(operations.count > 70 && Set(operations).count == operations.count)
    }

    @Test("A caller sees the types that it may read, and nobody's request is refused")
    func rights() throws {
        let server = try server(
            #"""
            {"tokens": [
              {"name": "reader", "sha256": "@reader", "types": {"task": {"read": true}}},
              {"name": "mute", "sha256": "@mute"}]}
            """#)
        let reader = try document(
            server.send(
                "GET", "/openapi.json?types=declared", headers: [AccessScene.bearer("reader")]))
        #expect(names(reader["paths"]).prefix(3) == ["/v1/task", "/v1/task/{id}", "/"])
        #expect(reader["components"]?["schemas"]?["Note"] == nil)
        let mute = [AccessScene.bearer("mute")]
        #expect(try server.send("GET", "/openapi.json?types=declared").status == 401)
        #expect(try server.send("GET", "/openapi.json?types=declared", headers: mute).status == 403)
        #expect(try server.send("GET", "/openapi.json").status == 200)
        // However the parameter is spelled.
        #expect(try server.send("GET", "/openapi.json?%74ypes=declared").status == 401)
        #expect(try server.send("GET", "/openapi.json?types=all").status == 401)
    }

    @Test("Another value and another parameter are refused")
    func parameters() throws {
        let server = try server()
        let wrong = try server.send("GET", "/openapi.json?types=all")
        #expect(wrong.status == 400 && wrong.body.contains(#""parameter":"types""#))
        #expect(try server.send("GET", "/openapi.json?type=declared").status == 400)
    }
}
