import Dispatch
import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetLive

/// What an include must find, by following one relationship of one entity after the other.
private struct PlainGraph {
    struct Key: Hashable {
        let type: String
        let id: Int
    }

    /// Names by relationship, of entities that may not exist.
    var links: [Key: [String: [Int]]] = [:]
    /// Relationship → type and, where it points back, the property.
    static let relationships: [String: [String: (type: String, by: String?)]] = [
        "a": [
            "one": ("b", nil), "many": ("a", nil), "back": ("b", "up"),
        ],
        "b": ["up": ("a", nil), "many": ("b", nil), "twice": ("a", "many")],
    ]

    /// The named entities that exist, and whether some do not.
    func follow(_ name: String, from key: Key) -> (found: [Key], lost: [Key]) {
        guard let relationship = Self.relationships[key.type]?[name] else { return ([], []) }
        if let by = relationship.by {
            let found = links.keys.filter {
                $0.type == relationship.type && links[$0]?[by]?.contains(key.id) == true
            }
            return (Array(found), [])
        }
        let keys = (links[key]?[name] ?? []).map { Key(type: relationship.type, id: $0) }
        return (keys.filter { links[$0] != nil }, keys.filter { links[$0] == nil })
    }

    /// Everything that `paths` reach, and the outcome of each of their beginnings.
    func include(
        _ paths: [[String]], from roots: [Key]
    ) -> (found: Set<Key>, lost: Set<Key>, outcomes: [String: String]) {
        var found: Set<Key> = []
        var lost: Set<Key> = []
        var outcomes: [String: String] = [:]
        for path in paths {
            var reached = Set(roots)
            for (index, name) in path.enumerated() {
                let steps = reached.map { follow(name, from: $0) }
                let gone = steps.flatMap(\.lost)
                lost.formUnion(gone)
                reached = Set(steps.flatMap(\.found))
                found.formUnion(reached)
                outcomes[path[...index].joined(separator: ".")] =
                    gone.isEmpty ? "ok" : reached.isEmpty ? "failed" : "partial"
            }
        }
        return (found.subtracting(roots), lost, outcomes)
    }

    /// Everything within `depth` relationships of the roots.
    func includeAll(depth: Int, from roots: [Key]) -> (found: Set<Key>, lost: Set<Key>) {
        var known = Set(roots)
        var lost: Set<Key> = []
        var frontier = known
        for _ in 0..<depth {
            var next: Set<Key> = []
            for key in frontier {
                for name in (Self.relationships[key.type] ?? [:]).keys {
                    let step = follow(name, from: key)
                    next.formUnion(step.found)
                    lost.formUnion(step.lost)
                }
            }
            frontier = next.subtracting(known)
            known.formUnion(next)
        }
        return (known.subtracting(roots), lost)
    }
}

private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

/// What a worker hands over.
// SAFETY: written before the semaphore is signalled, read after it was waited for.
private final class Handover: @unchecked Sendable {
    var result: Result<(SearchResult, IncludedEntities), CoreError>?
    let signal = DispatchSemaphore(value: 0)
}

/// Nobody who needs to be told.
private final class Bystander: LiveSubscriber {
    func liveResultChanged() {}
}

/// A store of the types `a` and `b` of `PlainGraph`.
private struct Scene {
    let core: CoreManager
    var graph = PlainGraph()
    let commits = Commits()

