import Dispatch
import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetLive
import FreshetQuery
import FreshetStore
import Glibc
import Testing

/// Waits, on a condition of its own, until it is told.
// SAFETY: a semaphore at one address, made for use by several threads.
private final class Waiter: LiveSubscriber, @unchecked Sendable {

    private let signal = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(signal, 0, 0) }

    deinit {
        sem_destroy(signal)
        signal.deallocate()
    }

    func liveResultChanged() { sem_post(signal) }

    /// - Returns: false after two minutes without a word.
    func wait() -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += 120
        return sem_timedwait(signal, &end) == 0
    }
}

/// A memory store with live queries over it.
private struct Scene {
    let live = LiveQueries()
    let core: CoreManager
    let type: TypeName

    init() throws {
        type = try #require(TypeName("task"))
        core = CoreManager(
            store: MemoryStore(observer: live), catalog: TypeCatalog(),
            limits: CoreLimits(), live: live)
    }

    func put(_ json: String) throws {
        var builder = DocumentBuilder()
        let document = try Array(json.utf8).withUnsafeBytes {
            try core.writer.document(type, $0, id: .body, using: &builder)
        }
        _ = core.writer.committer.commitNow(Transaction(.set(type, document, .none)))
    }

    func query(_ filter: String) throws -> Query {
        var query = Query(type: type)
        query.filter = try Filter(parsing: filter)
        return query
    }

    /// Takes results until one contains `text`.
    func takes(_ text: String, _ membership: LiveMembership, _ waiter: Waiter) -> Bool {
        while waiter.wait() {
            guard case .snapshot(let result, _) = live.set.take(membership) else { continue }
            let shown = result.parts.map { String(decoding: $0, as: UTF8.self) }.joined()
            if shown.contains(text) { return true }
        }
        return false
    }
}

@Suite struct LiveQueriesTests {
    @Test func commitsReachTheirWatchers() throws {
        let scene = try Scene()
        let waiter = Waiter()
        let membership = try scene.live.join(LiveRequest(try scene.query("a == 1")), waiter)
        #expect(scene.takes("", membership, waiter))
        try scene.put(#"{"id":1,"a":1}"#)
        #expect(scene.takes(#""id":1"#, membership, waiter))
        try scene.put(#"{"id":2,"a":2}"#)
        try scene.put(#"{"id":3,"a":1}"#)
        #expect(scene.takes(#""id":3"#, membership, waiter))
        scene.live.leave(membership)
        #expect(scene.live.set.counts.subscriptions == 0)
    }

    /// Writers beside subscribers: whoever joins sees the last state, whenever that was.
    @Test func nothingIsLostBetweenASnapshotAndTheWritesBesideIt() throws {
        let scene = try Scene()
        let writers = 4
        let writes = 200
        let query = try scene.query("a == 1")
        let exact = Counter()
        let work = DispatchGroup()
        // Queues of their own, since a waiter keeps its thread.
        for writer in 0..<writers {
            DispatchQueue(label: "writer").async(group: work) {
                for number in 1...writes {
                    // A write that fails shows in what the subscribers miss.
                    try? scene.put(#"{"id":\#(writer),"a":1,"n":\#(number)}"#)
                }
            }
        }
        for _ in 0..<8 {
            DispatchQueue(label: "subscriber").async(group: work) {
                let waiter = Waiter()
                // A subscriber that cannot join is one too few below.
                guard let membership = try? scene.live.join(LiveRequest(query), waiter) else {
                    return
                }
                defer { scene.live.leave(membership) }
                repeat {
                    guard case .snapshot(let result, _) = scene.live.set.take(membership) else {
                        continue
                    }
                    let shown = result.parts.map { String(decoding: $0, as: UTF8.self) }.joined()
                    let isLast = (0..<writers).allSatisfy {
                        shown.contains(#"{"id":\#($0),"a":1,"n":\#(writes)}"#)
                    }
                    if isLast { return exact.add() }
                } while waiter.wait()
            }
        }
        work.wait()
        #expect(exact.value == 8)
    }

    @Test func aPositionIsNeverClaimedBeforeItsChangesAreShown() throws {
        let scene = try Scene()
        let other = try #require(TypeName("other"))
        let waiter = Waiter()
        let membership = try scene.live.join(LiveRequest(try scene.query("a == 1")), waiter)
        #expect(scene.takes("", membership, waiter))
        var shown = 0
        for number in 1...300 {
            try scene.put(#"{"id":1,"a":1,"n":\#(number)}"#)
            let seq = scene.core.store.seq
            var builder = DocumentBuilder()
            let document = try Array(#"{"id":\#(number)}"#.utf8).withUnsafeBytes {
                try scene.core.writer.document(other, $0, id: .body, using: &builder)
            }
            _ = scene.core.writer.committer.commitNow(Transaction(.set(other, document, .none)))
            switch scene.live.set.take(membership) {
            case .snapshot(let result, _):
                shown = result.parts.contains { $0.contains("\(number)") } ? number : shown
            case .current(let through):
                #expect(through < seq || shown == number, "\(number) is claimed and not shown")
            case .pending, .delta, .sync: break
            case .failed: Issue.record("the query failed")
            }
        }
    }
}

extension [UInt8] {
    /// Whether the item's `n` is `number`.
    fileprivate func contains(_ number: String) -> Bool {
        String(decoding: self, as: UTF8.self).contains("\"n\":\(number)}")
    }
}
