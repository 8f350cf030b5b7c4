import FreshetBase
import FreshetCore
import FreshetOperations

/// One answer of work that calls back, awaited by one task.
///
/// A cancelled task is answered at once with `nil`, and whoever does the work is told to leave it.
// SAFETY: all mutable state is read and written under `lock`.
final class Awaited<Value: Sendable>: ReadWaiter, @unchecked Sendable {
    private enum State {
        /// What is to be called where the task is cancelled.
        case waiting([@Sendable () -> Void])
        case answered
        case cancelled
    }

    private let lock = Lock()
    private var state = State.waiting([])
    private let answer = Promise<Value?>()

    /// Whether nobody waits any more.
    var isCancelled: Bool { answer.isFulfilled }

    /// Answers, the first time.
    func finish(_ value: Value) {
        let isFirst = lock.withLock {
            guard case .waiting = state else { return false }
            state = .answered
            return true
        }
        if isFirst { answer.fulfil(value) }
    }

    /// Has `leave` called where the task is cancelled before the answer.
    func onCancel(_ leave: @escaping @Sendable () -> Void) {
        let isCancelled = lock.withLock {
            switch state {
            case .waiting(let leaves):
                state = .waiting(leaves + [leave])
                return false
            case .answered: return false
            case .cancelled: return true
            }
        }
        if isCancelled { leave() }
    }

    /// Begins the work and waits; called once.
    ///
    /// - Returns: nil where the task was cancelled.
    func value(_ begin: (Awaited) -> Void) async -> Value? {
        begin(self)
        return await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            let leaves = lock.withLock { () -> [@Sendable () -> Void]? in
                guard case .waiting(let leaves) = state else { return nil }
                state = .cancelled
                return leaves
            }
            guard let leaves else { return }
            answer.fulfil(nil)
            for leave in leaves { leave() }
        }
    }
}
