package import FreshetQuery

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
    /// What to send along with the same call next time; nil where the upstream gave nothing, and
    /// for answers of several pages.
    package var validators: RemoteValidators?
    /// Elements that were no entities and are left out.
    package var dropped: Int
    /// What was asked for; nil for `get`.
    package var pushdown: RemotePushdown?
    /// Whether every entity of the upstream that passes the pushed filter is here: no window and no
    /// limit of pages cut the answer. Dropped elements do not count against it.
    package var isComplete: Bool
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
