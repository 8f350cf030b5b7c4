import FreshetQuery
import Glibc

/// The text of an id that is looked for, and its value where it is an integer.
struct IDKey {
    /// The unescaped id, kept alive by whoever made the key.
    let text: UnsafeRawBufferPointer
    let integer: Int64?

    @inline(__always)
    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
        integer = EntityID.integer(of: text)
    }

    /// How this key stands to the id of `document`: below 0 where it comes before, 0 where it is
    /// the same.
    @inline(__always)
    func compare(_ document: Document) -> Int {
        compare(document.address)
    }

    /// How this key stands to the id of the document at `address`, which somebody keeps.
    @inline(__always)
    func compare(_ address: UnsafeRawPointer) -> Int {
        let id = Document.idBytes(at: address)
        // Mostly it is the one that is looked for.
        return FilterEvaluator.sameBytes(text, id) ? 0 : EntityID.compare(text, id)
    }

    /// Eight bytes of the text from `offset` on, the first one highest, zeros behind the end. Ids
    /// hold no byte 0, so of two texts that differ here alone the words have the texts' order.
    @inline(__always)
    static func word(_ text: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
        if offset + 8 <= text.count {
            return UInt64(bigEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var word: UInt64 = 0
        for index in offset..<offset + 8 {
            word = word << 8 | (index < text.count ? UInt64(text[index]) : 0)
        }
        return word
    }
}
