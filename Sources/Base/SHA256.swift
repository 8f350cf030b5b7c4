// SHA-256 (FIPS 180-4), for the digests of access tokens: a few dozen bytes at a time, so a plain
// loop over the rounds is fast enough (about 400 ns a block) and nothing of it depends on a library.
// Neither the rounds nor their memory accesses depend on the data, so its time tells the length of
// the message and no more.

/// The SHA-256 digest of some bytes.
package struct SHA256Digest: Sendable, Hashable {
    /// The 32 bytes as four big-endian numbers.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// Reads 64 hexadecimal digits of either case; nil for anything else.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, digit) in digits.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
            default: return nil
            }
            words[index / 16] = words[index / 16] << 4 | UInt64(value)
        }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// The digest of `message`.
    package init(of message: UnsafeRawBufferPointer) {
        self.words = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            var state = SHA256State()
            var start = 0
            while message.count - start >= 64 {
                state.take(
                    UnsafeRawBufferPointer(rebasing: message[start..<start + 64]), schedule)
                start += 64
            }
            return state.finish(
                UnsafeRawBufferPointer(rebasing: message[start...]), of: message.count, schedule)
        }
    }

    /// The digest of the text's UTF-8 bytes.
    package init(of text: String) {
        self = Array(text.utf8).withUnsafeBytes { SHA256Digest(of: $0) }
    }

    /// 64 lower-case hexadecimal digits.
    package var hexadecimal: String {
        func text(_ word: UInt64) -> String { word.padded(to: 16, radix: 16) }
        return text(words.0) + text(words.1) + text(words.2) + text(words.3)
    }

    /// 0 where both are equal, something else otherwise, in the same time for any two.
    @inline(__always)
    package func difference(from other: SHA256Digest) -> UInt64 {
        (words.0 ^ other.words.0) | (words.1 ^ other.words.1) | (words.2 ^ other.words.2)
            | (words.3 ^ other.words.3)
    }

    package static func == (left: SHA256Digest, right: SHA256Digest) -> Bool {
        left.difference(from: right) == 0
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }
}

/// The eight working variables between two blocks.
private struct SHA256State {
    private var hash: SIMD8<UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// Fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]

    /// - Parameters:
    ///   - block: 64 bytes.
    ///   - schedule: Room for 64 words.
    mutating func take(
        _ block: UnsafeRawBufferPointer, _ schedule: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in 0..<16 {
            let word = block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
            schedule[index] = UInt32(bigEndian: word)
        }
        for index in 16..<64 {
            let early = schedule[index - 15]
            let late = schedule[index - 2]
            let small = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
            let large = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
            schedule[index] = schedule[index - 16] &+ small &+ schedule[index - 7] &+ large
        }
        var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
        var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
        Self.constants.withUnsafeBufferPointer { constants in
            for index in 0..<64 {
                let sum = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
                let choice = (e & f) ^ (~e & g)
                let first = h &+ sum &+ choice &+ constants[index] &+ schedule[index]
                let other = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
                let majority = (a & b) ^ (a & c) ^ (b & c)
                let second = other &+ majority
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ second)
            }
        }
        hash = hash &+ SIMD8(a, b, c, d, e, f, g, h)
    }

    /// Takes the last bytes with their padding: a one bit, zeros, the message's length in bits.
    ///
    /// - Parameter rest: Fewer than 64 bytes.
    mutating func finish(
        _ rest: UnsafeRawBufferPointer, of count: Int,
        _ schedule: UnsafeMutableBufferPointer<UInt32>
    ) -> (UInt64, UInt64, UInt64, UInt64) {
        withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { last in
            last.initializeMemory(as: UInt8.self, repeating: 0)
            last.copyBytes(from: rest)
            last[rest.count] = 0x80
            let size = rest.count < 56 ? 64 : 128
            last.storeBytes(
                of: (UInt64(count) << 3).bigEndian, toByteOffset: size - 8, as: UInt64.self)
            for start in stride(from: 0, to: size, by: 64) {
                take(UnsafeRawBufferPointer(rebasing: last[start..<start + 64]), schedule)
            }
        }
        func pair(_ index: Int) -> UInt64 { UInt64(hash[index]) << 32 | UInt64(hash[index + 1]) }
        return (pair(0), pair(2), pair(4), pair(6))
    }
}

extension UInt32 {
    @inline(__always)
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
