import Dispatch
import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetLive
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore
import FreshetTestSupport
import Testing

/// Fetches that overlap with writes and with each other, against a model of the conflict rule.
@Suite struct ConflictRuleTests {
    /// A remote whose every call waits for an answer of its own.
    // SAFETY: all mutable state is read and written under `lock`.
    private final class HeldSource: RemoteSource, @unchecked Sendable {
        let upstreamName = "api"
        let digest = "one"
        let fallback = FallbackErrors.standard
        let canGet = false
        private let lock = Lock()
        private var held: [String: Promise<[String]>] = [:]
        private let begun = DispatchSemaphore(value: 0)

        func canSearch(_ endpoint: String?) -> Bool { true }

        func pushdown(of request: RemoteSearch) throws(UpstreamError) -> RemotePushdown {
            RemotePushdown()
        }

        func get(
            _ id: EntityID, conditions: RemoteValidators?, call: RemoteCall
        ) async throws(UpstreamError) -> RemoteAnswer { throw .timeout }

        func write(
            _ write: RemoteWrite, call: RemoteCall
        ) async throws(UpstreamError) -> RemoteWriteAnswer { throw .timeout }

        func search(
            _ request: RemoteSearch, conditions: RemoteValidators?, call: RemoteCall
        ) async throws(UpstreamError) -> RemoteAnswer {
            let rows = Promise<[String]>()
            lock.withLock { held[request.endpoint ?? ""] = rows }
            begun.signal()
            var builder = DocumentBuilder()
            var answer = RemoteAnswer(
                pushdown: RemotePushdown(), isComplete: true, startSeq: call.startSeq)
            for row in await rows.value() {
                let document = Array(row.utf8).withUnsafeBytes {
                    try? builder.build(json: $0, id: .fromBody)
                }
                guard let document else { continue }
                answer.entities.append(
                    RemoteEntity(
                        type: request.query.type, id: document.id, document: document))
            }
            return answer
        }

        func waitForOne() -> Bool { begun.wait(timeout: .now() + .seconds(120)) == .success }

        func answer(_ endpoint: String, _ rows: [String]) {
            lock.withLock { held.removeValue(forKey: endpoint) }?.fulfil(rows)
        }
    }

    /// What should be there: values, and when each entity last changed.
    private struct Model {
        var values: [String: Int] = [:]
        var changes: [String: Int] = [:]
        var clock = 0

        mutating func write(_ id: String, _ value: Int?) {
            guard values[id] != value else { return }
            clock += 1
            values[id] = value
            changes[id] = clock
        }

        mutating func take(_ rows: [(String, Int)], since start: Int) {
            var changed: [String] = []
            for (id, value) in rows where changes[id, default: 0] <= start {
                guard values[id] != value else { continue }
                values[id] = value
                changed.append(id)
            }
            clock += 1
            for id in changed { changes[id] = clock }
        }
    }

    @Test(arguments: 0..<20)
    func whatIsNewerWinsEntityByEntity(_ round: UInt64) async throws {
        let seed = TestSeed.first &+ round
        try await offPool {
            do { try Self.interleave(seed) } catch { Issue.record("seed \(seed): \(error)") }
        }
    }

    private static func interleave(_ seed: UInt64) throws {
        var random = Random(seed)
        let live = LiveQueries()
        let core = CoreManager(
            store: MemoryStore(observer: live), catalog: TypeCatalog(),
            limits: CoreLimits(), live: live)
        let type = try #require(TypeName("todo"))
        let source = HeldSource()
        core.operations.remotes.replace([type: source])
        var model = Model()
        var open: [(endpoint: String, start: Int, done: DispatchSemaphore)] = []
        let ids = (0..<6).map { "r\($0)" }
        for step in 0..<60 {
            switch random.next() % 4 {
            case 0 where open.count < 4:
                var query = Query(type: type)
                var read = ReadParameters()
                read.source = .remote
                read.endpoint = "e\(step)"
                query.read = read
                guard
                    case .later(let read) = try core.reader.read(
                        ReadQuestion(AskedQuery(query), for: nil, RemoteCaller()))
                else {
                    Issue.record("seed \(seed): a read of the remote is not answered from here")
                    return
                }
                let done = DispatchSemaphore(value: 0)
                read.begin(Patient()) { _ in done.signal() }
                #expect(source.waitForOne())
                open.append(("e\(step)", model.clock, done))
            case 1 where !open.isEmpty:
                let fetch = open.remove(at: Int(random.next() % UInt64(open.count)))
                let rows = ids.filter { _ in random.next() % 2 == 0 }
                    .map { ($0, Int(random.next() % 4)) }
                source.answer(
                    fetch.endpoint, rows.map { #"{"id":"\#($0.0)","n":\#($0.1)}"# })
                #expect(fetch.done.wait(timeout: .now() + .seconds(120)) == .success)
                model.take(rows, since: fetch.start)
            case 2:
                let id = ids[Int(random.next() % 6)]
                _ = core.writer.committer.commitNow(
                    Transaction(.remove(type, try EntityID(id), .none)))
                model.write(id, nil)
            default:
                let id = ids[Int(random.next() % 6)]
                let value = Int(random.next() % 4)
                var builder = DocumentBuilder()
                let document = try Array(#"{"id":"\#(id)","n":\#(value)}"#.utf8).withUnsafeBytes {
                    try builder.build(json: $0, id: .fromBody)
                }
                _ = core.writer.committer.commitNow(Transaction(.set(type, document, .none)))
                model.write(id, value)
            }
            for id in ids {
                let stored = core.store.document(type, try EntityID(id))
                    .flatMap { $0.member(named: "n")?.int64 }.map { Int($0) }
                #expect(stored == model.values[id], "seed \(seed), step \(step), \(id)")
            }
        }
        for fetch in open { source.answer(fetch.endpoint, []) }
    }

    /// Whoever waits to the end.
    private struct Patient: ReadWaiter {
        let isCancelled = false
        func onCancel(_ leave: @escaping @Sendable () -> Void) {}
    }

    /// A small generator that a seed determines (SplitMix64).
    private struct Random {
        private var state: UInt64

        init(_ seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
}
