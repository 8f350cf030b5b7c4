import FreshetBase
import FreshetJSON
import Testing

@Suite struct JSONValueTests {
    @Test func parsesAsStrictlyAsTheScanner() throws {
        for text in JSONCorpus.accepted {
            #expect(try JSONValue.parse(text).text == canonical(text), "\(text.debugDescription)")
        }
        for (text, _, offset) in JSONCorpus.refused {
            let error = #expect(throws: JSONFault.self) { try JSONValue.parse(text) }
            #expect(error?.offset == offset, "\(text.debugDescription)")
        }
        #expect(throws: JSONFault(.tooDeep, at: 2)) { try JSONValue.parse("[[[]]]", depthLimit: 2) }
    }

    @Test func answersWhatConfigurationAsks() throws {
        let value = try JSONValue.parse(
            #"{"name":"caf\u00e9","port":8080.0,"rate":0.5,"on":true,"list":["a",{"b":null}],"":1,"big":1e400}"#
        )
        #expect(value["name"]?.stringValue == "café")
        #expect(value["port"]?.int64Value == 8080)
        #expect(value["port"]?.numberText == "8080.0")
        #expect(value["rate"]?.int64Value == nil)
        #expect(value["rate"]?.doubleValue == 0.5)
        #expect(value["big"]?.doubleValue == .infinity)
        #expect(value["on"]?.boolValue == true)
        #expect(value["list"]?[0]?.stringValue == "a")
        #expect(value["list"]?[1]?["b"]?.isNull == true)
        #expect(value["list"]?[2] == nil)
        #expect(value["list"]?[-1] == nil)
        #expect(value["missing"] == nil)
        #expect(value[""]?.int64Value == 1)
        #expect(
            value.objectValue?.map(\.name) == ["name", "port", "rate", "on", "list", "", "big"])
        #expect(value.kind == .object && value["name"]?.kind == .string)
        #expect(value[0] == nil && value["on"]?["x"] == nil && value.arrayValue == nil)
    }

    @Test func looksNamesUpScalarByScalar() throws {
        let value = try JSONValue.parse("{\"e\u{301}\":1,\"é\":2}")
        #expect(value["é"]?.int64Value == 2)
        #expect(value["e\u{301}"]?.int64Value == 1)
        #expect(JSONValue.string("é") != JSONValue.string("e\u{301}"))
    }

    @Test func isWrittenDownInCode() {
        let value: JSONValue = ["b": [1, 1.5, true, nil, "x"], "a": [:]]
        #expect(value.text == #"{"b":[1,1.5,true,null,"x"],"a":{}}"#)
        #expect(value == ["a": [:], "b": [1.0, 1.50, true, nil, "x"]])
        #expect(JSONValue.string("\u{1}\u{2028}\"\\/").text == #""\u0001\u2028\"\\/""#)
    }

    @Test func followsPointers() throws {
        let text =
            #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#
        let value = try JSONValue.parse(text)
        for (pointer, expected): (String, JSONValue) in [
            ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2),
            ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
            ("", value),
        ] {
            let parsed = try #require(JSONPointer(pointer))
            #expect(value[parsed] == expected, "\(pointer)")
            #expect(parsed.description == pointer)
            try withView(text) { view in
                let found = parsed.resolve(view).map { JSONValue($0) }
                #expect(found == expected, "\(pointer)")
            }
        }
        for pointer in [
            "/foo/2", "/foo/00", "/foo/-", "/foo/-1", "/foo/", "/x", "/foo/0/x", "/foo/1e0",
        ] {
            let parsed = try #require(JSONPointer(pointer))
            #expect(value[parsed] == nil, "\(pointer)")
            try withView(text) { #expect(parsed.resolve($0) == nil, "\(pointer)") }
        }
        for text in ["foo", "/~", "/~2", "/a~"] { #expect(JSONPointer(text) == nil, "\(text)") }
        #expect(
            JSONPointer().appending("a/b").appending(3).appending("~").description == "/a~1b/3/~0")
        #expect(JSONPointer("/a")?.appending(1) == JSONPointer("/a/1"))
    }
}
