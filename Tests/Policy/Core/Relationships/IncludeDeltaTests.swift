import FreshetBase
import FreshetConfig
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetCore
@testable import FreshetLive

// The oracle of live includes: at any cursor, items and included entities that a client has reduced
// are those of a fresh search at that seq, and nothing that the caller may not read was ever told.

private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}

private final class Bystander: LiveSubscriber {
    func liveResultChanged() {}
}

/// What a client holds.
private struct Held: Equatable {
    /// Items in order, as text.
    var order: [String] = []
    var items: [String: String] = [:]
    /// By type and id.
    var included: [String: [String: String]] = [:]
    var version: UInt64 = 0

    /// What the promise holds of: without types of which nothing is there, and without members that
    /// are silent for the query.
    func shown(_ plan: IncludePlan) throws -> [String] {
        try order.map { try Self.promised(items[$0] ?? "{}", "a", plan) }
            + included.flatMap { type, entities in
                try entities.map { "\(type):\($0)=\(try Self.promised($1, type, plan))" }
            }.sorted()
    }

    private static func promised(
        _ text: String, _ type: String, _ plan: IncludePlan
    ) throws -> String {
        let silent = TypeName(type).map { plan.silentMembers(of: $0) } ?? []
        let members = try JSONValue.parse(Array(text.utf8)).objectValue ?? []
        return JSONValue.object(members.filter { !silent.contains(Array($0.name.utf8)) }).text
    }

    mutating func merge(_ value: JSONValue?) {
        for type in value?.objectValue ?? [] {
            for entity in type.value.objectValue ?? [] {
                included[type.name, default: [:]][entity.name] = entity.value.text
            }
        }
    }

    mutating func apply(_ result: LiveResult) throws {
        self = Held()
        version = result.seq
        for (part, more) in zip(result.parts, result.included) {
            for item in try JSONValue.parse([0x5B] + part + [0x5D]).arrayValue ?? [] {
                order.append(Self.id(item["id"]))
                items[Self.id(item["id"])] = item.text
            }
            if let more { merge(try JSONValue.parse(more)) }
        }
    }

    mutating func apply(_ event: JSONValue) {
        guard let to = event["to"]?.int64Value, to > Int64(version) else { return }
        let removed = (event["remove"]?.objectValue ?? []).map(\.name)
        let placed = (event["place"]?.arrayValue ?? []).map {
            (id: Self.id($0[0]), at: Int($0[1]?.int64Value ?? -1))
        }
        let out = Set(removed).union(placed.map(\.id))
        order.removeAll { out.contains($0) }
        for (id, at) in placed where at <= order.count { order.insert(id, at: at) }
        for id in removed { items[id] = nil }
        for entity in event["put"]?.arrayValue ?? [] { items[Self.id(entity["id"])] = entity.text }
        merge(event["included"])
        for type in event["dropped"]?.objectValue ?? [] {
            for id in type.value.arrayValue ?? [] { included[type.name]?[Self.id(id)] = nil }
        }
        version = UInt64(to)
    }

    private static func id(_ value: JSONValue?) -> String {
        value?.stringValue ?? value?.numberText ?? "?"
    }
}

private final class Client {
    let request: LiveRequest
    let plan: IncludePlan
    var membership: LiveMembership?
    var held: Held?
    var cursor: (seq: UInt64, digest: UInt64?) = (0, nil)
    var past: [(seq: UInt64, digest: UInt64?, held: Held)] = []

    init(_ request: LiveRequest, _ plan: IncludePlan) {
        self.request = request
        self.plan = plan
    }
}

/// Types `a` and `b` that name each other, some of them secret.
private struct World {
    let core: CoreManager
    let commits = Commits()
    let set = LiveSet()
    var router: LiveRouter
    var numbers: Numbers
    let seed: UInt64
    var views: [StoreViews] = []
    var pending: [Change] = []
    var begun: [(group: LiveGroup, at: StoreViews?)] = []
    var clients: [Client] = []
    var deltas = 0
    var drops = 0
    var resumed = 0
    var spared = 0
    /// Commits of silent members alone, and deltas of nothing else.
    var quiet: Set<UInt64> = []
    var quietDeltas = 0

    private static let relationships: [String: [(name: String, to: String)]] = [
        "a": [("one", "b"), ("many", "a"), ("back", "b")],
        "b": [("up", "a"), ("many", "b"), ("twice", "a")],
    ]

