package import FreshetRefresh

/// The links of all upstreams, by name.
package final class UpstreamLinks: Sendable {
    private let links: [String: UpstreamLink]

    package init(
        _ upstreams: [String: Upstream], clock: any OperationClock = SystemOperationClock()
    ) {
        links = upstreams.mapValues { UpstreamLink($0, clock: clock) }
    }

    package subscript(_ name: String) -> UpstreamLink? { links[name] }

    /// Has `listener` told of every change with the upstream's name, on any thread. News of one
    /// upstream come in order.
    package func observe(_ listener: @escaping @Sendable (String, LinkNews) -> Void) {
        for (name, link) in links { link.observe { listener(name, $0) } }
    }

    package func start() {
        for link in links.values { link.start() }
    }

    package func stop() {
        for link in links.values { link.stop() }
    }

    /// Asks anew which links something depends on.
    package func care(_ isRead: (_ upstream: String) -> Bool) {
        for (name, link) in links { link.care(isRead(name)) }
    }
}
