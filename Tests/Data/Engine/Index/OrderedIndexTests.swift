import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetEngine

@Suite struct OrderedIndexTests {
    private static let definitions: [[OrderKey]] = [
        [OrderKey(path: PropertyPath(["a"]))],
        [OrderKey(path: PropertyPath(["a"]), descending: true)],
        [
            OrderKey(path: PropertyPath(["b"])),
            OrderKey(path: PropertyPath(["a"]), descending: true),
        ],
        [
            OrderKey(path: PropertyPath(["c", "d"]), descending: true),
            OrderKey(path: PropertyPath(["b"])),
        ],
    ]

    private static let values = [
        "null", "true", "false", "0", "-0.0", "1", "1.0", "10e-1", "2", "-1", "1.5",
        "0.9999999999999999999999", "1.0000000000000000000001", "-0.99999999999999999999999",
        "-1.0000000000000000000001", "281474976710655", "281474976710656", "281474976710655.5",
        "0.99999999999999994", "-281474976710657", "1e-7", "-5", "-4.999999999999999999999",
        "9007199254740992", "9007199254740993", "1e400", "-1e400", "1e-400",
        "123456789012345678901",
        #""""#, #""a""#, #""ab""#, #""abcdefgh""#, #""abcdefghi""#, #""a\n""#, #""a\u0000""#,
        #""a\u2028z""#, #""abcdefghijklmnopqrstuvw""#, #""abcdefghijklmnopqrstuvwx""#,
        #""abcdefghijklmnopqrstuvwy""#, #""abcdefgh\n""#, #""abcdefghijklmnop\u0000""#, #""é""#,
        #""\"q""#, #""optional""#, #""optional\u0000""#, #""optional\u0000a""#, #""optionalx""#,
        #""abcdefghijklmn""#, #""abcdefghijklmno""#, #""abcdefghijklmn\n""#, #""abcdefg\u0000""#,
        #""abcdefg\u0000\u0000x""#, #""a\u0000\u0000\u0000\u0000\u0000\u0000\u0000b""#, "[]", "[1]",
        "[1,2,1.0]", #"["a","ab"]"#, "[[1],null]",
        "{}", #"{"x":1}"#,
    ]

    private static func value(_ random: inout SeededGenerator) -> String {
        values[random.below(values.count)]
    }

    /// Ids that begin alike, some in another way, and some that are integers.
    private static func id(_ number: Int) -> String {
        switch number % 8 {
        case 0: "\(number)"
        case 1: "\"p\(number)\""
        case 2: "\"package\(number)\""
        case 3: "\"zebra-\(number)\""
        default: "\"package-\(number)\""
        }
    }

    private static func entityID(_ number: Int) throws -> EntityID {
        try document("{\"id\":\(id(number))}").id
    }

    private static func make(_ id: Int, _ random: inout SeededGenerator) throws -> Document {
        var members = ["\"id\":\(Self.id(id))"]
        if random.below(4) > 0 { members.append("\"a\":\(value(&random))") }
        if random.below(4) > 0 { members.append("\"b\":\(value(&random))") }
        if random.below(4) > 0 { members.append("\"c\":{\"d\":\(value(&random))}") }
        return try document("{\(members.joined(separator: ","))}")
    }

    private static func texts(_ view: IndexView, _ ranks: Range<Int>) -> [String] {
        var cursor = view.cursor(in: ranks)
        var found: [String] = []
        while true {
            let run = cursor.nextRun(limit: 7)
            if run.isEmpty { return found }
            found += run.map(text)
        }
    }

    /// The rows in the order of a search, found without an index.
    private static func sorted(_ documents: [Document], _ keys: [OrderKey]) -> [Document] {
        documents.sorted { RowOrder(.keys(keys)).compare($0, $1) < 0 }
    }

    private static func check(_ table: TableView, _ documents: [Document]) {
        for index in table.indexes {
            let wanted = sorted(documents, index.definition.keys)
            #expect(texts(index.view, 0..<index.view.count) == wanted.map(text))
            for rank in stride(from: 0, to: wanted.count, by: 5) {
                #expect(index.view.document(at: rank)?.address == wanted[rank].address)
            }
        }
    }

