import FreshetJSON

/// The result of a search, or of a live query, for a terminal.
enum ResultText {
    /// Lines of whichever of the three a result has.
    static func lines(
        items: [JSONValue], groups: [JSONValue]?, aggregates: JSONValue?, width: Int
    ) -> [String] {
        let text: String
        if let aggregates {
            text = TableText.table(of: aggregates.arrayValue ?? [aggregates], width: width)
        } else if let groups {
            text = table(ofGroups: groups, width)
        } else {
            text = TableText.table(of: items, width: width)
        }
        return text.split(separator: "\n").map(String.init)
    }

    /// The answer of a search, with what its table cannot show in a line behind it.
    static func answer(_ answer: JSONValue, width: Int) -> [String] {
        let items = answer["items"]?.arrayValue ?? []
        let total = answer["meta"]?["total"]?.numberText
        var lines: [String] = []
        if let total, items.isEmpty, answer["groups"] == nil, answer["aggregates"] == nil {
            lines = ["total: \(total)"]
        } else {
            lines = self.lines(
                items: items, groups: answer["groups"]?.arrayValue,
                aggregates: answer["aggregates"], width: width)
            if let total { lines += ["", "\(answer["meta"]?["count"]?.text ?? "?") of \(total)"] }
        }
        let included = (answer["included"]?.objectValue ?? [])
            .reduce(0) { $0 + ($1.value.objectValue?.count ?? $1.value.arrayValue?.count ?? 0) }
        if included > 0 {
            lines.append(
                "included: \(Count.text(included, "entity", "entities")) (--json shows them)")
        }
        if let hint = answer["meta"]?["hint"]?.stringValue {
            lines.append(Terminal.printable(hint))
        }
        if let degraded = answer["meta"]?["degraded"], !degraded.isNull {
            lines.append("degraded: \(TableText.cell(degraded))")
        }
        return lines
    }

    /// One table of all groups: each key stands beside the first row of its group.
    private static func table(ofGroups groups: [JSONValue], _ width: Int) -> String {
        var keys: [String] = []
        var rows: [JSONValue] = []
        for group in groups {
            let items = group["items"]?.arrayValue ?? []
            keys.append(TableText.cell(group["key"] ?? .null))
            keys += [String](repeating: "", count: max(0, items.count - 1))
            rows += items.isEmpty ? [.object([])] : items
        }
        return TableText.table(of: rows, width: width, lead: ("key", keys))
    }
}

/// Columns of text for a terminal.
enum TableText {
    private static let widest = 40

    /// Items as rows; the columns are the members of the first items in order of appearance,
    /// as many as fit. What does not fit is named in a last line.
    ///
    /// - Parameter lead: A first column, a cell for each item.
    static func table(
        of items: [JSONValue], width: Int, lead: (name: String, cells: [String])? = nil,
        advice: String = "--fields chooses, --json shows all"
    ) -> String {
        guard !items.isEmpty else { return "no items\n" }
        var names: [String] = items.contains { $0["id"] != nil } ? ["id"] : []
        for item in items.prefix(50) {
            for member in item.objectValue ?? [] where !names.contains(member.name) {
                names.append(member.name)
            }
        }
        var rows = items.map { item in names.map { name in item[name].map(cell) ?? "" } }
        var header = names.map(Terminal.printable)
        if let lead {
            rows = zip(lead.cells, rows).map { [$0] + $1 }
            header.insert(lead.name, at: 0)
        }
        var used = 0
        var columns = 0
        for column in header.indices {
            let longest = rows.map { $0[column].count }.max() ?? 0
            used += min(widest, max(longest, header[column].count)) + 2
            if used > width + 2 && columns > 0 { break }
            columns += 1
        }
        let text = table(
            rows.map { Array($0.prefix(columns)) }, header: Array(header.prefix(columns)))
        let hidden = header.dropFirst(columns)
        guard !hidden.isEmpty else { return text }
        return text
            + "… and \(hidden.joined(separator: ", ")) (\(advice))\n"
    }

    static func table(_ rows: [[String]], header: [String]?) -> String {
        let all = (header.map { [$0] } ?? []) + rows
        var widths = [Int](repeating: 0, count: all.map(\.count).max() ?? 0)
        for row in all {
            for (column, text) in row.enumerated() {
                widths[column] = max(widths[column], min(widest, text.count))
            }
        }
        var output = ""
        for row in all {
            var line = ""
            for (column, text) in row.enumerated() {
                let isLast = column == row.count - 1
                let shown = text.count > widest && !isLast ? text.prefix(widest - 1) + "…" : text
                line += shown
                if !isLast {
                    line += String(repeating: " ", count: widths[column] - shown.count + 2)
                }
            }
            output += line + "\n"
        }
        return output
    }

    static func cell(_ value: JSONValue) -> String {
        let text = value.stringValue ?? value.text
        return Terminal.printable(String(text.map { $0.isNewline ? " " : $0 }))
    }
}
