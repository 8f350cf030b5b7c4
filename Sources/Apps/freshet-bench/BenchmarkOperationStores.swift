import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetServer

/// What 10,000 configured operations cost that nobody uses, on the board and in their stores, and one
/// run of a store.
func benchmarkOperationStores(_ samples: Samples) {
    do {
        let log = Log(level: .error)
        let server = try FreshetServer(.standard, log: log)
        defer { server.stop() }
        guard let base = UpstreamBase(server.url), let type = TypeName("watched"),
            let path = RequestTemplate(path: "/v1/watched")
        else { return }
        var mapping = RemoteMapping(type: type, upstream: "self")
        mapping.search = .init(request: path)
        let catalog = RemoteCatalog(
            [UpstreamSettings(name: "self", base: base)], [mapping], maximumEntity: 1 << 20,
            userAgent: "freshet-bench", log: log)
        server.core.operations.remotes.replace(catalog.sources)
        let definitions = try (0..<operations).map { number in
            var query = Query(type: type)
            query.filter = try Filter(parsing: "number == \(number)")
            var settings = OperationSettings(upstream: "self")
            settings.stale = [.age(over: .seconds(60))]
            return OperationDefinition("operation-\(number)", query, settings)
        }
        let before = residentBytes
        server.core.operations.replace(definitions)
        report(
            "operations: memory of an idle one",
            Double(residentBytes - before) / Double(operations), "bytes")
        measure("operations: a document's state", operations: operations) {
            for operation in server.core.operations.list(prefix: "") { keep(operation.state) }
        }
    } catch {
        print("operations: \(error)")
    }
}

private let operations = 10_000
