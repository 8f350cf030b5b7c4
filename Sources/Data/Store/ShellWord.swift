/// Words of commands that people are told to type.
package enum ShellWord {
    /// `text` as one word of a shell's command line: as it is where that is one, else quoted.
    package static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "+"),
                UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "@"), UInt8(ascii: "%"), 0x80...:
                true
            default: false
            }
        }
        if isPlain && !text.isEmpty { return text }
        let inner = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + inner.joined(separator: "'\\''") + "'"
    }
}
