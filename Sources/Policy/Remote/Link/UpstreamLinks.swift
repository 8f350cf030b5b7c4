import FreshetBase
import FreshetRefresh

/// The links of all upstreams, by name.
package final class UpstreamLinks: Sendable {
    private let links: [String: UpstreamLink]

    /// - Parameter log: Says which way is lost, and which is there again.
    init(_ upstreams: [String: Upstream], clock: any OperationClock, log: Log) {
        links = upstreams.mapValues { UpstreamLink($0, clock: clock) }
        for (name, link) in links {
            let diary = LinkLog(name, to: log, clock: clock)
            link.observe { [weak link] news in
                guard case .link(let state) = news else { return }
                diary.linkChanged(to: state, after: link?.report().lastFailure?.error)
            }
        }
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
