import FreshetQuery
import Testing

@testable import FreshetEngine

/// The table of the contract's section 4, case by case.
@Suite struct FilterMeaningTests {
    struct Case: CustomStringConvertible, Sendable {
        let json: String
        let filter: String
        let holds: Bool
        var description: String { "\(filter) of \(json)" }

        init(_ json: String, _ filter: String, _ holds: Bool) {
            self.json = json
            self.filter = filter
            self.holds = holds
        }
    }

    private func check(_ cases: [Case]) throws {
        for one in cases {
            let body = "{\"id\":1" + (one.json.isEmpty ? "" : "," + one.json) + "}"
            let evaluator = try FilterEvaluator(try Filter(parsing: one.filter))
            #expect(evaluator.matches(try document(body)) == one.holds, "\(one)")
        }
    }

    @Test func numbersCompareByValueExactly() throws {
        try check([
            Case(#""x":1"#, "x == 1", true),
            Case(#""x":1"#, "x == 1.0", true),
            Case(#""x":1.0"#, "x == 1", true),
            Case(#""x":10"#, "x == 1e1", true),
            Case(#""x":-0"#, "x == 0", true),
            Case(#""x":9007199254740993"#, "x == 9007199254740992", false),
            Case(#""x":9007199254740993"#, "x > 9007199254740992", true),
            Case(#""x":9007199254740993"#, "x > 9007199254740992.5", true),
            Case(#""x":123456789012345678901234567890"#, "x > 999999999999999999", true),
            Case(#""x":-123456789012345678901234567890"#, "x < -999999999999999999", true),
            Case(#""x":0.1"#, "x < 0.2", true),
            Case(#""x":0.1"#, "x <= 0.10", true),
            Case(#""x":2"#, "x > 10", false),
            Case(#""x":-2"#, "x < -1", true),
            Case(#""x":1"#, "x != 1.0", false),
        ])
    }

    @Test func stringsCompareByTheirUnescapedBytes() throws {
        try check([
            Case(#""x":"abc""#, "x == 'abc'", true),
            Case(#""x":"\u0061bc""#, "x == 'abc'", true),
            Case(#""x":"abc""#, "x < 'abd'", true),
            Case(#""x":"ab""#, "x < 'abc'", true),
            Case(#""x":"Z""#, "x < 'a'", true),
            // A line feed is below a space, however it is spelled.
            Case(#""x":"a\nb""#, "x < 'a b'", true),
            Case(#""x":"a\nb""#, #"x == "a\nb""#, true),
            Case(#""x":"é""#, "x > 'z'", true),
            Case(#""x":"\ud83d\ude00""#, "x > '\u{FFFD}'", true),
            Case(#""x":"""#, "x == ''", true),
            Case(#""x":"a""#, "x >= 'a'", true),
        ])
    }

    @Test func booleansAndKinds() throws {
        try check([
            Case(#""x":false"#, "x < true", true),
            Case(#""x":true"#, "x == true", true),
            Case(#""x":true"#, "x", true),
            Case(#""x":false"#, "x", false),
            Case(#""x":1"#, "x", false),
            Case("", "x", false),
            Case(#""x":"1""#, "x == 1", false),
            Case(#""x":"1""#, "x != 1", true),
            Case(#""x":"1""#, "x < 2", false),
            Case(#""x":"1""#, "x >= 0", false),
            Case(#""x":{}"#, "x == 1", false),
            Case(#""x":[]"#, "x < 1", false),
        ])
    }

    @Test func nullAndAbsent() throws {
        try check([
            Case(#""x":null"#, "x == null", true),
            Case("", "x == null", true),
            Case(#""x":null"#, "isNull(x)", true),
            Case("", "isNull(x)", true),
            Case(#""x":0"#, "isNull(x)", false),
            Case(#""x":null"#, "exists(x)", true),
            Case("", "exists(x)", false),
            Case("", "x != null", false),
            Case(#""x":0"#, "x != null", true),
            Case("", "x != 1", true),
            Case(#""x":null"#, "x <= null", false),
            Case("", "x >= null", false),
            Case("", "x < 1", false),
            Case(#""x":1"#, "x > null", false),
            Case("", "not (x < 1)", true),
        ])
    }

    @Test func arrays() throws {
        try check([
            Case(#""x":[1,2]"#, "x == [1,2.0]", true),
            Case(#""x":[1,2]"#, "x == [2,1]", false),
            Case(#""x":[]"#, "x == []", true),
            Case(#""x":[[1],null]"#, "x == [[1.0],null]", true),
            Case(#""x":["a","b"]"#, "x has 'a'", true),
            Case(#""x":["a","b"]"#, "x has 'c'", false),
            Case(#""x":[1,null]"#, "x has null", true),
            Case(#""x":[1.0]"#, "x has 1", true),
            Case(#""x":"a""#, "x has 'a'", false),
            Case("", "x has null", false),
            Case(#""x":["a","b"]"#, "x hasAny ['c','b']", true),
            Case(#""x":["a"]"#, "x hasAny []", false),
            Case(#""x":["a","b","a"]"#, "x hasAll ['a','b','a']", true),
            Case(#""x":["a"]"#, "x hasAll ['a','b']", false),
            Case(#""x":["a"]"#, "x hasAll []", true),
            Case(#""x":1"#, "x hasAll []", false),
            Case(#""x":[1,[2,3],{"a":[4]}]"#, "size(x) == 3", true),
            Case(#""x":[]"#, "size(x) == 0", true),
            Case(#""x":[1]"#, "size(x) >= 2", false),
            Case(#""x":"abc""#, "size(x) == 3", false),
            Case("", "size(x) == 0", false),
            Case("", "size(x) != 0", false),
        ])
    }

    @Test func membership() throws {
        try check([
            Case(#""x":2"#, "x in [1,2.0]", true),
            Case(#""x":2"#, "x >> [1,3]", false),
            Case(#""x":2"#, "x in []", false),
            Case("", "x in [1,null]", true),
            Case(#""x":null"#, "x in [null]", true),
            Case("", "x in [1]", false),
            Case(#""x":"2""#, "x in [2]", false),
            Case(#""x":[1]"#, "x in [[1],[2]]", true),
            Case(#""x":true"#, "x in ['true',true]", true),
            Case(#""x":12345678901234567890"#, "x in [12345678901234567890, 3]", true),
        ])
    }

    @Test func searchesInStrings() throws {
        try check([
            Case(#""x":"hello""#, "startsWith(x,'he')", true),
            Case(#""x":"hello""#, "endsWith(x,'llo')", true),
            Case(#""x":"hello""#, "contains(x,'ell')", true),
            Case(#""x":"hello""#, "contains(x,'elo')", false),
            Case(#""x":"hello""#, "contains(x,'')", true),
            Case(#""x":"""#, "startsWith(x,'')", true),
            Case(#""x":"""#, "endsWith(x,'a')", false),
            Case(#""x":5"#, "contains(x,'5')", false),
            Case("", "contains(x,'')", false),
            // The escape of a line feed ends with an n that is none.
            Case(#""x":"a\n""#, "endsWith(x,'n')", false),
            Case(#""x":"a\n""#, #"endsWith(x,"\n")"#, true),
            Case(#""x":"a\nb""#, "contains(x,'nb')", false),
            Case(#""x":"a\nnb""#, "contains(x,'nb')", true),
            Case(#""x":"a\\nb""#, "contains(x,'nb')", true),
            Case(#""x":"a\\nb""#, #"contains(x,"\n")"#, false),
            Case(#""x":"\u001f""#, "contains(x,'1f')", false),
            Case(#""x":"\u001f1f""#, "contains(x,'1f')", true),
            Case(#""x":"\u2028""#, #"startsWith(x,"\u2028")"#, true),
            Case(#""x":"aabaabaac""#, "contains(x,'aabaac')", true),
            Case(#""x":"aaaaab""#, "contains(x,'aaab')", true),
            Case(#""x":"say \"hi\"""#, #"endsWith(x,"\"")"#, true),
        ])
    }

    @Test func pathsGoThroughObjectsOnly() throws {
        try check([
            Case(#""a":{"b":{"c":7}}"#, "a.b.c == 7", true),
            Case(#""a":{"b":{"c":7}}"#, "exists(a.b)", true),
            Case(#""a":[{"b":1}]"#, "exists(a.b)", false),
            Case(#""a":"b""#, "a.b == null", true),
            Case(#""a":{"b":null}"#, "exists(a.b)", true),
            Case(#""a":{"b":null}"#, "exists(a.b.c)", false),
            Case(#""a b":{"c\nd":1}"#, "exists(`a b`.c)", false),
            Case(#""a b":{"c":1}"#, "`a b`.c == 1", true),
            Case(#""a":{"id":9}"#, "a.id == 9", true),
            Case(#""a":{"id":"9"}"#, "a.id == 9", false),
        ])
    }

    @Test func logic() throws {
        try check([
            Case(#""x":1,"y":2"#, "x == 1 && y == 2", true),
            Case(#""x":1,"y":2"#, "x == 1 and y == 3 or y == 2", true),
            Case(#""x":1,"y":2"#, "x == 1 and (y == 3 or y == 4)", false),
            Case(#""x":1"#, "!(x == 1) || !(x == 2)", true),
            Case("", "true", true),
            Case("", "false or true and not false", true),
        ])
    }

    @Test func theIdentifierComparesAsAnIdentifier() throws {
        func holds(_ id: String, _ filter: String) throws -> Bool {
            let row = try document("{\"id\":\(id)}")
            return try FilterEvaluator(try Filter(parsing: filter)).matches(row) == true
        }
        for spelling in ["7", "\"7\"", "7.0", "70e-1"] {
            #expect(try holds(spelling, "id == 7"))
            #expect(try holds(spelling, "id == '7'"))
            #expect(try holds(spelling, "id in ['7']"))
            #expect(try holds(spelling, "id in [3,7.0]"))
            #expect(try holds(spelling, "id < 10"))
            #expect(try holds(spelling, "id < '10'"))
            #expect(try holds(spelling, "id > -1"))
            #expect(try holds(spelling, "id < 'a'"))
            #expect(try holds(spelling, "id != 8"))
            #expect(try holds(spelling, "startsWith(id, '7')"))
        }
        #expect(try !holds("\"07\"", "id == 7"))
        #expect(try holds("\"07\"", "id > 7"))
        #expect(try holds("\"abc\"", "id > 9223372036854775807"))
        #expect(try holds("\"a\\\"b\"", #"id == "a\"b""#))
        #expect(try holds("\"a\\\"b\"", "endsWith(id, 'b')"))
        #expect(try holds("\"a\\\\n\"", "contains(id, 'n')"))
        #expect(try holds("\"abcabd\"", "contains(id, 'abd')"))
        for other in ["null", "true", "1.5", "['7']"] {
            #expect(try !holds("7", "id == \(other)"))
            #expect(try holds("7", "id != \(other)"))
            if other != "1.5" { #expect(try !holds("7", "id <= \(other)")) }
            #expect(try !holds("7", "id in [\(other)]"))
        }
        // A number that is no id bounds ids all the same.
        let huge = "100000000000000000000"
        for (id, bound) in [
            ("7", "< 7.5"), ("7", "<= 7.5"), ("7", "> 6.5"), ("7", ">= 6.99999999999999999999"),
            ("7", "< \(huge)"), ("7", "> -\(huge)"), ("0", "> -0.5"), ("-1", "< -0.5"),
            ("9223372036854775807", "< 9223372036854775807.5"),
            ("9223372036854775807", "<= 9223372036854775808"),
            ("-9223372036854775808", "> -9223372036854775808.5"),
            ("-9223372036854775808", ">= -9223372036854775809"),
            ("\"k\"", "> \(huge)"), ("\"\(huge)\"", "> 5.5"), ("\"07\"", ">= 1e999999"),
        ] {
            let opposite = bound.hasPrefix("<") ? "> " : "< "
            let number = bound.drop { "<>= ".contains($0) }
            #expect(try holds(id, "id \(bound)"), "\(id) \(bound)")
            #expect(try holds(id, "!(id \(opposite)\(number))"), "\(id) \(bound)")
            #expect(try !holds(id, "id \(opposite)\(number)"), "\(id) \(bound)")
            #expect(try !holds(id, "id == \(number)"), "\(id) \(bound)")
        }
        #expect(try holds("7", "exists(id)"))
        #expect(try !holds("7", "isNull(id)"))
        #expect(try !holds("7", "id"))
        #expect(try !holds("7", "id has 7"))
        #expect(try !holds("7", "size(id) == 1"))
    }
}
