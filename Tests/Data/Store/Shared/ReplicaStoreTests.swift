import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetStore

/// Stores with their real threads over one log in memory. What time brings is the matter of
/// `ReplicaLifeTests`.
@Suite struct ReplicaStoreTests {
    private func cluster(_ names: [String] = ["a", "b"]) async throws -> Cluster {
        let cluster = Cluster()
        for name in names { try await cluster.open(name) }
        return cluster
    }

    @Test func oneLeadsAndWhatItAcknowledgesIsReadOnAll() async throws {
        let cluster = try await cluster()
        let (leader, follower) = try await cluster.roles()
        let outcome = await cluster.write(#"{"id":"x","v":1}"#, to: leader)
        let seq = try #require(outcome.receipt?.cursor.seq)
        #expect(outcome.receipt?.durability == .full)
        #expect(await follower.reached(seq) == .reached)
        #expect(follower.document(Make.type("t"), try Make.id("x"))?.text == #"{"id":"x","v":1}"#)
        #expect(follower.cursor == leader.cursor, "one epoch and one seq")
        #expect(leader.status.phase == .ready && follower.status.phase == .following)
        cluster.close()
    }

    @Test func aFollowerSaysWhoTakesWrites() async throws {
        let cluster = try await cluster()
        let (leader, follower) = try await cluster.roles()
        guard case .notLeader(let url) = await cluster.write(#"{"id":"x"}"#, to: follower) else {
            Issue.record("the follower took a write")
            return
        }
        #expect(url == "http://\(leader.settings.replica)")
        #expect(leader.seq == 0)
        cluster.close()
    }

    @Test func aStrongReadHasWhatWasAcknowledgedBefore() async throws {
        let cluster = try await cluster()
        let (leader, follower) = try await cluster.roles()
        for round in 1...50 {
            let outcome = await cluster.write(#"{"id":"x","v":\#(round)}"#, to: leader)
            let seq = try #require(outcome.receipt?.cursor.seq)
            #expect(await follower.reachedHead() == .reached)
            #expect(follower.seq >= seq)
        }
        cluster.engine.isAway = true
        guard case .away = await follower.reachedHead() else {
            Issue.record("a strong read without the engine")
            return
        }
        #expect(follower.status.phase == .away)
        // What was applied is read all the same.
        #expect(follower.document(Make.type("t"), try Make.id("x"))?.revision == 50)
        cluster.close()
    }

    @Test func aSeqThatDoesNotComeIsLate() async throws {
        let cluster = try await cluster()
        let (_, follower) = try await cluster.roles()
        #expect(await follower.reached(1, within: .milliseconds(1)) == .late)
        #expect(await follower.reached(0) == .reached)
        cluster.close()
        #expect(await follower.reached(7) == .closed)
    }

    @Test func theLeadIsHandedOver() async throws {
        let cluster = try await cluster()
        let (old, next) = try await cluster.roles()
        _ = await cluster.write(#"{"id":"x"}"#, to: old)
        let isPut = await withCheckedContinuation { continuation in
            old.stepDown(to: next.settings.replica) { continuation.resume(returning: $0) }
        }
        #expect(isPut == true)
        await cluster.changes.arrived { $0.leader == next.settings.replica && $0.leads }
        #expect(await cluster.write(#"{"id":"y"}"#, to: next).receipt?.cursor.seq == 2)
        guard case .notLeader = await cluster.write(#"{"id":"z"}"#, to: old) else {
            Issue.record("two lead")
            return
        }
        #expect(next.mayStart && !old.mayStart)
        #expect(next.replicaFigures.takeovers == 1)
        cluster.close()
    }

    /// It has looked at the engine while it followed, and can be handed the lead all the same.
    @Test func whoComesToLeadKnowsThatTheSpaceIsNearlyUsedUp() async throws {
        let cluster = try await cluster()
        let (old, next) = try await cluster.roles()
        next.engineHasRoom(for: 0, behind: 0)
        #expect(next.status.phase == .following && !next.engine.isFull)
        _ = await withCheckedContinuation { continuation in
            old.stepDown(to: next.settings.replica) { continuation.resume(returning: $0) }
        }
        await cluster.changes.arrived { $0.leader == next.settings.replica && $0.leads }
        guard case .logFull = await cluster.write(#"{"id":"x"}"#, to: next) else {
            Issue.record("the new leader took a write")
            return
        }
        #expect(next.status.phase == .full && next.engine.isFull)
        next.engineHasRoom(for: .max, behind: 0)
        #expect(await cluster.write(#"{"id":"x"}"#, to: next).receipt != nil)
        // What is put before the next look counts.
        next.engineHasRoom(for: 1, behind: next.replicaFigures.bytes)
        #expect(await cluster.write(#"{"id":"y"}"#, to: next).receipt != nil)
        guard case .logFull = await cluster.write(#"{"id":"z"}"#, to: next) else {
            Issue.record("there is no room for a second write")
            return
        }
        cluster.close()
    }

    @Test func whatIsReadBeforeAllOfTheLogIsHereIsOfUnknownAge() async throws {
        let cluster = try await cluster(["a"])
        let leader = try #require(cluster.stores.first)
        await cluster.changes.arrived { $0.leads }
        _ = await cluster.write(#"{"id":"x"}"#, to: leader)
        cluster.engine.withholdsRecords = true
        let behind = try cluster.begin("b")
        // The engine answers it, though not with all.
        while behind.engine.silence == nil {
            #expect(await behind.joined(within: .milliseconds(10)) == .late)
        }
        #expect(behind.seq == 0 && behind.lag == .unknown)
        cluster.engine.withholdsRecords = false
        #expect(await behind.joined(within: .seconds(60)) == .reached)
        #expect(behind.seq == 1 && behind.lag != .unknown)
        cluster.close()
    }

    @Test func withTheEngineAwayNothingIsAcknowledged() async throws {
        let cluster = try await cluster(["a"])
        let leader = try #require(cluster.stores.first)
        await cluster.changes.arrived { $0.leads }
        cluster.engine.isAway = true
        guard case .logAway(unknown: false) = await cluster.write(#"{"id":"x"}"#, to: leader) else {
            Issue.record("taken without the engine")
            return
        }
        #expect(leader.seq == 0 && leader.status.phase == .away)
        cluster.engine.isAway = false
        while await cluster.write(#"{"id":"x"}"#, to: leader).receipt == nil {}
        #expect(leader.seq == 1 && leader.status.phase == .ready)
        cluster.close()
    }
}

/// Stores over one engine.
private final class Cluster {
    let engine = MemoryEngine()
    let changes = ReplicaChanges()
    let directory = TemporaryDirectory()
    private(set) var stores: [ReplicaStore] = []

    func open(_ name: String) async throws {
        _ = try await begin(name).joined(within: .seconds(60))
    }

    /// Opens a store, which has not joined yet.
    func begin(_ name: String) throws -> ReplicaStore {
        var settings = ReplicaSettings(replica: name)
        settings.url = "http://\(name)"
        // A machine that is busy changes no lead.
        settings.takeover = .seconds(600)
        settings.beat = .milliseconds(50)
        var options = FileStoreOptions(directory: "\(directory.path)/\(name)")
        options.reserve = 0
        let store = try ReplicaStore.open(
            options, settings, log: MemoryLog(engine), logger: Log(level: .error, descriptor: -1),
            onChange: { [changes] state in changes.note(name, state) })
        stores.append(store)
        return store
    }

    /// Who leads, and one that follows it.
    func roles() async throws -> (leader: ReplicaStore, follower: ReplicaStore) {
        await changes.arrived { $0.leads }
        let name = changes.newest?.leader
        let leader = try #require(stores.first { $0.settings.replica == name })
        let follower = try #require(stores.first { $0.settings.replica != name })
        // It has heard of the leader once it has that head.
        await changes.arrived(of: follower.settings.replica) { $0.leader == name }
        return (leader, follower)
    }

    func write(_ json: String, to store: ReplicaStore) async -> WriteOutcome {
        guard let operation = try? Make.set("t", json) else { return .closed }
        return await withCheckedContinuation { continuation in
            store.submit(Transaction(operation)) { continuation.resume(returning: $0) }
        }
    }

    func close() {
        for store in stores { store.close() }
    }
}

/// What replicas have told of themselves.
// SAFETY: all mutable state is read and written under `lock`.
private final class ReplicaChanges: @unchecked Sendable {
    struct Change {
        let replica: String
        let leader: String?
        /// It is the one that leads.
        let leads: Bool
    }

    private let lock = Lock()
    private var last: [String: Change] = [:]
    private var watchers:
        [(
            isMet: (Change) -> Bool, replica: String?,
            continuation: CheckedContinuation<Void, Never>
        )] =
            []

    /// Of the one that leads.
    var newest: Change? { lock.withLock { last.values.first(where: \.leads) } }

    func note(_ replica: String, _ state: ReplicaState) {
        let change = Change(
            replica: replica, leader: state.leader?.name, leads: state.role == .leader)
        let met = lock.withLock {
            last[replica] = change
            let met = watchers.filter { ($0.replica ?? replica) == replica && $0.isMet(change) }
            watchers.removeAll { ($0.replica ?? replica) == replica && $0.isMet(change) }
            return met
        }
        for watcher in met { watcher.continuation.resume() }
    }

    /// Waits until a replica is so.
    func arrived(of replica: String? = nil, _ isMet: @escaping (Change) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                let isThere = last.values.contains {
                    (replica ?? $0.replica) == $0.replica && isMet($0)
                }
                if !isThere { watchers.append((isMet, replica, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
    }
}

extension ReplicaStore {
    fileprivate func reached(_ seq: UInt64, within limit: Duration = .seconds(60)) async -> SeqWait
    {
        await withCheckedContinuation { continuation in
            wait(for: seq, within: limit) { continuation.resume(returning: $0) }
        }
    }

    fileprivate func joined(within limit: Duration) async -> SeqWait {
        await withCheckedContinuation { continuation in
            whenJoined(within: limit) { continuation.resume(returning: $0) }
        }
    }

    fileprivate func reachedHead() async -> SeqWait {
        await withCheckedContinuation { continuation in
            waitForHead(within: .seconds(60)) { continuation.resume(returning: $0) }
        }
    }
}
