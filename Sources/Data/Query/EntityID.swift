package import FreshetBase
import Glibc

/// The identifier of an entity within its type.
///
/// An id *is* its text: 1 to 256 UTF-8 bytes without control characters. Text that is the canonical
/// decimal form of an `Int64` is that integer, so `7` and `"7"` are one id. Equality, hashing and
/// order look at the bytes alone; Swift's own string comparison would take two spellings of `é` for
/// one id. Ids order integers first, by value, then all others by their bytes.
package struct EntityID: Sendable, CustomStringConvertible {
    /// The most UTF-8 bytes that an id may have.
    package static let maximumLength = 256

    /// Why something is no id.
    package enum Fault: Error, Hashable, Sendable {
        case empty
        case tooLong
        case controlCharacter
        case notUTF8
        /// A JSON number whose value is no `Int64`.
        case notAnInteger
        /// JSON that is neither a string nor a number.
        case wrongKind
        /// `.` or `..`: a path with them leads elsewhere.
        case dots
        /// It begins with `_`.
        case reserved

        /// What was expected, for a problem's detail.
        package var sentence: String {
            switch self {
            case .empty: "an id has at least one character"
            case .tooLong: "an id has at most \(EntityID.maximumLength) UTF-8 bytes"
            case .controlCharacter: "an id has no control characters"
            case .notUTF8: "an id is UTF-8 text"
            case .notAnInteger: "an id that is a number is an integer of 64 bits"
            case .wrongKind: "an id is a string or an integer"
            case .dots: "an id is not '.' or '..', which no address can name"
            case .reserved: "a new id does not begin with '_', as addresses of the service do"
            }
        }
    }

    /// The id as text.
    package let text: String

    /// The value where the text is the canonical decimal form of an `Int64`.
    package let integer: Int64?

    /// Makes an id of its UTF-8 text.
    package init(text bytes: UnsafeRawBufferPointer) throws(Fault) {
        if let fault = Self.fault(in: bytes) { throw fault }
        self.init(checked: bytes)
    }

    /// Makes an id of its text.
    package init(_ text: String) throws(Fault) {
        var text = text
        let (fault, integer) = text.withUTF8 { (bytes) -> (Fault?, Int64?) in
            let bytes = UnsafeRawBufferPointer(bytes)
            return (Self.fault(in: bytes), Self.integer(of: bytes))
        }
        if let fault { throw fault }
        self.text = text
        self.integer = integer
    }

    /// Makes the id that is an integer.
    package init(_ value: Int64) {
        text = String(value)
        integer = value
    }

    /// Makes the id of what is kept under `digest`: its 64 digits.
    package init(_ digest: SHA256Digest) {
        guard let id = try? EntityID(digest.hexadecimal) else {
            preconditionFailure("hexadecimal digits are an id")
        }
        self = id
    }

    /// Makes an id of text that `fault(in:)` has passed.
    init(checked bytes: UnsafeRawBufferPointer) {
        text = String(decoding: bytes, as: UTF8.self)
        integer = Self.integer(of: bytes)
    }

    package var description: String { text }

    /// The UTF-8 bytes of the text.
    package var bytes: [UInt8] { Array(text.utf8) }

    /// Calls `body` with the bytes of the text, without a copy on the heap.
    package func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        var text = text
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}

extension EntityID: Hashable, Comparable {
    package static func == (left: EntityID, right: EntityID) -> Bool {
        left.withBytes { left in right.withBytes { right in Bytes.equal(left, right) } }
    }

    package static func < (left: EntityID, right: EntityID) -> Bool {
        left.withBytes { left in right.withBytes { right in compare(left, right) < 0 } }
    }

    package func hash(into hasher: inout Hasher) {
        // Keyed by the process and over all bytes: better for long texts than the hasher itself.
        hasher.combine(withBytes { SeededHash.process.hash($0) })
    }
}

// Over raw bytes, for tables that hold no `EntityID`.
extension EntityID {
    /// Why `bytes` are no id text, or nil where they are one.
    package static func fault(in bytes: UnsafeRawBufferPointer) -> Fault? {
        guard !bytes.isEmpty else { return .empty }
        guard bytes.count <= maximumLength else { return .tooLong }
        var plain: UInt8 = 0
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F { return .controlCharacter }
            plain |= byte
        }
        guard plain >= 0x80 else { return nil }
        guard UTF8Text.firstFault(in: bytes) == nil else { return .notUTF8 }
        var previous: UInt8 = 0
        for byte in bytes {
            if previous == 0xC2, byte < 0xA0 { return .controlCharacter }
            previous = byte
        }
        return nil
    }

    /// Why `bytes`, an id, are none for an entity that is made now: `.` and `..` cannot be addressed.
    static func faultOfNew(_ bytes: UnsafeRawBufferPointer) -> Fault? {
        guard bytes.count <= 2, bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) else { return nil }
        return .dots
    }

    /// Whether an entity that is made now may have it.
    package var canBeNew: Bool { withBytes { Self.faultOfNew($0) == nil } }

    /// The value of `bytes` where they are the canonical decimal form of an `Int64`.
    package static func integer(of bytes: UnsafeRawBufferPointer) -> Int64? {
        var index = 0
        let count = bytes.count
        guard count > 0, count <= 20 else { return nil }
        let isNegative = bytes[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        guard index < count else { return nil }
        if bytes[index] == UInt8(ascii: "0") { return count == 1 ? 0 : nil }
        var magnitude: UInt64 = 0
        while index < count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            guard !overflow, !carry else { return nil }
            magnitude = sum
            index += 1
        }
        if isNegative {
            guard magnitude <= Int64.min.magnitude else { return nil }
            return Int64(truncatingIfNeeded: 0 &- magnitude)
        }
        return Int64(exactly: magnitude)
    }

    /// The order of two ids: below, equal to or above zero.
    package static func compare(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Int {
        switch (integer(of: left), integer(of: right)) {
        case (let left?, let right?): left < right ? -1 : (left == right ? 0 : 1)
        case (.some, nil): -1
        case (nil, .some): 1
        case (nil, nil): Bytes.compare(left, right)
        }
    }

    /// A number that orders as ids do, as far as 63 bits go.
    ///
    /// A smaller prefix means a smaller id; equal prefixes need `compare`. Integers fill the lower
    /// half by value without its last bit, other text the upper half by its first bytes.
    package static func orderPrefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        if let value = integer(of: bytes) {
            return (UInt64(bitPattern: value) ^ (1 << 63)) >> 1
        }
        return orderPrefix(ofText: bytes)
    }

    /// The same of a text, or of the end of one, that is no integer.
    package static func orderPrefix(ofText bytes: UnsafeRawBufferPointer) -> UInt64 {
        var first: UInt64 = 0
        for index in 0..<8 {
            first = first << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
        }
        return first >> 1 | (1 << 63)
    }
}
