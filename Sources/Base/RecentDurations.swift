/// How long requests took in the last five minutes, by upper bounds of milliseconds. Any thread.
package final class RecentDurations: Sendable {
    /// Milliseconds, inclusive.
    package static let bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

    /// The window in slices, which end one after the other.
    private struct Slices: Sendable {
        private static let nanoseconds: UInt64 = 30_000_000_000
        private static let count: UInt64 = 10
        private static let empty = [Int](repeating: 0, count: bounds.count + 1)

        private var counts = [[Int]](repeating: empty, count: Int(count))
        /// The newest slice, counted from the machine's start.
        private var newest: UInt64 = 0

        var sums: [Int] {
            counts.reduce(Self.empty) { sums, slice in zip(sums, slice).map { $0 + $1 } }
        }

        mutating func add(_ cell: Int) { counts[Int(newest % Self.count)][cell] += 1 }

        /// Empties the slices that have begun since.
        mutating func pass(to now: MonotonicInstant) {
            let slice = now.nanoseconds / Self.nanoseconds
            guard slice > newest else { return }
            for passed in max(newest + 1, slice - min(slice, Self.count - 1))...slice {
                counts[Int(passed % Self.count)] = Self.empty
            }
            newest = slice
        }
    }

    private let slices = Shared(Slices())

    package init() {}

    package func record(_ span: Duration, at now: MonotonicInstant = .now) {
        let cell = Self.bounds.firstIndex { span <= .milliseconds($0) } ?? Self.bounds.count
        slices.update {
            $0.pass(to: now)
            $0.add(cell)
        }
    }

    package func figures(at now: MonotonicInstant) -> Figures {
        slices.update {
            $0.pass(to: now)
            return Figures(counts: $0.sums)
        }
    }

    package struct Figures: Sendable {
        /// By bound, not summed up; the last is what lies above all.
        let counts: [Int]

        package var count: Int { counts.reduce(0, +) }

        /// Each bound with how many took at most that long and longer than the one before; nil: longer
        /// than all.
        package var cells: [(bound: Int?, count: Int)] {
            counts.enumerated().map {
                (RecentDurations.bounds.indices.contains($0) ? RecentDurations.bounds[$0] : nil, $1)
            }
        }

        /// The bound in milliseconds that this share of all stays within; nil where nothing was counted,
        /// or it lies above all bounds.
        package func quantile(_ share: Double) -> Int? {
            let wanted = Int((Double(count) * share).rounded(.up))
            guard wanted > 0 else { return nil }
            var sum = 0
            for cell in cells {
                sum += cell.count
                if sum >= wanted { return cell.bound }
            }
            return nil
        }
    }
}
