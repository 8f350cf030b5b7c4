/// A step of the nondeterministic automaton.
struct RegexState {
    enum Kind: UInt8 {
        /// One byte: to the target of the transition that has it.
        case bytes
        /// None: to `out` and to `other`.
        case split
        /// None: to `out` where the assertion holds.
        case assertion
        case match
    }

    var kind: Kind
    var assertion = RegexAssertion.textStart
    var out: Int32 = 0
    var other: Int32 = 0
    /// Transitions of the state in the program's list.
    var first: Int32 = 0
    var count: Int32 = 0
}

/// Bytes from `low` to `high` lead to `target`.
struct RegexTransition: Hashable {
    var low: UInt8
    var high: UInt8
    var target: Int32
}

/// The automaton of an expression over UTF-8 bytes, and what of it bytes cannot tell apart.
struct RegexProgram {
    var states: [RegexState] = []
    var transitions: [RegexTransition] = []
    /// Where a match attempt begins; with the loop that lets it begin anywhere, unless anchored.
    var start: Int32 = 0
    var usesAssertions = false

    /// The class of each of the 256 bytes.
    private(set) var classes = [UInt8](repeating: 0, count: 256)
    /// One byte of each class.
    private(set) var representatives: [UInt8] = []

    /// Sorts the bytes into classes: two are in one where no transition and no word boundary
    /// tells them apart. Automata have a column a class, not 256.
    mutating func classify() {
        var begins = [Bool](repeating: false, count: 257)
        for transition in transitions {
            begins[Int(transition.low)] = true
            begins[Int(transition.high) + 1] = true
        }
        if usesAssertions {
            for range in ScalarSet.word.ranges {
                begins[Int(range.low)] = true
                begins[Int(range.high) + 1] = true
            }
        }
        representatives = [0]
        for byte in 0..<256 {
            if byte > 0, begins[byte] { representatives.append(UInt8(byte)) }
            classes[byte] = UInt8(representatives.count - 1)
        }
    }

    static func isWord(_ byte: UInt8) -> Bool {
        byte &- 0x30 <= 9 || (byte | 0x20) &- 0x61 <= 25 || byte == 0x5F
    }
}
