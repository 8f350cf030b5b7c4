import FreshetBase
import Testing

@testable import FreshetRefresh

/// What becomes of expressions that are as large as one may be, and larger.
@Suite struct SpecLimitTests {
    private let board = OperationBoard(clock: ManualOperationClock(), effects: .inline)

    /// A tower of an even number of nots, which says what stands at its foot.
    private func tower(_ levels: Int) -> SpecExpression {
        (0..<levels).reduce(.constant(true)) { expression, _ in .not(expression) }
    }

    @Test func aLongChainIsOneLevel() {
        let names = (0..<200).map { "c\($0)" }
        board.declare(
            conditions: names.map { ConditionDeclaration($0, initial: true) },
            specs: [:])
        let all = names.reduce(SpecExpression.constant(true)) { $0 && .condition($1) }
        let any = names.reduce(SpecExpression.constant(false)) { $0 || !.condition($1) }
        guard case .all(let parts) = all, case .any = any else {
            Issue.record("a chain is one node")
            return
        }
        #expect(parts.count == 201)
        #expect(board.evaluate(all).isSatisfied && board.evaluate(all).fault == nil)
        #expect(!board.evaluate(any).isSatisfied)
        let turns = Shared<[Bool]>([])
        let observer = board.observe(all, tellsFirst: true) { value in
            turns.update { $0.append(value) }
        }
        _ = try? board.setConditions([ConditionWrite("c199", false)])
        #expect(turns.value == [true, false])
        observer.cancel()
    }

    @Test func aChainOfOneKindKeepsTheOtherTogether() {
        let (a, b, c) = (
            SpecExpression.atom(.condition("a")), SpecExpression.atom(.condition("b")),
            SpecExpression.atom(.condition("c"))
        )
        #expect((a && b && c) == .all([a, b, c]))
        #expect((a && (b && c)) == .all([a, b, c]))
        #expect((a || b && c) == .any([a, .all([b, c])]))
        #expect((a && (b || c)) == .all([a, .any([b, c])]))
        #expect((a && SpecExpression.all([])) == .all([a]))
    }

    @Test func whatIsAsLargeAsOneMayBeIsEvaluated() {
        let expression = tower(SpecExpression.mostLevels - 2)
        #expect(board.evaluate(expression).isSatisfied)
        let value = Shared(false)
        board.observe(expression, tellsFirst: true) { value.set($0) }.cancel()
        #expect(value.value)
    }

    @Test(arguments: [40, 62, 63, 64, 100, 1_000])
    func whatIsLargerIsAFaultAndNeverSilent(levels: Int) {
        let faults = Shared<[String]>([])
        let watch = board.observeFaults { operation, fault in
            faults.update { $0.append("\(operation ?? "") \(fault)") }
        }
        let even = levels / 2 * 2
        for expression in [tower(even), .not(tower(even)), .any([.constant(true), tower(even)])] {
            let evaluation = board.evaluate(expression)
            #expect(!evaluation.isSatisfied && evaluation.nextChange == nil)
            #expect(evaluation.fault?.contains("\(SpecExpression.mostLevels) levels") == true)
            let value = Shared(true)
            board.observe(expression, tellsFirst: true) { value.set($0) }.cancel()
            #expect(!value.value)
        }
        #expect(faults.value.count == 6)
        var settings = OperationSettings()
        settings.automatic = tower(even)
        board.attach("todos", settings, delegate: nil)
        #expect(faults.value.last?.hasPrefix("todos ") == true)
        #expect(board.report(of: "todos")?.automatic.fault != nil)
        watch.cancel()
    }
}
