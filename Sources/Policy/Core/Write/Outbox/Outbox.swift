import FreshetBase
import FreshetEngine
import FreshetJSON
package import FreshetRefresh
package import FreshetQuery
import FreshetRemote
package import FreshetStore

// The outbox: changes that a remote is to learn of (operations.md section 1, "Outbox").
//
// **Durable by construction.** An entry is an entity of the service's own, written by the writer in
// the commit of the change itself (`OutboxTicket`, a companion). So there is never a change that is
// acknowledged and not to be sent, nor one that is sent and was never made, whenever the process ends.
//
// **Lanes.** The undelivered entries of one entity are its lane, in the order of their commits. One
// of them at a time is delivered; lanes of one upstream take turns in a bounded number of places, so
// that an upstream that hangs holds up none but its own. Only what scheduling needs is in memory;
// bodies are read from the store when they are sent.
//
// **One delivery.**
//     begin    what was never sent folds into one entry, which becomes `sending`; one commit
//     send     one try, with the entry's id as its key
//     settle   one commit: the end of the entry, and what the remote's answer means for the row
// An entry that was begun never changes its key or body. If the process ends before `settle`, it is
// sent again, with the same key, by the next start.
//
// **A failed try** that may go better is repeated after a pause; the tries exhausted, the entry is
// `dead`. A dead entry keeps its lane closed: what came later must not overtake it, and it is driven
// again or removed by a person.
//
// **Against fetches.** A row with an undelivered entry is held: no fetch overwrites it. What was asked
// of the remote before it knew of a change may be answered after, so a delivery counts as a change of
// the row at the seq of its commit (`wasDelivered`).
//
// `OutboxTurns` says when a lane may send, `Outbox+Delivery` begins and sends, `Outbox+Settle` ends, `Outbox+Late` what comes of a
// write behind its time.

