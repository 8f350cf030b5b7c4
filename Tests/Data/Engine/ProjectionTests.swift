import FreshetBase
import FreshetQuery
import Testing

@testable import FreshetEngine

@Suite struct ProjectionTests {
    private func projected(_ json: String, _ fields: [String]?, meta: String? = nil) throws
        -> String
    {
        let paths = try fields?.map { try PropertyPath(parsing: $0) }
        var output = ByteBuffer()
        let stored = try document(json)
        if let meta {
            Array(meta.utf8).withUnsafeBytes {
                Projection(paths).write(stored, meta: $0, into: &output)
            }
        } else {
            Projection(paths).write(stored, into: &output)
        }
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Test func fieldsNameWhatIsShown() throws {
        let json =
            #"{"title":"T","id":7,"author":{"name":"N","age":3,"home":{"city":"C"}},"a":[1]}"#
        let table: [([String]?, String)] = [
            (nil, json),
            ([], #"{"id":7}"#),
            (["id"], #"{"id":7}"#),
            (["a", "title"], #"{"title":"T","id":7,"a":[1]}"#),
            (["author.name"], #"{"id":7,"author":{"name":"N"}}"#),
            (
                ["author.home.city", "author.age"],
                #"{"id":7,"author":{"age":3,"home":{"city":"C"}}}"#
            ),
            (
                ["author.name", "author"],
                #"{"id":7,"author":{"name":"N","age":3,"home":{"city":"C"}}}"#
            ),
            (["author.missing"], #"{"id":7}"#),
            (["author.missing", "title"], #"{"title":"T","id":7}"#),
            (["title.x", "a.b", "nothing"], #"{"id":7}"#),
        ]
        for (fields, expected) in table {
            #expect(try projected(json, fields) == expected)
        }
    }

    @Test func namesAreComparedAsTheyAreMeant() throws {
        let json = #"{"id":"x","\u0061\n":1,"b":2}"#
        var output = ByteBuffer()
        Projection([PropertyPath(["a\n"])]).write(try document(json), into: &output)
        #expect(String(decoding: output.bytes, as: UTF8.self) == #"{"id":"x","a\n":1}"#)
    }

    @Test func metaIsTheLastMember() throws {
        let json = #"{"id":1,"x":{"y":2}}"#
        #expect(
            try projected(json, nil, meta: #"{"revision":4}"#)
                == #"{"id":1,"x":{"y":2},"_meta":{"revision":4}}"#)
        #expect(
            try projected(json, ["q"], meta: "null") == #"{"id":1,"_meta":null}"#)
    }
}
