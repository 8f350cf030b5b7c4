import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetRefresh
import FreshetStore

/// The rows of `_types`: what is stored, and what moves.
///
/// Commits say which types change. What has no other way to tell of itself (queries that come and go,
/// a changed configuration, an index on its way, a rate that falls) is looked at once a second, and
/// none of it while nobody watches.
final class TypeRows: SystemProvider {
    private static let look = Duration.seconds(1)
    /// Between two counts of the unfit entities of one type.
    private static let censusPause = 10

    /// What was seen of a type while it is watched.
    private struct Activity: Sendable {
        /// Changes of entities in each of the last seconds, by the second modulo their number.
        private var counts = [Int](repeating: 0, count: Activity.seconds)
        private var second = 0
        private(set) var lastChangeAt: WallTime?
        /// The row is known to have changed since it was made.
        var isNoted = false
        /// Entities have changed since the unfit ones were counted.
        var isUncounted = false
        var countedAt = 0

        static let seconds = 10

        /// Counts changes.
        ///
        /// - Returns: Whether they are the first since the row was made.
        mutating func add(_ count: Int, in now: Int, at time: WallTime) -> Bool {
            pass(to: now)
            counts[now % Self.seconds] += count
            lastChangeAt = time
            isUncounted = true
            defer { isNoted = true }
            return !isNoted
        }

        mutating func pass(to now: Int) {
            guard now > second else { return }
            for passed in max(second + 1, now - Self.seconds + 1)...now {
                counts[passed % Self.seconds] = 0
            }
            second = now
        }

        var sum: Int { counts.reduce(0, +) }
    }

    private struct Watched: Sendable {
        var activity: [TypeName: Activity] = [:]
        /// The second of the process's clock that changes are counted in, as of the last look.
        var second: Int
        var generation = -1
        var queries: [TypeName: Int] = [:]
        let changed: @Sendable (SystemChange) -> Void
    }

    private struct State: Sendable {
        /// nil while nobody watches.
        var watched: Watched?
        /// Types whose unfit entities are being counted.
        var counting: Set<TypeName> = []
        /// Types with an index on its way when they were looked at last.
        var building: Set<TypeName> = []
    }

    let type = SystemType.types
    private let core: CoreManager
    private let state = Shared(State())

    init(_ core: CoreManager) { self.core = core }

    // MARK: Rows

    func ids() -> [EntityID] { core.types.counts().types.map { $0.name.asID } }

    func append(_ id: EntityID, _ texts: TextBound, to body: inout ByteBuffer) -> Bool {
        guard let name = TypeName(id.text) else { return false }
        // In front of the look at the store: what is committed from here on is noted again.
        let activity = state.update { state -> Activity? in
            guard let second = state.watched?.second else { return nil }
            state.watched?.activity[name]?.isNoted = false
            state.watched?.activity[name]?.pass(to: second)
            return state.watched?.activity[name]
        }
        let table = core.store.view(name)
        let count = table?.count ?? 0
        let schema = core.types.catalog.schema(of: name)
        guard schema != nil || count > 0 else { return false }
        let unfit = core.types.unfit.last(name)
        if unfit == nil { takeCensus(of: name) }
        body.append("{")
        body.member("id", name.text)
        TypeDocument(core).append(name, count: count, unfit: unfit, schema: false, to: &body)
        body.member("bytes", table?.byteCount ?? 0)
        let isInMemory = core.store.disk == nil || schema?.storage == .memory
        body.append(isInMemory ? ",\"store\":\"memory\"" : ",\"store\":\"file\"")
        body.member("liveQueries", core.watcher.live.set.queriesByType[name] ?? 0)
        let seen = activity.flatMap { $0.lastChangeAt == nil ? nil : $0 }
        body.member("writesPerSecond", seen) { activity, body in
            let (whole, tenth) = activity.sum.quotientAndRemainder(dividingBy: Activity.seconds)
            body.append(decimal: whole)
            guard tenth > 0 else { return }
            body.append(".")
            body.append(decimal: tenth)
        }
        body.member("lastChangeAt", seen?.lastChangeAt)
        body.append("}")
        return true
    }

