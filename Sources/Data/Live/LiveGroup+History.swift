import FreshetBase
import FreshetEngine
import FreshetQuery

// What the retained changes tell about a group before the first seq that it was followed at: after
// a restart, or where nobody had watched the query for a while.

extension LiveGroup {
    /// What the filter may take for the long values of the history, under the group's lock.
    private static var historyPatience: Int { FilterEvaluator.shortPatience }

    /// What of the history is looked at for one who comes back, under the group's lock. The time of a
    /// filter grows with what it is compiled to, and with the texts that it reads.
    var historyBounds: ChangeHistory.Bounds {
        ChangeHistory.Bounds(
            changes: min(20_000, (10 << 20) / max(1, matcher.compiledSize)), bytes: 32 << 20)
    }

    /// Learns from the history what had happened before the window was followed. Not where entities
    /// are included: of those the history does not tell what was included when.
    func extendTrail(
        _ state: inout State, to seq: UInt64, _ exact: UInt64, _ history: ChangeHistory
    ) {
        guard include == nil, let window = state.window, seq < window.trail.floor,
            let past = history.changes(
                of: [type], after: seq, through: exact, within: historyBounds)
        else { return }
        var patience = Self.historyPatience
        var changes: [WindowChange] = []
        for change in past {
            // What cannot be judged in that time is as if it had been forgotten.
            guard
                let rows = matcher.matches(old: change.old, new: change.new, patience: &patience)
            else { return }
            guard rows.old || rows.new else { continue }
            changes.append(windowChange(change, wasIn: rows.old, isIn: rows.new))
        }
        state.window?.extend(to: seq, by: changes, through: exact)
    }

    /// Whether it is known that an answer that is not followed has not changed since `seq`.
    ///
    /// What an include depends on is known of the present answer. A change that does not concern
    /// that leaves the answer, and what it depends on, as they were; so looking back change by
    /// change finds the last one that did.
    func isUntouched(
        _ state: State, since seq: UInt64, _ exact: UInt64, _ history: ChangeHistory
    ) -> Bool {
        guard
            let past = history.changes(
                of: types, after: seq, through: exact, within: historyBounds)
        else { return false }
        var patience = Self.historyPatience
        return !past.contains { change in
            if change.type == type {
                guard
                    let rows = matcher.matches(
                        old: change.old, new: change.new, patience: &patience),
                    rows.old == rows.new, !rows.new || isSilent(change)
                else { return true }
            }
            guard include != nil, !template.includedContent.isSilent(change) else { return false }
            return state.watch?.concerns(change) ?? true
        }
    }

    private func isSilent(_ change: Change) -> Bool {
        guard let old = change.old, let new = change.new else { return false }
        return content.isSilent(old, new)
    }
}
