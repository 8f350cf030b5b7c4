import Dispatch
import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetLive
import FreshetQuery
import FreshetStore
import Synchronization
import Testing

/// A store whose next views, once taken, are held back until a gate is opened.
// SAFETY: all it has is Sendable and never changes.
private final class GatedStore: ForwardingStore, @unchecked Sendable {
    /// Views that wait at the gate.
    private let gated = Counter()
    private let gate = DispatchSemaphore(value: 0)
    let reached = DispatchSemaphore(value: 0)

    func close(gateFor views: Int) { gated.set(views) }

    func openGate() { gate.signal() }

    override func views(of types: Set<TypeName>?) -> StoreViews {
        let views = super.views(of: types)
        if gated.value > 0 {
            gated.add(-1)
            reached.signal()
            gate.wait()
        }
        return views
    }
}

private final class Told: LiveSubscriber {
    private let signal = DispatchSemaphore(value: 0)

    func liveResultChanged() { signal.signal() }

    /// - Returns: false after two minutes without a word.
    func wait() -> Bool { signal.wait(timeout: .now() + .seconds(120)) == .success }
}

private struct Scene {
    let live = LiveQueries()
    let store: GatedStore
    let core: CoreManager
    let type: TypeName

    init() throws {
        type = try #require(TypeName("task"))
        store = GatedStore(MemoryStore(observer: live))
        core = CoreManager(
            store: store, catalog: TypeCatalog(), limits: CoreLimits(), live: live)
    }

    func put(_ json: String, to name: String = "task") throws {
        let type = try #require(TypeName(name))
        var builder = DocumentBuilder()
        let document = try Array(json.utf8).withUnsafeBytes {
            try core.writer.document(type, $0, id: .body, using: &builder)
        }
        store.submit(Transaction(.set(type, document, .none))) { _ in }
    }

    func request(_ filter: String, _ mode: LiveRequest.Mode = .delta) throws -> LiveRequest {
        var query = Query(type: type)
        query.filter = try Filter(parsing: filter)
        return LiveRequest(query, mode)
    }

    /// Takes news, without a word where there is none, until one is there.
    func news(_ membership: LiveMembership, _ told: Told) -> String? {
        repeat {
            switch live.set.take(membership) {
            case .snapshot(let result, _):
                return "snapshot "
                    + result.parts.map { String(decoding: $0, as: UTF8.self) }.joined()
            case .delta(let delta): return "delta " + String(decoding: delta.members, as: UTF8.self)
            case .failed: return "failed"
            case .pending, .current, .sync: break
            }
        } while told.wait()
        return nil
    }
}

@Suite struct FirstEvaluationTests {
    /// Waits on semaphores, so on a thread of its own.
    private func offThePool(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "test").async {
                continuation.resume(with: Result(catching: body))
            }
        }
    }

    @Test func aFirstEvaluationThatIsHeldUpDelaysNobodyElse() async throws {
        try await offThePool {
            let scene = try Scene()
            try scene.put(#"{"id":1,"a":1,"b":1}"#)
            let quick = Told()
            let first = try scene.live.join(try scene.request("a == 1"), quick)
            #expect(scene.news(first, quick)?.hasPrefix("snapshot") == true)

            scene.store.close(gateFor: 1)
            let slow = Told()
            let second = try scene.live.join(try scene.request("b >= 1"), slow)
            #expect(scene.store.reached.wait(timeout: .now() + .seconds(120)) == .success)
            // Its search stands at the gate; changes of both queries go by.
            for number in 2...5 {
                try scene.put(#"{"id":\#(number),"a":1,"b":1}"#)
                let news = try #require(scene.news(first, quick))
                #expect(news.hasPrefix("delta") && news.contains(#""id":\#(number)"#))
            }
            if case .pending = scene.live.set.take(second) {
            } else {
                Issue.record("an answer before its search")
            }
            scene.store.openGate()
            let answer = try #require(scene.news(second, slow))
            #expect((1...5).allSatisfy { answer.contains(#""id":\#($0),"#) })
            try scene.put(#"{"id":6,"b":1}"#)
            #expect(scene.news(second, slow)?.contains(#""id":6"#) == true)
        }
    }

    @Test func aQueryWhoseSearchTookLongDelaysNobodyElse() async throws {
        try await offThePool {
            let scene = try Scene()
            try scene.put(#"{"id":1,"a":1,"b":1}"#)
            let (quick, slow) = (Told(), Told())
            let first = try scene.live.join(try scene.request("a == 1"), quick)
            #expect(scene.news(first, quick)?.hasPrefix("snapshot") == true)
            var request = try scene.request("b >= 1", .snapshot)
            // So long a window is searched anew for each change.
            request.query.limit = 100_000
            let second = try scene.live.join(request, slow)
            #expect(scene.news(second, slow)?.hasPrefix("snapshot") == true)
            second.group.remember(search: .seconds(1))
            scene.store.close(gateFor: 1)
            try scene.put(#"{"id":2,"a":1,"b":1}"#)
            #expect(scene.store.reached.wait(timeout: .now() + .seconds(120)) == .success)
            // Its search stands at the gate; changes of both queries go by.
            #expect(scene.news(first, quick)?.contains(#""id":2"#) == true)
            for number in 3...5 {
                try scene.put(#"{"id":\#(number),"a":1,"b":1}"#)
                let news = try #require(scene.news(first, quick))
                #expect(news.hasPrefix("delta") && news.contains(#""id":\#(number)"#))
            }
            scene.store.openGate()
            let answer = try #require(scene.news(second, slow))
            #expect((1...5).allSatisfy { answer.contains(#""id":\#($0),"#) })
        }
    }

    @Test func aCommitThatConcernsNobodyDuringATurnIsRoutedWithIt() async throws {
        try await offThePool {
            let scene = try Scene()
            var request = try scene.request("a == 1", .snapshot)
            // So long a window is searched anew for each change, on the router's queue.
            request.query.limit = 100_000
            let told = Told()
            let first = try scene.live.join(request, told)
            #expect(scene.news(first, told) != nil)
            scene.store.close(gateFor: 1)
            try scene.put(#"{"id":1,"a":1}"#)
            #expect(scene.store.reached.wait(timeout: .now() + .seconds(120)) == .success)
            try scene.put(#"{"id":1}"#, to: "other")
            scene.store.openGate()
            #expect(scene.news(first, told)?.contains(#""id":1"#) == true)
            // Its first news has all that was committed before: the other commit, too.
            let second = try scene.live.join(request, told)
            #expect(scene.news(second, told)?.hasPrefix("snapshot") == true)
        }
    }

    @Test func whoeverComesForAQueryIsServedByOneEvaluation() async throws {
        try await offThePool {
            let scene = try Scene()
            for number in 1...20 { try scene.put(#"{"id":\#(number),"a":1}"#) }
            scene.store.close(gateFor: 1)
            var clients: [(LiveMembership, Told)] = []
            for number in 0..<200 {
                let told = Told()
                var request = try scene.request("a == 1")
                // Back with a cursor, as after a restart, or new.
                if number % 2 == 0 { request.resume = .cursor(seq: 12, digest: nil) }
                clients.append((try scene.live.join(request, told), told))
                if number == 100 {
                    _ = scene.store.reached.wait(timeout: .now() + .seconds(120))
                }
            }
            scene.store.openGate()
            var deltas = 0
            for (membership, told) in clients {
                let news = try #require(scene.news(membership, told))
                if news.hasPrefix("delta") { deltas += 1 }
                #expect(news.contains(#""id":20"#))
            }
            #expect(deltas == 100)
            #expect(scene.live.firstEvaluations == 1)
        }
    }
}
