import FreshetBase

/// What can be asked of one type of entities; each member is the parameter of that name of a search
/// URL, with the same text.
///
/// ```swift
/// let open = EntityQuery("task", where: "done == false", order: "-priority", limit: 20)
/// ```
public struct EntityQuery: Sendable, Equatable {
    public var type: String
    /// Such as `section == 'games' and size(tags) > 2`.
    public var filter: String?
    /// Such as `-priority,title`.
    public var order: String?
    /// nil: 100, the server's default.
    public var limit: Int?
    public var offset: Int?
    /// These, in this order.
    public var ids: [String]?
    /// Only these members, and `id`.
    public var fields: [String]?
    /// Paths of related entities that come along, such as `author,comments.author`.
    public var include: String?
    /// The property by whose values entities are grouped.
    public var group: String?
    /// Figures in place of entities, such as `count,sum(points)`.
    public var aggregate: String?
    /// The first entity of each value of this property.
    public var distinct: String?
    /// Whether the number of all matches is wanted.
    public var counts = false
    /// Whether each entity has a `_meta` with its revision and where it comes from.
    public var hasMeta = false
    public var context: ReadContext

    public init(
        _ type: String, where filter: String? = nil, order: String? = nil, limit: Int? = nil,
        context: ReadContext = .standard
    ) {
        self.type = type
        self.filter = filter
        self.order = order
        self.limit = limit
        self.context = context
    }

    /// As a URL has them, without the type: decoded but for the ids, among which a comma divides.
    var parameters: [(String, String)] {
        var parameters: [(String, String)] = []
        func add(_ name: String, _ value: String?) {
            if let value { parameters.append((name, value)) }
        }
        add("filter", filter)
        add("order", order)
        add("limit", limit.map(String.init))
        add("offset", offset.map(String.init))
        add("ids", ids?.map(PercentEncoding.text).joined(separator: ","))
        add("fields", fields?.joined(separator: ","))
        add("include", include)
        add("group", group)
        add("aggregate", aggregate)
        add("distinct", distinct)
        if counts { add("count", "true") }
        if hasMeta { add("meta", "true") }
        return parameters + context.parameters
    }

    /// How a live query tells of changes.
    public enum LiveMode: String, Sendable {
        /// Each event is the whole answer.
        case snapshot
        /// Each event is what has changed.
        case delta
    }

    /// The path and query of the URL that asks this, escaped.
    ///
    /// - Parameter live: Where the answer is to be watched.
    public func path(live: LiveMode? = nil) -> String {
        var items = parameters
        if let live { items.append(("live", live.rawValue)) }
        let query = items.map { name, value in
            // An endpoint's parameter has the name that the program gives it.
            PercentEncoding.text(name) + "="
                + (name == "ids" ? value : PercentEncoding.list(value))
        }.joined(separator: "&")
        return "/v1/\(PercentEncoding.segment(type))" + (query.isEmpty ? "" : "?\(query)")
    }
}
