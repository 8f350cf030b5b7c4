import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Glibc
import Testing

@testable import FreshetStore

/// Lives of three servers over one log, made of a seed: any of them sleeps, dies and comes again at
/// any call of the engine; steps are made without an answer, made late, or never; the engine is away;
/// the lead is handed over. 300 lives, or as many as `FRESHET_REPLICA_LIVES` says, or 10,000 where
/// `FRESHET_LONG_TESTS` is set. A failure names its seed, with which `FRESHET_SEED` begins.
@Suite struct ReplicaLifeTests {
    private static func number(_ name: String) -> UInt64? {
        getenv(name).flatMap { UInt64(String(cString: $0)) }
    }

    @Test func whateverHappensThereIsOneOrderAndNothingAcknowledgedIsLost() async throws {
        let first = Self.number("FRESHET_SEED") ?? 1
        let usual: UInt64 = getenv("FRESHET_LONG_TESTS") == nil ? 300 : 10_000
        let count = max(1, Self.number("FRESHET_REPLICA_LIVES") ?? usual)
        var met = ReplicaLife.Met()
        for seed in first..<first + count {
            let life = ReplicaLife(seed: seed)
            try life.run(steps: 800)
            try #require(life.faults.isEmpty, "seed \(seed): \(life.faults.prefix(3))")
            met.add(life.met)
            await Task.yield()
        }
        print("replica lives: \(met)")
        guard count >= 300 else { return }
        // What is said to be survived has happened.
        #expect(met.acknowledged > 1_000 && met.rejected > 1_000 && met.refused > 100)
        #expect(met.leaders > 300 && met.deaths > 100 && met.pauses > 100 && met.late > 50)
        #expect(met.recovered > 50 && met.joins > 3 && met.truncations > 20 && met.inParts > 100)
    }

    /// The checks find what a protocol is commonly got wrong by.
    @Test func anEngineThatIgnoresWhatIsExpectedIsFound() throws {
        var found = 0
        for seed in UInt64(1)...50 {
            let life = ReplicaLife(seed: seed)
            life.engine.ignoresExpectations = true
            try life.run(steps: 800)
            if !life.faults.isEmpty { found += 1 }
        }
        #expect(found > 5)
    }

    /// No clock is trusted: one whose clock stands believes to lead, and asks the log all the same.
    @Test func aLeaderWhoseClockStandsAnswersNothingFromOldTables() throws {
        for seed in UInt64(1)...10 {
            let life = ReplicaLife(seed: seed)
            life.heal()
            life.writeOneEach()
            let old = try #require(life.leader)
            life.freeze(old)
            life.settleDown()
            let new = try #require(life.leader)
            #expect(new != old)
            life.write("r0", to: new, asReadFrom: new)
            life.settleDown()
            // It has heard nothing, and no time has passed for it.
            life.thaw(old)
            let isConfirmed = life.confirm(old)
            life.write("r0", to: old, asReadFrom: new)
            for _ in 0..<50 { life.resume(old) }
            #expect(isConfirmed.value == 2, "seed \(seed)")
            #expect(life.faults.isEmpty, "seed \(seed): \(life.faults)")
            #expect(life.lastIsRefused, "seed \(seed)")
            life.end()
        }
    }

    /// Whose configuration the others have left behind leads only where nobody else can.
    @Test func aStragglerLeadsLast() throws {
        for seed in UInt64(1)...20 {
            let life = ReplicaLife(seed: seed, clocksAgree: true)
            life.heal()
            life.writeOneEach()
            let first = try #require(life.leader)
            let others = [0, 1, 2].filter { $0 != first }
            let straggler = others[Int(seed % 2)]
            let other = others[1 - Int(seed % 2)]
            life.note(.older, of: straggler)
            // It counts its wait anew with each beat that it hears.
            life.writeOneEach()
            life.freeze(first)
            life.settleDown()
            #expect(life.leader == other, "seed \(seed)")
            life.freeze(other)
            life.settleDown()
            #expect(life.leader == straggler, "seed \(seed)")
            #expect(life.faults.isEmpty, "seed \(seed): \(life.faults)")
            life.end()
        }
    }

