import FreshetBase

/// Gathers what so many bring, and calls once all of them have. Any thread.
// SAFETY: all mutable state is read and written under `lock`.
final class Gathering<Sum: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var left: Int
    private var sum: Sum
    private let completion: @Sendable (Sum) -> Void

    init(_ count: Int, _ sum: Sum, _ completion: @escaping @Sendable (Sum) -> Void) {
        left = count
        self.sum = sum
        self.completion = completion
    }

    /// One of them has come.
    func add(_ change: (inout Sum) -> Void) {
        let whole: Sum? = lock.withLock {
            left -= 1
            change(&sum)
            return left == 0 ? sum : nil
        }
        if let whole { completion(whole) }
    }
}
