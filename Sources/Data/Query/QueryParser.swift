import FreshetBase
import FreshetJSON

/// Collects the parameters of a search, from a URL or a JSON body, into a `Query`.
///
/// Give it each parameter once with `take`, then ask for the query with `finish`. Parameters of
/// the live protocol (`live`, `since`, …) are the server's own: it takes them out first.
package struct QueryParser: ~Copyable {
    private var query: Query
    private let maximumLimit: Int
    /// The filters of the type's contracts, by name.
    private let contracts: [String: Filter]
    private var contract: String?
    /// The names so far.
    private var seen: Set<String> = []
    private var limit: Int?
    /// Levels of `include=*`.
    private var depth: Int?
    /// The cursor, to be read once filter and order are known.
    private var after: String?
    /// Where the answer may come from.
    private var read: ReadParameters?

    /// The row rule of whoever asks.
    private let rule: Filter?
    /// The id by which an entity is known now.
    private let current: (@Sendable (EntityID) -> EntityID)?

    /// Keys of one `order`.
    static let maximumOrderKeys = 16
    static let maximumIDs = 10_000
    static let maximumFields = 1_000

    /// - Parameters:
    ///   - maximumLimit: The largest `limit` that may be asked for.
    ///   - contracts: What `contract=` may name, with the filter that it stands for.
    ///   - rule: What restricts the rows beyond the parameters.
    ///   - current: The id by which an entity is known now; nil: ids never change.
    package init(
        type: TypeName, maximumLimit: Int = 10_000, contracts: [String: Filter] = [:],
        rule: Filter? = nil, current: (@Sendable (EntityID) -> EntityID)? = nil
    ) {
        query = Query(type: type)
        self.current = current
        self.rule = rule
        self.maximumLimit = maximumLimit
        self.contracts = contracts
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
        case "after": after = value
        case "fields": query.fields = try Self.fields(text: value)
        case "include": query.include = try Self.include(text: value)
        case "depth": depth = try Self.natural(value, name, from: 1)
        case "count": query.count = try Self.boolean(value, name)
        case "meta": query.meta = try Self.boolean(value, name)
        case "explain": query.explain = try Self.boolean(value, name)
        case "group": query.group = try Self.property(text: value, name)
        case "aggregate": query.aggregates = try Self.aggregates(text: value)
        case "distinct": query.distinct = try Self.property(text: value, name)
        case "contract": contract = value
        case "source": read[or: ReadParameters()].source = try Self.source(value)
        case "persist": read[or: ReadParameters()].persist = try Self.persist(value)
        case "trustRemote":
            read[or: ReadParameters()].trustsRemote = try Self.boolean(value, name)
        case "endpoint": read[or: ReadParameters()].endpoint = try Self.endpointName(value)
        default: try takeOther(name, value)
        }
    }

    /// Takes the parameter `ids`, divided at its commas and decoded.
    package mutating func take(ids texts: [String]) throws(QueryFault) {
        try note("ids")
        query.ids = try Self.ids(texts.map { Substring($0) }, "ids")
    }

    /// Takes the parameter `order` that begins with `ids:`, divided at its commas and decoded.
    package mutating func take(orderByIDs texts: [String]) throws(QueryFault) {
        try note("order")
        var ids = texts.map { Substring($0) }
        if let first = ids.first { ids[0] = Substring(first.utf8.dropFirst("ids:".utf8.count)) }
        query.order = .ids(try Self.ids(ids == [""] ? [] : ids, "order"))
    }

    /// Takes the members of the JSON body of `_search`.
    ///
    /// - Parameter json: One JSON object, in any spelling.
    package mutating func take(body json: UnsafeRawBufferPointer) throws(QueryFault) {
        _ = try take(body: json, besides: [])
    }

    /// The same where members that are not the query's may stand beside it.
    ///
    /// - Returns: What stands under the names `others`, as a URL would have it.
    package mutating func take(
        body json: UnsafeRawBufferPointer, besides others: Set<String>
    ) throws(QueryFault) -> [(name: String, value: String)] {
        // Room for what a filter of 64 levels needs, so that a deeper one is told as such.
        var scanner = JSONScanner(depthLimit: JSONScanner.frameDepth)
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
        var besides: [(name: String, value: String)] = []
        for member in JSONView(canonical: canonical.bytes).members {
            var text = ByteBuffer(capacity: 32)
            JSONText.unescape(member.name, into: &text)
            let name = String(decoding: text.bytes, as: UTF8.self)
            if others.contains(name) {
                besides.append((name, try Self.text(member.value, name)))
            } else {
                try take(name: name, value: member.value)
            }
        }
        return besides
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
        case "after":
            guard value.kind == .string else {
                throw QueryFault(.badParameter, name, "after is a text")
            }
            let contents = value.stringContents
            after = contents.map { String(decoding: $0, as: UTF8.self) } ?? ""
        case "fields": query.fields = try Self.fields(json: value)
        case "include": query.include = try Self.include(json: value)
        case "depth": depth = try Self.natural(value, name, from: 1)
        case "count": query.count = try Self.boolean(value, name)
        case "meta": query.meta = try Self.boolean(value, name)
        case "explain": query.explain = try Self.boolean(value, name)
        case "group": query.group = try Self.property(json: value, name)
        case "aggregate": query.aggregates = try Self.aggregates(json: value)
        case "distinct": query.distinct = try Self.property(json: value, name)
        case "contract": contract = try Self.contractName(json: value)
        case "source":
            read[or: ReadParameters()].source = try Self.source(Self.text(value, name))
        case "persist":
            read[or: ReadParameters()].persist = try Self.persist(Self.text(value, name))
        case "trustRemote":
            read[or: ReadParameters()].trustsRemote = try Self.boolean(value, name)
        case "endpoint":
            read[or: ReadParameters()].endpoint = try Self.endpointName(Self.text(value, name))
        case _ where name.hasPrefix(Self.endpointPrefix):
            try takeOther(name, Self.text(value, name))
        default: throw Self.unknown(name, "", behindFilter: false)
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
        if let depth {
            guard query.include == .all(depth: 1) else {
                throw QueryFault(
                    .badParameter, "depth", "depth is the number of levels of include=*, from 1")
            }
            query.include = .all(depth: depth)
        }
        if query.ids != nil, after != nil {
            throw QueryFault(
                .badParameter, "after", "ids are answered whole, without pages")
        }
        try Self.checkGrouping(query, hasMark: after != nil)
        if let current {
            if let ids = query.ids { query.ids = Self.distinct(ids.map(current)) }
            if case .ids(let ids) = query.order {
                query.order = .ids(Self.distinct(ids.map(current)))
            }
        }
        if let contract { try Self.keep(contract: contract, of: contracts, in: &query) }
        // Before the cursor, whose fingerprint is that of the whole filter.
        if let rule { query.restrict(to: rule) }
        if let after { query.after = try PageMark(text: after, for: query) }
        if let read {
            try Self.checkContext(read, seen)
            query.read = read
        }
        query.limit = limit ?? (query.ids == nil ? min(Query.defaultLimit, maximumLimit) : nil)
        return query
    }

    /// The parameters that were taken, `besides` not among them.
    package var given: Set<String> { seen }

    private mutating func note(_ name: String) throws(QueryFault) {
        guard seen.insert(name).inserted else {
            throw QueryFault(.badParameter, name, "\(name) is given more than once")
        }
    }

    /// Takes a parameter of an endpoint; there are no others.
    private mutating func takeOther(_ name: String, _ value: String) throws(QueryFault) {
        if name.hasPrefix(Self.endpointPrefix), name != Self.endpointPrefix {
            let parameter = String(name.dropFirst(Self.endpointPrefix.count))
            read[or: ReadParameters()].parameters[parameter] = value
            guard read?.parameters.count ?? 0 <= Self.maximumEndpointParameters else {
                throw QueryFault(.tooComplex, name, "an endpoint has at most 32 parameters")
            }
            return
        }
        throw Self.unknown(name, value, behindFilter: seen.contains("filter"))
    }

    /// What a search may have, in a URL or as members of a body.
    package static let names = [
        "filter", "ids", "order", "offset", "limit", "after", "fields", "include", "depth",
        "count", "meta", "explain", "group", "aggregate", "distinct", "contract", "source",
        "persist", "trustRemote", "endpoint",
    ]

    /// The parameters of the live protocol, which the server takes out before.
    package static let liveNames = [
        "live", "since", "wait", "throttle", "heartbeat", "max", "old",
    ]

    /// Bytes of a name or a value for which it is guessed what was meant.
    private static let longestGuess = 1_024

    /// The fault of a parameter that is none, with what was probably meant.
    ///
    /// - Parameters:
    ///   - value: As the URL has it; "" in a body.
    ///   - names: What may stand here.
    package static func unknown(
        _ name: String, _ value: String, behindFilter: Bool,
        among names: [String] = names + liveNames
    ) -> QueryFault {
        if names.contains("all"), !names.contains(name), (Self.names + liveNames).contains(name) {
            return searchAlone(name)
        }
        // Of what is long nobody has mistaken a letter, and all that follows looks at each.
        guard name.utf8.count <= longestGuess, value.utf8.count <= longestGuess else {
            return QueryFault(.badParameter, name, "there is no parameter '\(name)' here")
        }
        // What stands elsewhere is not meant here.
        let near = names.contains(name) ? nil : NearestWord.of(name, among: names)
        var hint = near.map { "write \($0) in place of \(name)" }
        if behindFilter, near == nil || value.isEmpty || value.hasPrefix("=") {
            hint =
                "inside a filter && is written `and`, or %26%26 in a URL: a plain & ends the filter"
        } else if near == nil, names.contains("filter"), !SecretName.occurs(in: name),
            let test = FilterRepair.equality(name, value)
        {
            hint = "to ask for a property write filter=\(FilterRepair.typed(test))"
        }
        return QueryFault(
            .badParameter, name,
            "there is no parameter '\(name)' here" + (near.map { "; did you mean '\($0)'?" } ?? ""),
            hint: hint)
    }

    /// The fault of a parameter of searches where entities are removed.
    private static func searchAlone(_ name: String) -> QueryFault {
        let choosing = ["order", "offset", "limit", "after", "distinct", "contract"]
        return QueryFault(
            .badParameter, name, "there is no parameter '\(name)' here: only a search has it",
            hint: choosing.contains(name)
                ? "search with \(name) first, and remove what it finds by ids=3,1,2"
                : "leave \(name) out")
    }

    private func checkedLimit(_ value: Int) throws(QueryFault) -> Int {
        guard value <= maximumLimit else {
            throw QueryFault(
                .badParameter, "limit", "limit is at most \(maximumLimit)",
                hint: "ask for page after page by meta.next, or raise limits.results of the"
                    + " configuration")
        }
        return value
    }
}

extension Optional {
    /// The value, which is `start` from the first look on.
    fileprivate subscript(or start: @autoclosure () -> Wrapped) -> Wrapped {
        get { self ?? start() }
        set { self = newValue }
    }
}
