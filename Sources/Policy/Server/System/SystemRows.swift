import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetRefresh
import FreshetStore

// How system types are kept (console.md section 3).
//
// Nobody watches a type: nothing of it is kept. A search has the rows made, into a table of its own.
//
// Somebody does: the first answer of a live query is searched in the system store, and before that
// the search has the type opened (`LiveQueries.fill`): the provider tells of changes from then on, all
// rows are made and committed. Searches read that store from then on, too, so that they agree with
// the streams.
//
//     provider ──changed──▶ changes ──turn, 250 ms apart──▶ rows made, compared ──▶ one commit
//
// A turn makes 500 rows at most and leaves the others to the next, so that a burst costs no more than
// one rendering of each row. A minute after the last live query the rows are removed.
//
// One lane (a serial queue) opens, turns and closes, so that these follow one another. A query joins
// its group before the lane is asked to open the type for it, and the lane closes only a type without
// a group: so a group's first search always finds the rows of an open type.

/// The rows of one system type.
// SAFETY: `lane` alone touches what changes, but for `state`, which is shared.
final class SystemRows: @unchecked Sendable {
    /// Rows of a type; of more the lowest ids are shown.
    static let mostRows = 20_000
    static let mostRowBytes = 64 << 10
    static let rowsOfTurn = 500
    /// Between two turns.
    static let rest = Duration.milliseconds(250)
    /// How long an open type stays so after the last query that asked for it.
    static let linger = Duration.seconds(60)
    private static let tending = Duration.seconds(2)

    /// The rows at one seq of the system store.
    struct Rows: Sendable {
        let table: TableView
        /// There are more than are shown.
        let isTruncated: Bool
    }

    private struct State: Sendable {
        /// The rows are in the store, and stay exact there.
        var isOpen = false
        /// The rows that are to be made anew.
        var ids: [EntityID] = []
        var known: Set<EntityID> = []
        var hasAll = false
        /// A turn is under way or due.
        var isDue = false
        var nextTurn = Duration.zero

        mutating func add(_ id: EntityID) {
            if known.insert(id).inserted { ids.append(id) }
        }

        mutating func take(_ most: Int) -> ArraySlice<EntityID> {
            let taken = ids.prefix(most)
            ids.removeFirst(taken.count)
            for id in taken { known.remove(id) }
            return taken
        }
    }

    let provider: any SystemProvider
    private let name: TypeName
    private let store: any EntityStore
    private let watcher: EntityWatcher
    private let isWatched: @Sendable () -> Bool
    private let lane: PolicyWorkers
    private let clock: any OperationClock
    private let state = Shared(State())
    private let made = Counter()

    /// Nil while the type is closed.
    private var subscription: RunSubscription?
    private var tending: Rhythm?
    private var neededAt = Duration.zero

    /// - Parameters:
    ///   - watcher: Of system types.
    ///   - isWatched: Whether any live query stands on the type; nil: as `watcher` says.
    init(
        _ provider: any SystemProvider, _ watcher: EntityWatcher, on lane: PolicyWorkers,
        clock: any OperationClock, isWatched: (@Sendable () -> Bool)? = nil
    ) {
        self.provider = provider
        self.watcher = watcher
        self.lane = lane
        self.clock = clock
        name = provider.type.name
        store = watcher.store
        self.isWatched = isWatched ?? { [name] in watcher.live.set.watches(name) }
    }

    /// Rows that were made since the start.
    var madeCount: Int { made.value }

    // MARK: Any thread

    /// The rows as whoever watches is shown them; nil where nobody watches.
    var watched: Rows? {
        // The type is closed in front of the removal of its rows.
        state.update { state in
            guard state.isOpen else { return nil }
            return Rows(
                table: store.view(name) ?? .empty(seq: store.seq), isTruncated: isTruncated)
        }
    }

