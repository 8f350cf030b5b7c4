/// What every match of an expression has in it, told by its outermost sequence: runs of fixed
/// characters that no repeat and no choice interrupts, one behind the other.
struct RegexLiterals {
    /// More than these would cost more than they save.
    private static let most = 4

    /// In the order of the text, without overlap; those that tell texts apart best, at most four.
    private(set) var runs: [LiteralSearch] = []
    /// Every match begins with the first of `runs`.
    private(set) var hasPrefix = false
    /// The expression is that one run and nothing else.
    private(set) var isWhole = false

    private var values: [UInt8] = []
    private var masks: [UInt8] = []
    private var hasMore = false
    private var isFirst = true

    init(_ node: RegexNode) {
        add(node)
        cut()
        isWhole = !hasMore && runs.count == 1
    }

    /// Those that escapes leave alone: what a stored string has where its text has `runs`.
    var plainRuns: [LiteralSearch] { runs.filter(\.isPlain) }

    /// Whether `text` has all of `runs`, and the first place of the first; 0 where there is none.
    ///
    /// - Parameter rarest: The run that tells texts apart best: most texts end with it.
    static func place(
        of runs: [LiteralSearch], rarest: Int, in text: UnsafeRawBufferPointer
    ) -> Int? {
        runs.withUnsafeBufferPointer { runs in
            if rarest > 0, runs[rarest].find(in: text) == nil { return nil }
            var first = 0
            var start = 0
            for index in 0..<runs.count {
                guard let place = runs[index].find(in: text, from: start) else { return nil }
                if index == 0 { first = place }
                start = place + runs[index].count
            }
            return first
        }
    }

    /// The position of the run that tells texts apart best, 0 where there is none.
    static func rarest(of runs: [LiteralSearch]) -> Int {
        runs.indices.max { runs[$0].score < runs[$1].score } ?? 0
    }

    /// Recursion is as deep as the expression.
    private mutating func add(_ node: RegexNode) {
        switch node {
        case .empty:
            break
        case .set(let set):
            add(set)
        case .sequence(let parts):
            for part in parts { add(part) }
        case .assertion:
            // No character, so the run goes on over it.
            hasMore = true
        case .repeated(let part, let minimum, _) where minimum > 0:
            cutAsUnknown()
            add(part)
            cutAsUnknown()
        case .repeated, .alternation:
            cutAsUnknown()
        }
    }

    private mutating func add(_ set: ScalarSet) {
        let ranges = set.ranges
        if ranges.count == 1, ranges[0].low == ranges[0].high {
            guard let scalar = Unicode.Scalar(ranges[0].low) else { return cutAsUnknown() }
            for byte in String(Character(scalar)).utf8 { append(byte, 0) }
        } else if ranges.count == 2, ranges[0].low == ranges[0].high,
            ranges[1].low == ranges[1].high, ranges[1].low < 0x80,
            ranges[0].low | 0x20 == ranges[1].low, ranges[1].low &- 0x61 <= 25
        {
            append(UInt8(ranges[1].low), 0x20)
        } else {
            cutAsUnknown()
        }
    }

    private mutating func append(_ byte: UInt8, _ mask: UInt8) {
        if values.count == LiteralSearch.longest { cutAsUnknown() }
        values.append(byte)
        masks.append(mask)
    }

    private mutating func cutAsUnknown() {
        hasMore = true
        cut()
        isFirst = false
    }

    private mutating func cut() {
        defer {
            values.removeAll()
            masks.removeAll()
        }
        guard let search = LiteralSearch(values: values, masks: masks) else { return }
        if isFirst { hasPrefix = true }
        isFirst = false
        runs.append(search)
        guard runs.count > Self.most else { return }
        // The prefix stays: it says where to begin.
        let others = runs.indices.dropFirst(hasPrefix ? 1 : 0)
        guard let worst = others.min(by: { runs[$0].score < runs[$1].score }) else { return }
        runs.remove(at: worst)
    }
}
