package import FreshetRemote

/// Where a write goes (operations.md section 1): what `target`, `wait` and `endpoint` say.
package struct WriteDestination: Sendable {
    package enum Target: Sendable {
        case local
        /// The remote first, and here what it answers.
        case remote
        /// Here at once, and to the remote through the outbox.
        case both(waits: Bool)
    }

    package var target: Target
    /// In place of the remote's requests to create, update and remove.
    package var endpoint: RemoteEndpoint?

    package init(_ target: Target, via endpoint: RemoteEndpoint? = nil) {
        self.target = target
        self.endpoint = endpoint
    }

    package var isLocal: Bool { if case .local = target { true } else { false } }
}