    /// A log that went back and was written on is another one: whoever has applied what is gone stops.
    @Test func aForkIsNoticed() throws {
        for seed in UInt64(1)...10 {
            let life = ReplicaLife(seed: seed)
            try life.run(steps: 300, heals: false)
            life.heal()
            life.writeOneEach()
            let before = life.sequences
            life.engine.rewind(commits: 3)
            // One that knows nothing of that leads, and writes more than was lost.
            life.replace(0, alone: true)
            life.settleDown()
            for _ in 0..<3 { life.writeOneEach() }
            life.wake()
            life.settleDown { !$0.roles.dropFirst().contains(.follower) }
            #expect(life.roles.first == .leader, "seed \(seed): \(life.roles)")
            #expect(life.sequences.dropFirst() == before.dropFirst())
            #expect(!life.roles.dropFirst().contains(.follower), "seed \(seed): \(life.roles)")
            life.end()
        }
    }

    /// The log's beginning is gone: what is missing comes from another server.
    @Test func anEmptyServerJoinsByABackupWhereTheLogIsTruncated() throws {
        for seed in UInt64(1)...10 {
            let life = ReplicaLife(seed: seed)
            life.heal()
            for _ in 0..<10 { life.writeOneEach() }
            let leader = try #require(life.leader)
            life.truncateAll()
            life.settleDown()
            #expect(life.engine.floor > 1, "seed \(seed)")
            for index in 0..<3 where index != leader { life.replace(index, alone: false) }
            life.settleDown()
            #expect(life.met.joins == 2, "seed \(seed): \(life.met)")
            life.writeOneEach()
            life.compareAll()
            #expect(life.faults.isEmpty, "seed \(seed): \(life.faults.prefix(3))")
            life.end()
        }
    }

    /// A log that went back is noticed by each server, which then applies nothing any more.
    @Test func aLogThatWentBackStopsEveryServer() throws {
        for seed in UInt64(1)...30 {
            let life = ReplicaLife(seed: seed)
            try life.run(steps: 300, heals: false)
            life.heal()
            life.writeOneEach()
            let before = life.sequences
            life.engine.rewind(commits: 1)
            life.settleDown { $0.areAllStopped }
            #expect(life.areAllStopped, "seed \(seed): \(life.roles)")
            #expect(life.sequences == before)
            life.end()
        }
    }
}

/// One life.
private final class ReplicaLife: @unchecked Sendable {
    // SAFETY: touched by whoever has the baton alone.
    struct Met: CustomStringConvertible {
        var acknowledged = 0
        var refused = 0
        var unknown = 0
        var rejected = 0
        var leaders = 0
        var deaths = 0
        var pauses = 0
        var late = 0
        var handOvers = 0
        var recovered = 0
        var damaged = 0
        var joins = 0
        var truncations = 0
        var leftBehind = 0
        var inParts = 0

        mutating func add(_ other: Met) {
            acknowledged += other.acknowledged
            refused += other.refused
            unknown += other.unknown
            rejected += other.rejected
            leaders += other.leaders
            deaths += other.deaths
            pauses += other.pauses
            late += other.late
            handOvers += other.handOvers
            recovered += other.recovered
            damaged += other.damaged
            joins += other.joins
            truncations += other.truncations
            leftBehind += other.leftBehind
            inParts += other.inParts
        }

        var description: String {
            "\(acknowledged) acknowledged, \(rejected) conditions failed, \(refused) refused, "
                + "\(unknown) unknown; \(leaders) leaders, \(handOvers) hand-overs, \(deaths) "
                + "deaths, \(pauses) pauses, \(late) steps made late; \(recovered) starts from files, "
                + "\(damaged) directories set aside, \(joins) joins, \(leftBehind) left behind, "
                + "\(truncations) truncations, \(inParts) frames in parts"
        }
    }

    /// One server.
    final class Server: @unchecked Sendable {
        // SAFETY: touched by whoever has the simulation's baton alone.
        let name: String
        /// nil before it has read its directory.
        var store: ReplicaStore?
        let files: SimulatedFileSystem
        let log: SimulatedLog
        let clock: ServerClock
        var baton: Baton?
        var isDead: Bool { clock.isDead.value > 0 }
        /// Nothing of it runs before.
        var sleepsUntil: MonotonicInstant?
        /// Not resumed before, by the life's will.
        var pausedUntil: MonotonicInstant?
        /// Its tail is late, though all else goes on.
        var deafUntil: MonotonicInstant?
        /// Neither resumed nor told anything.
        var isHeld = false
        /// An answer that was made and not delivered.
        var answered = false
        /// A backup that another has made for it.
        var backup: [UInt8]?

