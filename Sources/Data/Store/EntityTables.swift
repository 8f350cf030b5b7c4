import FreshetBase
import FreshetEngine
import FreshetQuery

/// The tables of all types and the seq that they stand at: what readers see.
///
/// Any thread reads under `lock`, for about 100 ns. One thread at a time writes: the holder of the
/// store's commit right (the writer thread, or whoever holds the memory store's commit lock). It
/// changes tables under `lock` and may read them without.
final class EntityTables: Sendable {
    private struct TypeState {
        let name: TypeName
        /// false until the first commit to it is applied; then it is listed.
        var isWritten: Bool
        var table: Table
        /// Indexes on their way; they hear of every change of the table.
        var builds: [IndexBuild] = []
        /// Whether its entities are the service's own, which no limit counts.
        let isInternal: Bool

        init(name: TypeName, isWritten: Bool, table: Table) {
            self.name = name
            self.isWritten = isWritten
            self.table = table
            isInternal = name.isInternal
        }
    }

    /// Types that there may be, those that have lost their entities since the start included: each has
    /// a table, and whoever lists types passes all.
    static let mostTypes = 20_000
    /// A commit of more changes is built on copies, so that readers never wait for it.
    static let largeCommit = 1_000

    private let lock = Lock()
    private let rules: (any EntityRules)?
    let fetches = FetchLedger()
    // SAFETY: made in init, freed in deinit; what it points to is changed under `lock` by the
    // holder of the commit right alone, and read under `lock`, or without it by that holder.
    nonisolated(unsafe) private let state: UnsafeMutablePointer<State>

    /// All that changes. Behind one pointer, because each access to a variable of a class is
    /// checked for exclusivity while the program runs, which a look-up would pay three times.
    private struct State {
        var states: [TypeState] = []
        /// The names of the states, apart from them, since comparing one must not copy a table.
        var names: [TypeName] = []
        var slots: [TypeName: Int] = [:]
        var newest: Cursor
        /// Entities in all tables but the service's own.
        var count = 0
        /// Indexes on their way, of all types.
        var buildCount = 0
    }

    private var states: [TypeState] {
        @inline(__always) _read { yield state.pointee.states }
        @inline(__always) _modify { yield &state.pointee.states }
    }

    private var names: [TypeName] {
        @inline(__always) _read { yield state.pointee.names }
        @inline(__always) _modify { yield &state.pointee.names }
    }

    private var slots: [TypeName: Int] {
        @inline(__always) _read { yield state.pointee.slots }
        @inline(__always) _modify { yield &state.pointee.slots }
    }

    private var newest: Cursor {
        get { state.pointee.newest }
        set { state.pointee.newest = newValue }
    }

    /// Entities in all tables but the service's own. For the holder of the commit right.
    private(set) var count: Int {
        get { state.pointee.count }
        set { state.pointee.count = newValue }
    }

