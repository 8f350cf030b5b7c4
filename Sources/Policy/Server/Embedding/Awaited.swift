import FreshetBase

/// One answer of work that calls back, awaited by one task.
///
/// A cancelled task is answered at once with `nil`, and whoever does the work is told to leave it.
// SAFETY: all mutable state is read and written under `lock`.
final class Awaited<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var answer: Value??
    private var waiter: CheckedContinuation<Value?, Never>?
    private var leaves: [@Sendable () -> Void] = []

    /// Whether nobody waits any more.
    var isOver: Bool { lock.withLock { answer != nil } }

    /// Answers, the first time.
    func finish(_ value: Value?) {
        let waiter = lock.withLock { () -> CheckedContinuation<Value?, Never>? in
            guard answer == nil else { return nil }
            answer = .some(value)
            leaves = []
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.resume(returning: value)
    }

    /// Has `leave` called where the task is cancelled before the answer.
    func onCancel(_ leave: @escaping @Sendable () -> Void) {
        let isCancelled = lock.withLock {
            if answer == nil { leaves.append(leave) }
            return answer.map { $0 == nil } ?? false
        }
        if isCancelled { leave() }
    }

    /// Begins the work and waits; called once.
    ///
    /// - Returns: nil where the task was cancelled.
    func value(_ begin: (Awaited) -> Void) async -> Value? {
        begin(self)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = lock.withLock { () -> Value?? in
                    if self.answer == nil { waiter = continuation }
                    return self.answer
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let leaves = lock.withLock {
                defer { self.leaves = [] }
                return self.leaves
            }
            finish(nil)
            for leave in leaves { leave() }
        }
    }
}