        init(
            name: String, files: SimulatedFileSystem, log: SimulatedLog, clock: ServerClock
        ) {
            self.name = name
            self.files = files
            self.log = log
            self.clock = clock
        }

        var role: ReplicaRole { store?.path.role ?? .follower }
        var seq: UInt64 { store?.path.seq ?? 0 }
        var queued: Int { store?.queue.count ?? 0 }

        /// Has its thread do something between two steps.
        func push(_ control: @escaping @Sendable (ReplicaStore) -> Void) {
            guard let store else { return }
            _ = store.queue.push(control: { control(store) })
        }
    }

    /// The simulation's time; for a server that is dead all of it has passed.
    final class ServerClock: StoreClock {
        private let base: ManualClock
        let isDead = Counter()
        /// Where it stands; 0: it goes.
        let stands = Counter()
        // SAFETY: set before the server's thread begins, and called by it alone.
        nonisolated(unsafe) var onLook: () -> Void = {}

        /// What a second of the simulation is to it, in quarters of a second: nobody may trust it.
        private let rate: UInt64

        init(_ base: ManualClock, rate: UInt64) {
            self.base = base
            self.rate = rate
        }

        var instant: MonotonicInstant {
            onLook()
            if stands.value > 0 {
                return MonotonicInstant(nanoseconds: UInt64(stands.value))
            }
            let own = MonotonicInstant(nanoseconds: base.instant.nanoseconds / 4 * rate)
            return isDead.value > 0 ? own + .seconds(1_000_000) : own
        }
        var wallTime: WallTime { base.wallTime }
    }

    /// One write of a client and what came of it.
    final class Write: @unchecked Sendable {
        // SAFETY: touched by whoever has the simulation's baton alone.
        let id: String
        let json: String
        /// What a conditional write expects.
        let expected: UInt64?
        /// The revisions of its entity that the log had, from when it was submitted on.
        let begun: Int
        var outcome: WriteOutcome?
        var server: Server

        init(_ id: String, _ json: String, _ expected: UInt64?, _ begun: Int, _ server: Server) {
            self.id = id
            self.json = json
            self.expected = expected
            self.begun = begun
            self.server = server
        }
    }

    let engine = SimulatedEngine()
    private(set) var faults: [String] = []
    private(set) var met = Met()
    private let clock = ManualClock()
    private var random: SplitMix
    private var servers: [Server] = []
    private var writes: [Write] = []
    private var open: [Write] = []
    private var late: [SimulatedEngine.Request] = []
    /// The chain of the log at each seq that ends a frame.
    private var chains: [UInt64: UInt32] = [:]
    private var seen = 0
    /// Each entity's revisions in the log, in order, with the count of events at which each came.
    private var history: [String: [(revision: UInt64, json: String, at: Int)]] = [:]
    private var awayUntil: MonotonicInstant?
    /// Until then no record can be read.
    private var unreadUntil: MonotonicInstant?
    private var calm = false
    private let clocksAgree: Bool
    /// What each server has shown up to its last death.
    private var shown: [String: UInt64] = [:]

    /// - Parameter clocksAgree: A second is a second to each server.
    init(seed: UInt64, clocksAgree: Bool = false) {
        random = SplitMix(seed: seed)
        self.clocksAgree = clocksAgree
        engine.recordLimit = [.max, .max, 100, 70][random.next(4)]
        for name in ["a", "b", "c"] { servers.append(start(name)) }
    }

    // MARK: Servers

