import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetRefresh
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// Things of which the rows are told by hand.
private final class Things: SystemProvider {
    let type = SystemType.streams
    private let texts = Shared<[EntityID: String]>([:])
    private let tell = Shared<(@Sendable (SystemChange) -> Void)?>(nil)

    var isWatched: Bool { tell.value != nil }

    /// Sets or removes a thing and tells of it.
    func set(_ id: EntityID, _ text: String?) {
        texts.update { $0[id] = text }
        tell.value?(.row(id))
    }

    func set(_ count: Int) {
        texts.set(
            Dictionary(uniqueKeysWithValues: (1...count).map { (EntityID(Int64($0)), "x") }))
    }

    func tellOfAll() { tell.value?(.all) }

    var rows: [String] {
        texts.value.sorted { $0.key < $1.key }.map {
            #"{"id":"\#($0.key.text)","text":"\#($0.value)"}"#
        }
    }

    // MARK: SystemProvider

    func ids() -> [EntityID] { Array(texts.value.keys) }

    func append(_ id: EntityID, _ bound: TextBound, to body: inout ByteBuffer) -> Bool {
        guard let text = texts.value[id] else { return false }
        body.append("{")
        body.member("id", id.text)
        body.member("text", bound.cut(text))
        body.append("}")
        return true
    }

    func watch(_ changed: @escaping @Sendable (SystemChange) -> Void) -> RunSubscription {
        tell.set(changed)
        return RunSubscription { [tell] in tell.set(nil) }
    }
}

private final class Scene {
    let things = Things()
    let clock = ManualOperationClock()
    let isWatched = Shared(true)
    let rows: SystemRows
    private let lane = PolicyWorkers(.chore)
    private let core: CoreManager
    private let store: any EntityStore

    init() {
        let live = LiveQueries()
        core = CoreManager(
            store: MemoryStore(observer: live), catalog: TypeCatalog(), limits: CoreLimits(),
            live: live)
        store = core.store(of: things.type.name)
        rows = SystemRows(
            things, core.watcher(of: things.type.name), on: lane, clock: clock
        ) { [isWatched] in isWatched.value }
    }

    /// Moves the clock, and waits for what was begun by that.
    func pass(_ span: Duration) {
        clock.advance(by: span)
        lane.performAndWait {}
    }

    /// Until nothing is left to do.
    func settle() { for _ in 0..<64 { pass(SystemRows.rest) } }

    var stored: [String] { Self.texts(store.view(things.type.name) ?? .empty) }

    static func texts(_ table: TableView) -> [String] {
        var texts: [String] = []
        table.forEach { texts.append(String(decoding: $0.json, as: UTF8.self)) }
        return texts
    }

    var commits: UInt64 { store.seq }
    var isTruncated: Bool { core.watcher(of: things.type.name).truncated.value.count > 0 }
}

@Suite struct SystemRowsTests {
    @Test func whileNobodyWatchesNothingIsKept() {
        let scene = Scene()
        scene.things.set(EntityID(1), "a")
        scene.settle()
        #expect(!scene.things.isWatched && scene.rows.watched == nil && scene.clock.scheduled == 0)
        #expect(scene.rows.madeCount == 0 && scene.commits == 0)
        let made = scene.rows.make(nil)
        #expect(Scene.texts(made.table) == scene.things.rows && !made.isTruncated)
        #expect(Scene.texts(scene.rows.make([EntityID(2), EntityID(1)]).table).count == 1)
        #expect(scene.stored == [] && scene.commits == 0)
    }

    @Test func rowsFollowWhatTheyShow() {
        let seed = TestSeed.first
        print("system rows: seed \(seed)")
        var random = SocketGenerator(state: seed)
        let scene = Scene()
        for id in 1...20 { scene.things.set(EntityID(Int64(id)), "a") }
        scene.rows.open()
        #expect(scene.stored == scene.things.rows)
        for _ in 0..<200 {
            for _ in 0..<random.below(5) {
                let id = EntityID(Int64(random.below(30)))
                scene.things.set(id, random.below(3) == 0 ? nil : "\(random.below(4))")
            }
            if random.below(20) == 0 { scene.things.tellOfAll() }
            scene.pass(SystemRows.rest)
            #expect(scene.stored == scene.things.rows, "seed \(seed)")
            #expect(scene.rows.watched.map { Scene.texts($0.table) } == scene.things.rows)
        }
    }

