import Dispatch
import FreshetBase
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetCore

/// A core over a memory store whose schemas change.
private final class World {
    let catalog: TypeCatalog
    let core: CoreManager
    let type: TypeName

    init(_ declaration: String) throws {
        type = try #require(TypeName("thing"))
        catalog = TypeCatalog(try Self.schemas(declaration))
        let live = LiveQueries()
        core = CoreManager(
            store: MemoryStore(rules: catalog, observer: live), catalog: catalog, limits: .init(),
            live: live)
    }

    static func schemas(_ declaration: String) throws -> [TypeSchema] {
        let (schema, faults) = try readType(declaration)
        #expect(faults == [])
        return [try #require(schema)]
    }

    func declare(_ declaration: String) throws {
        catalog.replace(try Self.schemas(declaration), isStrict: false)
    }

    func set(_ json: String) throws {
        var builder = DocumentBuilder()
        let document = try Array(json.utf8).withUnsafeBytes {
            try core.writer.document(type, $0, id: .body, using: &builder)
        }
        let transaction = try #require(Transaction(operations: [.set(type, document, .none)]))
        guard case .done = core.writer.committer.commitNow(transaction) else { throw Refused() }
    }

    func remove(_ id: String) throws {
        let transaction = try #require(
            Transaction(operations: [.remove(type, try EntityID(id), .none)]))
        guard case .done = core.writer.committer.commitNow(transaction) else { throw Refused() }
    }

    /// Off the cooperative pool: the count is made on a worker.
    func report() async throws -> UnfitCensus.Report {
        let report = await Promise.value { core.types.unfit.report(on: type, completion: $0) }
        return try #require(report)
    }

    struct Refused: Error {}
}

@Suite("Entities that no longer fit")
struct UnfitCensusTests {
    @Test("A schema that changes leaves entities unfit, and writes make them fit again")
    func life() async throws {
        let world = try World(#"{"properties":{"n":{"type":"integer"}}}"#)
        for index in 0..<50 { try world.set("{\"id\":\(index),\"n\":\(index)}") }
        #expect(try await world.report().count == 0)

        try world.declare(#"{"properties":{"n":{"type":"integer","maximum":9}}}"#)
        var report = try await world.report()
        #expect(report.count == 40)
        #expect(report.examples.count == UnfitCensus.exampleLimit)
        #expect(report.examples.first?.faults.map { "\($0.pointer) \($0.code)" } == ["/n maximum"])
        #expect(report.examples.first.map { Array($0.document.idBytes) } == Array("10".utf8))

        try world.set(#"{"id":10,"n":1}"#)
        try world.remove("11")
        report = try await world.report()
        #expect(report.count == 38)
        #expect(report.examples.first.map { Array($0.document.idBytes) } == Array("12".utf8))

        try world.declare("{}")
        #expect(try await world.report().count == 0)
    }

    @Test("Only what was written since is judged again")
    func incremental() async throws {
        let world = try World("{}")
        for index in 0..<1_000 { try world.set("{\"id\":\(index),\"n\":\(index % 2)}") }
        try world.declare(#"{"properties":{"n":{"type":"integer","maximum":0}}}"#)
        #expect(try await world.report().count == 500)
        #expect(world.core.types.unfit.judged.value == 1_000)
        #expect(world.core.types.unfit.known(world.type)?.count == 500)

        try world.set(#"{"id":1,"n":0}"#)
        try world.set(#"{"id":2000,"n":0}"#)
        #expect(world.core.types.unfit.known(world.type) == nil)
        #expect(try await world.report().count == 499)
        #expect(world.core.types.unfit.judged.value == 1_002)
    }

    @Test("A random history counts as a plain walk does")
    func model() async throws {
        let seed = TestSeed.first
        print("unfit census seed \(seed)")
        var state = seed | 1
        func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        let world = try World("{}")
        var values: [Int: Int] = [:]
        var maximum = Int.max
        for _ in 0..<400 {
            switch next(10) {
            case 0:
                maximum = next(100)
                try world.declare(
                    #"{"properties":{"n":{"type":"integer","maximum":\#(maximum)}}}"#)
            case 1:
                let id = next(60)
                values[id] = nil
                try world.remove(String(id))
            case 2, 3:
                let unfit = values.values.count { $0 > maximum }
                #expect(try await world.report().count == unfit)
            default:
                let (id, value) = (next(60), next(min(maximum, 100) + 1))
                values[id] = value
                try world.set("{\"id\":\(id),\"n\":\(value)}")
            }
        }
    }

    @Test("Ids that are no integers any more are unfit, and defaults that are absent are not")
    func idsAndDefaults() async throws {
        let world = try World("{}")
        try world.set(#"{"id":"a"}"#)
        try world.set(#"{"id":7}"#)
        try world.declare(
            #"{"identifier":"integer","properties":{"s":{"type":"string","required":true,"default":"x"}}}"#
        )
        let report = try await world.report()
        #expect(report.count == 1)
        #expect(report.examples.first?.faults.map(\.pointer) == ["/id"])
    }

    @Test("Those who ask at once share a count")
    func together() async throws {
        let world = try World("{}")
        for index in 0..<2_000 { try world.set("{\"id\":\(index)}") }
        try world.declare(#"{"properties":{"a":{"type":"any","required":true}}}"#)
        let census = world.core.types.unfit
        let type = world.type
        await withTaskGroup(of: UnfitCensus.Report?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await Promise.value { census.report(on: type, completion: $0) }
                }
            }
            for await report in group { #expect(report?.count == 2_000) }
        }
        #expect(census.judged.value <= 2 * 2_000)
    }
}
