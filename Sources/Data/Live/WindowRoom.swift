import FreshetBase
import Synchronization

/// Rows that the windows of one live set keep: few windows may be long, and there may be many short
/// ones.
final class WindowRoom: Sendable {
    /// Rows that a window keeps without being counted.
    static let uncounted = 200
    /// Rows over all windows: 512 MiB.
    static let mostRows = 1 << 24

    let most: Int
    private let rows = Atomic<Int>(0)

    init(most: Int = mostRows) { self.most = most }

    /// Counts a window of `before` rows as one of `after`. One that stands may grow into as much room again.
    ///
    /// - Returns: Whether there is room; where there is none nothing is counted.
    func resize(from before: Int, to after: Int) -> Bool {
        let most = before == 0 ? most : max(most, most &* 2)
        let change = max(0, after - Self.uncounted) - max(0, before - Self.uncounted)
        guard change != 0 else { return true }
        let sum = rows.add(change, ordering: .relaxed).newValue
        guard change > 0, sum > most else { return true }
        rows.subtract(change, ordering: .relaxed)
        return false
    }

    /// Rows that are counted.
    var count: Int { rows.load(ordering: .relaxed) }
}
