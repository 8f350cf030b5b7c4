import FreshetBase
import FreshetEngine
package import FreshetOperations
package import FreshetQuery
package import FreshetStore

// The core manager: the one door to entities.
//
// Everything that a person can do to entities is a method here, and everything that any of them
// needs to decide stands here: which types exist, what a schema demands, which id a new entity
// gets, how much work one request may cost, on which thread it runs. Below it, the store orders and
// keeps, the engine answers, the live queries follow; above it, the server only speaks HTTP.
//
//     get     store's table under its lock, on the caller's thread; never waits
//     search  a plan and an immutable view; small ones run on the caller's thread, large ones in
//             slices on the workers, so that no event loop is held up by a scan
//     set …   a document is made and checked on the caller's thread, then submitted; what depends
//             on the stored value (merge, conditions, lazy members) is judged by the one writer
//     include relationships of what a search found, followed on a worker (Relationships)
//     watch   a membership in the live set (LiveQueries)
//
//     read    where an answer comes from, and what goes on behind it (Remote)
//
// The core holds no mutable state of its own but what is on its way to and from remotes.

/// Gets, searches, sets, removes and watches entities. Any thread.
package final class CoreManager: Sendable {
    package let store: any EntityStore
    package let catalog: TypeCatalog
    package let limits: CoreLimits
    package let live: LiveQueries
    package let workers: SearchWorkers
    /// Where indexes are built, one after the other.
    private let indexing = PolicyWorkers("freshet.indexes", isBackground: true)
    /// Which stored entities a changed schema no longer takes.
    package let unfit: UnfitCensus

    /// First answers of requests that may be repeated.
    package let answers: AnswerBook
    /// What remotes are to learn of.
    package let outbox: Outbox
    private let configuration: ConfigurationNote
    package let committer: Committer
    /// What types come from, and what was fetched.
    package let remotes: RemoteReads
    /// What is asked of remotes, when, and how it stands.
    package let operations: Operations
    /// What run specifications stand on.
    package let board: OperationBoard
    /// Which conditions last.
    package let conditions: ConditionKeeper

    /// - Parameters:
    ///   - live: The queries that observe `store`'s commits.
    ///   - digest: Of the configuration that gives queries their meaning; "" for none.
    ///   - clock: Of what waits before it goes on.
    ///   - board: What decides when operations run; nil: one of its own.
    package init(
        store: any EntityStore, catalog: TypeCatalog, limits: CoreLimits, live: LiveQueries,
        digest: String = "", clock: any OperationClock = SystemOperationClock(),
        board: OperationBoard? = nil
    ) {
        self.store = store
        self.catalog = catalog
        self.limits = limits
        self.live = live
        workers = SearchWorkers()
        unfit = UnfitCensus(store: store, catalog: catalog, workers: workers)
        live.attach(to: store, limits)
        configuration = ConfigurationNote(store, live.set, digest: digest)
        answers = AnswerBook(store, memoryTypes: catalog.memoryTypes)
        let board = board ?? OperationBoard(clock: clock)
        self.board = board
        conditions = ConditionKeeper(store, board)
        let remotes = RemoteReads(store, forgets: store is FileStore ? catalog.memoryTypes : [])
        self.remotes = remotes
        outbox = Outbox(
            store: store, catalog: catalog, clock: clock,
            taken: { type, write in
                // What waits for a mutation waits for all that does the same, too.
                let mutations = remotes.mutations(of: type, write)
                if !mutations.isEmpty { board.commit(mutations.map { .event(.mutation($0)) }) }
            })
        committer = Committer(store, outbox, configuration)
        operations = Operations(
            board, RemoteFetcher(store, catalog, remotes, outbox, committer))
    }

    /// Builds and gives up indexes as the catalogue now says, in the background, while writes go on.
    package func declareIndexes() {
        indexing.perform { [store, catalog] in
            for (name, _) in store.views().types {
                store.declareIndexes(catalog.indexes(of: name), of: name)
            }
        }
    }

    /// Has types or row rules mean something else from here on, in the order of commits; see
    /// `ConfigurationNote`.
    ///
    /// - Parameters:
    ///   - digest: Of the changed configuration.
    ///   - apply: Makes it hold; called at once.
    ///   - completion: Called once the change has its place among the commits.
    package func reconfigure(
        _ digest: String, apply: () -> Void, completion: @escaping @Sendable () -> Void
    ) {
        configuration.replace(digest, apply: apply, completion: completion)
    }

    /// Checks that `type` may be named; every route that names one calls this first.
    package func check(_ type: TypeName) throws(CoreError) {
        guard catalog.isEmpty || catalog.allows(type) else { throw .unknownType(type) }
    }

    /// Every type that is declared or was written, by name, with its number of entities.
    package func typeCounts() -> (cursor: Cursor, types: [(name: TypeName, count: Int)]) {
        let views = store.views()
        var counts: [TypeName: Int] = [:]
        for schema in catalog.declared {
            if let name = TypeName(schema.name) { counts[name] = 0 }
        }
        for (name, table) in views.types
        where !name.isInternal && (table.count > 0 || counts[name] != nil) {
            counts[name] = table.count
        }
        return (views.cursor, counts.map { ($0.key, $0.value) }.sorted { $0.name < $1.name })
    }
}
