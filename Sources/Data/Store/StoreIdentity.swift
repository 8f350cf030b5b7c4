package import FreshetBase

/// The contents of the file FRESHET: what a data directory is, and who can read it.
package struct StoreIdentity: Equatable, Sendable {
    package var store: StoreID
    package var major: UInt16
    package var minor: UInt16
    package var created: WallTime
    /// The version of the program that made the directory, or the newest that it needs.
    package var writer: String
    /// Features that a reader must know; comma separated in the file.
    package var requiredFeatures: [String]

    static let halfLength = LogFormat.identityLength / 2

    init(store: StoreID, created: WallTime, writer: String) {
        self.store = store
        major = LogFormat.major
        minor = LogFormat.minor
        self.created = created
        self.writer = writer
        requiredFeatures = []
    }

    /// The 4,096 bytes of the file.
    func encoded() -> [UInt8] {
        var half = [UInt8](repeating: 0, count: Self.halfLength)
        let features = Array(requiredFeatures.joined(separator: ",").utf8.prefix(1_024))
        half.withUnsafeMutableBytes { target in
            target.store(LogFormat.identityMagic, at: 0)
            target.store(major, at: 8)
            target.store(minor, at: 10)
            target.store(store.high, at: 16)
            target.store(store.low, at: 24)
            target.store(created.milliseconds, at: 32)
            for (index, byte) in writer.utf8.prefix(32).enumerated() { target[48 + index] = byte }
            target.store(UInt16(features.count), at: 80)
            for (index, byte) in features.enumerated() { target[82 + index] = byte }
            let covered = UnsafeRawBufferPointer(rebasing: target[..<(Self.halfLength - 4)])
            target.store(CRC32C.checksum(covered), at: Self.halfLength - 4)
        }
        return half + half
    }

    /// The identity that either half tells, nil where neither verifies.
    init?(verifying file: [UInt8]) {
        for start in [0, Self.halfLength] where file.count >= start + Self.halfLength {
            let half = Array(file[start..<start + Self.halfLength])
            if let identity = half.withUnsafeBytes({ Self(half: $0) }) {
                self = identity
                return
            }
        }
        return nil
    }

    /// Where the first half begins that does not verify, nil where both do.
    static func damagedHalf(of file: [UInt8]) -> Int? {
        [0, halfLength].first { start in
            Self(verifying: Array(file.dropFirst(start).prefix(halfLength))) == nil
        }
    }

    private init?(half: UnsafeRawBufferPointer) {
        let end = Self.halfLength - 4
        guard half.littleEndian(at: 0, as: UInt64.self) == LogFormat.identityMagic,
            half.littleEndian(at: end, as: UInt32.self)
                == CRC32C.checksum(UnsafeRawBufferPointer(rebasing: half[..<end]))
        else { return nil }
        major = half.littleEndian(at: 8, as: UInt16.self)
        minor = half.littleEndian(at: 10, as: UInt16.self)
        store = StoreID(
            high: half.littleEndian(at: 16, as: UInt64.self),
            low: half.littleEndian(at: 24, as: UInt64.self))
        created = WallTime(milliseconds: half.littleEndian(at: 32, as: Int64.self))
        writer = String(decoding: half[48..<80].prefix { $0 != 0 }, as: UTF8.self)
        let length = min(Int(half.littleEndian(at: 80, as: UInt16.self)), end - 82)
        requiredFeatures = String(decoding: half[82..<82 + length], as: UTF8.self)
            .split(separator: ",").map(String.init)
    }
}
