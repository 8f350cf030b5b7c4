import FreshetBase
import FreshetCore
import FreshetLive
import FreshetQuery

/// One query of a stream. An object, so that a look at it copies nothing; there may be a hundred
/// thousand of them, so what few have takes a word.
///
/// The entry of a stream of several is told of its own news, so that the stream looks at the few of
/// its queries that a change concerns, not at all of them.
// SAFETY: on the stream's loop only, but for `alias`, `watcher`, `joined` and `stream`, which are set before
// others know it and never change, and `isNoted`, which the lock of the stream's notes guards.
final class LiveEntry: LiveSubscriber, @unchecked Sendable {
    /// A snapshot on its way.
    struct Sending {
        let result: LiveResult
        let why: LiveWhy
        var part = 0
    }

    /// What few entries have.
    private struct Rarity {
        /// The changed schemas do not take the query any more; told by a last fault.
        var refusal: CoreError?
        /// What goes on behind it, where its type has a remote.
        var remote: LiveRemote?
        /// The query where it may be another than the group's.
        var own: Query?
    }

    // What each event needs stands in front: see `SingleStream.approach`.
    private var joined: LiveMembership?
    /// The watcher of the store that the query's rows are in.
    let watcher: EntityWatcher
    /// The client's name for it, nil where it is the only one there will ever be.
    let alias: String?
    var nextEvent: MonotonicInstant
    /// The client holds a state of it.
    var hasState = false
    var hasFailed = false
    /// It is asked at each production: see `SeveralStream.look(at:)`.
    var isOpen = false
    /// The query has left its group; nothing more is sent of it.
    var hasLeft = false
    var isNoted = false
    @Rare var sending: Sending? = nil
    /// `LiveResult.content` of what the client shows, where the stream is throttled and this is known,
    /// else 0.
    var shown: UInt64 = 0
    @Rare private var rarity: Rarity? = nil
    /// The stream of several queries; nil where the stream itself is told.
    private let stream: SeveralStream?

    /// `join` follows, and then everything else.
    ///
    /// - Parameter query: It bears the row rule of now.
    init(
        _ alias: String?, _ query: Query, of stream: SeveralStream?, _ watcher: EntityWatcher,
        nextEvent: MonotonicInstant, remote: LiveRemote?
    ) {
        self.alias = alias
        self.watcher = watcher
        self.stream = stream
        self.nextEvent = nextEvent
        // Queries that are equal under one row rule need not be so under the next, and those with
        // one answer may ask for it in different ways.
        let isPlain = query.rule == nil && query.contract == nil && query.read == nil
        if !isPlain || remote != nil { rarity = Rarity(remote: remote, own: query) }
    }

    var refusal: CoreError? {
        get { rarity?.refusal }
        set {
            var changed = rarity ?? Rarity()
            changed.refusal = newValue
            rarity = changed
        }
    }

    var remote: LiveRemote? { rarity?.remote }

    /// Has `remote` go on behind the query, in the place of what did.
    func follow(_ remote: LiveRemote) {
        var changed = rarity ?? Rarity()
        changed.remote = remote
        rarity = changed
    }

    /// Puts what was asked in the place of what the remote's part was begun with.
    func ask(_ query: Query) {
        rarity?.remote?.asked = query
    }

    /// Notes its place in the group of its query, which it keeps.
    func join(_ membership: LiveMembership) { joined = membership }

    /// Whether of several servers the one that leads has the rows.
    var isLeaders: Bool { SystemType(queryBesideFilter.type)?.isLeaders == true }

    var membership: LiveMembership {
        guard let joined else { preconditionFailure("an entry joins when it is made") }
        return joined
    }

    /// Who is told of changes of the query; nil where it is the stream.
    var subscriber: (any LiveSubscriber)? { stream == nil ? nil : self }

    /// - Complexity: That of `LiveGroup.query`.
    var query: Query { rarity?.own ?? membership.group.query }

    /// The query; its filter may be missing, which costs to make.
    var queryBesideFilter: Query { rarity?.own ?? membership.group.queryBesideFilter }

    /// The request as it was asked; the rest is added when it joins.
    var request: LiveRequest {
        var request = LiveRequest(query, membership.mode)
        request.wantsOldValues = membership.wantsOldValues
        request.owner = membership.owner
        return request
    }

    // MARK: LiveSubscriber, on any thread

    var isPartOfCut: Bool { true }

    func liveResultNoted() { stream?.notes.record(self) }

    func liveResultChanged() {
        stream?.notes.record(self)
        stream?.wake()
    }
}
