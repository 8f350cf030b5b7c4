import Foundation
import FreshetBase
import FreshetJSON
import FreshetQuery
import FreshetRefresh
import FreshetRemote
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetCore

@Suite("What only the server that leads does")
struct LeadershipTests {
    private let engine = MemoryEngine()
    private let directory: TemporaryFolder
    private let events = Events()

    init() throws { directory = try TemporaryFolder() }

    /// - Parameter takeover: A leader beats a third as often.
    private func member(
        _ name: String, digest: String = "", takeover: Duration? = nil
    ) async throws -> Member {
        let member = try Member(
            name, over: engine, in: directory.path, digest: digest, beat: takeover.map { $0 / 3 },
            telling: events)
        _ = await withCheckedContinuation { continuation in
            member.store.whenJoined(within: .seconds(60)) { continuation.resume(returning: $0) }
        }
        member.leadership.start(with: member.store)
        return member
    }

    private func handOver(from old: Member, to next: Member) async {
        await withCheckedContinuation { continuation in
            old.store.stepDown(to: next.name) { _ in continuation.resume() }
        }
    }

    @Test("Duties begin and end with the lead, in turn, and each lead notes its configuration")
    func turns() async throws {
        let a = try await member("a", digest: "one")
        await events.arrived("a begins")
        await events.arrived("a sees one")
        let b = try await member("b", digest: "two")
        #expect(a.core.operations.board.leads && !b.core.operations.board.leads)
        for _ in 0..<3 {
            events.forget()
            await handOver(from: a, to: b)
            for event in ["a ends", "b begins", "a sees two", "b sees two"] {
                await events.arrived(event)
            }
            #expect(!a.core.operations.board.leads && b.core.operations.board.leads)
            events.forget()
            await handOver(from: b, to: a)
            for event in ["b ends", "a begins", "a sees one", "b sees one"] {
                await events.arrived(event)
            }
        }
        let turns = events.all.filter { $0.hasPrefix("a ") && !$0.contains("sees") }
        #expect(
            turns == (0..<7).map { $0.isMultiple(of: 2) ? "a begins" : "a ends" },
            "none is left out, and none comes twice")
        a.close()
        b.close()
    }

    @Test("Switches and conditions hold on the next leader, and are shown by the others")
    func holds() async throws {
        let a = try await member("a")
        await events.arrived("a begins")
        let b = try await member("b")
        for member in [a, b] {
            member.core.operations.board.declare(
                conditions: [.init("open", persists: true)], specs: [:],
                stored: member.core.operations.conditions.stored())
        }
        let told = Promise<ConditionState?>()
        let subscription = b.core.operations.board.observeConditions { told.fulfil($0.first) }
        let set = await Promise.value {
            a.core.operations.conditions.set([ConditionWrite("open", true)], completion: $0)
        }
        guard case .set = set else {
            Issue.record("it is set: \(set)")
            return
        }
        #expect(await told.value()?.value == true)
        subscription.cancel()
        let turned = await Promise.value {
            a.core.operations.setActive(false, nil, completion: $0)
        }
        guard case .done? = turned else {
            Issue.record("it is turned: \(String(describing: turned))")
            return
        }
        #expect(!a.core.operations.isServiceActive && b.core.operations.isServiceActive)
        await handOver(from: a, to: b)
        await events.arrived("b begins")
        #expect(!b.core.operations.isServiceActive)
        #expect(b.core.operations.board.condition("open")?.value == true)
        // What a follower is ordered, it refuses: its doors send it on.
        let refused = await Promise.value { a.core.operations.setActive(true, nil, completion: $0) }
        guard case .notLeader? = refused else {
            Issue.record("it is refused: \(String(describing: refused))")
            return
        }
        _ = await Promise.value { b.core.operations.setActive(true, nil, completion: $0) }
        #expect(b.core.operations.isServiceActive)
        a.close()
        b.close()
    }

    @Test(
        "What a leader that was deposed unawares would answer from its tables, it refuses",
        arguments: UnwrittenOrder.allCases)
    func deposed(order: UnwrittenOrder) async throws {
        let a = try await member("a", takeover: .seconds(600))
        await events.arrived("a begins")
        a.core.operations.board.declare(
            conditions: [.init("open", persists: true)], specs: [:], stored: [])
        // What it says is stored from here on.
        _ = try await UnwrittenOrder.conditionAsItIs.carryOut(by: a.core)
        #expect(try await order.carryOut(by: a.core) == "done")
        engine.replaceHead(#""term":1,"leader":"a""#, by: #""term":2,"leader":"b""#)
        #expect(try await order.carryOut(by: a.core) == "not-leader")
        a.close()
    }

    @Test("Answers that were kept while another led count against the bound")
    func answers() async throws {
        let a = try await member("a")
        await events.arrived("a begins")
        let b = try await member("b")
        let place = SHA256Digest(of: "key")
        guard
            case .run(let ticket) = a.core.writer.answers.start(
                place, body: [UInt8]().withUnsafeBytes { BodyPrint(of: $0) }, keepsEntity: false)
        else {
            Issue.record("it is the first of its key")
            return
        }
        await Promise.value { done in
            ticket.keep(
                Array("{}".utf8),
                AnswerHead(seq: a.store.seq, changed: false, durability: .full),
                completion: { done(()) })
        }
        #expect(b.core.writer.answers.counts.kept == 0)
        await handOver(from: a, to: b)
        await events.arrived("b begins")
        #expect(b.core.writer.answers.counts.kept == 1)
        a.close()
        b.close()
    }
}

