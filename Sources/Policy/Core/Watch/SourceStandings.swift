import FreshetBase
import FreshetRefresh

/// Keeps how the operations of this server stand that servers watch which do not run them. Any thread.
package final class SourceStandings: Sendable {
    private let kept = Shared<[String: (operation: RemoteOperation, refresh: LiveRefresh)]>([:])

    package init() {}

    /// How the operation `id` stands; nil: nobody watches it elsewhere.
    package subscript(id: String) -> SourceNews? { kept.value[id]?.refresh.standing }

    /// Keeps from now on how those of `ids` stand, and of no others.
    package func keep(_ ids: some Sequence<String>, of operations: Operations) {
        let found = ids.compactMap { operations[$0] }
        let (begun, ended) = kept.update { kept in
            var next: [String: (operation: RemoteOperation, refresh: LiveRefresh)] = [:]
            var begun: [(operation: RemoteOperation, refresh: LiveRefresh)] = []
            for operation in found {
                // One of the same name may have taken its place.
                if let known = kept[operation.id], known.operation === operation {
                    next[operation.id] = known
                } else {
                    begun.append((operation, LiveRefresh(operation, on: operations.board) {}))
                    next[operation.id] = begun.last
                }
            }
            let ended = kept.values.filter { next[$0.operation.id]?.refresh !== $0.refresh }
            kept = next
            return (begun, ended)
        }
        for entry in ended { entry.refresh.leave() }
        for entry in begun { entry.refresh.observe() }
    }
}
