import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetEngine

/// Random tables, indexes and queries: whichever way is taken, the answer is that of the scan.
@Suite struct PlanModelTests {
    /// Few values, so that keys are equal and ranges have many rows.
    private static let values = [
        "null", "true", "false", "0", "1", "1.0", "2", "-3", "100", "9007199254740993", #""""#,
        #""a""#, #""ab""#, #""aab""#, #""b\n""#, #""\u001f""#, #""é""#, "[]", "[1]",
        "[1,2]", #"["a",1.0]"#, #"["a","ab",null]"#, "[[1]]", #"{"a":1}"#,
    ]
    private static let names = ["a", "b", "c", "d"]

    private struct World {
        var random: SeededGenerator

        mutating func value() -> String { random.pick(values) }

        mutating func literal() -> Literal {
            while true {
                let text = value()
                if !text.contains("{") { return Literal(canonical: Array(text.utf8)) }
            }
        }

        mutating func text() -> Literal {
            Literal(string: random.pick(["", "a", "ab", "b\n", "é", "\u{1f}", "aa"]))
        }

        mutating func path() -> PropertyPath {
            random.below(20) == 0 ? .id : PropertyPath([random.pick(names)])
        }

        mutating func list() -> [Literal] { (0..<random.below(5)).map { _ in literal() } }