    /// - Parameter rules: What says which indexes a type has.
    init(cursor: Cursor, rules: (any EntityRules)? = nil) {
        self.rules = rules
        state = .allocate(capacity: 1)
        state.initialize(to: State(newest: cursor))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    // MARK: Any thread

    var cursor: Cursor { lock.withLock { newest } }

    func document(_ type: TypeName, _ id: EntityID) -> Document? {
        lock.withLock {
            guard let slot = slots[type] else { return nil }
            return states[slot].table.document(id)
        }
    }

    func document(_ type: TypeName, idBytes: UnsafeRawBufferPointer) -> Document? {
        lock.withLock {
            guard let slot = existingSlot(of: type) else { return nil }
            return current(slot, idBytes)
        }
    }

    func view(_ type: TypeName) -> TableView? {
        lock.withLock {
            guard let slot = slots[type], states[slot].isWritten else { return nil }
            return states[slot].table.view(seq: newest.seq)
        }
    }

    /// - Parameter types: nil: all.
    func views(of types: Set<TypeName>? = nil) -> StoreViews {
        let (cursor, types) = lock.withLock {
            let found =
                types.map { names in names.compactMap { slots[$0] }.map { states[$0] } } ?? states
            return (
                newest,
                found.filter(\.isWritten).map { state in
                    (name: state.name, table: state.table.view(seq: newest.seq))
                }
            )
        }
        return StoreViews(cursor: cursor, types: types.sorted { $0.name < $1.name })
    }

    func firstTypes(_ most: Int) -> [TypeName] {
        lock.withLock { states.lazy.filter(\.isWritten).prefix(most).map(\.name) }
    }

    // MARK: The holder of the commit right

    /// The place of a type, made where it is new. It is listed once something is applied to it.
    func slot(of type: TypeName) -> Int {
        if let slot = slots[type] { return slot }
        var table = Table()
        for definition in rules?.indexes(of: type) ?? [] { table.addIndex(definition) }
        return lock.withLock {
            states.append(TypeState(name: type, isWritten: false, table: table))
            names.append(type)
            slots[type] = states.count - 1
            return states.count - 1
        }
    }

    /// Bytes of the entities' JSON and what a file has beside it, of all types but `types`.
    func storedBytes(without types: Set<TypeName>) -> Int {
        var sum = 0
        for index in names.indices where types.isEmpty || !types.contains(names[index]) {
            sum += states[index].table.byteCount
            sum += states[index].table.count * SnapshotFormat.entityHeadLength
        }
        return sum
    }

    /// Slots, written and not.
    var slotCount: Int { names.count }

    /// Takes back the types made since there were `count` that nothing was applied to, so that
    /// writes that fail on ever new names take no memory. The last ones only: slots do not move.
    func forgetUnwritten(from count: Int) {
        guard names.count > count else { return }
        lock.withLock {
            while names.count > count, let last = states.last, !last.isWritten {
                states.removeLast()
                names.removeLast()
                slots[last.name] = nil
            }
        }
    }

    /// The place of a type that was written or is being written.
    func existingSlot(of type: TypeName) -> Int? {
        // A few short names are compared faster than one is hashed.
        guard names.count > 8 else { return names.firstIndex(of: type) }
        return slots[type]
    }

    func name(of slot: Int) -> TypeName {
        names[slot]
    }

    /// What is stored, without the lock.
    func current(_ slot: Int, _ id: UnsafeRawBufferPointer) -> Document? {
        // Asked where it stands: a table that is taken out is four references counted twice.
        states.withUnsafeBufferPointer { states in
            precondition(states.indices.contains(slot), "a slot is one of the states")
            return states.baseAddress.unsafelyUnwrapped[slot].table.document(id)
        }
    }

    func current(_ slot: Int, _ id: EntityID) -> Document? {
        states[slot].table.document(id)
    }

    /// Makes one change and its seq visible.
    func apply(_ slot: Int, old: Document?, new: Document?, seq: UInt64) {
        precondition(seq > newest.seq, "commits are applied in their order")
        if state.pointee.buildCount > 0 { tellBuilds(of: slot, old: old, new: new) }
        // The old document is let go of outside the lock: freeing takes time.
        let released = lock.withLock {
            states[slot].isWritten = true
            newest = Cursor(epoch: newest.epoch, seq: seq)
            count += growth(slot, old: old, new: new)
            precondition(count >= 0, "what is removed was there")
            return Self.change(&states[slot].table, old: old, new: new)
        }
        _ = released
        if let old, new == nil, fetches.isOpen { fetches.note(names[slot], old, at: seq) }
    }

    /// Makes the changes of one commit visible at once.
    ///
    /// - Parameter places: The slot of each change.
    func apply(_ changes: ArraySlice<Change>, _ places: ArraySlice<Int>, seq: UInt64) {
        precondition(seq > newest.seq, "commits are applied in their order")
        precondition(changes.count == places.count, "each change has its table")
        if state.pointee.buildCount > 0 {
            for (change, slot) in zip(changes, places) {
                tellBuilds(of: slot, old: change.old, new: change.new)
            }
        }
        // Behind the change itself, so that a fetch either has it in its start or hears of it.
        defer {
            if fetches.isOpen {
                for change in changes where change.new == nil {
                    if let old = change.old { fetches.note(change.type, old, at: change.seq) }
                }
            }
        }
        if changes.count > Self.largeCommit {
            applyLarge(changes, places, seq: seq)
            return
        }
        // As in the other `apply`: let go of outside the lock.
        var released: [Document?] = []
        released.reserveCapacity(changes.count)
        lock.withLock {
            for (change, slot) in zip(changes, places) {
                states[slot].isWritten = true
                count += growth(slot, old: change.old, new: change.new)
                released.append(
                    Self.change(&states[slot].table, old: change.old, new: change.new))
            }
            newest = Cursor(epoch: newest.epoch, seq: seq)
        }
    }

    /// The same on copies of the tables, which share what the commit does not touch.
    private func applyLarge(
        _ changes: ArraySlice<Change>, _ places: ArraySlice<Int>, seq: UInt64
    ) {
        var copies: [Int: Table] = [:]
        var growth = 0
        for (change, slot) in zip(changes, places) {
            growth += self.growth(slot, old: change.old, new: change.new)
            _ = Self.change(
                &copies[slot, default: states[slot].table], old: change.old, new: change.new)
        }
        lock.withLock {
            for (slot, table) in copies {
                swap(&copies[slot, default: table], &states[slot].table)
                states[slot].isWritten = true
            }
            count += growth
            newest = Cursor(epoch: newest.epoch, seq: seq)
        }
    }

    /// How many entities a change adds to those that are counted.
    func growth(_ slot: Int, old: Document?, new: Document?) -> Int {
        if (old == nil) == (new == nil) || states[slot].isInternal { return 0 }
        return new == nil ? -1 : 1
    }

    private static func change(_ table: inout Table, old: Document?, new: Document?) -> Document? {
        if let new { return table.insert(new) }
        if let old { return table.remove(old.idBytes) }
        return nil
    }

    /// Puts whole tables in place, with the indexes of their types: the end of a replay.
    ///
    /// - Parameters:
    ///   - threads: At most so many build the indexes, the caller's included.
    ///   - progress: Called on the caller's thread with the indexes built and those to be built.
    func load(
        _ loaded: [(name: TypeName, table: Table)], cursor: Cursor, threads: Int = 1,
        progress: (Int, Int) -> Void = { _, _ in }
    ) {
        var due: [(table: Int, definition: IndexDefinition, view: TableView)] = []
        for (index, (name, table)) in loaded.enumerated() {
            for definition in rules?.indexes(of: name) ?? [] {
                due.append((index, definition, table.view(seq: 0)))
            }
        }
        let work = due
        let built = ResultSlots<OrderedIndex>(count: work.count)
        let done = Counter()
        if !work.isEmpty { progress(0, work.count) }
        Workers.run(work.count, threads: threads, each: { progress(done.value, work.count) }) {
            built[$0] = OrderedIndex(work[$0].definition, of: work[$0].view)
            done.add()
        }
        due = []
        var loaded = loaded
        for (index, part) in work.enumerated() {
            if let whole = built[index] { loaded[part.table].table.add(whole) }
        }
        lock.withLock {
            for (name, table) in loaded {
                if let slot = slots[name] {
                    states[slot].table = table
                    states[slot].isWritten = true
                    state.pointee.buildCount -= states[slot].builds.count
                    states[slot].builds = []
                } else {
                    slots[name] = states.count
                    names.append(name)
                    states.append(TypeState(name: name, isWritten: true, table: table))
                }
            }
            count = states.reduce(0) { $0 + ($1.isInternal ? 0 : $1.table.count) }
            precondition(
                names.count == states.count && slots.count == states.count,
                "each type has one place")
            newest = cursor
        }
    }

    /// Puts a document in the place of one that memory has changed. The table and its indexes are
    /// built anew, since neither its id nor its keys may be what they were. The holder of the commit
    /// right, which that keeps for about a second a million entities.
    func replace(_ broken: Document, by whole: Document, _ type: TypeName) {
        guard let slot = slots[type] else { return }
        var documents: [Document] = []
        var isThere = false
        states[slot].table.view(seq: newest.seq).forEach { document in
            isThere = isThere || document === broken
            documents.append(document === broken ? whole : document)
        }
        // A commit may have replaced it meanwhile.
        guard isThere else { return }
        load([(type, Table(loading: documents))], cursor: newest)
    }

    // MARK: Indexes

    /// What the indexes of a type are doing. Any thread. O(nodes of its indexes).
    func indexStatus(_ type: TypeName) -> [IndexStatus] {
        let (ready, building) = lock.withLock {
            slots[type].map { (states[$0].table.indexes, states[$0].builds) }
                ?? ([], [])
        }
        return ready.map {
            IndexStatus(
                definition: $0.definition, isReady: true, entries: $0.entryCount,
                bytes: $0.byteCount, built: $0.entryCount)
        }
            + building.map {
                IndexStatus(
                    definition: $0.definition, isReady: false, entries: 0, bytes: 0,
                    built: $0.built.value)
            }
    }

    /// Gives up what is not in `definitions`, and begins what is missing. The holder of the commit
    /// right.
    func declareIndexes(_ definitions: [IndexDefinition], _ type: TypeName) -> [IndexBuild] {
        guard let slot = slots[type] else { return [] }
        return lock.withLock {
            states[slot].table.keepIndexes(definitions)
            let known = states[slot].table.indexes.map(\.definition)
            // Whoever advances an older build finds it gone, and leaves it.
            state.pointee.buildCount -= states[slot].builds.count
            states[slot].builds = definitions.filter { !known.contains($0) }.map {
                IndexBuild(type, $0, of: states[slot].table.view(seq: newest.seq))
            }
            state.pointee.buildCount += states[slot].builds.count
            return states[slot].builds
        }
    }

    /// A view for a build that is still wanted. The holder of the commit right.
    func viewForBuild(_ build: IndexBuild) -> TableView? {
        guard let slot = slots[build.type], states[slot].builds.contains(where: { $0 === build })
        else { return nil }
        return states[slot].table.view(seq: newest.seq)
    }

    /// Gives a built index to its table. The holder of the commit right.
    func install(_ index: OrderedIndex, of build: IndexBuild) {
        guard let slot = slots[build.type] else { return }
        lock.withLock {
            states[slot].table.add(index)
            states[slot].builds.removeAll { $0 === build }
            state.pointee.buildCount -= 1
            precondition(state.pointee.buildCount >= 0, "an index is built once")
        }
    }

    private func tellBuilds(of slot: Int, old: Document?, new: Document?) {
        for build in states[slot].builds { build.note(old: old, new: new) }
    }
}
