import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetLive

// The oracle: at any cursor, the state that a client has reduced equals a fresh search at that seq.
//
// A world of few entities with few values, so that rows meet at the edges of windows often. Every
// state of the table is kept (views are cheap), so a search of any past commit can be made.

/// Deterministic random numbers (SplitMix64).
struct OracleGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}

private final class Deaf: LiveSubscriber {
    let told = Counter()
    func liveResultChanged() { told.add() }
}

/// A client and everything that it has held.
private final class OracleClient {
    var request: LiveRequest
    var membership: LiveMembership?
    /// It comes from another query, with what it held of that.
    var hasNewQuery = false
    let subscriber = Deaf()
    var reducer = Reducer()
    /// Whether `v` is silent for it.
    var isSilent: Bool { !request.silent.isEmpty }
    var hasState = false
    var cursor: (seq: UInt64, digest: UInt64?)?
    /// Cursors with what was held at them.
    var past: [(seq: UInt64, digest: UInt64?, reducer: Reducer)] = []

    init(_ request: LiveRequest) { self.request = request }

    /// What the promise holds of an item: of one with silent members all but those, and the revision,
    /// which they move on.
    func promised(_ item: JSONValue) -> String {
        guard isSilent, let members = item.objectValue else { return item.text }
        return JSONValue.object(members.filter { $0.name != "v" && $0.name != "_meta" }).text
    }

    func promised(_ items: [String]) throws -> [String] {
        guard isSilent else { return items }
        return try items.map { promised(try JSONValue.parse(Array($0.utf8))) }
    }
}

private struct OracleWorld {
    var random: OracleGenerator
    let type = TypeName("t")!
    let limits: ChangeHistory.Limits
    /// First evaluations happen beside the router.
    let searchesBeside: Bool
    var set = LiveSet()
    var router: LiveRouter
    /// First evaluations on their way, and the seq of their view once it was taken.
    var searches: [(group: LiveGroup, at: UInt64?)] = []
    /// How many of groups that had an answer before.
    var slowSearches = 0
    /// Commits that have changed `v` of one row and nothing else.
    var quiet: Set<UInt64> = []
    /// Deltas that tell of such commits alone.
    var quietDeltas = 0
    /// All changes of all times, as a log has them.
    var log: [Change] = []
    var table = Table()
    var views: [TableView] = []
    var seq: UInt64 = 0
    var pending: [Change] = []
    var clients: [OracleClient] = []
    var deltas = 0
    var resumes = 0
    var cuts = 0
    /// Rows that were told to be forbidden, and deltas from one row rule to another.
    var forbidden = 0
    var ruled = 0

    init(seed: UInt64, history: ChangeHistory.Limits) {
        random = OracleGenerator(seed: seed)
        limits = history
        searchesBeside = seed % 2 == 0
        router = LiveRouter(set)
        views.append(table.view(seq: 0))
        set.history.begin(after: 0, history)
    }

    // MARK: Writing

    mutating func commit() throws {
        seq += 1
        if random.chance(35), try commitSilently() { return }
        var touched: Set<Int> = []
        for _ in 0..<(random.chance(80) ? 1 : random.below(6) + 1) {
            let number = random.below(24)
            guard touched.insert(number).inserted else { continue }
            let id = number % 3 == 0 ? "k\(number)" : "\(number)"
            var new: Document?
            var old: Document?
            if random.chance(25) {
                old = table.remove(try EntityID(id))
                if old == nil { continue }
            } else {
                let spelled = number % 3 == 1 ? id : "\"\(id)\""
                let document = try document(
                    "{\"id\":\(spelled),\"a\":\(random.below(4)),\"n\":\(random.below(6)),"
                        + "\"s\":\"\(random.pick(["x", "y", "Z"]))\",\"v\":\(random.below(3))}")
                new = document
                old = table.insert(document)
            }
            pending.append(Change(seq: seq, type: type, old: old, new: new))
        }
        noteCommit()
    }

    private func document(_ json: String) throws -> Document {
        var builder = DocumentBuilder()
        let document = try Array(json.utf8).withUnsafeBytes {
            try builder.build(json: $0, id: .fromBody)
        }
        document.seal(revision: seq)
        return document
    }

