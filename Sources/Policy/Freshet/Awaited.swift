import FreshetBase
import FreshetCore
import FreshetRefresh

/// One answer of work that calls back, awaited by one task.
///
/// A cancelled task is answered at once with `nil`, and whoever does the work is told to leave it.
final class Awaited<Value: Sendable>: ReadWaiter {
    /// What is called where the task is cancelled.
    private let leaves = EndActions()
    private let answer = Promise<Value?>()

    /// Whether nobody waits any more.
    var isCancelled: Bool { answer.isFulfilled }

    /// Answers, the first time.
    func finish(_ value: Value) { answer.fulfil(value) }

    /// Has `leave` called where the task is cancelled before the answer.
    func onCancel(_ leave: @escaping @Sendable () -> Void) { leaves.add(leave) }

    /// Begins the work and waits; called once.
    ///
    /// - Returns: nil where the task was cancelled.
    func value(_ begin: (Awaited) -> Void) async -> Value? {
        begin(self)
        return await answer.value(orLeaving: nil) { leaves.run() }
    }
}
