/// Percent-encoding of one path segment or query value.
enum URLText {
    /// A query value: commas divide lists, and stand as they are.
    static func encodedList(_ text: String) -> String {
        text.split(separator: ",", omittingEmptySubsequences: false)
            .map { encoded(String($0)) }.joined(separator: ",")
    }

    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        // A dot alone would be taken for a step in the path.
        return text == "." || text == ".." ? result.replacingDots : result
    }
}

extension String {
    fileprivate var replacingDots: String { String(repeating: "%2E", count: utf8.count) }
}
