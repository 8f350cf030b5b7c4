import FreshetBase
import FreshetCore
import FreshetRefresh

/// One answer of work that calls back, awaited by one task.
///
/// A cancelled task is answered at once with `nil`, and whoever does the work is told to leave it.
// SAFETY: all mutable state is read and written under `lock`.
final class Awaited<Value: Sendable>: ReadWaiter, @unchecked Sendable {
    private let lock = Lock()
    /// What is to be called where the task is cancelled.
    private var leaves: [@Sendable () -> Void] = []
    private var hasLeft = false
    private let answer = Promise<Value?>()

    /// Whether nobody waits any more.
    var isCancelled: Bool { answer.isFulfilled }

    /// Answers, the first time.
    func finish(_ value: Value) { answer.fulfil(value) }

    /// Has `leave` called where the task is cancelled before the answer.
    func onCancel(_ leave: @escaping @Sendable () -> Void) {
        let isLate = lock.withLock {
            if !hasLeft { leaves.append(leave) }
            return hasLeft
        }
        if isLate { leave() }
    }

    /// Begins the work and waits; called once.
    ///
    /// - Returns: nil where the task was cancelled.
    func value(_ begin: (Awaited) -> Void) async -> Value? {
        begin(self)
        return await answer.value(orLeaving: nil) {
            let leaves = lock.withLock {
                hasLeft = true
                defer { self.leaves = [] }
                return self.leaves
            }
            for leave in leaves { leave() }
        }
    }
}
