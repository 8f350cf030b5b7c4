import FreshetBase
import FreshetJSON
import FreshetQuery

/// What of a query goes to the upstream, and with which values. Pure.
struct RemoteSearchPlan: Sendable {
    let search: RemoteMapping.Search
    /// The name that faults are told by.
    let endpoint: String
    let pushdown: RemotePushdown
    private let constants: [String: String]

    init(
        _ request: RemoteSearch, _ search: RemoteMapping.Search, endpoint: String,
        renames: [RemoteMapping.Rename]
    ) {
        self.search = search
        self.endpoint = endpoint
        let query = request.query
        let names = Set(search.request.placeholders)
        var values = request.parameters.filter { names.contains($0.key) }
        var pushdown = RemotePushdown()

        // The filter: equalities of its conjunction that the template names.
        var pushed: [Filter] = []
        var left = 0
        for part in Filter.conjuncts(ofCanonical: query.filter?.canonical()) {
            if let (name, value) = Self.equality(part), names.contains(name) {
                values[name] = value
                pushed.append(part)
            } else {
                left += 1
            }
        }
        pushdown.filter = pushed.isEmpty ? nil : pushed.count == 1 ? pushed[0] : .and(pushed)
        pushdown.isWholeFilter = left == 0

        // A list of ids has a comma between two.
        if let ids = query.ids, names.contains("ids"), !ids.isEmpty,
            !ids.contains(where: { $0.text.utf8.contains(UInt8(ascii: ",")) })
        {
            values["ids"] = ids.map(\.text).joined(separator: ",")
            pushdown.sendsIDs = true
        }

        switch query.order {
        case .natural: break
        case .keys(var keys) where names.contains("order"):
            // The order by id is the natural one here, and need not be the remote's.
            if case .keys(let fewer) = query.order.canonical() { keys = fewer }
            values["order"] = keys.map { Self.remote($0, renames) }.joined(separator: ",")
        case .keys, .ids: pushdown.isOrdered = false
        }
        pushdown.window = Self.window(request, pushdown: pushdown, search: search, names: names)
        self.pushdown = pushdown
        constants = values
    }

    // MARK: Ids

    /// Bytes of the ids of one request: with them its line has less than the 8,000 that most servers
    /// take (RFC 9110, section 4.1).
    private static let mostIDBytes = 6_000

    /// The ids of each request, in order; one id at least, and no more than a page has rows: what an answer
    /// that was cut lacks would be taken for gone.
    func parts(of ids: [EntityID]) -> [ArraySlice<EntityID>] {
        let most = search.pageSize ?? (search.total == nil ? Self.mostTrusted : .max)
        var parts: [ArraySlice<EntityID>] = []
        var (start, bytes) = (0, 0)
        for (index, id) in ids.enumerated() {
            // An escaped byte is three, and so is the comma.
            let size = id.text.utf8.reduce(3) { $0 + (PercentEncoding.isUnreserved($1) ? 1 : 3) }
            if index > start, bytes + size > Self.mostIDBytes || index - start == most {
                parts.append(ids[start..<index])
                (start, bytes) = (index, 0)
            }
            bytes += size
        }
        if start < ids.count { parts.append(ids[start...]) }
        return parts
    }

    // MARK: Windows and pages

    /// Whether pages are asked for one after the other: for everything, or for a window that is
    /// larger than the upstream's page.
    var isWalk: Bool {
        guard let window = pushdown.window else {
            return !pushdown.sendsIDs
                && (hasPages || search.request.placeholders.contains("limit"))
        }
        return hasPages && window.limit > search.pageSize ?? window.limit
    }

    /// Whether the upstream can be asked for what is behind a page.
    private var hasPages: Bool {
        search.request.placeholders.contains { ["offset", "page"].contains($0) }
    }

    /// The values of one request.
    ///
    /// - Parameters:
    ///   - page: Which page of a walk, from 0.
    ///   - offset: The elements of the pages before it.
    func values(page: Int, offset: Int) -> (String) -> String? {
        let isWalk = isWalk
        let start = pushdown.window?.offset ?? 0
        let window =
            isWalk
            ? RemotePushdown.Window(offset: start + offset, limit: pageSize) : pushdown.window
        return { name in
            switch name {
            case "offset": window.map { String($0.offset) }
            case "limit": window.map { String($0.limit) }
            case "page":
                // A page of a walk may be shorter than its size.
                window.map { String((isWalk ? start : $0.offset) / max(1, $0.limit) + 1 + page) }
            default: constants[name]
            }
        }
    }

    /// The elements of a page of a walk.
    var pageSize: Int { search.pageSize ?? RemoteMapping.Search.standardPageSize }

    /// A limit up to which a page that is short is taken for the last one though nobody says how
    /// much the upstream serves: many serve a hundred at most whatever is asked for, few less.
    private static let mostTrusted = 100

    /// Whether an upstream that is asked for `limit` elements and has them serves them.
    private func serves(_ limit: Int) -> Bool { limit <= search.pageSize ?? Self.mostTrusted }

    /// Whether an answer of `count` elements is all that passes the pushed filter, as far as it
    /// proves that itself.
    ///
    /// - Parameter seen: The elements, each once.
    func isComplete(count: Int, seen: Int, total: Int?) -> Bool {
        guard let window = pushdown.window else {
            return !pushdown.sendsIDs && !hasMore(count: count, seen: seen, total: total)
        }
        guard window.offset == 0 else { return false }
        if let total { return seen >= total }
        // More than the limit: the upstream does not look at it.
        return count > window.limit || count < window.limit && serves(window.limit)
    }

