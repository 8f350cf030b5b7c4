/// A growable run of bytes with exactly one owner: what every encoder writes into.
///
/// Plain memory behind inlinable appends, because responses, log frames and events are built in it
/// piece by piece on the hot path. Growth doubles; memory is given back by `reset(capacity:)` alone.
package struct ByteBuffer: ~Copyable {
    @usableFromInline var base: UnsafeMutableRawPointer
    @usableFromInline var used: Int
    @usableFromInline var allocated: Int

    /// Makes an empty buffer.
    ///
    /// - Parameter capacity: Bytes that fit before the first growth, at least 16.
    package init(capacity: Int = 256) {
        allocated = max(capacity, 16)
        used = 0
        base = UnsafeMutableRawPointer.allocate(byteCount: allocated, alignment: 16)
    }

    /// - Parameter bytes: Are copied.
    package init(copying bytes: UnsafeRawBufferPointer) {
        self.init(capacity: bytes.count)
        append(bytes)
    }

    deinit {
        base.deallocate()
    }

    /// Bytes written so far.
    @inlinable package var count: Int { used }

    /// Bytes that fit without growth, those written included.
    @inlinable package var capacity: Int { allocated }

    @inlinable package var isEmpty: Bool { used == 0 }

    /// What has been written; valid until the next mutation.
    @inlinable package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: used)
    }

    /// The same, for overwriting in place (a length that is known only afterwards).
    @inlinable package var mutableBytes: UnsafeMutableRawBufferPointer {
        mutating get { UnsafeMutableRawBufferPointer(start: base, count: used) }
    }

    /// Makes room for `additional` bytes and returns where they go; `advance(by:)` then counts them.
    @inlinable
    package mutating func reserve(_ additional: Int) -> UnsafeMutableRawPointer {
        if allocated - used < additional { grow(by: additional) }
        return base + used
    }

    /// Counts `count` bytes that were written at the pointer of `reserve(_:)`.
    @inlinable
    package mutating func advance(by count: Int) {
        assert(used + count <= allocated, "more bytes written than were reserved")
        used += count
    }

    @usableFromInline
    mutating func grow(by additional: Int) {
        let wanted = max(allocated * 2, used + additional)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
        larger.copyMemory(from: base, byteCount: used)
        base.deallocate()
        base = larger
        allocated = wanted
    }

    @inlinable
    package mutating func append(_ byte: UInt8) {
        if used == allocated { grow(by: 1) }
        base.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
        used += 1
    }

    @inlinable
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count).copyMemory(from: source, byteCount: bytes.count)
        used += bytes.count
    }

    @inlinable
    package mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable
    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// Appends the UTF-8 bytes of `text`.
    ///
    /// Labelled, so that a literal always takes the `StaticString` way, which copies no `String`.
    @inlinable
    package mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends `value` in decimal digits.
    @inlinable
    package mutating func append(decimal value: UInt64) {
        let end = reserve(20) + 20
        let start = Decimal.write(value, endingAt: end)
        let length = end - start
        (base + used).copyMemory(from: start, byteCount: length)
        used += length
    }

    /// Appends `value` in decimal digits, with a minus sign where it is negative.
    @inlinable
    package mutating func append(decimal value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: UInt64(value.magnitude))
    }

    /// Appends `value` as its bytes in little-endian order.
    @inlinable
    package mutating func append<Value: FixedWidthInteger>(littleEndian value: Value) {
        let size = MemoryLayout<Value>.size
        reserve(size).storeBytes(of: value.littleEndian, as: Value.self)
        used += size
    }

    /// Forgets the first `count` bytes and moves the rest to the front. O(bytes left).
    @inlinable
    package mutating func removeFirst(_ count: Int) {
        precondition(count >= 0 && count <= used, "removing more bytes than there are")
        used -= count
        base.copyMemory(from: base + count, byteCount: used)
    }

    /// Forgets what was written behind the first `count` bytes.
    @inlinable
    package mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= used, "truncating to more bytes than there are")
        used = count
    }

    /// Forgets all bytes and keeps the memory.
    @inlinable
    package mutating func removeAll() {
        used = 0
    }

    /// Forgets all bytes and gives memory above `capacity` back.
    package mutating func reset(capacity: Int) {
        used = 0
        guard allocated > capacity else { return }
        self = ByteBuffer(capacity: capacity)
    }
}

/// Decimal digits without allocation.
package enum Decimal {
    /// The most digits of a `UInt64`.
    package static let maximumLength = 20

    /// Writes the digits of `value` so that they end just before `end`.
    ///
    /// - Parameter end: At least 20 writable bytes lie before it.
    /// - Returns: Where the first digit stands.
    @inlinable
    package static func write(
        _ value: UInt64, endingAt end: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        var rest = value
        var position = end
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            position -= 1
            position.storeBytes(
                of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit), as: UInt8.self)
            rest = quotient
        } while rest > 0
        return position
    }

    /// The value of `digits` if they are one or more ASCII digits and the value fits.
    @inlinable
    package static func parse(_ digits: UnsafeRawBufferPointer) -> UInt64? {
        guard !digits.isEmpty else { return nil }
        var value: UInt64 = 0
        for byte in digits {
            let digit = UInt64(byte &- UInt8(ascii: "0"))
            guard digit <= 9 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }
}
