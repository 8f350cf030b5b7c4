package import FreshetRemote
package import FreshetStore

/// How a write straight to a remote ended.
package enum DirectOutcome: Sendable {
    /// The commit of what the remote has answered, or why nothing was sent.
    case here(WriteOutcome)
    /// Nothing has changed here. With the name of the upstream.
    case upstream(UpstreamError, name: String)
    /// The upstream has done it, and its answer was not committed, for this reason.
    case unkept(WriteOutcome, name: String)
    /// Changes of the entity wait in the outbox, and must come first.
    case busy
}

/// Why a write does not go to its remote.
struct RightsLapse: Error {
    let outcome: DirectOutcome
}
