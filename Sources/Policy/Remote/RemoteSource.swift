import FreshetRefresh
package import FreshetQuery

/// What a type's entities come from. `RESTSource` is the real one; tests script theirs.
///
/// Nothing is stored here and no right is checked: whoever calls decides what becomes of an answer.
package protocol RemoteSource: Sendable {
    /// The name of the upstream, for problems and states.
    var upstreamName: String { get }

    /// A digest of what decides which entities come and in which form: the upstream's address and
    /// whatever of the configuration the answers are asked for and read by. What is known of answers
    /// under another one says nothing of the next.
    var digest: String { get }

    /// The errors on which a read may be answered with local data.
    var fallback: FallbackErrors { get }

    /// One entity by its id. A 404 or 410 is an answer: `isAbsent`.
    ///
    /// - Parameter conditions: What an earlier answer to the same call had; a 304 is then
    ///   `isNotModified`, with no entities.
    func get(
        _ id: EntityID, conditions: RemoteValidators?, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer

    /// The entities that a query asks for, as far as the upstream can be asked: see `pushdown(of:)`.
    func search(
        _ request: RemoteSearch, conditions: RemoteValidators?, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer

    /// What of `request` the upstream is asked for, without asking.
    func pushdown(of request: RemoteSearch) throws(UpstreamError) -> RemotePushdown

    /// Whether `get` is configured.
    var canGet: Bool { get }

    /// Whether a search of that endpoint (nil: of the type) is configured.
    func canSearch(_ endpoint: String?) -> Bool

    /// Creates, replaces or removes at the upstream. An answer of 4xx is thrown as `.status`; for a
    /// removal 404 and 410 are successes.
    func write(
        _ write: RemoteWrite, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteWriteAnswer

    /// To be told of entities of an answer that break the rules of their type here.
    ///
    /// - Parameter first: The reason of the first one.
    func noteUnfit(_ count: Int, first: String)
}

extension RemoteSource {
    package func noteUnfit(_ count: Int, first: String) {}
}

/// On whose behalf a request goes out, for the logs of both sides.
package struct RemoteCaller: Sendable {
    /// Goes to the upstream as `X-Request-Id`, where it is one that can be sent.
    package var requestID: String?
    /// Goes to the upstream as `traceparent` (W3C Trace Context).
    package var traceparent: String?

    package init(requestID: String? = nil, traceparent: String? = nil) {
        self.requestID = requestID
        self.traceparent = traceparent
    }
}

/// Who asks, and since when: goes along with a call.
package struct RemoteCall: Sendable {
    /// Goes to the upstream as `X-Request-Id`, where it is one that can be sent.
    package var requestID: String?
    /// Goes to the upstream as `traceparent` (W3C Trace Context).
    package var traceparent: String?
    /// The store's seq when the call was begun. Equal calls in flight are one, so an answer carries
    /// the seq of the call that was first.
    package var startSeq: UInt64
    /// How a failed try is repeated; nil: as the upstream's configuration says.
    package var retry: RetryPolicy?
    /// Whether a try that may have been done all the same is repeated.
    package var repeatsUnsure = true
    /// Bounds the whole call, tries and pauses together; nil: the time-out of each try alone.
    package var deadline: Duration?
    /// Told with each repeat how many tries were made, the first included; any thread.
    package var attempted: (@Sendable (Int) -> Void)?

    package init(
        requestID: String? = nil, traceparent: String? = nil, startSeq: UInt64 = 0,
        retry: RetryPolicy? = nil, deadline: Duration? = nil
    ) {
        self.requestID = requestID
        self.traceparent = traceparent
        self.startSeq = startSeq
        self.retry = retry
        self.deadline = deadline
    }
}

/// A search at an upstream.
package struct RemoteSearch: Sendable {
    /// Type, filter (without the row rule of whoever asks: an answer is everybody's), ids, order,
    /// offset and limit are looked at.
    package var query: Query
    /// A named endpoint in place of the type's own search.
    package var endpoint: String?
    /// The parameters of the endpoint.
    package var parameters: [String: String]
    /// The upstream's answer is taken as it is, so the window is asked for even where filter or
    /// order cannot be.
    package var isTrusted: Bool

    package init(
        query: Query, endpoint: String? = nil, parameters: [String: String] = [:],
        isTrusted: Bool = false
    ) {
        self.query = query
        self.endpoint = endpoint
        self.parameters = parameters
        self.isTrusted = isTrusted
    }
}

/// What of a query an upstream is asked for.
package struct RemotePushdown: Sendable, Hashable {
    /// Entities of an ordered list: `offset` are left out, then at most `limit` come.
    package struct Window: Sendable, Hashable {
        package var offset: Int
        package var limit: Int

        package init(offset: Int, limit: Int) {
            self.offset = offset
            self.limit = limit
        }
    }

    /// The tests of the filter that are sent, in canonical form; nil: none. Every matching entity
    /// of the upstream passes it.
    package var filter: Filter?
    /// Whether nothing of the filter is left to test.
    package var isWholeFilter: Bool
    /// Whether the upstream orders as the query does; natural order is the upstream's own.
    package var isOrdered: Bool
    /// Whether the ids of the query are sent.
    package var sendsIDs: Bool
    /// The window that is sent; it may be larger than the query's and begin before it. nil: the
    /// upstream is asked for everything that passes `filter`, page by page where it has pages.
    package var window: Window?

    package init(
        filter: Filter? = nil, isWholeFilter: Bool = true, isOrdered: Bool = true,
        sendsIDs: Bool = false, window: Window? = nil
    ) {
        self.filter = filter
        self.isWholeFilter = isWholeFilter
        self.isOrdered = isOrdered
        self.sendsIDs = sendsIDs
        self.window = window
    }
}

/// What tells one state of an upstream's answer from the next (RFC 9110, section 8.8).
package struct RemoteValidators: Sendable, Equatable {
    package var etag: String?
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }
}

/// An entity that an upstream has sent, in our own form: renamed, with `id`, nested entities
/// replaced by their ids.
package struct RemoteEntity: Sendable {
    package var type: TypeName
    package var id: EntityID
    /// Not yet sealed: it may go into one transaction.
    package var document: Document

    package init(type: TypeName, id: EntityID, document: Document) {
        self.type = type
        self.id = id
        self.document = document
    }
}

/// What an answer of an upstream lacks.
package struct AnswerGaps: Sendable, Equatable {
    /// Elements that are no entities, or that break the rules of their type.
    package var leftOut: Int
    /// Whether the upstream has, or may have, more than one search asks for or than it serves.
    package var isCut: Bool

    package init(leftOut: Int = 0, isCut: Bool = false) {
        self.leftOut = leftOut
        self.isCut = isCut
    }

    package var isAny: Bool { leftOut > 0 || isCut }
}

/// What an upstream answered to a read.
package struct RemoteAnswer: Sendable {
    /// In the upstream's order, each id once.
    package var entities: [RemoteEntity]
    /// Entities of other types that were nested in these.
    package var extracted: [RemoteEntity]
    /// 304: what an earlier answer said still holds.
    package var isNotModified: Bool
    /// A definitive 404 to `get`.
    package var isAbsent: Bool
    /// Likewise, of those that were asked for one by one.
    package var absentIDs: [EntityID] = []
    /// What to send along with the same call next time; nil where the upstream gave nothing, and
    /// for answers of several pages.
    package var validators: RemoteValidators?
    /// Elements that were no entities and are left out, nested ones included.
    package var dropped: Int
    /// Elements among them that are not nested.
    package internal(set) var faulty = 0
    /// What was asked for; nil for `get`.
    package var pushdown: RemotePushdown?
    /// Whether every entity of the upstream that passes the pushed filter is here: no window and no
    /// limit of pages cut the answer. Dropped elements do not count against it.
    package var isComplete: Bool
    /// Whether the upstream has, or may have, more than one search asks for or than it serves.
    package var isCut = false
    /// What it lacks.
    package var gaps: AnswerGaps { AnswerGaps(leftOut: dropped, isCut: isCut) }
    /// The number of matches that the upstream told, where the mapping knows where.
    package var total: Int?
    /// The seq of the call that was sent; earlier than that of a call which joined it.
    package var startSeq: UInt64

    package init(
        entities: [RemoteEntity] = [], extracted: [RemoteEntity] = [], isNotModified: Bool = false,
        isAbsent: Bool = false, validators: RemoteValidators? = nil, dropped: Int = 0,
        pushdown: RemotePushdown? = nil, isComplete: Bool = false, total: Int? = nil,
        startSeq: UInt64 = 0
    ) {
        self.entities = entities
        self.extracted = extracted
        self.isNotModified = isNotModified
        self.isAbsent = isAbsent
        self.validators = validators
        self.dropped = dropped
        self.pushdown = pushdown
        self.isComplete = isComplete
        self.total = total
        self.startSeq = startSeq
    }
}
