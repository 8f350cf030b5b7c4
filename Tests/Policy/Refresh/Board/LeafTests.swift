import FreshetBase
import Testing

@testable import FreshetRefresh

/// What a trace says of its leaves: what they look at, since when, and until when.
@Suite struct LeafTests {
    private func leaf(
        _ bench: BoardBench, _ spec: SpecExpression, at instant: Duration? = nil
    ) -> SpecEvaluation.Leaf? {
        bench.board.evaluate(spec, operation: "op", at: instant, wantsValues: true).trace.first?
            .leaf
    }

    @Test func eachAtomSaysWhatItLooksAt() throws {
        let bench = BoardBench(["a"])
        let board = bench.board
        board.attach("op", OperationSettings(), delegate: nil)
        func current(_ spec: SpecExpression) -> SpecEvaluation.Leaf.Current? {
            leaf(bench, spec)?.current
        }
        #expect(current(.connected("api")) == .word("connected"))
        board.commit(.link("api", .limited))
        #expect(current(.connected("api")) == .word("limited"))
        #expect(current(.healthy("api")) == .flag(false))
        #expect(current(.condition("a")) == .flag(false))
        #expect(current(.serviceIsActive) == .flag(true))
        #expect(current(.age(over: .seconds(60))) == .span(nil))
        #expect(current(.hasValue()) == .word("absent"))
        board.commit(.value("op", updatedAt: bench.clock.now), .failures("op", 3))
        bench.clock.advance(by: .seconds(43))
        #expect(current(.age(over: .seconds(60))) == .span(.seconds(43)))
        #expect(current(.hasValue()) == .word("present"))
        #expect(current(.failures(atLeast: 5)) == .number(3))
        #expect(current(.subscribers(atLeast: 1)) == .number(0))
        #expect(current(.status([.success])) == .word("idle"))
        #expect(current(.pressure(atLeast: .warning)) == .word("normal"))
        #expect(current(.token("api")) == .span(nil))
        board.commit(.token("api", .until(bench.clock.now + .seconds(90))))
        #expect(current(.token("api", validFor: .seconds(30))) == .span(.seconds(90)))
        board.commit(.token("api", .unlimited))
        #expect(current(.token("api")) == .span(nil))
        // Later, as asked for.
        let later = bench.clock.wallNow + .seconds(10)
        #expect(
            leaf(bench, .age(over: .seconds(60)), at: later)?.current == .span(.seconds(53)))
        #expect(board.evaluate(.condition("a")).trace.first?.leaf == nil)
        let whole = board.evaluate(!.condition("a"), wantsValues: true).trace
        #expect(whole.map { $0.leaf == nil } == [true, false])
    }

    @Test func itTurnsWhereItsNextTurnSays() throws {
        let bench = BoardBench(["a"])
        let board = bench.board
        let between = SpecExpression.atom(
            .age(
                SpecTest([.init(.greater, 10_000_000_000), .init(.less, 20_000_000_000)]), of: .this
            ))
        board.attach("op", OperationSettings(), delegate: nil)
        board.commit(
            .value("op", updatedAt: bench.clock.now),
            .token("api", .until(bench.clock.now + .seconds(25))))
        try board.setConditions([.init("a", true, ttl: .seconds(15))])
        for spec in [between, .token("api"), .condition("a"), .age(over: .seconds(31))] {
            var seen = 0
            while let next = leaf(bench, spec)?.next, seen < 4 {
                seen += 1
                let before = bench.evaluate(spec, operation: "op")
                #expect(
                    board.evaluate(spec, operation: "op", at: next - .nanoseconds(1)).isSatisfied
                        == before)
                #expect(board.evaluate(spec, operation: "op", at: next).isSatisfied != before)
                bench.clock.advance(by: next - bench.clock.wallNow)
                #expect(bench.evaluate(spec, operation: "op") != before)
            }
            #expect(seen <= 2)
        }
        #expect(leaf(bench, .hasValue())?.next == nil)
    }

    @Test func sinceIsTheLastTurnAndNoBeginning() {
        let bench = BoardBench(["a"])
        var settings = OperationSettings()
        settings.refetch.when = .condition("a") && .connected("api") && .age(over: .seconds(5))
        bench.board.attach("op", settings, delegate: nil)
        #expect(leaf(bench, .condition("a"))?.since == nil)
        #expect(leaf(bench, .connected("api"))?.since == nil)
        bench.clock.advance(by: .seconds(7))
        bench.set("a", true)
        let turned = bench.clock.wallNow
        bench.clock.advance(by: .seconds(7))
        bench.set("a", true)
        #expect(leaf(bench, .condition("a"))?.since == turned)
        bench.board.commit(.value("op", updatedAt: bench.clock.now))
        let valued = bench.clock.wallNow
        #expect(leaf(bench, .age(over: .seconds(5)))?.since == valued)
        bench.clock.advance(by: .seconds(6))
        // One nanosecond beyond five seconds.
        #expect(leaf(bench, .age(over: .seconds(5)))?.since.map { $0 > valued } == true)
        // No slot has it.
        bench.board.commit(.link("other", .disconnected))
        #expect(leaf(bench, .connected("other"))?.since == nil)
    }
}
