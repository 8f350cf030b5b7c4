import FreshetBase
import FreshetCore
import FreshetLive
import FreshetQuery

/// One query of a stream, on the stream's loop only. An object, so that a look at it copies nothing.
final class LiveEntry {
    /// A snapshot on its way.
    struct Sending {
        let result: LiveResult
        let why: LiveWhy
        var part = 0
    }

    // What each event needs stands in front: see `LiveStream.approach`.
    let membership: LiveMembership
    /// The client's name for it, nil where it is the only one there will ever be.
    let alias: String?
    var nextEvent: MonotonicInstant
    /// The client holds a state of it.
    var hasState = false
    var hasFailed = false
    /// The changed schemas do not take the query any more; told by a last fault.
    var refusal: CoreError?
    var sending: Sending?
    /// As it was asked for; its query bears the row rule of now.
    let request: LiveRequest
    /// What goes on behind it, where its type has a remote.
    var remote: LiveRemote?

    init(
        alias: String?, request: LiveRequest, membership: LiveMembership,
        nextEvent: MonotonicInstant, remote: LiveRemote? = nil
    ) {
        self.alias = alias
        self.request = request
        self.membership = membership
        self.nextEvent = nextEvent
        self.remote = remote
    }

    var query: Query { request.query }
}
