package import FreshetQuery

/// What an index is about: the keys that it keeps its type's entities ordered by, then the id.
package struct IndexDefinition: Hashable, Sendable, CustomStringConvertible {
    /// The most keys of one index.
    package static let maximumKeys = 8

    /// From the first to the last; none is the identifier, none is case-insensitive, none is twice.
    package let keys: [OrderKey]

    /// Makes a definition of 1…8 keys.
    ///
    /// - Returns: nil where a key is the identifier (every table is ordered by it already), ignores
    ///   case or stands twice, and where there are none or too many.
    package init?(_ keys: [OrderKey]) {
        guard (1...Self.maximumKeys).contains(keys.count),
            keys.allSatisfy({ !$0.path.isID && !$0.caseInsensitive }),
            Set(keys.map(\.path)).count == keys.count
        else { return nil }
        self.keys = keys
    }

    /// As `order=` writes the keys: `status,-at`.
    package var description: String { keys.map(\.description).joined(separator: ",") }
}
