import FreshetHTTP

/// `Authorization: Bearer TOKEN` (RFC 6750, section 2.1).
enum BearerToken {
    /// Longer ones are none.
    static let maximumBytes = 1024

    /// The token of a header's value; nil where it has another scheme or is malformed.
    static func token(in header: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard isBearer(header), header.count > 7 else { return nil }
        var token = UnsafeRawBufferPointer(rebasing: header[7...])
        while token.first == 0x20 { token = UnsafeRawBufferPointer(rebasing: token.dropFirst()) }
        guard (1...maximumBytes).contains(token.count) else { return nil }
        var hasPadding = false
        for byte in token {
            if byte == UInt8(ascii: "=") {
                hasPadding = true
            } else if hasPadding || !isTokenByte(byte) {
                return nil
            }
        }
        return token.first == UInt8(ascii: "=") ? nil : token
    }

    /// Whether the scheme is this one.
    static func isBearer(_ header: UnsafeRawBufferPointer) -> Bool {
        guard header.count >= 6 else { return false }
        let scheme = UnsafeRawBufferPointer(rebasing: header[..<6])
        return HeaderText.equalsIgnoringCase(scheme, "bearer")
            && (header.count == 6 || header[6] == 0x20)
    }

    /// What to do about a header of another scheme, or of none; nil where the scheme is this one:
    /// a malformed token is told like a wrong one.
    static func hint(for header: UnsafeRawBufferPointer) -> String? {
        guard !isBearer(header) else { return nil }
        return header.contains(0x20)
            ? "tokens of another scheme are not taken: send Authorization: Bearer TOKEN"
            : "write Bearer before it: Authorization: Bearer TOKEN"
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

/// The last few tokens that an event loop has let in, to save their digests.
///
/// Only admitted tokens get in, under one generation of the rights. A look compares the presented
/// token with every one of them, all bytes of it, so that time tells at most their lengths. Holds
/// `capacity` tokens of at most `maximumBytes`, as the connections' buffers do anyway.
struct TokenCache {
    private static let capacity = 8
    private static let maximumBytes = 128

    private var entries: [(token: [UInt8], caller: Caller)] = []
    private var generation = -1
    private var next = 0

    mutating func find(_ token: UnsafeRawBufferPointer, generation: Int) -> Caller? {
        guard generation == self.generation else {
            entries.removeAll(keepingCapacity: true)
            self.generation = generation
            next = 0
            return nil
        }
        var found = -1
        for index in entries.indices {
            let isEqual = entries[index].token.withUnsafeBytes { Self.areEqual($0, token) }
            found = isEqual ? index : found
        }
        return found < 0 ? nil : entries[found].caller
    }

    /// - Parameter caller: Of the generation of the look before; another one is not kept.
    mutating func remember(_ token: UnsafeRawBufferPointer, _ caller: Caller) {
        guard token.count <= Self.maximumBytes, caller.generation == generation else { return }
        let entry = ([UInt8](token), caller)
        if entries.count < Self.capacity {
            entries.append(entry)
        } else {
            entries[next] = entry
            next = (next + 1) % Self.capacity
        }
    }

    private static func areEqual(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<left.count { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
