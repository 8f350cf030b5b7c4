import FreshetQuery
import Testing

@testable import FreshetEngine

@Suite struct TableTests {
    /// Ids of all kinds: integers with the ends of their range, texts with shared beginnings, some
    /// that only look like integers.
    private static func randomID(_ random: inout SeededGenerator, span: Int) -> String {
        let number = random.below(span)
        switch random.below(8) {
        case 0: return String(number)
        case 1: return String(-number)
        case 2: return String(Int64.max - Int64(number))
        case 3: return "entity-with-a-long-name-\(number)"
        case 4: return "0\(number)"
        case 5: return "entity-with-a-long-name-and-one-more-word-\(number)"
        case 6: return String(repeating: "e", count: number % 40 + 1)
        default: return String(number, radix: 36)
        }
    }

    private static func make(_ id: String, _ version: Int) throws -> Document {
        try document("{\"id\":\"\(id)\",\"v\":\(version)}", revision: UInt64(version + 1))
    }

    private static func read(_ view: TableView) -> [String] {
        var found: [String] = []
        view.forEach { found.append(text($0)) }
        return found
    }

    private static func expected(_ model: [String: Document]) -> [String] {
        model.keys.sorted(by: idPrecedes).compactMap { model[$0].map(text) }
    }

    @Test func anEmptyTableHasNothing() throws {
        var table = Table()
        #expect(table.count == 0)
        #expect(table.document(EntityID(7)) == nil)
        #expect(table.remove(EntityID(7)) == nil)
        var cursor = table.view(seq: 3).makeCursor()
        #expect(cursor.next() == nil)
        #expect(table.view(seq: 3).seq == 3)
        #expect(TableView.empty.count == 0)
        #expect(table.brokenInvariant() == nil)
    }

    @Test func insertReplaceAndRemoveReturnTheOldDocument() throws {
        var table = Table()
        let first = try document("{\"id\":7,\"a\":1}")
        let second = try document("{\"a\":22,\"id\":\"7\"}")
        #expect(table.insert(first) == nil)
        #expect(table.byteCount == first.json.count)
        #expect(table.insert(second)?.address == first.address)
        #expect(table.count == 1)
        #expect(table.byteCount == second.json.count)
        #expect(table.document(EntityID(7))?.address == second.address)
        #expect(table.remove(EntityID(7))?.address == second.address)
        #expect(table.count == 0)
        #expect(table.byteCount == 0)
        #expect(table.document(EntityID(7)) == nil)
    }

    @Test(arguments: [20, 500, 20_000])
    func aTableAndItsSnapshotsAgreeWithADictionary(span: Int) throws {
        let seed = freshSeed("table model")
        var random = SeededGenerator(seed: seed)
        var table = Table()
        var model: [String: Document] = [:]
        var held: [(view: TableView, table: Table, expected: [String])] = []
        for step in 0..<12_000 {
            let id = Self.randomID(&random, span: span)
            // Phases of growing and shrinking, so that nodes split and join.
            let grows = (step / 3_000) % 2 == 0
            if random.below(10) < (grows ? 7 : 3) {
                let made = try Self.make(id, step)
                let old = table.insert(made)
                #expect(old?.address == model[id]?.address, "seed \(seed)")
                model[id] = made
            } else {
                let victim = random.below(3) == 0 ? id : (model.keys.first ?? id)
                let removed = table.remove(try EntityID(victim))
                #expect(
                    removed?.address == model.removeValue(forKey: victim)?.address, "seed \(seed)")
            }
            if step % 701 == 0 {
                held.append(
                    (table.view(seq: UInt64(step)), table, Self.expected(model)))
                if held.count > 4 { held.remove(at: random.below(held.count)) }
            }
            if step % 997 == 0 { #expect(table.brokenInvariant() == nil, "seed \(seed)") }
        }
        #expect(table.brokenInvariant() == nil, "seed \(seed)")
        #expect(table.count == model.count)
        #expect(table.byteCount == model.values.reduce(0) { $0 + $1.json.count })
        #expect(Self.read(table.view(seq: 0)) == Self.expected(model), "seed \(seed)")
        for (id, document) in model {
            #expect(table.document(try EntityID(id))?.address == document.address, "seed \(seed)")
        }
        for snapshot in held {
            #expect(Self.read(snapshot.view) == snapshot.expected, "seed \(seed)")
            #expect(snapshot.view.count == snapshot.expected.count)
            #expect(snapshot.table.brokenInvariant() == nil, "seed \(seed)")
            #expect(Self.read(snapshot.table.view(seq: 0)) == snapshot.expected)
        }
        let ordered = model.keys.sorted(by: idPrecedes)
        for id in ordered {
            #expect(table.remove(try EntityID(id)) != nil)
        }
        #expect(table.count == 0)
        #expect(table.byteCount == 0)
        #expect(table.brokenInvariant() == nil)
    }

