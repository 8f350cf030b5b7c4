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

    /// Bits of the word, one of them to spare.
    static let mostLevels = 62
    static let mostNodes = 4_096

    mutating func append(_ place: Int32) { code.append(place) }
    mutating func append(_ operation: Operator) { code.append(operation.rawValue) }

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
