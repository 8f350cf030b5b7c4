import FreshetBase
package import FreshetQuery

extension SearchTask {
    /// A search for the entities of `view` whose property names one of `ids`, alone or in a list, in
    /// id order; generous, as a row may name it in an array that has elements of other kinds.
    ///
    /// - Returns: nil where no index makes it shorter than looking at all of them.
    package static func backReferences(
        to ids: some Collection<EntityID>, by property: PropertyPath, of type: TypeName,
        in view: TableView, deadline: Deadline
    ) throws(EngineError) -> SearchTask? {
        let isIndexed = view.indexes.contains { $0.definition.keys.first?.path == property }
        guard isIndexed, !property.isID else { return nil }
        // An id may be written as a string, and where it is an integer as a number.
        var literals: [Literal] = []
        literals.reserveCapacity(ids.count * 2)
        for id in ids {
            literals.append(Literal(string: id.text))
            if let integer = id.integer {
                literals.append(Literal(canonical: Array(String(integer).utf8)))
            }
        }
        var query = Query(type: type)
        query.filter = .or([.isIn(property, literals), .hasAny(property, literals)])
        query.limit = nil
        let plan = try SearchPlan(query)
        let choice = plan.choose(in: view)
        switch choice.source {
        case .indexes, .none:
            return SearchTask(plan, on: view, by: choice, deadline: deadline)
        default:
            return nil
        }
    }
}
