import FreshetBase
import FreshetRefresh
package import FreshetQuery
package import FreshetRemote
import FreshetStore

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

        /// - Parameter isCanonical: Filters that mean the same are the same, and whoever asks is.
        init(_ query: Query, isCanonical: Bool = false) {
            type = query.type
            filter = isCanonical ? query.askedFilter?.canonical() : query.askedFilter
            ids = query.ids
            order = query.order
            offset = query.offset
            limit = query.limit
            needsAll = query.needsAllRows(hidesNothing: isCanonical)
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
    /// Raised with what shapes are made of.
    // SAFETY: as `sources`.
    nonisolated(unsafe) private var generation = 0
    /// By the hash of their question: the operations themselves know it.
    // SAFETY: as `sources`.
    nonisolated(unsafe) private var named: [Int: RemoteOperation] = [:]
    /// Configured mutations by the type that they write.
    // SAFETY: as `sources`.
    nonisolated(unsafe) private var mutations: [TypeName: [OperationDefinition]] = [:]
    /// Types that have a remote: read without the lock, on the way of every request.
    private let sourceCount = Counter()
    let coverage: CoverageIndex

    /// What is known of a question.
    struct Known: Sendable {
        let shape: FetchShape
        /// The name of the configured operation that asks it.
        let operation: String?
    }

    init(_ store: any EntityStore, forgets memoryTypes: Set<TypeName>) {
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
            generation += 1
        }
        sourceCount.set(sources.count)
    }

    /// No type has a remote: the fast way around everything here.
    var isEmpty: Bool { sourceCount.value == 0 }

    /// What the entities of `type` come from.
    package func source(of type: TypeName) -> (any RemoteSource)? {
        isEmpty ? nil : lock.withLock { sources[type] }
    }

    /// Gives questions the names of the operations that the configuration has for them.
    func name(_ operations: [RemoteOperation]) {
        var named: [Int: RemoteOperation] = [:]
        for operation in operations {
            guard let query = operation.query else { continue }
            named[Question(query, isCanonical: true).hashValue] = operation
        }
        lock.withLock {
            self.named = named
            shapes = [:]
            generation += 1
        }
    }

    func replace(mutations: [OperationDefinition]) {
        let byType = Dictionary(grouping: mutations, by: \.query.type)
        lock.withLock { self.mutations = byType }
    }

    /// The configured mutations that do `write` to entities of `type`.
    func mutations(of type: TypeName, _ write: OperationDefinition.Write) -> [String] {
        lock.withLock { mutations[type]?.filter { $0.write == write }.map(\.id) ?? [] }
    }

    func staleness(of type: TypeName) -> Duration? { lock.withLock { staleness[type] } }

    /// The named operation that asks `query`.
    func name(of query: Query) -> String? {
        name(of: Question(query, isCanonical: true))
    }

    /// The configured operation that asks `question`, which is canonical.
    private func name(of question: Question) -> String? {
        guard let named = lock.withLock({ named[question.hashValue] }), let query = named.query,
            Question(query, isCanonical: true) == question
        else { return nil }
        return named.id
    }

    /// What `query` asks of `source`; made once for questions that repeat.
    func shape(
        of query: Query, at source: any RemoteSource
    ) throws(UpstreamError) -> Known {
        let question = Question(query)
        let (kept, generation) = lock.withLock { (shapes[question], self.generation) }
        if let kept { return kept }
        let shape = try FetchShape(query, query.read ?? ReadParameters(), at: source)
        let name = name(of: Question(query, isCanonical: true))
        return lock.withLock {
            let known = Known(shape: shape, operation: name)
            // Made of what was replaced meanwhile, it is for this answer alone.
            guard generation == self.generation else { return known }
            if shapes.count >= Self.mostShapes { shapes = [:] }
            shapes[question] = known
            return known
        }
    }
}

extension Query {
    /// Whether a remote is asked for no window: a figure over all matches and pages by keys need all of
    /// them, and so does a window of those that a row rule or a contract leaves.
    ///
    /// - Parameter hidesNothing: As for whoever sees all rows.
    func needsAllRows(hidesNothing: Bool) -> Bool {
        count || aggregates != nil || distinct != nil || after != nil || read?.persist == .replace
            || !hidesNothing && (rule != nil || contract != nil)
    }
}

extension RemoteReads {
    /// What the remote could be asked; nil where the answer is local whatever is there.
    func read(
        _ query: Query, isGet: Bool, for rights: AccessRights?
    ) throws(CoreError) -> RemoteRead? {
        let read = query.read ?? ReadParameters()
        guard let remote = source(of: query.type) else {
            if read.source == .remote || read.source == .remoteOrLocal {
                throw .badContext("source", "entities of '\(query.type.text)' have no remote")
            }
            if read.endpoint != nil {
                throw .badContext("endpoint", "entities of '\(query.type.text)' have no remote")
            }
            return nil
        }
        if let endpoint = read.endpoint {
            guard !isGet else {
                throw .badContext("endpoint", "one entity is not asked of an endpoint")
            }
            guard remote.canSearch(endpoint) else {
                throw .badContext(
                    "endpoint",
                    "the remote of '\(query.type.text)' has no endpoint '\(endpoint)' that is read")
            }
        }
        guard rights?.of(query.type).level ?? .remote == .remote else {
            guard read.source != .remote else { throw .upstreamForbidden(query.type) }
            return nil
        }
        let canAsk =
            isGet
            ? remote.canGet
            : remote.canSearch(read.endpoint)
                || query.ids != nil && read.endpoint == nil && remote.canGet
        guard canAsk else {
            guard read.source != .remote, read.source != .remoteOrLocal else {
                throw .badContext(
                    "source",
                    "the remote of '\(query.type.text)' is not configured for "
                        + (isGet ? "single entities" : "searches"))
            }
            return nil
        }
        do throws(UpstreamError) {
            let known =
                isGet
                ? Known(
                    shape: FetchShape(
                        query.type, get: query.ids?.first ?? EntityID(0), at: remote),
                    operation: nil)
                : try shape(of: query, at: remote)
            return RemoteRead(
                query: query, shape: known.shape, operation: known.operation, remote: remote,
                source: read.source ?? .localThenRemote, persist: read.persist, rights: rights)
        } catch {
            // What nobody has asked for is no fault of the request.
            guard read.source != nil && read.source != .local || read.endpoint != nil else {
                return nil
            }
            throw .badContext(error)
        }
    }
}

extension CoreError {
    static func badContext(_ parameter: String, _ detail: String) -> CoreError {
        .query(QueryFault(.badParameter, parameter, detail))
    }

    /// A question that the remote cannot be asked.
    fileprivate static func badContext(_ error: UpstreamError) -> CoreError {
        guard case .unaddressable(_, let name, let detail) = error else {
            return badContext("source", "the remote cannot be asked this")
        }
        return badContext(name.map { "endpoint.\($0)" } ?? "source", detail)
    }
}
