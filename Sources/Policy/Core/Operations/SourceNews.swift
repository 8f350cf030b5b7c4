package import FreshetBase
package import FreshetJSON
package import FreshetRemote

/// How what is behind a live query stands.
package struct SourceNews: Sendable {
    package enum State: String, Sendable {
        case fetching, fresh, stale, gated, failed
    }

    package enum Fault: Sendable {
        case here(FetchFailure)
        /// A problem's object, as another server has told it.
        case told(JSONValue)
        /// What the remote's answer lacks; of `fresh`.
        case gaps(AnswerGaps)
    }

    package let state: State
    /// What keeps it from being fetched; of `gated`.
    package var gate: String?
    /// When what is here was fetched, where it is `fresh`; else since when it is so.
    package let since: WallTime
    /// When it is tried again, as far as that is known.
    package var next: WallTime?
    package var problem: Fault?

    package init(
        state: State, gate: String? = nil, since: WallTime, next: WallTime? = nil,
        problem: Fault? = nil
    ) {
        self.state = state
        self.gate = gate
        self.since = since
        self.next = next
        self.problem = problem
    }

    /// What is here was fetched at `fetched`, but for what the answer lacks.
    static func fresh(_ fetched: WallTime, _ gaps: AnswerGaps) -> SourceNews {
        SourceNews(state: .fresh, since: fetched, problem: gaps.isAny ? .gaps(gaps) : nil)
    }

    /// Whether who was told this would learn something by `other`. A failure is one by its time.
    func differs(from other: SourceNews) -> Bool {
        state != other.state || gate != other.gate || state == .failed && since != other.since
    }
}
