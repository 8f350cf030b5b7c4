import FreshetBase
package import FreshetQuery
package import FreshetRemote
package import FreshetStore

/// The remotes of the types, and what is known of their answers. Any thread.
package final class RemoteReads: Sendable {
    /// A question as it was parsed: what decides about its shape.
    private struct Question: Hashable {
        let type: TypeName
        let filter: Filter?
        let ids: [EntityID]?
        let order: Order
        let offset: Int
        let limit: Int?
        let needsAll: Bool
        let read: Parameters?

        struct Parameters: Hashable {
            let endpoint: String?
            let parameters: [String: String]
            let trustsRemote: Bool
        }

        /// - Parameter isCanonical: Filters that mean the same are the same.
        init(_ query: Query, isCanonical: Bool = false) {
            type = query.type
            filter = isCanonical ? query.askedFilter?.canonical() : query.askedFilter
            ids = query.ids
            order = query.order
            offset = query.offset
            limit = query.limit
            needsAll =
                query.count || query.aggregates != nil || query.distinct != nil
                || query.after != nil || query.read?.persist == .replace
            read = (query.read ?? (isCanonical ? ReadParameters() : nil)).map {
                Parameters(
                    endpoint: $0.endpoint, parameters: $0.parameters,
                    trustsRemote: $0.trustsRemote)
            }
        }
    }

    /// Shapes that are kept; past it all are made anew.
    private static let mostShapes = 1_000

    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var sources: [TypeName: any RemoteSource] = [:]
    // SAFETY: as `sources`.
    nonisolated(unsafe) private var staleness: [TypeName: Duration] = [:]
    // SAFETY: as `sources`.
    nonisolated(unsafe) private var shapes: [Question: Known] = [:]
    /// By the hash of their question: the operations themselves know it.
    // SAFETY: as `sources`.
    nonisolated(unsafe) private var named: [Int: String] = [:]
    // SAFETY: as `sources`.
    nonisolated(unsafe) private var currentPolicy: (any FetchPolicy)?
    /// Types that have a remote: read without the lock, on the way of every request.
    private let sourceCount = Counter()
    let coverage: CoverageIndex
    private let operations: Operations

    /// What is known of a question.
    struct Known: Sendable {
        let shape: FetchShape
        /// The name of the configured operation that asks it.
        let operation: String?
    }

    init(
        _ store: any EntityStore, forgets memoryTypes: Set<TypeName>, _ operations: Operations
    ) {
        self.operations = operations
        coverage = CoverageIndex(store, forgets: memoryTypes)
    }

    /// Gives types their remotes, in place of those before.
    ///
    /// - Parameter staleness: The age from which what was fetched is no more fresh; a type that is
    ///   not named has none: what was fetched serves at any age, and a refresh is always due.
    package func replace(
        _ sources: [TypeName: any RemoteSource], staleness: [TypeName: Duration] = [:]
    ) {
        lock.withLock {
            self.sources = sources
            self.staleness = staleness
            shapes = [:]
        }
        sourceCount.set(sources.count)
    }

    /// What knows of changes that the remote does not have yet; nil: there are none.
    package var policy: (any FetchPolicy)? {
        get { lock.withLock { currentPolicy } }
        set { lock.withLock { currentPolicy = newValue } }
    }

    /// No type has a remote: the fast way around everything here.
    var isEmpty: Bool { sourceCount.value == 0 }

    /// What the entities of `type` come from.
    package func source(of type: TypeName) -> (any RemoteSource)? {
        isEmpty ? nil : lock.withLock { sources[type] }
    }

    /// Fetches on their way.
    package var inFlight: Int { operations.inFlight }

    /// Requests that wait for a fetch.
    package var waiting: Int { operations.waiting }

    /// Ends all fetches, for good. Returns at once.
    package func stop() { operations.stop() }

    /// Gives questions the names of the operations that the configuration has for them.
    ///
    /// - Parameter query: What an operation asks; nil where it has no question.
    func name(_ operations: [String], query: (String) -> Query?) {
        var named: [Int: String] = [:]
        for id in operations {
            guard let query = query(id) else { continue }
            named[Question(query, isCanonical: true).hashValue] = id
        }
        lock.withLock {
            self.named = named
            shapes = [:]
        }
    }

    func staleness(of type: TypeName) -> Duration? { lock.withLock { staleness[type] } }

    /// The named operation that asks `query`.
    func name(of query: Query) -> String? {
        name(of: Question(query, isCanonical: true))
    }

    /// The configured operation that asks `question`, which is canonical.
    private func name(of question: Question) -> String? {
        guard let name = lock.withLock({ named[question.hashValue] }),
            let query = operations[name]?.query,
            Question(query, isCanonical: true) == question
        else { return nil }
        return name
    }

    /// What `query` asks of `source`; made once for questions that repeat.
    func shape(
        of query: Query, at source: any RemoteSource
    ) throws(UpstreamError) -> Known {
        let question = Question(query)
        if let known = lock.withLock({ shapes[question] }) { return known }
        let shape = try FetchShape(query, query.read ?? ReadParameters(), at: source)
        let name = name(of: Question(query, isCanonical: true))
        return lock.withLock {
            let known = Known(shape: shape, operation: name)
            if shapes.count >= Self.mostShapes { shapes = [:] }
            shapes[question] = known
            return known
        }
    }
}
