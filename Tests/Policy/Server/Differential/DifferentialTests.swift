import FreshetConfig
import FreshetJSON
import FreshetServer
import FreshetTestSupport
import Glibc
import Testing

/// The server beside a plain evaluator: random schemas, documents and queries.
///
/// Three types hold the same entities, on a memory store and on a file store: one with declared
/// indexes, one with the same schema and none, one without a schema. The evaluator says what the answer is; the
/// types and the stores must then agree byte for byte. Between the queries entities are replaced,
/// patched and removed, so that an index which misses a change is found.
///
/// `FRESHET_FUZZ_SECONDS` lengthens the run, `FRESHET_DIFFERENTIAL_SEED` repeats one.
@Suite struct DifferentialTests {
    @Test func bothStoresAnswerAsThePlainEvaluatorDoesWithIndexesAndWithout() throws {
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        let bound = FuzzRounds.seconds ?? 3
        let given = environment("FRESHET_DIFFERENTIAL_SEED").flatMap(UInt64.init)
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .seconds(bound))
        var queries = 0
        repeat {
            let seed = given ?? UInt64.random(in: 0...UInt64.max)
            print("differential: seed \(seed)")
            var round = try DifferentialRound(seed: seed)
            queries += try round.run(until: end)
            if given != nil { break }
        } while clock.now < end
        print("differential: \(queries) queries")
        #expect(queries > 0)
    }
}

/// One world on two servers.
private struct DifferentialRound {
    static let types = ["plain", "declared", "indexed"]

    let seed: UInt64
    private let folder: TemporaryFolder
    private let servers: [TestServer]
    private let connections: [TestConnection]
    private var world: DifferentialWorld
    private var entities: [String: JSONValue] = [:]
    private var asked: [ReferenceQuery] = []

    init(seed: UInt64) throws {
        self.seed = seed
        world = DifferentialWorld(seed: seed)
        folder = try TemporaryFolder()
        let file = folder.path + "/freshet.json"
        try folder.write(world.configuration().text, to: file)
        let loaded = try ConfigurationSource(
            flags: ["memory": ["true"], "listen": ["127.0.0.1:0"]], environment: [:], path: file
        ).load()
        let data = folder.path + "/data"
        servers = [
            try TestServer { $0.types = loaded.types },
            try TestServer {
                $0.types = loaded.types
                $0.storage = .directory(data)
            },
        ]
        connections = try servers.map { try $0.connect() }
    }

    mutating func run(until end: ContinuousClock.Instant) throws -> Int {
        try fill()
        for count in 1...400 {
            if world.random.chance(3) { try change() }
            guard try check(world.query()) else { return count }
            // What was asked before is asked again, of what is there by now.
            if asked.count < 8 || world.random.chance(8) {
                asked = (asked + [world.query()]).suffix(8)
            }
            guard try check(world.random.pick(asked), byURL: true) else { return count }
            if ContinuousClock.now > end { return count }
        }
        return 400
    }

    // MARK: Writes

    private mutating func fill() throws {
        for id in DifferentialWorld.idTexts where !world.random.chance(5) {
            entities[id] = world.document(id)
        }
        let body = JSONValue.array(Array(entities.values)).text
        try write("POST", "/_set", body, [200])
    }

    private mutating func change() throws {
        let id = world.random.pick(DifferentialWorld.idTexts)
        let path = "/" + ReferenceQuery.escape(id)
        if world.random.chance(3) {
            entities[id] = nil
            return try write("DELETE", path, nil, [204])
        }
        let document = world.document(id)
        if world.random.chance(2), let old = entities[id] {
            // A patch of all its members, nulls removing theirs.
            keep(Self.merge(document, into: old), of: id)
            return try write("PATCH", path, document.text, [200])
        }
        keep(document, of: id)
        try write("PUT", path, document.text, [200, 201])
    }

    /// What says the same as what is there changes nothing.
    private mutating func keep(_ document: JSONValue, of id: String) {
        if let old = entities[id], ReferenceOrder.isSame(old, document) { return }
        entities[id] = document
    }

    /// RFC 7396.
    private static func merge(_ patch: JSONValue, into old: JSONValue?) -> JSONValue {
        guard let changes = patch.objectValue else { return patch }
        var members = old?.objectValue ?? []
        for change in changes {
            let place = members.firstIndex { $0.name == change.name }
            switch (place, change.value.isNull) {
            case (let place?, true): members.remove(at: place)
            case (nil, true): break
            case (let place?, false):
                members[place].value = merge(change.value, into: members[place].value)
            case (nil, false):
                members.append(.init(name: change.name, value: merge(change.value, into: nil)))
            }
        }
        return .object(members)
    }

