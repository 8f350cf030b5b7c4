import FreshetBase
import FreshetJSON
import FreshetQuery
import Testing

/// A document of `json`, with an id of its own unless a rule is given.
func makeDocument(
    _ json: String, id rule: IDRule = .fromBody, maximumBytes: Int = 1 << 20,
    defaults: [DefaultMember] = []
) throws(DocumentFault) -> Document {
    var builder = DocumentBuilder()
    return try build(json, with: &builder, rule, maximumBytes, defaults)
}

private func build(
    _ json: String, with builder: inout DocumentBuilder, _ rule: IDRule, _ maximumBytes: Int,
    _ defaults: [DefaultMember]
) throws(DocumentFault) -> Document {
    let bytes = ContiguousArray(json.utf8)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return try builder.build(
        json: UnsafeRawBufferPointer(memory), id: rule, maximumBytes: maximumBytes,
        defaults: defaults)
}

func patched(_ document: Document, _ patch: String) throws -> Document {
    var builder = DocumentBuilder()
    return try Array(patch.utf8).withUnsafeBytes { try builder.build(merging: $0, into: document) }
}

func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes, as: UTF8.self)
}

extension Document {
    var jsonText: String { text(json) }
    var idText: String { text(idBytes) }
}

/// What makes two faults the same for a test.
private func name(of fault: DocumentFault?) -> String {
    switch fault {
    case .json(let fault): "json \(fault.reason) \(fault.offset)"
    case .notAnObject: "notAnObject"
    case .missingID: "missingID"
    case .badID(let fault): "badID \(fault)"
    case .idMismatch: "idMismatch"
    case .tooLarge: "tooLarge"
    case nil: "none"
    }
}

private func fault(
    _ json: String, id rule: IDRule = .fromBody, maximumBytes: Int = 1 << 20
) -> String {
    do throws(DocumentFault) {
        _ = try makeDocument(json, id: rule, maximumBytes: maximumBytes)
        return "none"
    } catch {
        return name(of: error)
    }
}