    init() throws {
        let declarations = [
            "a": """
            {"relationships":{"one":{"type":"b","association":"one"},\
            "many":{"type":"a","association":"many"},"back":{"type":"b","by":"up"}}}
            """,
            "b": """
            {"relationships":{"up":{"type":"a","association":"one"},\
            "many":{"type":"b","association":"many"},"twice":{"type":"a","by":"many"}}}
            """,
        ]
        var schemas: [TypeSchema] = []
        for (name, text) in declarations {
            let (schema, faults) = try readType(text, named: name)
            schemas.append(try #require(schema, "\(faults)"))
        }
        let live = LiveQueries()
        core = CoreManager(
            store: MemoryStore(observer: commits), catalog: TypeCatalog(schemas),
            limits: CoreLimits(), live: live)
    }

    mutating func put(_ key: PlainGraph.Key, _ links: [String: [Int]]) throws {
        graph.links[key] = links
        var json = "{\"id\":\(key.id)"
        for (name, ids) in links.sorted(by: { $0.key < $1.key }) {
            let isOne = name == "one" || name == "up"
            json += ",\"\(name)\":" + (isOne ? "\(ids.first ?? 0)" : "\(ids)")
        }
        json += "}"
        var builder = DocumentBuilder()
        let type = try #require(TypeName(key.type))
        let document = try Array(json.utf8).withUnsafeBytes {
            try core.writer.document(type, $0, id: .body, using: &builder)
        }
        _ = core.writer.committer.commitNow(Transaction(.set(type, document, .none)))
    }

    func remove(_ key: PlainGraph.Key) throws {
        let type = try #require(TypeName(key.type))
        _ = core.writer.committer.commitNow(
            Transaction(.remove(type, EntityID(Int64(key.id)), .none)))
    }

    /// What `query` shows now, as the live set takes it, and a hash over it.
    func result(
        _ query: Query, _ include: Include
    ) throws -> (found: SearchResult, included: LiveIncluded, seq: UInt64, digest: UInt64) {
        let prepared = try core.reader.prepare(query, including: include, for: nil)
        let (found, included) = try run(prepared)
        let result = LiveResult(
            found, at: prepared.search.cursor.seq, showing: ShownContent(),
            including: included.watched)
        return (found, included.watched, result.seq, result.digest)
    }

    func include(
        _ include: Include, of roots: [PlainGraph.Key]
    ) throws -> (SearchResult, IncludedEntities) {
        var query = Query(type: try #require(TypeName("a")))
        query.ids = roots.map { EntityID(Int64($0.id)) }
        query.limit = nil
        return try run(try core.reader.prepare(query, including: include, for: nil))
    }

    private func run(
        _ prepared: PreparedInclude
    ) throws -> (SearchResult, IncludedEntities) {
        let handover = Handover()
        core.reader.run(prepared, isCancelled: { false }) {
            handover.result = $0
            handover.signal.signal()
        }
        handover.signal.wait()
        return try #require(handover.result).get()
    }
}

@Suite struct IncludeModelTests {
    private typealias Key = PlainGraph.Key

    @Test("Includes of random graphs hold what following each link one by one finds")
    func model() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var numbers = Numbers(state: seed)
        for round in 0..<60 {
            var scene = try Scene()
            let size = Int.random(in: 1...14, using: &numbers)
            for type in ["a", "b"] {
                for id in 1...size where Bool.random(using: &numbers) || id == 1 {
                    var links: [String: [Int]] = [:]
                    for name in type == "a" ? ["one", "many"] : ["up", "many"]
                    where Bool.random(using: &numbers) {
                        let count =
                            name == "many" ? Int.random(in: 0...4, using: &numbers) : 1
                        links[name] = (0..<count).map { _ in
                            Int.random(in: 1...size, using: &numbers)
                        }
                    }
                    try scene.put(Key(type: type, id: id), links)
                }
            }
            let roots = scene.graph.links.keys.filter { $0.type == "a" && $0.id % 3 == 1 }
            let paths = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
                randomPath(using: &numbers)
            }
            let (_, tree) = try scene.include(
                .paths(paths.map { PropertyPath($0) }), of: roots)
            let expected = scene.graph.include(paths, from: roots)
            #expect(keys(tree) == sorted(expected.found), "round \(round) \(paths)")
            #expect(lost(tree) == sorted(expected.lost), "round \(round) \(paths)")
            let outcomes = Dictionary(
                uniqueKeysWithValues: tree.outcomes.map { ($0.path, $0.outcome.rawValue) })
            #expect(outcomes == expected.outcomes, "round \(round) \(paths)")

            let depth = Int.random(in: 1...10, using: &numbers)
            let (_, all) = try scene.include(.all(depth: depth), of: roots)
            let whole = scene.graph.includeAll(depth: depth, from: roots)
            #expect(keys(all) == sorted(whole.found), "round \(round) depth \(depth)")
            #expect(lost(all) == sorted(whole.lost), "round \(round) depth \(depth)")
        }
    }

