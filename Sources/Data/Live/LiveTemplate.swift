import FreshetEngine
import FreshetQuery

/// What standing queries have in common that differ in their filters alone. There may be a hundred
/// thousand of them, mostly of a few templates; so what does not follow from the filter stands here,
/// once. Immutable.
final class LiveTemplate: Sendable {
    /// Bytes of a filter up to which it is kept as text: the parser takes more, so that what canonical
    /// text adds to it does not matter.
    private static let longestText = 4_096
    /// Most queries show all of what they find.
    private static let everything = ShownContent()

    /// What groups of this template are known by, without their filters.
    let key: [UInt8]
    /// The query without its filter, or with it where that is kept here.
    let query: Query
    let include: (any LiveInclude)?
    let form: LiveGroup.Form
    let content: ShownContent
    let includedContent: IncludedContent
    /// The order of rows.
    let sequence: RowSequence
    /// The row rule by itself: what it refuses is forbidden, not just outside of the filter.
    let rule: FilterEvaluator?
    /// Bytes of a snapshot at most.
    let snapshotBytes: Int
    /// Where the windows' rows are counted.
    let room: WindowRoom

    // Of the window.

    var follows: Bool { form == .followed }
    /// Whether changes are shown that make no news.
    var showsSilent: Bool { content.showsSilent || includedContent.hasSilent }
    /// The first shown index, and the one behind the last.
    let first: Int
    let end: Int
    /// Rows kept at most.
    let capacity: Int
    /// Of the order, where it is a list of ids: a remote's answer may name another one for the same
    /// rows.
    let orderDigest: UInt64

    /// - Parameters:
    ///   - query: That of the request, without its filter where `separate` says so.
    ///   - plan: Of the query that fills the group.
    /// - Throws: What the row rule throws.
    init(
        of request: LiveRequest, query: Query, plan: SearchPlan, key: [UInt8],
        snapshotBytes: Int, room: WindowRoom
    ) throws(EngineError) {
        self.key = key
        self.query = query
        self.snapshotBytes = snapshotBytes
        self.room = room
        include = request.include
        form = LiveGroup.form(of: query)
        content =
            query.fields == nil && !query.meta && request.silent.isEmpty
            ? Self.everything : ShownContent(query, silent: request.silent)
        includedContent = IncludedContent(request.include, withMeta: query.meta)
        sequence = plan.sequence
        do {
            rule = try query.rule.map { rule throws(EngineError) in try FilterEvaluator(rule) }
        }
        let follows = form == .followed
        first = follows ? query.offset : 0
        end = follows ? query.limit.map { query.offset + $0 } ?? .max : .max
        capacity = follows ? plan.query.limit ?? .max : .max
        orderDigest = Self.orderDigest(of: query)
    }

    private static func orderDigest(of query: Query) -> UInt64 {
        guard query.ids == nil, case .ids(let ids) = query.order.canonical() else { return 0 }
        var digest = ResultDigest()
        for id in ids { digest.add(bytes: Array(id.text.utf8)) }
        return digest.value
    }

    /// Takes the filter out of a query, as canonical text from which `query(of:)` reads it back.
    ///
    /// - Returns: The text is empty where every row passes; nil where the filter stays with the query:
    ///   one that is long, or that has to do with other members of the query.
    static func separate(_ query: Query) -> (query: Query, text: [UInt8])? {
        guard query.rule == nil, query.contract == nil, query.ids == nil else { return nil }
        var rest = query
        rest.filter = nil
        guard let filter = query.filter?.canonical(), filter != .constant(true) else {
            return (rest, [])
        }
        let text = filter.description
        guard text.utf8.count <= longestText, (try? Filter(parsing: text)) == filter else {
            return nil
        }
        return (rest, Array(text.utf8))
    }

    /// The whole query of a group.
    ///
    /// - Parameter text: Of its filter, empty where the template has it.
    /// - Complexity: That of parsing the text.
    func query(of text: [UInt8]) -> Query {
        guard !text.isEmpty else { return query }
        var whole = query
        do { whole.filter = try Filter(parsing: String(decoding: text, as: UTF8.self)) } catch {
            preconditionFailure("a filter was read back from its text when it came: \(error)")
        }
        return whole
    }
}

/// What a group is known by: equal for queries with the same answer by construction.
struct LiveKey: Hashable {
    /// The canonical key of the template's query, with what else decides what is shown.
    var template: [UInt8]
    /// The canonical text of the filter, empty where the template has it.
    let filter: [UInt8]
}
