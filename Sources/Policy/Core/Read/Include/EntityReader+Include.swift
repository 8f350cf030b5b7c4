import FreshetBase
package import FreshetEngine
import FreshetLive
package import FreshetQuery
import FreshetStore

/// A search with an include, and the one state of all types that answers both.
package struct PreparedInclude: Sendable {
    package let search: PreparedSearch
    package let plan: IncludePlan
    let views: StoreViews
    /// What is not stored and may be included all the same.
    let fetched: FetchedEntities
}

extension EntityReader {
    /// Compiles `query` and `include` and takes all types at one seq, so that items and what they
    /// refer to are of one state.
    ///
    /// - Parameter rights: Of whoever asks: an entity that it may not read is taken for one that
    ///   does not exist. nil: everything is allowed.
    package func prepare(
        _ query: Query, including include: Include, for rights: AccessRights?
    ) throws(CoreError) -> PreparedInclude {
        try prepare(query, on: nil, FetchedEntities(), including: include, for: rights)
    }

    /// Prepares an include over rows that need not be stored.
    ///
    /// - Parameters:
    ///   - table: The items' rows in place of the store's; nil: the store's.
    ///   - fetched: What is not stored and may be included all the same.
    func prepare(
        _ query: Query, on table: TableView?, _ fetched: FetchedEntities,
        including include: Include, for rights: AccessRights?
    ) throws(CoreError) -> PreparedInclude {
        try catalog.check(query.type)
        let plan = try plan(include, of: query.type, for: rights)
        let search: SearchPlan
        do { search = try SearchPlan(query) } catch { throw .engine(error) }
        let views = store.views(of: plan.types.union([query.type]))
        return PreparedInclude(
            search: PreparedSearch(
                plan: search, table: table ?? views[query.type] ?? .empty,
                cursor: views.cursor),
            plan: plan, views: views, fetched: fetched)
    }

    /// Runs the search in slices on a worker, then follows its include there, both within one time
    /// budget. Where an include points back without an index this scans the related type.
    ///
    /// - Parameters:
    ///   - isCancelled: true ends the search without an answer that anybody reads.
    ///   - completion: Called at most once, on the worker, or at once with `.overloaded`.
    package func run(
        _ prepared: PreparedInclude, isCancelled: @escaping @Sendable () -> Bool,
        completion:
            @escaping @Sendable (Result<(SearchResult, IncludedEntities), CoreError>) -> Void
    ) {
        let deadline = Deadline(after: limits.queryTimeout)
        workers.run(prepared.search, deadline: deadline, isCancelled: isCancelled) { result in
            do throws(CoreError) {
                let found = try result.get()
                var resolver = IncludeResolver(
                    prepared.plan, roots: found.documents, in: prepared.views,
                    beside: prepared.fetched, deadline: deadline, isCancelled: isCancelled)
                let included: IncludedEntities
                do throws(EngineError) { included = try resolver.resolve() } catch {
                    throw CoreError.engine(error)
                }
                completion(.success((found, included)))
            } catch {
                completion(.failure(error))
            }
        }
    }
}

extension EntityReader {
    func plan(
        _ include: Include, of type: TypeName, for rights: AccessRights?
    ) throws(CoreError) -> IncludePlan {
        try IncludePlan(include, of: type, catalog.declared, for: rights, aliases: outbox.aliases)
    }
}

extension IncludePlan {
    /// What a live query includes beside `roots`.
    func resolve(
        _ roots: [Document], in views: StoreViews, deadline: Deadline
    ) throws(EngineError) -> LiveIncluded {
        var resolver = IncludeResolver(
            self, roots: roots, in: views, deadline: deadline, isCancelled: { false })
        return try resolver.resolve().watched
    }
}