    /// - Parameter files: nil: an empty disk.
    private func start(_ name: String, _ files: SimulatedFileSystem? = nil) -> Server {
        let time = clock
        let rate: UInt64 = clocksAgree ? 4 : [4, 4, 1, 9][random.next(4)]
        let clock = ServerClock(time, rate: rate)
        let holder = Holder()
        let server = Server(
            name: name, files: files ?? SimulatedFileSystem(seed: UInt64(random.next(1 << 30))),
            log: SimulatedLog(engine) { holder.server?.baton }, clock: clock)
        holder.server = server
        var options = Simulated.options()
        options.snapshotMinimum = 2_048
        options.snapshotRate = 0
        var settings = ReplicaSettings(replica: name)
        settings.url = "http://\(name)"
        var dice = SplitMix(seed: UInt64(random.next(1 << 30)))
        // A server may be put to sleep wherever it looks at the clock: between a look and what it
        // does because of it, too.
        clock.onLook = { [weak self, weak server] in
            guard let self, let server, let baton = server.baton, baton.isInside, !calm,
                !server.isDead, dice.next(400) == 0
            else { return }
            pause(server)
            baton.yield()
        }
        let parts = StoreParts(
            files: server.files, log: Log(level: .error, descriptor: -1), clock: clock,
            queueClock: ServerClock(time, rate: rate))
        var drive = ReplicaStore.Drive()
        drive.instance = UInt64(random.next(1 << 60))
        drive.sleep = { span in
            guard let server = holder.server else { return }
            server.sleepsUntil = time.instant + span
            server.baton?.yield()
        }
        drive.random = {
            $0.lowerBound + ($0.upperBound - $0.lowerBound) * Double(dice.next(1_000)) / 1_000
        }
        // SAFETY: used by the server's own thread alone.
        nonisolated(unsafe) let begun = (options, settings, parts, drive)
        server.baton = Baton { [unowned self] baton in
            while !server.isDead {
                if let store = server.store {
                    if store.step() { continue }
                    if server.role == .stopped(.truncated) { leave(server, store) }
                    server.sleepsUntil = time.instant + .milliseconds(50)
                } else {
                    open(server, begun.0, begun.1, begun.2, begun.3)
                    if server.store != nil { continue }
                    server.sleepsUntil = time.instant + .milliseconds(100)
                }
                baton.yield()
            }
        }
        return server
    }

    /// What the owner of a store does, on the server's own thread.
    private func open(
        _ server: Server, _ options: FileStoreOptions, _ settings: ReplicaSettings,
        _ parts: StoreParts, _ drive: ReplicaStore.Drive
    ) {
        let wasLeading = Counter()
        do throws(StoreError) {
            let store = try ReplicaStore.open(
                options, settings: settings, log: server.log, parts: parts, drive: drive,
                onChange: { [weak self, weak server] state in
                    guard let self, let server else { return }
                    if state.role == .leader, wasLeading.value == 0 { met.leaders += 1 }
                    wasLeading.set(state.role == .leader ? 1 : 0)
                    joined(server, state)
                })
            guard !server.isDead else { return }
            if store.keeper.recovery.commits > 0 { met.recovered += 1 }
            server.store = store
        } catch {
            guard !server.isDead else { return }
            switch error {
            case .logAway: break
            case .damaged:
                met.damaged += 1
                setAside(server)
            case .needsBackup:
                restore(server)
            default: faults.append("\(server.name) cannot be opened: \(error)")
            }
        }
    }

    /// It is so far behind that the log no longer has what comes next.
    private func leave(_ server: Server, _ store: ReplicaStore) {
        met.leftBehind += 1
        shown[server.name] = max(shown[server.name, default: 0], server.seq)
        for write in open where write.server === server && write.outcome == nil {
            write.outcome = .logAway(unknown: true)
        }
        open.removeAll { $0.server === server }
        store.close()
        store.path.finish()
        server.store = nil
        setAside(server)
    }

    private func setAside(_ server: Server) {
        do throws(StoreError) {
            try ReplicaDirectory.setAside("data", files: server.files)
        } catch {
            if !server.isDead {
                faults.append("\(server.name) cannot set its directory aside: \(error)")
            }
        }
    }

    private func restore(_ server: Server) {
        guard let backup = server.backup else {
            let peers = servers.filter { $0 !== server && $0.store?.state.hasJoined == true }
            guard !peers.isEmpty else { return }
            peers[random.next(peers.count)].push { [weak server] store in
                // As `StoreKeeper.backup`, on the writer's own thread.
                server?.backup = try? store.keeper.backupBytes()
            }
            return
        }
        server.backup = nil
        do throws(StoreError) {
            try server.files.put("backup", backup, in: "/from")
            _ = try ReplicaDirectory.restore(
                "/from/backup", into: "data", writerVersion: "test", files: server.files)
            met.joins += 1
        } catch {
            if !server.isDead { faults.append("\(server.name) cannot be restored: \(error)") }
        }
    }