    /// Changes `v` of a row and nothing else.
    fileprivate mutating func commitSilently() throws -> Bool {
        let number = random.below(24)
        let id = try EntityID(number % 3 == 0 ? "k\(number)" : "\(number)")
        guard let old = table.view(seq: seq - 1).document(id) else { return false }
        var text = String(decoding: old.json, as: UTF8.self)
        // `v` stands last.
        text = "\(text.dropLast(2))\(random.below(3))}"
        guard Array(text.utf8) != Array(old.json) else { return false }
        let new = try document(text)
        _ = table.insert(new)
        pending.append(Change(seq: seq, type: type, old: old, new: new))
        quiet.insert(seq)
        noteCommit()
        return true
    }

    private mutating func noteCommit() {
        let fresh = pending.filter { $0.seq == seq }
        set.history.record(fresh)
        log += fresh
        views.append(table.view(seq: seq))
    }

    /// A server that starts anew: of all that it knew it has the log.
    mutating func restart() {
        set = LiveSet()
        router = LiveRouter(set)
        set.history.begin(after: 0, limits)
        set.history.record(log)
        set.noteRouted(through: seq)
        pending = []
        searches = []
        for client in clients { client.membership = nil }
    }

    // MARK: Routing

    /// Tells the router of some of what was committed, and has it make a turn.
    mutating func turn(all: Bool = false) throws {
        let through = all ? seq : UInt64(random.below(Int(seq) + 1))
        let told = pending.filter { $0.seq <= through }
        pending.removeAll { $0.seq <= through }
        router.take(told, newest: through)
        if random.chance(2) { router.skip(through: through) }
        let view = views[Int(seq)]
        let at = seq
        let set = set
        let most = all ? 10_000 : 1 + random.below(5)
        // There is no time for the others.
        let evaluated = !all && random.chance(30) ? 1 + random.below(3) : .max
        var begun: [LiveGroup] = []
        let begin: ([LiveGroup]) -> Void = { begun += $0 }
        let isSlow = searchesBeside && random.chance(40)
        let progress = router.turn(most: most, begin: searchesBeside ? begin : nil) { groups in
            for group in groups.prefix(evaluated) {
                group.remember(search: isSlow ? .seconds(1) : .zero)
                set.install(group) { Self.install($0, view, at) }
            }
            set.putBack(Array(groups.dropFirst(evaluated)))
            return at
        }
        // Whose last search took long is searched beside the router again.
        if all || random.chance(50) {
            while let group = set.takeSlow() {
                begun.append(group)
                slowSearches += 1
            }
        }
        searches += begun.map { ($0, nil) }
        if all, !searches.isEmpty {
            while !searches.isEmpty { search() }
            return try turn(all: true)
        }
        if all, progress != .idle { try turn(all: true) }
    }

    private static func install(_ group: LiveGroup, _ view: TableView, _ at: UInt64) -> Bool {
        do throws(EngineError) {
            let found = try group.plan.run(on: view)
            return group.install(found, at: at) { view.document($0) }
        } catch {
            return group.install(error)
        }
    }

    /// A step of one first evaluation: its view is taken, or it ends.
    mutating func search() {
        guard !searches.isEmpty else { return }
        let index = random.below(searches.count)
        guard let at = searches[index].at else {
            searches[index].at = seq
            return
        }
        let (group, _) = searches.remove(at: index)
        let view = views[Int(at)]
        _ = set.installInBackground(group) { Self.install($0, view, at) }
    }

    // MARK: Clients

