/// Texts and what becomes of them, by production of RFC 8259.
enum JSONCorpus {
    /// Accepted; one a line.
    static let accepted: [String] = [
        // Section 2: whitespace around every token, all four kinds.
        " \t\r\n1 \t\r\n", "[ ]", "{ }", "\t[\r1\n,\t2 ] ", "{ \"a\" : 1 , \"b\" : 2 }", "[\n]",
        // Section 3: any value may be the root.
        "true", "false", "null", "0", "\"\"", "[]", "{}",
        // Section 4: objects.
        "{\"\":0}", "{\"a\":{\"a\":{\"a\":0}}}", "{\"a\":1,\"A\":2}",
        "{\"a\":[{\"a\":1}],\"b\":{}}",
        "{\"a\\u0000b\":1}", "{\"a\":0,\"a\\u0000\":0}", "{\"é\":1,\"e\u{301}\":2}",
        // Section 5: arrays.
        "[1]", "[null,1,\"1\",{},[]]", "[[],[[]],[[],[]]]", "[1,1,1,1]", "[\"a\",\n4 ,null]",
        // Section 6: numbers.
        "-0", "-1", "10", "1234567890123456789012345678901234567890", "0.0", "-0.5", "1.000",
        "0e0", "0E-1", "1e5", "1E5", "1e+5", "1e-5", "1.5e10", "-1.5E-10", "0e+1", "1e400",
        "-1e-400", "123e65", "0.000000000000000000000000000000000001", "20e1", "1e00",
        "1e99999999999999999999999",
        // Section 7: strings.
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\"", "\"\\u001f\\u001F\"", "\"\\uD834\\uDD1E\"",
        "\"\\ud834\\udd1e\"", "\"\\uABcd\"", "\"\\uFFFF\"", "\"\\uFFFE\\uFDD0\"", "\"\\u2028\"",
        "\"\u{2028}\u{2029}\"", "\"\u{7F}\"", "\"\\\\u0041\"", "\"\\\\\\\\\"", "\"/\"", "\" \"",
        "\"\\uDBFF\\uDFFF\"", "\"\\ud7ff\\ue000\"", "\"a/*b*/c/*d//e\"", "\"'\"", "\"\\u0022\"",
        "\"é漢😀\u{10FFFF}\u{800}\u{FFFF}\u{10000}\u{80}\u{7FF}\"", "\"\u{FEFF}\"",
        "[\"asd\u{1F600} of more than eight bytes\"]", "\"12345678\"", "\"1234567\\n8\"",
    ]