    /// What was shown by a server is there when it answers again; one that the log has left behind joins anew
    /// before it does (`leave`).
    private func joined(_ server: Server, _ state: ReplicaState) {
        guard state.hasJoined, state.role != .stopped(.truncated), !server.isDead else { return }
        if server.seq < shown[server.name, default: 0] {
            faults.append(
                "\(server.name), \(state.role), shows \(server.seq) behind"
                    + " \(shown[server.name, default: 0])")
        }
    }

    private final class Holder {
        weak var server: Server?
    }

    private func kill(_ server: Server) {
        if server.store?.state.hasJoined == true {
            shown[server.name] = max(shown[server.name, default: 0], server.seq)
        }
        server.clock.isDead.set(1)
        server.files.crash(after: server.files.calls)
        server.log.call = nil
        // Its thread ends by itself: each call fails.
        while server.baton?.hasEnded == false {
            server.log.answer = nil
            server.baton?.resume()
        }
        for write in open where write.server === server && write.outcome == nil {
            write.outcome = .logAway(unknown: true)
        }
        open.removeAll { $0.server === server }
    }

    // MARK: What happens

    func run(steps: Int, heals: Bool = true) throws {
        for _ in 0..<steps {
            turn()
            check()
        }
        if heals {
            heal()
            compareAll()
        }
        guard heals else { return }
        end()
    }

    func end() {
        for server in servers { kill(server) }
    }

    private func turn() {
        if let until = awayUntil, clock.instant >= until {
            engine.isAway = false
            awayUntil = nil
        }
        switch random.next(1_000) {
        case 0..<520: resume(servers[random.next(servers.count)])
        case 520..<700: for _ in 0..<1 + random.next(6) { deliver() }
        case 700..<780: clock.advance(milliseconds: 1 + random.next(600))
        case 780..<940:
            for _ in 0..<1 + random.next(3) { write() }
        case 940..<960: if !late.isEmpty { land(random.next(late.count)) }
        case 960..<963: pause(servers[random.next(servers.count)])
        case 963..<965:
            let index = random.next(servers.count)
            kill(servers[index])
            let files = servers[index].files
            let seed = UInt64(random.next(1 << 30))
            // The process alone dies, or the power goes, or the disk is lost.
            switch random.next(8) {
            case 0..<4:
                servers[index] = start(
                    servers[index].name, files.restarted(seed: seed, keepingCache: true))
            case 4..<7:
                servers[index] = start(servers[index].name, files.restarted(seed: seed))
            default:
                shown[servers[index].name] = 0
                servers[index] = start(servers[index].name)
            }
            met.deaths += 1
        case 970..<972:
            engine.isAway = true
            let most = random.next(3) == 0 ? 12_000 : 2_000
            awayUntil = clock.instant + .milliseconds(Int64(random.next(most)))
        case 977..<979:
            unreadUntil = clock.instant + .milliseconds(Int64(random.next(9_000)))
        case 979..<985:
            servers[random.next(servers.count)].deafUntil =
                clock.instant + .milliseconds(Int64(random.next(9_000)))
        case 973..<977:
            guard let leader = servers.first(where: { $0.role == .leader }) else { break }
            let other = ["a", "b", "c"][random.next(3)]
            leader.push { $0.path.handOver(to: other) }
            met.handOvers += 1
        case 985..<989: truncate()
        default: clock.advance(milliseconds: 1 + random.next(20))
        }
    }

    private func pause(_ server: Server) {
        server.pausedUntil = clock.instant + .milliseconds(Int64(random.next(10_000)))
        met.pauses += 1
    }

    private func resume(_ server: Server) {
        if server.isHeld { return }
        if let until = server.pausedUntil {
            guard clock.instant >= until || calm else { return }
            server.pausedUntil = nil
        }
        if let until = server.sleepsUntil {
            guard clock.instant >= until else { return }
            server.sleepsUntil = nil
        } else if let call = server.log.call, !server.answered {
            let answer = answer(call)
            server.log.answer = answer
            server.log.call = nil
            // Those who do not know what came of theirs are the most interesting sleepers.
            if !calm, case .trouble(.unknown) = answer, random.next(10) == 0 { pause(server) }
            // Made now, and told later: others go on in between.
            if !calm, random.next(3) == 0 {
                server.answered = true
                return
            }
        }
        server.answered = false
        server.baton?.resume()
    }

