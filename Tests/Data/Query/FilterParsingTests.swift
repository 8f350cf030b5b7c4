import FreshetQuery
import Testing

/// A path of plain names.
func path(_ names: String...) -> PropertyPath { PropertyPath(names) }

/// A literal by its canonical JSON.
func literal(_ json: String) -> Literal { Literal(canonical: Array(json.utf8)) }

func parse(_ text: String) throws(FilterFault) -> Filter { try Filter(parsing: text) }

func filterFault(_ text: String) -> FilterFault? {
    do throws(FilterFault) {
        _ = try Filter(parsing: text)
        return nil
    } catch {
        return error
    }
}

private let x = path("x")
private let xIs1 = Filter.compare(path("x"), .equal, literal("1"))
private let yIs2 = Filter.compare(path("y"), .equal, literal("2"))
private let zIs3 = Filter.compare(path("z"), .equal, literal("3"))

@Suite struct FilterParsingTests {
    @Test(
        arguments: [
            ("x == 1", xIs1),
            ("x==1", xIs1),
            (" \t\r\nx\n==\n1 ", xIs1),
            ("x != 1", .compare(x, .notEqual, literal("1"))),
            ("x < 1", .compare(x, .less, literal("1"))),
            ("x<=1", .compare(x, .lessOrEqual, literal("1"))),
            ("x > 1", .compare(x, .greater, literal("1"))),
            ("x>=1", .compare(x, .greaterOrEqual, literal("1"))),
            ("x<-1", .compare(x, .less, literal("-1"))),
            ("x >> [1]", .isIn(x, [literal("1")])),
            ("x>>(1,2)", .isIn(x, [literal("1"), literal("2")])),
            ("x in [1,\"a\"]", .isIn(x, [literal("1"), literal("\"a\"")])),
            ("x in(1 , null)", .isIn(x, [literal("1"), literal("null")])),
            ("x in []", .isIn(x, [])),
            ("x in ()", .isIn(x, [])),
            ("x has 1", .has(x, literal("1"))),
            ("x has [1]", .has(x, literal("[1]"))),
            ("x hasAny [1,2]", .hasAny(x, [literal("1"), literal("2")])),
            ("x hasAny 1", .hasAny(x, [literal("1")])),
            ("x hasAll (1,2)", .hasAll(x, [literal("1"), literal("2")])),
            ("exists(x)", .exists(x)),
            ("exists ( x )", .exists(x)),
            ("isNull(x.y)", .isNull(path("x", "y"))),
            ("startsWith(x,\"a\")", .startsWith(x, literal("\"a\""))),
            ("contains( x , 'a' )", .contains(x, literal("\"a\""))),
            ("endsWith(x,'')", .endsWith(x, literal("\"\""))),
            ("size(x) > 2", .size(x, .greater, 2)),
            ("size(x)==-0", .size(x, .equal, 0)),
            ("size(x) != 1e1", .size(x, .notEqual, 10)),
            ("x", .isTrue(x)),
            ("x.y-z._0", .isTrue(path("x", "y-z", "_0"))),
            ("true", .constant(true)),
            ("false", .constant(false)),
            ("x ~= '^a'", .matches(x, Pattern(text: "^a"))),
        ] as [(String, Filter)])
    func everyTestHasItsForm(text: String, filter: Filter) throws {
        #expect(try parse(text) == filter)
    }

