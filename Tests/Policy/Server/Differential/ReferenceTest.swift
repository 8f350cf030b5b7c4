import FreshetJSON

/// A filter as the differential test sees it: its two spellings and its plain meaning.
///
/// Nothing here is shared with the server except the JSON tree, so that a mistake would have to be
/// made twice to stay unseen.
indirect enum ReferenceTest {
    case constant(Bool)
    case not(ReferenceTest)
    case and([ReferenceTest])
    case or([ReferenceTest])
    case compare([String], String, JSONValue)
    case isIn([String], [JSONValue])
    /// `has`, `hasAny` or `hasAll`.
    case member([String], String, [JSONValue])
    case exists([String])
    case isNull([String])
    case isTrue([String])
    /// `startsWith`, `contains` or `endsWith`.
    case text([String], String, String)
    case size([String], String, Int)
    /// A pattern of `ReferencePattern.all`, by its place there.
    case matches([String], Int)

    /// Whether a server without regular expressions refuses it.
    var usesPatterns: Bool {
        switch self {
        case .matches: true
        case .not(let part): part.usesPatterns
        case .and(let parts), .or(let parts): parts.contains(where: \.usesPatterns)
        default: false
        }
    }

    func holds(_ root: JSONValue) -> Bool {
        switch self {
        case .constant(let value): value
        case .not(let part): !part.holds(root)
        case .and(let parts): parts.allSatisfy { $0.holds(root) }
        case .or(let parts): parts.contains { $0.holds(root) }
        case .compare(let path, let sign, let literal):
            Self.compare(root.value(path) ?? .null, sign, literal)
        case .isIn(let path, let list):
            list.contains { ReferenceOrder.equal(root.value(path) ?? .null, $0) }
        case .member(let path, let word, let list):
            Self.holdsMembers(root.value(path), word, list)
        case .exists(let path): root.value(path) != nil
        case .isNull(let path): root.value(path)?.isNull ?? true
        case .isTrue(let path): root.value(path)?.boolValue ?? false
        case .text(let path, let word, let part):
            Self.holdsText(root.value(path)?.stringValue, word, Array(part.utf8))
        case .size(let path, let sign, let operand):
            root.value(path)?.arrayValue.map {
                Self.answers(sign, $0.count < operand ? -1 : $0.count > operand ? 1 : 0)
            } ?? false
        case .matches(let path, let index):
            root.value(path)?.stringValue.map(ReferencePattern.all[index].holds) ?? false
        }
    }

    private static func answers(_ sign: String, _ order: Int) -> Bool {
        switch sign {
        case "==": order == 0
        case "!=": order != 0
        case "<": order < 0
        case "<=": order <= 0
        case ">": order > 0
        default: order >= 0
        }
    }

    private static func compare(_ value: JSONValue, _ sign: String, _ literal: JSONValue) -> Bool {
        let isSameKind = ReferenceOrder.rank(value) == ReferenceOrder.rank(literal)
        guard isSameKind else { return sign == "!=" }
        if value.isNull, sign != "==", sign != "!=" { return false }
        return answers(sign, ReferenceOrder.compare(value, literal))
    }

    private static func holdsMembers(
        _ value: JSONValue?, _ word: String, _ list: [JSONValue]
    ) -> Bool {
        guard let elements = value?.arrayValue else { return false }
        let isElement = { (literal: JSONValue) in
            elements.contains { ReferenceOrder.equal($0, literal) }
        }
        return word == "hasAll" ? list.allSatisfy(isElement) : list.contains(where: isElement)
    }

    private static func holdsText(_ text: String?, _ word: String, _ part: [UInt8]) -> Bool {
        guard let text, text.utf8.count >= part.count else { return false }
        let bytes = Array(text.utf8)
        switch word {
        case "startsWith": return bytes.starts(with: part)
        case "endsWith": return bytes.suffix(part.count).elementsEqual(part)
        default:
            return (0...(bytes.count - part.count)).contains {
                bytes[$0...].starts(with: part)
            }
        }
    }
}

/// A regular expression beside what it means, said without one.
struct ReferencePattern: Sendable {
    let pattern: String
    let holds: @Sendable (String) -> Bool