    init(seed: UInt64) throws {
        self.seed = seed
        numbers = Numbers(state: seed)
        let declarations = [
            "a": """
            {"properties":{"views":{"type":"integer","silent":true}},\
            "relationships":{"one":{"type":"b","association":"one"},\
            "many":{"type":"a","association":"many"},"back":{"type":"b","by":"up"}}}
            """,
            "b": """
            {"properties":{"views":{"type":"integer","silent":true},\
            "up":{"type":"integer","silent":true}},\
            "relationships":{"up":{"type":"a","association":"one"},\
            "many":{"type":"b","association":"many"},"twice":{"type":"a","by":"many"}}}
            """,
        ]
        var schemas: [TypeSchema] = []
        for (name, text) in declarations {
            let (schema, faults) = try readType(text, named: name)
            schemas.append(try #require(schema, "\(faults)"))
        }
        core = CoreManager(
            store: MemoryStore(observer: commits), catalog: TypeCatalog(schemas),
            limits: CoreLimits(), live: LiveQueries())
        router = LiveRouter(set)
        set.history.begin(after: 0, ChangeHistory.Limits())
        views.append(core.store.views())
    }

    var seq: UInt64 { UInt64(views.count - 1) }

    mutating func commit() throws {
        let type = numbers.chance(50) ? "a" : "b"
        let id = 1 + numbers.below(10)
        let name = try #require(TypeName(type))
        if numbers.chance(25) {
            _ = core.writer.committer.commitNow(
                Transaction(.remove(name, EntityID(Int64(id)), .none)))
        } else if numbers.chance(30),
            let old = core.store.views()[name]?.document(EntityID(Int64(id)))
        {
            // `views` stands last.
            let text = String(decoding: old.json, as: UTF8.self)
            let json = "\(text.dropLast(2))\(numbers.below(4))}"
            var builder = DocumentBuilder()
            let document = try Array(json.utf8).withUnsafeBytes {
                try core.writer.document(name, $0, id: .body, using: &builder)
            }
            _ = core.writer.committer.commitNow(Transaction(.set(name, document, .none)))
            quiet.insert(seq + 1)
        } else {
            let many = (0..<numbers.below(3)).map { _ in 1 + numbers.below(10) }
            let json =
                "{\"id\":\(id),\"\(type == "a" ? "one" : "up")\":\(1 + numbers.below(10)),"
                + "\"many\":\(many),\"n\":\(numbers.below(4)),\"secret\":\(numbers.chance(25)),"
                + "\"views\":\(numbers.below(4))}"
            var builder = DocumentBuilder()
            let document = try Array(json.utf8).withUnsafeBytes {
                try core.writer.document(name, $0, id: .body, using: &builder)
            }
            _ = core.writer.committer.commitNow(Transaction(.set(name, document, .none)))
        }
        let changes = commits.take()
        set.history.record(changes)
        pending += changes
        let now = core.store.views()
        // A removal of what is not there is no commit.
        if now.cursor.seq > seq { views.append(now) } else { quiet.remove(seq + 1) }
        #expect(now.cursor.seq == seq)
    }

    mutating func turn(all: Bool = false) {
        let through = all ? seq : UInt64(numbers.below(Int(seq) + 1))
        let told = pending.filter { $0.seq <= through }
        pending.removeAll { $0.seq <= through }
        router.take(told, newest: through)
        let now = views[Int(seq)]
        let set = set
        var first: [LiveGroup] = []
        let progress = router.turn(
            most: all ? 10_000 : 1 + numbers.below(5), begin: { first += $0 },
            evaluate: { groups in
                for group in groups { set.install(group) { Self.install($0, now) } }
                return now.cursor.seq
            })
        begun += first.map { ($0, nil) }
        guard all else { return }
        let searched = !begun.isEmpty
        while !begun.isEmpty { search() }
        if searched || progress != .idle { turn(all: true) }
    }

    private static func install(_ group: LiveGroup, _ views: StoreViews) -> Bool {
        let view = views[group.query.type] ?? .empty
        let outcome: Result<SearchResult, EngineError>
        do throws(EngineError) { outcome = .success(try group.plan.run(on: view)) } catch {
            outcome = .failure(error)
        }
        return group.install(outcome, in: views, view, deadline: .never)
    }

    /// A step of a first evaluation: its views are taken, or it ends.
    mutating func search() {
        guard !begun.isEmpty else { return }
        let index = numbers.below(begun.count)
        guard let at = begun[index].at else {
            begun[index].at = views[Int(seq)]
            return
        }
        let group = begun.remove(at: index).group
        _ = set.installInBackground(group) { Self.install($0, at) }
    }

    // MARK: Clients

    mutating func makeClient() throws {
        let type = try #require(TypeName("a"))
        let hidden = AccessRights.Rows.some(try RowRule(try Filter(parsing: "secret == false")))
        let rights =
            numbers.chance(50)
            ? AccessRights(named: [:], others: .init(read: hidden, write: .none)) : nil
        var query = Query(type: type)
        if numbers.chance(60) { query.filter = try Filter(parsing: "n >= 1") }
        if numbers.chance(40) {
            query.order = .keys([OrderKey(path: try PropertyPath(parsing: "n"))])
        }
        if numbers.chance(60) { query.limit = 1 + numbers.below(4) }
        if numbers.chance(25) { query.offset = numbers.below(3) }
        if numbers.chance(20) { query.ids = [EntityID(1), EntityID(4)] }
        query.count = numbers.chance(30)
        if let rights { query.restrict(to: rights.of(type).read.filter) }
        let include =
            numbers.chance(20)
            ? Include.all(depth: 2)
            : .paths((0...numbers.below(2)).map { _ in PropertyPath(randomPath()) })
        query.include = include
        let plan = try IncludePlan(include, of: type, core.types.catalog.declared, for: rights)
        var request = LiveRequest(query, numbers.chance(80) ? .delta : .snapshot)
        request.include = plan
        request.silent = plan.silentMembers(of: type)
        clients.append(Client(request, plan))
    }

    private mutating func randomPath() -> [String] {
        var type = "a"
        return (0..<1 + numbers.below(3)).map { _ in
            let known = Self.relationships[type] ?? []
            let next = known[numbers.below(known.count)]
            type = next.to
            return next.name
        }
    }

    /// Comes with nothing or with a cursor that it had at some time.
    mutating func connect(_ client: Client) throws {
        var request = client.request
        if client.held != nil, numbers.chance(80) {
            if numbers.chance(50), let past = client.past.randomElement(using: &numbers) {
                client.held = past.held
                client.cursor = (past.seq, past.digest)
            }
            request.resume = .cursor(
                seq: client.cursor.seq, digest: numbers.chance(50) ? client.cursor.digest : nil)
            resumed += 1
        } else {
            client.held = nil
        }
        client.membership = try set.join(request, Bystander()).membership
    }

    mutating func look(_ client: Client) throws {
        guard let membership = client.membership else { return }
        switch set.take(membership) {
        case .pending: return
        case .failed: Issue.record("seed \(seed): the query failed")
        case .current(let through): client.cursor.seq = through
        case .sync(let through, let digest): client.cursor = (through, digest)
        case .snapshot(let result, _):
            var held = Held()
            try held.apply(result)
            client.held = held
            client.cursor = (result.seq, result.digest)
        case .delta(let delta):
            deltas += 1
            let event = try JSONValue.parse([0x7B] + delta.members)
            if event["dropped"] != nil { drops += 1 }
            if !client.plan.mayShowAll {
                let text = String(decoding: delta.members, as: UTF8.self)
                #expect(!text.contains("\"secret\":true"), "seed \(seed): a secret was told")
            }
            client.held?.apply(event)
            if (delta.from + 1...delta.to).allSatisfy({ quiet.contains($0) }) {
                quietDeltas += 1
                #expect(event.text.isEmpty, "seed \(seed): silent members make no news")
            }
            client.cursor = (delta.to, delta.digest)
        }
        guard let held = client.held else { return }
        let fresh = try fresh(client, at: client.cursor.seq)
        #expect(
            try held.shown(client.plan) == fresh.shown(client.plan),
            "seed \(seed) at \(client.cursor.seq) \(client.request)")
        client.past.append((client.cursor.seq, client.cursor.digest, held))
        if client.past.count > 20 { client.past.removeFirst(5) }
    }

