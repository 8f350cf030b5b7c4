import FreshetBase

/// A generation of data: a new one begins where seqs might mean something else than before.
package struct Epoch: Hashable, Sendable, CustomStringConvertible {
    package let value: UInt64

    package init(value: UInt64) {
        self.value = value
    }

    /// 60 random bits: 12 characters of text.
    package static func random() -> Epoch {
        Epoch(value: .random(in: 1..<1 << 60))
    }

    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The most characters of `description`.
    static let maximumLength = 13

    /// Base 32 without i, l, o and u: letters that are easily misread.
    package var description: String {
        withUnsafeTemporaryAllocation(byteCount: Self.maximumLength, alignment: 1) { buffer in
            let start = write(before: buffer.count, in: buffer)
            return String(decoding: buffer[start...], as: UTF8.self)
        }
    }

    /// Writes the characters of `description` so that they end just before `end`.
    ///
    /// - Parameter buffer: Has 13 places before `end`.
    /// - Returns: Where the first one stands.
    fileprivate func write(before end: Int, in buffer: UnsafeMutableRawBufferPointer) -> Int {
        var rest = value
        var start = end
        repeat {
            start -= 1
            buffer[start] = Self.digits[Int(rest & 31)]
            rest >>= 5
        } while rest > 0
        return start
    }

    /// The epoch that `text` names in the form of `description`, nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard (1...13).contains(text.utf8.count) else { return nil }
        var value: UInt64 = 0
        for byte in text.utf8 {
            guard let digit = Self.digits.firstIndex(of: byte), value < 1 << 59 else { return nil }
            value = value << 5 | UInt64(digit)
        }
        self.init(value: value)
        guard description == text else { return nil }
    }
}

/// A point in the history of a store: `<epoch>.<seq>`.
package struct Cursor: Hashable, Sendable, CustomStringConvertible {
    package let epoch: Epoch
    package let seq: UInt64

    package init(epoch: Epoch, seq: UInt64) {
        self.epoch = epoch
        self.seq = seq
    }

    package var description: String {
        var text = ""
        withText { text = String(decoding: $0, as: UTF8.self) }
        return text
    }

    /// Calls `body` with the bytes of `description`: nearly every answer has them. Without a result,
    /// since a generic function of another module looks its types up at each call: 1,000 instructions.
    package func withText(_ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(
            byteCount: Epoch.maximumLength + 1 + Decimal.maximumLength, alignment: 1
        ) { buffer in
            guard let base = buffer.baseAddress else { return body(UnsafeRawBufferPointer(buffer)) }
            let digits = Decimal.write(seq, endingAt: base + buffer.count)
            let point = base.distance(to: digits) - 1
            buffer[point] = UInt8(ascii: ".")
            let start = epoch.write(before: point, in: buffer)
            return body(UnsafeRawBufferPointer(rebasing: buffer[start...]))
        }
    }

    /// The cursor that `text` spells, nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = Epoch(parts[0]), let seq = UInt64(parts[1]),
            String(seq) == parts[1]
        else { return nil }
        self.init(epoch: epoch, seq: seq)
    }
}