    private func answer(_ call: LogCall) -> SimulatedLog.LogAnswer {
        if engine.isAway {
            if case .append(let request) = call, random.next(3) == 0 {
                late.append(request)
                return .trouble(.unknown("away"))
            }
            return .trouble(random.next(2) == 0 ? .away("away") : .unknown("away"))
        }
        switch call {
        case .head:
            if !calm, random.next(20) == 0 { return .trouble(.unknown("head")) }
            return .value(engine.head)
        case .read(let seq, let limit):
            let isUnread = unreadUntil.map { clock.instant < $0 } ?? false
            if !calm, isUnread || random.next(8) == 0 { return .trouble(.unknown("read")) }
            switch engine.read(from: seq, limit: limit) {
            case .success(let records): return .records(records)
            case .failure(let trouble): return .trouble(trouble)
            }
        case .truncate(let seq):
            if !calm, random.next(4) == 0 { return .trouble(.unknown("truncate")) }
            engine.truncate(below: seq)
            return .value(nil)
        case .append(let request):
            if !calm {
                switch random.next(20) {
                case 0:
                    // Made, and the answer is lost.
                    _ = engine.make(request)
                    return .trouble(.unknown("answer lost"))
                case 1:
                    late.append(request)
                    return .trouble(.unknown("on its way"))
                case 2: return .trouble(.unknown("request lost"))
                case 3: return .trouble(.refused("full"))
                default: break
                }
            }
            switch engine.make(request) {
            case .success(let value): return .value(value)
            case .failure(let trouble): return .trouble(trouble)
            }
        }
    }

    /// Gives up all that was applied, whatever snapshots have.
    func truncateAll() {
        guard let leader else { return }
        servers[leader].push { [weak self] in
            if $0.path.truncate(below: $0.path.seq + 1) { self?.met.truncations += 1 }
        }
    }

    /// The leader gives up what two replicas have in verified snapshots and all have applied.
    private func truncate() {
        guard let leader = servers.first(where: { $0.role == .leader }) else { return }
        let snapshots = servers.map { UInt64($0.store?.metrics.snapshotSeq ?? 0) }.sorted(by: >)
        // Now and then those that lag are left behind.
        let applied = random.next(3) == 0 ? UInt64.max : servers.map(\.seq).min() ?? 0
        let floor = min(snapshots[1], applied) + 1
        guard floor > engine.floor else { return }
        leader.push { [weak self] in
            if $0.path.truncate(below: floor) { self?.met.truncations += 1 }
        }
    }

    private func land(_ index: Int) {
        if case .success = engine.make(late.remove(at: index)) { met.late += 1 }
    }

    private func deliver() {
        let server = servers[random.next(servers.count)]
        if let until = server.deafUntil, clock.instant < until { return }
        _ = server.log.tails.last?.advance()
    }

    private func write() {
        let leaders = servers.filter { $0.role == .leader && $0.pausedUntil == nil }
            .sorted { $0.store?.path.head.term ?? 0 < $1.store?.path.head.term ?? 0 }
        let any = servers[random.next(servers.count)]
        // Where two believe to lead, what the older one answers to a reader of the other's is what
        // may be wrong.
        let isRace = leaders.count > 1 && leaders[0].queued == 0 && random.next(3) == 0
        let isAny = leaders.isEmpty || random.next(5) == 0
        let server = isRace ? leaders[0] : isAny ? any : leaders[leaders.count - 1]
        let isConditional = isRace || random.next(2) == 0
        let id = isConditional ? "r\(random.next(3))" : "w\(writes.count)"
        // A client may have read it anywhere.
        let reader = isRace ? leaders[1] : servers[random.next(servers.count)]
        let expected: UInt64? = isConditional ? document(id, of: reader)?.revision ?? 0 : nil
        submit(id, expected, to: server)
    }

