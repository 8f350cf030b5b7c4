import FreshetBase

/// Who drives the operations that the embedding program has named, so that each goes with its last
/// driver and no sooner.
///
/// Whoever comes has the operation's turn until it has declared it, and the last one to leave until all
/// of that has been carried out. Others wait: of two that come at once the second finds what the first
/// has declared, and who comes behind the last one finds nothing of before.
struct OperationDrivers {
    /// By the operation's id.
    private var counts: [String: Int] = [:]
    /// Its end is told here.
    private var turns: [String: AwaitedValue<Bool>] = [:]

    /// One comes to drive an operation, which stays until `leave`, and has its turn until `settle`.
    ///
    /// - Returns: What is to be waited for before it asks again; nil: it has come.
    mutating func enter(_ id: String) -> AwaitedValue<Bool>? {
        if let turn = turns[id] { return turn }
        turns[id] = AwaitedValue()
        counts[id, default: 0] += 1
        return nil
    }

    /// Ends the turn.
    ///
    /// - Returns: Those who wait for it are told here, without a lock.
    mutating func settle(_ id: String) -> AwaitedValue<Bool>? { turns.removeValue(forKey: id) }

    /// One that has settled drives it no more.
    ///
    /// - Returns: Whether that was the last one, which has the turn again.
    mutating func leave(_ id: String) -> Bool {
        let left = (counts[id] ?? 0) - 1
        precondition(left >= 0, "who leaves has come")
        counts[id] = left > 0 ? left : nil
        guard left == 0 else { return false }
        precondition(turns[id] == nil, "who has a turn is there")
        turns[id] = AwaitedValue()
        return true
    }
}
