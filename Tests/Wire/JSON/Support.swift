import FreshetBase
import FreshetJSON

/// SplitMix64: repeats with its seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

/// Runs `body` over a copy of `bytes` in memory of exactly that size, so that a sanitiser sees
/// every read behind it.
func withExactBytes<Result>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result
) rethrows -> Result {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(memory))
}

/// Scans a text; the fault if it is refused.
func fault(_ bytes: [UInt8], depthLimit: Int = 64) -> JSONFault? {
    withExactBytes(bytes) { text in
        var scanner = JSONScanner(depthLimit: depthLimit)
        do throws(JSONFault) {
            _ = try scanner.scan(text)
            return nil
        } catch {
            return error
        }
    }
}

func fault(_ text: String, depthLimit: Int = 64) -> JSONFault? {
    fault(Array(text.utf8), depthLimit: depthLimit)
}

/// The canonical form, through the scanner.
func canonical(_ bytes: [UInt8]) throws -> [UInt8] {
    try withExactBytes(bytes) { text in
        var scanner = JSONScanner()
        let summary = try scanner.scan(text)
        var buffer = ByteBuffer(capacity: 16)
        JSONCanonical.compact(
            UnsafeRawBufferPointer(rebasing: text[summary.start..<summary.end]), into: &buffer)
        return Array(buffer.bytes)
    }
}

func canonical(_ text: String) throws -> String {
    String(decoding: try canonical(Array(text.utf8)), as: UTF8.self)
}

/// Runs `body` with a view over the canonical form of `text`.
func withView<Result>(_ text: String, _ body: (JSONView) throws -> Result) throws -> Result {
    try withExactBytes(try canonical(Array(text.utf8))) { try body(JSONView(canonical: $0)) }
}

/// Random JSON in random spelling.
struct RandomJSON {
    var generator: SeededGenerator

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &generator)]
    }

    mutating func space() -> String {
        guard Int.random(in: 0..<4, using: &generator) == 0 else { return "" }
        return pick([" ", "\n", "\t", "\r\n", "          ", " \n  "])
    }

    mutating func number() -> String {
        pick([
            "0", "-0", "7", "-12", "123456789012345678901234567890", "1.5", "0.25", "-3e2",
            "1E+2", "25e-1", "9007199254740993", "100", "1.50",
            String(Int.random(in: -1_000_000...1_000_000, using: &generator)),
        ])
    }

    mutating func string() -> String {
        var text = "\""
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            text += pick([
                "a", "bc", "longer text", "é", "漢", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u0041",
                "\\u00e9", "\\ud83d\\ude00", "\\u0000", "\\u001F", "\\u2028", "\u{2028}",
                "\u{2029}", "\u{7F}", "\\b\\f\\t\\r", "\\u000a",
            ])
        }
        return text + "\""
    }

    mutating func value(depth: Int = 0) -> String {
        let choice = Int.random(in: 0..<(depth < 5 ? 9 : 6), using: &generator)
        switch choice {
        case 0: return pick(["true", "false", "null"])
        case 1, 2: return number()
        case 3, 4, 5: return string()
        case 6:
            let elements = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                space() + value(depth: depth + 1) + space()
            }
            return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
        default:
            let members = (0..<Int.random(in: 0...12, using: &generator)).map { position in
                space() + pick(["\"", "\"x", "\"\\u006e", "\"é"]) + "\(position)\"" + space()
                    + ":" + space() + value(depth: depth + 1) + space()
            }
            return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
        }
    }
}
