import FreshetBase
import FreshetQuery
import Testing

@testable import FreshetEngine
@testable import FreshetServer

@Suite("What slow readers of long answers keep")
struct PinnedBodiesTests {
    private final class Body: PinnedBody {
        let cuts = Counter()
        func cut() { cuts.add() }
        var isCut: Bool { cuts.value > 0 }
    }

    /// Answers over tables, of which as many bytes were replaced as `replaced` says.
    private struct Scene {
        let bodies: PinnedBodies
        let replaced = Counter()

        init() {
            let replaced = replaced
            bodies = PinnedBodies { _ in Self.turnover(replaced.value) }
        }

        static func turnover(_ bytes: Int) -> Turnover {
            var turnover = Turnover()
            if bytes > 0 { turnover.add(bytes: bytes) }
            return turnover
        }

        /// An answer that begins now.
        func begin(
            _ bytes: Int = PinnedBodiesTests.half, of name: String = "task", isWhole: Bool = true
        ) throws -> Body {
            let body = Body()
            bodies.add(
                body,
                [
                    .rows(
                        of: try #require(TypeName(name)), turnover: Self.turnover(replaced.value),
                        count: 10, bytes: bytes, isWhole: isWhole)
                ])
            return body
        }
    }

    fileprivate static let half = PinnedBodies.mostBytes / 2 + 1

    @Test(
        "Rows that nothing has replaced cost nothing, however many send them",
        arguments: [true, false])
    func unchanged(isWhole: Bool) throws {
        let scene = Scene()
        let all = try (0..<50).map { _ in try scene.begin(isWhole: isWhole) }
        #expect(!all.contains { $0.isCut })
    }

    @Test(
        "Each that saw another state of the table costs what was replaced since",
        arguments: [true, false])
    func replaced(isWhole: Bool) throws {
        let scene = Scene()
        let all = try (0..<4).map { _ in
            defer { scene.replaced.add(2 * Self.half) }
            return try scene.begin(isWhole: isWhole)
        }
        // The newest costs nothing yet, the one before has room, the next one has none.
        #expect(all.map(\.cuts.value) == [1, 1, 0, 0])
    }

    @Test("Whole tables share what was not replaced between them")
    func shared() throws {
        let scene = Scene()
        let all = try (0..<40).map { _ in
            defer { scene.replaced.add(1 << 20) }
            return try scene.begin()
        }
        #expect(!all.contains { $0.isCut })
        // Whatever else is sent meanwhile: a part of a table shares nothing with the whole.
        let mixed = Scene()
        let wholes = try (0..<6).map { _ in
            defer { mixed.replaced.add(2 * Self.half) }
            let whole = try mixed.begin()
            _ = try mixed.begin(16 << 20, isWhole: false)
            return whole
        }
        #expect(wholes.count { !$0.isCut } <= 2)
    }

    @Test("What has just begun is not cut, whatever it keeps")
    func newest() {
        let bodies = PinnedBodies { _ in nil }
        let large = Body()
        bodies.add(large, [.own(bytes: 3 * PinnedBodies.mostBytes)])
        #expect(!large.isCut)
        let next = Body()
        bodies.add(next, [.own(bytes: 17 << 20)])
        #expect(large.isCut && !next.isCut)
    }

    @Test("What many send is counted once, what is an answer's own each time")
    func objects() {
        let bodies = PinnedBodies { _ in nil }
        let object = Body()
        let all = (0..<50).map { _ in Body() }
        for body in all { bodies.add(body, [.shared(object, bytes: Self.half)]) }
        #expect(!all.contains { $0.isCut })
        for body in all { bodies.remove(body) }
        let own = (0..<4).map { _ in Body() }
        for body in own { bodies.add(body, [.own(bytes: Self.half)]) }
        #expect(own.map(\.cuts.value) == [1, 1, 0, 0])
    }
}
