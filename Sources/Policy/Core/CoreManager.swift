import FreshetBase
import FreshetEngine
import FreshetLive
package import FreshetRefresh
package import FreshetQuery
package import FreshetRemote
package import FreshetStore

// The core: the doors to entities.
//
//     reader      get     the store's table under its lock, on the caller's thread; never waits
//                 search  a plan and an immutable view; small ones run on the caller's thread, large
//                         ones in slices on the workers, so that no event loop is held up by a scan
//                 include relationships of what a search found, followed on a worker
//     writer      a document is made and checked on the caller's thread, then submitted; what depends
//                 on the stored value (merge, conditions, lazy members) is judged by the one writer
//     watcher     a membership in the live set, and the operation behind it
//     types       what is declared, and how what is stored stands to that
//     operations  what is asked of remotes, when, and how it stands
//
// Everything that a person can do to entities is a method of one of these, and everything that any of
// them needs to decide stands behind them: which types exist, what a schema demands, which id a new
// entity gets, how much work one request may cost, on which thread it runs. Below, the store orders
// and keeps, the engine answers, the live queries follow; above, the server only speaks HTTP.
//
// Each part is made of parts that are there already, so the order of `init` is the order of the arrows.
// The core holds no mutable state of its own but what is on its way to and from remotes.
//
// Of several servers that share their data one leads, and does what only one is to do: operations that
// run by themselves, the outbox, the configuration's note. It begins with what the store has, as a start
// does (`begin`), and ends when another leads (`end`). The others know what is stored of all that, from
// the commits, so that they answer reads by it.

