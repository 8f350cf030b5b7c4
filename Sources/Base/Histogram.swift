import Synchronization

/// How often something took how long, for the metrics page: counts by upper bound, and the sum.
/// Relaxed: no ordering between the figures.
package final class Histogram: Sendable {
    /// Upper bounds in nanoseconds, inclusive: 100 µs to 10 s. What takes longer counts in the sum and
    /// in a last cell of its own.
    package static let bounds: [UInt64] = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
        50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000,
        5_000_000_000, 10_000_000_000,
    ]

    /// A cell for each bound, one for what lies above, one for the sum of nanoseconds.
    private static let cellCount = bounds.count + 2
    // SAFETY: set once and freed by deinit; the cells are atomic.
    nonisolated(unsafe) private let cells: UnsafeMutablePointer<Atomic<Int>>

    package init() {
        cells = .allocate(capacity: Self.cellCount)
        for index in 0..<Self.cellCount { (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        cells.deinitialize(count: Self.cellCount)
        cells.deallocate()
    }

    /// Counts `times` that took `nanoseconds` each. Any thread.
    package func record(_ nanoseconds: UInt64, times: Int = 1) {
        var cell = 0
        Self.bounds.withUnsafeBufferPointer { bounds in
            while cell < bounds.count, nanoseconds > bounds[cell] { cell += 1 }
        }
        cells[cell].wrappingAdd(times, ordering: .relaxed)
        cells[Self.cellCount - 1].wrappingAdd(
            Int(clamping: nanoseconds) &* times, ordering: .relaxed)
    }

    package func record(since start: MonotonicInstant, until end: MonotonicInstant) {
        record(end.nanoseconds > start.nanoseconds ? end.nanoseconds - start.nanoseconds : 0)
    }

    /// What has been counted, now.
    package var figures: Figures {
        var figures = Figures()
        for index in figures.counts.indices {
            figures.counts[index] = cells[index].load(ordering: .relaxed)
        }
        figures.nanoseconds = cells[Self.cellCount - 1].load(ordering: .relaxed)
        return figures
    }

    package struct Figures: Sendable, Equatable {
        /// By bound, not summed up; the last is what lies above all.
        package var counts = [Int](repeating: 0, count: bounds.count + 1)
        package var nanoseconds = 0

        package init() {}

        package static func += (left: inout Figures, right: Figures) {
            for index in left.counts.indices { left.counts[index] += right.counts[index] }
            left.nanoseconds += right.nanoseconds
        }
    }
}