    @Test func aBurstCostsOneRenderingATurn() {
        let scene = Scene()
        scene.things.set(EntityID(1), "0")
        scene.rows.open()
        let before = scene.rows.madeCount
        for tenth in 1...20 {
            for each in 0..<100 { scene.things.set(EntityID(1), "\(tenth).\(each)") }
            scene.pass(.milliseconds(100))
        }
        // Two seconds, and the one that comes at once.
        let made = scene.rows.madeCount - before
        #expect(made >= 2 && made <= 9, "\(made)")
        scene.settle()
        #expect(scene.stored == scene.things.rows)
        let (commits, quiet) = (scene.commits, scene.rows.madeCount)
        scene.things.set(EntityID(1), "20.99")
        scene.settle()
        #expect(scene.commits == commits, "an equal row is no commit")
        #expect(scene.rows.madeCount == quiet + 1)
    }

    @Test func aTurnMakesSoManyRowsAndLeavesTheRest() {
        let scene = Scene()
        scene.things.set(1_200)
        scene.rows.open()
        let before = scene.rows.madeCount
        scene.things.tellOfAll()
        scene.pass(.zero)
        #expect(scene.rows.madeCount == before + SystemRows.rowsOfTurn)
        scene.pass(SystemRows.rest)
        #expect(scene.rows.madeCount == before + 2 * SystemRows.rowsOfTurn)
        scene.settle()
        #expect(scene.rows.madeCount == before + 1_200)
    }

    @Test func ofTooManyTheLowestAreShown() {
        let scene = Scene()
        scene.things.set(SystemRows.mostRows + 10)
        #expect(scene.rows.make(nil).isTruncated)
        scene.rows.open()
        #expect(scene.isTruncated && scene.rows.watched?.isTruncated == true)
        #expect(scene.stored == Array(scene.things.rows.prefix(SystemRows.mostRows)))
        // One of them goes, and the next comes; a lower one comes, and the last goes.
        scene.things.set(EntityID(7), nil)
        scene.settle()
        #expect(scene.stored == Array(scene.things.rows.prefix(SystemRows.mostRows)))
        scene.things.set(EntityID(0), "new")
        scene.things.set(EntityID(7), "back")
        scene.settle()
        #expect(scene.stored == Array(scene.things.rows.prefix(SystemRows.mostRows)))
        #expect(scene.isTruncated)
        for id in 1...20 { scene.things.set(EntityID(Int64(id)), nil) }
        scene.settle()
        #expect(scene.stored == scene.things.rows && !scene.isTruncated)
        scene.things.set(SystemRows.mostRows + 1)
        scene.things.tellOfAll()
        scene.settle()
        #expect(scene.stored == Array(scene.things.rows.prefix(SystemRows.mostRows)))
        #expect(scene.isTruncated)
    }

    @Test func aMinuteAfterTheLastQueryTheRowsGo() {
        let scene = Scene()
        scene.things.set(EntityID(1), "a")
        scene.rows.open()
        scene.pass(.seconds(300))
        #expect(scene.rows.watched != nil, "a query stands on the type")
        scene.isWatched.set(false)
        scene.rows.open()
        scene.pass(.seconds(50))
        #expect(scene.rows.watched != nil)
        scene.pass(.seconds(15))
        #expect(scene.rows.watched == nil && !scene.things.isWatched && scene.stored == [])
        #expect(scene.clock.scheduled == 0)
        let made = scene.rows.madeCount
        scene.things.set(EntityID(1), "b")
        scene.settle()
        #expect(scene.rows.madeCount == made)
        scene.rows.open()
        #expect(scene.stored == scene.things.rows)
    }

    @Test func rowsAreBounded() {
        let scene = Scene()
        scene.things.set(EntityID(1), String(repeating: "é", count: 40_000))
        let text = Scene.texts(scene.rows.make(nil).table)[0]
        #expect(text.utf8.count <= 1_024 + 64 && text.hasSuffix(#"é…"}"#))
        #expect(
            TextBound(bytes: 3).cut("abcd") == "abc…" && TextBound(bytes: 4).cut("abcd") == "abcd")
        #expect(TextBound(bytes: 3).cut("aéé") == "aé…" && TextBound(bytes: 2).cut("aéé") == "a…")
    }
}
