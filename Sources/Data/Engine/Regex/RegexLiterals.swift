/// What every match of an expression has in it, told by its outermost sequence: runs of fixed
/// characters that no repeat and no choice interrupts.
struct RegexLiterals {
    /// Every match begins with it.
    private(set) var prefix: LiteralSearch?
    /// Every text with a match has it somewhere; the one that tells texts apart best.
    private(set) var required: LiteralSearch?
    /// The expression is `prefix` and nothing else.
    private(set) var isWhole = false

    private var values: [UInt8] = []
    private var masks: [UInt8] = []
    private var runs = 0
    private var hasMore = false
    private var isFirst = true

    init(_ node: RegexNode) {
        add(node)
        cut()
        isWhole = !hasMore && runs == 1 && prefix != nil
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
        runs += 1
        if isFirst { prefix = search }
        isFirst = false
        if search.score > required?.score ?? 0 { required = search }
    }
}
