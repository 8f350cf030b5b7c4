import FreshetBase
import FreshetJSON
import Testing

@Suite struct JSONEqualityTests {
    private func areEqual(_ left: String, _ right: String) throws -> Bool {
        try withView(left) { left in
            try withView(right) { right in
                let answer = JSONEquality.equal(left, right)
                #expect(JSONEquality.equal(right, left) == answer)
                let hash = SeededHash(key: 1)
                #expect((hash.hash(left) == hash.hash(right)) == answer)
                return answer
            }
        }
    }

    @Test func comparesByValue() throws {
        for (left, right) in [
            ("1", "1.0"), ("1e2", "100"), ("-0", "0"), ("\"\\u0061\"", "\"a\""),
            ("[1,2]", "[1.0,20e-1]"),
            ("{\"a\":1,\"b\":2}", "{\"b\":2.0,\"a\":1}"), ("[]", "[ ]"), ("{}", "{ }"),
            ("{\"a\":{\"x\":1,\"y\":[{}]},\"b\":1}", "{\"b\":1,\"a\":{\"y\":[{}],\"x\":1}}"),
            ("{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":1,\"c\":3,\"b\":2}"), ("[[],{}]", "[[ ],{ }]"),
            ("[{\"\\u0061\":1.0}]", "[{\"a\":1}]"),
        ] {
            #expect(try areEqual(left, right), "\(left) \(right)")
        }
        for (left, right) in [
            ("1", "\"1\""), ("null", "false"), ("true", "false"), ("[1,2]", "[2,1]"),
            ("[1]", "[1,1]"),
            ("[]", "{}"), ("[]", "[[]]"), ("{}", "{\"a\":null}"), ("{\"a\":1}", "{\"b\":1}"),
            ("{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}"), ("{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}"),
            ("9007199254740993", "9007199254740992"), ("\"é\"", "\"e\u{301}\""),
            ("[1,[2]]", "[1,[3]]"),
            ("[1]", "[\"1\"]"), ("[1]", "[[1]]"), ("[{}]", "[{\"a\":1}]"), ("[null]", "[0]"),
            ("{\"a\":1,\"b\":2}", "{\"a\":1}"), ("{\"a\":[1],\"b\":2}", "{\"b\":2,\"a\":[1,2]}"),
        ] {
            #expect(try !areEqual(left, right), "\(left) \(right)")
        }
    }

    /// The same value with members shuffled and numbers respelled.
    private func varied(_ value: JSONValue, _ random: inout RandomJSON) -> JSONValue {
        switch value {
        case .number(let text):
            guard Bool.random(using: &random.generator), !text.lowercased().contains("e") else {
                return value
            }
            return .number(
                text.contains(".") ? text + "0" : random.pick([text + ".0", text + "e0"]))
        case .array(let elements):
            return .array(elements.map { varied($0, &random) })
        case .object(let members):
            let changed = members.map {
                JSONValue.Member(name: $0.name, value: varied($0.value, &random))
            }
            return .object(changed.shuffled(using: &random.generator))
        default: return value
        }
    }

    /// The value with one leaf changed, if there is one.
    private func damaged(_ value: JSONValue, _ random: inout RandomJSON) -> JSONValue {
        switch value {
        case .array(var elements) where !elements.isEmpty:
            let place = Int.random(in: 0..<elements.count, using: &random.generator)
            elements[place] = damaged(elements[place], &random)
            return .array(elements)
        case .object(var members) where !members.isEmpty:
            let place = Int.random(in: 0..<members.count, using: &random.generator)
            members[place].value = damaged(members[place].value, &random)
            return .object(members)
        default: return ["something": "else"]
        }
    }

    @Test func seesThroughOrderAndSpellingAndMissesNoChange() throws {
        for seed in UInt64(1)...300 {
            var random = RandomJSON(generator: SeededGenerator(seed: seed))
            let value = try JSONValue.parse(random.value())
            #expect(value == varied(value, &random), "seed \(seed)")
            #expect(value != varied(damaged(value, &random), &random), "seed \(seed)")
        }
    }

    @Test func comparesManyMembersInReverse() throws {
        let names = (0..<100_000).map { "\"member \($0)\":\($0)" }
        let forward = "{" + names.joined(separator: ",") + "}"
        let backward = "{" + names.reversed().joined(separator: ",") + "}"
        #expect(try areEqual(forward, backward))
        let changed = backward.dropLast(2) + "7}"
        #expect(try !areEqual(forward, String(changed)))
    }
}
