/// Turns an expression into an automaton, by the construction of Thompson.
///
/// States are made from the end to the front: a node is compiled with the state that follows it.
/// A counted repeat is its part, compiled as often; the limit on states ends that early, and a
/// part that needs no state is not repeated. So compilation takes time in proportion to the
/// states made, at most 10,000 of at most 64 transitions each.
///
/// **Sets of scalars** become small trees of byte transitions. A scalar of k bytes is a number of
/// which the last k - 1 bytes carry six bits each, so a set of ranges is split by its leading
/// bits, level by level, and equal subtrees are made once. Texts are valid UTF-8; this is used to
/// let ranges grow over what cannot occur (overlong forms, surrogates, values past U+10FFFF),
/// which makes `.` four states.
struct RegexCompiler {
    private var program = RegexProgram()

    /// Compiles `node`.
    ///
    /// - Throws: `.tooComplex` past 10,000 states.
    static func compile(_ node: RegexNode) throws(RegexFault) -> RegexProgram {
        var compiler = RegexCompiler()
        let match = try compiler.emit(RegexState(kind: .match))
        let body = try compiler.add(node, next: match)
        compiler.program.start =
            node.isAnchored ? body : try compiler.addSearchLoop(before: body)
        compiler.program.classify()
        return compiler.program
    }

    /// Lets a match begin at every scalar. For most expressions every byte would do, but `\B`
    /// holds within a scalar, too.
    private mutating func addSearchLoop(before body: Int32) throws(RegexFault) -> Int32 {
        let loop = try emit(RegexState(kind: .split))
        let step = try add(ScalarSet([]).inverted, next: loop)
        program.states[Int(loop)].out = body
        program.states[Int(loop)].other = step
        return loop
    }

    private mutating func emit(_ state: RegexState) throws(RegexFault) -> Int32 {
        guard program.states.count < RegexLimits.states else {
            throw .tooComplex(RegexLimits.size)
        }
        program.states.append(state)
        return Int32(program.states.count - 1)
    }

    private mutating func emit(split out: Int32, _ other: Int32) throws(RegexFault) -> Int32 {
        try emit(RegexState(kind: .split, out: out, other: other))
    }

    // MARK: Nodes

    /// The state at which `node` begins, where `next` follows it; `next` itself where the node
    /// needs no state. Recursion is as deep as the expression.
    private mutating func add(_ node: RegexNode, next: Int32) throws(RegexFault) -> Int32 {
        switch node {
        case .empty:
            return next
        case .set(let set):
            return try add(set, next: next)
        case .assertion(let assertion):
            program.usesAssertions = true
            return try emit(RegexState(kind: .assertion, assertion: assertion, out: next))
        case .sequence(let parts):
            var entry = next
            for part in parts.reversed() { entry = try add(part, next: entry) }
            return entry
        case .alternation(let parts):
            var entry: Int32?
            for part in parts.reversed() {
                let branch = try add(part, next: next)
                if let other = entry {
                    entry = try emit(split: branch, other)
                } else {
                    entry = branch
                }
            }
            return entry ?? next
        case .repeated(let part, let minimum, let maximum):
            return try addRepeat(part, from: minimum, to: maximum, next: next)
        }
    }

    private mutating func addRepeat(
        _ part: RegexNode, from minimum: Int, to maximum: Int?, next: Int32
    ) throws(RegexFault) -> Int32 {
        var entry = next
        var required = minimum
        if let maximum {
            for _ in minimum..<maximum {
                let body = try add(part, next: entry)
                if body == entry { break }
                entry = try emit(split: body, next)
            }
        } else {
            let loop = try emit(RegexState(kind: .split))
            let body = try add(part, next: loop)
            program.states[Int(loop)].out = body
            program.states[Int(loop)].other = next
            entry = minimum == 0 ? loop : body
            required = max(0, minimum - 1)
        }
        for _ in 0..<required {
            let body = try add(part, next: entry)
            if body == entry { break }
            entry = body
        }
        return entry
    }

    // MARK: Sets

    private struct TreeKey: Hashable {
        let level: Int
        let ranges: [ScalarRange]
    }