    /// - Parameter expected: The revision of the entity, 0 where there is none; nil: any.
    private func submit(_ id: String, _ expected: UInt64?, to server: Server) {
        let json = #"{"id":"\#(id)","n":\#(writes.count)}"#
        guard let document = try? Make.document(json) else { return }
        let condition: WriteCondition =
            switch expected {
            case nil: .none
            case 0?: .absent
            case let revision?: .ifMatch([revision])
            }
        let write = Write(id, json, expected, engine.events.count, server)
        writes.append(write)
        open.append(write)
        guard let transaction = Transaction(operations: [.set(Make.type("t"), document, condition)])
        else { return }
        guard let queue = server.store?.queue else {
            write.outcome = .notLeader(url: nil)
            open.removeLast()
            return
        }
        let refusal = queue.push(
            Submission(transaction: transaction, size: 100) { [weak self] outcome in
                guard write.outcome == nil else { return }
                write.outcome = outcome
                self?.answered(write, outcome)
            })
        if refusal != nil { write.outcome = .overloaded }
    }

    private func document(_ id: String, of server: Server) -> Document? {
        (try? Make.id(id)).flatMap { server.store?.document(Make.type("t"), $0) }
    }

    private func answered(_ write: Write, _ outcome: WriteOutcome) {
        if write.server.isDead {
            // Nobody heard it.
            write.outcome = .logAway(unknown: true)
            return
        }
        open.removeAll { $0 === write }
        switch outcome {
        case .done: met.acknowledged += 1
        case .logAway(true): met.unknown += 1
        case .rejected(_, let rejection):
            met.rejected += 1
            judge(write, rejection)
        default: met.refused += 1
        }
    }

    // MARK: What must hold

    /// A failed condition shows what was the newest at some time since it was submitted.
    private func judge(_ write: Write, _ rejection: WriteRejection) {
        note()
        let shown: UInt64
        switch rejection {
        case .preconditionFailed(let document): shown = document?.revision ?? 0
        case .exists(let document), .unwanted(let document): shown = document.revision
        default: return
        }
        let all = history[write.id] ?? []
        let wasCurrent =
            all.indices.contains { index in
                all[index].revision == shown
                    && (index + 1 == all.count || all[index + 1].at >= write.begun)
            } || shown == 0 && (all.first.map { $0.at >= write.begun } ?? true)
        if !wasCurrent {
            faults.append("a condition was judged by revision \(shown) of \(write.id), long gone")
        }
    }

    /// Takes note of what the log has got.
    private func note() {
        while seen < engine.events.count {
            defer { seen += 1 }
            guard case .record(let record) = engine.events[seen] else { continue }
            if record.bytes.count == engine.recordLimit { met.inParts += 1 }
            (SharedFrame.whole(record, engine.records) ?? []).withUnsafeBytes { bytes in
                guard let frame = SharedFrame.read(bytes),
                    let cluster = engine.head.flatMap({ LogHead($0.bytes) })?.cluster
                else {
                    faults.append("a frame that cannot be read")
                    return
                }
                let before = chains[frame.firstSeq - 1] ?? SharedFrame.seed(of: cluster)
                if frame.previousChain != before || chains[frame.lastSeq] != nil {
                    faults.append("the frame of seq \(frame.firstSeq) does not follow")
                }
                chains[frame.lastSeq] = frame.chain(of: cluster)
                var decoder = CommitDecoder(
                    SharedFrame.payload(of: bytes))
                while let commit = decoder.commit(), commit.seq > 0 {
                    for _ in 0..<commit.entryCount {
                        guard let entry = decoder.entry() else { return }
                        history[String(decoding: entry.id, as: UTF8.self), default: []].append(
                            (commit.seq, String(decoding: entry.entity, as: UTF8.self), seen))
                    }
                }
            }
        }
    }

    private func check() {
        note()
        for server in servers where server.seq > 0 {
            guard let store = server.store, let chain = chains[server.seq] else {
                faults.append("\(server.name) stands at \(server.seq), which ends no frame")
                continue
            }
            // While a frame is being applied the chain is that of the one before.
            if store.path.chain != chain, store.cursor.seq == server.seq {
                faults.append("\(server.name) has another chain at \(server.seq)")
            }
        }
    }

    /// Ends all trouble, and lets everything come to rest.
    func heal() {
        calm = true
        engine.isAway = false
        while !late.isEmpty { land(0) }
        settleDown()
    }

    /// Which server leads and is awake.
    var leader: Int? { servers.firstIndex { $0.role == .leader && !$0.isHeld } }

