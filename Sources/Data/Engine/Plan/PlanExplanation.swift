import FreshetBase
import FreshetJSON
import FreshetQuery

/// What `explain=true` shows of a search as `meta.plan`, JSON. Member names are part of the contract:
///
///     index           `section,-installedSize`, `a | b` (union), `a & b` (intersection), `id`, `ids`,
///                     `none`, `scan`
///     kind            see `SearchChoice.kind`
///     ranges          what of the index is read, as text: `section: "games"`, `size: [5, 10)`
///     rangeCount      how many there are; at most 16 are shown
///     orderFromIndex  whether rows come out of an index in the order of the answer
///     countFromIndex  whether the total is the size of ranges, and no row was looked at for it
///     filterImplied   whether the ranges are the filter, which then is not asked
///     rowsExamined    rows that were looked at
///     rowsReturned    rows of the answer
///     replanned       whether a way that took too long was given up for this one
///     filter          the filter in canonical form, null without one
///     candidates      the ways that were weighed: index, kind, the most rows, the expected cost in
///                     rows of a scan
///
/// Where a row rule restricts the query, only `rowsReturned` and `filter`, which then is the query's
/// own, are left. All else follows from the rule or from the number of rows that it hides: even the
/// choice of an index is made by counts, and would tell which values hidden rows have.
struct PlanExplanation {
    private static let shownRanges = 16

    private let plan: SearchPlan
    private let choice: SearchChoice
    private let found: SearchResult
    private let isReplanned: Bool

    init(_ plan: SearchPlan, _ choice: SearchChoice, _ found: SearchResult, isReplanned: Bool) {
        self.plan = plan
        self.choice = choice
        self.found = found
        self.isReplanned = isReplanned
    }

    var json: [UInt8] {
        var indexes: [IndexRanges] = []
        var ordered = false
        if case .indexes(let path) = choice.source {
            indexes = path.ranges + (path.among.map { [$0] } ?? [])
            ordered = choice.isOrdered
        } else if case .none = choice.source, let counted = choice.counted {
            indexes = [counted]
        }
        let texts = indexes.flatMap { ranges in
            ranges.spans.list.prefix(Self.shownRanges).map { $0.text(in: ranges.definition) }
        }
        let members: [JSONValue.Member] = [
            .init(name: "index", value: .string(choice.name)),
            .init(name: "kind", value: .string(choice.kind)),
            .init(
                name: "ranges", value: .array(texts.prefix(Self.shownRanges).map { .string($0) })),
            .init(
                name: "rangeCount",
                value: number(indexes.reduce(0) { $0 + $1.spans.list.count })),
            .init(name: "orderFromIndex", value: .bool(ordered)),
            .init(name: "countFromIndex", value: .bool(choice.counted != nil)),
            .init(name: "filterImplied", value: .bool(choice.isImplied)),
            .init(name: "rowsExamined", value: number(found.rowsExamined)),
            .init(
                name: "rowsReturned",
                value: number(found.aggregates?.count ?? found.documents.count)),
            .init(name: "replanned", value: .bool(isReplanned)),
            .init(name: "filter", value: filter),
            .init(name: "candidates", value: .array(choice.options.map(member))),
        ]
        guard plan.query.rule != nil else { return JSONValue.object(members).bytes }
        return JSONValue.object(members.filter { Self.ownMembers.contains($0.name) }).bytes
    }

    /// Members that depend on the question and the answer alone.
    private static let ownMembers: Set<String> = ["rowsReturned", "filter"]

    private var filter: JSONValue {
        guard let filter = plan.query.ownFilter?.canonical(), filter != .constant(true) else {
            return .null
        }
        return .string(filter.description)
    }

    private func member(_ option: SearchChoice.Option) -> JSONValue {
        .object([
            .init(name: "index", value: .string(option.name)),
            .init(name: "kind", value: .string(option.kind)),
            .init(name: "rows", value: number(option.rows)),
            .init(name: "cost", value: number(Int(min(option.cost, 1e15)))),
        ])
    }

    private func number(_ value: Int) -> JSONValue { .number("\(value)") }
}

extension IndexSpans.Span {
    /// `a: 1, b: [5, 10)`.
    fileprivate func text(in definition: IndexDefinition) -> String {
        var parts = zip(definition.keys, equal).map { key, value in
            "\(key.path): \(String(decoding: value, as: UTF8.self))"
        }
        if let interval {
            parts.append("\(definition.keys[equal.count].path): \(interval.text)")
        }
        return parts.joined(separator: ", ")
    }
}

extension ValueInterval {
    /// `[5, 10)`: a bracket belongs to the interval, a parenthesis does not; without a bound `…`.
    fileprivate var text: String {
        if let point { return String(decoding: point, as: UTF8.self) }
        let start =
            switch lower {
            case .start: "(…"
            case .kindStart(let kind): "(\(kind.name)…"
            case .before(let bytes): "[" + String(decoding: bytes, as: UTF8.self)
            case .after(let bytes): "(" + String(decoding: bytes, as: UTF8.self)
            case .prefixEnd(let bytes): "(" + String(decoding: bytes, as: UTF8.self) + "…"
            case .end: "(null"
            }
        let end =
            switch upper {
            case .start: "…)"
            case .end: "…]"
            case .kindStart(let kind): "…\(kind.name))"
            case .before(let bytes): String(decoding: bytes, as: UTF8.self) + ")"
            case .after(let bytes): String(decoding: bytes, as: UTF8.self) + "]"
            case .prefixEnd(let bytes): String(decoding: bytes, as: UTF8.self) + "…]"
            }
        return "\(start), \(end)"
    }
}
