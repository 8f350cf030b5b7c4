import FreshetQuery

/// Where the rows of a search come from. Every row of the answer is among them; the filter is
/// still asked about each, so a source may be generous.
enum RowSource: Sendable {
    /// No row at all: the filter is false of everything.
    case none
    /// The query's own `ids`, in that order.
    case asked([EntityID])
    /// Ids that the filter names, in id order, each once.
    case named([EntityID])
    /// All rows, in id order.
    case scan
    /// Those that indexes lead to; only in the choice for a view.
    indirect case indexes(IndexPath)

    /// What `explain` calls it.
    var name: String {
        switch self {
        case .none: "none"
        case .asked: "ids"
        case .named: "id"
        case .scan: "scan"
        case .indexes(let path): path.name
        }
    }
}

/// Chooses the row source of a query as far as it is known without a view; `PlanChooser` goes on
/// where that is a scan.
enum Planner {
    static func source(for query: Query) -> RowSource {
        if let ids = query.ids { return .asked(ids) }
        guard let filter = query.filter else { return .scan }
        if case .constant(false) = filter { return .none }
        guard let named = namedIDs(filter) else { return .scan }
        return named.isEmpty ? .none : .named(named)
    }

    /// The ids outside of which `filter` is false for sure, in id order; nil where it does not say.
    ///
    /// Recursion is as deep as the filter, at most 64.
    static func namedIDs(_ filter: Filter) -> [EntityID]? {
        switch filter {
        case .compare(let path, .equal, let literal) where path.isID:
            return ids([literal])
        case .isIn(let path, let list) where path.isID:
            return ids(list)
        case .and(let parts):
            return parts.compactMap(namedIDs).min { $0.count < $1.count }
        case .or(let parts):
            var all: [EntityID] = []
            for part in parts {
                guard let named = namedIDs(part) else { return nil }
                all += named
            }
            return sortedDistinct(all)
        default:
            return nil
        }
    }

    /// The ids that the literals denote; a literal that is no possible id names no row.
    private static func ids(_ literals: [Literal]) -> [EntityID] {
        sortedDistinct(
            literals.compactMap { literal in
                guard let text = FilterCompiler.idText(literal) else { return nil }
                return text.withUnsafeBytes { bytes in
                    // A fault says that no entity can have this id, which is all we ask.
                    try? EntityID(text: bytes)
                }
            })
    }

    static func sortedDistinct(_ ids: [EntityID]) -> [EntityID] {
        var result: [EntityID] = []
        for id in ids.sorted() where result.last != id { result.append(id) }
        return result
    }

    /// `ids` in their order, each at its first place alone.
    static func distinct(_ ids: [EntityID]) -> [EntityID] {
        var seen = Set<EntityID>()
        return ids.filter { seen.insert($0).inserted }
    }
}

extension Filter {
    /// Whether planning it takes more than some ten microseconds: lists or junctions of more than
    /// 128 parts.
    var isLong: Bool { partCount > 128 }

    private var partCount: Int {
        switch self {
        case .and(let parts), .or(let parts): parts.reduce(parts.count) { $0 + $1.partCount }
        case .not(let part): part.partCount
        case .isIn(_, let list), .hasAny(_, let list), .hasAll(_, let list): list.count
        default: 1
        }
    }
}
