import FreshetBase
import FreshetQuery
import Testing

@testable import FreshetEngine

@Suite("Regular expressions")
struct RegexTests {
    private func found(_ pattern: String, _ text: String) throws -> Bool {
        try isFound(pattern, text)
    }

    @Test("A pattern is found anywhere; anchors are the ends of the text")
    func places() throws {
        #expect(try found("lib.*ssl[0-9]", "a libopenssl3 thing"))
        #expect(try !found("lib.*ssl[0-9]", "a libopenssl thing"))
        #expect(try !found("lib.*ssl[0-9]", "ssl3 lib"))
        #expect(try found("^ab$", "ab"))
        #expect(try !found("^ab$", "ab\n"))
        #expect(try !found("^b", "a\nb"))
        #expect(try !found("a$", "a\nb"))
        #expect(try found("(^|x)b", "axb"))
        #expect(try !found("a^b", "ab"))
        for pattern in ["", "()", "a*", "(?:)|b", "^", "$", "^$|x", "(?i)"] {
            #expect(try found(pattern, ""))
        }
        #expect(try !found(".", ""))
    }

    @Test("The dot takes all but a line feed, and whole scalars")
    func dot() throws {
        #expect(try !found("^.$", "\n"))
        for text in ["\r", "\u{85}", "\u{2028}", "é", "日", "😀", "\u{10FFFF}", "\0"] {
            #expect(try found("^.$", text))
        }
        #expect(try !found("^.$", "e\u{301}"))
        #expect(try found("^[\\u0301e]{2}$", "e\u{301}"))
    }

    @Test("Names of classes are ASCII, negated ones all else")
    func namedClasses() throws {
        #expect(try found("^\\w+$", "aZ0_"))
        #expect(try !found("\\w", "é日-"))
        #expect(try found("^\\W+$", "é日-"))
        #expect(try !found("\\d", "٣"))
        #expect(try found("^\\s{6}$", " \t\n\u{B}\u{C}\r"))
        #expect(try !found("\\s", "\u{A0}\u{2003}"))
        #expect(try found("^[\\d\\-a]+$", "1-a"))
        #expect(try found("^[^\\D5]+$", "1234"))
        #expect(try !found("[^\\D5]", "5"))
        #expect(try found("\\bcat\\b", "a cat sat"))
        #expect(try !found("\\bcat\\b", "concatenate"))
        #expect(try found("\\Bcat\\B", "concatenate"))
        #expect(try found("é\\b", "éa"))
        #expect(try !found("é\\B", "éa"))
        #expect(try !found("\\B", "aéa"))
        #expect(try found("\\B", ""))
    }

    @Test("Folding is simple and of every scalar; it ends with its group")
    func folding() throws {
        #expect(try found("(?i)straße", "STRAßE"))
        #expect(try found("(?i)^ß$", "ẞ"))
        #expect(try found("(?i)k", "\u{212A}"))
        #expect(try found("(?i)[a-z]", "\u{17F}"))
        #expect(try found("(?i)σ", "ς"))
        #expect(try !found("(?i)[^a]", "A"))
        #expect(try !found("(?i)\\w", "\u{212A}"))
        #expect(try !found("a(?i:b)c", "aBC"))
        #expect(try found("a(?i:b)c", "aBc"))
        #expect(try found("a((?i)b)c", "aBc"))
        #expect(try found("(?i)a(?-i)b", "Ab"))
        #expect(try !found("(?i)a(?-i)b", "AB"))
    }

