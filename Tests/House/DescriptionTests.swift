import Foundation
import Testing

/// What a generated client needs of the API description.
@Suite("The API description")
struct DescriptionTests {
    private typealias Object = [String: Any]

    private let document: Object
    private let schemas: Object

    init() throws {
        let text = try SourceTree.text(Routes.documentFile)
        document = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
        schemas = try #require((document["components"] as? Object)?["schemas"] as? Object)
    }

    private var operations: [(name: String, path: String, operation: Object)] {
        (document["paths"] as? [String: Object] ?? [:]).flatMap { path, item in
            item.values.compactMap { value in
                guard let operation = value as? Object,
                    let name = operation["operationId"] as? String
                else { return nil }
                return (name, path, operation)
            }
        }.sorted { $0.name < $1.name }
    }

    /// The bodies and answers of `operation`, each with its place.
    private func contents(of operation: Object) -> [(place: String, content: Object)] {
        var found: [(String, Object)] = []
        func collect(_ holder: Object?, _ place: String) {
            for (media, content) in holder?["content"] as? [String: Object] ?? [:] {
                found.append(("\(place) \(media)", content))
            }
        }
        collect(operation["requestBody"] as? Object, "body")
        for (status, answer) in operation["responses"] as? [String: Object] ?? [:] {
            collect(answer, status)
        }
        return found
    }

    private func component(_ reference: Any?) -> Object? {
        (reference as? String)?.split(separator: "/").last.flatMap {
            schemas[String($0)] as? Object
        }
    }

    @Test("Every body and every answer has an example")
    func examples() {
        var without: [String] = []
        for (name, _, operation) in operations {
            for (place, content) in contents(of: operation) {
                let own = content["example"] ?? content["examples"]
                let ofSchema = component((content["schema"] as? Object)?["$ref"])?["example"]
                if own == nil, ofSchema == nil { without.append("\(name) \(place)") }
            }
        }
        #expect(operations.count > 50)
        #expect(without == [])
    }

    @Test("Every operation says whether it takes a token")
    func security() {
        #expect(operations.filter { $0.operation["security"] == nil }.map(\.name) == [])
    }

    /// A generator names a schema without a name by its place: `BatchOperationsItemType0`.
    @Test("Objects with members have names, and arrays say of what")
    func names() {
        var faults: [String] = []
        func walk(_ node: Any, _ place: String, isNamed: Bool = false) {
            guard let schema = node as? Object else { return }
            if schema["properties"] != nil, !isNamed { faults.append("\(place) has no name") }
            if schema["type"] as? String == "array", schema["items"] == nil {
                faults.append("\(place) does not say of what")
            }
            for (name, member) in schema["properties"] as? Object ?? [:] {
                walk(member, "\(place).\(name)")
            }
            for key in ["oneOf", "anyOf", "allOf"] {
                for (index, part) in (schema[key] as? [Any] ?? []).enumerated() {
                    walk(part, "\(place).\(key)[\(index)]")
                }
            }
            for key in ["items", "additionalProperties"] {
                if let part = schema[key] { walk(part, "\(place).\(key)") }
            }
        }
        for (name, schema) in schemas { walk(schema, name, isNamed: true) }
        for (name, _, operation) in operations {
            for (place, content) in contents(of: operation) {
                if let schema = content["schema"] { walk(schema, "\(name) \(place)") }
            }
        }
        #expect(faults.sorted() == [])
    }

    /// One word of a list arrives in a client as a case of a type with a name.
    @Test("Lists of words have names")
    func enumerations() {
        var faults: [String] = []
        func walk(_ node: Any, _ place: String) {
            if let object = node as? Object {
                if object["enum"] is [Any] { faults.append(place) }
                for (key, value) in object where !["example", "examples"].contains(key) {
                    walk(value, "\(place)/\(key)")
                }
            }
            for (index, value) in (node as? [Any] ?? []).enumerated() {
                walk(value, "\(place)/\(index)")
            }
        }
        for (key, value) in document where key != "components" { walk(value, key) }
        for (key, value) in document["components"] as? Object ?? [:] where key != "schemas" {
            walk(value, key)
        }
        var named = 0
        for (name, schema) in schemas {
            if (schema as? Object)?["enum"] != nil {
                named += 1
            } else {
                walk(schema, name)
            }
        }
        #expect(named > 20)
        #expect(faults.sorted() == [])
    }

    @Test("Every operation has one tag, and every tag says what it is for")
    func tags() {
        let tags = (document["tags"] as? [Object] ?? []).compactMap { tag in
            (tag["description"] as? String) == nil ? nil : tag["name"] as? String
        }
        let used = operations.map { $0.operation["tags"] as? [String] ?? [] }
        #expect(used.filter { $0.count != 1 } == [])
        #expect(tags.count >= 8 && Set(used.joined()) == Set(tags))
    }
}