    private func write(
        _ method: String, _ path: String, _ body: String?, _ expected: [Int]
    ) throws {
        for connection in connections {
            for type in Self.types {
                let answer = try connection.send(method, "/v1/\(type)\(path)", body)
                try #require(
                    expected.contains(answer.status),
                    "seed \(seed): \(method) \(path) \(body ?? "") answers \(answer.body)")
            }
        }
    }

    // MARK: Questions

    /// Asks everywhere; false where something was wrong, which is recorded.
    private mutating func check(_ query: ReferenceQuery, byURL: Bool = false) throws -> Bool {
        let form = byURL ? 0 : world.random.below(3)
        var answers: [String] = []
        for connection in connections {
            for type in Self.types {
                let answer =
                    switch form {
                    case 0:
                        try connection.send("GET", "/v1/\(type)?\(query.urlText)")
                    default:
                        try connection.send(
                            "POST", "/v1/\(type)/_search", query.body(filterAsTree: form == 1))
                    }
                if answer.status == 501, query.isLater { return true }
                guard answer.status == 200 else {
                    return fail(query, "\(type) answers \(answer.status): \(answer.body)")
                }
                answers.append(Self.withoutPositions(answer.body))
            }
        }
        guard try compare(query, answers[0]) else { return false }
        for (index, answer) in answers.enumerated() where answer != answers[0] {
            let type = Self.types[index % Self.types.count]
            let store = index < Self.types.count ? "memory" : "file"
            return fail(query, "\(type) in \(store) answers \(answer), not \(answers[0])")
        }
        return true
    }

    /// An answer without what differs between servers: cursors name their server's epoch.
    private static func withoutPositions(_ body: String) -> String {
        let parts = body.components(from: ",\"cursor\":\"", through: "\"")
        return parts.components(from: ",\"next\":\"", through: "\"")
    }

    private func compare(_ query: ReferenceQuery, _ body: String) throws -> Bool {
        let expected = ReferenceAnswer(query, over: entities)
        let root = try JSONValue.parse(body)
        let meta = root["meta"]
        if query.count, meta?["total"]?.int64Value != Int64(expected.total) {
            return fail(query, "the total is not \(expected.total): \(meta?.text ?? "")")
        }
        if query.ids != nil,
            meta?["missing"]?.arrayValue?.map(\.idText) != expected.missing
        {
            return fail(query, "missing are not \(expected.missing): \(meta?.text ?? "")")
        }
        if !query.aggregates.isEmpty {
            return ReferenceGroups.fault(query, expected, root).map { fail(query, $0) } ?? true
        }
        if query.group != nil {
            let groups = JSONValue.array(
                expected.groups.map { ["key": $0.key, "items": .array($0.rows)] })
            return root["groups"]?.text == groups.text
                || fail(query, "groups are \(root["groups"]?.text ?? "none"), not \(groups.text)")
        }
        guard let items = root["items"]?.arrayValue else {
            return fail(query, "there are no items: \(body)")
        }
        for index in 0..<max(items.count, expected.rows.count) {
            let shown = index < items.count ? items[index].text : "nothing"
            let right = index < expected.rows.count ? expected.rows[index].text : "nothing"
            if shown != right {
                return fail(query, "item \(index) is \(shown), not \(right)")
            }
        }
        return true
    }

    private func fail(_ query: ReferenceQuery, _ what: String) -> Bool {
        Issue.record("seed \(seed): \(query.body(filterAsTree: false)): \(what)")
        return false
    }
}

extension JSONValue {
    fileprivate var idText: String { stringValue ?? numberText ?? "" }
}

extension String {
    /// The text without its stretches from `start` through the next `end`.
    fileprivate func components(from start: String, through end: Character) -> String {
        var rest = self[...]
        var kept = ""
        while let range = rest.firstRange(of: start) {
            kept += rest[..<range.lowerBound]
            rest = rest[range.upperBound...]
            guard let close = rest.firstIndex(of: end) else { break }
            rest = rest[rest.index(after: close)...]
        }
        return kept + rest
    }
}

/// A folder in the place for temporary files, gone when it is released.
private final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/freshet-differential-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    deinit {
        Self.empty(path)
        rmdir(path)
    }

    /// Two levels at most: a data directory has files only.
    private static func empty(_ path: String) {
        guard let directory = opendir(path) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let inner = path + "/" + name
            if unlink(inner) != 0 {
                empty(inner)
                rmdir(inner)
            }
        }
    }

    func write(_ text: String, to file: String) throws {
        let handle = try #require(fopen(file, "w"))
        fputs(text, handle)
        fclose(handle)
    }
}
