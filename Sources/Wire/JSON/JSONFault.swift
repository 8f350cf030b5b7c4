/// Why a text is no JSON that we take, and where.
package struct JSONFault: Error, Equatable, Sendable {
    /// What was wrong; `JSONFault.expectation` has the words.
    package enum Reason: UInt8, Sendable, CaseIterable {
        case endOfText
        case expectedValue
        case expectedValueOrBracket
        case expectedName
        case expectedNameOrBrace
        case expectedColon
        case expectedCommaOrBrace
        case expectedCommaOrBracket
        case expectedEnd
        case badLiteral
        case badNumber
        case leadingZero
        case controlCharacter
        case badEscape
        case loneSurrogate
        case badUTF8
        case duplicateName
        case tooDeep
        case byteOrderMark
        case tooLong
    }

    package let reason: Reason

    /// The offending byte's place in the text handed in; the text's length for `.endOfText`.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// What should have stood there: a phrase for a problem's detail, without a full stop.
    package var expectation: String {
        switch reason {
        case .endOfText: "expected more, the text ends inside a value"
        case .expectedValue: "expected a value"
        case .expectedValueOrBracket: "expected a value or ']'"
        case .expectedName: "expected a member name in double quotes"
        case .expectedNameOrBrace: "expected a member name in double quotes or '}'"
        case .expectedColon: "expected ':'"
        case .expectedCommaOrBrace: "expected ',' or '}'"
        case .expectedCommaOrBracket: "expected ',' or ']'"
        case .expectedEnd: "expected nothing but whitespace behind the value"
        case .badLiteral: "expected true, false or null"
        case .badNumber: "expected a digit"
        case .leadingZero: "expected no digit behind a leading 0"
        case .controlCharacter: "expected control characters in strings to be escaped"
        case .badEscape:
            "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hex digits"
        case .loneSurrogate: "expected surrogate escapes in pairs, the high one first"
        case .badUTF8: "expected valid UTF-8"
        case .duplicateName: "expected each member name once in an object"
        case .tooDeep: "expected less nesting of arrays and objects"
        case .byteOrderMark: "expected no byte order mark"
        case .tooLong: "expected less than 4 GiB"
        }
    }
}
