import FreshetBase
package import FreshetEngine
package import FreshetQuery
import FreshetStore

extension EntityReader {
    /// The entity, or nil where there is none that may be read. About 100 ns; never waits for a
    /// disk.
    ///
    /// - Parameters:
    ///   - id: The text of the identifier.
    ///   - rights: Of whoever asks; nil: everything is allowed.
    package func entity(
        _ type: TypeName, idBytes id: UnsafeRawBufferPointer, for rights: AccessRights?
    ) throws(CoreError) -> Document? {
        try catalog.check(type)
        guard let document = store.document(type, idBytes: id) ?? renamed(type, id) else {
            return nil
        }
        return rights?.mayRead(document, of: type) ?? true ? document : nil
    }

    /// The entity, whoever asks; that of another id, where it was known by this one before.
    package func entity(_ type: TypeName, _ id: EntityID) throws(CoreError) -> Document? {
        try catalog.check(type)
        return store.document(type, outbox.current(type, id))
    }

    /// The entity with an id that was read.
    func entity(
        _ type: TypeName, _ id: EntityID, for rights: AccessRights?
    ) throws(CoreError) -> Document? {
        try catalog.check(type)
        return store.document(type, id).flatMap {
            rights?.mayRead($0, of: type) ?? true ? $0 : nil
        }
    }

    /// The entity that was known by another id before.
    private func renamed(_ type: TypeName, _ id: UnsafeRawBufferPointer) -> Document? {
        // What is no id was none before.
        guard outbox.hasAliases, let id = try? EntityID(text: id) else { return nil }
        let current = outbox.current(type, id)
        return current == id ? nil : store.document(type, current)
    }

    /// Whether any type has a remote.
    package var hasRemotes: Bool { !remotes.isEmpty }

    /// Whether entities of `type` come from nowhere else, so that a get of one needs no decision.
    package func isLocal(_ type: TypeName) -> Bool { remotes.source(of: type) == nil }

    /// Refuses a type that may not be named.
    package func check(_ type: TypeName) throws(CoreError) { try catalog.check(type) }

    /// A parser of search parameters for `type` under this server's limits: every query of a
    /// request is made by one, and so bears the row rule of whoever asks.
    ///
    /// - Parameter rights: nil: everything is allowed.
    package func queryParser(
        _ type: TypeName, for rights: AccessRights?
    ) throws(CoreError) -> QueryParser {
        try catalog.check(type)
        var current: (@Sendable (EntityID) -> EntityID)?
        if outbox.hasAliases {
            let outbox = outbox
            current = { outbox.current(type, $0) }
        }
        return QueryParser(
            type: type, maximumLimit: limits.searchLimit,
            contracts: catalog.schema(of: type)?.contractFilters ?? [:],
            rule: rights?.of(type).read.filter,
            current: current)
    }

    /// Compiles `query` and takes the view that answers it.
    ///
    /// - Parameter table: What is searched in place of the store's rows; nil: these.
    package func prepare(
        _ query: consuming Query, on table: TableView? = nil
    ) throws(CoreError) -> PreparedSearch {
        try catalog.check(query.type)
        let plan: SearchPlan
        do { plan = try SearchPlan(query) } catch { throw .engine(error) }
        return try prepare(plan, on: table)
    }

    /// Takes the view that answers `plan`.
    func prepare(_ plan: SearchPlan, on table: TableView?) throws(CoreError) -> PreparedSearch {
        let type = plan.query.type
        try catalog.check(type)
        let cursor = store.cursor
        let view = table ?? store.view(type)
        return PreparedSearch(
            plan: plan, table: view ?? .empty,
            cursor: view.map { Cursor(epoch: cursor.epoch, seq: $0.seq) } ?? cursor)
    }

    /// How many entities of `type` match `rule`, counted on the caller's thread: a worker's.
    package func count(of type: TypeName, _ rule: Filter) throws(CoreError) -> Int {
        var query = Query(type: type)
        query.restrict(to: rule)
        query.count = true
        query.limit = 0
        return try run(prepare(query)).total ?? 0
    }

    /// Finds what is wrong with the plan of `query` before anybody watches it.
    ///
    /// - Returns: Bytes that its filter is compiled to, as bounds on many filters count them.
    package func checkPlan(
        of query: Query, for rights: AccessRights?
    ) throws(CoreError) -> Int {
        let search =
            if let include = query.include {
                try prepare(query, including: include, for: rights).search
            } else {
                try prepare(query)
            }
        return search.plan.matcher.countedSize
    }

    /// Whether `search` is small enough for the caller's thread.
    func runsInline(_ search: PreparedSearch) -> Bool {
        search.choice.map { search.plan.cost(of: $0) <= limits.inlineCost } ?? false
    }

    /// Runs `search` on the caller's thread, an event loop's as a rule; nil where it turns out to take
    /// long: rows may be large.
    func runBriefly(_ search: PreparedSearch) throws(CoreError) -> SearchResult? {
        do throws(EngineError) {
            return try run(search, within: min(Self.longestInline, limits.queryTimeout))
        } catch .timeout {
            return nil
        } catch {
            throw .engine(error)
        }
    }

    private static let longestInline = Duration.milliseconds(2)

    /// Runs `search` on the caller's thread.
    func run(_ search: PreparedSearch) throws(CoreError) -> SearchResult {
        do throws(EngineError) {
            return try run(search, within: limits.queryTimeout)
        } catch {
            throw .engine(error)
        }
    }

    private func run(
        _ search: PreparedSearch, within time: Duration
    ) throws(EngineError) -> SearchResult {
        try search.plan.run(
            on: search.table, by: search.choice, deadline: Deadline(after: time))
    }

    /// Runs `search` in slices on a worker.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked before each slice; true ends the search without a completion.
    ///   - completion: Called once, on the worker, or at once with `.overloaded`.
    package func run(
        _ search: PreparedSearch, isCancelled: @escaping @Sendable () -> Bool,
        completion: @escaping @Sendable (Result<SearchResult, CoreError>) -> Void
    ) {
        workers.run(
            search, deadline: Deadline(after: limits.queryTimeout),
            isCancelled: isCancelled, completion: completion)
    }
}
