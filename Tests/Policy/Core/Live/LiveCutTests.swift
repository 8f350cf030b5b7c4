import Dispatch
import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetLive
import FreshetQuery
import FreshetStore
import FreshetTestSupport
import Synchronization
import Testing

// Cuts beside writers: a client of several queries that asks only those that were noted, as a stream
// does, on a queue of its own. Wherever it says that all of its queries are exact at a seq, all of
// them are, asked or not; and when the writers have ended, none owes its last `sync`.

/// What the searches answer at each seq.
private final class Past: Sendable {
    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var models: [UInt64: [Int: Int]] = [:]

    /// Noted before the commit, so that nobody is ahead of it.
    func note(_ model: [Int: Int], at seq: UInt64) { lock.withLock { models[seq] = model } }

    func answer(_ form: CutClient.Form, at seq: UInt64) -> String? {
        guard let model = lock.withLock({ models[seq] }) else { return nil }
        let ids = model.keys.filter { model[$0] == form.value }.sorted()
        if case .counted = form { return "\(ids.count)" }
        return ids.map(String.init).joined(separator: ",")
    }
}

/// A client of several queries, its turns on one queue.
// SAFETY: everything but the notes and `isAwake` belongs to the queue.
private final class CutClient: @unchecked Sendable {
    /// A query for the entities whose `a` is `value`, in each of a group's forms.
    enum Form {
        case followed(Int), refilled(Int), counted(Int)

        var value: Int {
            switch self {
            case .followed(let value), .refilled(let value), .counted(let value): value
            }
        }

        func request(_ type: TypeName) throws -> LiveRequest {
            var query = Query(type: type)
            query.filter = try Filter(parsing: "a == \(value)")
            switch self {
            case .followed: break
            case .refilled: query.limit = 100_000
            case .counted: query.aggregates = [Aggregate.count]
            }
            return LiveRequest(query, .snapshot)
        }
    }

    // SAFETY: as the client's.
    final class Part: LiveSubscriber, @unchecked Sendable {
        let form: Form
        let client: CutClient
        var membership: LiveMembership?
        var shown: String?
        var isOpen = true
        let isPartOfCut = true

        init(_ form: Form, of client: CutClient) {
            self.form = form
            self.client = client
        }

        func liveResultNoted() { client.note(self) }

        func liveResultChanged() {
            client.note(self)
            client.wake()
        }
    }

    private let live: LiveQueries
    private let past: Past
    private let seed: UInt64
    private var random: SystemRandomNumberGenerator = .init()
    private let queue = DispatchQueue(label: "client")
    /// After each of its turns.
    let turned = DispatchSemaphore(value: 0)
    private let isAwake = Atomic<Bool>(false)
    private let lock = Lock()
    private var noted: [Part] = []
    private var parts: [Part] = []
    private var open: [Part] = []
    private var owesSync = true
    private(set) var cuts = 0

    init(_ live: LiveQueries, _ past: Past, seed: UInt64) {
        self.live = live
        self.past = past
        self.seed = seed
    }

    func begin(_ forms: [Form], _ type: TypeName) throws {
        try queue.sync {
            parts = forms.map { Part($0, of: self) }
            open = parts
            for part in parts { part.membership = try live.join(part.form.request(type), part) }
        }
        wake()
    }

    /// Whether it holds the answers of `seq` and has said so.
    func isDone(at seq: UInt64) -> Bool {
        queue.sync {
            !owesSync && parts.allSatisfy { $0.shown == past.answer($0.form, at: seq) }
        }
    }

    func end() {
        queue.sync {
            for membership in parts.compactMap(\.membership) { live.leave(membership) }
            parts = []
            open = []
        }
        lock.withLock { noted = [] }
    }

    private func note(_ part: Part) {
        lock.withLock { noted.append(part) }
    }

    private func wake() {
        guard !isAwake.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async {
            self.isAwake.store(false, ordering: .releasing)
            self.turn()
            self.turned.signal()
        }
    }