    private mutating func add(_ set: ScalarSet, next: Int32) throws(RegexFault) -> Int32 {
        var made: [TreeKey: Int32] = [:]
        var heads: [RegexTransition] = []
        for range in Self.clip(set, from: 0, to: 0x7F) {
            heads.append(
                RegexTransition(low: UInt8(range.low), high: UInt8(range.high), target: next))
        }
        // Bytes of the scalars, their first and last, the last that the bits can say, and the
        // first byte of the smallest.
        let lengths: [(level: Int, low: UInt32, high: UInt32, top: UInt32, lead: UInt8)] = [
            (1, 0x80, 0x7FF, 0x7FF, 0xC0), (2, 0x800, 0xFFFF, 0xFFFF, 0xE0),
            (3, 0x10000, 0x10FFFF, 0x1FFFFF, 0xF0),
        ]
        for length in lengths {
            var ranges = Self.clip(set, from: length.low, to: length.high)
            guard !ranges.isEmpty else { continue }
            if ranges[0].low == length.low { ranges[0].low = 0 }
            if ranges[ranges.count - 1].high == length.high {
                ranges[ranges.count - 1].high = length.top
            }
            ranges = Self.joinedOverSurrogates(ranges)
            heads += try branches(
                ranges, level: length.level, lead: length.lead, next: next, made: &made)
        }
        return try emit(heads)
    }

    /// The part of `set` from `low` to `high`.
    private static func clip(_ set: ScalarSet, from low: UInt32, to high: UInt32) -> [ScalarRange] {
        set.ranges.compactMap { range in
            guard range.low <= high, range.high >= low else { return nil }
            return ScalarRange(low: max(low, range.low), high: min(high, range.high))
        }
    }

    private static func joinedOverSurrogates(_ ranges: [ScalarRange]) -> [ScalarRange] {
        var result: [ScalarRange] = []
        for range in ranges {
            if let last = result.last, last.high == 0xD7FF, range.low == 0xE000 {
                result[result.count - 1].high = range.high
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// Transitions over the byte that stands before `level` others, for the values in `ranges`.
    /// - Parameter lead: What the byte has besides the value's bits.
    private mutating func branches(
        _ ranges: [ScalarRange], level: Int, lead: UInt8, next: Int32,
        made: inout [TreeKey: Int32]
    ) throws(RegexFault) -> [RegexTransition] {
        let shift = UInt32(6 * level)
        let full = (UInt32(1) << shift) - 1
        var result: [RegexTransition] = []
        func append(_ low: UInt32, _ high: UInt32, _ target: Int32) {
            let byte = lead | UInt8(low)
            if let last = result.last, last.target == target, last.high + 1 == byte {
                result[result.count - 1].high = lead | UInt8(high)
            } else {
                result.append(
                    RegexTransition(low: byte, high: lead | UInt8(high), target: target))
            }
        }
        var index = 0
        /// Up to where `ranges[index]` is dealt with.
        var low = ranges.first?.low ?? 0
        while index < ranges.count {
            let top = low >> shift
            if low & full == 0, ranges[index].high >= low + full {
                // Whole subtrees, one target for all.
                let last = (ranges[index].high + 1) >> shift
                let target = try tree(
                    [ScalarRange(low: 0, high: full)], level: level - 1, next: next, made: &made)
                append(top, last - 1, target)
                low = last << shift
            } else {
                var part: [ScalarRange] = []
                let end = top << shift + full
                while index < ranges.count, low <= end {
                    let high = min(end, ranges[index].high)
                    part.append(ScalarRange(low: low & full, high: high & full))
                    low = high + 1
                    if low > ranges[index].high {
                        index += 1
                        if index < ranges.count { low = ranges[index].low }
                    }
                }
                append(top, top, try tree(part, level: level - 1, next: next, made: &made))
                continue
            }
            if low > ranges[index].high {
                index += 1
                if index < ranges.count { low = ranges[index].low }
            }
        }
        return result
    }

    /// The state that takes the last `level + 1` bytes of a scalar; three levels at most.
    private mutating func tree(
        _ ranges: [ScalarRange], level: Int, next: Int32, made: inout [TreeKey: Int32]
    ) throws(RegexFault) -> Int32 {
        if level < 0 { return next }
        let key = TreeKey(level: level, ranges: ranges)
        if let state = made[key] { return state }
        let state = try emit(
            try branches(ranges, level: level, lead: 0x80, next: next, made: &made))
        made[key] = state
        return state
    }

    private mutating func emit(_ transitions: [RegexTransition]) throws(RegexFault) -> Int32 {
        let first = Int32(program.transitions.count)
        let state = try emit(
            RegexState(kind: .bytes, first: first, count: Int32(transitions.count)))
        program.transitions += transitions
        return state
    }
}
