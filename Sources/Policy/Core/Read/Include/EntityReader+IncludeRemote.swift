import FreshetBase
import FreshetEngine
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore

// Includes over types that have a remote.
//
// What an include leads to is known only when it is followed, and what is not here may be there. So
// the include is followed over what is here; ids that lead nowhere and whose type has a remote are
// fetched, one batch a type; then it is followed again, and gets one level further. An id is asked
// for once: what a remote did not have or could not be asked for is missing, and its path is
// `partial` or `failed`. Where nothing is to be stored, what was fetched is followed beside the store.

/// The answer to a search with an include.
struct IncludeAnswer: Sendable {
    let found: SearchResult
    let included: IncludedEntities
    let search: PreparedSearch
}

extension EntityReader {
    /// Runs `query` and follows its include, over what is here and what remotes have of it.
    ///
    /// - Parameters:
    ///   - local: The items, where they are others than the store's.
    ///   - caller: On whose behalf remotes are asked; nil: they are not.
    ///   - leaves: Takes what is to be called when whoever waits has gone.
    ///   - completion: Called at most once, on any thread.
    func run(
        _ query: Query, on local: LocalRead?, including include: Include, for rights: AccessRights?,
        _ caller: RemoteCaller?,
        leaves: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        isCancelled: @escaping @Sendable () -> Bool,
        completion: @escaping @Sendable (Result<IncludeAnswer, CoreError>) -> Void
    ) {
        IncludeRun(
            reader: self, query: query, table: local?.table, include: include, rights: rights,
            caller: caller, leaves: leaves, isCancelled: isCancelled, completion: completion
        ).step(asked: [], local?.nested ?? FetchedEntities(), rounds: IncludePlan.maximumDepth)
    }
}

/// One search with an include on its way.
private struct IncludeRun: Sendable {
    let reader: EntityReader
    let query: Query
    let table: TableView?
    let include: Include
    let rights: AccessRights?
    let caller: RemoteCaller?
    let leaves: @Sendable (@escaping @Sendable () -> Void) -> Void
    let isCancelled: @Sendable () -> Bool
    let completion: @Sendable (Result<IncludeAnswer, CoreError>) -> Void

    /// Follows the include over what is here.
    ///
    /// - Parameters:
    ///   - asked: What remotes were asked for already.
    ///   - fetched: What came of it and is not stored.
    ///   - rounds: How often they may be asked yet.
    func step(asked: Set<EntityKey>, _ fetched: FetchedEntities, rounds: Int) {
        let prepared: PreparedInclude
        do throws(CoreError) {
            prepared = try reader.prepare(
                query, on: table, fetched, including: include, for: rights)
        } catch {
            return completion(.failure(error))
        }
        reader.run(prepared, isCancelled: isCancelled) { result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success((let found, let included)):
                var known = asked
                let batches = rounds > 0 ? batches(included, &known) : []
                let asked = known
                guard !batches.isEmpty else {
                    return completion(
                        .success(
                            IncludeAnswer(
                                found: found, included: included, search: prepared.search)))
                }
                fetch(batches, fetched) {
                    step(asked: asked, $0, rounds: rounds - 1)
                }
            }
        }
    }

    /// What is missing and not yet asked for, by type.
    private func batches(
        _ included: IncludedEntities, _ asked: inout Set<EntityKey>
    ) -> [RemoteRead] {
        guard caller != nil else { return [] }
        var missing: [TypeName: [EntityID]] = [:]
        for key in included.missing where asked.insert(key).inserted {
            missing[key.type, default: []].append(key.id)
        }
        return missing.sorted { $0.key < $1.key }.compactMap { type, ids in
            var query = Query(type: type)
            query.ids = ids
            query.limit = nil
            if !stores {
                var read = ReadParameters()
                read.persist = .none
                query.read = read
            }
            return try? reader.remotes.read(query, isGet: false, for: rights)
        }
    }

    /// Whether what is fetched is to be stored.
    private var stores: Bool { query.read?.persist != ReadParameters.Persist.none }

    /// - Parameter next: Gets `fetched`, and what has come and is not stored.
    private func fetch(
        _ batches: [RemoteRead], _ fetched: FetchedEntities,
        then next: @escaping @Sendable (FetchedEntities) -> Void
    ) {
        guard let caller else { return next(fetched) }
        let left = Gathering(batches.count, fetched, next)
        let stores = stores
        let places = batches.map { batch in
            reader.begin(batch, for: caller) { end in
                var news = FetchedEntities()
                if !stores, case .rows(let read) = end {
                    news = read.nested
                    let rows = read.table?.documents((batch.query.ids ?? [])[...]) ?? []
                    for case let row? in rows { news.insert(row, of: batch.query.type) }
                }
                left.add { $0.merge(news) }
            }
        }
        leaves { for place in places { place.leave() } }
    }
}