    mutating func makeQuery() throws -> Query {
        var query = Query(type: type)
        let filters = [
            "a == 1", "a >= 2 and n < 4", "s == 'x' or n == 5", "n in [1,3]", "not (a == 0)",
            "true",
            "a == 1 and n >= 2", "v == 1",
        ]
        query.filter = random.chance(80) ? try Filter(parsing: random.pick(filters)) : nil
        let path = { (name: String) throws in try PropertyPath(parsing: name) }
        switch random.below(8) {
        case 6: query.order = .keys([OrderKey(path: try path("v"))])
        case 7:
            query.order = .keys([
                OrderKey(path: try path("a")), OrderKey(path: try path("v"), descending: true),
            ])
        case 0: query.order = .keys([OrderKey(path: try path("n"))])
        case 1: query.order = .keys([OrderKey(path: try path("n"), descending: true)])
        case 2:
            query.order = .keys([
                OrderKey(path: try path("s"), caseInsensitive: true),
                OrderKey(path: try path("a"), descending: true),
            ])
        case 3: query.order = .ids([try EntityID("7"), try EntityID("k3"), try EntityID("1")])
        default: break
        }
        switch random.below(5) {
        case 0: query.limit = random.below(4)
        case 1: query.limit = 5
        case 2:
            query.limit = 1 + random.below(6)
            query.offset = random.below(5)
        case 3: query.limit = nil
        default: break
        }
        if random.chance(10) {
            query.ids = [try EntityID("4"), try EntityID("k9"), try EntityID("1")]
            query.order = .natural
            query.offset = 0
            query.limit = nil
        }
        query.count = random.chance(30)
        if random.chance(25) { query.fields = [try path(random.pick(["n", "v"]))] }
        query.meta = random.chance(10)
        if random.chance(50) { query.restrict(to: try makeRule()) }
        return query
    }

    private mutating func makeRule() throws -> Filter? {
        let rules = ["v >= 1", "a != 2", "s != 'Z'", "n < 5"]
        return random.chance(80) ? try Filter(parsing: random.pick(rules)) : nil
    }

    /// The caller's row rule becomes another one, as with a changed configuration.
    mutating func changeRule(of client: OracleClient) throws {
        guard let membership = client.membership, client.hasState else { return }
        var request = client.request
        request.query.restrict(to: try makeRule())
        guard request.query.rule != client.request.query.rule else { return }
        // What was held under the rule before is of another query.
        client.past = []
        client.request = request
        request.resume = set.resume(of: membership, else: .schema)
        request.holding = set.holding(of: membership)
        request.notBefore = seq
        client.membership = try set.join(request, client.subscriber).membership
        client.hasNewQuery = true
        set.leave(membership)
    }

    /// A remote names other rows, or another order of the same ones.
    mutating func changeList(of client: OracleClient) throws {
        var request = client.request
        request.query = try followed(request.query)
        client.request = request
        guard let membership = client.membership else { return }
        request.resume = set.resume(of: membership, else: .update)
        if client.hasState { request.holding = set.holding(of: membership) }
        request.notBefore = seq
        client.membership = try set.join(request, client.subscriber).membership
        client.hasNewQuery = true
        set.leave(membership)
    }

    /// `query` with some rows of a remote's answer, in its order.
    private mutating func followed(_ query: Query) throws -> Query {
        var ids: [EntityID] = []
        if random.chance(50), case .ids(let known) = query.order {
            ids = known.shuffled(using: &random)
        } else {
            for number in 0..<24 where random.chance(30) {
                ids.append(try EntityID(number % 3 == 0 ? "k\(number)" : "\(number)"))
            }
            ids.shuffle(using: &random)
        }
        var query = query
        let rule = query.rule
        query.restrict(to: nil)
        query.filter = .isIn(.id, ids.map { Literal(string: $0.text) })
        query.restrict(to: rule)
        query.order = ids.isEmpty ? .natural : .ids(ids)
        query.ids = nil
        return query
    }

    mutating func makeClient() throws {
        var request = LiveRequest(try makeQuery(), random.chance(75) ? .delta : .snapshot)
        request.wantsOldValues = random.chance(20)
        if random.chance(40) { request.silent = [Array("v".utf8)] }
        if random.chance(20) {
            request.query = try followed(request.query)
            request.followsRemote = true
        }
        clients.append(OracleClient(request))
    }

