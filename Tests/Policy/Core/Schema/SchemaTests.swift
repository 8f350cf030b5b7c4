import FreshetBase
import FreshetJSON
import FreshetQuery
import FreshetStore
import Testing

@testable import FreshetConfig
@testable import FreshetCore

/// Reads the declaration of one type.
func readType(
    _ text: String, named name: String = "thing"
) throws -> (schema: TypeSchema?, faults: [ValueFault]) {
    var reading = Reading()
    let found = TypeDeclaration.read(
        try #require(TypeName(name)), try JSONValue.parse(text),
        at: JSONPointer().appending("types").appending(name), &reading)
    return (found.schema, reading.faults)
}

/// A schema whose only property is `p` with this declaration.
func schema(p declaration: String) throws -> TypeSchema {
    let (schema, faults) = try readType("{\"properties\":{\"p\":\(declaration)}}")
    #expect(faults.isEmpty, "\(faults)")
    return try #require(schema)
}

extension TypeSchema {
    func faults(_ entity: String, limit: Int = 100) -> [ValueFault] {
        Array(entity.utf8).withUnsafeBytes { faults(in: $0, limit: limit) }
    }

    func completed(_ entity: String, stored: String? = nil) -> String? {
        var output = ByteBuffer()
        let isChanged = Array(entity.utf8).withUnsafeBytes { entity in
            guard let stored else { return complete(entity, stored: nil, into: &output) }
            return Array(stored.utf8).withUnsafeBytes {
                complete(entity, stored: $0, into: &output)
            }
        }
        return isChanged ? String(decoding: output.bytes, as: UTF8.self) : nil
    }
}

struct SchemaKeywordCase: Sendable, CustomTestStringConvertible {
    let declaration: String
    let good: [String]
    let bad: [String]
    let code: String

    init(_ declaration: String, good: [String], bad: [String], _ code: String) {
        self.declaration = declaration
        self.good = good
        self.bad = bad
        self.code = code
    }

    var testDescription: String { declaration + " " + code }

