import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetLive

/// Random numbers that a seed repeats (SplitMix64).
struct PredicateRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ name: StaticString) {
        state = TestSeed.first
        print("\(name): seed \(state)")
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}

/// Filters and documents over few paths and many kinds of values, so that they often meet.
struct PredicateWorld {
    var random: PredicateRandom

    static let paths = ["a", "b", "tags", "n.x", "n.`odd name`", "id"]
    static let numbers = [
        "0", "-0", "1", "1.0", "1e0", "10e-1", "2", "-3", "0.5", "5e-1", "9007199254740993",
        "9007199254740992", "9223372036854775807", "9223372036854775808", "1e400", "1e999999",
        "-1e400", "1e-400", "123456789012345678901234567890", "0.1", "0.10",
    ]
    static let strings = [
        "\"\"", "\"a\"", "\"ab\"", "\"abcdefg\"", "\"abcdefgh\"", "\"abcdefghi\"", "\"é\"",
        "\"1\"", "\"7\"", "\"-7\"", "\"a\\\"b\"", "\"a\\\\\"", "\"\\n\"", "\"abcdef\\n\"",
        "\"\\u0001\"", "\"zz\"", "\"true\"", "\"\\u2028x\"", "\"😀\"", "\"abcdef😀\"",
    ]

    mutating func scalar() -> String {
        switch random.below(10) {
        case 0: "null"
        case 1: random.pick(["true", "false"])
        case 2...5: random.pick(Self.numbers)
        default: random.pick(Self.strings)
        }
    }

    mutating func value(_ depth: Int = 0) -> String {
        guard depth < 2, random.below(4) == 0 else { return scalar() }
        let values = (0..<random.below(4)).map { _ in value(depth + 1) }
        guard depth == 0 || random.below(3) > 0 else { return "{\"k\":\(scalar())}" }
        return "[" + values.joined(separator: ",") + "]"
    }

    mutating func id() -> String {
        random.pick(["7", "-7", "\"a\"", "\"ab\"", "\"abcdefghi\"", "\"é\"", "70", "\"z\""])
    }

    mutating func document() throws -> Document {
        var members = ["\"id\":\(id())"]
        if random.below(4) > 0 { members.append("\"a\":\(value())") }
        if random.below(4) > 0 { members.append("\"b\":\(value())") }
        if random.below(4) > 0 {
            let tags = (0..<random.below(5)).map { _ in value(1) }
            members.append("\"tags\":[\(tags.joined(separator: ","))]")
        }
        switch random.below(4) {
        case 0: break
        case 1: members.append("\"n\":\(scalar())")
        default: members.append("\"n\":{\"x\":\(value()),\"odd name\":\(value())}")
        }
        members.shuffle(using: &random)
        return try predicateDocument("{" + members.joined(separator: ",") + "}")
    }

    mutating func list() -> String {
        "[" + (0..<random.below(5)).map { _ in literal() }.joined(separator: ",") + "]"
    }

    mutating func literal() -> String {
        guard random.below(8) == 0 else { return scalar() }
        return "[" + (0..<random.below(3)).map { _ in scalar() }.joined(separator: ",") + "]"
    }

    mutating func test() -> String {
        let path = random.pick(Self.paths)
        switch random.below(14) {
        case 0...3: return "\(path) == \(path == "id" ? id() : literal())"
        case 4: return "\(path) != \(literal())"
        case 5...6: return "\(path) \(random.pick(["<", "<=", ">", ">="])) \(literal())"
        case 7: return "\(path) in \(list())"
        case 8: return "\(path) has \(literal())"
        case 9: return "\(path) \(random.pick(["hasAny", "hasAll"])) \(list())"
        case 10: return "\(random.pick(["exists", "isNull"]))(\(path))"
        case 11:
            let function = random.pick(["startsWith", "startsWith", "endsWith", "contains"])
            return "\(function)(\(path), \(random.pick(Self.strings)))"
        case 12: return "size(\(path)) \(random.pick(["==", "<", ">"])) \(random.below(4))"
        default: return "\(path)"
        }
    }

    mutating func filter(_ depth: Int = 0) -> String {
        guard depth < 4, random.below(3) > 0 else { return test() }
        switch random.below(5) {
        case 0: return "!(\(filter(depth + 1)))"
        case 1...2:
            return "("
                + (0..<2 + random.below(3)).map { _ in filter(depth + 1) }
                .joined(separator: " or ") + ")"
        default:
            return "("
                + (0..<2 + random.below(3)).map { _ in filter(depth + 1) }
                .joined(separator: " and ") + ")"
        }
    }
}

