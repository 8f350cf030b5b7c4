import FreshetBase
import FreshetEngine
import FreshetQuery

/// Long searches over a table as the server has it: inserted one by one in the order of the file.
func benchmarkQueries(_ samples: Samples) {
    let before = residentBytes
    let (table, jsonBytes) = samples.table()
    let used = residentBytes - before
    let count = table.count
    report("entities", Double(count), "")
    report("JSON of an entity", Double(jsonBytes) / Double(count), "bytes")
    report("memory of an entity", Double(used) / Double(count), "bytes")
    report("memory by JSON", Double(used) / Double(jsonBytes), "x")
    let view = table.view(seq: 1)
    let numberAndString = "size > 2000000 and architecture == 'amd64'"
    for (name, filter, order) in [
        ("scan, number and string", numberAndString, nil),
        ("scan, two strings", "section == 'games' and priority == 'optional'", nil),
        ("scan, contains", "contains(summary, 'game')", nil),
        ("scan, any of an array", "hasAny(depends, ['libc6'])", nil),
        ("scan, expression", "summary ~= 'lib.*ssl[0-9]'", nil),
        ("top 20 by a number", nil, "-size"),
        ("top 20 by a string", nil, "summary"),
        ("top 20 of a filter", numberAndString, "-size"),
    ] as [(String, String?, String?)] {
        guard let query = query(filter: filter, order: order),
            let plan = try? SearchPlan(query)
        else { continue }
        measure(name, operations: count, rounds: 5, byCPU: true) { keep(try? plan.run(on: view)) }
    }
    benchmarkLookUps(view)
}

private func query(filter: String?, order: String?) -> Query? {
    guard let type = TypeName("package") else { return nil }
    var query = Query(type: type)
    if let filter {
        guard let parsed = try? Filter(parsing: filter) else { return nil }
        query.filter = parsed
    }
    query.limit = order == nil ? 0 : 20
    query.count = order == nil
    if let order {
        let name = order.hasPrefix("-") ? String(order.dropFirst()) : order
        guard let path = try? PropertyPath(parsing: name) else { return nil }
        query.order = .keys([OrderKey(path: path, descending: order != name)])
    }
    return query
}

/// Twenty ids in one search, drawn from all.
private func benchmarkLookUps(_ view: TableView) {
    var ids: [EntityID] = []
    view.forEach { ids.append($0.id) }
    guard let type = TypeName("package"), !ids.isEmpty else { return }
    var state: UInt64 = 1
    var queries: [Query] = []
    for _ in 0..<1_000 {
        var query = Query(type: type)
        query.ids = (0..<20).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return ids[Int(state >> 33) % ids.count]
        }
        queries.append(query)
    }
    measure("20 ids", operations: queries.count, byCPU: true) {
        for query in queries {
            guard let plan = try? SearchPlan(query) else { continue }
            keep(try? plan.run(on: view))
        }
    }
}

extension Samples {
    /// A table of every entity, and the bytes of their JSON.
    fileprivate func table() -> (Table, Int) {
        var table = Table()
        var builder = DocumentBuilder()
        var revision: UInt64 = 0
        forEach { line in
            guard let document = try? builder.build(json: line, id: .fromBody) else { return }
            revision += 1
            document.seal(revision: revision)
            keep(table.insert(document))
        }
        return (table, table.byteCount)
    }
}
