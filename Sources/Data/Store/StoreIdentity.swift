package import FreshetBase

/// The contents of the file FRESHET: what a data directory is, and who can read it.
package struct StoreIdentity: FileHeader, Equatable, Sendable {
    static let magic = "FRESHET\n"
    /// Of one of the two halves.
    static let length = LogFormat.identityLength / 2

    package var store = StoreID()
    package var major = LogFormat.major
    package var minor = LogFormat.minor
    package var created = WallTime(milliseconds: 0)
    /// The version of the program that made the directory, or the newest that it needs.
    package var writer = ""
    /// Features that a reader must know; comma separated in the file.
    package var requiredFeatures: [String] = []

    mutating func layout(_ fields: inout HeaderFields) {
        fields.number(&major, at: 8)
        fields.number(&minor, at: 10)
        fields.store(&store, at: 16)
        var milliseconds = created.milliseconds
        fields.number(&milliseconds, at: 32)
        created = WallTime(milliseconds: milliseconds)
        fields.text(&writer, in: 48..<80)
        var features = requiredFeatures.joined(separator: ",")
        var count = min(features.utf8.count, 1_024)
        fields.count(&count, as: UInt16.self, at: 80)
        fields.text(&features, in: 82..<min(82 + count, Self.length - 4))
        requiredFeatures = features.split(separator: ",").map(String.init)
    }
}

extension StoreIdentity {
    /// It is the directory of one of several servers.
    var isReplica: Bool { requiredFeatures.contains(LogFormat.clusterFeature) }

    /// The 4,096 bytes of the file.
    var file: [UInt8] { encoded() + encoded() }

    /// The identity that either half of `file` tells, nil where neither verifies.
    init?(file: [UInt8]) {
        for start in [0, Self.length] {
            guard let identity = Self(verifying: Array(file.dropFirst(start))) else { continue }
            self = identity
            return
        }
        return nil
    }

    /// Where the first half begins that does not verify, nil where both do.
    static func damagedHalf(of file: [UInt8]) -> Int? {
        [0, length].first { Self(verifying: Array(file.dropFirst($0))) == nil }
    }
}
