import FreshetEngine
import FreshetQuery

/// Figures over every row, beside the scan of `number and string` that they are held against.
func benchmarkAggregation(_ view: TableView) {
    for (name, parameters) in [
        ("number and string", [("filter", "installedSize > 1000 and section == 'games'")]),
        ("sum", [("aggregate", "sum(installedSize)")]),
        (
            "group with count, sum, avg",
            [("group", "section"), ("aggregate", "count,sum(installedSize),avg(installedSize)")]
        ),
        (
            "group with count, sum, avg, by an order",
            [
                ("group", "section"), ("order", "-installedSize"),
                ("aggregate", "count,sum(installedSize),avg(installedSize)"),
            ]
        ),
        ("group with min and max", [("group", "section"), ("aggregate", "min(id),max(summary)")]),
        ("distinct, counted", [("distinct", "maintainer"), ("count", "true")]),
    ] {
        guard let type = TypeName("package") else { continue }
        var parser = QueryParser(type: type)
        do {
            for (name, value) in parameters { try parser.take(name: name, value: value) }
        } catch {
            continue
        }
        guard var query = try? parser.finish() else { continue }
        query.count = true
        query.limit = 0
        guard let plan = try? SearchPlan(query) else { continue }
        measure("figures of a row, \(name)", operations: view.count) {
            keep(try? plan.run(on: view))
        }
    }
}
