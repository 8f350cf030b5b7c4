package import Synchronization

/// A number that any thread may raise or set and the metrics page reads. Relaxed: no ordering.
package final class Counter: Sendable {
    @usableFromInline let atomic = Atomic<Int>(0)

    package init() {}

    @inlinable package func add(_ amount: Int = 1) {
        atomic.wrappingAdd(amount, ordering: .relaxed)
    }

    @inlinable package func set(_ value: Int) {
        atomic.store(value, ordering: .relaxed)
    }

    /// Makes it 0.
    ///
    /// - Returns: What it was.
    func reset() -> Int { atomic.exchange(0, ordering: .relaxed) }

    @inlinable package var value: Int { atomic.load(ordering: .relaxed) }
}
