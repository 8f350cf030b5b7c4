import FreshetBase

// Paths and query items of the configuration, with placeholders in braces.
//
// A placeholder's value can never be more than a value: in a path every byte of it but letters,
// digits and `-._~` is escaped, and a segment that would be empty, `.` or `..` (which servers and
// clients on the way resolve, escaped or not) is refused. So an id with `/`, `?` or `..` in it
// stays one segment, or is no request.

/// A text with placeholders: `tag-{filter.status}`.
struct TextTemplate: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case literal(String)
        case placeholder(String)
    }

    let parts: [Part]

    /// - Returns: nil where braces do not match or name nothing.
    init?(_ text: String) {
        var parts: [Part] = []
        var rest = Substring(text)
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                return nil
            }
            let name = rest[rest.index(after: open)..<close]
            guard Self.isName(name) else { return nil }
            if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
            parts.append(.placeholder(String(name)))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        self.parts = parts
    }

    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F || $0 == 0x2D
                    || $0 == 0x2E
            }
    }

    var placeholders: [String] {
        parts.compactMap { if case .placeholder(let name) = $0 { name } else { nil } }
    }
}

/// The path and the query of a configured request.
package struct RequestTemplate: Sendable, Equatable {
    struct QueryItem: Sendable, Equatable {
        let name: String
        let value: TextTemplate
    }

    /// Why a value cannot stand in the path.
    enum Fault: Error, Equatable {
        /// The path needs a value that there is none of.
        case missing(String)
        /// A segment would be empty, `.` or `..`.
        case segment(String)
    }

    let segments: [TextTemplate]
    let items: [QueryItem]
    /// The names of all placeholders, path first.
    package let placeholders: [String]
    /// The path and query of every request; nil where values stand in them.
    private(set) var constant: String?

    /// What was expected of a text that is no path.
    package static let expectation =
        "a path such as \"/todos/{id}\": it begins with /, has neither query nor fragment, no empty"
        + " segment, and none of . or .."

    /// - Parameter path: Begins with `/`; it may end with one.
    /// - Returns: nil for what is no such path.
    package init?(path: String, query: [(name: String, value: String)] = []) {
        guard path.hasPrefix("/") else { return nil }
        var texts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let endsWithSlash = texts.count > 1 && texts.last?.isEmpty == true
        if endsWithSlash { texts.removeLast() }
        var segments: [TextTemplate] = []
        for text in texts {
            guard !text.isEmpty || path == "/", !PathText.isDots(text),
                let segment = TextTemplate(String(text)), Self.fits(segment)
            else { return nil }
            segments.append(segment)
        }
        if endsWithSlash, let empty = TextTemplate("") { segments.append(empty) }
        var items: [QueryItem] = []
        for (name, value) in query {
            guard !name.isEmpty, let value = TextTemplate(value) else { return nil }
            items.append(QueryItem(name: name, value: value))
        }
        self.segments = segments
        self.items = items
        placeholders = segments.flatMap(\.placeholders) + items.flatMap(\.value.placeholders)
        if placeholders.isEmpty { constant = try? expand { _ in nil } }
    }

    private static func fits(_ segment: TextTemplate) -> Bool {
        segment.parts.allSatisfy { part in
            guard case .literal(let text) = part else { return true }
            return PathText.hasWholeEscapes(text)
                && text.utf8.allSatisfy { PathText.isPathByte($0) || $0 == 0x25 }
        }
    }

    /// The placeholders without which the request cannot be made.
    package var required: [String] { segments.flatMap(\.placeholders) }

    /// The path and query with `values` in place. A query item of which a placeholder has no value
    /// is left out.
    func expand(_ values: (String) -> String?) throws(Fault) -> String {
        var path = ""
        for segment in segments {
            path += "/"
            var text = ""
            for part in segment.parts {
                switch part {
                case .literal(let literal): text += literal
                case .placeholder(let name):
                    guard let value = values(name) else { throw .missing(name) }
                    text += PercentEncoding.text(value)
                }
            }
            if let name = segment.placeholders.first, text.isEmpty || PathText.isDots(text) {
                throw .segment(name)
            }
            path += text
        }
        var separator = "?"
        for item in items {
            guard let value = Self.value(of: item, values) else { continue }
            path += separator
            separator = "&"
            path += PercentEncoding.text(item.name)
            path += "="
            // The commas of a list of ids stand as they are: behind `%2C` one would be part of an id.
            let isList = item.value.placeholders.contains("ids")
            let pieces =
                isList
                ? value.utf8.split(
                    separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                : [value.utf8[...]]
            for (index, piece) in pieces.enumerated() {
                if index > 0 { path += "," }
                path += PercentEncoding.text(String(Substring(piece)))
            }
        }
        return path
    }

    private static func value(of item: QueryItem, _ values: (String) -> String?) -> String? {
        var text = ""
        for part in item.value.parts {
            switch part {
            case .literal(let literal): text += literal
            case .placeholder(let name):
                guard let value = values(name) else { return nil }
                text += value
            }
        }
        return text
    }
}
