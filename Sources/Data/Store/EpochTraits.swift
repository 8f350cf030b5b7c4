import FreshetBase
import FreshetQuery

/// What the end of a session loses: the second word of an epoch's payload.
struct EpochTraits: Equatable, Sendable {
    let rawValue: UInt64

    /// Those of a session that loses nothing, by default.
    init(rawValue: UInt64 = 0) {
        self.rawValue = rawValue
    }

    /// Bit 0: commits that are not in the log may take seqs. Bit 1: there are types that are kept
    /// in memory alone. Bits 8 to 63: the first 56 bits of the SHA-256 of their names in ascending
    /// order of bytes, a line feed behind each.
    ///
    /// - Parameter isRelaxed: Commits may be shown before they are synced.
    init(memoryTypes: Set<TypeName>, isRelaxed: Bool) {
        guard !memoryTypes.isEmpty else {
            rawValue = isRelaxed ? 1 : 0
            return
        }
        let names = memoryTypes.sorted().map { Array($0.text.utf8) + [UInt8(ascii: "\n")] }
        let digest = Array(names.joined()).withUnsafeBytes { SHA256Digest(of: $0) }
        rawValue = digest.words.0 & ~0xFF | 3
    }

    /// An unclean end makes a new epoch.
    var isVolatile: Bool { rawValue & 1 == 1 }

    /// Whether the same types are kept in memory. Not where an older version has not said which.
    func hasSameTypes(as other: EpochTraits) -> Bool { rawValue >> 1 == other.rawValue >> 1 }
}