    /// Connects with nothing, with the last cursor, with an older one, or with that of a search.
    mutating func connect(_ client: OracleClient) throws {
        var request = client.request
        if client.hasNewQuery {
            client.hasNewQuery = false
            // What it holds is of the rule before, which its cursor does not tell.
            if !request.followsRemote { client.cursor = nil }
        }
        if request.followsRemote {
            request.notBefore = seq
            if random.chance(30) { try changeList(of: client) }
            request.query = client.request.query
        }
        if let cursor = client.cursor, random.chance(80) {
            if random.chance(50), let past = client.past.randomElement(using: &random) {
                client.reducer = past.reducer
                client.cursor = (past.seq, past.digest)
                request.resume = .cursor(seq: past.seq, digest: past.digest)
            } else {
                request.resume = .cursor(seq: cursor.seq, digest: cursor.digest)
            }
            resumes += 1
        } else if random.chance(50) {
            // A search answered once, whose cursor has no digest.
            let at = UInt64(random.below(Int(seq) + 1))
            let found = try search(client.request.query, at: at)
            // What the remote says may be another answer by now.
            if request.followsRemote { try changeList(of: client) }
            request.query = client.request.query
            client.reducer.apply(
                snapshot: [found.items], version: at, total: found.total)
            client.hasState = true
            client.cursor = (at, nil)
            request.resume = .cursor(seq: at, digest: nil)
            resumes += 1
        } else {
            client.hasState = false
        }
        client.membership = try set.join(request, client.subscriber).membership
    }

    mutating func look(_ client: OracleClient, _ seed: UInt64) throws {
        guard let membership = client.membership else { return }
        let news = set.take(membership)
        if case .pending = news { return }
        let hasNewQuery = client.hasNewQuery
        client.hasNewQuery = false
        switch news {
        case .pending: break
        case .failed: Issue.record("seed \(seed): the query failed")
        case .current(let through): client.cursor?.seq = through
        case .sync(let through, let digest): client.cursor = (through, digest)
        case .snapshot(let result, _):
            let parts = try result.parts.map { part in
                try Self.parse("[" + String(decoding: part, as: UTF8.self) + "]").arrayValue ?? []
            }
            client.reducer.apply(snapshot: parts, version: result.seq, total: result.total)
            client.hasState = true
            client.cursor = (result.seq, result.digest)
        case .delta(let delta):
            deltas += 1
            let event = try Self.parse("{" + String(decoding: delta.members, as: UTF8.self))
            let before = client.reducer
            client.reducer.apply(delta: event)
            if random.chance(20) {
                // Twice is once; without the client's own guard, too.
                client.reducer.apply(delta: event)
            }
            client.cursor = (delta.to, delta.digest)
            try checkOld(event, before, client, seed)
            if client.isSilent, !hasNewQuery { try checkNews(client, event, seed) }
            if hasNewQuery { ruled += 1 }
            try checkReasons(
                event, client.request.query,
                in: (hasNewQuery ? delta.from : delta.from + 1)...delta.to, seed)
        }
        try check(client, seed)
    }

    /// What a delta calls old is what the client held.
    private func checkOld(
        _ event: JSONValue, _ before: Reducer, _ client: OracleClient, _ seed: UInt64
    ) throws {
        for member in event["old"]?.objectValue ?? [] {
            let held = try before.items[member.name].map { try client.promised([$0]) }
            #expect(held == [client.promised(member.value)], "seed \(seed): old values")
        }
    }

