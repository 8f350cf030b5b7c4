import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetRemote

/// A query that is answered from here, and what its answer says of itself.
struct LocalRead: Sendable {
    /// May differ from what was asked in order and window, where the remote has applied them.
    var query: Query
    /// `query` is the question's own, with all of its rows here: how to search for them is known to it.
    var isAsAsked = false
    /// The rows in place of the store's; nil: the store's.
    var table: TableView?
    /// What came with them and is not stored.
    var nested = FetchedEntities()
    /// The entity of a get, where it was looked for already; who may read it was not asked.
    var document: Document?
    var origin = AnswerOrigin()
    /// Whether the answer says where it comes from: a remote might have played a part in it.
    var tellsOrigin = true
    /// Without a row the answer is the failure that is the reason for it.
    var mustFind = false
    /// A complete answer of the remote was recorded.
    var isCovered = false
    /// A row of that answer was given back what it was before (`CoverageRecord.isDoubted`).
    var isDoubted = false
    /// The pages of the answer cannot be told by a mark.
    var hasOwnOrder = false
    /// The remote has, or may have, rows behind the window that it was asked for.
    var mayHaveMore = false

    init(_ query: consuming Query) { self.query = query }

    /// Answers a question in which no remote plays a part, by `query` itself.
    init(own query: consuming Query) {
        self.init(query)
        isAsAsked = true
        tellsOrigin = false
    }
}

/// A read that the remote is asked for first.
struct RemoteRead: Sendable {
    let query: Query
    let shape: FetchShape
    /// The name of the configured operation that asks the same.
    let operation: String?
    let remote: any RemoteSource
    let source: ReadParameters.Source
    let persist: ReadParameters.Persist
    /// The rights of whoever asks: what they hide is as if it were not here. nil hides nothing.
    let rights: AccessRights?
    /// How it ends.
    enum End: Sendable {
        case rows(LocalRead)
        /// The remote has no such entity.
        case absent(AnswerOrigin)
        case failed(FetchFailure)
    }
}

/// How a read is answered.
enum ReadDecision: Sendable {
    /// From here; nil: nothing is refreshed behind the answer.
    case local(LocalRead, refreshing: RemoteRead?)
    case remote(RemoteRead)
}
