import FreshetBase
import FreshetJSON
import FreshetStore

/// What commands say of their work with `--json`: the values of their reports.
extension JSONValue {
    static func count<Number: FixedWidthInteger>(_ number: Number) -> JSONValue {
        .number(String(number))
    }

    /// null for nil.
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// A time as RFC 3339 has it.
    static func time(milliseconds: Int64) -> JSONValue {
        .string(WallTime(milliseconds: milliseconds).rfc3339)
    }

    /// A stretch of commits; null where it is not known.
    static func seqs(_ range: ClosedRange<UInt64>?) -> JSONValue {
        range.map { .array([.count($0.lowerBound), .count($0.upperBound)]) } ?? .null
    }

    static func damages(_ damages: [LogDamage]) -> JSONValue {
        .array(
            damages.map { damage in
                [
                    "file": .string(damage.file), "offset": .count(damage.offset),
                    "seqs": .seqs(damage.lost), "finding": .string(damage.finding),
                ]
            })
    }
}
