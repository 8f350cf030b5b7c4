/// A fast keyed hash of bytes for our own tables.
///
/// The key is random per process, so nobody outside can choose names or ids that collide.
/// Multiply-fold over 16 bytes a step, in the manner of wyhash; not for storage, not cryptographic.
package struct SeededHash: Sendable {
    @usableFromInline let key: UInt64
    @usableFromInline let secret: UInt64

    /// The key of this process.
    package static let process = SeededHash()

    /// Makes a hash with a random key.
    package init() {
        key = .random(in: .min ... .max)
        secret = .random(in: .min ... .max) | 1
    }

    /// Makes a hash with a fixed key, for tests that must repeat.
    package init(key: UInt64) {
        self.key = key
        secret = (key ^ 0x9E37_79B9_7F4A_7C15) | 1
    }

    @inlinable
    static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    /// The hash of `bytes`: about 4 ns for 16 bytes.
    @inlinable
    package func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        guard let start = bytes.baseAddress, count > 0 else {
            return Self.fold(key, secret)
        }
        var state = key ^ UInt64(truncatingIfNeeded: count)
        var offset = 0
        while count - offset > 16 {
            let first = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let second = start.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            state = Self.fold(first ^ secret, second ^ state)
            offset += 16
        }
        let left = count - offset
        var first: UInt64 = 0
        var second: UInt64 = 0
        if left >= 8 {
            first = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            second = start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        } else if left >= 4 {
            first = UInt64(start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            second = UInt64(start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
        } else {
            for index in offset..<count {
                first = first << 8 | UInt64(start.load(fromByteOffset: index, as: UInt8.self))
            }
        }
        return Self.fold(Self.fold(first ^ secret, second ^ state), secret)
    }
}
