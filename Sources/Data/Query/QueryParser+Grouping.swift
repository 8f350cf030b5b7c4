import FreshetJSON

// The parameters that make something else of the matches than a list: group, aggregate, distinct;
// and contract, which is a filter by name.
extension QueryParser {
    // MARK: Values

    static func property(text: String, _ name: String) throws(QueryFault) -> PropertyPath {
        do throws(FilterFault) {
            return try PropertyPath(parsing: text)
        } catch {
            throw QueryFault(of: error, asParameter: name)
        }
    }

    static func property(json value: JSONView, _ name: String) throws(QueryFault) -> PropertyPath {
        guard let text = value.string else {
            throw QueryFault(.badParameter, name, "\(name) is a property's name, a text")
        }
        return try property(text: text, name)
    }

    static func aggregates(text: String) throws(QueryFault) -> [Aggregate] {
        try checked(
            commaSeparated(text, "aggregate", maximum: Aggregate.maximumCount) {
                (lexer) throws(FilterFault) -> Aggregate in try Aggregate(&lexer)
            })
    }

    static func aggregates(json value: JSONView) throws(QueryFault) -> [Aggregate] {
        if let text = value.string { return try aggregates(text: text) }
        var all: [Aggregate] = []
        for text in try strings(value, "aggregate", maximum: Aggregate.maximumCount) {
            all += try commaSeparated(text, "aggregate", maximum: 1) {
                (lexer) throws(FilterFault) -> Aggregate in try Aggregate(&lexer)
            }
        }
        guard !all.isEmpty else {
            throw QueryFault(
                .badParameter, "aggregate", "expected count, sum(…), avg(…), min(…) or max(…)")
        }
        return try checked(all)
    }

    /// Each figure is a member of the answer, so it stands there once.
    private static func checked(_ all: [Aggregate]) throws(QueryFault) -> [Aggregate] {
        for (index, aggregate) in all.enumerated()
        where all[..<index].contains(where: aggregate.isSame) {
            throw QueryFault(.badParameter, "aggregate", "\(aggregate) stands there twice")
        }
        return all
    }

    static func contractName(json value: JSONView) throws(QueryFault) -> String {
        guard let name = value.string else {
            throw QueryFault(.badParameter, "contract", "contract is a name, a text")
        }
        return name
    }

    // MARK: What goes together

    /// Leaves only rows that keep the contract `name`, in place of what it meant before.
    ///
    /// - Parameter contracts: Of the query's type, by name.
    /// - Throws: `badParameter` where none of them has this name.
    package static func keep(
        contract name: String, of contracts: [String: Filter], in query: inout Query
    ) throws(QueryFault) {
        guard let meaning = contracts[name] else {
            let known = contracts.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw QueryFault(
                .badParameter, "contract", "'\(query.type.text)' has no contract of this name",
                hint: known.isEmpty
                    ? "no contract of '\(query.type.text)' is declared in the configuration"
                    : "the contracts of '\(query.type.text)' are \(known)")
        }
        let rule = query.rule
        query.restrict(to: nil)
        let asked = query.contract == nil ? query.filter : query.contract?.asked
        query.contract = QueryContract(name, filter: meaning, asked: asked)
        query.filter = asked.map { .and([$0, meaning]) } ?? meaning
        query.restrict(to: rule)
    }

    /// Refuses what would have no meaning beside a figure or a first entity.
    static func checkGrouping(_ query: Query, hasMark: Bool) throws(QueryFault) {
        if query.aggregates != nil, query.include != nil {
            throw QueryFault(
                .badParameter, "include", "include leads from items, and an aggregate shows none")
        }
        guard hasMark else { return }
        if query.aggregates != nil {
            throw QueryFault(
                .badParameter, "after", "an aggregate is over all matches, without pages")
        }
        // The first entity of a value may come before the mark at any time, so a cursor could
        // skip values that nobody has touched.
        if query.distinct != nil {
            throw QueryFault(
                .badParameter, "after", "pages of distinct values are not stable",
                hint: "use offset")
        }
    }
}
