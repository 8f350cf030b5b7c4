import FreshetBase
import FreshetQuery
import Testing

@testable import FreshetEngine
@testable import FreshetServer

@Suite("What slow readers of long answers keep")
struct PinnedBodiesTests {
    private final class Body: PinnedBody {
        let isCut = Counter()
        func cut() { isCut.add() }
    }

    private static let half = PinnedBodies.mostBytes / 2 + 1

    private func rows(_ name: String = "task", replaced: Int) throws -> PinnedBodies.Pin {
        var turnover = Turnover()
        if replaced > 0 { turnover.add(bytes: replaced) }
        return .rows(
            of: try #require(TypeName(name)), turnover: turnover, count: 10, bytes: Self.half)
    }

    @Test("Rows that nothing has replaced cost nothing, however many send them")
    func unchanged() throws {
        let bodies = PinnedBodies()
        let all = (0..<50).map { _ in Body() }
        for body in all { bodies.add(body, [try rows(replaced: 0)]) }
        #expect(all.allSatisfy { $0.isCut.value == 0 })
    }

    @Test("Each that saw another state of the table costs what was replaced until the next began")
    func replaced() throws {
        let bodies = PinnedBodies()
        let all = (0..<4).map { _ in Body() }
        for (index, body) in all.enumerated() {
            bodies.add(body, [try rows(replaced: 2 * Self.half * index)])
        }
        // The newest is none of them, the one before has room, the next one has none.
        #expect(all.map(\.isCut.value) == [2, 1, 0, 0])
        bodies.remove(all[0])
        bodies.remove(all[1])
        let last = Body()
        // The same state as the newest: nothing was replaced between.
        bodies.add(last, [try rows(replaced: 6 * Self.half)])
        #expect(all[2].isCut.value == 0 && all[3].isCut.value == 0 && last.isCut.value == 0)
    }

    @Test("Little is replaced of much: that alone counts")
    func fewChanges() throws {
        let bodies = PinnedBodies()
        let all = (0..<20).map { _ in Body() }
        for (index, body) in all.enumerated() {
            bodies.add(body, [try rows(replaced: (1 << 20) * index)])
        }
        #expect(all.allSatisfy { $0.isCut.value == 0 })
        // Other types' changes are none of theirs.
        bodies.add(Body(), [try rows("note", replaced: 20 * Self.half)])
        #expect(all.allSatisfy { $0.isCut.value == 0 })
    }

    @Test("What many send is counted once, what is an answer's own each time")
    func shared() {
        let bodies = PinnedBodies()
        let object = Body()
        let all = (0..<50).map { _ in Body() }
        for body in all { bodies.add(body, [.shared(object, bytes: Self.half)]) }
        #expect(all.allSatisfy { $0.isCut.value == 0 })
        for body in all { bodies.remove(body) }
        let own = (0..<4).map { _ in Body() }
        for body in own { bodies.add(body, [.own(bytes: Self.half)]) }
        #expect(own.map(\.isCut.value) == [2, 1, 0, 0])
    }
}
