import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

/// Whole lives of a store, made of a seed: starts, batches, snapshots with writes beside them, clean
/// ends, deaths of the process, power losses after any call, failed and full disks, short writes,
/// read errors and, between a clean end and a start, flipped bits, in any order.
///
/// After each start the state must be what was acknowledged, perhaps with whole transactions behind
/// it that got no answer: never a hole, never a part. While it runs nothing is shown that was not
/// acknowledged. 100 lives are lived, or as many as `FRESHET_LIVES` says, or 20,000 where
/// `FRESHET_LONG_TESTS` is set. A failure names its seed, and `FRESHET_SEED` begins with that one.
@Suite struct StoreLifeTests {
    @Test func whateverHappensNothingAcknowledgedIsLostAndNothingElseIsThere() async throws {
        let number = { (name: String) in getenv(name).flatMap { UInt64(String(cString: $0)) } }
        let first = number("FRESHET_SEED") ?? 1
        let usual: UInt64 = getenv("FRESHET_LONG_TESTS") == nil ? 100 : 20_000
        let count = max(1, number("FRESHET_LIVES") ?? usual)
        print("store lives: seeds \(first)...\(first + count - 1)")
        var met = StoreLife.Met()
        for seed in first..<first + count {
            let life = StoreLife(seed)
            try life.run()
            met.add(life.met)
            // Other tests want the thread, too.
            await Task.yield()
        }
        print("store lives: \(met)")
        // What is said to be survived has happened, where enough was lived for it.
        guard count >= 100 else { return }
        #expect(met.losses > 50 && met.deaths > 20 && met.closes > 20 && met.snapshots > 50)
        #expect(met.unknown > 20 && met.full > 20 && met.reopened > 5)
        #expect(met.crashedStarts > 5 && met.unread > 1 && met.rotten > 20)
    }
}

/// One life. A class, because writes come also from within a compaction.
private final class StoreLife {
    /// What happened, summed over lives, to show that a run tries what it says.
    struct Met: CustomStringConvertible {
        var starts = 0
        var crashedStarts = 0
        var unread = 0
        var writes = 0
        var unknown = 0
        var full = 0
        var reopened = 0
        var snapshots = 0
        var losses = 0
        var deaths = 0
        var closes = 0
        var tails = 0
        var rotten = 0
        var refused = 0

        mutating func add(_ other: Met) {
            starts += other.starts
            crashedStarts += other.crashedStarts
            unread += other.unread
            writes += other.writes
            unknown += other.unknown
            full += other.full
            reopened += other.reopened
            snapshots += other.snapshots
            losses += other.losses
            deaths += other.deaths
            closes += other.closes
            tails += other.tails
            rotten += other.rotten
            refused += other.refused
        }

        var description: String {
            "\(starts) starts (\(crashedStarts) crashed, \(unread) with a read error, \(tails) "
                + "with a torn tail), \(writes) transactions (\(unknown) without an answer, "
                + "\(full) without room), \(snapshots) snapshots, \(reopened) reopened; ends: "
                + "\(losses) power losses, \(deaths) deaths, \(closes) closes; \(rotten) flipped "
                + "bits (\(refused) refused)"
        }
    }

    /// Entities by id; what a transaction does to them.
    private typealias State = [String: String]
    private typealias Step = (id: String, json: String?)

    private let seed: UInt64
    private var random: Seeded
    private var files: SimulatedFileSystem
    private let options: FileStoreOptions
    private let clock = ManualClock()
    /// What was acknowledged, in order, and what may have happened behind it.
    private var known: State = [:]
    private var unknown: [State] = []
    /// Of a store that syncs later: what a power loss may go back to.
    private var earlier: [State] = []
    private var number = 0
    private var hasSetAside = false
    private var wasClosed = false
    private(set) var met = Met()

    init(_ seed: UInt64) {
        self.seed = seed
        random = Seeded(seed)
        files = SimulatedFileSystem(seed: seed)
        var options = Simulated.options()
        options.segmentLength = [1_024, 2_048, 8_192].randomElement(using: &random) ?? 1_024
        options.snapshotMinimum =
            [1_500, 4_000, 64 << 20].randomElement(using: &random) ?? 1_500
        options.retain = Int.random(in: 1...2, using: &random)
        options.reserve = Bool.random(using: &random) ? 0 : 8_192
        options.allocationStep = [512, 4_096].randomElement(using: &random) ?? 512
        options.zeroStep = [0, 256, 1_024].randomElement(using: &random) ?? 0
        if Int.random(in: 0..<5, using: &random) == 0 { options.durability = .relaxed }
        self.options = options
    }

