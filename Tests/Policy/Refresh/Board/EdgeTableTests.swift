import FreshetRefresh
import Testing

@Suite("Edges, as the contract has them in its table")
struct EdgeTableTests {
    static let a = SpecExpression.condition("a")
    static let b = SpecExpression.condition("b")
    static let c = SpecExpression.condition("c")

    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let spec: SpecExpression
        let writes: String
        let values: String
        let rises: Int

        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "a or b", spec: a || b, writes: "a+ b+ a- b- a+ a- b+",
            values: "T T T F T F T", rises: 3),
        Row(
            name: "a and b", spec: a && b, writes: "a+ b+ a- a+ b- b+", values: "F T F T F T",
            rises: 3),
        Row(
            name: "(a and b) or c", spec: (a && b) || c,
            writes: "a+ b+ c+ a- a+ b- b+ c- a-", values: "F T T T T T T T F", rises: 1),
        Row(
            name: "not (a and b)", spec: !(a && b), writes: "a+ b+ a- b- a+ b+",
            values: "T F T T T F", rises: 1),
    ]

    @Test("Values, rises, falls and runs after each write", arguments: rows)
    func table(_ row: Row) {
        let bench = BoardBench()
        var settings = OperationSettings()
        settings.refetch.when = row.spec
        settings.refetch.requiresSubscribers = false
        let operation = ScriptedOperation("op", on: bench.board, settings)
        operation.endAtOnce()
        var values: [String] = []
        var starts = 0
        for write in row.writes.split(separator: " ") {
            bench.set(String(write.first!), write.hasSuffix("+"))
            values.append(bench.evaluate(row.spec) ? "T" : "F")
            #expect(bench.board.levels(of: "op")?.when == (values.last == "T"))
            starts += operation.calls().count
        }
        #expect(values.joined(separator: " ") == row.values)
        #expect(bench.board.counters(of: "op")?.rises == row.rises)
        #expect(bench.board.counters(of: "op")?.runs == row.rises)
        #expect(starts == row.rises)
    }

    @Test("Several conditions in one commit show no intermediate combination")
    func atomic() throws {
        let bench = BoardBench()
        var settings = OperationSettings()
        settings.refetch.when = Self.a && !Self.b
        settings.refetch.requiresSubscribers = false
        let operation = ScriptedOperation("op", on: bench.board, settings)
        try bench.board.setConditions([.init("a", true), .init("b", true)])
        #expect(operation.calls() == [])
        try bench.board.setConditions([.init("b", false), .init("a", false)])
        #expect(operation.calls() == [])
        #expect(bench.board.counters(of: "op") == EdgeCounters())
    }

    @Test("Writing the value that is there evaluates nothing")
    func sameValue() {
        let bench = BoardBench()
        let operation = ScriptedOperation("op", on: bench.board, .init())
        bench.set("a", true)
        let before = bench.board.evaluations
        bench.set("a", true)
        bench.board.commit(.link("api", .connected), .pressure(.normal), .serviceActive(true))
        #expect(bench.board.evaluations == before)
        #expect(operation.calls() == [])
    }

    @Test("A baseline runs nothing: boot, first use, changed configuration")
    func baseline() {
        let bench = BoardBench()
        bench.set("a", true)
        var settings = OperationSettings()
        settings.refetch.when = Self.a
        settings.refetch.requiresSubscribers = false
        let operation = ScriptedOperation("op", on: bench.board, settings)
        settings.refetch.when = !Self.b
        bench.board.attach("op", settings, delegate: operation)
        bench.board.declare(
            conditions: [.init("a", initial: true), .init("b", initial: true)], specs: [:])
        #expect(operation.calls() == [])
        #expect(bench.board.counters(of: "op")?.rises == 0)
    }
}
