import FreshetBase
import Testing

@testable import FreshetJSON

@Suite struct JSONMembersTests {
    @Test func anObjectHasCommasBetweenItsMembersAlone() {
        var body = ByteBuffer(capacity: 8)
        body.append("{")
        body.member("text", "a\"b{")
        body.member("number", -3)
        body.member("none", String?.none)
        body.member("flag", true)
        body.member("since", milliseconds: 0)
        body.member("figures", [("a", 1), ("b", 2)])
        body.member("empty", [])
        body.member("list", each: [1, 2]) { $1.append(decimal: $0) }
        body.member("nothing", each: [Int]()) { $1.append(decimal: $0) }
        body.member("inner", 5) { value, body in
            body.append("{")
            body.member("value", value)
            body.append("}")
        }
        body.append("}")
        #expect(
            String(decoding: body.bytes, as: UTF8.self)
                == #"{"text":"a\"b{","number":-3,"none":null,"flag":true,"#
                + #""since":"1970-01-01T00:00:00.000Z","figures":{"a":1,"b":2},"empty":{},"#
                + #""list":[1,2],"nothing":[],"inner":{"value":5}}"#)
    }
}
