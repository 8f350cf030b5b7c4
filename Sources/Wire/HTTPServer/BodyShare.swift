package import FreshetBase

/// What one body holds of the memory that all have, given back as this is released. One thread at a time.
// SAFETY: its owner is the only one who changes `counted`; the rest never changes.
package final class BodyShare: @unchecked Sendable {
    private let total: Counter
    private let limit: Int
    private var counted = 0

    /// - Parameters:
    ///   - total: Counts what all bodies hold.
    ///   - limit: That they may hold together.
    package init(of total: Counter, limit: Int) {
        self.total = total
        self.limit = limit
    }

    deinit { total.add(-counted) }

    /// Counts that the body holds `bytes` now. - Returns: Whether there is room, or nobody else has any.
    package func has(roomFor bytes: Int) -> Bool {
        total.add(bytes - counted)
        counted = bytes
        let all = total.value
        return all <= limit || all == counted
    }
}
