import FreshetBase
import FreshetEngine
package import FreshetQuery
import Synchronization

/// A query as it was asked, and what is found out about it once, however often it is asked again: how
/// its rows are searched for, and what its cursors bear. Immutable to whoever has it; any thread.
package final class AskedQuery: Sendable {
    package let query: Query
    private let planned = LazyReference<SearchPlan>()
    /// The fingerprint of its cursors; 0: not needed so far.
    private let fingerprint = Atomic<UInt64>(0)

    package init(_ query: consuming Query) {
        self.query = query
    }

    /// How rows that are here are searched for; made by the first who needs it.
    ///
    /// - Throws: As `SearchPlan`.
    func plan() throws(EngineError) -> SearchPlan {
        if let plan = planned.load() { return plan }
        var query = query
        query.looksAhead = true
        return planned.storeIfNil(try SearchPlan(query))
    }

    /// The place behind which the page after `last` begins; nil for an id that cannot be one.
    package func mark(behind last: Document) -> PageMark? {
        var known = fingerprint.load(ordering: .relaxed)
        if known == 0 {
            known = PageMark.fingerprint(behind: query)
            fingerprint.store(known, ordering: .relaxed)
        }
        return PageMark(of: last, in: query, fingerprint: known)
    }

    /// Whether it may be kept for the next who asks it: it is small, its plan is what answers it, and
    /// the same words always mean it. Not so where a caller has a row rule, where ids have become
    /// others, and of contracts, which are the configuration's.
    package var isLasting: Bool {
        guard query.ids == nil, query.rule == nil, query.contract == nil, query.include == nil,
            query.read == nil
        else { return false }
        if case .ids = query.order { return false }
        // What cannot be planned is told by whoever answers it.
        return (try? plan().isSmall) ?? false
    }
}
