import FreshetJSON
import FreshetQuery

// Places lie between values, so that every set of values is a list of stretches from one place to
// another, and complement, intersection and union are exact: `x != 3` is what comes before 3 and
// what comes behind it, nulls included.

extension ValuePlace {
    /// Where the kind of `literal` ends: where the next one begins.
    static func kindEnd(_ kind: JSONKind) -> ValuePlace {
        switch kind {
        case .bool: .kindStart(.number)
        case .number: .kindStart(.string)
        case .string: .kindStart(.array)
        case .array: .kindStart(.object)
        case .object: .kindStart(.null)
        case .null: .end
        }
    }

    static func < (left: ValuePlace, right: ValuePlace) -> Bool {
        let ranks = (left.rank, right.rank)
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        switch (left, right) {
        case (_, .kindStart), (.start, _), (.end, _): return false
        case (.kindStart, _): return true
        case (.before(let value), .before(let other)), (.before(let value), .after(let other)),
            (.after(let value), .before(let other)), (.after(let value), .after(let other)):
            let order = ValueSet.compare(value, other)
            if order != 0 { return order < 0 }
            if case .before = left, case .after = right { return true }
            return false
        case (.prefixEnd(let prefix), .prefixEnd(let other)):
            // Of two strings of which one begins with the other the shorter one's end is the later.
            if Self.compare(other, prefix: prefix) == 0 { return false }
            return Self.compare(prefix, prefix: other) <= 0
        case (.before(let value), .prefixEnd(let prefix)),
            (.after(let value), .prefixEnd(let prefix)):
            return Self.compare(value, prefix: prefix) <= 0
        case (.prefixEnd(let prefix), .before(let value)),
            (.prefixEnd(let prefix), .after(let value)):
            return Self.compare(value, prefix: prefix) > 0
        default: return false
        }
    }

    /// 0 where the string `text` begins with `prefix`; both are canonical JSON.
    private static func compare(_ text: [UInt8], prefix: [UInt8]) -> Int {
        text.withUnsafeBytes { text in
            prefix.withUnsafeBytes { prefix in
                guard let contents = JSONView(canonical: text).stringContents,
                    let beginning = JSONView(canonical: prefix).stringContents
                else { return 0 }
                return CanonicalText.compare(contents, prefix: beginning)
            }
        }
    }

    /// The kind beside or in which it is, in the order of kinds.
    private var rank: Int {
        switch self {
        case .start: -1
        case .end: .max
        case .kindStart(let kind): Int(IndexHead.Rank(kind).rawValue)
        case .prefixEnd: Int(IndexHead.Rank.string.rawValue)
        case .before(let bytes), .after(let bytes):
            bytes.withUnsafeBytes {
                Int(IndexHead.Rank(JSONView(canonical: $0).kind).rawValue)
            }
        }
    }
}

/// Values from one place up to another.
struct ValueInterval: Sendable {
    var lower: ValuePlace
    var upper: ValuePlace

    static let all = ValueInterval(lower: .start, upper: .end)

    /// The values equal to this canonical JSON.
    init(equal value: [UInt8]) {
        self.init(lower: .before(value), upper: .after(value))
    }

    init(lower: ValuePlace, upper: ValuePlace) {
        self.lower = lower
        self.upper = upper
    }

    /// The canonical JSON of the one value that is in it; nil where there may be more.
    var point: [UInt8]? {
        guard case .before(let value) = lower, case .after(let other) = upper,
            value == other || ValueSet.compare(value, other) == 0
        else { return nil }
        return value
    }
}

/// What a property may hold: intervals in the order of values, apart from each other.
///
/// The set for a property that may be absent has null, as which absent ones count.
struct ValueSet: Sendable {
    private(set) var intervals: [ValueInterval]

    static let all = ValueSet(intervals: [.all])
    static let none = ValueSet(intervals: [])
    /// Null and absent.
    static let null = ValueSet(equal: Array("null".utf8))
    static let isTrue = ValueSet(equal: Array("true".utf8))

    private init(intervals: [ValueInterval]) {
        self.intervals = intervals
    }

