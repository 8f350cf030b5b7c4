import Testing

@testable import FreshetRefresh

@Suite struct HoldingLeafTests {
    private func leaf(_ expression: SpecExpression, _ values: [Bool]) -> String? {
        var values = values[...]
        var trace: [SpecEvaluation.Node] = []
        let value = walk(expression, "", &values, &trace)
        return SpecEvaluation(isSatisfied: value, nextChange: nil, trace: trace).holdingLeaf?
            .pointer
    }

    /// Evaluates as a board does; atoms have the given values, in reading order.
    private func walk(
        _ expression: SpecExpression, _ pointer: String, _ values: inout ArraySlice<Bool>,
        _ trace: inout [SpecEvaluation.Node]
    ) -> Bool {
        let place = trace.count
        trace.append(.init(pointer: pointer, value: false, text: expression.text))
        let value: Bool
        switch expression {
        case .constant(let constant): value = constant
        case .all(let parts):
            value = parts.enumerated().reduce(true) {
                walk($1.element, "\(pointer)/and/\($1.offset)", &values, &trace) && $0
            }
        case .any(let parts):
            value = parts.enumerated().reduce(false) {
                walk($1.element, "\(pointer)/or/\($1.offset)", &values, &trace) || $0
            }
        case .not(let part): value = !walk(part, pointer + "/not", &values, &trace)
        case .named, .atom: value = values.removeFirst()
        }
        trace[place].value = value
        return value
    }

    @Test func itIsTheFirstThatHasAShare() {
        let (a, b) = (SpecExpression.atom(.condition("a")), SpecExpression.atom(.condition("b")))
        #expect(leaf(.all([a, b]), [true, true]) == nil)
        #expect(leaf(.all([a, b]), [true, false]) == "/and/1")
        #expect(leaf(.any([a, b]), [false, false]) == "/or/0")
        #expect(leaf(.not(.any([a, b])), [false, true]) == "/not/or/1")
        #expect(leaf(.not(.all([a, b])), [true, true]) == "/not/and/0")
        #expect(leaf(.all([.any([a, b]), .not(a)]), [true, false, true]) == "/and/1/not")
        #expect(leaf(.never, []) == "")
        #expect(leaf(.any([]), []) == "")
    }

    @Test func aLongChainIsWalkedOnce() {
        var expression = SpecExpression.atom(.condition("a"))
        for _ in 0..<SpecExpression.mostLevels { expression = .not(expression) }
        #expect(leaf(expression, [false])?.hasSuffix("/not/not") == true)
    }
}
