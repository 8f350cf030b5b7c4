import Foundation
import Testing

@testable import FreshetEngine
import FreshetTestSupport

extension Regex {
    /// The verdict on a text, however long it takes.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        var patience = Int.max
        return verdict(text, patience: &patience) ?? false
    }

    /// The verdict on a stored string, likewise.
    func matches(contents: UnsafeRawBufferPointer) -> Bool {
        var patience = Int.max
        return verdict(contents: contents, patience: &patience) ?? false
    }
}

/// Whether `pattern` is found in `text`; the pattern must be one.
func isFound(_ pattern: String, _ text: String) throws -> Bool {
    let regex = try Regex(pattern)
    return Array(text.utf8).withUnsafeBytes { regex.matches($0) }
}

@Suite("Regular expressions against independent engines")
struct RegexModelTests {
    private func text(
        _ alphabet: [Unicode.Scalar], _ generator: inout SeededGenerator
    ) -> String {
        var text = ""
        for _ in 0..<generator.below(14) { text.unicodeScalars.append(generator.pick(alphabet)) }
        return text
    }

    /// The canonical contents of the string, for the alphabet below.
    private static func stored(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{2028}": result += "\\u2028"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    @Test("Random expressions find what their definition finds")
    func definition() throws {
        let seed = freshSeed("regex definition")
        var generator = SeededGenerator(seed: seed)
        let alphabet: [Unicode.Scalar] = [
            "a", "b", "n", "Z", "1", "_", " ", "-", "\n", "\t", ".", "\"", "\\", "\u{2028}", "é",
            "ÿ", "日", "\u{FFFD}", "😀",
            "\u{10FFFF}", "\u{7FF}", "\u{800}", "\u{10000}", "\u{7F}", "\u{80}",
        ]
        for round in FuzzRounds(4_000) {
            let few = (0..<3 + generator.below(3)).map { _ in generator.pick(alphabet) }
            let reference = ReferenceRegex.random(depth: 3, alphabet: few, using: &generator)
            let regex = try Regex(reference.pattern)
            // A table of next to nothing: emptied all the time, given up at once.
            let program = try RegexCompiler.compile(try RegexParser.parse(reference.pattern))
            let tight = RegexAutomaton(program, cacheBytes: 300)
            for _ in 0..<8 {
                let text = text(few, &generator)
                let expected = reference.isFound(in: text)
                let (found, tightly) = Array(text.utf8).withUnsafeBytes {
                    (regex.matches($0), tight.search($0, from: 0))
                }
                let stored = Array(Self.stored(text).utf8).withUnsafeBytes {
                    regex.matches(contents: $0)
                }
                #expect(
                    found == expected && tightly == expected && stored == expected,
                    "seed \(seed) round \(round): \(reference.pattern) in \(text.debugDescription)")
            }
        }
    }

    @Test("Random expressions find what the platform's engine finds")
    func platform() throws {
        let seed = freshSeed("regex platform")
        var generator = SeededGenerator(seed: seed)
        // Characters about which both agree: ASCII words, no line ends, symbols beyond ASCII.
        let alphabet: [Unicode.Scalar] = ["a", "b", "A", "1", "_", " ", "-", "→", "😀"]
        for round in FuzzRounds(1_500) {
            let few = (0..<4).map { _ in generator.pick(alphabet) }
            let reference = ReferenceRegex.random(depth: 2, alphabet: few, using: &generator)
            let pattern = (generator.below(4) == 0 ? "(?i)" : "") + reference.pattern
            // It refuses a few that are none of its own, such as a repeat of an assertion.
            guard !reference.repeatsNothingLazily,
                let platform = try? NSRegularExpression(pattern: pattern)
            else { continue }
            let regex = try Regex(pattern)
            for _ in 0..<8 {
                let text = text(few, &generator)
                let whole = NSRange(location: 0, length: text.utf16.count)
                let expected = platform.firstMatch(in: text, range: whole) != nil
                let found = Array(text.utf8).withUnsafeBytes { regex.matches($0) }
                #expect(
                    found == expected,
                    "seed \(seed) round \(round): \(pattern) in \(text.debugDescription)")
            }
        }
    }

    @Test("A lazy repeat of nothing is tried at every place, where the platform's engine errs")
    func lazyRepeatsOfNothing() throws {
        #expect(try isFound(#"b(?:\b|.)(\b)+?a"#, "b a"))
        #expect(try isFound(#"[bb\-](?:\b|.)(\b)+?[ -bbb][ ]"#, "ab a aabb ba"))
        #expect(try !isFound(#"b(?:\b|.)(\b)+?a"#, "b  a"))
    }

    @Test("A literal is found wherever it stands, at every length and place")
    func literals() throws {
        let seed = freshSeed("regex literals")
        var generator = SeededGenerator(seed: seed)
        for round in 0..<3_000 {
            let length = 1 + generator.below(40)
            let word = String((0..<length).map { _ in generator.pick(["a", "b", "s"]) })
            let padding = String((0..<generator.below(50)).map { _ in generator.pick(["a", "b"]) })
            let rest = String((0..<generator.below(30)).map { _ in generator.pick(["a", "b"]) })
            let isThere = generator.below(2) == 0
            let text = padding + (isThere ? word : String(word.dropLast())) + rest
            let expected = text.contains(word)
            let note: Comment = "seed \(seed) round \(round): \(word) in \(text)"
            #expect(try isFound(word, text) == expected, note)
            #expect(try isFound("(?i)" + word.uppercased(), text) == expected, note)
            #expect(try isFound(word + "\\w*", text) == expected, note)
            #expect(try isFound("\\w*" + word, text) == expected, note)
        }
    }
}
