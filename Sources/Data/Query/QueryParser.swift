import FreshetBase
import FreshetJSON

/// Collects the parameters of a search, from a URL or a JSON body, into a `Query`.
///
/// Give it each parameter once with `take`, then ask for the query with `finish`. Parameters of
/// the live protocol (`live`, `since`, …) are the server's own: it takes them out first.
package struct QueryParser: ~Copyable {
    private var query: Query
    private let maximumLimit: Int
    /// The names so far.
    private var seen: Set<String> = []
    private var limit: Int?
    /// The first parameter that is known but not carried out.
    private var later: String?

    /// Keys of one `order`.
    private static let maximumOrderKeys = 16
    private static let maximumIDs = 10_000
    private static let maximumFields = 1_000

    private static let laterNames: Set<String> = [
        "after", "group", "include", "depth", "aggregate", "distinct", "source", "persist",
        "trustRemote", "endpoint", "contract", "explain",
    ]

    /// - Parameter maximumLimit: The largest `limit` that may be asked for.
    package init(type: TypeName, maximumLimit: Int = 10_000) {
        query = Query(type: type)
        self.maximumLimit = maximumLimit
    }

    /// Takes one parameter of a URL, decoded.
    package mutating func take(name: String, value: String) throws(QueryFault) {
        // Between two ampersands stands nothing.
        if name.isEmpty, value.isEmpty { return }
        try note(name)
        switch name {
        case "filter": query.filter = try Self.filter(text: value)
        case "ids": query.ids = try Self.ids(Self.split(value), "ids")
        case "order": query.order = try Self.order(text: value)
        case "offset": query.offset = try Self.natural(value, name)
        case "limit": limit = try checkedLimit(Self.natural(value, name))
        case "fields": query.fields = try Self.fields(text: value)
        case "count": query.count = try Self.boolean(value, name)
        case "meta": query.meta = try Self.boolean(value, name)
        default: try takeOther(name)
        }
    }

    /// Takes the members of the JSON body of `_search`.
    ///
    /// - Parameter json: One JSON object, in any spelling.
    package mutating func take(body json: UnsafeRawBufferPointer) throws(QueryFault) {
        // Room for what a filter of 64 levels needs, so that a deeper one is told as such.
        var scanner = JSONScanner(depthLimit: 256)
        let summary: JSONSummary
        do throws(JSONFault) {
            summary = try scanner.scan(json)
        } catch {
            if error.reason == .tooDeep {
                throw QueryFault(.tooComplex, "filter", FilterLimits.levels)
            }
            throw QueryFault(
                .badJSON(error), "", "at byte \(error.offset): \(error.expectation)",
                offset: error.offset)
        }
        guard summary.kind == .object else {
            throw QueryFault(.badParameter, "", "the body of a search is a JSON object")
        }
        var canonical = ByteBuffer(capacity: json.count)
        JSONCanonical.compact(
            UnsafeRawBufferPointer(rebasing: json[summary.start..<summary.end]), into: &canonical)
        for member in JSONView(canonical: canonical.bytes).members {
            var name = ByteBuffer(capacity: 32)
            JSONText.unescape(member.name, into: &name)
            try take(name: String(decoding: name.bytes, as: UTF8.self), value: member.value)
        }
    }

    /// Takes one member of a body; `value` is canonical.
    private mutating func take(name: String, value: JSONView) throws(QueryFault) {
        try note(name)
        switch name {
        case "filter":
            do throws(FilterFault) {
                query.filter = try Filter(json: value)
            } catch {
                throw QueryFault(error, in: name)
            }
        case "ids": query.ids = try Self.ids(json: value)
        case "order": query.order = try Self.order(json: value)
        case "offset": query.offset = try Self.natural(value, name)
        case "limit": limit = try checkedLimit(Self.natural(value, name))
        case "fields": query.fields = try Self.fields(json: value)
        case "count": query.count = try Self.boolean(value, name)
        case "meta": query.meta = try Self.boolean(value, name)
        default: try takeOther(name)
        }
    }

    /// The query, once all parameters are taken: checks what goes together.
    package consuming func finish() throws(QueryFault) -> Query {
        if query.ids != nil, seen.contains("order") {
            throw QueryFault(
                .badParameter, "order", "ids are answered in their own order",
                hint: "leave order out, or write order=ids:3,1,2")
        }
        if seen.contains("after"), seen.contains("offset") {
            throw QueryFault(
                .badParameter, "offset", "after and offset are two ways to say where to begin")
        }
        if let later {
            throw QueryFault(.notImplemented, later, "\(later) is not implemented yet")
        }
        query.limit = limit ?? (query.ids == nil ? min(Query.defaultLimit, maximumLimit) : nil)
        return query
    }

    private mutating func note(_ name: String) throws(QueryFault) {
        guard seen.insert(name).inserted else {
            throw QueryFault(.badParameter, name, "\(name) is given more than once")
        }
    }

    private mutating func takeOther(_ name: String) throws(QueryFault) {
        guard Self.laterNames.contains(name) else {
            let hint =
                "inside a filter && is written `and`, or %26%26 in a URL: a plain & ends the filter"
            throw QueryFault(
                .badParameter, name, "there is no parameter of this name",
                hint: seen.contains("filter") ? hint : nil)
        }
        if later == nil { later = name }
    }

    private func checkedLimit(_ value: Int) throws(QueryFault) -> Int {
        guard value <= maximumLimit else {
            throw QueryFault(.badParameter, "limit", "limit is at most \(maximumLimit)")
        }
        return value
    }
}

