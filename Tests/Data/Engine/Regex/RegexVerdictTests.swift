import FreshetBase
import FreshetJSON
import Testing

@testable import FreshetEngine

@Suite("Verdicts on single texts")
struct RegexVerdictTests {
    private func contents(_ text: String) -> [UInt8] {
        var buffer = ByteBuffer(capacity: text.utf8.count + 16)
        buffer.append(jsonString: text)
        return Array(buffer.bytes.dropFirst().dropLast())
    }

    @Test("They are what a match is, in any patience that suffices")
    func agreement() throws {
        let patterns = [
            "abc", "^abc$", "^a", "c$", "a.c", "(?i)ABC", "\\bab", "a\\nb", "\"q\"", "x|bc", "^$",
            "[0-9]{2,}", "é+", "", "lib.*ssl[0-9]",
        ]
        let texts = [
            "", "abc", "xabcx", "ab\nc", "a\nb", "say \"q\"", "ABC", "é", "12", "libxssl1", "\\abc",
        ]
        for pattern in patterns {
            let regex = try Regex(pattern)
            for text in texts {
                let bytes = contents(text)
                var patience = 1_000_000
                let verdict = bytes.withUnsafeBytes {
                    regex.verdict(contents: $0, patience: &patience)
                }
                let isFound = bytes.withUnsafeBytes { regex.matches(contents: $0) }
                #expect(verdict == isFound, "\(pattern) in \(text)")
                #expect(patience <= 1_000_000)
            }
        }
    }

    @Test("One that ran out of patience leaves the expression as it was")
    func notSticky() throws {
        let regex = try Regex("[ab]*a[ab]{40}c$")
        let text = contents(String(repeating: "abaab", count: 60) + "c!")
        var patience = 10
        #expect(text.withUnsafeBytes { regex.verdict(contents: $0, patience: &patience) } == nil)
        #expect(patience <= 0)
        patience = 1_000_000
        #expect(text.withUnsafeBytes { regex.verdict(contents: $0, patience: &patience) } == false)
        let good = contents("a" + String(repeating: "b", count: 40) + "c")
        patience = 1_000_000
        #expect(good.withUnsafeBytes { regex.verdict(contents: $0, patience: &patience) } == true)
    }
}
