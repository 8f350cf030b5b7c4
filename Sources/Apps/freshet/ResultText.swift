import FreshetJSON

/// The result of a search, or of a live query, for a terminal.
enum ResultText {
    /// Lines of whichever of the three a result has.
    static func lines(
        items: [JSONValue], groups: [JSONValue]?, aggregates: JSONValue?, width: Int,
        style: TableStyle = TableStyle()
    ) -> [String] {
        let text: String
        if let aggregates {
            text = TableText.table(
                of: aggregates.arrayValue ?? [aggregates], width: width, style: style)
        } else if let groups {
            text = table(ofGroups: groups, width, style)
        } else {
            text = TableText.table(of: items, width: width, style: style)
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
            let count = answer["meta"]?["count"].map(TableText.cell) ?? "?"
            if let total { lines += ["", "\(count) of \(total)"] }
        }
        let included = (answer["included"]?.objectValue ?? [])
            .reduce(0) { $0 + ($1.value.objectValue?.count ?? $1.value.arrayValue?.count ?? 0) }
        if included > 0 {
            lines.append(
                "included: \(Count.text(included, "entity", "entities")) (--json shows them)")
        }
        if let hint = answer["meta"]?["hint"]?.stringValue {
            lines.append(Terminal.line(hint))
        }
        if let degraded = answer["meta"]?["degraded"], !degraded.isNull {
            lines.append("degraded: \(TableText.cell(degraded))")
        }
        return lines
    }

    /// One table of all groups: each key stands beside the first row of its group.
    private static func table(
        ofGroups groups: [JSONValue], _ width: Int, _ style: TableStyle
    ) -> String {
        var keys: [String] = []
        var rows: [JSONValue] = []
        for group in groups {
            let items = group["items"]?.arrayValue ?? []
            keys.append(TableText.cell(group["key"] ?? .null))
            keys += [String](repeating: "", count: max(0, items.count - 1))
            rows += items.isEmpty ? [.object([])] : items
        }
        return TableText.table(of: rows, width: width, lead: ("key", keys), style: style)
    }
}

/// How a table looks.
struct TableStyle {
    /// Whether escapes for weight are welcome.
    var hasWeight = false
    /// Whether no line is longer than the terminal.
    var isCut = false
    /// Members of rows, by their place, that stand out.
    var marks: [Int: Set<String>] = [:]

    func head(_ text: String) -> String { hasWeight ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    /// - Returns: What is as wide as the text says that it is, and how it looks.
    func mark(_ text: String) -> (text: String, front: String, back: String) {
        hasWeight ? (text, "\u{1B}[7m", "\u{1B}[0m") : (text + "*", "", "")
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
        advice: String = "--fields chooses, --json shows all", style: TableStyle = TableStyle()
    ) -> String {
        guard !items.isEmpty else { return "no items\n" }
        var names: [String] = items.contains { $0["id"] != nil } ? ["id"] : []
        var known = Set(names)
        for item in items.prefix(50) {
            for member in item.objectValue ?? [] where known.insert(member.name).inserted {
                names.append(member.name)
            }
        }
        // A column takes two places of the line at least.
        let shown = names.prefix(width / 2 + 1)
        var marked: [Int: Set<Int>] = [:]
        for (place, members) in style.marks {
            marked[place] = Set(
                names.indices.filter { members.contains(names[$0]) }.map {
                    lead == nil ? $0 : $0 + 1
                })
        }
        var rows = items.map { item in shown.map { name in item[name].map(cell) ?? "" } }
        var header = names.map(Terminal.line)
        if let lead {
            rows = zip(lead.cells, rows).map { [$0] + $1 }
            header.insert(lead.name, at: 0)
        }
        var used = 0
        var columns = 0
        for column in header.indices.prefix(rows[0].count) {
            let longest = rows.map { TextWidth.columns($0[column]) }.max() ?? 0
            used += min(widest, max(longest, TextWidth.columns(header[column]))) + 2
            if used > width + 2 && columns > 0 { break }
            columns += 1
        }
        let text = table(
            rows.map { Array($0.prefix(columns)) }, header: Array(header.prefix(columns)),
            width: style.isCut ? width : nil, marked: marked, style: style)
        let hidden = header.dropFirst(columns)
        guard !hidden.isEmpty else { return text }
        return text
            + "… and \(hidden.joined(separator: ", ")) (\(advice))\n"
    }

    /// - Parameters:
    ///   - width: Where longer lines are cut; nil leaves the last column as it is.
    ///   - marked: Columns of rows, by their place, that stand out.
    static func table(
        _ rows: [[String]], header: [String]?, width: Int? = nil, marked: [Int: Set<Int>] = [:],
        style: TableStyle = TableStyle()
    ) -> String {
        var rows = rows
        for (row, columns) in marked where rows.indices.contains(row) {
            for column in columns where rows[row].indices.contains(column) {
                rows[row][column] = style.mark(rows[row][column]).text
            }
        }
        let all = (header.map { [$0] } ?? []) + rows
        var widths = [Int](repeating: 0, count: all.map(\.count).max() ?? 0)
        for row in all {
            for (column, text) in row.enumerated() {
                widths[column] = max(widths[column], min(widest, TextWidth.columns(text)))
            }
        }
        var output = ""
        for (place, row) in all.enumerated() {
            var line = ""
            var used = 0
            let isHead = header != nil && place == 0
            for (column, text) in row.enumerated() {
                let isLast = column == row.count - 1
                let room = isLast ? width.map { max(1, $0 - used) } ?? .max : widest
                let shown = TextWidth.cut(text, to: room)
                let isMarked = marked[place - (header == nil ? 0 : 1)]?.contains(column) ?? false
                if isHead {
                    line += style.head(shown)
                } else if isMarked {
                    let (_, front, back) = style.mark("")
                    line += front + shown + back
                } else {
                    line += shown
                }
                if !isLast {
                    line += String(
                        repeating: " ", count: widths[column] - TextWidth.columns(shown) + 2)
                    used += widths[column] + 2
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