    static let all: [ReferencePattern] = [
        .init(pattern: "^a") { $0.utf8.first == UInt8(ascii: "a") },
        .init(pattern: "b$") { $0.utf8.last == UInt8(ascii: "b") },
        .init(pattern: "^$") { $0.isEmpty },
        .init(pattern: "[0-9]") { $0.unicodeScalars.contains { ("0"..."9").contains($0) } },
        .init(pattern: "^[^ab]+$") {
            !$0.isEmpty && !$0.unicodeScalars.contains { $0 == "a" || $0 == "b" }
        },
        .init(pattern: "(?i)É") { $0.unicodeScalars.contains { $0 == "é" || $0 == "É" } },
        .init(pattern: #"(a|b)\n"#) { text in
            let scalars = Array(text.unicodeScalars)
            return zip(scalars, scalars.dropFirst()).contains {
                ($0 == "a" || $0 == "b") && $1 == "\n"
            }
        },
        .init(pattern: "^(.|\n){2,3}$") { (2...3).contains($0.unicodeScalars.count) },
    ]
}

/// The total order of values, as the contract tells it.
enum ReferenceOrder {
    static func rank(_ value: JSONValue) -> Int {
        switch value {
        case .bool: 0
        case .number: 1
        case .string: 2
        case .array: 3
        case .object: 4
        case .null: 5
        }
    }

    static func equal(_ left: JSONValue, _ right: JSONValue) -> Bool {
        compare(left, right) == 0
    }

    /// Whether both say the same at any depth: numbers by value, members in any order.
    static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case (.object(let members), .object(let others)):
            members.count == others.count
                && members.allSatisfy { member in
                    others.contains { $0.name == member.name && isSame($0.value, member.value) }
                }
        default:
            equal(left, right)
        }
    }

    static func compare(_ left: JSONValue, _ right: JSONValue, folding: Bool = false) -> Int {
        switch (left, right) {
        case (.bool(let left), .bool(let right)):
            return left == right ? 0 : right ? -1 : 1
        case (.number(let left), .number(let right)):
            return numbers(left, right)
        case (.string(let left), .string(let right)):
            return scalars(folding ? fold(left) : left, folding ? fold(right) : right)
        case (.array(let left), .array(let right)):
            for (first, second) in zip(left, right) {
                let order = compare(first, second, folding: folding)
                if order != 0 { return order }
            }
            return left.count - right.count
        case (.object, .object):
            // The contract gives objects a place, not an order among themselves: by their text.
            return scalars(left.text, right.text)
        default:
            return rank(left) - rank(right)
        }
    }

    /// The letters of the world that have two cases.
    private static func fold(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "A"..."Z": folded.append(Unicode.Scalar(UInt8(scalar.value) + 32))
            case "É": folded.append("é")
            default: folded.append(scalar)
            }
        }
        return String(folded)
    }

    private static func scalars(_ left: String, _ right: String) -> Int {
        for (first, second) in zip(left.unicodeScalars, right.unicodeScalars)
        where first != second {
            return first < second ? -1 : 1
        }
        return left.unicodeScalars.count - right.unicodeScalars.count
    }

    /// By the digits, lined up at the decimal point.
    private static func numbers(_ left: String, _ right: String) -> Int {
        let first = DecimalText(left)
        let second = DecimalText(right)
        if first.isNegative != second.isNegative { return first.isNegative ? -1 : 1 }
        let low = min(first.exponent, second.exponent)
        var one = first.digits + Array(repeating: 0, count: first.exponent - low)
        var other = second.digits + Array(repeating: 0, count: second.exponent - low)
        let width = max(one.count, other.count)
        one = Array(repeating: 0, count: width - one.count) + one
        other = Array(repeating: 0, count: width - other.count) + other
        if one == other { return 0 }
        return one.lexicographicallyPrecedes(other) != first.isNegative ? -1 : 1
    }

    private struct DecimalText {
        let isNegative: Bool
        let digits: [Int]
        let exponent: Int

        init(_ text: String) {
            let halves = text.split { $0 == "e" || $0 == "E" }
            let parts = halves[0].drop { $0 == "-" }.split(
                separator: ".", omittingEmptySubsequences: false)
            let digits = parts.joined().compactMap(\.wholeNumberValue)
            self.digits = digits
            isNegative = text.first == "-" && digits.contains { $0 != 0 }
            let shift = halves.count > 1 ? Int(halves[1].drop { $0 == "+" }) ?? 0 : 0
            let isZero = !digits.contains { $0 != 0 }
            exponent = isZero ? 0 : shift - (parts.count > 1 ? parts[1].count : 0)
        }
    }
}

extension JSONValue {
    /// What stands at a path of member names; nil where nothing does.
    func value(_ path: [String]) -> JSONValue? {
        path.reduce(Optional(self)) { $0?[$1] }
    }
}
