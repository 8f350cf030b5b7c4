import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetEngine
import FreshetQuery
import FreshetStore
import Testing

@testable import FreshetConfig

/// Reads the declaration of one type named `thing`.
private func readType(_ text: String) throws -> (schema: TypeSchema?, faults: [ValueFault]) {
    var reading = Reading()
    let found = TypeDeclaration.read(
        try #require(TypeName("thing")), try JSONValue.parse(text),
        at: JSONPointer(tokens: ["types", "thing"]), &reading)
    return (found.schema, reading.faults)
}

struct SchemaFaultCase: Sendable, CustomTestStringConvertible {
    let text: String
    /// Each as `pointer code`, below `/types/thing`.
    let faults: [String]

    init(_ text: String, _ faults: [String]) {
        self.text = text
        self.faults = faults
    }

    var testDescription: String { text }

    static let all: [SchemaFaultCase] = [
        .init("[]", [" value"]),
        .init(#"{"propertys":{}}"#, ["/propertys unknown-member"]),
        .init(#"{"identifier":"uuid"}"#, ["/identifier value"]),
        .init(#"{"store":"disk"}"#, ["/store value"]),
        .init(#"{"additionalProperties":{}}"#, ["/additionalProperties value"]),
        .init(#"{"properties":[]}"#, ["/properties value"]),
        .init(#"{"properties":{"a":1}}"#, ["/properties/a value"]),
        .init(#"{"properties":{"id":{"type":"string"}}}"#, ["/properties/id value"]),
        .init(#"{"properties":{"a":{}}}"#, ["/properties/a/type value"]),
        .init(#"{"properties":{"a/b":{"type":"text"}}}"#, ["/properties/a~1b/type value"]),
        .init(
            #"{"properties":{"a":{"type":"string","pattern":"(x"},"b":{"type":"uri","pattern":"x"}}}"#,
            ["/properties/a/pattern value", "/properties/b/pattern value"]),
        .init(
            #"{"properties":{"a":{"type":"string","pattern":7}}}"#,
            ["/properties/a/pattern value"]),
        .init(
            #"{"properties":{"a":{"type":"string","pattern":"(a{1000}){1000}"}}}"#,
            ["/properties/a/pattern value"]),
        .init(
            #"{"properties":{"a":{"type":"string","pattern":"^x","enum":["xa","a"],"default":"b"}}}"#,
            ["/properties/a/enum/1 value", "/properties/a/default value"]),
        .init(
            #"{"properties":{"a":{"type":"string","required":true,"lazy":true}}}"#,
            ["/properties/a/lazy value"]),
        .init(
            #"{"properties":{"a":{"type":"integer","default":null},"b":{"type":"integer","minimum":3,"default":2}}}"#,
            ["/properties/a/default value", "/properties/b/default value"]),
        .init(
            #"{"properties":{"a":{"type":"array","minItems":2,"maxItems":1}}}"#,
            ["/properties/a/maxItems value"]),
        .init(
            #"{"properties":{"a":{"type":"string","enum":["x","y","x"]}}}"#,
            ["/properties/a/enum/2 value"]),
        .init(
            #"{"properties":{"a":{"type":"object","required":["b","b"],"properties":{"b":{"type":"any"}}}}}"#,
            ["/properties/a/required/1 value"]),
        .init(
            #"{"properties":{"a":{"type":"object","required":["c"],"additionalProperties":false,"properties":{"b":{"type":"any"}}}}}"#,
            ["/properties/a/required/0 value"]),
        .init(
            #"{"properties":{"a":{"type":"array","items":{"type":"string","default":"x"}}}}"#,
            ["/properties/a/items/default value"]),
        .init(
            #"{"properties":{"a":{"type":"boolean"},"b":{"type":"string"}},"relationships":{"a":{"type":"p","association":"one"},"b":{"type":"p","association":"many"}}}"#,
            ["/properties/a/type value", "/properties/b/type value"]),
        .init(
            #"{"properties":{"a":{"type":"string","minimum":1}}}"#,
            ["/properties/a/minimum value"]),
        .init(
            #"{"properties":{"a":{"type":"integer","minLength":1,"items":{"type":"any"}}}}"#,
            ["/properties/a/minLength value", "/properties/a/items value"]),
        .init(
            #"{"properties":{"a":{"type":"integer","minimum":2,"maximum":1}}}"#,
            ["/properties/a/maximum value"]),
        .init(
            #"{"properties":{"a":{"type":"string","minLength":-1,"maxLength":1.5}}}"#,
            ["/properties/a/minLength value", "/properties/a/maxLength value"]),
        .init(
            #"{"properties":{"a":{"type":"string","enum":[]}}}"#, ["/properties/a/enum value"]),
        .init(
            #"{"properties":{"a":{"type":"string","enum":["x",1]}}}"#,
            ["/properties/a/enum/1 value"]),
        .init(
            #"{"properties":{"a":{"type":"string","enum":["x"],"default":"y"}}}"#,
            ["/properties/a/default value"]),
        .init(
            #"{"properties":{"a":{"type":"object","properties":{"b":{"type":"any","silent":true}}}}}"#,
            ["/properties/a/properties/b/silent value"]),
        .init(
            #"{"properties":{"a":{"type":"array","items":{"type":"string","required":true}}}}"#,
            ["/properties/a/items/required value"]),
        .init(
            #"{"relationships":{"a":{"type":"b c","association":"one"},"d":{"type":"e"}}}"#,
            ["/relationships/a/type value", "/relationships/d/association value"]),
        .init(#"{"indexes":["a",["b","-c"],[],1]}"#, ["/indexes/2 value", "/indexes/3 value"]),
        .init(
            #"{"contracts":{"c":{"where":"a ==","requires":[1],"x":0}}}"#,
            [
                "/contracts/c/requires/0 value", "/contracts/c/where value",
                "/contracts/c/x unknown-member",
            ]),
        .init(
            #"{"contracts":{"c":{"where":"a ~= '(?=x)'"},"d":{"where":"a ~= 'x'"}}}"#,
            ["/contracts/c/where value"]),
    ]
}

@Suite("Reading schemas")
struct TypeFormTests {
    @Test("Each fault is told with its pointer", arguments: SchemaFaultCase.all)
    func faults(_ item: SchemaFaultCase) throws {
        let (schema, faults) = try readType(item.text)
        #expect(schema == nil)
        let told = faults.map { "\($0.pointer.dropFirst("/types/thing".count)) \($0.code)" }
        #expect(told == item.faults)
    }

    @Test("Properties nest 16 deep and no further")
    func depth() throws {
        func nested(_ levels: Int) -> String {
            levels == 1
                ? #"{"type":"any"}"#
                : #"{"type":"array","items":"# + nested(levels - 1) + "}"
        }
        #expect(try readType("{\"properties\":{\"a\":\(nested(16))}}").faults == [])
        let faults = try readType("{\"properties\":{\"a\":\(nested(17))}}").faults
        #expect(faults.count == 1)
        #expect(faults.first?.detail == "expected at most 16 levels of properties")
    }

    @Test("A misspelt member names the one that was meant")
    func suggestion() throws {
        #expect(
            try readType(#"{"proprties":{}}"#).faults.first?.detail
                == "unknown member; did you mean \"properties\"?")
        #expect(
            try readType(#"{"properties":{"a":{"type":"intger"}}}"#).faults.first?.detail
                == "unknown type \"intger\"; did you mean \"integer\"?")
    }

    @Test("The contract's example is read whole and shown as declared")
    func example() throws {
        let text = #"""
            {"identifier":"integer",
             "properties":{"title":{"type":"string","required":true,"maxLength":200},
               "views":{"type":"integer","silent":true},"body":{"type":"string","lazy":true}},
             "relationships":{"author":{"type":"person","association":"one"}},
             "indexes":["status","points",["status","-at"]],
             "contracts":{"card":{"requires":["title"],"where":"status != 'draft'"}}}
            """#
        let (found, faults) = try readType(text)
        #expect(faults == [])
        let schema = try #require(found)
        #expect(schema.storage == .file)
        #expect(schema.silentMembers == [Array("views".utf8)])
        #expect(schema.indexes.map(\.description) == ["status", "points", "status,-at"])
        #expect(schema.contracts.first?.requires == ["title"])
        #expect(schema.contracts.first?.filter != nil)
        var output = ByteBuffer()
        schema.encode(into: &output)
        let shown = try JSONValue.parse(output.bytes)
        #expect(shown["name"]?.stringValue == "thing")
        #expect(shown["store"]?.stringValue == "file")
        #expect(shown["additionalProperties"]?.boolValue == true)
        #expect(shown["properties"] == (try JSONValue.parse(text))["properties"])
    }

    @Test("The nearest word is found by few slips, and a far one is not")
    func nearest() {
        let words = ["listen", "limits", "log", "types"]
        #expect(NearestWord.of("lisetn", among: words) == "listen")
        #expect(NearestWord.of("LIMIT", among: words) == "limits")
        #expect(NearestWord.of("lgo", among: words) == "log")
        #expect(NearestWord.of("database", among: words) == nil)
        // One letter in place of another is another word.
        #expect(NearestWord.of("m", among: ["k"]) == nil)
        #expect(NearestWord.of("", among: words) == nil)
    }
}
