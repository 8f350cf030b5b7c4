/// The name of a type of entities: `[A-Za-z][A-Za-z0-9_-]{0,63}`, or one of the service's own.
///
/// Only ASCII gets in, so that comparing and hashing the text is comparing and hashing bytes: the
/// standard library takes its `memcmp` way for such strings, and Unicode normalisation cannot
/// make two names one. Names of at most 15 bytes need no heap.
package struct TypeName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The most bytes that a name may have.
    package static let maximumLength = 64

    /// What a name is made of, as it is told to who sends another one.
    package static let rule = "a type name is a letter and up to 63 letters, digits, '_' or '-'"

    /// The name as it is written in URLs.
    package let text: String

    /// Makes a name, or nil where `text` is none.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var text = text
        let isValid = text.withUTF8 { Self.isValid(UnsafeRawBufferPointer($0)) }
        guard isValid else { return nil }
        self.text = text
    }

    /// Why `text` is none, in one sentence.
    package static func refusal(of text: String) -> String {
        "'\(String(decoding: text.utf8.prefix(80), as: UTF8.self))' is no type name: \(rule)"
    }

    /// Makes a name from its bytes, or nil where they are none.
    package init?(bytes: UnsafeRawBufferPointer) {
        guard Self.isValid(bytes) else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// A name of the service's own, `_` and then a name: nobody can ask for it, since neither of
    /// the initialisers above makes one.
    package static func `internal`(_ name: StaticString) -> TypeName {
        let name = "_\(name)"
        guard
            let type = name.utf8.withContiguousStorageIfAvailable({ bytes in
                TypeName(stored: UnsafeRawBufferPointer(bytes))
            }) ?? nil
        else { preconditionFailure("\(name) is no name of the service's own") }
        return type
    }

    /// Makes a name from what a store has written: anybody's, or the service's own.
    package init?(stored bytes: UnsafeRawBufferPointer) {
        let isInternal = bytes.first == UInt8(ascii: "_")
        let name = isInternal ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) : bytes
        guard Self.isValid(name), bytes.count <= Self.maximumLength else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the type is the service's own: never listed, exported or addressed over HTTP.
    package var isInternal: Bool { text.utf8.first == UInt8(ascii: "_") }

    package var description: String { text }

    package static func < (left: TypeName, right: TypeName) -> Bool {
        left.text < right.text
    }

    /// Calls `body` with the bytes of the name.
    package func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        var text = text
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }

    private static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, bytes.count <= maximumLength else { return false }
        guard ASCII.isLetter(first) else { return false }
        for byte in bytes.dropFirst() {
            let isAllowed =
                ASCII.isLetter(byte) || ASCII.isDigit(byte)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            guard isAllowed else { return false }
        }
        return true
    }
}

/// Classes of ASCII bytes that names, ids and filters share.
enum ASCII {
    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}