    func freeze(_ index: Int) {
        servers[index].isHeld = true
        servers[index].clock.stands.set(Int(servers[index].clock.instant.nanoseconds))
    }

    func note(_ standing: ConfigurationStanding, of index: Int) {
        servers[index].push { $0.note(standing) }
        settleDown()
    }

    /// It runs again, hears nothing and its clock stands.
    func thaw(_ index: Int) { servers[index].isHeld = false }

    func resume(_ index: Int) { resume(servers[index]) }

    func write(_ id: String, to server: Int, asReadFrom reader: Int) {
        submit(id, document(id, of: servers[reader])?.revision ?? 0, to: servers[server])
    }

    /// Asks a server whether what it has is the newest. - Returns: 0 before its answer, 1 for yes, 2 for
    /// no.
    func confirm(_ index: Int) -> Counter {
        let answer = Counter()
        servers[index].store?.confirm { answer.set($0 == nil ? 1 : 2) }
        return answer
    }

    /// Was the last write neither made nor judged?
    var lastIsRefused: Bool {
        switch writes.last?.outcome {
        case .notLeader, .logAway(unknown: false): true
        default: false
        }
    }

    /// A server dies and comes again with nothing, while the others sleep.
    func replace(_ index: Int, alone: Bool) {
        kill(servers[index])
        shown[servers[index].name] = 0
        servers[index] = start(servers[index].name)
        for other in servers.indices where alone && other != index {
            servers[other].sleepsUntil = nil
            servers[other].isHeld = true
        }
    }

    /// Those that slept hear everything that they have missed.
    func wake() {
        for server in servers { server.isHeld = false }
    }

    /// Lets everything come to rest, at most a minute of the simulation.
    func settleDown(until isDone: ((ReplicaLife) -> Bool)? = nil) {
        for turn in 0..<3_000 {
            for server in servers {
                resume(server)
                while !server.isHeld, server.log.tails.last?.advance() == true {}
            }
            clock.advance(milliseconds: 20)
            if turn > 50, isDone?(self) ?? isAtRest { break }
        }
        check()
    }

    /// One leads, and whoever is awake has all that the log has.
    private var isAtRest: Bool {
        let end = engine.head.flatMap { LogHead($0.bytes) }?.seq ?? 0
        let awake = servers.filter { !$0.isHeld }
        return open.isEmpty && awake.filter { $0.role == .leader }.count == 1
            && awake.allSatisfy { $0.seq == end && $0.queued == 0 }
    }

    /// One write by each server that leads or follows; the leader's is taken.
    func writeOneEach() {
        for _ in 0..<20 { write() }
        settleDown()
    }

    var sequences: [UInt64] { servers.map(\.seq) }
    var roles: [ReplicaPath.Role] { servers.map(\.role) }
    var areAllStopped: Bool {
        roles.allSatisfy { if case .stopped = $0 { true } else { false } }
    }

    func compareAll() {
        guard roles.filter({ $0 == .leader }).count == 1 else {
            faults.append("after all: \(roles)")
            return
        }
        let end = engine.head.flatMap { LogHead($0.bytes) }?.seq ?? 0
        for server in servers {
            if server.seq != end {
                faults.append(
                    "\(server.name), \(server.role), ends at \(server.seq) of \(end)")
            }
            for (id, revisions) in history {
                let stored = document(id, of: server)
                if stored?.text != revisions.last?.json {
                    faults.append("\(server.name) has another \(id)")
                }
            }
        }
        for write in writes { judgeAtTheEnd(write) }
    }

    private func judgeAtTheEnd(_ write: Write) {
        let made = history[write.id]?.filter { $0.json == write.json } ?? []
        switch write.outcome {
        case nil: faults.append("\(write.json) was never answered")
        case .done(let receipt):
            guard made.count == 1, made[0].revision == receipt.cursor.seq else {
                faults.append("acknowledged and lost: \(write.json)")
                return
            }
            guard let expected = write.expected, let all = history[write.id],
                let index = all.firstIndex(where: { $0.json == write.json })
            else { return }
            let before = index == 0 ? 0 : all[index - 1].revision
            if before != expected { faults.append("\(write.json) met another revision") }
        case .logAway(true):
            if made.count > 1 { faults.append("made twice: \(write.json)") }
        default:
            if !made.isEmpty { faults.append("refused and made: \(write.json)") }
        }
    }
}