    @Test(
        arguments: [
            ("x==1 && y==2", Filter.and([xIs1, yIs2])),
            ("x==1 and y==2 and z==3", .and([xIs1, yIs2, zIs3])),
            ("x==1 || y==2 && z==3", .or([xIs1, .and([yIs2, zIs3])])),
            ("x==1 and y==2 or z==3", .or([.and([xIs1, yIs2]), zIs3])),
            ("(x==1 or y==2) and z==3", .and([.or([xIs1, yIs2]), zIs3])),
            ("x==1 and (y==2 and z==3)", .and([xIs1, .and([yIs2, zIs3])])),
            ("((x==1))", xIs1),
            ("!x==1", .not(xIs1)),
            ("!!x==1", .not(.not(xIs1))),
            ("not x==1 and y==2", .and([.not(xIs1), yIs2])),
            ("not(x==1 or y==2)", .not(.or([xIs1, yIs2]))),
            ("!x", .not(.isTrue(path("x")))),
            (
                "x&&y||!x",
                .or([.and([.isTrue(path("x")), .isTrue(path("y"))]), .not(.isTrue(path("x")))])
            ),
            ("true and x==1", .and([.constant(true), xIs1])),
        ] as [(String, Filter)])
    func connectivesBindAsUsual(text: String, filter: Filter) throws {
        #expect(try parse(text) == filter)
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "-0"), ("1.50", "1.50"), ("1E+02", "1E+02"), ("-1.5e-7", "-1.5e-7"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("true", "true"), ("null", "null"), ("[]", "[]"), ("[ 1 , [ 'a' ] ]", "[1,[\"a\"]]"),
        ("'a'", "\"a\""), ("\"it's\"", "\"it's\""), (#"'it\'s'"#, "\"it's\""),
        (#"'say "hi"'"#, #""say \"hi\"""#),
        (
            #""\u0041\u00e9\ud83d\ude00\/\b\f\n\r\t\\""#,
            "\"Aé😀/\\b\\f\\n\\r\\t\\\\\""
        ),
        ("'é日本😀'", "\"é日本😀\""), (#"'\u2028'"#, #""\u2028""#), ("'\u{2028}'", #""\u2028""#),
        (#"'\u0000'"#, #""\u0000""#),
    ])
    func literalsAreKeptExactlyInCanonicalForm(text: String, json: String) throws {
        #expect(try parse("x == " + text) == .compare(x, .equal, literal(json)))
    }

    @Test func wordsOfTheLanguageAreNamesWhereTheyCanBeNothingElse() throws {
        #expect(try parse("size == 3") == .compare(path("size"), .equal, literal("3")))
        #expect(try parse("exists") == .isTrue(path("exists")))
        #expect(try parse("in in [1]") == .isIn(path("in"), [literal("1")]))
        #expect(try parse("has has 1") == .has(path("has"), literal("1")))
        #expect(try parse("a.and == 1") == .compare(path("a", "and"), .equal, literal("1")))
        #expect(try parse("true.x") == .isTrue(path("true", "x")))
        #expect(
            try parse("android and order")
                == .and([.isTrue(path("android")), .isTrue(path("order"))]))
        #expect(try parse("nothing") == .isTrue(path("nothing")))
    }

    @Test func backquotesMakeANameOfAnyText() throws {
        #expect(try parse("`and` and `or`") == .and([.isTrue(path("and")), .isTrue(path("or"))]))
        #expect(try parse("`not`") == .isTrue(path("not")))
        #expect(
            try parse("`first name`.`a.b` == 1")
                == .compare(path("first name", "a.b"), .equal, literal("1")))
        #expect(try parse("`true`") == .isTrue(path("true")))
        #expect(try parse("``") == .isTrue(path("")))
        #expect(try parse("`a``b`") == .isTrue(path("a`b")))
        #expect(try parse("`é\"`") == .isTrue(path("é\"")))
        #expect(try parse("`id`") == .isTrue(.id))
    }

    @Test(
        arguments: [
            ("", 0, "a test"), ("   ", 3, "a test"), ("x ==", 4, "a value"), ("x = 1", 2, "=="),
            ("x == open", 5, "a value"), ("x == 'a", 7, "closing '"), ("x == \"a", 7, "closing \""),
            ("x == 'é' y", 10, "and, or, or the end"), ("x y", 2, "an operator"),
            ("x & y", 2, "&&"), ("x==1 & y", 5, "&&"), ("x | y", 2, "||"), ("(x", 2, "')'"),
            ("x)", 1, "the end"), ("()", 1, "a test"), ("x ==1 and", 9, "a test"),
            ("and x", 0, "backquotes"), ("x and or", 6, "backquotes"),
            ("null == x", 0, "backquotes"),
            ("x == 01", 5, "leading zeros"), ("x == 1.", 7, "a digit"), ("x == -", 6, "a digit"),
            ("x == 1e", 7, "a digit"), ("x == 1a", 6, "the end of the number"),
            ("x == +1", 5, "a value"), ("x == .5", 5, "a value"), ("x == [1", 7, "']'"),
            ("x == [1,]", 8, "a value"), ("x == (1)", 5, "a value"), ("x in 1", 5, "a list"),
            ("x in [1", 7, "']'"), ("x in (1]", 7, "')'"), ("x in (1", 7, "')'"),
            ("exists()", 7, "a property name"), ("exists(x", 8, "')'"), ("exists(x,y)", 8, "')'"),
            ("startsWith(x)", 12, "','"), ("startsWith(x, 1)", 14, "quotes"),
            ("size(x)", 7, "=="), ("size(x) > 1.5", 10, "an integer"),
            ("size(x) > 'a'", 10, "an integer"),
            ("size(x) >> [1]", 8, "=="), ("x.", 2, "a property name"),
            ("x. y", 2, "a property name"),
            (".x", 0, "a test"), ("1 == x", 0, "a test"), ("x ~= 1", 5, "quotes"),
            ("`x", 2, "a closing backquote"), ("x == '\\x'", 6, "an escape"),
            ("x == '\\u12'", 6, "four hexadecimal"), ("x == '\\ud800'", 6, "surrogate"),
            ("x == '\\udc00\\ud800'", 6, "surrogate"), ("x == '\\ud800\\u0041'", 6, "surrogate"),
            ("x == \"\\'\"", 6, "an escape"), ("x == 'a\nb'", 7, "control character"),
            ("x == {\"a\":1}", 5, "a value"), ("true x", 5, "the end"), ("true == x", 5, "the end"),
            ("x == 1 == 2", 7, "the end"), ("é == 1", 0, "a test"),
            ("x <> 1", 2, "!= ('<>' is no operator)"),
            ("x !== 1", 2, "!= ("),
            ("x === 1", 2, "== ("), ("x =~ 'a'", 2, "~= ("), ("x => 1", 2, ">= ("),
            ("x !~ 'a'", 2, "'!~' is none"), ("x ~ 'a'", 2, "~= ("), ("!", 1, "a test"),
            ("x == truely", 5, "a value"), ("x == nullx", 5, "a value"),
            ("x\u{0}", 1, "an operator"),
        ] as [(String, Int, String)])
    func aMistakeIsToldWithItsByteAndWhatWasExpected(
        text: String, offset: Int, expected: String
    ) {
        guard case .syntax(let at, let sentence)? = filterFault(text) else {
            Issue.record("\(text) is accepted, or another fault")
            return
        }
        #expect(at == offset, "\(text): \(sentence)")
        #expect(sentence.contains(expected), "\(text): \(sentence)")
    }

    @Test func textThatIsNoUTF8IsRefusedWhereItBegins() {
        let bytes = Array("x == '".utf8) + [0xC3, 0x28] + Array("'".utf8)
        _ = bytes.withUnsafeBytes { bytes in
            #expect(throws: FilterFault.syntax(offset: 6, expected: "UTF-8 text")) {
                try Filter(parsing: bytes)
            }
        }
    }

