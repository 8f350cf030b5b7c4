package import FreshetQuery

/// Hears of every change: live queries, the change history.
package protocol CommitObserver: AnyObject, Sendable {
    /// Takes the changes of one or more whole commits: in seq order, one call at a time, off every
    /// lock, after readers can see them. A view taken before the call may contain them already;
    /// its seq tells. Short: the next commit's changes wait for it.
    func committed(_ changes: [Change])
    /// Hears at a start, before anybody reads or writes, that all changes above `seq` which the
    /// log has follow by `recovered`.
    func recovers(after seq: UInt64)
    /// Takes changes of the log, in seq order. Those of types that are not loaded are missing.
    func recovered(_ changes: [Change])
    /// Hears at a start, behind those, that nothing is left of what `types` held: they are kept in
    /// memory. What anybody holds of them as of `seq` or before says nothing of what they hold now.
    func forgot(_ types: Set<TypeName>, through seq: UInt64)
}

extension CommitObserver {
    package func recovers(after seq: UInt64) {}

    package func recovered(_ changes: [Change]) {}

    package func forgot(_ types: Set<TypeName>, through seq: UInt64) {}
}
