import FreshetBase
package import FreshetQuery

/// The latest changes of all types, so that a client that was away for minutes gets what has
/// changed instead of everything. In memory; bounded by entries and bytes, oldest forgotten first.
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

    private let lock = Lock()
    private var limits = Limits()
    /// A queue: the oldest is at `head`, before it are places that were left.
    private var entries: [Change?] = []
    private var head = 0
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
                entries = []
                head = 0
                bytes = 0
                floor = seq
            }
            return entries
        }
        // Documents are freed outside the lock.
        _ = forgotten
    }

    /// Notes changes in commit order. About 50 ns each.
    package func record(_ changes: [Change]) {
        guard let last = changes.last else { return }
        var forgotten: [Change?] = []
        lock.withLock {
            guard limits.entries > 0 else {
                floor = last.seq
                return
            }
            for change in changes {
                entries.append(change)
                bytes += Self.size(change)
                while entries.count - head > limits.entries || bytes > limits.bytes {
                    forgotten.append(removeOldest())
                }
            }
        }
    }

    private func removeOldest() -> Change? {
        var oldest: Change?
        swap(&oldest, &entries[head])
        head += 1
        if let oldest {
            bytes -= Self.size(oldest)
            floor = oldest.seq
        }
        if head > entries.count / 2, head > 64 {
            entries.removeFirst(head)
            head = 0
        }
        return oldest
    }

    private static func size(_ change: Change) -> Int {
        // The entry itself, and what only it keeps.
        MemoryLayout<Change?>.stride + (change.old?.memorySize ?? 0)
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
    /// - Complexity: O(changes of all types since `seq`).
    func changes(
        of types: Set<TypeName>, after seq: UInt64, through end: UInt64, within bounds: Bounds
    ) -> [Change]? {
        lock.withLock {
            guard seq >= floor else { return nil }
            var found: [Change] = []
            var bytes = 0
            var index = entries.count
            while index > head {
                index -= 1
                guard let change = entries[index], change.seq > seq else { break }
                if change.seq > end || !types.contains(change.type) { continue }
                bytes += (change.old?.memorySize ?? 0) + (change.new?.memorySize ?? 0)
                guard found.count < bounds.changes, bytes <= bounds.bytes else { return nil }
                found.append(change)
            }
            return found
        }
    }
}
