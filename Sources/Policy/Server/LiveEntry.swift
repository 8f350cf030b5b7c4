import FreshetBase
import FreshetCore
import FreshetLive
import FreshetQuery

/// One query of a stream. An object, so that a look at it copies nothing.
///
/// Of a stream of several it is told of its own news, so that the stream looks at the few of its
/// queries that a change concerns, not at all of them.
// SAFETY: on the stream's loop only, but for `stream`, which never changes, and `isNoted`, which the
// lock of the stream's notes guards.
final class LiveEntry: LiveSubscriber, @unchecked Sendable {
    /// A snapshot on its way.
    struct Sending {
        let result: LiveResult
        let why: LiveWhy
        var part = 0
    }

    // What each event needs stands in front: see `LiveStream.approach`.
    private var joined: LiveMembership?
    /// The client's name for it, nil where it is the only one there will ever be.
    let alias: String?
    var nextEvent: MonotonicInstant
    /// The client holds a state of it.
    var hasState = false
    var hasFailed = false
    /// It is asked at each production: see `LiveStream.open`.
    var isOpen = false
    /// It has left its group, and the stream but for what is under way.
    var hasLeft = false
    var isNoted = false
    /// The changed schemas do not take the query any more; told by a last fault.
    var refusal: CoreError?
    var sending: Sending?
    /// As it was asked for; its query bears the row rule of now.
    let request: LiveRequest
    /// What goes on behind it, where its type has a remote.
    var remote: LiveRemote?
    /// Of several queries; nil where the stream itself is told.
    private let stream: LiveStream?

    /// `join` follows, and then everything else.
    init(
        alias: String?, request: LiveRequest, of stream: LiveStream?,
        nextEvent: MonotonicInstant, remote: LiveRemote?
    ) {
        self.alias = alias
        self.request = request
        self.stream = stream
        self.nextEvent = nextEvent
        self.remote = remote
    }

    /// Notes its place in the group of its query, which it keeps.
    func join(_ membership: LiveMembership) { joined = membership }

    var membership: LiveMembership {
        guard let joined else { preconditionFailure("an entry joins when it is made") }
        return joined
    }

    var query: Query { request.query }

    // MARK: LiveSubscriber, on any thread

    let isPartOfCut = true

    func liveResultNoted() { stream?.notes?.note(self) }

    func liveResultChanged() {
        stream?.notes?.note(self)
        stream?.wake()
    }
}
