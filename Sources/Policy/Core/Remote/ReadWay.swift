package import FreshetBase
package import FreshetEngine
package import FreshetQuery
import FreshetRemote

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

/// A query that is answered from here, and what its answer says of itself.
package struct LocalRead: Sendable {
    /// May differ from what was asked in order and window, where the remote has applied them.
    package var query: Query
    /// The rows in place of the store's; nil: the store's.
    package var table: TableView?
    /// What came with them and is not stored.
    var nested = FetchedEntities()
    /// The entity of a get, where it was looked for already; who may read it was not asked.
    package var document: Document?
    package var origin = AnswerOrigin()
    /// Without a row the answer is the failure that is the reason for it.
    package var mustFind = false
    /// A complete answer of the remote was recorded.
    var isCovered = false
    /// The pages of the answer cannot be told by a mark.
    package var hasOwnOrder = false

    init(_ query: Query) { self.query = query }
}

/// A read that the remote is asked for first.
package struct RemoteRead: Sendable {
    let query: Query
    let shape: FetchShape
    /// The name of the configured operation that asks the same.
    let operation: String?
    let remote: any RemoteSource
    let source: ReadParameters.Source
    let persist: ReadParameters.Persist
    /// How it ends.
    package enum End: Sendable {
        case rows(LocalRead)
        /// The remote has no such entity.
        case absent(AnswerOrigin)
        case failed(FetchFailure)
    }
}

/// How a read is answered.
package enum ReadWay: Sendable {
    case local(LocalRead)
    case remote(RemoteRead)
}
