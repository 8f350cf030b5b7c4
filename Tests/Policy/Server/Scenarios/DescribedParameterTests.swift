import Foundation
import FreshetJSON
import Testing

@testable import FreshetServer

/// A parameter of an operation, as the API description has it.
private struct DescribedParameter: CustomStringConvertible {
    let method: String
    let path: String
    let hasBody: Bool
    let place: String
    let name: String
    let schema: JSONValue

    static let document = (try? JSONValue.parse(OpenAPIDocument.json.description)) ?? .null

    /// Of all operations; HEAD goes by GET.
    static let all: [DescribedParameter] = (document["paths"]?.objectValue ?? []).flatMap { path in
        let common = path.value["parameters"]?.arrayValue ?? []
        return (path.value.objectValue ?? []).flatMap { member -> [DescribedParameter] in
            guard member.value["operationId"] != nil, member.name != "head" else { return [] }
            let own = member.value["parameters"]?.arrayValue ?? []
            return (common + own).map(resolved).map { parameter in
                DescribedParameter(
                    method: member.name == "x-query" ? "QUERY" : member.name.uppercased(),
                    path: path.name, hasBody: member.value["requestBody"] != nil,
                    place: parameter["in"]?.stringValue ?? "",
                    name: parameter["name"]?.stringValue ?? "",
                    schema: resolved(parameter["schema"] ?? .null))
            }
        }
    }

    private static func resolved(_ value: JSONValue) -> JSONValue {
        guard let reference = value["$ref"]?.stringValue else { return value }
        return reference.split(separator: "/").dropFirst().reduce(document) {
            $0[String($1)] ?? .null
        }
    }

    var description: String { "\(method) \(path): \(name)" }

    /// The only values, or nil where there are any others.
    var values: [String]? {
        if schema["type"] == "boolean" { return ["true", "false"] }
        return schema["enum"]?.arrayValue?.compactMap(\.stringValue)
    }

    /// The schema of its text; nil where it is a number or one of some values.
    private var text: JSONValue? {
        // `q` is an object, each of whose members is a parameter.
        let schema = schema["type"] == "object" ? schema["additionalProperties"] ?? .null : schema
        guard schema["type"] == "string", values == nil else { return Optional.none }
        return schema
    }

    /// Whether the schema lets `value` pass; nil where it is not about texts.
    func allows(_ value: String) -> Bool? { text.map { Self.fits(value, $0) } }

    /// Whether `value` has the pattern of `schema`.
    static func fits(_ value: String, _ schema: JSONValue) -> Bool {
        guard let pattern = schema["pattern"]?.stringValue else { return true }
        // In front of a last line break, too, there is an end for `$` here.
        return value.range(of: pattern, options: .regularExpression)
            == value.startIndex..<value.endIndex
    }

    /// Asks for `value`; all else is such that no data are needed.
    func send(_ value: String, to server: TestServer) throws -> TestResponse {
        let escaped = value.utf8.map { "%" + String(UInt32($0) + 256, radix: 16).suffix(2) }
            .joined()
        let names = [
            "type": "task", "id": "1", "session": "s", "name": "n", "code": "bad-json",
            "page": "index", "direction": "next",
        ]
        var target = names.reduce(path) { path, known in
            let value = place == "path" && known.key == name ? escaped : known.value
            return path.replacingOccurrences(of: "{\(known.key)}", with: value)
        }
        if place == "query" { target += "?\(name == "q" ? "q.a" : name)=\(escaped)" }
        // A removal names what is removed.
        if method == "DELETE", path == "/v1/{type}", name != "ids" { target += "&ids=1" }
        // The levels of relationships.
        if name == "depth" { target += "&include=*" }
        let headers = place == "header" ? ["\(name): \(value)"] : []
        return try server.send(method, target, hasBody ? "{}" : nil, headers: headers)
    }
}