    /// The rows made for one question. On a worker.
    ///
    /// - Parameter ids: Of the rows in question; nil: all.
    func make(_ ids: [EntityID]?) -> Rows {
        let seq = store.seq
        let listed = list()
        var maker = RowMaker(provider, made)
        var table = Table()
        let wanted = ids.map { ids in
            listed.isTruncated ? ids.filter(Set(listed.ids).contains) : ids
        }
        for id in wanted ?? listed.ids {
            if let document = maker.document(id) { _ = table.insert(document) }
        }
        return Rows(table: table.view(seq: seq), isTruncated: listed.isTruncated)
    }

    /// Sees to it that the rows are in the store and stay exact there. Returns when they are.
    func open() { lane.performAndWait { openNow() } }

    /// Ends it for good.
    func stop() { lane.performAndWait { close() } }

    // MARK: On the lane

    private func openNow() {
        neededAt = clock.now
        guard subscription == nil else { return }
        state.set(State())
        // From before the rows are made, so that no change is missed.
        subscription = provider.watch { [weak self] in self?.changed($0) }
        let listed = list()
        var maker = RowMaker(provider, made)
        var operations: [WriteOperation] = []
        for id in listed.ids {
            if let document = maker.document(id) { operations.append(.set(name, document, .none)) }
        }
        commit(operations)
        show(truncated: listed.isTruncated)
        tending = Rhythm(every: Self.tending, on: clock) { [weak self] in
            guard let self else { return false }
            lane.perform { self.closeIfUnwatched() }
            return true
        }
    }

    /// A query that has joined since is not missed: the search of its first answer opens the type
    /// again.
    private func closeIfUnwatched() {
        guard subscription != nil, !isWatched(), clock.now - neededAt >= Self.linger else { return }
        close()
    }

    private func close() {
        guard let subscription else { return }
        subscription.cancel()
        self.subscription = nil
        tending?.cancel()
        tending = nil
        state.set(State())
        watcher.truncated.update { _ = $0.remove(name) }
        var removals: [WriteOperation] = []
        store.view(name)?.forEach { removals.append(.remove(name, $0.id, .none)) }
        commit(removals)
        // What is left in the history is of no use to anybody, and has the size of the rows.
        if watcher.live.set.isEmpty { watcher.live.set.history.begin(after: store.seq) }
    }

    private func show(truncated: Bool) {
        watcher.truncated.update { types in
            _ = truncated ? types.insert(name).inserted : types.remove(name) != nil
        }
        state.update { $0.isOpen = true }
    }

    private var isTruncated: Bool { watcher.truncated.value.contains(name) }

    // MARK: Changes

    private func changed(_ change: SystemChange) {
        let due = state.update { state -> Duration? in
            switch change {
            case .row(let id): state.add(id)
            case .all: state.hasAll = true
            }
            defer { state.isDue = true }
            return state.isDue ? nil : state.nextTurn
        }
        if let due { turn(at: due) }
    }

    private func turn(at due: Duration) {
        _ = clock.schedule(at: max(due, clock.now)) { [weak self] in
            guard let self else { return }
            lane.perform { self.turn() }
        }
    }

    private func turn() {
        guard subscription != nil else { return }
        let view = store.view(name) ?? .empty(seq: store.seq)
        if state.value.hasAll {
            // Taken back first: what changes from here on is of the next turn.
            state.update { $0.hasAll = false }
            var ids = provider.ids()
            view.forEach { ids.append($0.id) }
            state.update { state in for id in ids { state.add(id) } }
        }
        follow(state.update { $0.take(Self.rowsOfTurn) }, in: view)
        let goesOn = state.update { state in
            state.nextTurn = clock.now + Self.rest
            state.isDue = state.hasAll || !state.ids.isEmpty
            return state.isDue ? state.nextTurn : nil
        }
        if let goesOn { turn(at: goesOn) }
    }

