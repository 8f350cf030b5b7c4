package import FreshetBase

/// A JSON value as the place of its canonical bytes: a trivial value, copied freely.
///
/// The bytes were validated, are in canonical form, and are kept alive by whoever holds the view.
/// On other bytes answers are meaningless, but nothing is read outside of them.
package struct JSONView {
    @usableFromInline let base: UnsafeRawPointer?
    @usableFromInline let count: Int

    @inlinable
    package init(canonical bytes: UnsafeRawBufferPointer) {
        base = bytes.baseAddress
        count = bytes.count
    }

    /// The value that begins `offset` bytes behind the start of `json`, canonical JSON.
    package init(in json: UnsafeRawBufferPointer, at offset: Int) {
        guard let start = json.baseAddress, offset < json.count else {
            self.init(canonical: UnsafeRawBufferPointer(start: nil, count: 0))
            return
        }
        self.init(start, offset, JSONLexis.valueEnd(start, from: offset, to: json.count))
    }

    @inlinable
    init(_ base: UnsafeRawPointer, _ start: Int, _ end: Int) {
        self.base = base + start
        count = end - start
    }

    /// The value's text.
    @inlinable package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: count)
    }

    @inlinable var first: UInt8 {
        guard let base, count > 0 else { return UInt8(ascii: "n") }
        return base.load(as: UInt8.self)
    }

    /// What it is, told by its first byte; no bytes at all are null.
    @inlinable package var kind: JSONKind {
        switch first {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    @inlinable package var isNull: Bool { first == UInt8(ascii: "n") }

    /// The truth value, if it is one.
    @inlinable package var bool: Bool? {
        switch first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// The number's text as it was written, if it is a number.
    @inlinable package var numberText: UnsafeRawBufferPointer? {
        kind == .number ? bytes : nil
    }

    /// The number, if it is one, has an integer value and fits.
    package var int64: Int64? { numberText.flatMap { JSONNumber.int64($0) } }

    /// The nearest double, if it is a number; infinite past the range.
    package var double: Double? { numberText.map { JSONNumber.double($0) } }

    /// The string's bytes without quotes, escapes as they stand, if it is a string.
    @inlinable package var stringContents: UnsafeRawBufferPointer? {
        guard first == UInt8(ascii: "\""), let base, count >= 2 else { return nil }
        return UnsafeRawBufferPointer(start: base + 1, count: count - 2)
    }

    /// Appends the string's decoded UTF-8.
    ///
    /// - Returns: Whether it is a string; nothing is appended otherwise.
    @discardableResult
    package func appendString(to buffer: inout ByteBuffer) -> Bool {
        guard let contents = stringContents else { return false }
        JSONText.unescape(contents, into: &buffer)
        return true
    }

    /// The decoded string, if it is one.
    package var string: String? {
        guard let contents = stringContents else { return nil }
        guard JSONText.hasEscapes(contents) else {
            return String(decoding: contents, as: UTF8.self)
        }
        var buffer = ByteBuffer(capacity: contents.count)
        JSONText.unescape(contents, into: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// The object's members in order; none if it is no object.
    package var members: JSONMembers { JSONMembers(self) }

    /// The array's elements in order; none if it is no array.
    package var elements: JSONElements { JSONElements(self) }

    /// The value of the member whose unescaped name is `name`. O(bytes before it).
    package func member(named name: UnsafeRawBufferPointer) -> JSONView? {
        var members = JSONMembers(self)
        while let member = members.next() {
            if member.isNamed(name) { return member.value }
        }
        return nil
    }

    package func member(named name: StaticString) -> JSONView? {
        member(
            named: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    package func member(named name: String) -> JSONView? {
        var name = name
        return name.withUTF8 { member(named: UnsafeRawBufferPointer($0)) }
    }
}

/// A member of an object that is viewed.
package struct JSONMemberView {
    /// The name's bytes as they stand, without quotes.
    package let name: UnsafeRawBufferPointer
    package let nameHasEscapes: Bool
    package let value: JSONView

    /// Whether the unescaped name is `other`.
    package func isNamed(_ other: UnsafeRawBufferPointer) -> Bool {
        nameHasEscapes
            ? JSONText.equals(escaped: name, plain: other) : JSONText.areSame(name, other)
    }

    func isNamed(_ other: StaticString) -> Bool {
        isNamed(UnsafeRawBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }
}

/// The members of an object in order.
package struct JSONMembers: Sequence, IteratorProtocol {
    private let base: UnsafeRawPointer?
    /// At the next member's opening quote; behind the closing brace once there is none.
    private(set) var offset: Int
    private let end: Int

    init(_ view: JSONView) {
        base = view.kind == .object ? view.base : nil
        offset = view.count > 2 ? 1 : 2
        end = view.count
    }

    /// The members from the name at `offset` on, of an object that ends somewhere before `end`.
    init(_ base: UnsafeRawPointer, from offset: Int, _ end: Int) {
        self.base = base
        self.offset = offset
        self.end = end
    }

    package mutating func next() -> JSONMemberView? {
        guard let base, offset < end,
            base.load(fromByteOffset: offset, as: UInt8.self) == JSONLexis.quote
        else { return nil }
        let nameStart = offset + 1
        var nameEnd = JSONLexis.quoteOrBackslash(base, from: nameStart, to: end)
        var hasEscapes = false
        if nameEnd < end, base.load(fromByteOffset: nameEnd, as: UInt8.self) == JSONLexis.backslash
        {
            hasEscapes = true
            nameEnd = JSONLexis.stringEnd(base, from: nameEnd, to: end) - 1
        }
        let valueStart = nameEnd + 2
        guard valueStart < end else { return nil }
        let valueEnd = JSONLexis.valueEnd(base, from: valueStart, to: end)
        // Behind a comma stands the next name's quote, behind the closing brace never one.
        offset = valueEnd + 1
        return JSONMemberView(
            name: UnsafeRawBufferPointer(start: base + nameStart, count: nameEnd - nameStart),
            nameHasEscapes: hasEscapes, value: JSONView(base, valueStart, valueEnd))
    }
}

/// A way from a value down through the objects in it, by names. Whatever its length, the bytes are read
/// once: of an object on the way no more than what stands before the member.
package struct JSONDescent {
    private let base: UnsafeRawPointer?
    private let end: Int
    private var start = 0
    /// How many were read.
    package private(set) var bytesRead = 0

    package init(_ view: JSONView) {
        base = view.base
        end = view.count
    }

    /// Goes on to the member whose name canonical JSON spells `name`.
    ///
    /// - Returns: false where there is none, or no object; the way ends there.
    package mutating func enter(_ name: UnsafeRawBufferPointer) -> Bool {
        guard let base, start < end,
            base.load(fromByteOffset: start, as: UInt8.self) == UInt8(ascii: "{")
        else { return false }
        var offset = start + 1
        // Behind a comma stands the next name's quote, behind a closing brace never one.
        while offset < end, base.load(fromByteOffset: offset, as: UInt8.self) == JSONLexis.quote {
            let nameEnd = JSONLexis.stringEnd(base, from: offset + 1, to: end) - 1
            let spelled = UnsafeRawBufferPointer(
                start: base + offset + 1, count: nameEnd - offset - 1)
            let value = nameEnd + 2
            guard value < end else { return false }
            if Bytes.equal(spelled, name) {
                start = value
                bytesRead = value
                return true
            }
            offset = JSONLexis.valueEnd(base, from: value, to: end) + 1
        }
        bytesRead = offset
        return false
    }

    /// The value that it has come to. O(its bytes).
    package var value: JSONView {
        guard let base else {
            return JSONView(canonical: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return JSONView(base, start, JSONLexis.valueEnd(base, from: start, to: end))
    }
}

/// The elements of an array in order.
package struct JSONElements: Sequence, IteratorProtocol {
    private let base: UnsafeRawPointer?
    private var offset: Int
    private let end: Int

    init(_ view: JSONView) {
        base = view.kind == .array ? view.base : nil
        offset = 1
        end = view.count - 1
    }

    package mutating func next() -> JSONView? {
        guard let base, offset < end else { return nil }
        let valueEnd = JSONLexis.valueEnd(base, from: offset, to: end)
        defer { offset = valueEnd + 1 }
        return JSONView(base, offset, valueEnd)
    }
}

extension JSONLexis {
    /// Behind the canonical value that starts at `start`; never behind `end`.
    ///
    /// Brackets need no matching by kind, since the bytes are valid: a count of them is enough.
    static func valueEnd(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        var offset = start
        switch base.load(fromByteOffset: offset, as: UInt8.self) {
        case quote:
            return stringEnd(base, from: offset + 1, to: end)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var depth = 0
            while offset < end {
                let byte = base.load(fromByteOffset: offset, as: UInt8.self)
                offset += 1
                if byte == quote {
                    offset = stringEnd(base, from: offset, to: end)
                } else if byte | 0x20 == UInt8(ascii: "{") {
                    depth += 1
                } else if byte | 0x20 == UInt8(ascii: "}") {
                    depth -= 1
                    if depth <= 0 { return offset }
                }
            }
            return end
        default:
            while offset < end {
                let byte = base.load(fromByteOffset: offset, as: UInt8.self)
                if byte == UInt8(ascii: ",") || byte | 0x20 == UInt8(ascii: "}") { return offset }
                offset += 1
            }
            return end
        }
    }
}
