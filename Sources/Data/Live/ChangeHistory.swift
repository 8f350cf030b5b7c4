import FreshetBase
package import FreshetQuery

/// The latest changes of all types, so that a client that was away for minutes gets what has
/// changed instead of everything. In memory; bounded by entries and bytes; the oldest are forgotten
/// first, up to a 64th of the limits at a time.
// SAFETY: its variables are read and written under `lock` only.
package final class ChangeHistory: @unchecked Sendable {
    /// How much is kept.
    package struct Limits: Sendable, Equatable {
        /// 0 keeps nothing.
        package var entries: Int
        /// Of the entries and the replaced documents, which nobody else keeps.
        package var bytes: Int

        package init(entries: Int = 100_000, bytes: Int = 8 << 20) {
            self.entries = entries
            self.bytes = bytes
        }
    }

    /// Parts that the limits are divided into.
    private static let partCount = 64

    /// Changes that follow one another and are forgotten together.
    private struct Part {
        var changes: [Change] = []
        /// Whose they are.
        var types: Set<TypeName> = []
        var bytes = 0
    }

    private let lock = Lock()
    private var limits = Limits()
    /// The oldest first. Whoever looks at parts shares them, so that only the last one is copied for the
    /// next change.
    private var parts: [Part] = []
    /// What comes behind `parts`, short of a whole part.
    private var last = Part()
    private var count = 0
    private var bytes = 0
    /// All changes above it are kept.
    private var floor: UInt64 = 0

    package init() {}

    /// Begins behind `seq`: what came before is not known.
    ///
    /// - Parameter limits: nil keeps those that are in force.
    package func begin(after seq: UInt64, _ limits: Limits? = nil) {
        let forgotten = lock.withLock {
            defer {
                self.limits = limits ?? self.limits
                parts = []
                last = Part()
                count = 0
                bytes = 0
                floor = seq
            }
            return (parts, last)
        }
        // Documents are freed outside the lock.
        _ = forgotten
    }

    /// Notes changes in commit order. About 50 ns each.
    package func record(_ changes: [Change]) {
        guard let newest = changes.last else { return }
        var forgotten: [Part] = []
        lock.withLock {
            guard limits.entries > 0 else {
                floor = newest.seq
                return
            }
            for change in changes {
                if change.type != last.changes.last?.type { last.types.insert(change.type) }
                last.changes.append(change)
                let size = Self.size(change)
                last.bytes += size
                bytes += size
                count += 1
                // No part is larger than the limits, so that there is one to forget where they are passed.
                if last.changes.count * Self.partCount >= limits.entries
                    || last.bytes * Self.partCount >= limits.bytes
                {
                    parts.append(last)
                    last = Part()
                }
                while count > limits.entries || bytes > limits.bytes {
                    forgotten.append(removeOldest())
                }
            }
        }
    }

    private func removeOldest() -> Part {
        let oldest = parts.removeFirst()
        count -= oldest.changes.count
        bytes -= oldest.bytes
        floor = oldest.changes[oldest.changes.count - 1].seq
        return oldest
    }

    private static func size(_ change: Change) -> Int {
        // The entry itself, and what only it keeps.
        MemoryLayout<Change>.stride + (change.old?.memorySize ?? 0)
    }

    /// How much may be looked at.
    struct Bounds {
        let changes: Int
        /// Of the documents of the changes.
        let bytes: Int
    }

    /// The changes of `types` with seqs above `seq` and at most `end`, newest first; nil where some
    /// of them are forgotten or there are more than `bounds` allow.
    ///
    /// - Complexity: O(changes since `seq`), without those of parts that have none of `types`.
    func changes(
        of types: Set<TypeName>, after seq: UInt64, through end: UInt64, within bounds: Bounds
    ) -> [Change]? {
        // Looked at beside the lock, which commits take.
        let (parts, last, floor) = lock.withLock { (self.parts, self.last, self.floor) }
        guard seq >= floor else { return nil }
        var found: [Change] = []
        var bytes = 0
        // Most queries are of one type: hashing each change's would take most of the time.
        let onlyType = types.count == 1 ? types.first : nil
        for part in [[last], parts.reversed()].joined()
        where !part.types.isDisjoint(with: types) {
            for change in part.changes.reversed() {
                guard change.seq > seq else { return found }
                guard change.seq <= end,
                    onlyType.map({ $0 == change.type }) ?? types.contains(change.type)
                else { continue }
                bytes += (change.old?.memorySize ?? 0) + (change.new?.memorySize ?? 0)
                guard found.count < bounds.changes, bytes <= bounds.bytes else { return nil }
                found.append(change)
            }
        }
        return found
    }
}
