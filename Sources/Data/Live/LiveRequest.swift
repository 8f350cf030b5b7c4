package import FreshetEngine
package import FreshetQuery

/// What somebody wants to watch.
package struct LiveRequest: Sendable {
    package enum Mode: Sendable {
        /// Each news is the whole answer.
        case snapshot
        /// Each news is what has changed, where the query allows that.
        case delta
    }

    package var query: Query
    package var mode: Mode
    /// Whether deltas shall tell what was there before.
    package var wantsOldValues = false
    /// What the client holds.
    package var resume = LiveResume.nothing
    /// The first news is at least of this seq, so that it has what the client was answered before.
    package var notBefore: UInt64 = 0
    package var include: (any LiveInclude)?
    /// What the client holds of another query that this one stands in for.
    package var holding: LiveHolding?
    /// Which rows are the answer, or their order, does not follow from the rows alone, so that the
    /// changes since a cursor do not tell what was shown then.
    package var followsRemote = false
    /// The client is in a group already, which it leaves for this one: for so long it may pass what bounds
    /// the groups, up to twice of it.
    package var replacesAnother = false
    /// Silent members of the query's type, as canonical JSON spells their names.
    package var silent: [[UInt8]] = []

    /// The name of whoever asks, empty for all without one, for bounds by caller; nil where callers are
    /// not told apart.
    package var owner: String?

    /// Every type whose entities it may show.
    package var types: Set<TypeName> { (include?.types ?? []).union([query.type]) }

    package init(_ query: Query, _ mode: Mode = .snapshot) {
        self.query = query
        self.mode = mode
    }

    /// Whether there is room for one group more, or for `more` of what it takes, beside `count` where `limit`
    /// may be.
    package func hasRoom(for more: Int = 1, beside count: Int, of limit: Int) -> Bool {
        let last = count + more - 1
        return last < limit || replacesAnother && last / 2 < limit
    }
}

/// What watching a query comes to.
package struct LiveStanding: Sendable {
    /// nil where nobody watches it.
    package let group: LiveGroup?
    /// How a change finds it.
    package let index: IndexClass
    package let watchers: Int
}

/// What a client that subscribes holds already.
package enum LiveResume: Sendable, Equatable {
    case nothing
    /// Something of another generation of the data.
    case otherEpoch
    /// Something of commits that are not there.
    case future
    /// What another query showed, in whose place this one stands: of what the client holds nothing
    /// is known but the digest, and where that differs it takes a snapshot that says `else`.
    case shown(digest: UInt64?, else: LiveWhy)
    /// The answer as it was at a seq; the digest says what it was, where it is known.
    case cursor(seq: UInt64, digest: UInt64?)
    /// The answer as it was at a seq or at any later one: a client of several queries may have
    /// taken events behind the `sync` that it names. `told` is the newest commit that it may know of; nil
    /// where that is `seq`, or where the events were this server's.
    case cut(seq: UInt64, told: UInt64?)

    /// What is left of a cursor where another query shows the answer now.
    func asShown(else why: LiveWhy) -> LiveResume {
        switch self {
        case .cursor(_, let digest), .shown(let digest, _): .shown(digest: digest, else: why)
        case .cut: .shown(digest: nil, else: why)
        case .nothing, .otherEpoch, .future: self
        }
    }
}

/// What a client shows, which it goes on with under another query.
package struct LiveHolding: Sendable {
    let rows: [Document]
    let total: Int?
    /// Of an answer of another shape, and of what is included; 0 where there is neither.
    let digest: UInt64
    /// At which the client holds them.
    let version: UInt64
    /// Through which they are known to be the answer.
    let exact: UInt64
}

/// Why a client must take a snapshot.
package enum LiveWhy: Sendable, Equatable {
    case initial, update, retention, epoch, rewind, schema

    /// As `why` of a snapshot spells it.
    package var name: StaticString {
        switch self {
        case .initial: "initial"
        case .update: "update"
        case .retention: "retention"
        case .epoch: "epoch"
        case .rewind: "rewind"
        case .schema: "schema"
        }
    }
}

/// What a subscriber finds when it looks.
package enum LiveNews: Sendable {
    /// The whole answer: it forgets what it holds.
    case snapshot(LiveResult, why: LiveWhy)
    /// What has changed since what it holds.
    case delta(LiveDelta)
    /// What it came back with is up to date, exact through this seq.
    case sync(through: UInt64, digest: UInt64)
    /// It holds the newest state, which is exact through this seq.
    case current(through: UInt64)
    /// A change is known whose effect is not evaluated yet; it will be told.
    case pending
    /// The query cannot be evaluated any more.
    case failed(EngineError)
}