    /// Refused, why, and at which byte.
    static let refused: [(text: String, reason: String, offset: Int)] = [
        // Nothing, or cut off: every proper beginning is `endOfText`, see the prefix test.
        ("", "endOfText", 0), (" ", "endOfText", 1), ("[", "endOfText", 1), ("{", "endOfText", 1),
        ("\"", "endOfText", 1), ("-", "endOfText", 1), ("[1", "endOfText", 2),
        ("[1,", "endOfText", 3), ("{\"a\"", "endOfText", 4), ("{\"a\":", "endOfText", 5),
        ("{\"a\":1,", "endOfText", 7), ("\"\\", "endOfText", 2), ("\"\\u00", "endOfText", 5),
        ("\"\\ud800\\", "endOfText", 8), ("tru", "endOfText", 3), ("fals", "endOfText", 4),
        ("1.", "endOfText", 2), ("1e", "endOfText", 2), ("1e+", "endOfText", 3),
        ("[\"a", "endOfText", 3), ("[\"\\\"]", "endOfText", 5),
        // Behind the value.
        ("1 1", "expectedEnd", 2), ("[]]", "expectedEnd", 2), ("{}}", "expectedEnd", 2),
        ("[] x", "expectedEnd", 3), ("truex", "expectedEnd", 4), ("nulll", "expectedEnd", 4),
        ("{\"a\":1}/**/", "expectedEnd", 7), ("[1]\0", "expectedEnd", 3),
        ("\"\"\"", "expectedEnd", 2), ("1,", "expectedEnd", 1), ("[]#", "expectedEnd", 2),
        ("1\u{A0}", "expectedEnd", 1), ("2.5.", "expectedEnd", 3), ("1e1e1", "expectedEnd", 3),
        ("0x1", "expectedEnd", 1), ("1_000", "expectedEnd", 1), ("1a", "expectedEnd", 1),
        // Values.
        ("]", "expectedValue", 0), ("}", "expectedValue", 0), (",", "expectedValue", 0),
        (":", "expectedValue", 0), ("a", "expectedValue", 0), ("'a'", "expectedValue", 0),
        ("+1", "expectedValue", 0), (".5", "expectedValue", 0), ("NaN", "expectedValue", 0),
        ("Infinity", "expectedValue", 0), ("True", "expectedValue", 0), ("\0", "expectedValue", 0),
        ("\u{A0}1", "expectedValue", 0), ("\u{C}1", "expectedValue", 0),
        ("\u{B}1", "expectedValue", 0),
        ("\u{2060}1", "expectedValue", 0), ("/**/1", "expectedValue", 0), ("*", "expectedValue", 0),
        ("\\u0061", "expectedValue", 0), ("<null>", "expectedValue", 0), ("é", "expectedValue", 0),
        // Literals.
        ("nul ", "badLiteral", 3), ("tRue", "badLiteral", 1), ("falsy", "badLiteral", 4),
        ("[nul]", "badLiteral", 4), ("nan!", "badLiteral", 1), ("fAlse", "badLiteral", 1),
        // Arrays.
        ("[,1]", "expectedValueOrBracket", 1), ("[}", "expectedValueOrBracket", 1),
        ("[1,]", "expectedValue", 3), ("[1,,2]", "expectedValue", 3),
        ("[1 2]", "expectedCommaOrBracket", 3), ("[1}", "expectedCommaOrBracket", 2),
        ("[1:2]", "expectedCommaOrBracket", 2), ("[\"a\" b]", "expectedCommaOrBracket", 5),
        ("[1\u{C}]", "expectedCommaOrBracket", 2), ("[1 true]", "expectedCommaOrBracket", 3),
        // Objects.
        ("{,}", "expectedNameOrBrace", 1), ("{]", "expectedNameOrBrace", 1),
        ("{a:1}", "expectedNameOrBrace", 1), ("{1:1}", "expectedNameOrBrace", 1),
        ("{'a':1}", "expectedNameOrBrace", 1), ("{null:1}", "expectedNameOrBrace", 1),
        ("{\"a\":1,}", "expectedName", 7), ("{\"a\":1,,}", "expectedName", 7),
        ("{\"a\":1,b:2}", "expectedName", 7), ("{\"a\" 1}", "expectedColon", 5),
        ("{\"a\",1}", "expectedColon", 4), ("{\"a\"}", "expectedColon", 4),
        ("{\"a\"::1}", "expectedValue", 5), ("{\"a\":}", "expectedValue", 5),
        ("{\"a\":1 \"b\":2}", "expectedCommaOrBrace", 7), ("{\"a\":1]", "expectedCommaOrBrace", 6),
        ("{\"a\":1:2}", "expectedCommaOrBrace", 6), ("{\"a\":b}", "expectedValue", 5),
        ("{\"a\":/**/1}", "expectedValue", 5), ("[{\"a\":1}}", "expectedCommaOrBracket", 8),
        // Duplicates, at every level, compared unescaped.
        ("{\"a\":1,\"a\":2}", "duplicateName", 7), ("{\"a\":1,\"\\u0061\":2}", "duplicateName", 7),
        ("{\"\\u0061\":1,\"a\":2}", "duplicateName", 12),
        ("[{\"\":1,\"\":2}]", "duplicateName", 7),
        ("{\"x\":{\"a\":1,\"a\":1}}", "duplicateName", 12),
        ("{\"é\":1,\"\\u00E9\":2}", "duplicateName", 8),
        ("{\"\\ud83d\\ude00\":1,\"😀\":2}", "duplicateName", 18),
        ("{\"a name of many bytes\":1,\"b\":1,\"a name of many bytes\":2}", "duplicateName", 32),
        // Numbers.
        ("01", "leadingZero", 1), ("-01", "leadingZero", 2), ("[00]", "leadingZero", 2),
        ("-", "endOfText", 1), ("-a", "badNumber", 1), ("[-]", "badNumber", 2),
        ("[1.]", "badNumber", 3), ("[1.e1]", "badNumber", 3), ("[1e]", "badNumber", 3),
        ("[1e+]", "badNumber", 4), ("[1ea]", "badNumber", 3), ("--1", "badNumber", 1),
        ("-+1", "badNumber", 1), ("[1e--1]", "badNumber", 4), ("[1.-1]", "badNumber", 3),
        ("-Infinity", "badNumber", 1), ("[-.1]", "badNumber", 2), ("1.\u{661}", "badNumber", 2),
        // Strings.
        ("\"\n\"", "controlCharacter", 1), ("\"a\0\"", "controlCharacter", 2),
        ("\"\u{1F}\"", "controlCharacter", 1), ("\"\t\"", "controlCharacter", 1),
        ("{\"a\nb\":1}", "controlCharacter", 3), ("\"12345678\u{1}\"", "controlCharacter", 9),
        ("\"\\a\"", "badEscape", 2), ("\"\\x41\"", "badEscape", 2), ("\"\\'\"", "badEscape", 2),
        ("\"\\U0041\"", "badEscape", 2), ("\"\\u00G0\"", "badEscape", 5),
        ("\"\\u004\"", "badEscape", 6), ("\"\\u 041\"", "badEscape", 3),
        ("\"\\\n\"", "badEscape", 2),
        ("\"\\é\"", "badEscape", 2), ("\"\\u+041\"", "badEscape", 3), ("\"\\\0\"", "badEscape", 2),
        ("\"\\ud800\"", "loneSurrogate", 1), ("\"\\udc00\"", "loneSurrogate", 1),
        ("\"a\\ud800a\"", "loneSurrogate", 2), ("\"\\ud800\\n\"", "loneSurrogate", 1),
        ("\"\\ud800\\ud800\"", "loneSurrogate", 1), ("\"\\ud800\\u0041\"", "loneSurrogate", 1),
        ("\"\\udc00\\ud800\"", "loneSurrogate", 1), ("{\"\\ud800\":1}", "loneSurrogate", 2),
        ("\"\\ud800\\udc0g\"", "badEscape", 12), ("\"\\uDBFF\\uE000\"", "loneSurrogate", 1),
        // No byte order mark.
        ("\u{FEFF}1", "byteOrderMark", 0), ("\u{FEFF}", "byteOrderMark", 0),
        (" \u{FEFF}1", "expectedValue", 1),
    ]

    /// Bytes that are no UTF-8, to stand inside a string.
    static let badUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3, 0x28], [0xE0, 0x80, 0x80],
        [0xE0, 0x9F, 0xBF], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80],
        [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
        [0xF0, 0x28, 0x8C, 0xBC], [0xF0, 0x90, 0x28, 0xBC], [0xF0, 0x90, 0x8C, 0x28],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
        [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC3, 0xC3], [0xE9], [0xE2, 0x82],
        [0xF0, 0x9F, 0x98], [0xF0, 0x9F],
    ]
}
