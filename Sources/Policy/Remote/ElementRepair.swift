import FreshetJSON

/// Takes faulty elements out of an answer, so that the others can be read.
///
/// Some faults are of an element alone: a name twice, half a character, too many levels. The frame
/// around it is sound as far as brackets and strings go, which is all that is looked at here; the
/// scanner judges the rest anew.
enum ElementRepair {
    /// Whether the fault may be one of an element alone.
    static func isOfElement(_ fault: JSONFault) -> Bool {
        switch fault.reason {
        case .duplicateName, .loneSurrogate, .badUTF8, .tooDeep: true
        default: false
        }
    }

    /// Writes `0` and spaces over the elements of the list at `items` that have such a fault.
    ///
    /// - Returns: Whether there was one.
    /// - Complexity: O(bytes), whatever there is of them.
    static func blankFaulty(_ text: inout [UInt8], items: JSONPointer) -> Bool {
        var scanner = JSONScanner(
            depthLimit: JSONScanner.frameDepth - items.tokens.count - 1)
        var faulty: [Range<Int>] = []
        text.withUnsafeBytes { bytes in
            forEachElement(of: items, in: bytes) { element in
                do throws(JSONFault) {
                    _ = try scanner.scan(UnsafeRawBufferPointer(rebasing: bytes[element]))
                } catch {
                    if isOfElement(error) { faulty.append(element) }
                }
            }
        }
        for element in faulty {
            for index in element { text[index] = UInt8(ascii: " ") }
            text[element.lowerBound] = UInt8(ascii: "0")
        }
        return !faulty.isEmpty
    }

    private static func forEachElement(
        of items: JSONPointer, in text: UnsafeRawBufferPointer, _ body: (Range<Int>) -> Void
    ) {
        var walk = Walk(text: text)
        for token in items.tokens {
            guard walk.enter(token) else { return }
        }
        guard walk.skip(UInt8(ascii: "[")) else { return }
        while let value = walk.value() {
            body(value)
            guard walk.skip(UInt8(ascii: ",")) else { return }
        }
    }

    private struct Walk {
        let text: UnsafeRawBufferPointer
        var index = 0

        var byte: UInt8? { index < text.count ? text[index] : nil }

        mutating func skipSpace() {
            while let byte, byte <= 0x20 { index += 1 }
        }

        mutating func skip(_ wanted: UInt8) -> Bool {
            skipSpace()
            guard byte == wanted else { return false }
            index += 1
            return true
        }

        /// Goes to the value of that member, or that element.
        mutating func enter(_ token: String) -> Bool {
            if skip(UInt8(ascii: "{")) {
                repeat {
                    skipSpace()
                    guard let name = value(), skip(UInt8(ascii: ":")) else { return false }
                    let spelled = String(decoding: text[name].dropFirst().dropLast(), as: UTF8.self)
                    if spelled == token {
                        skipSpace()
                        return true
                    }
                    guard value() != nil else { return false }
                } while skip(UInt8(ascii: ","))
                return false
            }
            guard skip(UInt8(ascii: "[")), let place = Int(token), place >= 0 else { return false }
            for _ in 0..<place {
                guard value() != nil, skip(UInt8(ascii: ",")) else { return false }
            }
            return true
        }

        /// Steps over one value, by brackets and quotes.
        mutating func value() -> Range<Int>? {
            skipSpace()
            let start = index
            var depth = 0
            while let byte {
                switch byte {
                case UInt8(ascii: "\""):
                    index += 1
                    while let inner = self.byte, inner != UInt8(ascii: "\"") {
                        index += inner == UInt8(ascii: "\\") ? 2 : 1
                    }
                    guard self.byte != nil else { return nil }
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return index > start ? start..<index : nil }
                    depth -= 1
                case UInt8(ascii: ","), UInt8(ascii: ":"):
                    if depth == 0 { return index > start ? start..<index : nil }
                default: break
                }
                index += 1
                if depth == 0, byte == UInt8(ascii: "\"") || byte | 0x20 == UInt8(ascii: "}") {
                    return start..<index
                }
            }
            return index > start && depth == 0 ? start..<index : nil
        }
    }
}