    @Test func indexesFollowRandomChanges() throws {
        let seed = TestSeed.first
        print("indexes follow random changes: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var table = Table()
        for keys in Self.definitions { table.addIndex(try #require(IndexDefinition(keys))) }
        var model: [Int: Document] = [:]
        var kept: [(view: TableView, documents: [Document])] = []
        for step in 0..<6_000 {
            // Grows, then shrinks to nothing.
            let id = random.below(700)
            if random.below(step < 3_500 ? 4 : 1) > 0 || (step < 3_500 && model.count < 3) {
                let document = try Self.make(id, &random)
                _ = table.insert(document)
                model[id] = document
            } else {
                _ = table.remove(try Self.entityID(id))
                model[id] = nil
            }
            guard step % 500 == 0 else { continue }
            #expect(table.brokenInvariant() == nil)
            kept.append((table.view(seq: UInt64(step)), Array(model.values)))
        }
        #expect(table.brokenInvariant() == nil)
        for (view, documents) in kept { Self.check(view, documents) }
    }

    @Test func leavesFillThoughEntitiesComeOneByOne() throws {
        let seed = TestSeed.first
        print("leaves fill though entities come one by one: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var table = Table()
        for name in ["a", "b"] {
            let keys = [OrderKey(path: PropertyPath([name]))]
            table.addIndex(try #require(IndexDefinition(keys)))
        }
        let count = 20_000
        // `a` in random order, `b` of few values, under which ids come in order.
        for id in 0..<count {
            let text = #"{"id":"e\#(id)","a":\#(random.below(1_000_000_000)),"b":\#(id % 5)}"#
            _ = table.insert(try document(text))
        }
        #expect(table.brokenInvariant() == nil)
        // An entry has 28 bytes. Where full leaves are halved, whatever their neighbours have room for,
        // they take 42 and 54.
        #expect(table.indexes[0].byteCount <= 39 * count)
        #expect(table.indexes[1].byteCount <= 37 * count)
    }

    @Test func anIndexThatIsBuiltEqualsOneThatWasKept() throws {
        let seed = TestSeed.first
        print("an index that is built equals one that was kept: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var table = Table()
        for id in 0..<2_000 { _ = table.insert(try Self.make(id, &random)) }
        for keys in Self.definitions {
            let definition = try #require(IndexDefinition(keys))
            var other = Table()
            other.addIndex(definition)
            table.view(seq: 0).forEach { _ = other.insert($0) }
            table.addIndex(definition)
            let built = try #require(table.indexes.last)
            #expect(
                Self.texts(built.view, 0..<2_000) == Self.texts(other.indexes[0].view, 0..<2_000))
            let (left, right) = (built.elementView, other.indexes[0].elementView)
            #expect(left?.count == right?.count)
            if let left, let right {
                #expect(
                    Self.texts(left, 0..<left.count) == Self.texts(right, 0..<right.count))
            }
        }
        #expect(table.brokenInvariant() == nil)
        table.keepIndexes([try #require(IndexDefinition(Self.definitions[1]))])
        #expect(table.indexes.map(\.definition.description) == ["-a"])
    }

    /// Where a value stands to a place on its key, without an index.
    private static func isBefore(_ place: ValuePlace, _ value: JSONView?) -> Bool {
        func compare(_ bytes: [UInt8]) -> Int {
            bytes.withUnsafeBytes { ValueOrder.compare(value, JSONView(canonical: $0)) }
        }
        switch place {
        case .start: return false
        case .end: return true
        case .before(let bytes): return compare(bytes) < 0
        case .after(let bytes): return compare(bytes) <= 0
        case .kindStart(let kind):
            let order: [JSONKind] = [.bool, .number, .string, .array, .object, .null]
            let rank = order.firstIndex(of: value?.kind ?? .null) ?? 0
            return rank < order.firstIndex(of: kind) ?? 0
        case .prefixEnd(let bytes):
            let prefix =
                JSONValue.string(
                    (try? JSONValue.parse(bytes))?.stringValue ?? ""
                ).stringValue ?? ""
            if let text = value?.string, Array(text.utf8).starts(with: Array(prefix.utf8)) {
                return true
            }
            return compare(bytes) < 0
        }
    }

    @Test func ranksCountWhatIsBeforeAPlace() throws {
        let seed = TestSeed.first
        print("ranks count what is before a place: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var table = Table()
        for keys in Self.definitions { table.addIndex(try #require(IndexDefinition(keys))) }
        var documents: [Document] = []
        for id in 0..<800 {
            documents.append(try Self.make(id, &random))
            _ = table.insert(documents[id])
        }
        let kinds: [JSONKind] = [.bool, .number, .string, .array, .object, .null]
        for _ in 0..<3_000 {
            let index = table.indexes[random.below(table.indexes.count)]
            let keys = index.definition.keys
            func canonical(_ text: String) throws -> [UInt8] { try JSONValue.parse(text).bytes }
            let depth = random.below(keys.count + 1)
            let wanted = try (0..<depth).map { _ in try canonical(Self.value(&random)) }
            var place = IndexPlace(wanted, isAfter: random.below(2) == 0)
            if depth < keys.count, random.below(4) > 0 {
                let value = try canonical(Self.value(&random))
                switch random.below(6) {
                case 0: place.bound = .before(value)
                case 1: place.bound = .after(value)
                case 2: place.bound = .kindStart(kinds[random.below(6)])
                case 3 where value.first == UInt8(ascii: "\""): place.bound = .prefixEnd(value)
                case 4: place.bound = .start
                default: place.bound = .end
                }
            } else if depth == keys.count, random.below(2) == 0 {
                place.id = try Self.entityID(random.below(800))
            }
            let expected = documents.count { document in
                for (position, value) in wanted.enumerated() {
                    let order = value.withUnsafeBytes {
                        ValueOrder.compare(
                            document.view(at: keys[position].path), JSONView(canonical: $0))
                    }
                    if order != 0 { return (order < 0) != keys[position].descending }
                }
                if let bound = place.bound {
                    let isBefore = Self.isBefore(bound, document.view(at: keys[depth].path))
                    return isBefore != keys[depth].descending
                }
                if let id = place.id { return document.id <= id }
                return place.isAfter
            }
            #expect(index.view.rank(of: place) == expected, "\(index.definition) \(place)")
        }
    }

    @Test func headsOrderAsValuesDo() throws {
        let seed = TestSeed.first
        print("heads order as values do: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        func number() -> String {
            let near = ["0", "1", "-1", "7", "281474976710656", "-281474976710656", "1000000"]
            let base = random.below(3) == 0 ? String(random.below(1 << 40)) : random.pick(near)
            switch random.below(5) {
            case 0: return base
            case 1: return base + ".0"
            case 2: return base + "." + String(repeating: "0", count: random.below(25)) + "1"
            case 3:
                guard let value = Int64(base) else { return base }
                return "\(value - 1)." + String(repeating: "9", count: random.below(25) + 1)
            default: return base + "e\(random.below(20) - 10)"
            }
        }
        for _ in 0..<50_000 {
            let texts = [
                random.below(4) > 0 ? number() : Self.value(&random),
                random.below(4) > 0 ? number() : Self.value(&random),
            ]
            let (left, right) = (
                try JSONValue.parse(texts[0]).bytes, try JSONValue.parse(texts[1]).bytes
            )
            let (order, heads) = left.withUnsafeBytes { left in
                right.withUnsafeBytes { right in
                    let (left, right) = (JSONView(canonical: left), JSONView(canonical: right))
                    return (
                        ValueOrder.compare(left, right), (IndexHead.of(left), IndexHead.of(right))
                    )
                }
            }
            if heads.0 != heads.1 {
                #expect((heads.0 < heads.1) == (order < 0) && order != 0, "\(texts)")
            } else if IndexHead.isWhole(heads.0) {
                #expect(order == 0, "\(texts)")
            }
        }
    }

    @Test func elementsStandOncePerDocumentAndLongArraysAmongTheArrays() throws {
        var table = Table()
        table.addIndex(try #require(IndexDefinition([OrderKey(path: PropertyPath(["tags"]))])))
        _ = table.insert(try document(#"{"id":1,"tags":["b","a","b"]}"#))
        _ = table.insert(try document(#"{"id":2,"tags":["b",1,1.0]}"#))
        _ = table.insert(try document(#"{"id":3,"tags":"b"}"#))
        let many = (0...OrderedIndex.elementLimit).map(String.init).joined(separator: ",")
        _ = table.insert(try document("{\"id\":4,\"tags\":[\(many)]}"))
        func ids(_ from: ValuePlace, _ to: ValuePlace) throws -> [String] {
            let view = try #require(table.indexes[0].elementView)
            let ranks = view.rank(of: IndexPlace([], from))..<view.rank(of: IndexPlace([], to))
            var cursor = view.cursor(in: ranks)
            return cursor.nextRun(limit: 100).map { $0.id.description }
        }
        let b = Array("\"b\"".utf8)
        #expect(try ids(.before(b), .after(b)) == ["1", "2"])
        #expect(try ids(.before([0x31]), .after([0x31])) == ["2"])
        #expect(try ids(.kindStart(.array), .kindStart(.object)) == ["4"])
        #expect(table.indexes[0].elementView?.count == 5)
        for id in 1...4 { _ = table.remove(EntityID(Int64(id))) }
        #expect(table.indexes[0].elementView == nil)
        #expect(table.brokenInvariant() == nil)
    }

    @Test func definitionsThatMakeNoSenseAreRefused() {
        let a = OrderKey(path: PropertyPath(["a"]))
        #expect(IndexDefinition([]) == nil)
        #expect(IndexDefinition([OrderKey(path: .id)]) == nil)
        #expect(IndexDefinition([a, OrderKey(path: a.path, descending: true)]) == nil)
        #expect(IndexDefinition([OrderKey(path: a.path, caseInsensitive: true)]) == nil)
        let many = (0...8).map { OrderKey(path: PropertyPath(["p\($0)"])) }
        #expect(IndexDefinition(many) == nil)
        #expect(IndexDefinition(Array(many.dropLast()))?.keys.count == 8)
    }
}