    @Test("Every scalar folds with those of its orbit and no other")
    func everyOrbitIsKnown() {
        var orbits: [UInt32: [UInt32]] = [:]
        for value in UInt32(0)...ScalarSet.lastScalar where Unicode.Scalar(value) != nil {
            orbits[CaseFolding.simple(value), default: []].append(value)
        }
        for orbit in orbits.values where orbit.count > 1 {
            let all = ScalarSet(orbit.map { ScalarRange(low: $0, high: $0) })
            for value in orbit { #expect(ScalarSet(value).folded == all) }
        }
    }

    @Test("Escapes stand for what they say")
    func escapes() throws {
        #expect(try found("^\\n\\t\\r\\f\\v$", "\n\t\r\u{C}\u{B}"))
        #expect(try found("^\\x41\\u00e9\\u{1F600}\\uD83D\\uDE00\\u{9}$", "Aé😀😀\t"))
        #expect(try found(#"^\.\*\+\?\(\)\[\]\{\}\|\^\$\\\/\-\"\'\_$"#, ".*+?()[]{}|^$\\/-\"'_"))
        #expect(try found("^[\\]\\[^\\\\-]+$", "][^\\-"))
        #expect(try found("^[a-c-]+$", "b-"))
        #expect(try found("]}", "]}"))
    }

    @Test(
        "What is no expression is told with its place",
        arguments: [
            ("a(b", 3), ("a)", 1), ("*a", 0), ("a|+", 2), ("a**", 2), ("a*+", 2), ("a??+", 3),
            ("a{2}{3}", 4), ("{2}", 0), ("a{", 1), ("a{x}", 1), ("a{,2}", 1), ("a{3,2}", 1),
            ("a{1", 1), ("[a", 2), ("[]", 1), ("[^]", 2), ("[z-a]", 1), ("[a-\\d]", 1),
            ("[\\d-z]", 3), ("[[:alpha:]]", 1), ("[\\b]", 1), ("x\\1", 1), ("\\k<a>", 0),
            ("\\p{L}", 0), ("\\A", 0), ("\\", 0), ("\\é", 0), ("\\x4", 0), ("\\u12", 0),
            ("\\u{}", 0), ("\\u{110000}", 0), ("\\uD800", 0), ("é(?=a)", 2), ("(?!a)", 0),
            ("(?<=a)", 0), ("(?<!a)", 0), ("(?<n>a)", 0), ("(?P<n>a)", 0), ("(?>a)", 0),
            ("(?x)", 0), ("(?ix)", 3), ("(?", 0), ("(", 1), ("(?i", 3),
        ])
    func faults(_ pattern: String, _ offset: Int) {
        do {
            _ = try Regex(pattern)
            Issue.record("\(pattern) was taken")
        } catch {
            guard case .syntax(let place, let expected) = error else {
                Issue.record("\(pattern): \(error)")
                return
            }
            #expect(place == offset, "\(pattern): \(expected)")
            #expect(!expected.isEmpty)
        }
    }

    @Test(
        "What is past a limit is too complex",
        arguments: [
            String(repeating: "a", count: 16_385), "a{10001}", "a{99999999999999999999}",
            "(a{100}){101}", "((((a{99}){99}){99}){99}){99}", "(((a?){99}){99}){99}",
            String(repeating: "(", count: 102) + String(repeating: ")", count: 102),
            String(repeating: "(", count: 16_000), "[a-zé]{6000}",
        ])
    func limits(_ pattern: String) {
        do {
            _ = try Regex(pattern)
            Issue.record("it was taken")
        } catch {
            guard case .tooComplex = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test("Repeats of nothing and large ones below the limit are taken")
    func repeats() throws {
        #expect(try found("((((){9999}){9999}){9999}){9999}", ""))
        #expect(try found("((a{0}){9999}){9999}b", "b"))
        #expect(try found("^(a*)*$", "aaaa"))
        #expect(try found("^(|a)+$", "aaa"))
        #expect(try found("^.{2000}$", String(repeating: "é", count: 2_000)))
        #expect(try !found("^.{2000}$", String(repeating: "é", count: 1_999)))
        let deep = String(repeating: "(", count: 100) + "a" + String(repeating: ")", count: 100)
        #expect(try found(deep, "bab"))
    }

    @Test("An automaton's size does not grow with the sets of its scalars")
    func sizes() throws {
        #expect(try Regex(".").stateCount <= 10)
        #expect(try Regex("[^a]").stateCount <= 10)
        #expect(try Regex("\\W").stateCount <= 10)
        #expect(try Regex("(?i)[\\u{0}-\\u{10FFFF}]").stateCount <= 10)
    }

    @Test("Stored strings are matched as what they stand for")
    func storedStrings() throws {
        func holds(_ value: String, _ pattern: String) throws -> Bool {
            var filter = "x ~= '"
            for character in pattern {
                if character == "\\" || character == "'" { filter += "\\" }
                filter.append(character)
            }
            let evaluator = try FilterEvaluator(try Filter(parsing: filter + "'"))
            return evaluator.matches(try document("{\"id\":1,\"x\":\(value)}")) == true
        }
        #expect(try holds(#""a\nb""#, "^a\\nb$"))
        #expect(try !holds(#""a\nb""#, "n"))
        #expect(try holds(#""a\\nb""#, "^a\\\\nb$"))
        #expect(try holds(#""\"q\" \u2028 \u0001""#, "^\"q\" \\u2028 \\x01$"))
        #expect(try holds("\"\"", "^$"))
        #expect(try holds("\"it's\"", "it's"))
        for value in ["null", "1", "true", "[\"a\"]", "{\"a\":\"a\"}"] {
            #expect(try !holds(value, ""))
        }
        let absent = try FilterEvaluator(try Filter(parsing: "y ~= ''"))
        #expect(absent.matches(try document("{\"id\":1}")) == false)
        let id = try FilterEvaluator(try Filter(parsing: #"id ~= '^a"\\d$'"#))
        #expect(id.matches(try document(#"{"id":"a\"7"}"#)) == true)
        let number = try FilterEvaluator(try Filter(parsing: "id ~= '^1.$'"))
        #expect(number.matches(try document("{\"id\":17}")) == true)
    }
}