func predicateDocument(_ json: String) throws -> Document {
    var builder = DocumentBuilder()
    return try Array(json.utf8).withUnsafeBytes {
        try builder.build(json: $0, id: .fromBody)
    }
}

private func candidates(
    _ index: PredicateIndex, _ old: Document?, _ new: Document?
) -> [Int32] {
    var slots: [Int32] = []
    index.candidates(old: old, new: new, into: &slots)
    return slots
}

@Suite struct PredicateIndexTests {
    private let documents: [Document]

    init() throws {
        documents = [
            try predicateDocument("{\"id\":\"a\",\"k\":1,\"s\":\"abcdefghij\",\"tags\":[\"x\",2]}"),
            try predicateDocument("{\"id\":7,\"k\":1.0,\"s\":\"abcdefgzzz\",\"tags\":[]}"),
            try predicateDocument("{\"id\":\"c\",\"k\":5,\"n\":{\"x\":null}}"),
        ]
    }

    /// The class of the filter, and which of the three documents find it.
    private func finds(_ text: String, ids: [EntityID]? = nil) throws -> (String, [Int]) {
        let index = PredicateIndex()
        let registration = index.insert(try Filter(parsing: text), ids: ids, slot: 3)
        let found = documents.indices.filter { candidates(index, nil, documents[$0]) == [3] }
        index.remove(registration)
        #expect(index.isEmpty)
        return (registration.indexClass.rawValue, found)
    }

    @Test(arguments: [
        ("k == 1", "hash", [0, 1]),
        ("k == 1e0 and s == \"abcdefgzzz\"", "hash", [1]),
        ("id == 7", "hash", [1]),
        ("id in [\"a\", 7.5, \"c\"] and contains(s, \"q\")", "hash", [0, 2]),
        ("k in [5, 6]", "hash", [2]),
        ("k in [5, 6] and s == null", "hash", [2]),
        ("k == 1 and s > \"abcdefgy\"", "hash+range", [0, 1]),
        ("k == 1 and s > \"abcdefh\"", "hash+range", []),
        ("tags has 2", "hash", [0]),
        ("tags hasAny [2.0, 9]", "hash", [0]),
        ("tags hasAll [2, 9]", "hash", [0]),
        ("k >= 2 and k < 9", "range", [2]),
        ("startsWith(s, \"abc\")", "range", [0, 1]),
        ("id > \"b\"", "range", [2]),
        ("isNull(n.x) and k > 2", "hash+range", [2]),
        ("k == 5 or startsWith(s, \"abcdefgh\")", "range", [0, 1, 2]),
        ("k == 5 or !(tags has 2)", "residual", [0, 1, 2]),
        ("contains(s, \"b\")", "residual", [0, 1, 2]),
        ("k == 5 and (contains(s, \"b\") or n.x != 3)", "hash", [2]),
        ("k > 9 and k < 5", "none", []),
        ("id == null", "none", []),
    ])
    func `A filter is found by its most selective part`(
        text: String, name: String, found: [Int]
    ) throws {
        let (actual, places) = try finds(text)
        #expect(places == found, "\(text)")
        #expect(actual == name, "\(text)")
    }

    @Test func `A query by ids is found by these alone`() throws {
        let (name, found) = try finds("contains(s, \"b\")", ids: [EntityID(7)])
        #expect(name == "hash")
        #expect(found == [1])
        #expect(try finds("k == 1", ids: []).1.isEmpty)
    }

    @Test func `Without a filter everything is found, and once`() {
        let index = PredicateIndex()
        let registration = index.insert(nil, slot: 0)
        #expect(registration.indexClass == .residual)
        #expect(index.counts.residual == 1)
        #expect(candidates(index, documents[0], documents[1]) == [0])
        #expect(candidates(index, documents[0], nil) == [0])
        #expect(candidates(index, nil, nil) == [])
    }

    @Test func `A slot is reported once however many ways lead to it`() throws {
        let index = PredicateIndex()
        _ = index.insert(try Filter(parsing: "k == 1 or id == \"a\" or tags has \"x\""), slot: 2)
        #expect(candidates(index, documents[0], documents[1]) == [2])
        #expect(candidates(index, documents[2], documents[0]) == [2])
        #expect(candidates(index, documents[2], nil) == [])
    }