    private func fresh(_ client: Client, at seq: UInt64) throws -> Held {
        let views = views[Int(seq)]
        let query = client.request.query
        let found = try SearchPlan(query).run(on: views[query.type] ?? .empty)
        let included = try client.plan.resolve(found.documents, in: views, deadline: .never)
        var held = Held()
        try held.apply(
            LiveResult(found, at: seq, showing: ShownContent(), including: included))
        return held
    }
}

extension IncludePlan {
    /// Whether the test's caller may read everything.
    fileprivate var mayShowAll: Bool { !String(decoding: key, as: UTF8.self).contains("reads") }
}

@Suite struct IncludeDeltaTests {
    @Test("Items and included entities that deltas have made are those of a fresh search")
    func oracle() throws {
        let first = TestSeed.first
        print("include oracle: first seed \(first)")
        var deltas = 0
        var drops = 0
        var resumed = 0
        let isEnough = { deltas > 300 && drops > 60 && resumed > 100 }
        for round in Rounds(40, until: isEnough) {
            let world = try live(seed: first + UInt64(round))
            deltas += world.deltas
            drops += world.drops
            resumed += world.resumed
        }
        print("\(deltas) deltas, \(drops) with dropped, \(resumed) resumed")
        #expect(isEnough(), "\(deltas) \(drops) \(resumed)")
    }