    @Test func aPatternKnowsWhereItStands() throws {
        guard case .matches(_, let pattern) = try parse("x ~= 'a\\\\d'") else {
            Issue.record("no pattern")
            return
        }
        #expect(pattern.text == "a\\d")
        #expect(pattern.offset == 5)
    }
}

@Suite struct FilterLimitTests {
    private func nested(_ count: Int) -> String {
        String(repeating: "(", count: count) + "x" + String(repeating: ")", count: count)
    }

    private func isTooComplex(_ text: String) -> Bool {
        if case .tooComplex = filterFault(text) { true } else { false }
    }

    @Test func sixtyFourLevelsAreFineAndOneMoreIsNot() {
        #expect(filterFault(nested(64)) == nil)
        #expect(isTooComplex(nested(65)))
        #expect(filterFault(String(repeating: "!", count: 64) + "x") == nil)
        #expect(isTooComplex(String(repeating: "!", count: 65) + "x"))
        #expect(isTooComplex(String(repeating: "not ", count: 65) + "x"))
        #expect(
            filterFault(
                String(repeating: "!(", count: 32) + "x" + String(repeating: ")", count: 32)) == nil
        )
        #expect(
            isTooComplex(
                String(repeating: "!(", count: 33) + "x" + String(repeating: ")", count: 33)))
        let lists = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(isTooComplex("x == " + lists))
        #expect(filterFault("x == " + lists.dropFirst().dropLast()) == nil)
        #expect(isTooComplex(String(repeating: "a.", count: 64) + "a"))
        #expect(filterFault(String(repeating: "a.", count: 63) + "a") == nil)
    }

    @Test func aThousandNodesAreFineAndOneMoreIsNot() {
        // The conjunction is a node, too.
        let tests = { (count: Int) in Array(repeating: "x==1", count: count).joined(separator: "&&")
        }
        #expect(filterFault(tests(999)) == nil)
        #expect(isTooComplex(tests(1000)))
    }

    @Test func textHasAtMost16KiB() {
        let padding = { (count: Int) in "x" + String(repeating: " ", count: count - 1) }
        #expect(filterFault(padding(16_384)) == nil)
        #expect(isTooComplex(padding(16_385)))
        #expect(isTooComplex(nested(10_000)))
        #expect(isTooComplex(nested(1 << 20)))
        #expect(isTooComplex(String(repeating: "(", count: 16_000)))
        #expect(isTooComplex(String(repeating: "x == ", count: 1 << 18)))
    }
}