        mutating func filter(_ depth: Int = 0) -> Filter {
            switch random.below(depth < 3 ? 20 : 13) {
            case 0, 1, 2, 3: return .compare(path(), .equal, literal())
            case 4, 5:
                return .compare(
                    path(),
                    random.pick([.notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
                    literal())
            case 6: return .isIn(path(), list())
            case 7: return .has(path(), literal())
            case 8: return random.below(2) == 0 ? .hasAny(path(), list()) : .hasAll(path(), list())
            case 9: return .startsWith(path(), text())
            case 10: return random.pick([.isNull(path()), .exists(path()), .isTrue(path())])
            case 11: return random.pick([.contains(path(), text()), .endsWith(path(), text())])
            case 12: return .size(path(), .greater, Int64(random.below(3)))
            case 13: return .not(filter(depth + 1))
            case 14, 15, 16, 17: return .and([filter(depth + 1), filter(depth + 1)])
            default: return .or([filter(depth + 1), filter(depth + 1)])
            }
        }

        mutating func keys(_ count: Int, folding: Bool) -> [OrderKey] {
            (0..<count).map { _ in
                OrderKey(
                    path: folding ? path() : PropertyPath([random.pick(names)]),
                    descending: random.below(2) == 0,
                    caseInsensitive: folding && random.below(8) == 0)
            }
        }

        mutating func definition() -> IndexDefinition {
            while true {
                if let made = IndexDefinition(keys(1 + random.below(3), folding: false)) {
                    return made
                }
            }
        }

        mutating func query(_ type: TypeName) -> Query {
            var query = Query(type: type)
            if random.below(8) > 0 { query.filter = filter() }
            switch random.below(6) {
            case 0: break
            case 1:
                query.order = .ids((0..<4).map { _ in EntityID(Int64(random.below(300))) })
            default: query.order = .keys(keys(1 + random.below(3), folding: true))
            }
            query.limit = random.pick([nil, 0, 1, 3, 20, 20, 1_000])
            if random.below(3) == 0 { query.offset = random.below(30) }
            query.count = random.below(3) == 0
            query.looksAhead = random.below(2) == 0
            switch random.below(12) {
            case 0: query.distinct = PropertyPath([random.pick(names)])
            case 1: query.aggregates = [.count]
            case 2:
                query.aggregates = [.count]
                query.group = PropertyPath([random.pick(names)])
            default: break
            }
            return query
        }

        /// A question that an index was made for: conditions on its first keys, the others as order.
        mutating func fit(_ query: inout Query, to definition: IndexDefinition) {
            let bound = random.below(definition.keys.count + 1)
            var parts: [Filter] = []
            for key in definition.keys.prefix(bound) {
                switch random.below(5) {
                case 0, 1: parts.append(.compare(key.path, .equal, literal()))
                case 2, 3: parts.append(.isIn(key.path, (0..<6).map { _ in literal() }))
                default: parts.append(.compare(key.path, .greater, literal()))
                }
            }
            if random.below(4) == 0 { parts.append(filter(2)) }
            query.filter = parts.count > 1 ? .and(parts) : parts.first
            let isReversed = random.below(2) == 0
            var keys = Array(definition.keys.dropFirst(random.below(bound + 1)))
            for index in keys.indices where isReversed { keys[index].descending.toggle() }
            query.order = keys.isEmpty ? .natural : .keys(keys)
        }

        mutating func document(_ id: Int) throws -> Document {
            var members = ["\"id\":\(id)"]
            for name in names where random.below(5) > 0 {
                members.append("\"\(name)\":\(value())")
            }
            return try FreshetEngineTests.document("{\(members.joined(separator: ","))}")
        }
    }

    private static func answer(_ result: SearchResult) -> String {
        """
        \(result.documents.map(text)) \(result.total ?? -1) \(result.hasMore) \
        \(result.aggregates.map { "\($0)" } ?? "")
        """
    }

    @Test func everyWayGivesTheAnswerOfTheScan() throws {
        let seed = freshSeed("plans")
        var world = World(random: SeededGenerator(seed: seed))
        let type = try #require(TypeName("things"))
        var kinds: [String: Int] = [:]
        let all = [
            "index", "scan", "elements", "union", "intersection", "count", "none", "id",
            "window", "part", "keys", "backward", "behind mark", "skipped", "implied",
        ]
        let isEveryOneMet = { all.allSatisfy { kinds[$0] != nil } }
        for _ in Rounds(30, until: isEveryOneMet) {
            var plain = Table()
            var indexed = Table()
            for _ in 0..<1 + world.random.below(5) { indexed.addIndex(world.definition()) }
            for _ in 0..<world.random.pick([0, 30, 400, 1_200]) {
                let id = world.random.below(1_000)
                let document = try world.document(id)
                _ = plain.insert(document)
                _ = indexed.insert(document)
                if world.random.below(5) == 0 {
                    let id = EntityID(Int64(world.random.below(1_000)))
                    _ = plain.remove(id)
                    _ = indexed.remove(id)
                }
            }
            let (scanned, view) = (plain.view(seq: 1), indexed.view(seq: 1))
            for _ in 0..<60 {
                var query = world.query(type)
                if world.random.below(3) == 0 {
                    world.fit(&query, to: world.random.pick(view.indexes).definition)
                }
                if world.random.below(3) == 0, query.offset == 0, query.distinct == nil,
                    query.aggregates == nil, let row = scanned.anyRow(world.random.below(1_000))
                {
                    query.after = PageMark(of: row, in: query)
                }
                let plan = try SearchPlan(query)
                let expected = Self.answer(try plan.run(on: scanned))
                let choices = PlanChooser.everyChoice(plan, in: view)
                for var choice in choices {
                    if world.random.below(3) == 0, !plan.needsEveryMatch, query.aggregates == nil {
                        // Given up on the way.
                        choice.fallback = SearchChoice.Fallback(
                            world.random.pick(choices), after: world.random.below(30))
                    }
                    kinds[choice.kind, default: 0] += 1
                    for feature in choice.features { kinds[feature, default: 0] += 1 }
                    let task = SearchTask(plan, on: view, by: choice)
                    while try task.run(rows: world.random.pick([1, 7, 50, .max])) == .more {}
                    let found = Self.answer(task.result)
                    guard found != expected else { continue }
                    Issue.record(
                        """
                        seed \(seed): \(query.filter.map { "\($0)" } ?? "all") order \(query.order) \
                        window \(query.offset) \(query.limit ?? -1) after \(query.after != nil) by \
                        \(choice.kind) \(choice.name): \(found), not \(expected)
                        """)
                    return
                }
            }
        }
        print("plans: \(kinds)")
        #expect(isEveryOneMet(), "\(all.filter { kinds[$0] == nil })")
    }

    @Test func boundsHoldEveryRowAndNoOtherWhereTheyAreExact() throws {
        let seed = freshSeed("bounds")
        var world = World(random: SeededGenerator(seed: seed))
        let rows = try (0..<300).map { try world.document($0) }
        var exact = 0
        for _ in Rounds(3_000, until: { exact > 300 }) {
            let filter = world.filter()
            let bounds = FilterBounds(filter)
            let evaluator = try FilterEvaluator(filter)
            if bounds.isExact { exact += 1 }
            for row in rows {
                let matches = evaluator.matches(row) == true
                let holds = !bounds.isNever && bounds.hold(of: row)
                guard matches && !holds || bounds.isExact && matches != holds else { continue }
                Issue.record("seed \(seed): \(filter) of \(text(row)): \(matches), \(holds)")
                return
            }
        }
        #expect(exact > 300)
    }
}

extension SearchChoice {
    /// What is particular about the way.
    fileprivate var features: [String] {
        guard case .indexes(let path) = source else { return [] }
        var features: [String] = []
        switch path.stop {
        case .never: break
        case .window: features.append("window")
        case .part: features.append("part")
        case .keys: features.append("keys")
        }
        if path.parts.contains(where: \.isBackward) { features.append("backward") }
        if startsBehindMark { features.append("behind mark") }
        if skipped > 0 { features.append("skipped") }
        if isImplied { features.append("implied") }
        return features
    }
}

extension TableView {
    fileprivate func anyRow(_ id: Int) -> Document? {
        var cursor = makeCursor(from: EntityID(Int64(id)))
        return cursor.next()
    }
}

extension FilterBounds {
    /// The plain meaning of the bounds.
    fileprivate func hold(of row: Document) -> Bool {
        if isNever { return false }
        if let ids, !ids.contains(where: { $0.withBytes { $0.elementsEqual(row.idBytes) } }) {
            return false
        }
        for set in sets where !set.values.holds(row.view(at: set.path)) { return false }
        for lookup in lookups {
            guard let value = row.view(at: lookup.path), value.kind == .array else { return false }
            let isThere = value.elements.contains { element in
                lookup.elements.contains { literal in
                    literal.withView { ValueOrder.compare(element, $0) == 0 }
                }
            }
            if !isThere { return false }
        }
        return alternatives.allSatisfy { parts in parts.contains { $0.hold(of: row) } }
    }
}

extension ValueSet {
    fileprivate func holds(_ value: JSONView?) -> Bool {
        let bytes = value.map { Array($0.bytes) } ?? Array("null".utf8)
        return intervals.contains { interval in
            !(ValuePlace.before(bytes) < interval.lower)
                && !(interval.upper < ValuePlace.after(bytes))
        }
    }
}