    private static func sorted(_ names: [[UInt8]]) -> [[UInt8]] {
        names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func live(seed: UInt64) throws -> World {
        var world = try World(seed: seed)
        for _ in 0..<12 { try world.commit() }
        for _ in 0..<5 { try world.makeClient() }
        for _ in 0..<300 {
            switch world.numbers.below(10) {
            case 0...2: try world.commit()
            case 3...4: world.turn()
            case 5: world.search()
            case 6...8:
                let client = world.clients[world.numbers.below(world.clients.count)]
                if client.membership == nil {
                    try world.connect(client)
                } else if world.numbers.chance(10), let membership = client.membership {
                    world.set.leave(membership)
                    client.membership = nil
                } else {
                    try world.look(client)
                }
            default:
                if world.numbers.chance(20) { world.turn(all: true) }
            }
        }
        // In the end everybody is up to date.
        world.turn(all: true)
        for client in world.clients {
            if client.membership == nil { try world.connect(client) }
            world.turn(all: true)
            try world.look(client)
            try world.look(client)
            #expect(client.held != nil, "seed \(seed)")
            #expect(client.cursor.seq == world.seq, "seed \(seed)")
        }
        return world
    }

    @Test("A link that is followed is told though it is silent; what is shown beside it is not")
    func silentLinks() throws {
        let world = try World(seed: 1)
        let a = try #require(TypeName("a"))
        let b = try #require(TypeName("b"))
        func plan(_ path: String..., of type: TypeName) throws -> IncludePlan {
            let declared = world.core.types.catalog.declared
            return try IncludePlan(.paths([PropertyPath(path)]), of: type, declared, for: nil)
        }
        let views = Array("views".utf8)
        let up = Array("up".utf8)
        #expect(try plan("one", of: a).silent.mapValues(Self.sorted) == [b: [up, views]])
        #expect(try plan("back", of: a).silent == [b: [views]])
        #expect(try plan("one", "up", of: a).silent == [a: [views], b: [views]])
        #expect(try plan("up", of: b).silentMembers(of: b) == [views])
        #expect(Self.sorted(try plan("many", of: b).silentMembers(of: b)) == [up, views])
        #expect(try plan("one", of: a).key != plan("back", of: a).key)
    }

    @Test("A change costs the groups that it concerns, not all that have an include")
    func cost() throws {
        let type = try #require(TypeName("a"))
        let other = try #require(TypeName("b"))
        var index = WatchIndex()
        var groups: [LiveGroup] = []
        for number in 0..<200 {
            var request = LiveRequest(Query(type: type))
            request.include = Plain(types: [other])
            let group = try LiveGroup(
                request, key: LiveKey(template: [], filter: []), request.query)
            index.insert(group)
            let watch = LiveWatch(
                shown: [other: [EntityID(Int64(number % 50))]],
                backward: [
                    other: [
                        .init(property: Array("up".utf8), parents: [EntityID(Int64(number))])
                    ]
                ])
            let empty = try SearchPlan(Query(type: type)).run(on: .empty)
            _ = group.install(empty, including: LiveIncluded([], watch: watch), at: 1) { _ in nil }
            index.renew(group)
            groups.append(group)
        }
        func visits(_ json: String) throws -> Int {
            var builder = DocumentBuilder()
            let document = try Array(json.utf8).withUnsafeBytes {
                try builder.build(json: $0, id: .fromBody)
            }
            document.seal(revision: 1)
            var count = 0
            index.forEach(Change(seq: 2, type: other, old: nil, new: document)) { _ in
                count += 1
            }
            return count
        }
        #expect(try visits("{\"id\":7}") == 4)
        #expect(try visits("{\"id\":1000}") == 0)
        #expect(try visits("{\"id\":1000,\"up\":[3,4]}") == 2)
        for group in groups { index.remove(group) }
        #expect(try visits("{\"id\":7,\"up\":3}") == 0)
        #expect(index.groups(of: other).isEmpty)
    }
}

/// An include of which only the types matter.
private struct Plain: LiveInclude {
    let types: Set<TypeName>
    var key: [UInt8] { [] }
    var silent: [TypeName: [[UInt8]]] { [:] }

    func mayShow(_: Document, of _: TypeName) -> Bool { true }
}