    @Test func `A choice among too many is left to the filter itself`() throws {
        let choices = (0..<40).map { "(a\($0) == 1 and b > \($0))" }.joined(separator: " or ")
        let index = PredicateIndex()
        #expect(index.insert(try Filter(parsing: choices), slot: 0).indexClass == .residual)
        let narrowed = try Filter(parsing: "k == 5 and (\(choices))")
        #expect(index.insert(narrowed, slot: 1).indexClass == .hash)
        #expect(candidates(index, nil, documents[0]) == [0])
        #expect(Set(candidates(index, nil, documents[2])) == [0, 1])
    }

    @Test func `A long list of values has a place for each`() throws {
        let literals = (0..<10_000).map { Literal(canonical: Array("\($0)".utf8)) }
        let filter = Filter.and([
            .isIn(PropertyPath(["k"]), literals), .exists(PropertyPath(["s"])),
        ])
        let index = PredicateIndex()
        let registration = index.insert(filter, slot: 0)
        #expect(index.counts.places == 10_000)
        #expect(candidates(index, nil, documents[0]) == [0])
        index.remove(registration)
        #expect(index.isEmpty)
    }

    /// The promise: whoever matches the old or the new image is among the candidates.
    @Test func `Nothing that matches is missed`() throws {
        var world = PredicateWorld(random: PredicateRandom("predicate index"))
        for _ in 0..<8 {
            let index = PredicateIndex()
            var standing: [Int32: (Filter, FilterEvaluator, Registration)] = [:]
            var free: [Int32] = []
            for step in 0..<250 {
                let text = world.filter()
                let filter = try Filter(parsing: text)
                let slot = free.popLast() ?? Int32(standing.count)
                let registration = index.insert(filter, slot: slot)
                standing[slot] = (filter, try FilterEvaluator(filter), registration)
                if step % 3 == 0, let gone = standing.keys.randomElement(using: &world.random) {
                    if let leaving = standing.removeValue(forKey: gone) {
                        index.remove(leaving.2)
                        free.append(gone)
                    }
                }
                guard step % 5 == 0 else { continue }
                let old = world.random.below(4) > 0 ? try world.document() : nil
                let new = world.random.below(4) > 0 ? try world.document() : nil
                let found = candidates(index, old, new)
                #expect(found.count == Set(found).count)
                let candidates = Set(found)
                #expect(candidates.isSubset(of: standing.keys))
                for (slot, entry) in standing where !candidates.contains(slot) {
                    for image in [old, new] {
                        guard let image, entry.1.matches(image) == true else { continue }
                        let json = String(decoding: image.json, as: UTF8.self)
                        Issue.record("\(entry.0) is missed by \(json)")
                    }
                }
            }
            for entry in standing.values { index.remove(entry.2) }
            #expect(index.isEmpty)
            #expect(index.counts == (0, 0, 0))
        }
    }

    @Test func `Coming and going in any order leaves nothing`() throws {
        var random = PredicateRandom("predicate storm")
        let index = PredicateIndex()
        let empty = index.byteCount
        var standing: [Registration] = []
        var largest = 0
        for round in 0..<6 {
            for number in 0..<3_000 {
                let text = random.pick([
                    "k == \(random.below(40))", "k == \(random.below(4)) and s > \"\(number)\"",
                    "k > \(random.below(1000)) and k < \(random.below(2000))",
                    "f\(random.below(9)) == 1 and tags has \(random.below(9))",
                    "contains(s, \"\(number)\")", "p\(number).q == 1 and k >= \(round)",
                ])
                standing.append(index.insert(try Filter(parsing: text), slot: Int32(number)))
            }
            standing.shuffle(using: &random)
            let left = round == 5 ? 0 : 40
            while standing.count > left { index.remove(standing.removeLast()) }
            if round == 1 { largest = index.byteCount }
        }
        #expect(index.isEmpty)
        #expect(index.byteCount == empty)
        #expect(largest > 0)
        #expect(candidates(index, nil, documents[0]) == [])
    }

    @Test func `What leaves makes room for what comes`() throws {
        let index = PredicateIndex()
        let keeper = index.insert(try Filter(parsing: "z == 1"), slot: 0)
        func wave() throws {
            let some = try (0..<500).map { number in
                index.insert(try Filter(parsing: "q\(number) > 1 and k == \(number)"), slot: 1)
            }
            for registration in some { index.remove(registration) }
        }
        try wave()
        let once = index.byteCount
        for _ in 0..<5 { try wave() }
        #expect(index.byteCount == once)
        #expect(index.counts == (1, 1, 0))
        index.remove(keeper)
        #expect(index.isEmpty)
    }
}

