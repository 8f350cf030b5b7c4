import FreshetBase
package import FreshetRefresh
package import FreshetRemote

/// Tells the board how upstreams can be reached and how their credentials stand; a link is looked after
/// for as long as a specification reads it.
// SAFETY: the one variable is set once, by `begin`, before anything else is called.
package final class LinkPublisher: @unchecked Sendable {
    private let upstreams: RemoteCatalog
    private let board: OperationBoard
    private var readers: RunSubscription?
    private let credential: @Sendable (_ upstream: String) -> DependencyStatus?

    /// - Parameter credential: How the upstream's credential stands now; nil where it has none.
    package init(
        _ upstreams: RemoteCatalog, to board: OperationBoard,
        credential: @escaping @Sendable (_ upstream: String) -> DependencyStatus?
    ) {
        self.upstreams = upstreams
        self.board = board
        self.credential = credential
    }

    /// Publishes what holds now, and from now on what changes.
    package func begin() {
        let board = board
        upstreams.links.observe { name, news in
            switch news {
            case .link(let state): board.commit([.link(name, state)])
            case .health(let isHealthy): board.commit([.health(name, isHealthy)])
            }
        }
        for upstream in upstreams.all { tokenChanged(of: upstream.settings.name) }
        // Operations come and go with live queries, and so do the links that they look at.
        readers = board.observeReaders { [weak self] in self?.care() }
        care()
    }

    /// Asks anew which links specifications look at.
    private func care() {
        PolicyExecutor.shared.perform { [self] in
            upstreams.links.care { board.isRead(link: $0) }
        }
    }

    /// The credential of an upstream has changed.
    package func tokenChanged(of upstream: String) {
        PolicyExecutor.shared.perform { [self] in
            board.commit([.token(upstream, validity(of: upstream))])
        }
    }

    private func validity(of upstream: String) -> TokenValidity {
        guard let status = credential(upstream), status.isValid else { return .none }
        return status.expiresIn.map { .until(board.clock.now.addingSaturated($0)) } ?? .unlimited
    }
}
