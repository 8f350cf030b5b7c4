import FreshetBase
import FreshetQuery
import FreshetStore

/// Keeps what was committed, until it is taken.
// SAFETY: its variable is read and written under `lock` only.
final class Commits: CommitObserver, @unchecked Sendable {
    private let lock = Lock()
    private var changes: [Change] = []

    func committed(_ changes: [Change]) {
        lock.withLock { self.changes += changes }
    }

    func take() -> [Change] {
        lock.withLock {
            defer { changes = [] }
            return changes
        }
    }
}