    /// Makes rows anew and commits those that are others now.
    private func follow(_ ids: ArraySlice<EntityID>, in view: TableView) {
        var maker = RowMaker(provider, made)
        let isTruncated = isTruncated
        var count = view.count
        var operations: [WriteOperation] = []
        var hasMoved = false
        for id in ids {
            let old = view.document(id)
            guard maker.make(id) else {
                guard old != nil else { continue }
                operations.append(.remove(name, id, .none))
                count -= 1
                hasMoved = true
                continue
            }
            if old == nil {
                count += 1
                hasMoved = true
            }
            if let document = maker.document(unlike: old) {
                operations.append(.set(name, document, .none))
            }
        }
        // Which ids are the lowest matters where there are too many.
        if hasMoved, isTruncated || count > Self.mostRows {
            hold(view, &operations)
        }
        commit(operations)
    }

    /// Keeps to the lowest ids, and has those made that are among them now.
    private func hold(_ view: TableView, _ operations: inout [WriteOperation]) {
        let listed = list()
        let wanted = Set(listed.ids)
        var present: Set<EntityID> = []
        view.forEach { present.insert($0.id) }
        operations.removeAll { operation in
            guard case .set(_, let document, _) = operation else { return false }
            return !wanted.contains(document.id)
        }
        for operation in operations {
            switch operation {
            case .set(_, let document, _): present.insert(document.id)
            case .remove(_, let id, _): present.remove(id)
            case .merge, .refresh, .retire: break
            }
        }
        for id in present.subtracting(wanted) { operations.append(.remove(name, id, .none)) }
        state.update { state in
            for id in listed.ids where !present.contains(id) { state.add(id) }
        }
        show(truncated: listed.isTruncated)
    }

    /// The ids of the rows that are shown.
    private func list() -> (ids: [EntityID], isTruncated: Bool) {
        let ids = provider.ids()
        guard ids.count > Self.mostRows else { return (ids, false) }
        return (Array(ids.sorted().prefix(Self.mostRows)), true)
    }

    private func commit(_ operations: [WriteOperation]) {
        guard let transaction = Transaction(operations: operations) else { return }
        // Nothing refuses rows but a store that is closed, and then nobody watches any more.
        _ = store.immediate?.commit(transaction)
    }
}

/// Makes rows into documents.
private struct RowMaker: ~Copyable {
    private let provider: any SystemProvider
    private let made: Counter
    private var builder = DocumentBuilder()
    private var body = ByteBuffer(capacity: 1_024)
    /// The row that is made.
    private var row = EntityID(0)

    init(_ provider: any SystemProvider, _ made: Counter) {
        self.provider = provider
        self.made = made
    }

    /// Makes a row; `document(unlike:)` gives it.
    ///
    /// - Returns: false where there is none.
    mutating func make(_ id: EntityID) -> Bool {
        made.add()
        row = id
        for texts in TextBound.steps {
            body.removeAll()
            guard provider.append(id, texts, to: &body) else { return false }
            if body.count <= SystemRows.mostRowBytes { return true }
        }
        cut()
        return true
    }

    /// Leaves of the row its id alone.
    private mutating func cut() {
        body.removeAll()
        body.append("{")
        body.member("id", row.text)
        body.member("cut", true)
        body.append("}")
    }

    /// The row that was made; nil where `old` is the same. What is no entity, as values of more levels than
    /// one has, is cut as what is too large.
    mutating func document(unlike old: Document?) -> Document? {
        if let old, Bytes.equal(old.json, body.bytes) { return nil }
        if let document = build() { return document }
        cut()
        if let old, Bytes.equal(old.json, body.bytes) { return nil }
        return build()
    }

    private mutating func build() -> Document? {
        try? builder.build(
            json: body.bytes, id: .fromBody, maximumBytes: SystemRows.mostRowBytes)
    }

    mutating func document(_ id: EntityID) -> Document? {
        make(id) ? document(unlike: nil) : nil
    }
}