    /// The values equal to this canonical JSON.
    init(equal value: [UInt8]) {
        intervals = [ValueInterval(equal: value)]
    }

    /// All values of a kind.
    init(of kind: JSONKind) {
        self.init(from: .kindStart(kind), to: .kindEnd(kind))
    }

    /// The strings that begin with this one, canonical JSON.
    init(beginningWith string: [UInt8]) {
        self.init(from: .before(string), to: .prefixEnd(string))
    }

    /// Values of the kind of `literal` that compare so with it; nothing for null, which has no
    /// order.
    init(_ comparison: Comparison, _ literal: Literal) {
        let value = literal.bytes
        let kind = literal.kind
        switch comparison {
        case .equal: self.init(equal: value)
        case .notEqual: self = ValueSet(equal: value).complement
        case _ where kind == .null: self = .none
        case .less: self.init(from: .kindStart(kind), to: .before(value))
        case .lessOrEqual: self.init(from: .kindStart(kind), to: .after(value))
        case .greater: self.init(from: .after(value), to: .kindEnd(kind))
        case .greaterOrEqual: self.init(from: .before(value), to: .kindEnd(kind))
        }
    }

    /// The values equal to one of the list. O(n log n).
    init(anyOf list: [Literal]) {
        let sorted = list.map(\.bytes).sorted { left, right in
            Self.compare(left, right) < 0
        }
        intervals = []
        for (index, bytes) in sorted.enumerated()
        where index == 0 || Self.compare(sorted[index - 1], bytes) != 0 {
            intervals.append(ValueInterval(equal: bytes))
        }
    }

    private init(from lower: ValuePlace, to upper: ValuePlace) {
        intervals = lower < upper ? [ValueInterval(lower: lower, upper: upper)] : []
    }

    /// The order of two values, canonical JSON.
    static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes {
                ValueOrder.compare(JSONView(canonical: left), JSONView(canonical: $0))
            }
        }
    }

    var isEmpty: Bool { intervals.isEmpty }

    /// The one value of the set; nil where there may be none or more.
    var point: [UInt8]? { intervals.count == 1 ? intervals[0].point : nil }

    /// The values, where the set is a list of single ones; nil where it has stretches.
    var points: [[UInt8]]? {
        var points: [[UInt8]] = []
        points.reserveCapacity(intervals.count)
        for interval in intervals {
            guard let point = interval.point else { return nil }
            points.append(point)
        }
        return points
    }

    /// The values that are not in the set.
    var complement: ValueSet {
        var rest: [ValueInterval] = []
        var place = ValuePlace.start
        for interval in intervals {
            if place < interval.lower {
                rest.append(ValueInterval(lower: place, upper: interval.lower))
            }
            place = interval.upper
        }
        if place < .end { rest.append(ValueInterval(lower: place, upper: .end)) }
        return ValueSet(intervals: rest)
    }

    /// O(n + m).
    func intersection(_ other: ValueSet) -> ValueSet {
        var both: [ValueInterval] = []
        var (left, right) = (0, 0)
        while left < intervals.count, right < other.intervals.count {
            let (first, second) = (intervals[left], other.intervals[right])
            let lower = first.lower < second.lower ? second.lower : first.lower
            let secondEnds = second.upper < first.upper
            let upper = secondEnds ? second.upper : first.upper
            if lower < upper { both.append(ValueInterval(lower: lower, upper: upper)) }
            if secondEnds { right += 1 } else { left += 1 }
        }
        return ValueSet(intervals: both)
    }

    /// O((n + m) log(n + m)).
    func union(_ other: ValueSet) -> ValueSet {
        Self.union([self, other])
    }

    static func union(_ sets: [ValueSet]) -> ValueSet {
        let sorted = sets.flatMap(\.intervals).sorted { $0.lower < $1.lower }
        var joined: [ValueInterval] = []
        for interval in sorted {
            guard let last = joined.last, !(last.upper < interval.lower) else {
                joined.append(interval)
                continue
            }
            if last.upper < interval.upper { joined[joined.count - 1].upper = interval.upper }
        }
        return ValueSet(intervals: joined)
    }
}