    @Test("A live include that no change has marked shows what a fresh search shows")
    func liveOracle() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var numbers = Numbers(state: seed)
        var marked = 0
        var spared = 0
        // Marking everything would be exact, too, and of no use.
        let isEnough = { marked > 0 && spared > marked / 10 }
        for round in Rounds(12, until: isEnough) {
            var scene = try Scene()
            let set = LiveSet()
            var groups: [(query: Query, include: Include, membership: LiveMembership)] = []
            for index in 0..<4 {
                var query = Query(type: try #require(TypeName("a")))
                query.ids = [EntityID(1), EntityID(Int64(index + 2))]
                query.limit = nil
                let include =
                    index == 0
                    ? Include.all(depth: 2)
                    : .paths([PropertyPath(randomPath(using: &numbers))])
                query.include = include
                let prepared = try scene.core.reader.prepare(query, including: include, for: nil)
                var request = LiveRequest(query)
                request.include = prepared.plan
                let (membership, _) = try set.join(request, Bystander())
                groups.append((query, include, membership))
            }
            var shown: [ObjectIdentifier: UInt64] = [:]
            for step in 0..<80 {
                let key = Key(
                    type: Bool.random(using: &numbers) ? "a" : "b",
                    id: Int.random(in: 1...12, using: &numbers))
                if Int.random(in: 0..<4, using: &numbers) == 0 {
                    try scene.remove(key)
                } else {
                    var links: [String: [Int]] = [:]
                    links[key.type == "a" ? "one" : "up"] = [
                        Int.random(in: 1...12, using: &numbers)
                    ]
                    links["many"] = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
                        Int.random(in: 1...12, using: &numbers)
                    }
                    try scene.put(key, links)
                }
                set.admit()
                for change in scene.commits.take() { set.route([change], through: change.seq) }
                let stale = Set(set.takeStale().map { ObjectIdentifier($0) })
                for (query, include, membership) in groups {
                    let group = ObjectIdentifier(membership.group)
                    let fresh = try scene.result(query, include)
                    if stale.contains(group) {
                        set.install(membership.group) {
                            $0.install(fresh.found, including: fresh.included, at: fresh.seq) {
                                _ in nil
                            }
                        }
                        shown[group] = fresh.digest
                        marked += 1
                    } else {
                        #expect(
                            shown[group] == fresh.digest,
                            "round \(round) step \(step) \(key) \(include)")
                        spared += 1
                    }
                }
            }
            for (_, _, membership) in groups { set.leave(membership) }
            set.tend(.now + .seconds(90))
            #expect(set.isEmpty)
            #expect(!set.watches(try #require(TypeName("b"))))
        }
        #expect(isEnough(), "\(marked) marked, \(spared) spared")
        print("\(marked) marked, \(spared) spared")
    }

    @Test("More than 10,000 included entities are refused, 10,000 are not")
    func limit() throws {
        var scene = try Scene()
        let root = Key(type: "a", id: 1)
        try scene.put(root, ["many": Array(2...10_001)])
        for id in 2...10_001 { try scene.put(Key(type: "a", id: id), [:]) }
        let include = Include.paths([PropertyPath(["many"])])
        #expect(try scene.include(include, of: [root]).1.rows.count == 10_000)
        try scene.put(Key(type: "a", id: 10_002), [:])
        try scene.put(root, ["many": Array(2...10_002)])
        let error = #expect(throws: CoreError.self) {
            _ = try scene.include(include, of: [root])
        }
        guard case .engine(.includeTooLarge) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    private func randomPath(using numbers: inout Numbers) -> [String] {
        var type = "a"
        return (0..<Int.random(in: 1...5, using: &numbers)).map { _ in
            let names = (PlainGraph.relationships[type] ?? [:]).keys.sorted()
            let name = names[Int.random(in: 0..<names.count, using: &numbers)]
            type = PlainGraph.relationships[type]?[name]?.type ?? type
            return name
        }
    }

    private func keys(_ included: IncludedEntities) -> [String] {
        included.rows.map { "\($0.type.text):\($0.document.id.text)" }
    }

    private func lost(_ included: IncludedEntities) -> [String] {
        included.missing.map { "\($0.type.text):\($0.id.text)" }
    }

    private func sorted(_ keys: Set<PlainGraph.Key>) -> [String] {
        keys.sorted { ($0.type, $0.id) < ($1.type, $1.id) }.map { "\($0.type):\($0.id)" }
    }
}