@Suite struct IntervalForestTests {
    @Test func `Every interval that holds the value is found, and no other`() {
        var random = PredicateRandom("interval forest")
        for round in 0..<12 {
            var forest = IntervalForest()
            var root = forest.makeSet()
            var places: [Place] = []
            var live: [Int32] = []
            let bound = random.pick([3, 50, 10_000])
            for step in 0..<1_500 {
                if random.below(100) < (step / 500 == 1 ? 75 : 35), let gone = live.indices.last {
                    let index = random.below(gone + 1)
                    let place = live.remove(at: index)
                    if forest.remove(place, from: &root, &places) { root = forest.makeSet() }
                } else {
                    let low = random.below(bound)
                    let high = low + random.below(random.pick([1, 20, bound]))
                    places.append(
                        Place(
                            low: UInt64(low), high: UInt64(high), slot: 0, sibling: -1, bucket: 0))
                    live.append(Int32(places.count - 1))
                    forest.insert(live[live.count - 1], in: &root, &places)
                }
                guard step % 20 == 0 else { continue }
                let value = UInt64(random.below(bound * 2))
                var found: [Int32] = []
                forest.collect(root, holding: value, into: &found)
                let wanted = live.filter { place in
                    let interval = places[Int(place)]
                    return interval.low <= value && value <= interval.high
                }
                #expect(found.sorted() == wanted.sorted(), "round \(round), step \(step)")
            }
            for place in live where forest.remove(place, from: &root, &places) { root = -1 }
            #expect(forest.nodeCount == 0 || live.isEmpty)
        }
    }

    @Test(
        "None is lost where lower ones follow the first, whatever goes in between",
        arguments: [40, 200, 1_000, 4_000])
    func lowerOnesLast(count: Int) {
        var random = PredicateRandom("lower intervals last")
        var forest = IntervalForest()
        var root = forest.makeSet()
        var places: [Place] = []
        func lost(of numbers: some Sequence<Int>) -> [Int] {
            numbers.filter { number in
                var found: [Int32] = []
                forest.collect(root, holding: places[number].low, into: &found)
                return !found.contains(Int32(number))
            }
        }
        for number in 0..<count {
            let half = count * 2
            let low = number < 40 ? half + random.below(half) : random.below(2 * half)
            places.append(
                Place(low: UInt64(low), high: UInt64(low + 8), slot: 0, sibling: -1, bucket: 0))
            forest.insert(Int32(number), in: &root, &places)
        }
        #expect(lost(of: places.indices) == [])
        for number in 0..<count where number % 3 != 0 {
            _ = forest.remove(Int32(number), from: &root, &places)
        }
        #expect(lost(of: stride(from: 0, to: count, by: 3)) == [])
        for number in 0..<count where number % 3 != 0 {
            forest.insert(Int32(number), in: &root, &places)
        }
        #expect(lost(of: places.indices) == [])
    }
}

@Suite struct ValueKeyTests {
    @Test func `Equal values have equal hashes, and heads follow the order`() throws {
        let texts =
            PredicateWorld.numbers + PredicateWorld.strings
            + ["null", "true", "false", "[]", "[1]", "[1.0]", "[[1]]", "[[1.0]]", "{\"a\":1}"]
        for left in texts {
            for right in texts {
                let (first, second) = (Array(left.utf8), Array(right.utf8))
                first.withUnsafeBytes { first in
                    second.withUnsafeBytes { second in
                        let (one, other) = (
                            JSONView(canonical: first), JSONView(canonical: second)
                        )
                        let order = ValueOrder.compare(one, other)
                        let heads = (ValueKey.head(one), ValueKey.head(other))
                        if order == 0 {
                            #expect(ValueKey.hash(one) == ValueKey.hash(other), "\(left) \(right)")
                        } else if one.kind != other.kind || one.kind == .string {
                            #expect(ValueKey.hash(one) != ValueKey.hash(other), "\(left) \(right)")
                        }
                        if order == 0 { #expect(heads.0 == heads.1, "\(left) \(right)") }
                        if order < 0 { #expect(heads.0 <= heads.1, "\(left) \(right)") }
                    }
                }
            }
        }
        #expect(
            ValueKey.hash(nil)
                == Array("null".utf8).withUnsafeBytes {
                    ValueKey.hash(JSONView(canonical: $0))
                })
    }
}
