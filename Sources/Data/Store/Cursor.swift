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

    /// Base 32 without i, l, o and u: letters that are easily misread.
    package var description: String {
        var rest = value
        var text: [UInt8] = []
        repeat {
            text.append(Self.digits[Int(rest & 31)])
            rest >>= 5
        } while rest > 0
        return String(decoding: text.reversed(), as: UTF8.self)
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

    package var description: String { "\(epoch).\(seq)" }

    /// The cursor that `text` spells, nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = Epoch(parts[0]), let seq = UInt64(parts[1]),
            String(seq) == parts[1]
        else { return nil }
        self.init(epoch: epoch, seq: seq)
    }
}