    /// Has the unfit entities of a type counted, on the workers.
    private func takeCensus(of name: TypeName) {
        guard state.update({ $0.counting.insert(name).inserted }) else { return }
        core.types.unfit.report(on: name) { [weak self] report in
            guard let self else { return }
            let changed = state.update { state in
                state.counting.remove(name)
                return state.watched?.changed
            }
            // Where too much waits already, the next look tries again.
            guard report != nil else { return }
            changed?(.row(name.asID))
        }
    }

    // MARK: Changes

    func watch(_ changed: @escaping @Sendable (SystemChange) -> Void) -> RunSubscription {
        let watched = Watched(
            second: Self.second, generation: core.types.catalog.generation,
            queries: core.watcher.live.set.queriesByType, changed: changed)
        state.update { $0.watched = watched }
        let stopListening = core.watcher.live.listen { [weak self] in self?.committed($0) }
        let rhythm = Rhythm(every: Self.look, on: SystemOperationClock()) { [weak self] in
            self?.lookAround()
            return true
        }
        return RunSubscription { [state] in
            stopListening()
            rhythm.cancel()
            state.update { $0.watched = nil }
        }
    }

    private static var second: Int {
        Int(MonotonicInstant.now.nanoseconds / 1_000_000_000)
    }

    /// On the thread that commits: a look-up for each run of changes of a type, and a cheap clock.
    private func committed(_ changes: [Change]) {
        let time = WallTime.ofLastTick
        var news: [TypeName] = []
        let changed = state.update { state -> (@Sendable (SystemChange) -> Void)? in
            guard let second = state.watched?.second else { return nil }
            changes.forEachRun { name, run in
                guard !name.isInternal else { return }
                let isNews = state.watched?.activity[name, default: Activity()].add(
                    run.count, in: second, at: time)
                if isNews == true { news.append(name) }
            }
            return news.isEmpty ? nil : state.watched?.changed
        }
        guard let changed else { return }
        for name in news { changed(.row(name.asID)) }
    }

    private func lookAround() {
        let generation = core.types.catalog.generation
        let queries = core.watcher.live.set.queriesByType
        let second = Self.second
        guard
            let (isConfigured, noted, uncounted, changed) = state.update({
                state -> (Bool, Set<TypeName>, [TypeName], @Sendable (SystemChange) -> Void)? in
                guard var now = state.watched else { return nil }
                now.second = second
                var noted: Set<TypeName> = []
                var uncounted: [TypeName] = []
                for (name, before) in now.activity {
                    var activity = before
                    activity.pass(to: second)
                    if activity.sum != before.sum { noted.insert(name) }
                    if activity.isUncounted, second >= activity.countedAt + Self.censusPause {
                        activity.isUncounted = false
                        activity.countedAt = second
                        uncounted.append(name)
                    }
                    now.activity[name] = activity
                }
                for name in Set(now.queries.keys).union(queries.keys)
                where now.queries[name] != queries[name] {
                    noted.insert(name)
                }
                let isConfigured = now.generation != generation
                now.generation = generation
                now.queries = queries
                state.watched = now
                return (isConfigured, noted, uncounted, now.changed)
            })
        else { return }
        if isConfigured { changed(.all) }
        for name in noted where !name.isInternal { changed(.row(name.asID)) }
        for name in uncounted where core.types.catalog.schema(of: name) != nil {
            takeCensus(of: name)
        }
        for schema in core.types.catalog.declared {
            guard let name = TypeName(schema.name), !schema.indexes.isEmpty else { continue }
            lookAtIndexes(of: name, changed)
        }
    }

    /// Tells of indexes that are being built or have become ready.
    private func lookAtIndexes(
        of name: TypeName, _ changed: @Sendable (SystemChange) -> Void
    ) {
        let isBuilding = core.store.indexStatus(name).contains { !$0.isReady }
        let wasBuilding = state.update { state in
            isBuilding
                ? !state.building.insert(name).inserted : state.building.remove(name) != nil
        }
        if isBuilding || wasBuilding { changed(.row(name.asID)) }
    }
}

extension TypeName {
    /// The name as the id of a row.
    var asID: EntityID {
        do { return try EntityID(text) } catch {
            preconditionFailure("a type's name is an id")
        }
    }
}