    /// Whether a walk is at its end, judged by its last page: nil where it goes on, else whether
    /// it has brought everything.
    ///
    /// An upstream may serve less than it is asked for and say nothing. So a short page is the last
    /// one only where it is known how much is served: by the configuration, or by a longer page
    /// before it; else the next page is asked for, and is empty or brings nothing new.
    ///
    /// - Parameters:
    ///   - count: The page's elements.
    ///   - longest: The most elements of a page before it.
    ///   - seen: The elements of all pages, each once, without what is before a window: a total is reached
    ///     by entities and not by their repetition.
    ///   - isNew: The page brought an entity that the pages before it had not.
    func endOfWalk(count: Int, longest: Int, seen: Int, isNew: Bool, total: Int?) -> Bool? {
        guard hasPages else {
            if let total { return seen >= total }
            return count == 0 || count > pageSize || count < pageSize && serves(pageSize)
        }
        let isOver = count == 0 || !isNew
        let start = pushdown.window?.offset ?? 0
        let isFilled = pushdown.window.map { seen >= $0.limit } ?? false
        if let total { return start + seen >= total ? true : isOver || isFilled ? false : nil }
        // More than was asked for: the upstream does not look at pages.
        if isOver || count > pageSize { return true }
        if count < pageSize, serves(pageSize) || count < longest { return true }
        return isFilled ? false : nil
    }

    /// Whether an answer of `count` elements may be a part of the window alone, since the upstream serves
    /// less at once than it was asked for, and the next part can be asked for.
    func mayBePart(count: Int, total: Int?) -> Bool {
        guard let window = pushdown.window, search.pageSize == nil,
            count > 0, count < window.limit
        else { return false }
        let names = search.request.placeholders
        // Where pages are smaller than was thought, a page behind the first is another one.
        guard names.contains("offset") || names.contains("page") && window.offset == 0 else {
            return false
        }
        return total.map { window.offset + count < $0 } ?? !serves(window.limit)
    }

    /// The values of a request for the next part of the window.
    ///
    /// - Parameters:
    ///   - parts: How many came.
    ///   - seen: Their elements.
    func values(behind parts: Int, seen: Int) -> (String) -> String? {
        let values = values(page: 0, offset: 0)
        let start = pushdown.window?.offset ?? 0
        return { name in
            switch name {
            case "offset": String(start + seen)
            case "page": String(1 + parts)
            default: values(name)
            }
        }
    }

    /// Whether the upstream has more of what was asked for than it has served: its total says so, or the
    /// one page that there is was filled.
    ///
    /// - Parameters:
    ///   - count: The last page's elements.
    ///   - seen: The elements of all pages, each once.
    func hasMore(count: Int, seen: Int, total: Int?) -> Bool {
        if let window = pushdown.window {
            return total.map { seen < min($0 - window.offset, window.limit) }
                ?? (!hasPages && count < window.limit && count == search.pageSize)
        }
        guard !pushdown.sendsIDs else { return total.map { seen < $0 } ?? false }
        let size = isWalk ? pageSize : search.pageSize
        return total.map { seen < $0 } ?? (!hasPages && count == size)
    }

    /// The window to ask for; nil where it would cut away rows that the query needs.
    private static func window(
        _ request: RemoteSearch, pushdown: RemotePushdown, search: RemoteMapping.Search,
        names: Set<String>
    ) -> RemotePushdown.Window? {
        let query = request.query
        guard names.contains("limit"), query.ids == nil, let limit = query.limit, limit > 0,
            query.after == nil
        else { return nil }
        if !request.isTrusted {
            guard pushdown.isWholeFilter, pushdown.isOrdered, query.distinct == nil,
                query.aggregates == nil, !query.count || search.total != nil
            else { return nil }
        }
        if names.contains("offset") {
            return RemotePushdown.Window(offset: query.offset, limit: limit)
        }
        let (end, overflow) = query.offset.addingReportingOverflow(limit)
        if names.contains("page"), !overflow {
            let isAligned = query.offset % limit == 0
            if let page = search.pageSize, limit > page || !isAligned {
                // From the page that its first row is on.
                let start = query.offset / page * page
                return RemotePushdown.Window(offset: start, limit: max(end - start, page))
            }
            if isAligned { return RemotePushdown.Window(offset: query.offset, limit: limit) }
        }
        // No page begins there: the first one that holds it all.
        return overflow ? nil : RemotePushdown.Window(offset: 0, limit: end)
    }

    // MARK: Filter and order

    /// The placeholder and the value of a test for equality with a string, number or Boolean.
    private static func equality(_ filter: Filter) -> (name: String, value: String)? {
        guard case .compare(let path, .equal, let literal) = filter else { return nil }
        let name = "filter." + path.names.map(\.text).joined(separator: ".")
        switch literal.kind {
        case .string:
            guard let bytes = literal.string else { return nil }
            return (name, String(decoding: bytes, as: UTF8.self))
        case .number:
            return NumberSpelling.plain(Array(literal.bytes)).map {
                (name, String(decoding: $0, as: UTF8.self))
            }
        case .bool: return (name, String(decoding: literal.bytes, as: UTF8.self))
        case .null, .array, .object: return nil
        }
    }

    /// A key of the order with the upstream's name of its property.
    private static func remote(_ key: OrderKey, _ renames: [RemoteMapping.Rename]) -> String {
        let first = key.path.names.first?.text ?? ""
        guard let rename = renames.first(where: { $0.local == first }) else {
            return key.description
        }
        let names = [rename.remote] + key.path.names.dropFirst().map(\.text)
        var renamed = key
        renamed.path = PropertyPath(names)
        return renamed.description
    }
}
