import FreshetJSON
import FreshetRemote

/// What `watch` shows of a live query.
typealias WatchedRows = LiveState<JSONValue>

extension WatchedRows {
    init() { self.init(row: { $0 }) }

    /// What names each shown row: its id; of figures, their group.
    var keys: [String] {
        guard let aggregates else { return order }
        return (aggregates.arrayValue ?? [aggregates]).map(Self.group)
    }

    private static func group(_ row: JSONValue) -> String { "#\(row["key"]?.text ?? "")" }

    private var shown: [String: JSONValue] {
        guard let aggregates else { return items }
        let rows = aggregates.arrayValue ?? [aggregates]
        return Dictionary(rows.map { (Self.group($0), $0) }) { first, _ in first }
    }

    /// The members of each row, by its key, that are not as they were in `before`; all members of a row
    /// that was not there. Nothing where `before` knew nothing.
    func changes(since before: WatchedRows) -> [String: Set<String>] {
        guard before.hasSnapshot else { return [:] }
        let then = before.shown
        var changes: [String: Set<String>] = [:]
        for (key, row) in shown {
            let old = then[key]
            let names = (row.objectValue ?? []).filter { old?[$0.name]?.text != $0.value.text }
            if !names.isEmpty { changes[key] = Set(names.map(\.name)) }
        }
        return changes
    }
}
