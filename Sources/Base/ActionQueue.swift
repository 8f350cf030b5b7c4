/// Actions that steps under a lock leave, to be carried out without it, one at a time and in their
/// order: whoever finds nobody at it carries out its own and those that come meanwhile. Guarded by the
/// lock of what it is part of.
///
/// ```swift
/// let isMine = lock.withLock {
///     actions.append(…)
///     return actions.claim()
/// }
/// guard isMine else { return }
/// while let action = lock.withLock({ actions.next() }) { perform(action) }
/// ```
package struct ActionQueue<Action> {
    private var waiting: [Action] = []
    /// The claimant's batch, the last first.
    private var batch: [Action] = []
    private var isClaimed = false

    package init() {}

    package mutating func append(_ action: Action) {
        waiting.append(action)
    }

    /// At the end of a step.
    ///
    /// - Returns: Whether the caller has to carry out what waits, until `next` has nothing more.
    package mutating func claim() -> Bool {
        guard !isClaimed, !waiting.isEmpty else { return false }
        isClaimed = true
        return true
    }

    /// The claimant's next action; nil gives the claim back.
    ///
    /// - Complexity: O(1), amortised.
    package mutating func next() -> Action? {
        assert(isClaimed, "actions are carried out by the one who has claimed them")
        if batch.isEmpty {
            swap(&batch, &waiting)
            batch.reverse()
        }
        if let action = batch.popLast() { return action }
        isClaimed = false
        // The space of a burst is not kept.
        if max(batch.capacity, waiting.capacity) > 1_024 { (batch, waiting) = ([], []) }
        return nil
    }

    /// Drops what waits.
    package mutating func removeAll() {
        waiting = []
        batch = []
    }
}
