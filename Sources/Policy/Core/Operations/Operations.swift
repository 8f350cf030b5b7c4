package import FreshetBase
package import FreshetRefresh
package import FreshetQuery
import FreshetRemote
package import FreshetStore

// The operations of a server: those that the configuration or the embedding program names, and one
// for each question that a caller asks a remote.
//
// A read finds its operation by what it asks (`FetchShape.flight`), a query equal to a configured
// one's finds that one. Runs are the operation's: equal questions on their way are one run, whoever
// leaves takes nothing from the others, the last one to leave ends it.
//
// Bounds. Operations that nobody runs or watches are kept up to `mostIdle`; beyond that those go that
// were used longest ago, a sixteenth of them at a time. Those in use are as many as there are requests
// and live queries, which have bounds of their own. Refreshes, which nobody waits for, are
// `mostRefreshes` at once, and five a second of one question.
//
// Operations of no configuration are on the board for as long as a live query watches them: what
// thousands of reads have left costs no evaluation.

/// Finds operations, and has them run. Any thread.
package final class Operations: OperationKeeper {
    /// Refreshes on their way at once, beyond which none is begun.
    static let mostRefreshes = 64

    enum Start: Sendable, Equatable {
        case started, joined
        /// A gate is closed, or as many refreshes are on their way as there may be.
        case gated
        /// The question was asked more than often enough within this second.
        case recent
    }

    /// Operations of no configuration that are kept where nobody uses them.
    package var mostIdle: Int {
        get { lock.withLock { idleLimit } }
        set { lock.withLock { idleLimit = newValue } }
    }

    /// What run specifications stand on.
    package let board: OperationBoard
    /// Which conditions last.
    package let conditions: ConditionKeeper
    /// What types come from, and what was fetched.
    package let remotes: RemoteReads
    let fetcher: RemoteFetcher
    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var byID: [String: RemoteOperation] = [:]
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var byKey: [FlightName: RemoteOperation] = [:]
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var adHocCount = 0
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var idleLimit = 10_000
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var refreshes = 0
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var isStopped = false
    /// What the embedding program has named, by id.
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var declared: [String: OperationDefinition] = [:]
    /// What the configuration has named.
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var configuredIDs: Set<String> = []
    /// The ids of all queries that are named, in the order in which they were.
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var named: [String] = []
    /// Named operations that no remote is asked for.
    private let drivenCount = Counter()
    /// Raised when operations have got or lost their names.
    package let namings = Counter()
    /// What is called behind that, on any thread.
    package let namingObservers = Registry<@Sendable () -> Void>()
    /// Who drives what the embedding program has named.
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var drivers = OperationDrivers()
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var recordSweep = FetchRecordSweep()
    /// Live queries that may have another operation when names change.
    // SAFETY: as `byID`.
    nonisolated(unsafe) private var followers: [ObjectIdentifier: @Sendable () -> Void] = [:]

    /// - Parameter fetcher: Does what operations are there for.
    init(
        _ board: OperationBoard, _ conditions: ConditionKeeper, _ fetcher: RemoteFetcher
    ) {
        self.board = board
        self.conditions = conditions
        self.fetcher = fetcher
        remotes = fetcher.remotes
    }

    // MARK: Finding

    package subscript(id: String) -> RemoteOperation? { lock.withLock { byID[id] } }

    /// The operations whose id begins with `prefix`, in the order of their ids.
    package func list(prefix: String) -> [RemoteOperation] {
        lock.withLock { byID.values.filter { $0.id.hasPrefix(prefix) } }
            .sorted { $0.id < $1.id }
    }

    /// The operation that `read` belongs to; it is made where there is none.
    func operation(of read: RemoteRead, at now: MonotonicInstant = .now) -> RemoteOperation {
        let key = read.shape.flight(read.persist)
        if let known = named(read, key) {
            known.touch(at: now)
            return known
        }
        if let found = lock.withLock({ byKey[key] }) {
            found.touch(at: now)
            return found
        }
        let digest = SHA256Digest(of: key.description).hexadecimal.prefix(16)
        let settings = OperationSettings(upstream: read.remote.upstreamName)
        let made = make(
            "\(read.shape.type.text):\(digest)", kind: .query, isConfigured: false, read: read,
            key: key,
            settings: settings)
        fetcher.restore(made, from: read.shape)
        return lock.withLock {
            if let known = byKey[key] { return known }
            if adHocCount >= idleLimit { dropIdle() }
            byKey[key] = made
            byID[made.id] = made
            adHocCount += 1
            if isStopped { made.stop() }
            return made
        }
    }

    /// The named operation that `read` belongs to, by its key. Whoever may not see all rows asks for more
    /// of them than others, and is not answered by their run.
    private func named(_ read: RemoteRead, _ key: FlightName) -> RemoteOperation? {
        guard read.persist == .merge, let name = read.operation, let known = self[name] else {
            return nil
        }
        return known.key == key ? known : nil
    }

    /// Whether what is stored of `read` is out of date for an operation.
    func holdStale(_ read: RemoteRead) -> Bool {
        let key = read.shape.flight(read.persist)
        let known = named(read, key) ?? lock.withLock { byKey[key] }
        return known.map { $0.isJudged && $0.levels.stale } ?? false
    }

    private func make(
        _ id: String, kind: OperationKind, isConfigured: Bool, read: RemoteRead,
        key: FlightName,
        settings: OperationSettings
    ) -> RemoteOperation {
        let isGet = if case .get = read.shape.question { true } else { false }
        return RemoteOperation(
            id, kind: kind, isConfigured: isConfigured, type: read.shape.type, query: read.query,
            isGet: isGet, upstreamName: read.remote.upstreamName, key: key,
            settings: settings, board: board, fetcher: fetcher, keeper: self)
    }

    /// Under the lock: has those go that were used longest ago.
    private func dropIdle() {
        let idle = byKey.values.filter { $0.isUnused }.sorted { $0.lastUsed < $1.lastUsed }
        for operation in idle.prefix(max(idleLimit / 16, 1)) {
            byKey[operation.key] = nil
            byID[operation.id] = nil
            adHocCount -= 1
        }
    }

    /// Takes configured operations over in place of those of before; one that asks the same goes on
    /// with its state and its changed settings. What the embedding program has named stays.
    package func replace(_ definitions: [OperationDefinition]) {
        let configured = Set(definitions.map(\.id))
        let added = lock.withLock { declared.values.filter { !configured.contains($0.id) } }
        // One after the other: a copy of ten thousand definitions is memory that stays.
        var kept: Set<String> = []
        var named: [String] = []
        for part in [definitions, added.sorted { $0.id < $1.id }] {
            for definition in part where take(definition) {
                kept.insert(definition.id)
                if definition.write == nil { named.append(definition.id) }
            }
        }
        let gone = lock.withLock {
            configuredIDs = configured
            self.named = named
            return byID.values.filter { $0.isConfigured && !kept.contains($0.id) }
        }
        for operation in gone { drop(operation) }
        remotes.replace(mutations: definitions.filter { $0.write != nil })
        noteNames()
    }

    /// Names one more query, for the embedding program. Where an operation has this name already it
    /// stays as it is.
    ///
    /// - Returns: The operation of this name; nil where it asks something else.
    /// - Throws: `.badContext` where the query speaks of a remote that its type does not have.
    package func declare(
        _ definition: OperationDefinition
    ) throws(CoreError) -> RemoteOperation? {
        _ = try remotes.read(definition.query, isGet: false, for: nil)
        if let known = self[definition.id] {
            return known.asks(definition.query) ? known : nil
        }
        lock.withLock { declared[definition.id] = definition }
        guard take(definition) else { return nil }
        lock.withLock { named.append(definition.id) }
        noteNames()
        return self[definition.id]
    }

    // MARK: Drivers

    /// Has an operation that the embedding program may name stay until its driver goes. Waits, where
    /// another one declares it or the last driver of before is leaving.
    package func enter(driverOf id: String) {
        while let turn = lock.withLock({ drivers.enter(id) }) { _ = turn.wait() }
    }

    /// The driver that has come has declared what it drives, or will not.
    package func settle(driverOf id: String) { lock.withLock { drivers.settle(id) }?.give(true) }

    /// A driver goes, and with the last one what `declare` has added.
    package func leave(driverOf id: String) {
        guard lock.withLock({ drivers.leave(id) }) else { return }
        withdraw(id)
        settle(driverOf: id)
    }

    /// Takes back what `declare` has added; what is configured stays. Once all has been stopped nothing is
    /// taken back.
    private func withdraw(_ id: String) {
        let isDeclared = lock.withLock {
            guard !isStopped, declared.removeValue(forKey: id) != nil,
                !configuredIDs.contains(id)
            else { return false }
            named.removeAll { $0 == id }
            return true
        }
        guard isDeclared else { return }
        if let operation = self[id] { drop(operation) }
        noteNames()
    }

    /// - Returns: Whether there is such an operation now.
    private func take(_ definition: OperationDefinition) -> Bool {
        guard let (next, shape) = configured(definition) else { return false }
        let known = self[definition.id]
        if let known, known.isConfigured, known.key == next.key, known.kind == next.kind,
            known.query == nil || known.asks(definition.query)
        {
            known.replace(definition.settings)
            return true
        }
        if let known { drop(known) }
        lock.withLock { byID[definition.id] = next }
        if let shape { fetcher.restore(next, from: shape) }
        restoreSwitch(of: next)
        next.attach(definition.settings)
        return true
    }

    private func noteNames() {
        let known = lock.withLock { () -> (named: [RemoteOperation], driven: Int)? in
            guard !isStopped else { return nil }
            return (
                self.named.compactMap { byID[$0] },
                byID.values.count { $0.isConfigured && !$0.isRunnable }
            )
        }
        // What has a name holds what knows it: behind the end nobody would let it go.
        guard let known else { return }
        drivenCount.set(known.driven)
        remotes.name(known.named)
        // The end may have come meanwhile, and have let names go already.
        if lock.withLock({ isStopped }) { forgetNames() }
        namings.add()
        for follow in lock.withLock({ Array(followers.values) }) { follow() }
        for told in namingObservers.items { told() }
    }

    // MARK: Followers

    /// Has `follow` called, on any thread, whenever questions may have got other operations, until
    /// `refresh` ends.
    ///
    /// - Parameter since: The `namings` by which `refresh` has found its operation.
    func add(
        _ refresh: LiveRefresh, since: Int, _ follow: @escaping @Sendable () -> Void
    ) {
        let id = ObjectIdentifier(refresh)
        lock.withLock { followers[id] = follow }
        refresh.atEnd { [weak self] in self?.lock.withLock { self?.followers[id] = nil } }
        // What was named meanwhile was told to the others alone.
        if namings.value != since { follow() }
    }

    /// The named operation that asks `query` and has no remote to ask: its value comes from
    /// controllers alone.
    package func driven(_ query: Query) -> RemoteOperation? {
        guard hasDriven, let name = remotes.name(of: query), let operation = self[name],
            !operation.isRunnable
        else { return nil }
        return operation
    }

    /// There is any that `driven` could find: read without the lock, on the way of live queries.
    var hasDriven: Bool { drivenCount.value > 0 }

    private func configured(
        _ definition: OperationDefinition
    ) -> (RemoteOperation, FetchShape?)? {
        if definition.settings.kind == .mutation { return (mutation(definition), nil) }
        do throws(CoreError) {
            guard let read = try remotes.read(definition.query, isGet: false, for: nil) else {
                return (driven(by: definition), nil)
            }
            let operation = make(
                definition.id, kind: definition.settings.kind, isConfigured: true, read: read,
                key: read.shape.flight(.merge), settings: definition.settings)
            return (operation, read.shape)
        } catch {
            // It speaks of a remote that its type does not have.
            return nil
        }
    }

    /// One whose value comes from controllers alone.
    private func driven(by definition: OperationDefinition) -> RemoteOperation {
        let query = definition.query
        return RemoteOperation(
            definition.id, kind: definition.settings.kind, isConfigured: true, type: query.type,
            query: query, isRunnable: false, upstreamName: "",
            key: .driven(String(decoding: query.canonicalKey, as: UTF8.self)),
            settings: definition.settings, board: board, fetcher: fetcher, keeper: self)
    }

    private func mutation(_ definition: OperationDefinition) -> RemoteOperation {
        RemoteOperation(
            definition.id, kind: .mutation, isConfigured: true, type: definition.query.type,
            query: nil, write: definition.write,
            upstreamName: definition.settings.upstream ?? "",
            key: .mutation(definition.query.type, definition.write),
            settings: definition.settings, board: board, fetcher: fetcher, keeper: self)
    }

    private func drop(_ operation: RemoteOperation) {
        lock.withLock {
            if byID[operation.id] === operation { byID[operation.id] = nil }
            if byKey[operation.key] === operation {
                byKey[operation.key] = nil
                adHocCount -= 1
            }
        }
        if operation.isConfigured { operation.retire() }
        operation.cancel()
        // Streams of its state look whether it is still there.
        operation.announce()
    }

    // MARK: Runs

    /// Waits for a run of the operation that `read` belongs to.
    ///
    /// - Parameter onEnd: Called once, on any thread, unless the place is left before.
    func enter(
        _ read: RemoteRead, for caller: RemoteCaller,
        onEnd: @escaping @Sendable (FetchResult) -> Void
    ) -> Waiter<FetchResult> {
        let operation = operation(of: read)
        let name = read.remote.upstreamName
        let work = work(of: operation, read, for: caller)
        let waiter = Waiter(onEnd)
        let id = operation.id
        operation.enter(for: waiter, work: work) {
            $0.mapError { FetchFailure($0, name: name, operation: id) }
        }
        return waiter
    }

    /// Has the service itself interested in a run behind an answer.
    func refresh(
        _ operation: RemoteOperation, by read: RemoteRead, at now: MonotonicInstant,
        for caller: RemoteCaller
    ) -> Start {
        if operation.join() { return .joined }
        let levels = operation.levels
        guard levels.gate, levels.admit else { return .gated }
        let refusal = lock.withLock { () -> Start? in
            guard operation.mayStart(at: now) else { return .recent }
            guard !isStopped, refreshes < Self.mostRefreshes else { return .gated }
            operation.noteStart(at: now)
            // Two readers may come at once, and a run's end gives one place back.
            if operation.beginRefresh() { refreshes += 1 }
            return nil
        }
        if let refusal { return refusal }
        if operation.start(.manual, work: work(of: operation, read, for: caller)) {
            return .started
        }
        // Somebody was quicker; the place goes with that run.
        if !operation.isRunning { noteEnd(of: operation) }
        return .joined
    }

    /// What a run does that begins with `read`.
    private func work(
        of operation: RemoteOperation, _ read: RemoteRead, for caller: RemoteCaller
    ) -> RemoteOperation.Work {
        { [fetcher] in try await fetcher.fetch(operation, read, $0, for: caller) }
    }

    private func sweepRecords() {
        let store = fetcher.store
        let records = lock.withLock { recordSweep.next(in: store) }
        FetchRecordSweep.remove(records, from: store)
    }

    func noteEnd(of operation: RemoteOperation) {
        if operation.isGet, board.leads { sweepRecords() }
        guard operation.endRefresh() else { return }
        lock.withLock { refreshes -= 1 }
    }

    // MARK: Orders

    /// Forgets what is known of an operation; one of no configuration that nobody watches is no more
    /// there.
    package func forget(_ operation: RemoteOperation) {
        if evict(operation) { setActive(true, operation, asNew: true) { _ in } }
    }

    /// Forgets what is known of an operation, but for its switch.
    ///
    /// - Returns: false where it is no more there.
    @discardableResult
    func evict(_ operation: RemoteOperation) -> Bool {
        if !operation.isConfigured, !operation.isWatched {
            drop(operation)
            return false
        }
        operation.reset()
        return true
    }

    /// The switch of the service.
    package var isServiceActive: Bool { board.isServiceActive }

    /// Turns a switch. Where several servers have the data it is stored first, so that it stands as it
    /// does whoever leads.
    ///
    /// - Parameters:
    ///   - operation: nil: the service's own switch.
    ///   - asNew: The operation is switched on, as one is that is new.
    ///   - completion: Called once, on any thread; nil: nothing had to be stored.
    package func setActive(
        _ isActive: Bool, _ operation: RemoteOperation?, asNew: Bool = false,
        completion: @escaping @Sendable (WriteOutcome?) -> Void
    ) {
        let turn: @Sendable () -> Void = { [board] in
            if let operation {
                if asNew { operation.renew() } else { operation.isActive = isActive }
            } else {
                board.isServiceActive = isActive
            }
        }
        guard fetcher.store.replica != nil, operation?.isConfigured ?? true,
            let stored = StoredSwitch(of: operation?.id)
        else {
            turn()
            return completion(nil)
        }
        fetcher.store.submit(Transaction(stored.write(isActive))) { outcome in
            if case .done = outcome { turn() }
            completion(outcome)
        }
    }

    // MARK: Several servers

    /// Called when an operation that has a name has its first subscriber here, or none any more.
    package let watching = Shared<@Sendable () -> Void>({})

    func noteWatching() { watching.value() }

    /// How many subscribers each named operation has on this server, by the operation's id; those
    /// without subscribers are left out.
    package var subscribers: [String: Int] {
        var counts: [String: Int] = [:]
        for operation in all where operation.isConfigured {
            let count = operation.state.subscribers
            if count > 0 { counts[operation.id] = count }
        }
        return counts
    }

    /// Another server has fetched what these entities keep record of: who watches it here is told.
    func noteFetched(_ records: Set<EntityID>) {
        for operation in all where operation.isWatched {
            if let record = fetcher.record(of: operation), records.contains(record) {
                operation.noteValue(count: nil)
            }
        }
    }

    /// Takes over how many subscribers the other servers have together.
    package func noteSubscribers(elsewhere counts: [String: Int]) {
        for operation in all where operation.isConfigured {
            operation.subscribersElsewhere = counts[operation.id] ?? 0
        }
    }

    /// Takes over how operations stand on the server that runs them: what is not named stands as it did.
    package func noteStandings(elsewhere told: [String: SourceNews]) {
        guard !board.leads else { return }
        for (id, news) in told { self[id]?.standingElsewhere = news }
    }

    /// Has operations run by themselves, as after a start: what is known of each is what is stored.
    func begin() {
        let store = fetcher.store
        remotes.coverage.load()
        board.isServiceActive = StoredSwitch(of: nil)?.isActive(in: store) ?? true
        for operation in all {
            operation.standingElsewhere = nil
            operation.reset()
            restoreSwitch(of: operation)
            fetcher.restore(operation)
            operation.republish()
        }
        conditions.begin()
        board.lead(true, stored: conditions.stored())
        for operation in all { operation.renewSubscribers() }
    }

    /// Turns the operation's switch as it is stored, where several servers have the data.
    private func restoreSwitch(of operation: RemoteOperation) {
        let store = fetcher.store
        guard store.replica != nil, operation.isConfigured else { return }
        operation.isActive = StoredSwitch(of: operation.id)?.isActive(in: store) ?? true
    }

    /// Ends all runs, and has none begin by itself.
    func end() {
        board.lead(false, stored: conditions.stored())
        for operation in all { operation.cancel() }
    }

    /// Runs on their way.
    package var inFlight: Int { all.reduce(0) { $0 + ($1.isRunning ? 1 : 0) } }

    /// Requests that wait for one.
    package var waiting: Int { all.reduce(0) { $0 + $1.waiting } }

    private var all: [RemoteOperation] { lock.withLock { Array(byID.values) } }

    /// Ends all runs, and lets none begin. Returns at once; whoever waits is told so.
    package func stop() {
        let all = lock.withLock {
            isStopped = true
            return Array(byID.values)
        }
        for operation in all { operation.stop() }
    }

    /// Lets named operations go, behind the last request: they hold what knows their names.
    package func forgetNames() { remotes.name([]) }
}

extension FetchFailure {
    /// What has become of a run, for whoever waited for it.
    ///
    /// - Parameters:
    ///   - name: Of the upstream.
    ///   - operation: The id of the operation, where a gate of it may be why.
    package init(_ error: any Error, name: String, operation: String? = nil) {
        switch error {
        case let failure as FetchFailure: self = failure
        case OperationError.stopped: self = .stopping
        case OperationError.gated(let gate):
            self = .gated(gate, name: name, operation: operation)
        case OperationError.deadlineExceeded: self = .upstream(.timeout, name: name)
        case OperationError.tooManyWaiting(let limit):
            self = .upstream(.saturated(limit: limit), name: name)
        default: self = .upstream(.cancelled, name: name)
        }
    }
}
