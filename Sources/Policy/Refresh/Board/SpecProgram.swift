/// An expression as the board runs it: places of leaves and operators, in postfix order.
///
/// The operands are bits of one word, so that a run allocates nothing: about a nanosecond a node.
struct SpecProgram {
    enum Operator: Int32 {
        case and = -1
        case or = -2
        case not = -3
        case yes = -4
        case no = -5
    }

    /// 0 and above: a leaf.
    private(set) var code: [Int32] = []
    /// Why it stands for false: its expression is larger than a program may be.
    private(set) var fault: String?

    /// Levels of one slot: of a specification, of as many named ones inside one another, and of what
    /// a slot adds. Fewer than the word has bits.
    static let mostLevels = 2 * SpecExpression.mostLevels + 4
    /// Nodes of one slot, which may be a list of specifications.
    static let mostNodes = 16 * SpecExpression.mostNodes

    /// What is beyond the limits, for people.
    static let excess =
        "the run specification is larger than one may be and stands for false: expected at most "
        + "\(SpecExpression.mostNodes) nodes and \(SpecExpression.mostLevels) levels"

    mutating func append(_ place: Int32) { code.append(place) }
    mutating func append(_ operation: Operator) { code.append(operation.rawValue) }

    /// Leaves out a part that is beyond the limits.
    mutating func cut() {
        append(.no)
        fault = Self.excess
    }

    /// Ends the program: one with a fault is false, whatever the rest of it says.
    mutating func seal() {
        guard fault != nil else { return }
        append(.no)
        append(.and)
    }

    /// The leaves, each as often as it stands there.
    var leaves: some Sequence<Int32> { code.lazy.filter { $0 >= 0 } }

    /// Whether a run ends with one value, and never needs more than the word has bits.
    var isBalanced: Bool {
        var depth = 0
        for step in code {
            switch Operator(rawValue: step) {
            case .and, .or: depth -= 1
            case .not: break
            case .yes, .no, nil: depth += 1
            }
            guard (1...UInt64.bitWidth).contains(depth) else { return false }
        }
        return depth == 1
    }

    @inline(__always)
    func run(_ values: [Bool]) -> Bool {
        var stack: UInt64 = 0
        for step in code {
            if step >= 0 {
                stack = stack << 1 | (values[Int(step)] ? 1 : 0)
                continue
            }
            switch step {
            case -1: stack = (stack >> 1) & (stack | ~1)
            case -2: stack = (stack >> 1) | (stack & 1)
            case -3: stack ^= 1
            case -4: stack = stack << 1 | 1
            default: stack = stack << 1
            }
        }
        return stack & 1 != 0
    }
}
