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
    /// There are rows behind those of the page, here or at the remote, or may be.
    package let hasMore: Bool

    init(_ content: Content, at cursor: Cursor, of local: LocalRead) {
        self.content = content
        self.cursor = cursor
        origin = local.tellsOrigin ? local.origin : nil
        guard case .page(let found, _) = content else {
            hasMore = false
            return
        }
        hasMore =
            found.hasMore || local.mayHaveMore && !local.hasOwnOrder && !found.documents.isEmpty
    }
}

/// Why a read has no answer.
package enum ReadFailure: Error {
    case refused(CoreError)
    /// What is here does not suffice, and the remote could not be had.
    case notFetched(FetchFailure)
}