@Suite("Parameters are as they are described")
struct DescribedParameterTests {
    @Test(
        "A number, a Boolean or a word of a list is nothing else, and the refusal names the words")
    func values() throws {
        let server = try TestServer()
        var count = 0
        for parameter in DescribedParameter.all where parameter.place == "query" {
            guard parameter.values != nil || parameter.schema["type"] == "integer" else { continue }
            count += 1
            for value in ["", "nonsense", "TRUE", "1.5"] {
                let response = try parameter.send(value, to: server)
                #expect(response.status == 400, "\(parameter)=\(value): \(response.body)")
                let problem = try JSONValue.parse(response.body)
                #expect(
                    problem["errors"]?.arrayValue?.first?["parameter"]
                        == .string(parameter.name), "\(parameter)=\(value): \(response.body)")
                let detail = problem["detail"]?.stringValue ?? ""
                for word in parameter.values ?? [] {
                    #expect(detail.contains(word), "\(parameter)=\(value): \(detail)")
                }
            }
        }
        #expect(count > 30)
    }

    @Test("Where a control character is refused as such, the schema says so, and the reverse")
    func controlCharacters() throws {
        let server = try TestServer()
        var refused = 0
        for parameter in DescribedParameter.all {
            for value in ["\0", "a\0", "\u{1}", "\u{1F}b", "\u{7F}", "\u{85}"] {
                // No client sends these in a header.
                let isSent = parameter.place != "header" || value.unicodeScalars.first != "\0"
                guard isSent, let isAllowed = parameter.allows(value) else { continue }
                let response = try parameter.send(value, to: server)
                let detail = (try? JSONValue.parse(response.body))?["detail"]?.stringValue ?? ""
                let isRefused =
                    response.status == 400
                    && ["%00", "control character"].contains(where: detail.contains)
                if isRefused { refused += 1 }
                let words = "\(parameter), \(value.unicodeScalars.map(\.value)): \(response.body)"
                if isAllowed { #expect(!isRefused, "\(words)") }
                if !isAllowed { #expect(response.status >= 400, "\(words)") }
            }
        }
        #expect(refused > 100)
    }

    @Test("An id of a new entity is refused where its schema refuses it, by each route")
    func newIDs() throws {
        let schemas = try #require(DescribedParameter.document["components"]?["schemas"])
        let new = try #require(schemas["NewTextId"])
        let stored = try #require(schemas["StoredId"]?["oneOf"]?.arrayValue?.first)
        let server = try TestServer()
        let ids = [
            "", "_", "_a", "a_", ".", "..", "...", ".a", "..a", ".._", "a.", "7", "é", "\0",
            "a\u{1F}", "\u{7F}", "\u{85}", " ",
        ]
        for id in ids {
            let entity = String(
                decoding: JSONValue.object([.init(name: "id", value: .string(id))]).bytes,
                as: UTF8.self)
            let words = "\(id.unicodeScalars.map(\.value))"
            let set = #"{"set":{"type":"batched","entity":\#(entity)}}"#
            for (path, body) in [
                ("created", entity), ("set/_set", "[\(entity)]"),
                ("_batch", #"{"operations":[\#(set)]}"#),
            ] {
                let response = try server.send("POST", "/v1/\(path)", body)
                let isTaken = DescribedParameter.fits(id, new)
                #expect((response.status < 300) == isTaken, "\(words): \(response.body)")
                #expect((response.status == 422) != isTaken, "\(words): \(response.body)")
            }
            let line = #"{"type":"imported","entity":\#(entity)}"#
            let response = try server.send("POST", "/v1/_import", line)
            #expect(
                (response.status == 200) == DescribedParameter.fits(id, stored),
                "\(words): \(response.body)")
        }
    }

    @Test("What confirms a removal is true or false, whatever else is named")
    func confirmation() throws {
        let server = try TestServer()
        for body in [#"{"ids":["1"],"all":"yes"}"#, #"{"all":1}"#, #"{"filter":"a","all":null}"#] {
            let response = try server.send("POST", "/v1/task/_remove", body)
            #expect(response.status == 400 && response.body.contains("'all' is true or false"))
        }
    }
}
