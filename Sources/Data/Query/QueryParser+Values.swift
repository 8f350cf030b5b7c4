import FreshetBase
import FreshetJSON

// Values of one parameter.
extension QueryParser {
    /// What stands between commas: bytes, because a mark that combines with a comma is no part of
    /// it; and no more than can be refused for their number.
    static func split(_ text: some StringProtocol) -> [Substring] {
        guard !text.isEmpty else { return [] }
        return Substring(text).utf8.split(
            separator: UInt8(ascii: ","), maxSplits: maximumIDs, omittingEmptySubsequences: false
        ).map { Substring($0) }
    }

    /// - Parameter name: The parameter, as faults and hints name it.
    package static func filter(
        text: String, in name: String = "filter"
    ) throws(QueryFault) -> Filter {
        do throws(FilterFault) {
            return try Filter(parsing: text)
        } catch {
            var fault = QueryFault(error, in: name)
            fault.hint = FilterRepair.repaired(text).map {
                "write \(name)=\(FilterRepair.typed($0))"
            }
            throw fault
        }
    }

    // MARK: Numbers and Booleans

    /// A whole number from `least`; one past any `Int` means as much as the largest.
    static func natural(
        _ text: String, _ name: String, from least: Int = 0
    ) throws(QueryFault) -> Int {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(ASCII.isDigit)
        let number = Int(text) ?? maximumOffset
        guard isNumber, number >= least else {
            throw QueryFault(.badParameter, name, "\(name) is a whole number from \(least)")
        }
        return min(number, maximumOffset)
    }

    /// Far past every table, and far from overflow when a limit is added.
    private static let maximumOffset = 1 << 53

    static func natural(
        _ value: JSONView, _ name: String, from least: Int = 0
    ) throws(QueryFault) -> Int {
        // As of the text: one past any `Int` means as much as the largest.
        let isPast = (value.double ?? 0) >= 0x1p63
        guard let number = isPast ? .max : value.int64, number >= least else {
            throw QueryFault(.badParameter, name, "\(name) is a whole number from \(least)")
        }
        return min(Int(number), maximumOffset)
    }

    static func boolean(_ text: String, _ name: String) throws(QueryFault) -> Bool {
        switch text {
        case "true": return true
        case "false": return false
        default: throw QueryFault(.badParameter, name, "\(name) is true or false")
        }
    }

    static func boolean(_ value: JSONView, _ name: String) throws(QueryFault) -> Bool {
        guard let value = value.bool else {
            throw QueryFault(.badParameter, name, "\(name) is true or false")
        }
        return value
    }

    // MARK: Ids

    /// The ids of `texts`, each once.
    static func ids(
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

    static func ids(json value: JSONView) throws(QueryFault) -> [EntityID] {
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

    static func distinct(_ ids: [EntityID]) -> [EntityID] {
        if ids.count <= mostCompared { return comparedDistinct(ids) }
        var seen: Set<EntityID> = []
        seen.reserveCapacity(ids.count)
        return ids.filter { seen.insert($0).inserted }
    }

    /// So many ids are compared with one another: that takes less than a set of them.
    private static let mostCompared = 32

    private static func comparedDistinct(_ ids: [EntityID]) -> [EntityID] {
        for index in ids.indices.dropFirst() {
            let id = ids[index]
            for other in ids[..<index] where other == id {
                return ids.enumerated().filter { place, id in
                    !ids[..<place].contains(id)
                }.map(\.element)
            }
        }
        return ids
    }

    // MARK: Order

    static func order(text: String) throws(QueryFault) -> Order {
        if text == "natural" { return .natural }
        if text.utf8.starts(with: "ids:".utf8) {
            return .ids(try ids(split(Substring(text.utf8.dropFirst(4))), "order"))
        }
        do throws(QueryFault) {
            return .keys(try orderKeys(text))
        } catch {
            var fault = error
            fault.hint = descending(text).map { "write order=\(FilterRepair.typed($0))" }
            throw fault
        }
    }

    private static func orderKeys(_ text: String) throws(QueryFault) -> [OrderKey] {
        try commaSeparated(text, "order", maximum: maximumOrderKeys, orderKey)
    }

    /// The order that `title desc` and `title:desc` of other languages mean; nil where `text` has
    /// other faults.
    private static func descending(_ text: String) -> String? {
        guard text.utf8.count <= 512 else { return nil }
        let keys = text.split(separator: ",").map { key in
            for (theirs, ours) in [("desc", "-"), ("asc", "")] {
                for mark in [" ", ":"] where key.lowercased().hasSuffix(mark + theirs) {
                    return ours + key.dropLast(theirs.count + 1).drop { $0 == " " }
                }
            }
            return String(key)
        }
        let repaired = keys.joined(separator: ",")
        // Where it cannot be read either, there is nothing to propose.
        return (try? orderKeys(repaired)) == nil ? nil : repaired
    }

    static func order(json value: JSONView) throws(QueryFault) -> Order {
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

    static func fields(text: String) throws(QueryFault) -> [PropertyPath] {
        if text.isEmpty { return [] }
        return try commaSeparated(text, "fields", maximum: maximumFields, field)
    }

    static func fields(json value: JSONView) throws(QueryFault) -> [PropertyPath] {
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

    // MARK: Include

    static func include(text: String) throws(QueryFault) -> Include {
        if text == "*" { return .all(depth: 1) }
        return .paths(try commaSeparated(text, "include", maximum: maximumFields, field))
    }

    static func include(json value: JSONView) throws(QueryFault) -> Include {
        if let text = value.string { return try include(text: text) }
        let texts = try strings(value, "include", maximum: maximumFields)
        if texts == ["*"] { return .all(depth: 1) }
        var paths: [PropertyPath] = []
        for text in texts { paths += try commaSeparated(text, "include", maximum: 1, field) }
        return .paths(paths)
    }

    // MARK: Lists

    static func strings(
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
    static func commaSeparated<Item>(
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
            throw QueryFault(of: error, asParameter: name)
        }
        guard items.count <= maximum else { throw tooMany(name, maximum) }
        return items
    }
}