    private func turn() {
        let announced = live.set.announced
        let noted = lock.withLock {
            defer { self.noted = [] }
            return self.noted
        }
        for part in noted where !part.isOpen {
            part.isOpen = true
            open.append(part)
        }
        for part in open {
            // A socket that takes no more: the next turn goes on.
            if Int.random(in: 0..<8, using: &random) == 0 {
                wake()
                return
            }
            take(part)
        }
        open.removeAll { part in
            guard let membership = part.membership, part.shown != nil,
                live.set.settle(membership, at: announced, isAwaited: owesSync)
            else { return false }
            part.isOpen = false
            return true
        }
        guard open.isEmpty, owesSync, !parts.isEmpty else { return }
        owesSync = false
        cuts += 1
        for part in parts {
            let expected = past.answer(part.form, at: announced)
            #expect(part.shown == expected, "seed \(seed): \(part.form) at \(announced)")
        }
    }

    private func take(_ part: Part) {
        guard let membership = part.membership else { return }
        switch live.set.take(membership) {
        case .snapshot(let result, _):
            let text = result.parts.map { String(decoding: $0, as: UTF8.self) }.joined()
            if case .counted = part.form {
                part.shown = text.filter(\.isNumber)
            } else {
                part.shown = text.split(separator: "{\"id\":").map { item in
                    String(item.prefix(while: \.isNumber))
                }.filter { !$0.isEmpty }.joined(separator: ",")
            }
            owesSync = true
        case .current, .pending: break
        case .delta, .sync, .failed: Issue.record("seed \(seed): only snapshots were asked for")
        }
    }
}

@Suite struct LiveCutTests {
    @Test func everyCutIsExactAndNoneIsOwedInTheEnd() async throws {
        try await withCheckedThrowingContinuation { continuation in
            // Waits on semaphores, so on a thread of its own.
            DispatchQueue(label: "test").async {
                continuation.resume(
                    with: Result {
                        for number in 0..<12 {
                            // A client of several queries, each of which is evaluated on another view.
                            try run(
                                TestSeed.first, longestCut: number % 2 == 0 ? .seconds(1) : .zero)
                        }
                    })
            }
        }
    }

    private func run(_ seed: UInt64, longestCut: Duration) throws {
        print("live cuts: seed \(seed)")
        var random = CutGenerator(state: seed)
        let live = LiveQueries(longestCut: longestCut)
        let core = CoreManager(
            store: MemoryStore(observer: live), catalog: TypeCatalog(),
            limits: CoreLimits(), live: live)
        let type = try #require(TypeName("task"))
        let other = try #require(TypeName("other"))
        let past = Past()
        var model: [Int: Int] = [:]
        var seq: UInt64 = core.store.seq

        past.note(model, at: seq)
        func write(_ number: Int) throws {
            // One in five is of a type that nobody watches.
            let isOther = random.below(5) == 0
            let (id, value) = (random.below(12), random.below(4))
            if !isOther { model[id] = value }
            past.note(model, at: seq + 1)
            var builder = DocumentBuilder()
            let json = "{\"id\":\(id),\"a\":\(value),\"n\":\(number)}"
            let document = try Array(json.utf8).withUnsafeBytes {
                try core.writer.document(isOther ? other : type, $0, id: .body, using: &builder)
            }
            _ = core.writer.committer.commitNow(
                Transaction(.set(isOther ? other : type, document, .none)))
            seq = core.store.seq
        }

        var clients: [CutClient] = []
        for number in 1...150 {
            if number % 25 == 1 {
                let client = CutClient(live, past, seed: seed)
                let forms = (0..<2 + random.below(4)).map { _ -> CutClient.Form in
                    let value = random.below(4)
                    switch random.below(3) {
                    case 0: return .followed(value)
                    case 1: return .refilled(value)
                    default: return .counted(value)
                    }
                }
                try client.begin(forms, type)
                clients.append(client)
            }
            try write(number)
            // Now and then all is quiet before the next one: its sync may depend on nobody else.
            if random.below(12) == 0 { catchUp(clients, at: seq, seed) }
        }
        catchUp(clients, at: seq, seed)
        for client in clients {
            #expect(client.cuts > 0, "seed \(seed)")
            client.end()
        }
        core.store.close()
    }

    /// Waits until each client has said that it is exact at the last commit, or was not told.
    private func catchUp(_ clients: [CutClient], at seq: UInt64, _ seed: UInt64) {
        for client in clients {
            while !client.isDone(at: seq) {
                guard client.turned.wait(timeout: .now() + .seconds(120)) == .success else {
                    Issue.record("seed \(seed): a sync at \(seq) is owed and nobody was told")
                    return
                }
            }
        }
    }
}

/// A generator whose runs can be repeated.
private struct CutGenerator {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