@Suite struct DocumentTests {
    @Test(arguments: [
        // As it is: member order, digits, zero exponents, an empty name.
        (#"{"id":"a"}"#, #"{"id":"a"}"#, "a"),
        (#"{"z":1,"id":7,"a":[]}"#, #"{"z":1,"id":7,"a":[]}"#, "7"),
        (
            #"{"id":"a","n":123456789012345678901234567890.10,"e":1E+02,"":null}"#,
            #"{"id":"a","n":123456789012345678901234567890.10,"e":1E+02,"":null}"#, "a"
        ),
        // White space goes, inside and around.
        (" {\n\t\"id\" : \"a b\" , \"x\" : [ 1 , { } ] }\r\n", #"{"id":"a b","x":[1,{}]}"#, "a b"),
        // Escapes become canonical.
        (
            #"{"id":"\u0061\/b","s":"\u00e9\u0001\n\u2028\ud83d\ude00"}"#,
            "{\"id\":\"a/b\",\"s\":\"é\\u0001\\n\\u2028😀\"}", "a/b"
        ),
        (#"{"\u0069d":"a","k\u0065y":1}"#, #"{"id":"a","key":1}"#, "a"),
        (#"{"id":"q\"\\"}"#, #"{"id":"q\"\\"}"#, "q\"\\"),
        // A number as id keeps its spelling; its text is the integer.
        (#"{"id":7.0}"#, #"{"id":7.0}"#, "7"),
        (#"{"id":1e1,"x":0}"#, #"{"id":1e1,"x":0}"#, "10"),
        (#"{"id":-0}"#, #"{"id":-0}"#, "0"),
        // `_meta` at the top goes, wherever it stands and however it is spelled; deeper it stays.
        (#"{"_meta":{"revision":1},"id":"a"}"#, #"{"id":"a"}"#, "a"),
        (#"{"id":"a","_meta":1,"x":2}"#, #"{"id":"a","x":2}"#, "a"),
        (#"{"id":"a","x":2,"\u005fmeta":1}"#, #"{"id":"a","x":2}"#, "a"),
        (#"{"id":"a","x":{"_meta":1}}"#, #"{"id":"a","x":{"_meta":1}}"#, "a"),
    ])
    func aDocumentIsItsTextInCanonicalForm(json: String, canonical: String, id: String) throws {
        let document = try makeDocument(json)
        #expect(document.jsonText == canonical)
        #expect(document.idText == id)
        #expect(document.id.text == id)
        #expect(document.checksum == CRC32C.checksum(document.json))
        #expect(document.revision == 0)
        // What was made once is a fixed point.
        let again = try makeDocument(canonical)
        #expect(again.jsonText == canonical)
        #expect(again.idText == id)
        #expect(again.hasSameContent(as: document))
    }

    @Test func whatIsNoDocumentIsRefused() throws {
        #expect(fault("[]") == "notAnObject")
        #expect(fault("7") == "notAnObject")
        #expect(fault("").hasPrefix("json endOfText"))
        #expect(fault(#"{"a":1}"#) == "missingID")
        #expect(fault(#"{"id":"#).hasPrefix("json"))
        #expect(fault(#"{"id":"a","x":1,"x":2}"#).hasPrefix("json duplicateName"))
        #expect(fault(#"{"id":"a","x":1,"\u0078":2}"#).hasPrefix("json duplicateName"))
        #expect(fault(#"{"id":"a","_meta":1,"_meta":2}"#).hasPrefix("json duplicateName"))
        #expect(fault(#"{"id":"a","x":"\ud800"}"#).hasPrefix("json loneSurrogate"))
        #expect(fault(#"{"id":null}"#) == "badID wrongKind")
        #expect(fault(#"{"id":{}}"#) == "badID wrongKind")
        #expect(fault(#"{"id":1.5}"#) == "badID notAnInteger")
        #expect(fault(#"{"id":9223372036854775808}"#) == "badID notAnInteger")
        #expect(fault(#"{"id":""}"#) == "badID empty")
        #expect(fault(#"{"id":"\u0000"}"#) == "badID controlCharacter")
        #expect(fault("{\"id\":\"\(String(repeating: "a", count: 257))\"}") == "badID tooLong")
        #expect(
            fault("{\"id\":\"\(String(repeating: "\\u0061", count: 256))\"}") == "none")
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(fault("{\"id\":1,\"x\":\(deep)}").hasPrefix("json tooDeep"))
    }

    @Test func theSizeThatCountsIsThatOfTheStoredForm() throws {
        let json = #"{"id":"a","x":"0123456789"}"#
        #expect(fault(json, maximumBytes: 27) == "none")
        #expect(fault(json, maximumBytes: 26) == "tooLarge")
        #expect(fault("   " + json + "   ", maximumBytes: 27) == "none")
        #expect(fault(#"{ "id":"a","x":"0123456789"}"#, maximumBytes: 26) == "tooLarge")
    }

    @Test func anIDGivenByThePathIsComparedOrFilledInAtTheFront() throws {
        let seven = try EntityID("7")
        func json(_ body: String, _ id: EntityID, asInteger: Bool = false) throws -> String {
            try makeDocument(body, id: .expected(id, asInteger: asInteger)).jsonText
        }
        #expect(try json("{}", seven) == #"{"id":"7"}"#)
        #expect(try json("{}", seven, asInteger: true) == #"{"id":7}"#)
        #expect(try json(#"{ "a" : 1 }"#, seven) == #"{"id":"7","a":1}"#)
        #expect(try json(#"{"a":1,"_meta":2}"#, seven) == #"{"id":"7","a":1}"#)
        #expect(try json(#"{"_meta":2}"#, seven) == #"{"id":"7"}"#)
        #expect(try json(#"{"a":1,"id":7}"#, seven) == #"{"a":1,"id":7}"#)
        #expect(try json(#"{"a":1,"id":7.0}"#, seven) == #"{"a":1,"id":7.0}"#)
        #expect(try json(#"{"id":"7"}"#, seven, asInteger: true) == #"{"id":"7"}"#)
        let quoted = try EntityID("a\"b\\c\u{2028}")
        #expect(try json("{}", quoted) == #"{"id":"a\"b\\c\u2028"}"#)
        #expect(try makeDocument("{}", id: .expected(quoted, asInteger: true)).id == quoted)
        for body in [#"{"id":8}"#, #"{"id":"07"}"#, #"{"id":"7 "}"#] {
            #expect(fault(body, id: .expected(seven, asInteger: false)) == "idMismatch")
        }
        #expect(
            fault(#"{"id":null}"#, id: .expected(seven, asInteger: false)) == "badID wrongKind")
    }

    @Test func aGeneratedIDIsUsedOnlyWhereTheBodyHasNone() throws {
        let id = try EntityID("new")
        #expect(
            try makeDocument(#"{"a":1}"#, id: .generated { id }).jsonText
                == #"{"id":"new","a":1}"#)
        let own = try makeDocument(
            #"{"id":"own"}"#,
            id: .generated {
                Issue.record("an id was made in vain")
                return id
            })
        #expect(own.idText == "own")
    }

    @Test func defaultsStandAtTheEndWhereTheMemberIsAbsent() throws {
        let defaults = [
            DefaultMember(name: "status", value: Array(#""draft""#.utf8)),
            DefaultMember(name: "q\"", value: Array("[1]".utf8)),
        ]
        func json(_ body: String) throws -> String {
            try makeDocument(body, defaults: defaults).jsonText
        }
        #expect(try json(#"{"id":1}"#) == #"{"id":1,"status":"draft","q\"":[1]}"#)
        #expect(try json(#"{"status":null,"id":1}"#) == #"{"status":null,"id":1,"q\"":[1]}"#)
        #expect(
            try json(#"{"id":1,"q\u0022":0,"st\u0061tus":1}"#) == #"{"id":1,"q\"":0,"status":1}"#)
    }

    @Test func membersAreFoundByNameAndPath() throws {
        let document = try makeDocument(
            #"{"id":"x","a":{"b":{"c":[1,2]},"q\"":3},"":4,"é":"5","last":null}"#)
        #expect(document.memberCount == 5)
        #expect((0..<5).map { text(document.memberName(at: $0)) } == ["id", "a", "", "é", "last"])
        #expect(
            (0..<5).map { text(document.memberValue(at: $0).bytes) }
                == ["\"x\"", #"{"b":{"c":[1,2]},"q\"":3}"#, "4", "\"5\"", "null"])
        #expect(document.member(named: "last")?.isNull == true)
        #expect(document.member(named: "las") == nil)
        func at(_ path: String) throws -> String? {
            document.view(at: try PropertyPath(parsing: path)).map { text($0.bytes) }
        }
        #expect(try at("id") == "\"x\"")
        #expect(try at("a.b.c") == "[1,2]")
        #expect(try at("a.b.c.d") == nil)
        #expect(try at("a.`q\"`") == "3")
        #expect(try at("``") == "4")
        #expect(try at("`é`") == "\"5\"")
        #expect(try at("last.x") == nil)
        #expect(try at("a.q") == nil && at("a.`é`") == nil && at("a.b.`é`") == nil)
        #expect(try at("nothing") == nil)
    }

    @Test func documentsOver64KiBHaveAnIndexToo() throws {
        let body = String(repeating: "x", count: 70_000)
        let json = "{\"id\":\"big\",\"a\":\"\(body)\",\"b\":2,\"c\":{\"d\":3}}"
        let document = try makeDocument(json)
        #expect(document.jsonText == json)
        #expect(document.member(named: "b")?.int64 == 2)
        #expect(document.view(at: PropertyPath(["c", "d"]))?.int64 == 3)
        #expect(document.member(named: "a")?.stringContents?.count == 70_000)
        for length in [65_490, 65_500, 65_508, 65_509, 65_510, 65_511, 65_520] {
            let text = "{\"id\":1,\"a\":\"\(String(repeating: "y", count: length))\",\"b\":[]}"
            let document = try makeDocument(text)
            #expect(document.jsonText == text)
            #expect(document.member(named: "b")?.kind == .array)
        }
    }

    @Test func theRevisionIsSetOnce() throws {
        let document = try makeDocument(#"{"id":1}"#)
        document.seal(revision: 42)
        #expect(document.revision == 42)
        #expect(document.jsonText == #"{"id":1}"#)
    }

    @Test func aStoredDocumentComesBackAsItWas() throws {
        let original = try makeDocument(#"{"x":1,"id":"a\"b","y":[true]}"#)
        var builder = DocumentBuilder()
        let again = try builder.build(
            stored: original.json, revision: 9, checksum: original.checksum)
        #expect(again.jsonText == original.jsonText)
        #expect(again.idText == original.idText)
        #expect(again.revision == 9)
        #expect(again.checksum == original.checksum)
    }

    @Test func aSmallDocumentCostsLittleMoreThanItsText() throws {
        let json =
            "{\"id\":\"p1\",\"a\":\"\(String(repeating: "x", count: 240))\",\"b\":1,\"c\":[1],\"d\":true}"
        let document = try makeDocument(json)
        #expect(document.memorySize - json.utf8.count - 4 * document.memberCount <= 64)
    }

    @Test func aPatchIsMergedIntoTheDocument() throws {
        let old = try makeDocument(#"{"id":"7","a":{"b":1,"c":2},"d":3}"#)
        #expect(
            try patched(old, #"{"a":{"b":null},"e":[null]}"#).jsonText
                == #"{"id":"7","a":{"c":2},"d":3,"e":[null]}"#)
        #expect(
            try patched(old, #" { "_meta" : 1 , "d" : 1.50 } "#).jsonText
                == #"{"id":"7","a":{"b":1,"c":2},"d":1.50}"#)
        #expect(try patched(old, #"{"id":7}"#).idText == "7")
        #expect(try patched(old, #"{"id":"7","d":null}"#).memberCount == 2)
        #expect(try patched(old, "{}").hasSameContent(as: old))
        func fault(_ patch: String) -> String {
            do {
                _ = try patched(old, patch)
                return "none"
            } catch {
                return name(of: error as? DocumentFault)
            }
        }
        #expect(fault(#"{"id":8}"#) == "idMismatch")
        #expect(fault(#"{"id":null}"#) == "badID wrongKind")
        #expect(fault("[1]") == "notAnObject")
        #expect(fault("{").hasPrefix("json"))
    }
}

@Suite struct DocumentContentTests {
    @Test(arguments: [
        (#"{"id":7,"a":1}"#, #"{"id":"7","a":1.0}"#, true),
        (#"{"id":7,"a":1}"#, #"{"a":10e-1,"id":7.0}"#, true),
        (#"{"id":7,"a":{"x":1,"y":2}}"#, #"{"id":7,"a":{"y":2,"x":1}}"#, true),
        (#"{"id":7,"a":1}"#, #"{"id":8,"a":1}"#, false),
        (#"{"id":7,"a":1}"#, #"{"id":7,"a":"1"}"#, false),
        (#"{"id":7,"a":[1,2]}"#, #"{"id":7,"a":[2,1]}"#, false),
        (#"{"id":7,"a":null}"#, #"{"id":7}"#, false),
        (#"{"id":7,"a":null}"#, #"{"id":7,"b":null}"#, false),
        (#"{"id":7,"a":9007199254740993}"#, #"{"id":7,"a":9007199254740992}"#, false),
        (#"{"id":7,"a":"\u00e9"}"#, "{\"id\":7,\"a\":\"é\"}", true),
        ("{\"id\":7,\"a\":\"e\u{301}\"}", "{\"id\":7,\"a\":\"é\"}", false),
    ])
    func contentIsComparedByValue(left: String, right: String, isSame: Bool) throws {
        let left = try makeDocument(left)
        let right = try makeDocument(right)
        #expect(left.hasSameContent(as: right) == isSame)
        #expect(right.hasSameContent(as: left) == isSame)
    }

    @Test func manyMembersInAnotherOrderAreComparedWithoutSquareCost() throws {
        let names = (0..<20_000).map { "\"m\($0)\":\($0)" }
        let left = try makeDocument("{\"id\":1," + names.joined(separator: ",") + "}")
        let right = try makeDocument(
            "{" + names.reversed().joined(separator: ",") + ",\"id\":\"1\"}")
        #expect(left.hasSameContent(as: right))
    }
}