    private func note(_ what: String) -> Comment { "seed \(seed), \(what)" }

    private func chance(_ part: Int, of whole: Int = 100) -> Bool {
        Int.random(in: 0..<whole, using: &random) < part
    }

    // MARK: Sessions

    func run() throws {
        for _ in 0..<Int.random(in: 3...7, using: &random) { try session() }
        // Whatever came before, a start on a sound machine goes well and the directory is intact.
        calm()
        files = files.restarted(seed: random.next(), keepingCache: true)
        guard let store = try start() else {
            Issue.record(note("no start"))
            return
        }
        store.checkConsistency()
        store.close()
        let report = try StoreVerifier.verify(directory: "data", files: files)
        #expect(isSound(report) && report.entities == known.count, note("verified at the end"))
    }

    /// Flips a bit of a closed directory: it is opened with all that it had, or refused.
    private func rot() throws {
        let names = files.names().filter {
            $0.hasPrefix("snap-") || $0.hasPrefix("log-") || $0.hasPrefix("MANIFEST-")
        }
        guard let name = names.randomElement(using: &random),
            let whole = files.content(of: name), !whole.isEmpty
        else { return }
        var bytes = whole
        let bit = Int.random(in: 0..<whole.count * 8, using: &random)
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        // Another machine looks at it, so that this one goes on with the sound files.
        let copy = files.restarted(seed: random.next(), keepingCache: true)
        copy.replace(name, with: bytes)
        met.rotten += 1
        do throws(StoreError) {
            let store = try Simulated.open(copy, options, clock: clock)
            #expect(store.life == known, note("bit \(bit) of \(name)"))
            store.close()
        } catch {
            met.refused += 1
            guard case .damaged(_, let damages) = error else {
                Issue.record(note("bit \(bit) of \(name): \(error)"))
                return
            }
            #expect(damages.contains { $0.file == name }, note("\(name) in \(damages)"))
        }
    }

    /// A snapshot that could not be read once is set aside, and the older manifest still names it.
    private func isSound(_ report: VerifyReport) -> Bool {
        report.damages.isEmpty && (report.outvoted.isEmpty || hasSetAside)
    }

    private func session() throws {
        if wasClosed && chance(60) && !files.hasCrashed { try rot() }
        wasClosed = false
        if chance(40) { files.crash(after: files.calls + Int.random(in: 0..<250, using: &random)) }
        if chance(10) {
            files.fail("read", occurrence: Int.random(in: 1...6, using: &random), code: EIO)
        }
        if chance(30) { files.writeShort() }
        if let store = try start() {
            for _ in 0..<Int.random(in: 3...25, using: &random) where !files.hasCrashed {
                try step(store)
            }
            met.snapshots += store.metrics.snapshots
            try end(store)
        } else if !files.hasCrashed {
            // A disk that could not be read, and can be now.
            met.unread += 1
            calm()
        } else {
            met.crashedStarts += 1
            lose()
        }
    }

    /// - Returns: nil where the machine or the disk did not let it start.
    private func start() throws -> FileStore? {
        let store: FileStore
        do throws(StoreError) {
            store = try Simulated.open(files, options, clock: clock)
        } catch {
            let isExcused = files.hasCrashed || files.heal()
            #expect(isExcused, note("a start failed: \(error)"))
            return nil
        }
        met.starts += 1
        met.tails += store.recovery.torn == nil ? 0 : 1
        if !store.recovery.fallback.isEmpty { hasSetAside = true }
        let found = store.life
        var candidates = [known] + unknown
        if options.durability != .full { candidates += earlier }
        #expect(candidates.contains(found), note("found \(found), acknowledged \(known)"))
        known = found
        unknown = []
        earlier = []
        return store
    }

    private func end(_ store: FileStore) throws {
        if files.hasCrashed {
            lose()
            return
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            calm()
            let wasFailed = store.status.phase == .failed
            store.close()
            if files.hasCrashed {
                lose()
                return
            }
            met.closes += 1
            wasClosed = !wasFailed
            if !wasFailed {
                // What was not synced is by now.
                earlier = []
                let sound = files.restarted(seed: 0, keepingCache: true)
                let report = try StoreVerifier.verify(directory: "data", files: sound)
                #expect(isSound(report) && report.torn == nil, note("closed"))
            }
            if Bool.random(using: &random) { files = files.restarted(seed: random.next()) }
        case 1:
            met.deaths += 1
            // What the kernel has got stays; what the disk has refused may be gone all the same.
            files = files.restarted(seed: random.next(), keepingCache: true)
        default:
            lose()
        }
    }