    /// Changes of silent members alone make no delta but where the answer is another in what is
    /// promised; and a row that is placed anew has its newest body.
    private mutating func checkNews(
        _ client: OracleClient, _ event: JSONValue, _ seed: UInt64
    ) throws {
        let query = client.request.query
        guard let from = event["from"]?.int64Value, let to = event["to"]?.int64Value else { return }
        let told = UInt64(from) + 1...UInt64(to)
        if told.allSatisfy({ quiet.contains($0) }) {
            quietDeltas += 1
            let states = try (UInt64(from)...UInt64(to)).map { at in
                let answer = try search(query, at: at)
                return answer.items.map(client.promised) + ["\(answer.total ?? 0)"]
            }
            #expect(
                zip(states, states.dropFirst()).contains { $0 != $1 },
                "seed \(seed): a delta of nothing, \(query.canonicalText), \(event.text)")
        }
        for place in event["place"]?.arrayValue ?? [] {
            let id = place[0]?.stringValue ?? place[0]?.numberText ?? "?"
            let known = try EntityID(id)
            // It may be written as it is even later.
            let texts = try (UInt64(to)...seq).compactMap { at in
                try views[Int(at)].document(known).map { try item($0, query).text }
            }
            #expect(
                client.reducer.items[id].map(texts.contains) == true,
                "seed \(seed): a row is placed without its body, \(query.canonicalText)")
        }
    }

    /// Each reason is that of a state in which the row was not shown. A row that matched may have
    /// been pushed out between the changes of one commit.
    private mutating func checkReasons(
        _ event: JSONValue, _ query: Query, in states: ClosedRange<UInt64>, _ seed: UInt64
    ) throws {
        let removed = event["remove"]?.objectValue ?? []
        guard !removed.isEmpty else { return }
        var allowed: [String: Set<String>] = [:]
        for seq in states {
            let view = views[Int(seq)]
            let shown = try SearchPlan(query).run(on: view).documents.map(\.id)
            for id in removed.map(\.name) {
                let isShown = shown.contains(try EntityID(id))
                let reason: String
                if let document = view.document(try EntityID(id)) {
                    let isForbidden =
                        try query.rule.map { try FilterEvaluator($0).matches(document) == false }
                        ?? false
                    let isMatch =
                        try query.filter.map { try FilterEvaluator($0).matches(document) == true }
                        ?? true
                    reason = isForbidden ? "forbidden" : isMatch ? "displaced" : "unmatched"
                } else {
                    reason = "deleted"
                }
                if !isShown || reason == "displaced" {
                    allowed[id, default: []].insert(reason)
                }
            }
        }
        for member in removed {
            let reason = member.value.stringValue ?? ""
            if reason == "forbidden" { forbidden += 1 }
            #expect(
                allowed[member.name]?.contains(reason) == true,
                "seed \(seed): '\(member.name)' \(reason), not \(allowed[member.name] ?? [])")
        }
    }

    private func check(_ client: OracleClient, _ seed: UInt64) throws {
        guard client.hasState, let cursor = client.cursor else { return }
        let fresh = try search(client.request.query, at: cursor.seq)
        let expected = fresh.items.map(client.promised)
        let shown = try client.promised(client.reducer.shown)
        #expect(
            shown == expected && client.reducer.order.count == expected.count,
            "seed \(seed): at \(cursor.seq), \(client.request.query.canonicalText)")
        if client.request.query.count {
            #expect(client.reducer.total == fresh.total.map(Int64.init), "seed \(seed)")
        }
        client.past.append((cursor.seq, cursor.digest, client.reducer))
        if client.past.count > 20 { client.past.removeFirst(5) }
    }

    /// A connection of several queries: where all are settled they are one cut.
    mutating func checkCut(_ seed: UInt64) throws {
        let published = set.published
        let connected = clients.filter { $0.membership != nil && random.chance(50) }
        let settled = connected.allSatisfy { client in
            client.membership.map { set.settle($0, at: published) } ?? false
        }
        guard settled, !connected.isEmpty else { return }
        cuts += 1
        for client in connected {
            let fresh = try search(client.request.query, at: published)
            let shown = try client.promised(client.reducer.shown)
            #expect(
                shown == fresh.items.map(client.promised), "seed \(seed): cut \(published)")
        }
    }

    private func search(
        _ query: Query, at seq: UInt64
    ) throws -> (items: [JSONValue], total: Int?) {
        let found = try SearchPlan(query).run(on: views[Int(seq)])
        return (try found.documents.map { try item($0, query) }, found.total)
    }

    /// A row as `query` shows it.
    private func item(_ document: Document, _ query: Query) throws -> JSONValue {
        var output = ByteBuffer(capacity: 128)
        ItemEncoder.append(document, Projection(query), withMeta: query.meta, to: &output)
        return try Self.parse(String(decoding: output.bytes, as: UTF8.self))
    }

    static func parse(_ text: String) throws -> JSONValue {
        try JSONValue.parse(Array(text.utf8))
    }
}