/// An order that needs no commit.
enum UnwrittenOrder: CaseIterable, Sendable {
    case removalOfNothing, patchOfNothingAtTheRemote, conditionAsItIs, entryThatIsNone, retryOfNone

    /// - Returns: What came of it: `done`, or the name of the refusal.
    func carryOut(by core: CoreManager) async throws -> String {
        switch self {
        case .removalOfNothing:
            var parser = try core.reader.queryParser(OutboxScene.type, for: nil)
            try parser.take(name: "filter", value: "x==1")
            let order = WriteOrder(
                .removal(of: try parser.finish()), to: WriteDestination(.local), by: .init())
            return try await Self.write(order, by: core)
        case .patchOfNothingAtTheRemote:
            core.outbox.replace(targets: [
                OutboxScene.type: OutboxTarget(
                    ScriptedRemote(), revertsRejected: false, retry: RetryPolicy(limit: 2))
            ])
            let patch = WriteOperation.merge(
                OutboxScene.type, try EntityID("none"), patch: Array("{}".utf8), .none)
            let order = WriteOrder(
                .transaction(Transaction(patch)), to: WriteDestination(.remote), isOfEntity: true,
                by: .init())
            return try await Self.write(order, by: core)
        case .conditionAsItIs:
            let outcome = await Promise.value {
                core.operations.conditions.set([ConditionWrite("open", false)], completion: $0)
            }
            switch outcome {
            case .set: return "done"
            case .refused(let outcome): return Self.name(outcome)
            case .unknown: return "it is not declared"
            }
        case .entryThatIsNone:
            return try await Self.order { core.outbox.remove($0, completion: $1) }
        case .retryOfNone:
            return try await Self.order { core.outbox.retry($0, completion: $1) }
        }
    }

    private static func write(_ order: WriteOrder, by core: CoreManager) async throws -> String {
        guard case .later(let later) = try core.writer.write(order) else { return "now" }
        switch await Promise.value(of: { later.begin(completion: $0) }) {
        case .success(.nothing), .failure(.notCommitted(.rejected)): return "done"
        case .failure(.notCommitted(let outcome)): return name(outcome)
        case let other: return "\(other)"
        }
    }

    private static func order(
        _ order: (EntityID, @escaping @Sendable (Outbox.OrderOutcome) -> Void) -> Void
    ) async throws -> String {
        let id = try EntityID("none")
        let outcome = await Promise.value { order(id, $0) }
        switch outcome {
        case .absent: return "done"
        case .failed(let outcome): return name(outcome)
        case .done, .notDue: return "there is one"
        }
    }

    private static func name(_ outcome: WriteOutcome) -> String {
        if case .notLeader = outcome { "not-leader" } else { "\(outcome)" }
    }
}

/// A folder that is gone when this is.
private final class TemporaryFolder {
    let path = FileManager.default.temporaryDirectory.path + "/freshet-lead-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// One of several servers, as far as its core.
private final class Member {
    let name: String
    let store: ReplicaStore
    let core: CoreManager
    let leadership = Leadership()

    init(
        _ name: String, over engine: MemoryEngine, in directory: String, digest: String,
        beat: Duration?, telling events: Events
    ) throws {
        self.name = name
        let live = LiveQueries()
        var settings = ReplicaSettings(replica: name)
        settings.url = "http://\(name)"
        // A machine that is busy changes no lead.
        settings.takeover = .seconds(600)
        settings.beat = beat ?? .milliseconds(50)
        var options = FileStoreOptions(directory: "\(directory)/\(name)")
        options.reserve = 0
        store = try ReplicaStore.open(
            options, settings, log: MemoryLog(engine), observer: live,
            logger: Log(level: .error, descriptor: -1),
            onChange: { [leadership] _ in leadership.changed() })
        // It ends behind the core's duties, as it is added before them.
        leadership.add(Leadership.Duties(begin: {}, end: { events.note("\(name) ends") }))
        core = CoreManager(
            store: store, catalog: TypeCatalog(), limits: CoreLimits(), live: live, digest: digest,
            leadership: leadership)
        live.listen { changes in
            for change in changes where change.type == ConfigurationNote.type {
                let digest = change.new?.member(named: "digest")?.string ?? ""
                events.note("\(name) sees \(digest)")
            }
        }
        leadership.add(
            Leadership.Duties(begin: { events.note("\(name) begins") }, end: {}))
    }

    func close() {
        leadership.stop()
        store.close()
    }
}

/// What has happened, in its order; each event is waited for once.
// SAFETY: all mutable state is read and written under `lock`.
private final class Events: @unchecked Sendable {
    private let lock = Lock()
    private var happened: [String] = []
    private var unheard: [String] = []
    private var waiting: [(event: String, continuation: CheckedContinuation<Void, Never>)] = []

    var all: [String] { lock.withLock { happened } }

    /// What has happened up to now is waited for no more.
    func forget() { lock.withLock { unheard = [] } }

    func note(_ event: String) {
        let waiter = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            happened.append(event)
            guard let index = waiting.firstIndex(where: { $0.event == event }) else {
                unheard.append(event)
                return nil
            }
            return waiting.remove(at: index).continuation
        }
        waiter?.resume()
    }

    func arrived(_ event: String) async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if let index = unheard.firstIndex(of: event) {
                    unheard.remove(at: index)
                    return true
                }
                waiting.append((event, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
