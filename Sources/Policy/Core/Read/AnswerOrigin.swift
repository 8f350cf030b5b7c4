package import FreshetBase
package import FreshetRemote

/// What an answer says of where it comes from.
package struct AnswerOrigin: Sendable {
    package enum Source: String, Sendable {
        case local, remote
        /// Local, since the remote could not be had.
        case fallback
    }

    /// What goes on behind the answer.
    package enum Refresh: String, Sendable {
        case started, joined, gated, fresh, none
    }

    package var source = Source.local
    package var refresh = Refresh.none
    /// When what the answer is made of was fetched, as far as that is known.
    package var fetchedAt: WallTime?
    /// Why it is not the remote's.
    package var failure: FetchFailure?
    /// What the remote's answer lacks.
    package var gaps = AnswerGaps()

    package init() {}
}