    private func lose() {
        met.losses += 1
        files = files.restarted(seed: random.next())
    }

    private func calm() {
        files.heal()
        files.setCapacity(.max)
    }

    // MARK: Steps

    private func step(_ store: FileStore) throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: try write(store, count: Int.random(in: 1...4, using: &random))
        case 60..<68:
            // Writes go on beside it; the end of the segment may begin one by itself, too.
            _ = try? store.compact { [self] in
                if chance(30) { try? write(store, count: 1, beside: true) }
            }
        case 68..<76: store.idle()
        case 76..<82:
            clock.advance(milliseconds: [10, 150, 2_000].randomElement(using: &random) ?? 10)
        case 82..<90: fault()
        case 90..<93: files.setCapacity(files.usedBytes + Int.random(in: 0...3_000, using: &random))
        case 93..<96: calm()
        default: reopen(store)
        }
        if files.hasCrashed { return }
        #expect(store.life == known, note("nothing is shown that was not acknowledged"))
    }

    private func fault() {
        let calls = [
            "syncData", "syncData", "sync", "write", "allocate", "truncate", "rename", "open",
            "remove", "read",
        ]
        let codes: [CInt] = [EIO, EIO, ENOSPC]
        files.fail(
            calls.randomElement(using: &random) ?? "write",
            occurrence: Int.random(in: 1...3, using: &random),
            code: codes.randomElement(using: &random) ?? EIO)
    }

    private func reopen(_ store: FileStore) {
        guard store.status.phase == .failed else { return }
        do throws(StoreError) {
            try store.reopen()
            met.reopened += 1
            let found = store.life
            var candidates = [known] + unknown
            if options.durability != .full { candidates += earlier }
            #expect(candidates.contains(found), note("reopened with \(found), known \(known)"))
            known = found
            unknown = []
        } catch {
            // It stays failed; a fault is still there, or the disk has less than was shown.
            if !files.hasCrashed && options.durability == .full {
                if case .behind = error {
                    Issue.record(note("the disk is behind what was shown: \(error)"))
                }
            }
        }
    }

    /// Submits some transactions together.
    private func write(_ store: FileStore, count: Int, beside: Bool = false) throws {
        var waiting: [(steps: [Step], outcome: AwaitedValue<WriteOutcome>)] = []
        for _ in 0..<count {
            let steps = transaction()
            let operations = try steps.map { step in
                try step.json.map { try Make.set("t", $0) } ?? Make.remove("t", step.id)
            }
            guard let transaction = Transaction(operations: operations) else { continue }
            let outcome = AwaitedValue<WriteOutcome>()
            store.submit(transaction) { outcome.give($0) }
            waiting.append((steps, outcome))
            met.writes += 1
        }
        if beside { store.stepQueue() } else { store.runQueue() }
        for (steps, outcome) in waiting {
            switch outcome.wait() {
            case .done:
                #expect(unknown.isEmpty, note("an answer behind one that was not known"))
                earlier.append(known)
                known = Self.apply(steps, to: known)
            case .storageFailed(unknown: true):
                met.unknown += 1
                unknown.append(Self.apply(steps, to: unknown.last ?? known))
            case .storageFull: met.full += 1
            case .storageFailed(unknown: false), .overloaded, .closed: break
            case .notLeader, .logAway, .logFull: Issue.record(note("answered as by a replica"))
            case .rejected(_, let rejection):
                Issue.record(note("refused: \(rejection)"))
            }
        }
    }

    /// Few ids, so that entities are changed, removed and come back.
    private func transaction() -> [Step] {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let id = String(Int.random(in: 0..<12, using: &random))
            if chance(25) { return (id, nil) }
            number += 1
            let text = String(repeating: "x", count: Int.random(in: 0...120, using: &random))
            return (id, "{\"id\":\"\(id)\",\"n\":\(number),\"x\":\"\(text)\"}")
        }
    }

    private static func apply(_ steps: [Step], to state: State) -> State {
        var state = state
        for step in steps { state[step.id] = step.json }
        return state
    }
}

extension FileStore {
    /// What it has, as the model has it.
    fileprivate var life: [String: String] {
        var state: [String: String] = [:]
        view(Make.type("t"))?.forEach { state[$0.id.text] = $0.text }
        return state
    }
}