extension Query {
    fileprivate var canonicalText: String { String(decoding: canonicalKey, as: UTF8.self) }
}

/// Short lives of a small world: as many as it takes until all has happened that should, or as many
/// as `FRESHET_WORLDS` says. A failure names its seed, and `FRESHET_SEED` begins with that one.
@Suite struct LiveOracleTests {
    @Test func whatAClientHasReducedIsAFreshSearchAtItsCursor() throws {
        let first = TestSeed.first
        let count = TestSeed.number("FRESHET_WORLDS").map { max(1, $0) }
        print("live oracle: first seed \(first)")
        var deltas = 0
        var resumes = 0
        var cuts = 0
        var forbidden = 0
        var ruled = 0
        var quiet = 0
        var slow = 0
        // A world in which nothing happened would prove nothing.
        let isEnough = {
            deltas > 1_000 && resumes > 300 && cuts > 100 && forbidden > 50 && ruled > 10
                && quiet > 20 && slow > 20
        }
        for round in Rounds(Int(count ?? 80), until: { count != nil || isEnough() }) {
            let counts = try run(seed: first + UInt64(round))
            deltas += counts.deltas
            resumes += counts.resumes
            cuts += counts.cuts
            forbidden += counts.forbidden
            ruled += counts.ruled
            quiet += counts.quietDeltas
            slow += counts.slowSearches
        }
        guard count ?? 80 >= 80 else { return }
        #expect(isEnough(), "\(deltas) \(resumes) \(cuts) \(forbidden) \(ruled) \(quiet) \(slow)")
    }

    private func run(seed: UInt64) throws -> OracleWorld {
        var world = OracleWorld(
            seed: seed,
            history: ChangeHistory.Limits(entries: seed % 3 == 0 ? 0 : 200, bytes: 1 << 20))
        for _ in 0..<6 { try world.makeClient() }
        for _ in 0..<500 {
            switch world.random.below(12) {
            case 0...3:
                try world.commit()
                if world.quiet.contains(world.seq), world.random.chance(20) {
                    try world.lookQuietly(seed)
                }
            case 4...5: try world.turn()
            case 10: world.search()
            case 11: if world.random.chance(4) { world.restart() }
            case 6...8:
                let client = world.random.pick(world.clients)
                if client.membership == nil {
                    try world.connect(client)
                } else if client.request.followsRemote, world.random.chance(8) {
                    try world.changeList(of: client)
                } else if world.random.chance(4) {
                    try world.changeRule(of: client)
                } else if world.random.chance(10), let membership = client.membership {
                    world.set.leave(membership)
                    client.membership = nil
                    if world.random.chance(30) {
                        // The group's time is over.
                        world.set.tend(.now + .seconds(3600))
                    }
                } else {
                    try world.look(client, seed)
                }
            default: try world.checkCut(seed)
            }
        }
        try world.turn(all: true)
        for client in world.clients {
            var looks = 0
            while client.membership != nil, !(try world.isDone(client, seed)) {
                looks += 1
                guard looks < 10 else {
                    Issue.record("seed \(seed): a client waits for ever")
                    break
                }
            }
        }
        return world
    }
}

extension OracleWorld {
    /// All is routed, and those who look know of each commit by itself.
    fileprivate mutating func lookQuietly(_ seed: UInt64) throws {
        let silent = clients.filter { $0.isSilent && $0.membership != nil }
        try turn(all: true)
        for client in silent { try look(client, seed) }
        guard try commitOnceMore() else { return }
        try turn(all: true)
        for client in silent { try look(client, seed) }
    }

    private mutating func commitOnceMore() throws -> Bool {
        seq += 1
        if try commitSilently() { return true }
        seq -= 1
        return false
    }

    /// Whether the client has all that there is, when all is routed.
    fileprivate mutating func isDone(_ client: OracleClient, _ seed: UInt64) throws -> Bool {
        guard let membership = client.membership else { return true }
        try look(client, seed)
        guard case .current(let through) = set.take(membership) else { return false }
        #expect(through == seq, "seed \(seed)")
        return true
    }
}