/// Delivers changes to remotes. Any thread.
// SAFETY: all mutable state is read and written under `lock`.
package final class Outbox: FetchPolicy, @unchecked Sendable {
    /// Finished entries that are kept to be looked at.
    package static let keptEnds = 1_000
    /// Undelivered entries; past it nothing that makes one is taken.
    static let mostEntries = 100_000
    /// Deliveries remembered for fetches that began before them.
    private static let rememberedDeliveries = 10_000
    /// Until the store is asked again that has refused a commit.
    static let storePause = Duration.seconds(1)
    /// Commits of one end that are made anew without a pause.
    static let mostRaces = 16
    /// Entries of an entity that become one by one commit.
    static let mostFolded = 10_000

    /// What scheduling knows of an undelivered entry.
    struct Waiting {
        let id: EntityID
        let number: UInt64
        var isSent: Bool
        var isDead: Bool
        /// A try has left it open whether the remote has the change, or was made before this start.
        var mayBeTaken: Bool
        /// Its commit is visible; until then it holds its row and is not sent.
        var isVisible: Bool
    }

    private struct Lane {
        var entries: [Waiting] = []
        /// A delivery, or a write straight to the remote, is on its way.
        var isBusy = false
        var isQueued = false
        var pause: ScheduledAction?
    }

    /// The newest that a stream has said of an entity while a change of it was being sent.
    private struct Unheard {
        /// The entity's; nil: that it is gone.
        let digest: String?
        let makeUp: @Sendable () -> Void
    }

    let store: any EntityStore
    let catalog: TypeCatalog
    let clock: any OperationClock
    let random: @Sendable () -> Double
    /// Called whenever a remote has taken a write, through an entry or straight.
    let taken: @Sendable (TypeName, OutboxEntry.Operation) -> Void
    let coverage: CoverageIndex?
    private let lock = Lock()
    private var lanes: [EntityKey: Lane] = [:]
    /// What each undelivered entry changes.
    private var keys: [EntityID: EntityKey] = [:]
    private var targets: [TypeName: OutboxTarget] = [:]
    private lazy var turns: OutboxTurns = OutboxTurns(clock: clock) { [weak self] name in
        guard let self else { return }
        lock.withLock { turns.pass(name) }
        startReady()
    }
    private var tasks: [EntityKey: Task<Void, Never>] = [:]
    let executor = PolicyWorkers.fetches
    private var ends: [EntityID] = []
    private var waiters: [EntityID: [Waiter<OutboxEntry?>]] = [:]
    private var waitLimit = Duration.seconds(15)
    private var lastNumber: UInt64 = 0
    private var isStopped = false
    /// Nobody waits for an entry any more.
    private var isClosed = false
    /// What was not heard of entities whose lanes were taken, by who owes it.
    private var unheard: [EntityKey: [String: Unheard]] = [:]
    private var delivered: [EntityKey: UInt64] = [:]
    private var deliveredThrough: UInt64 = 0
    let confirmations = Confirmations()
    private var confirmationSweep = FetchRecordSweep(of: Confirmations.storedType)
    let aliases = RemoteAliases()
    /// 0 where nothing was ever held: read without the lock, for each row of a fetch.
    private let useCount = Counter()

    /// Takes up what the store has; nothing is sent before there are targets.
    ///
    /// - Parameters:
    ///   - random: From 0 to below 1, for the jitter of pauses.
    ///   - waits: Nothing is sent before `begin`.
    ///   - coverage: What is known of remotes' answers; a row that is taken back puts it in doubt.
    init(
        store: any EntityStore, catalog: TypeCatalog, coverage: CoverageIndex? = nil,
        clock: any OperationClock = SystemOperationClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, waits: Bool = false,
        taken: @escaping @Sendable (TypeName, OutboxEntry.Operation) -> Void = { _, _ in }
    ) {
        self.store = store
        self.catalog = catalog
        self.coverage = coverage
        self.clock = clock
        self.random = random
        self.taken = taken
        isStopped = waits
        load()
    }

    /// Forgets what it knows, and takes up what the store has. Deliveries on their way are waited for by
    /// `stopped`.
    func load() {
        let views = store.views()
        confirmations.load(views)
        aliases.load(views)
        let stored = Self.entries(in: views)
        lock.withLock {
            for lane in lanes.values { lane.pause?.cancel() }
            // What is on its way has its lane until it has ended.
            lanes = lanes.filter(\.value.isBusy).mapValues { _ in Lane(isBusy: true) }
            keys = [:]
            turns.clear()
            ends = []
            unheard = [:]
            delivered = [:]
            deliveredThrough = 0
            for entry in stored {
                lastNumber = entry.number
                if entry.state.isUndelivered {
                    insert(entry, isVisible: true)
                } else {
                    ends.append(entry.id)
                }
            }
        }
    }

    /// All entries, in the order of their commits.
    private static func entries(in views: StoreViews) -> [OutboxEntry] {
        var stored: [OutboxEntry] = []
        views[OutboxEntry.storedType]?.forEach { document in
            if let entry = OutboxEntry(document) { stored.append(entry) }
        }
        return stored.sorted { $0.number < $1.number }
    }

    /// Takes up what the store has beyond what is known here: its log was read again, and commits whose
    /// outcome nobody knew are there. Called by the writer, before it judges anything behind them. What is
    /// on its way learns of its own entries by itself.
    func adopt() {
        let stored = Self.entries(in: store.views()).filter(\.state.isUndelivered)
        let undelivered = Set(stored.map(\.id))
        let left = lock.withLock {
            var left: [(id: EntityID, waiters: [Waiter<OutboxEntry?>])] = []
            let idle = lanes.values.filter { !$0.isBusy }.flatMap(\.entries)
            for entry in idle where entry.isVisible && !undelivered.contains(entry.id) {
                ends.append(entry.id)
                left.append((entry.id, drop(entry.id)))
            }
            for entry in stored {
                lastNumber = max(lastNumber, entry.number)
                guard let key = keys[entry.id] else {
                    insert(entry, isVisible: true)
                    continue
                }
                guard lanes[key]?.isBusy == false else { continue }
                change(entry.id) { waiting in
                    waiting.isSent = entry.isSent
                    waiting.isDead = entry.state == .dead
                }
            }
            for key in lanes.keys { consider(key) }
            return left
        }
        for (id, waiters) in left {
            for waiter in waiters { waiter.finish(OutboxEntry(entry(id))) }
        }
        startReady()
    }

    /// Takes over what another server has made of an entry.
    func follow(_ id: EntityID, _ entry: OutboxEntry?) {
        let waiting = lock.withLock { () -> [Waiter<OutboxEntry?>] in
            let waiting = drop(id)
            guard let entry, entry.state.isUndelivered else { return waiting }
            insert(entry, isVisible: true)
            if !waiting.isEmpty { waiters[id] = waiting }
            return []
        }
        for waiter in waiting { waiter.finish(entry) }
    }

    /// Sends from now on what the store has, as a start does.
    func begin() {
        lock.withLock {
            isStopped = false
            for key in lanes.keys { consider(key) }
        }
        startReady()
    }

    /// Sends to these from now on: at the start, and when the configuration has changed.
    package func replace(targets: [TypeName: OutboxTarget]) {
        lock.withLock {
            self.targets = targets
            for key in lanes.keys { consider(key) }
        }
        startReady()
    }

    package func target(of type: TypeName) -> OutboxTarget? { lock.withLock { targets[type] } }

    /// Begins nothing more and gives up what is on its way, which the next start sends again.
    package func stop() { _ = end() }

    /// The end of the server: stops it, and tells who waits, now or later, how the entry stands. It is
    /// stored, and the next start sends it.
    package func close() {
        lock.withLock { isClosed = true }
        _ = end()
        answerWaiters()
    }

    /// Stops it, and returns when nothing is on its way any more: only then another outbox may take
    /// the store over in this process.
    func stopped() async {
        for task in end() { await task.value }
        answerWaiters()
    }

    /// Tells all who wait how their entries stand.
    private func answerWaiters() {
        let waiters = lock.withLock {
            defer { self.waiters = [:] }
            return self.waiters
        }
        for (id, waiting) in waiters {
            for waiter in waiting { waiter.finish(OutboxEntry(entry(id))) }
        }
    }

    private func end() -> [Task<Void, Never>] {
        let (tasks, pauses) = lock.withLock {
            isStopped = true
            turns.liftAll()
            return (Array(self.tasks.values), lanes.values.compactMap(\.pause))
        }
        for task in tasks { task.cancel() }
        for pause in pauses { pause.cancel() }
        return tasks
    }

    var hasStopped: Bool { lock.withLock { isStopped } }

    /// How many entries wait of types whose remote the configuration does not name any more.
    package var stranded: [TypeName: Int] {
        lock.withLock {
            lanes.reduce(into: [:]) { counts, lane in
                guard targets[lane.key.type] == nil else { return }
                counts[lane.key.type, default: 0] += lane.value.entries.count { !$0.isDead }
            }
        }
    }

    /// Entries by what operators look at: those on their way or waiting, and dead ones.
    package var counts: (pending: Int, dead: Int) {
        lock.withLock {
            var counts = (pending: 0, dead: 0)
            for lane in lanes.values {
                for entry in lane.entries {
                    if entry.isDead { counts.dead += 1 } else { counts.pending += 1 }
                }
            }
            return counts
        }
    }

    /// Whether there was ever an entry.
    var isUsed: Bool { useCount.value > 0 }

    // MARK: FetchPolicy

    package func holds(_ type: TypeName, _ id: UnsafeRawBufferPointer) -> Bool {
        guard useCount.value > 0, let id = try? EntityID(text: id) else { return false }
        return lock.withLock {
            lanes[EntityKey(type, id)].map { !$0.entries.isEmpty || $0.isBusy } ?? false
        }
    }

    package func wasDelivered(
        _ type: TypeName, _ id: UnsafeRawBufferPointer, after seq: UInt64
    ) -> Bool {
        guard useCount.value > 0, let id = try? EntityID(text: id) else { return false }
        return lock.withLock { wasDelivered(EntityKey(type, id), after: seq) }
    }

    /// Under the lock.
    private func wasDelivered(_ key: EntityKey, after seq: UInt64) -> Bool {
        seq < deliveredThrough || delivered[key].map { $0 > seq } ?? false
    }

    package func isConfirmed(_ type: TypeName, _ document: Document) -> Bool {
        confirmations.revision(of: EntityKey(type, document.id)) == document.revision
    }

    /// Whether the remote is known to have the row as it is here: it came from there, or was taken there.
    func isAtRemote(_ type: TypeName, _ row: Document) -> Bool {
        row.isFetched || isConfirmed(type, row)
    }

    // MARK: What the writer makes

    /// Whether there is room for `more` entries.
    func hasRoom(for more: Int) -> Bool {
        lock.withLock { keys.count + more <= Self.mostEntries }
    }

    /// Numbers `entry`, the newest, and holds its row; called by the writer.
    func admit(_ entry: OutboxEntry) -> OutboxEntry {
        lock.withLock {
            lastNumber += 1
            var entry = entry
            entry.number = lastNumber
            insert(entry, isVisible: false)
            return entry
        }
    }

    /// Under the lock.
    private func insert(_ entry: OutboxEntry, isVisible: Bool) {
        useCount.set(1)
        let key = entry.key
        keys[entry.id] = key
        lanes[key, default: Lane()].entries.append(
            Waiting(
                id: entry.id, number: entry.number, isSent: entry.isSent,
                isDead: entry.state == .dead, mayBeTaken: entry.isSent, isVisible: isVisible))
        // The pause after its last try outlives the process.
        guard lanes[key]?.entries.count == 1, let at = entry.nextAttemptAt,
            let rest = WallTime(rfc3339: at).map({ $0.milliseconds - WallTime.now.milliseconds }),
            rest > 0
        else { return }
        hold(key, for: min(.milliseconds(rest), RetryAfter.longest))
    }

    /// The commit of these entries is visible, or was given up.
    func settle(admitted ids: [EntityID], isVisible: Bool) {
        var renamed: [(EntityKey, GivenID)] = []
        let dropped = lock.withLock {
            var dropped: [Waiter<OutboxEntry?>] = []
            for id in ids {
                guard let key = keys[id] else { continue }
                guard isVisible else {
                    dropped += drop(id)
                    continue
                }
                change(id) { $0.isVisible = true }
                if let given = aliases.given(key), given.id != key.id,
                    lanes[key]?.isBusy == false
                {
                    // Written by an id that the remote has replaced meanwhile.
                    lanes[key]?.isBusy = true
                    renamed.append((key, given))
                } else {
                    consider(key)
                }
            }
            return dropped
        }
        for waiter in dropped { waiter.finish(nil) }
        for (key, current) in renamed {
            Task(executorPreference: executor) {
                await self.rename(key, to: current, finishing: nil)
                self.release(key)
            }
        }
        startReady()
    }

    // MARK: Scheduling

    /// What the next entry of a lane can be sent to now; nil where it cannot. Under the lock.
    private func due(_ key: EntityKey) -> OutboxTarget? {
        guard !isStopped, let lane = lanes[key], !lane.isBusy, lane.pause == nil,
            let first = lane.entries.first, first.isVisible, !first.isDead
        else { return nil }
        return targets[key.type]
    }

    /// Queues a lane whose next entry can be sent. Under the lock.
    private func consider(_ key: EntityKey, isFirst: Bool = false) {
        guard lanes[key]?.isQueued == false, let target = due(key) else { return }
        lanes[key]?.isQueued = true
        turns.add(key, at: target.source.upstreamName, isFirst: isFirst)
    }

    /// Begins what is ready, as far as there are places.
    private func startReady() {
        lock.withLock {
            turns.start { key, name in
                lanes[key]?.isQueued = false
                // It may have changed while it waited.
                guard let target = due(key) else { return false }
                lanes[key]?.isBusy = true
                tasks[key] = begin(key, target, of: name)
                return true
            }
        }
    }

    /// An upstream asks to be sent nothing for `span`.
    func limit(_ name: String, for span: Duration) {
        lock.withLock { if !isStopped { turns.limit(name, for: span) } }
    }

    /// The upstream has answered a delivery, whatever it said, or has not.
    func noteAnswer(of name: String, _ isThere: Bool) {
        lock.withLock { turns.noteAnswer(of: name, isThere) }
        startReady()
    }

    private func begin(
        _ key: EntityKey, _ target: OutboxTarget, of name: String
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) {
            await self.deliver(key, target)
            self.lock.withLock {
                self.turns.leave(name)
                self.tasks[key] = nil
            }
            self.release(key)
        }
    }

    /// Lets the next delivery of the lane begin.
    func release(_ key: EntityKey) {
        lock.withLock {
            lanes[key]?.isBusy = false
            if lanes[key]?.entries.isEmpty == true {
                removeLane(key)
            } else {
                consider(key)
            }
        }
        startReady()
    }

    /// Lets nothing of the lane be sent for `span`.
    func pause(_ key: EntityKey, for span: Duration) {
        lock.withLock {
            guard lanes[key] != nil, !isStopped else { return }
            hold(key, for: span)
        }
    }

    /// Under the lock.
    private func hold(_ key: EntityKey, for span: Duration) {
        lanes[key]?.pause?.cancel()
        lanes[key]?.pause = clock.schedule(at: clock.now + span) { [weak self] in
            self?.resume(key)
        }
    }

    /// - Parameter isWanted: A person asks for it, who says that the upstream may be asked: before others.
    private func resume(_ key: EntityKey, isWanted: Bool = false) {
        lock.withLock {
            lanes[key]?.pause?.cancel()
            lanes[key]?.pause = nil
            if isWanted, let name = targets[key.type]?.source.upstreamName {
                turns.lift(name)
            }
            consider(key, isFirst: isWanted)
        }
        startReady()
    }

    // MARK: Lanes

    /// Nothing of the entity waits any more. Under the lock.
    private func removeLane(_ key: EntityKey) {
        lanes[key] = nil
        for unheard in (unheard.removeValue(forKey: key) ?? [:]).values { makeUp(unheard, key) }
    }

    /// What a stream has said of an entity was not taken, since a change of it was being sent. Where the
    /// entity is another one once that has ended, somebody else has changed it behind ours.
    ///
    /// - Parameters:
    ///   - document: As the stream has it; nil: that it is gone.
    ///   - seq: At which the stream's word began to be judged.
    ///   - name: Whose word it is; the newest counts.
    ///   - makeUp: Called once where it is due, on any thread.
    func missed(
        _ key: EntityKey, _ document: Document?, since seq: UInt64, by name: String,
        makeUp: @escaping @Sendable () -> Void
    ) {
        let missed = Unheard(digest: document.map(Self.digest), makeUp: makeUp)
        lock.withLock {
            if lanes[key] != nil {
                unheard[key, default: [:]][name] = missed
            } else if wasDelivered(key, after: seq) {
                self.makeUp(missed, key)
            }
        }
    }

    private func makeUp(_ missed: Unheard, _ key: EntityKey) {
        executor.perform { [store] in
            let row = store.document(key.type, key.id)
            if row.map(Self.digest) != missed.digest { missed.makeUp() }
        }
    }

    private static func digest(_ document: Document) -> String {
        SHA256Digest(of: document.json).hexadecimal
    }

    /// The entries of a lane that are visible, first to last.
    func visible(_ key: EntityKey) -> [Waiting] {
        lock.withLock { Array((lanes[key]?.entries ?? []).prefix { $0.isVisible }) }
    }

    /// Whether a change of the entity is being committed.
    func hasInvisible(_ key: EntityKey) -> Bool {
        lock.withLock { lanes[key]?.entries.contains { !$0.isVisible } ?? false }
    }

    func note(_ id: EntityID, isSent: Bool, isDead: Bool) {
        lock.withLock {
            change(id) { entry in
                entry.isSent = isSent
                entry.isDead = isDead
            }
        }
    }

    /// Forgets what the remote has of entities that are no more here.
    func sweepConfirmations() {
        let records = lock.withLock { confirmationSweep.next(in: store) }
        FetchRecordSweep.remove(records, of: Confirmations.storedType, from: store) {
            [confirmations] in confirmations.note($0, nil)
        }
    }

    /// A try has left it open whether the remote has the change.
    func noteUnsure(_ id: EntityID) {
        lock.withLock { change(id) { $0.mayBeTaken = true } }
    }

    /// Changes what is known of an entry that waits. Under the lock.
    private func change(_ id: EntityID, _ body: (inout Waiting) -> Void) {
        guard let key = keys[id],
            let index = lanes[key]?.entries.firstIndex(where: { $0.id == id })
        else { return }
        body(&lanes[key, default: Lane()].entries[index])
    }

    private func mayBeTaken(_ entry: OutboxEntry) -> Bool {
        lock.withLock {
            lanes[entry.key]?.entries.first { $0.id == entry.id }?.mayBeTaken ?? entry.isSent
        }
    }

    /// Takes an entry out of its lane. Under the lock.
    ///
    /// - Returns: Who waits for its end.
    private func drop(_ id: EntityID) -> [Waiter<OutboxEntry?>] { drop([id]) }

    /// Takes entries out of their lanes, each of which is gone through once. Under the lock.
    private func drop(_ ids: Set<EntityID>) -> [Waiter<OutboxEntry?>] {
        for key in Set(ids.compactMap { keys.removeValue(forKey: $0) }) {
            lanes[key]?.entries.removeAll { ids.contains($0.id) }
            if let lane = lanes[key], lane.entries.isEmpty, !lane.isBusy {
                lane.pause?.cancel()
                removeLane(key)
            }
        }
        return ids.flatMap { waiters.removeValue(forKey: $0) ?? [] }
    }

    /// The entry is no more in the store.
    func forget(_ id: EntityID) {
        let waiters = lock.withLock {
            ends.removeAll { $0 == id }
            return drop(id)
        }
        for waiter in waiters { waiter.finish(nil) }
    }

    /// The entry has ended, and its commit is visible.
    func end(_ entry: OutboxEntry) {
        let waiters = lock.withLock {
            ends.append(entry.id)
            return drop(entry.id)
        }
        for waiter in waiters { waiter.finish(entry) }
        if entry.state == .done { taken(entry.type, entry.operation) }
    }

    /// `entries` are told by `survivor`: whoever waits for them waits for that.
    func end(_ entries: [OutboxEntry], by survivor: EntityID?) {
        guard let survivor else {
            for entry in entries { end(entry) }
            return
        }
        lock.withLock {
            ends += entries.map(\.id)
            waiters[survivor, default: []] += drop(Set(entries.map(\.id)))
        }
    }

    /// All tries have failed: who waits is told, the lane stays closed.
    func die(_ entry: OutboxEntry) {
        let waiters = lock.withLock { self.waiters.removeValue(forKey: entry.id) ?? [] }
        for waiter in waiters { waiter.finish(entry) }
    }

    /// The remote has learnt of a change of the row by the commit `seq`.
    func noteDelivered(_ key: EntityKey, at seq: UInt64) {
        lock.withLock {
            useCount.set(1)
            if delivered.count >= Self.rememberedDeliveries {
                deliveredThrough = seq
                delivered = [:]
            }
            delivered[key] = seq
        }
    }

    /// Moves entries to the lane of the entity's new id.
    func move(_ ids: [EntityID], from old: EntityKey, to new: EntityKey) {
        lock.withLock {
            let moved = (lanes[old]?.entries ?? []).filter { ids.contains($0.id) }
            guard !moved.isEmpty else { return }
            lanes[old]?.entries.removeAll { ids.contains($0.id) }
            for entry in moved { keys[entry.id] = new }
            var lane = lanes[new] ?? Lane()
            lane.entries = (lane.entries + moved).sorted { $0.number < $1.number }
            lanes[new] = lane
            consider(new)
        }
        startReady()
    }

    /// The oldest ends beyond those that are kept, with `coming` more on their way.
    func surplus(_ coming: Int) -> Surplus {
        lock.withLock {
            // The rest is the next commit's.
            let count = min(max(0, ends.count + coming - Self.keptEnds), coming + Self.keptEnds)
            return Surplus(ids: Array(ends.prefix(count)))
        }
    }

    /// Ended entries that the caller's commit forgets; `forget` follows where it is made.
    struct Surplus {
        fileprivate let ids: [EntityID]

        var operations: [WriteOperation] {
            ids.map { .remove(OutboxEntry.storedType, $0, .none) }
        }
    }

    /// The commit is made that forgets `surplus`.
    func forget(_ surplus: Surplus) {
        guard !surplus.ids.isEmpty else { return }
        let ids = Set(surplus.ids)
        lock.withLock { ends.removeAll { ids.contains($0) } }
    }

    // MARK: Operators and callers

    /// The entry, whatever its state.
    package func entry(_ id: EntityID) -> Document? {
        store.document(OutboxEntry.storedType, id)
    }

    /// Entries by their number, oldest first.
    package func entries(
        in state: OutboxEntry.State? = nil, limit: Int
    ) -> [Document] {
        var found: [(number: Int64, document: Document)] = []
        store.view(OutboxEntry.storedType)?.forEach { document in
            if let state, document.member(named: "state")?.string != state.rawValue { return }
            found.append((document.member(named: "number")?.int64 ?? 0, document))
        }
        return found.sorted { $0.number < $1.number }.prefix(limit).map(\.document)
    }

    /// The newest entry of the entity that the remote has yet to learn of.
    package func newest(_ type: TypeName, _ id: EntityID) -> EntityID? {
        lock.withLock { lanes[EntityKey(type, id)]?.entries.last?.id }
    }

    /// The longest that a request waits for the remote: longer than one try by the standard
    /// time-out, and shorter than clients usually wait for an answer.
    package var longestWait: Duration {
        get { lock.withLock { waitLimit } }
        set { lock.withLock { waitLimit = newValue } }
    }

    /// Calls `completion` once with the entry as it has ended or died; nil where it was removed. Once
    /// `span` is over, or the outbox is closed, with the entry as it is then; nil: it may take for ever.
    ///
    /// - Returns: Who waits, who may leave.
    @discardableResult
    package func wait(
        for id: EntityID, upTo span: Duration? = nil,
        _ completion: @escaping @Sendable (OutboxEntry?) -> Void
    ) -> Waiter<OutboxEntry?> {
        let waiter = Waiter(completion)
        let isOver = lock.withLock {
            guard !isClosed, let key = keys[id],
                lanes[key]?.entries.contains(where: { $0.id == id && !$0.isDead }) == true
            else { return true }
            waiters[id, default: []].append(waiter)
            return false
        }
        if isOver {
            waiter.finish(OutboxEntry(entry(id)))
            return waiter
        }
        guard let span else { return waiter }
        let bound = clock.schedule(at: clock.now + span) { [weak self] in
            guard let self else { return }
            self.forget(waiter, of: id)
            waiter.finish(OutboxEntry(self.entry(id)))
        }
        waiter.atEnd { bound.cancel() }
        return waiter
    }

    /// Ends the waiting for an entry of one who is told nothing more.
    func leave(_ waiter: Waiter<OutboxEntry?>, of id: EntityID) {
        forget(waiter, of: id)
        waiter.leave()
    }

    /// How many wait for entries.
    var waiterCount: Int { lock.withLock { waiters.values.reduce(0) { $0 + $1.count } } }

    /// It is not told any more, under whatever entry it waits by now.
    ///
    /// - Parameter first: The one that it began to wait for.
    private func forget(_ waiter: Waiter<OutboxEntry?>, of first: EntityID) {
        func isThere(_ all: [Waiter<OutboxEntry?>]) -> Bool { all.contains { $0 === waiter } }
        lock.withLock {
            let id =
                waiters[first].map(isThere) == true
                ? first : waiters.first { isThere($0.value) }?.key
            guard let id, let all = waiters[id] else { return }
            waiters[id] = all.count == 1 ? nil : all.filter { $0 !== waiter }
        }
    }

    /// What an operator's order comes to.
    package enum OrderOutcome: Sendable {
        case done(Document?)
        case absent
        /// Nothing is to be driven again: it has ended, or is on its way.
        case notDue(OutboxEntry.State)
        case failed(WriteOutcome)
    }

    /// Tries a dead entry again, or one that waits for its next try now.
    package func retry(
        _ id: EntityID, completion: @escaping @Sendable (OrderOutcome) -> Void
    ) {
        guard let given = entry(id), var entry = OutboxEntry(given) else {
            return confirm(.absent, completion)
        }
        switch entry.state {
        case .dead, .pending: break
        case .sending, .done, .superseded, .rejected:
            return confirm(.notDue(entry.state), completion)
        }
        let wasDead = entry.state == .dead
        entry.state = .pending
        entry.attempts = 0
        entry.nextAttemptAt = nil
        let operation = WriteOperation.set(
            OutboxEntry.storedType, entry.document, .ifMatch([given.revision]))
        store.submit(Transaction(operation)) { [self] outcome in
            switch outcome {
            case .done(let receipt):
                let key = lock.withLock { keys[id] }
                if wasDead { note(id, isSent: true, isDead: false) }
                if let key { resume(key, isWanted: true) }
                completion(.done(receipt.first.document))
            case .rejected: completion(.notDue(.sending))
            default: completion(.failed(outcome))
            }
        }
    }

    /// Tells `outcome`, which was read here, where that is the newest.
    private func confirm(
        _ outcome: OrderOutcome, _ completion: @escaping @Sendable (OrderOutcome) -> Void
    ) {
        store.confirm { completion($0.map { .failed($0) } ?? outcome) }
    }

    /// The entry that waits behind `entry`.
    func next(behind entry: OutboxEntry) -> OutboxEntry? {
        visible(entry.key).lazy.filter { $0.number > entry.number }
            .compactMap { OutboxEntry(self.entry($0.id)) }.first
    }

    /// What waits behind `entry`, which is given up, as a change of what the remote had before that; nil
    /// where it stays as it is.
    private func successor(of entry: OutboxEntry) -> OutboxEntry? {
        switch entry.state {
        case .dead: break
        // A create that the remote may have is not made twice, nor is what it may lack updated.
        case .pending where entry.operation == .update || !mayBeTaken(entry): break
        case .pending, .sending, .done, .superseded, .rejected: return nil
        }
        guard let later = next(behind: entry), later.endpoint == nil, later.operation != .remove
        else { return nil }
        return later.following(entry)
    }

    /// Gives an entry up. If it is on its way, the remote may have it all the same.
    package func remove(
        _ id: EntityID, completion: @escaping @Sendable (OrderOutcome) -> Void
    ) {
        guard let given = entry(id) else { return confirm(.absent, completion) }
        var operations = [WriteOperation.remove(OutboxEntry.storedType, id, .none)]
        if let later = OutboxEntry(given).flatMap({ successor(of: $0) }),
            let revision = entry(later.id)?.revision
        {
            operations = [
                .remove(OutboxEntry.storedType, id, .ifMatch([given.revision])),
                .set(OutboxEntry.storedType, later.document, .ifMatch([revision])),
            ]
        }
        guard let transaction = Transaction(operations: operations) else { return }
        let isConditional = operations.count > 1
        store.submit(transaction) { [self] outcome in
            // Something has become of one of them meanwhile.
            if isConditional, case .rejected = outcome { return remove(id, completion: completion) }
            guard case .done = outcome else { return completion(.failed(outcome)) }
            let (key, task) = lock.withLock { () -> (EntityKey?, Task<Void, Never>?) in
                guard let key = keys[id] else { return (nil, nil) }
                let isFirst = lanes[key]?.entries.first?.id == id
                return (key, isFirst ? tasks[key] : nil)
            }
            forget(id)
            task?.cancel()
            if let key { resume(key) }
            completion(.done(nil))
        }
    }

    // MARK: Writes straight to the remote

    /// Takes an entity's lane for a write that the remote is asked for first; false where changes
    /// of it wait, which it must not overtake.
    func beginDirect(_ type: TypeName, _ id: EntityID) -> Bool {
        lock.withLock {
            useCount.set(1)
            let key = EntityKey(type, id)
            var lane = lanes[key] ?? Lane()
            guard lane.entries.isEmpty, !lane.isBusy, !isStopped else { return false }
            lane.isBusy = true
            lanes[key] = lane
            return true
        }
    }

    /// - Parameter seq: Of the commit that took the remote's answer over; nil: there is none.
    func endDirect(_ type: TypeName, _ id: EntityID, deliveredAt seq: UInt64?) {
        let key = EntityKey(type, id)
        if let seq { noteDelivered(key, at: seq) }
        release(key)
    }

    /// The id by which the entity is known now.
    package func current(_ type: TypeName, _ id: EntityID) -> EntityID {
        aliases.current(EntityKey(type, id)) { store.document(type, id) != nil }
    }

    /// Finds what was taken out of an entity of a remote, to be put back where it is sent.
    var nested: @Sendable (TypeName, EntityID) -> Document? {
        { [store] in store.document($0, $1) }
    }

    func submit(_ transaction: Transaction) async -> WriteOutcome {
        await Promise.value { store.submit(transaction, $0) }
    }
}
