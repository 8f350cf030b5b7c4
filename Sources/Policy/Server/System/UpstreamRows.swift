import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRefresh
import FreshetRemote

/// The rows of `_upstreams`: whether services can be reached, at what speed, and for whom. They are
/// looked at once a second.
final class UpstreamRows: SystemProvider {
    /// Operations that a row names.
    private static let mostOperations = 500

    let type = SystemType.upstreams
    private let document: UpstreamDocument
    private let operations: Operations

    init(_ core: CoreManager, _ document: UpstreamDocument) {
        self.document = document
        operations = core.operations
    }

    func ids() -> [EntityID] {
        document.upstreams.all.compactMap { try? EntityID($0.settings.name) }
    }

    func append(_ id: EntityID, _ texts: TextBound, to body: inout ByteBuffer) -> Bool {
        let name = id.text
        guard let upstream = document.upstreams.upstreams[name] else { return false }
        body.append("{")
        document.append(membersOf: upstream, at: .now, isRow: true, to: &body)
        let types = document.upstreams.sources.filter { $0.value.upstreamName == name }
        body.member("types", each: types.keys.map(\.text).sorted()) { $1.append(jsonString: $0) }
        let users = operations.list(prefix: "").filter { $0.upstreamName == name }
        body.member("operations", each: users.prefix(Self.mostOperations)) {
            $1.append(jsonString: $0.id)
        }
        let recent = upstream.counters.recent.figures(at: .now)
        body.member("latency")
        body.append("{\"window\":\"5m\"")
        body.member("count", recent.count)
        body.member("p50Ms", recent.quantile(0.5))
        body.member("p99Ms", recent.quantile(0.99))
        body.member("buckets", each: recent.cells) { cell, body in
            body.append("[")
            if let bound = cell.bound { body.append(decimal: bound) } else { body.append("null") }
            body.append(",")
            body.append(decimal: cell.count)
            body.append("]")
        }
        body.append("}}")
        return true
    }
}