    static let all: [SchemaKeywordCase] = [
        .init(
            #"{"type":"string"}"#, good: [#""""#, #""a""#], bad: ["1", "true", "[]", "{}", "null"],
            "type"),
        .init(
            #"{"type":"integer"}"#,
            good: ["0", "-7", "1.0", "1e3", "123456789012345678901234567890", "10.50e1"],
            bad: ["1.5", "1e-1", #""1""#, "null", "false"], "type"),
        .init(
            #"{"type":"number"}"#, good: ["0", "1.5", "-1e400"], bad: [#""1""#, "null"], "type"),
        .init(#"{"type":"boolean"}"#, good: ["true", "false"], bad: ["0", "null"], "type"),
        .init(#"{"type":"array"}"#, good: ["[]", "[1,null]"], bad: ["{}", "1"], "type"),
        .init(#"{"type":"object"}"#, good: ["{}", #"{"a":1}"#], bad: ["[]", "1"], "type"),
        .init(#"{"type":"any"}"#, good: ["1", "null", "[]", "{}"], bad: [], "type"),
        .init(
            #"{"type":"string","nullable":true}"#, good: ["null", #""a""#], bad: ["1"], "type"),
        .init(
            #"{"type":"date"}"#, good: [#""2026-11-21""#, #""2024-02-29""#],
            bad: [
                #""2026-02-29""#, #""2026-13-01""#, #""2026-1-1""#, #""2026-11-21T00:00:00Z""#,
                #""1900-02-29""#, #""""#,
            ], "format"),
        .init(
            #"{"type":"date-time"}"#,
            good: [
                #""2026-11-21T03:10:00Z""#, #""2026-11-21t03:10:00.123456+05:30""#,
                #""1990-12-31T23:59:60Z""#, #""1990-12-31T15:59:60-08:00""#,
            ],
            bad: [
                #""2026-11-21""#, #""2026-11-21T24:00:00Z""#, #""2026-11-21T03:10:00""#,
                #""2026-11-21T03:10:00.Z""#, #""2026-11-21T03:10:60Z""#,
                #""2026-11-21T03:10:00+5:30""#, #""2026-11-21 03:10:00Z""#,
            ], "format"),
        .init(
            #"{"type":"duration"}"#,
            good: [#""P1D""#, #""PT0.5S""#, #""P1Y2M3DT4H5M6S""#, #""P2W""#, #""PT36H""#],
            bad: [
                #""P""#, #""PT""#, #""1D""#, #""P1DT""#, #""P1M1Y""#, #""P1.5DT1H""#,
                #""P1W1D""#, #""P1""#, #""-P1D""#, #""P1H""#,
            ], "format"),
        .init(
            #"{"type":"uri"}"#,
            good: [
                #""https://example.org/a?b=c#d""#, #""urn:isbn:0451450523""#,
                #""http://[::1]:8080/""#, #""mailto:a@b.example""#, #""http://a@[v1.a-b_c]/""#,
                #""http://[fe80::1%25eth0]""#,
            ],
            bad: [
                #""/relative""#, #""example.org""#, #""http://a b""#, #""http://a/%zz""#,
                #""http://a/#b#c""#, #""1http://a""#, #""http:""#, #""http://a/é""#,
                #""http://a/\\""#, #""http://[::1""#, #""http://::1]""#, #""http://[]""#,
                #""http://a[::1]/""#, #""http://[::1]a""#, #""http://[::1]]""#, #""http://[::1/]""#,
            ], "format"),
        .init(
            #"{"type":"string","enum":["draft","live"]}"#, good: [#""draft""#, #""live""#],
            bad: [#""Draft""#, #""""#], "enum"),
        .init(
            #"{"type":"number","enum":[1,2.50]}"#, good: ["1", "1.0", "2.5", "25e-1"],
            bad: ["3", "2.51"], "enum"),
        .init(
            #"{"type":"any","enum":["a",1]}"#, good: [#""a""#, "1.0"], bad: ["null", "2"], "enum"),
        .init(
            #"{"type":"any","enum":["a"],"nullable":true}"#, good: [#""a""#, "null"], bad: ["2"],
            "enum"),
        .init(
            #"{"type":"number","minimum":0.1}"#, good: ["0.1", "1e-1", "5"],
            bad: ["0.09999999999999999999999", "-1"], "minimum"),
        .init(
            #"{"type":"integer","maximum":9007199254740992}"#, good: ["9007199254740992"],
            bad: ["9007199254740993"], "maximum"),
        .init(
            #"{"type":"string","minLength":2}"#, good: [#""é😀""#, #""\n\n""#, #""\u0001a""#],
            bad: [#""é""#, #""😀""#, #""\u2028""#, #""\\""#], "min-length"),
        .init(
            #"{"type":"string","maxLength":2}"#, good: [#""😀😀""#, #""\"\"""#],
            bad: [#""abc""#, #""e\u0001b""#], "max-length"),
        .init(
            #"{"type":"string","pattern":"^[A-Z]{3}-\\d+$"}"#, good: [#""ABC-7""#, #""XYZ-001""#],
            bad: [#""abc-7""#, #""ABC-""#, #""ABC-7\n""#, #""""#], "pattern"),
        .init(
            // Found anywhere, over the text and not its escapes.
            #"{"type":"string","pattern":"a\"b|é\\n"}"#, good: [#""xa\"bx""#, #""é\n""#],
            bad: [#""ab""#, #""é\\n""#, #""én""#], "pattern"),
        .init(
            #"{"type":"array","minItems":1}"#, good: ["[1]", "[[],[]]"], bad: ["[]"],
            "min-items"),
        .init(
            #"{"type":"array","maxItems":1}"#, good: ["[]", "[[1,2]]"], bad: ["[1,2]"],
            "max-items"),
    ]
}

@Suite("Schema validation")
struct SchemaTests {
    @Test("Each keyword accepts and refuses by its rule", arguments: SchemaKeywordCase.all)
    func keyword(_ item: SchemaKeywordCase) throws {
        let schema = try schema(p: item.declaration)
        for value in item.good {
            #expect(schema.faults("{\"id\":1,\"p\":\(value)}") == [], "\(value)")
        }
        for value in item.bad {
            let faults = schema.faults("{\"id\":1,\"p\":\(value)}")
            #expect(faults.map(\.pointer) == ["/p"], "\(value)")
            #expect(faults.map(\.code) == [item.code], "\(value)")
        }
    }

    @Test("All faults of an entity come at once, each with its pointer")
    func severalFaults() throws {
        let (found, _) = try readType(
            #"""
            {"properties":{"title":{"type":"string","required":true},
             "points":{"type":"integer","minimum":0},
             "tags":{"type":"array","items":{"type":"string","maxLength":3}},
             "author":{"type":"object","additionalProperties":false,"required":["name"],
                       "properties":{"name":{"type":"string"},"age":{"type":"integer"}}}},
             "additionalProperties":false}
            """#)
        let schema = try #require(found)
        let faults = schema.faults(
            #"{"id":"a","points":-1,"tags":["ok",1,"long"],"author":{"age":"x","b":1},"z":0}"#)
        #expect(
            faults.map { "\($0.pointer) \($0.code)" } == [
                "/points minimum", "/tags/1 type", "/tags/2 max-length", "/author/age type",
                "/author/b additional-property", "/author/name required",
                "/z additional-property", "/title required",
            ])
        #expect(schema.faults(#"{"id":"a","title":"t"}"#) == [])
    }

    @Test("Pointers are escaped as RFC 6901 says and names are told unescaped")
    func escaping() throws {
        let (found, _) = try readType(
            #"{"properties":{"a/b~c":{"type":"integer"},"q\"":{"type":"integer","required":true}}}"#
        )
        let schema = try #require(found)
        #expect(schema.faults(#"{"id":1,"a/b~c":"x"}"#).map(\.pointer) == ["/a~1b~0c", "/q\""])
        #expect(schema.faults(#"{"id":1,"q\"":2}"#) == [])
    }

    @Test("The number of faults is bounded")
    func bounded() throws {
        let schema = try schema(p: #"{"type":"array","items":{"type":"string"}}"#)
        let list = "[" + Array(repeating: "1", count: 500).joined(separator: ",") + "]"
        #expect(schema.faults("{\"id\":1,\"p\":\(list)}").count == 100)
        #expect(schema.faults("{\"id\":1,\"p\":\(list)}", limit: 1).count == 1)
    }

    @Test("A required member may be null only where it is nullable")
    func requiredNull() throws {
        let strict = try schema(p: #"{"type":"string","required":true}"#)
        #expect(strict.faults(#"{"id":1,"p":null}"#).map(\.code) == ["type"])
        let loose = try schema(p: #"{"type":"string","required":true,"nullable":true}"#)
        #expect(loose.faults(#"{"id":1,"p":null}"#) == [])
        #expect(loose.faults(#"{"id":1}"#).map(\.code) == ["required"])
    }

    @Test("A relationship's property holds an id, or a list of ids")
    func relationships() throws {
        let (found, faults) = try readType(
            #"""
            {"relationships":{"author":{"type":"person","association":"one"},
             "comments":{"type":"comment","association":"many"},
             "replies":{"type":"comment","by":"article"}},"additionalProperties":false}
            """#)
        #expect(faults == [])
        let schema = try #require(found)
        #expect(schema.relationships.map(\.by) == [nil, nil, "article"])
        #expect(schema.faults(#"{"id":1,"author":"x","comments":[1,"b"]}"#) == [])
        #expect(schema.faults(#"{"id":1,"author":null}"#) == [])
        #expect(
            schema.faults(#"{"id":1,"author":[1],"comments":[true,2],"replies":[]}"#)
                .map(\.pointer) == ["/author", "/comments/0", "/replies"])
    }

    @Test("An integer identifier takes both spellings and nothing else")
    func identifier() throws {
        let (found, _) = try readType(#"{"identifier":"integer"}"#)
        let schema = try #require(found)
        let fault = { (text: String) in
            Array(text.utf8).withUnsafeBytes { schema.fault(ofId: $0)?.code }
        }
        #expect(fault("7") == nil)
        #expect(fault("-7") == nil)
        #expect(fault("07") == "type")
        #expect(fault("x") == "type")
    }
}

@Suite("Completion of entities")
struct SchemaCompletionTests {
    @Test("Defaults stand at the end, in the order of the schema, where the member is absent")
    func defaults() throws {
        let (found, faults) = try readType(
            #"""
            {"properties":{"status":{"type":"string","enum":["draft","live"],"default":"draft"},
             "n":{"type":"number","default":1.50},"o":{"type":"any","default":{"a": [1, 2]}}}}
            """#)
        #expect(faults == [])
        let schema = try #require(found)
        #expect(
            schema.completed(#"{"id":1,"n":2}"#)
                == #"{"id":1,"n":2,"status":"draft","o":{"a":[1,2]}}"#)
        #expect(schema.completed("{}") == #"{"status":"draft","n":1.50,"o":{"a":[1,2]}}"#)
        #expect(schema.completed(#"{"id":1,"status":null,"n":0,"o":1}"#) == nil)
        #expect(schema.defaults.count == 3)
    }

    @Test("Lazy members keep the stored value, then defaults fill in")
    func lazy() throws {
        let (found, _) = try readType(
            #"""
            {"properties":{"body":{"type":"string","lazy":true,"default":"none"},
             "title":{"type":"string"}}}
            """#)
        let schema = try #require(found)
        #expect(schema.keepsStoredMembers)
        let stored = #"{"id":1,"title":"old","body":"long","x":1}"#
        #expect(
            schema.completed(#"{"id":1,"title":"new"}"#, stored: stored)
                == #"{"id":1,"title":"new","body":"long"}"#)
        #expect(schema.completed(#"{"id":1,"body":"short"}"#, stored: stored) == nil)
        #expect(
            schema.completed(#"{"id":1}"#, stored: #"{"id":1}"#) == #"{"id":1,"body":"none"}"#)
        #expect(schema.completed(#"{"id":1}"#) == #"{"id":1,"body":"none"}"#)
        // Null asks for its removal; the default comes as for every absent member.
        #expect(
            schema.completed(#"{"id":1,"body":null,"x":2}"#, stored: stored)
                == #"{"id":1,"x":2,"body":"none"}"#)
    }
}
