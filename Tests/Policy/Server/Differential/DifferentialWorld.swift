import FreshetJSON

/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &self)
    }

    mutating func chance(_ one: Int) -> Bool { below(one) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}

/// A random schema, and documents, filters and queries of the small world that it describes.
///
/// The world is small so that things meet: equal keys, shared prefixes, hits for most filters.
struct DifferentialWorld {
    var random: SeededGenerator
    /// What each property holds, `any` for all kinds.
    private let shapes: [String: String]

    private static let names = ["x", "y", "z", "t", "o", "n", "a b", "é"]
    private static let integers = ["0", "1", "1.0", "10e-1", "2", "-3", "7", "100", "1e2"]
    private static let numbers =
        integers + [
            "-0", "0.1", "-5.50", "9007199254740992", "9007199254740993", "-9007199254740993",
            "9223372036854775807", "9223372036854775808", "123456789012345678901", "1e30", "1e-7",
            "1.7976931348623157e308", "0.30000000000000004", "1e300",
        ]
    private static let pieces = [
        "a", "b", "A", "n", "0", "1f", "\n", "\\", "\"", "\u{1f}", "\u{2028}", "é", "É", "😀",
        "ab", "u2028", "aab", "", "the same long beginning ",
    ]
    static let idTexts =
        (0..<40).map { "\($0 - 5)" } + ["a", "b", "ab", "B", "é", "a/b", "x y", "01", "1.0"]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        var shapes: [String: String] = ["t": "array", "o": "object", "n": "integer"]
        for name in Self.names where shapes[name] == nil {
            shapes[name] = random.pick(["any", "integer", "number", "string", "boolean", "any"])
        }
        self.shapes = shapes
    }

    /// The configuration of the types `indexed` and `declared`, the latter without an index.
    mutating func configuration() -> JSONValue {
        let properties = JSONValue.object(
            Self.names.map { name in
                let kind = JSONValue.string(shapes[name] ?? "any")
                return .init(name: name, value: ["type": kind, "nullable": true])
            })
        let names = ["x", "y", "z", "t", "n"]
        let indexes = (0..<4).map { _ -> JSONValue in
            guard random.chance(2) else { return .string(random.pick(names)) }
            return .array(
                (0...random.below(3)).map { _ in
                    .string((random.chance(2) ? "-" : "") + random.pick(names))
                }.reduced { $0.stringValue.map { String($0.drop { $0 == "-" }) } ?? "" })
        }
        let unique = indexes.reduced { $0.text.replacing("[", with: "").replacing("]", with: "") }
        return [
            "types": [
                "indexed": ["properties": properties, "indexes": .array(unique)],
                "declared": ["properties": properties],
            ]
        ]
    }

    // MARK: Documents

    mutating func string() -> String {
        (0..<random.below(4)).map { _ in random.pick(Self.pieces) }.joined()
    }

    mutating func scalar() -> JSONValue {
        switch random.below(8) {
        case 0: .null
        case 1: .bool(random.chance(2))
        case 2, 3, 4: .number(random.pick(Self.numbers))
        default: .string(string())
        }
    }

    private mutating func value(_ name: String, _ depth: Int) -> JSONValue {
        if random.chance(8) { return .null }
        switch shapes[name] ?? "any" {
        case "integer": return .number(random.pick(Self.integers))
        case "number": return .number(random.pick(Self.numbers))
        case "string": return .string(string())
        case "boolean": return .bool(random.chance(2))
        case "array": return .array((0..<random.below(5)).map { _ in literal() })
        case "object": return depth < 3 ? .object(members(depth + 1)) : .object([])
        default: return literal()
        }
    }

    private mutating func members(_ depth: Int) -> [JSONValue.Member] {
        Self.names.shuffled(using: &random).compactMap { name in
            random.chance(4) ? nil : .init(name: name, value: value(name, depth))
        }
    }

    /// A document with the id, written as a number where its text is one.
    mutating func document(_ id: String) -> JSONValue {
        .object([.init(name: "id", value: Self.idValue(id))] + members(0))
    }

    static func idValue(_ text: String) -> JSONValue {
        Int64(text).map { "\($0)" == text } == true ? .number(text) : .string(text)
    }

    // MARK: Queries

    /// For order and fields; in a filter `id` stands only where an id is meant.
    private mutating func pathOrID() -> [String] {
        random.chance(12) ? ["id"] : path()
    }

    private mutating func path() -> [String] {
        if random.chance(4) { return ["o", random.pick(Self.names)] }
        return [random.pick(Self.names)]
    }

    private mutating func literal() -> JSONValue {
        random.chance(8) ? .array((0..<random.below(3)).map { _ in scalar() }) : scalar()
    }

    private mutating func literals() -> [JSONValue] {
        (0..<random.below(5)).map { _ in literal() }
    }

    mutating func filter(_ depth: Int = 0) -> ReferenceTest {
        let signs = ["==", "!=", "<", "<=", ">", ">=", "=="]
        switch random.below(depth < 3 ? 20 : 13) {
        case 0: return .constant(random.chance(2))
        case 1, 2, 3, 4: return .compare(path(), random.pick(signs), literal())
        case 5:
            guard random.chance(4) else { return .isIn(path(), literals()) }
            return .isIn(["id"], idList().map(Self.idValue))
        case 6: return .member(random.chance(2) ? ["t"] : path(), "has", [literal()])
        case 7:
            return .member(
                random.chance(2) ? ["t"] : path(), random.pick(["hasAny", "hasAll"]), literals())
        case 8: return random.chance(2) ? .exists(path()) : .isNull(path())
        case 9: return .isTrue(path())
        case 10, 11:
            return .text(path(), random.pick(["startsWith", "contains", "endsWith"]), string())
        case 12:
            if random.chance(3) {
                return .matches(path(), random.below(ReferencePattern.all.count))
            }
            return .size(random.chance(2) ? ["t"] : path(), random.pick(signs), random.below(5))
        case 13: return .not(filter(depth + 1))
        case 14, 15, 16, 17: return .and((0...1 + random.below(2)).map { _ in filter(depth + 1) })
        default: return .or((0...1 + random.below(2)).map { _ in filter(depth + 1) })
        }
    }

    mutating func query() -> ReferenceQuery {
        var query = ReferenceQuery()
        if !random.chance(6) { query.filter = filter() }
        if random.chance(8) {
            query.ids = idList()
        } else if random.chance(10) {
            query.order = .ids(idList())
        } else if !random.chance(3) {
            var seen: Set<[String]> = []
            let paths = (0...random.below(3)).map { _ in pathOrID() }
            let keys = paths.filter { seen.insert($0).inserted }
            query.order = .keys(
                keys.map { .init(path: $0, descending: random.chance(2), folds: random.chance(5)) })
        }
        if random.chance(4) { query.offset = random.below(12) }
        if random.chance(2) { query.limit = random.pick([0, 1, 2, 5, 20, 1_000]) }
        if random.chance(4) { query.fields = (0...random.below(3)).map { _ in pathOrID() } }
        query.count = random.chance(2)
        if random.chance(3) { addLater(&query) }
        return query
    }

    private mutating func addLater(_ query: inout ReferenceQuery) {
        if random.chance(3) { query.distinct = pathOrID() }
        if random.chance(2) { query.group = pathOrID() }
        guard random.chance(2) else { return }
        var seen: Set<String> = []
        let figures = (0...random.below(5)).map { _ in
            ReferenceFigure(
                function: random.pick(["count", "sum", "avg", "min", "max"]), path: pathOrID())
        }
        query.aggregates = figures.filter { seen.insert($0.text).inserted }
    }

    private mutating func idList() -> [String] {
        let all = Self.idTexts + ["none", "1000000"]
        return Array(all.shuffled(using: &random).prefix(random.below(8) + 1)).filter {
            !$0.contains("/") && !$0.contains(" ")
        }
    }
}

extension Array {
    /// The first element of each key.
    func reduced<Key: Hashable>(_ key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}