// Values of one parameter.
extension QueryParser {
    private static func split(_ text: String) -> [Substring] {
        text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
    }

    private static func filter(text: String) throws(QueryFault) -> Filter {
        do throws(FilterFault) {
            return try Filter(parsing: text)
        } catch {
            throw QueryFault(error, in: "filter")
        }
    }

    // MARK: Numbers and Booleans

    /// A whole number from 0; one past any `Int` means as much as the largest.
    private static func natural(_ text: String, _ name: String) throws(QueryFault) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) else {
            throw QueryFault(.badParameter, name, "\(name) is a whole number from 0")
        }
        return min(Int(text) ?? maximumOffset, maximumOffset)
    }

    /// Far past every table, and far from overflow when a limit is added.
    private static let maximumOffset = 1 << 53

    private static func natural(_ value: JSONView, _ name: String) throws(QueryFault) -> Int {
        guard let number = value.int64, number >= 0 else {
            throw QueryFault(.badParameter, name, "\(name) is a whole number from 0")
        }
        return min(Int(number), maximumOffset)
    }

    private static func boolean(_ text: String, _ name: String) throws(QueryFault) -> Bool {
        switch text {
        case "true": return true
        case "false": return false
        default: throw QueryFault(.badParameter, name, "\(name) is true or false")
        }
    }

    private static func boolean(_ value: JSONView, _ name: String) throws(QueryFault) -> Bool {
        guard let value = value.bool else {
            throw QueryFault(.badParameter, name, "\(name) is true or false")
        }
        return value
    }

    // MARK: Ids

    /// The ids of `texts`, each once.
    private static func ids(
        _ texts: [Substring], _ name: String
    ) throws(QueryFault) -> [EntityID] {
        try checkCount(texts.count, name)
        var ids: [EntityID] = []
        for text in texts {
            do throws(EntityID.Fault) {
                ids.append(try EntityID(String(text)))
            } catch {
                throw QueryFault(.badParameter, name, error.sentence)
            }
        }
        return distinct(ids)
    }

    private static func ids(json value: JSONView) throws(QueryFault) -> [EntityID] {
        if let text = value.string { return try ids(split(text), "ids") }
        guard value.kind == .array else {
            throw QueryFault(.badParameter, "ids", "ids is an array of ids or a text like 3,1,2")
        }
        var ids: [EntityID] = []
        for element in value.elements {
            try checkCount(ids.count + 1, "ids")
            do throws(EntityID.Fault) {
                ids.append(try EntityID(json: element))
            } catch {
                throw QueryFault(.badParameter, "ids", error.sentence)
            }
        }
        return distinct(ids)
    }

    private static func checkCount(_ count: Int, _ name: String) throws(QueryFault) {
        guard count <= maximumIDs else {
            throw QueryFault(.badParameter, name, "at most \(maximumIDs) ids")
        }
    }

    private static func distinct(_ ids: [EntityID]) -> [EntityID] {
        var seen: Set<EntityID> = []
        return ids.filter { seen.insert($0).inserted }
    }

    // MARK: Order

    private static func order(text: String) throws(QueryFault) -> Order {
        if text == "natural" { return .natural }
        if text.utf8.starts(with: "ids:".utf8) {
            return .ids(try ids(split(String(text.dropFirst(4))), "order"))
        }
        return .keys(try commaSeparated(text, "order", maximum: maximumOrderKeys, orderKey))
    }

    private static func order(json value: JSONView) throws(QueryFault) -> Order {
        if let text = value.string { return try order(text: text) }
        let texts = try strings(value, "order", maximum: maximumOrderKeys)
        if texts.count == 1 { return try order(text: texts[0]) }
        if texts.isEmpty { return .natural }
        var keys: [OrderKey] = []
        for text in texts {
            keys += try commaSeparated(text, "order", maximum: 1, orderKey)
        }
        return .keys(keys)
    }

    private static func orderKey(_ lexer: inout FilterLexer) throws(FilterFault) -> OrderKey {
        let descending = lexer.take("-")
        let path = try lexer.path()
        let caseInsensitive = lexer.take(":ci")
        return OrderKey(path: path, descending: descending, caseInsensitive: caseInsensitive)
    }

    // MARK: Fields

    private static func fields(text: String) throws(QueryFault) -> [PropertyPath] {
        if text.isEmpty { return [] }
        return try commaSeparated(text, "fields", maximum: maximumFields, field)
    }

    private static func fields(json value: JSONView) throws(QueryFault) -> [PropertyPath] {
        if let text = value.string { return try fields(text: text) }
        var paths: [PropertyPath] = []
        for text in try strings(value, "fields", maximum: maximumFields) {
            paths += try commaSeparated(text, "fields", maximum: 1, field)
        }
        return paths
    }

    private static func field(_ lexer: inout FilterLexer) throws(FilterFault) -> PropertyPath {
        try lexer.path()
    }

    // MARK: Lists

    private static func strings(
        _ value: JSONView, _ name: String, maximum: Int
    ) throws(QueryFault) -> [String] {
        guard value.kind == .array else {
            throw QueryFault(.badParameter, name, "\(name) is a string or an array of strings")
        }
        var texts: [String] = []
        for element in value.elements {
            guard let text = element.string else {
                throw QueryFault(.badParameter, name, "\(name) is a string or an array of strings")
            }
            guard texts.count < maximum else { throw tooMany(name, maximum) }
            texts.append(text)
        }
        return texts
    }

    private static func tooMany(_ name: String, _ maximum: Int) -> QueryFault {
        QueryFault(
            .badParameter, name,
            maximum == 1 ? "one \(name) a string" : "at most \(maximum) \(name)")
    }

    /// What `read` reads, between commas.
    private static func commaSeparated<Item>(
        _ text: String, _ name: String, maximum: Int,
        _ read: (inout FilterLexer) throws(FilterFault) -> Item
    ) throws(QueryFault) -> [Item] {
        let items: [Item]
        do throws(FilterFault) {
            items = try PropertyPath.parse(text) { (lexer) throws(FilterFault) -> [Item] in
                var items: [Item] = []
                repeat {
                    lexer.skipSpace()
                    items.append(try read(&lexer))
                    lexer.skipSpace()
                } while lexer.take(",")
                try lexer.expectEnd("',' or the end")
                return items
            }
        } catch {
            switch error {
            case .syntax(let offset, let expected):
                throw QueryFault(
                    .badParameter, name, "at byte \(offset): expected \(expected)", offset: offset)
            case .tree(_, let expected):
                throw QueryFault(.badParameter, name, "expected \(expected)")
            case .tooComplex(let sentence): throw QueryFault(.badParameter, name, sentence)
            }
        }
        guard items.count <= maximum else { throw tooMany(name, maximum) }
        return items
    }
}