/// Gets, searches, sets, removes and watches entities. Any thread.
package final class CoreManager: Sendable {
    package let store: any EntityStore
    package let limits: CoreLimits
    package let workers: SearchWorkers
    package let reader: EntityReader
    package let writer: EntityWriter
    package let watcher: EntityWatcher
    package let types: TypeRegistry
    package let operations: Operations
    /// What remotes are to learn of.
    package let outbox: Outbox
    private let configuration: ConfigurationNote
    /// The reader of the rows of system types, which have a store of their own: nothing that becomes of
    /// the entities' store stops them, and none of their commits is one of its.
    private let systemReader: EntityReader
    private let systemWatcher: EntityWatcher
    /// 1 where this server does not lead.
    private let follows = Counter()

    /// - Parameters:
    ///   - live: The queries that observe `store`'s commits.
    ///   - digest: Of the configuration that gives queries their meaning; "" for none.
    ///   - clock: Of what waits before it goes on.
    ///   - board: What decides when operations run; nil: one of its own.
    ///   - leadership: Where several servers have the data, what this one does while it leads.
    ///   - sources: What the entities of types come from.
    ///   - targets: The remotes that changes of types go to.
    package init(
        store: any EntityStore, catalog: TypeCatalog, limits: CoreLimits, live: LiveQueries,
        digest: String = "", clock: any OperationClock = SystemOperationClock(),
        board: OperationBoard? = nil, leadership: Leadership? = nil,
        sources: [TypeName: any RemoteSource] = [:], targets: [TypeName: OutboxTarget] = [:]
    ) {
        self.store = store
        self.limits = limits
        workers = SearchWorkers()
        live.attach(to: store, limits)
        let systemLive = LiveQueries(history: ChangeHistory.Limits(entries: 10_000))
        let rows = MemoryStore(observer: systemLive)
        systemLive.attach(to: rows, limits)
        configuration = ConfigurationNote(
            store, live.set, digest: digest, system: (rows, systemLive.set))
        types = TypeRegistry(
            store, catalog: catalog, workers: workers, configuration: configuration)
        let board = board ?? OperationBoard(clock: clock)
        let remotes = RemoteReads(store, forgets: store.disk != nil ? catalog.memoryTypes : [])
        outbox = Outbox(
            store: store, catalog: catalog, coverage: remotes.coverage, clock: clock,
            waits: leadership != nil,
            taken: { type, write in
                // What waits for a mutation waits for all that does the same, too.
                let mutations = remotes.mutations(of: type, write)
                if !mutations.isEmpty { board.commit(mutations.map { .event(.mutation($0)) }) }
            })
        let committer = Committer(store, outbox, configuration)
        operations = Operations(
            board, ConditionKeeper(store, board),
            RemoteFetcher(
                store, catalog: catalog, remotes: remotes, outbox: outbox, committer: committer))
        reader = EntityReader(
            store, catalog: catalog, limits: limits, workers: workers, outbox: outbox,
            operations: operations)
        writer = EntityWriter(
            reader, committer, AnswerBook(store, memoryTypes: catalog.memoryTypes))
        watcher = EntityWatcher(live, reader)
        systemReader = EntityReader(
            rows, catalog: TypeCatalog(), limits: limits, workers: workers, outbox: outbox,
            operations: operations)
        systemWatcher = EntityWatcher(systemLive, systemReader)
        remotes.replace(sources)
        outbox.replace(targets: targets)
        guard let leadership else { return }
        follows.set(1)
        board.lead(false, stored: [])
        live.listen { [weak self] in self?.follow($0) }
        remotes.coverage.load()
        outbox.load()
        leadership.add(
            Leadership.Duties(
                changed: { [weak self] in self?.lead($0) }, begin: { [weak self] in self?.begin() },
                end: { [weak self] in await self?.end() }))
    }

    // MARK: Where the rows of a type are

    package func reader(of type: TypeName) -> EntityReader {
        type.isOfSystemStore ? systemReader : reader
    }

    package func watcher(of type: TypeName) -> EntityWatcher {
        type.isOfSystemStore ? systemWatcher : watcher
    }

    package func store(of type: TypeName) -> any EntityStore { watcher(of: type).store }

    // MARK: Several servers

    /// Another role begins; on the applier's thread, before it judges or applies anything more.
    private func lead(_ leads: Bool) {
        follows.set(leads ? 0 : 1)
        if leads {
            // The writer asks them while it judges the first batch.
            outbox.load()
            writer.answers.load()
        } else {
            outbox.stop()
        }
    }

    /// Begins what the server that leads does.
    private func begin() {
        operations.begin()
        outbox.begin()
        configuration.begin()
    }

    /// Ends it; returns when nothing of it is on its way any more.
    private func end() async {
        operations.end()
        await outbox.stopped()
    }

    /// Takes over what the server that leads has stored for itself; on the applier's thread.
    private func follow(_ changes: [Change]) {
        guard follows.value == 1 else { return }
        var hasConditions = false
        var fetched: Set<EntityID> = []
        var told: [@Sendable () -> Void] = []
        for change in changes where change.type.isInternal {
            guard let document = change.new ?? change.old else { continue }
            switch change.type {
            case CoverageRecord.type:
                told += operations.remotes.coverage.follow(document.id)
                // One that was put in doubt was not fetched now.
                if let new = change.new, new.member(named: "doubted") == nil {
                    fetched.insert(document.id)
                }
            case EntityFetch.type: if change.new != nil { fetched.insert(document.id) }
            case OutboxEntry.storedType:
                outbox.follow(document.id, change.new.flatMap { OutboxEntry($0) })
            case RemoteAliases.storedType:
                outbox.aliases.follow(document, isRemoved: change.new == nil)
            case ConfigurationNote.type: configuration.follow()
            case ConditionKeeper.storedType: hasConditions = true
            default: break
            }
        }
        guard hasConditions || !fetched.isEmpty || !told.isEmpty else { return }
        // Off this thread: streams are told, and specifications of the embedding program are asked.
        PolicyExecutor.shared.perform { [operations, hasConditions, fetched, told] in
            for changed in told { changed() }
            if hasConditions { operations.board.follow(operations.conditions.stored()) }
            if !fetched.isEmpty { operations.noteFetched(fetched) }
        }
    }
}
