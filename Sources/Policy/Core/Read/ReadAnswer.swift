package import FreshetBase
package import FreshetEngine
package import FreshetQuery
package import FreshetStore

/// What a read is answered with.
package struct ReadAnswer: Sendable {
    package enum Content: Sendable {
        case entity(Document)
        /// Rows, groups or figures, and what the rows include where that was asked for.
        case page(SearchResult, IncludedEntities?)
        /// The one entity that was asked for is not there, or not for this caller.
        case absent
    }

    package let content: Content
    /// The commit up to which it is exact.
    package let cursor: Cursor
    /// nil where there is nothing to say: the type has no remote, and nobody asked.
    package let origin: AnswerOrigin?
    /// What is odd about an empty answer.
    package var hint: String?

    init(_ content: Content, at cursor: Cursor, of local: LocalRead) {
        self.content = content
        self.cursor = cursor
        origin = local.tellsOrigin ? local.origin : nil
    }
}

/// Why a read has no answer.
package enum ReadFailure: Error {
    case refused(CoreError)
    /// What is here does not suffice, and the remote could not be had.
    case notFetched(FetchFailure)
}

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
    /// Elements of the remote's answer that are no entities of ours, and are missing here.
    package var leftOut = 0

    package init() {}
}
