import FreshetBase
import FreshetJSON
import Testing

@Suite struct JSONMergePatchTests {
    private func merged(
        _ patch: String, _ target: String?, depthLimit: Int = 64
    ) throws -> String {
        try withView(patch) { patch in
            var buffer = ByteBuffer(capacity: 16)
            if let target {
                try withView(target) {
                    try JSONMergePatch.apply(
                        patch: patch, to: $0, into: &buffer, depthLimit: depthLimit)
                }
            } else {
                try JSONMergePatch.apply(
                    patch: patch, to: nil, into: &buffer, depthLimit: depthLimit)
            }
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
    }

    @Test func followsTheAppendixOfTheRFC() throws {
        for (original, patch, result) in [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
            (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ] {
            #expect(try merged(patch, original) == result, "\(original) \(patch)")
        }
    }

    @Test func followsTheExampleOfSection3() throws {
        let target =
            #"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"}"#
        let patch =
            #"{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}"#
        #expect(
            try merged(patch, target)
                == #"{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}"#
        )
    }

    @Test func keepsOrderAndSpellingOfWhatIsUntouched() throws {
        #expect(
            try merged(
                #"{"c":{"y":2.0},"new":1E5,"b":null}"#,
                #"{"z":1.50,"b":0,"c":{"x":1e1,"y":2},"a":"\n"}"#)
                == #"{"z":1.50,"c":{"x":1e1,"y":2.0},"a":"\n","new":1E5}"#)
        #expect(try merged(#"{"a":null,"b":{"c":null,"d":[null]}}"#, nil) == #"{"b":{"d":[null]}}"#)
        #expect(try merged(#"{"\u0061":1}"#, #"{"a":0,"q\"":0}"#) == #"{"a":1,"q\"":0}"#)
    }

    @Test func refusesResultsThatNestTooDeep() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "{\"a\":", count: depth) + "0" + String(repeating: "}", count: depth)
        }
        #expect(try merged(nested(3), "{}", depthLimit: 3) == nested(3))
        #expect(throws: JSONFault(.tooDeep, at: 15)) { try merged(nested(4), "{}", depthLimit: 3) }
        #expect(try merged("{\"a\":[[]]}", "{}", depthLimit: 3) == "{\"a\":[[]]}")
        #expect(throws: JSONFault(.tooDeep, at: 5)) {
            try merged("{\"a\":[[]]}", "{}", depthLimit: 2)
        }
        #expect(try merged(nested(64), nested(64)) == nested(64))
    }

    /// The algorithm of RFC 7396 section 2, word by word.
    private func reference(_ target: JSONValue?, _ patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = target?.objectValue ?? []
        for change in changes {
            let place = members.firstIndex { $0.name.utf8.elementsEqual(change.name.utf8) }
            if change.value.isNull {
                if let place { members.remove(at: place) }
            } else if let place {
                members[place].value = reference(members[place].value, change.value)
            } else {
                members.append(
                    JSONValue.Member(name: change.name, value: reference(nil, change.value)))
            }
        }
        return .object(members)
    }

    @Test func agreesWithTheAlgorithmAsWritten() throws {
        for seed in UInt64(1)...400 {
            var random = RandomJSON(generator: SeededGenerator(seed: seed))
            let target = random.value()
            let patch = random.value()
            let expected = reference(try JSONValue.parse(target), try JSONValue.parse(patch))
            #expect(try merged(patch, target) == expected.text, "seed \(seed)")
        }
    }

    @Test func mergesManyMembers() throws {
        let target = "{" + (0..<50_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        let patch = "{" + (25_000..<75_000).map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        let expected =
            "{" + (0..<75_000).map { "\"\($0)\":\($0 < 25_000 ? 0 : 1)" }.joined(separator: ",")
            + "}"
        #expect(try merged(patch, target) == expected)
    }
}