    @Test(arguments: ["", "entity-", "a-prefix-longer-than-any-node-remembers-"])
    func idsOfOneFormStayFoundWhenOthersJoinThem(prefix: String) throws {
        let seed = freshSeed("forms")
        var random = SeededGenerator(seed: seed)
        var table = Table()
        var model: [String: Document] = [:]
        func insert(_ id: String) throws {
            let made = try Self.make(id, model.count)
            #expect((table.insert(made) == nil) == (model[id] == nil), "seed \(seed)")
            model[id] = made
        }
        for _ in 0..<6_000 { try insert(prefix + String(random.below(100_000))) }
        #expect(table.brokenInvariant() == nil, "seed \(seed)")
        let held = table.view(seq: 1)
        let expected = Self.expected(model)
        for other in [
            "zz", "-1", "e", "entity", "entity-0", "a-prefix", "-", "9223372036854775807",
        ] {
            try insert(other)
            #expect(table.brokenInvariant() == nil, "seed \(seed), \(other)")
        }
        for _ in 0..<3_000 { try insert(Self.randomID(&random, span: 100_000)) }
        #expect(table.brokenInvariant() == nil, "seed \(seed)")
        #expect(Self.read(table.view(seq: 2)) == Self.expected(model))
        #expect(Self.read(held) == expected)
        let view = table.view(seq: 3)
        for (id, document) in model {
            #expect(view.document(try EntityID(id))?.address == document.address, "seed \(seed)")
        }
    }

    @Test func aCursorStartsAtTheFirstIDThatIsNotBelow() throws {
        let seed = freshSeed("cursor")
        var random = SeededGenerator(seed: seed)
        var table = Table()
        var known: Set<String> = []
        for step in 0..<3_000 {
            let id = Self.randomID(&random, span: 5_000)
            known.insert(id)
            _ = table.insert(try Self.make(id, step))
        }
        let ordered = known.sorted(by: idPrecedes)
        let view = table.view(seq: 1)
        for _ in 0..<500 {
            let start = Self.randomID(&random, span: 5_000)
            var cursor = view.makeCursor(from: try EntityID(start))
            let rest = Array(ordered.drop { idPrecedes($0, start) }.prefix(70))
            var found: [String] = []
            while found.count < rest.count, let document = cursor.next() {
                found += ids([document])
            }
            #expect(found == rest, "seed \(seed), from \(start)")
        }
        var behind = view.makeCursor(from: try EntityID("zzzzzzzzzzzzzzzzz"))
        #expect(behind.next() == nil)
    }

    @Test func loadingEqualsInsertingInTheSameOrder() throws {
        let seed = freshSeed("loading")
        var random = SeededGenerator(seed: seed)
        for size in [0, 1, 2, 56, 57, 64, 65, 3_200, 9_000] {
            var documents: [Document] = []
            var table = Table()
            for step in 0..<size {
                let id =
                    step % 2 == 0
                    ? Self.randomID(&random, span: size * 2)
                    : "entity-with-a-long-name-that-all-share-\(random.below(size))"
                let made = try Self.make(id, step)
                documents.append(made)
                _ = table.insert(made)
            }
            var loaded = Table(loading: documents)
            #expect(loaded.brokenInvariant() == nil, "seed \(seed)")
            #expect(loaded.count == table.count)
            #expect(loaded.byteCount == table.byteCount)
            #expect(Self.read(loaded.view(seq: 0)) == Self.read(table.view(seq: 0)))
            // What was loaded takes writes as any other.
            for step in 0..<200 {
                let made = try Self.make(Self.randomID(&random, span: 9_000), step)
                _ = loaded.insert(made)
                _ = table.insert(made)
            }
            #expect(loaded.brokenInvariant() == nil, "seed \(seed)")
            #expect(Self.read(loaded.view(seq: 0)) == Self.read(table.view(seq: 0)))
        }
        let ascending = try (0..<1_000).map { try Self.make("\($0)", $0) }
        let table = Table(loading: ascending)
        #expect(table.brokenInvariant() == nil)
        #expect(Self.read(table.view(seq: 0)) == ascending.map(text))
    }

    @Test func aCopyIsChangedApartFromItsOriginal() throws {
        var table = Table(loading: try (0..<5_000).map { try Self.make("\($0)", $0) })
        let before = Self.read(table.view(seq: 0))
        var next = table
        for index in stride(from: 0, to: 5_000, by: 3) { _ = next.remove(EntityID(Int64(index))) }
        for index in 5_000..<9_000 { _ = next.insert(try Self.make("\(index)", index)) }
        #expect(Self.read(table.view(seq: 0)) == before)
        #expect(table.brokenInvariant() == nil)
        #expect(next.brokenInvariant() == nil)
        #expect(table.document(EntityID(3)) != nil)
        #expect(next.document(EntityID(3)) == nil)
        swap(&table, &next)
        #expect(table.count == 5_000 - 1_667 + 4_000)
        #expect(Self.read(next.view(seq: 0)) == before)
    }

    @Test func viewsAreReadByOtherThreadsWhileTheTableChanges() async throws {
        var table = Table(loading: try (0..<2_000).map { try Self.make("\($0)", $0) })
        try await withThrowingTaskGroup(of: Int.self) { group in
            for round in 0..<40 {
                let view = table.view(seq: UInt64(round))
                let copy = table
                group.addTask {
                    var count = 0
                    view.forEach { document in
                        if copy.document(document.idBytes)?.address == document.address {
                            count += 1
                        }
                    }
                    return count - view.count
                }
                for index in 0..<200 {
                    let id = (round * 131 + index * 17) % 3_000
                    if index % 3 == 0 {
                        _ = table.remove(EntityID(Int64(id)))
                    } else {
                        _ = table.insert(try Self.make("\(id)", round))
                    }
                }
            }
            for try await difference in group { #expect(difference == 0) }
        }
        #expect(table.brokenInvariant() == nil)
    }
}
