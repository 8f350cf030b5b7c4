import FreshetBase
import FreshetJSON
import FreshetQuery
import Testing

@testable import FreshetEngine
import FreshetTestSupport

/// A second, plain reading of the contract's table, over JSON trees.
enum ReferenceFilter {
    static func holds(_ filter: Filter, _ root: JSONValue) -> Bool {
        switch filter {
        case .constant(let value): return value
        case .and(let parts): return parts.allSatisfy { holds($0, root) }
        case .or(let parts): return parts.contains { holds($0, root) }
        case .not(let part): return !holds(part, root)
        case .matches: return false
        case .compare(let path, let comparison, let literal):
            return compare(value(path, root), comparison, tree(literal))
        case .isIn(let path, let list):
            let value = value(path, root) ?? .null
            return list.contains { order(value, tree($0)) == 0 }
        case .has(let path, let literal):
            return elements(path, root)?.contains { order($0, tree(literal)) == 0 } ?? false
        case .hasAny(let path, let list):
            return elements(path, root)?.contains { element in
                list.contains { order(element, tree($0)) == 0 }
            } ?? false
        case .hasAll(let path, let list):
            guard let elements = elements(path, root) else { return false }
            return list.allSatisfy { literal in
                elements.contains { order($0, tree(literal)) == 0 }
            }
        case .exists(let path): return value(path, root) != nil
        case .isNull(let path): return value(path, root)?.isNull ?? true
        case .isTrue(let path): return value(path, root)?.boolValue ?? false
        case .startsWith(let path, let literal):
            return search(path, literal, root) { $0.starts(with: $1) }
        case .endsWith(let path, let literal):
            return search(path, literal, root) { $0.reversed().starts(with: $1.reversed()) }
        case .contains(let path, let literal):
            return search(path, literal, root) { text, part in
                (0...max(0, text.count - part.count)).contains {
                    text.dropFirst($0).starts(with: part)
                }
            }
        case .size(let path, let comparison, let operand):
            guard let count = elements(path, root)?.count else { return false }
            return answers(comparison, Int64(count) < operand ? -1 : Int64(count) > operand ? 1 : 0)
        }
    }

    static func value(_ path: PropertyPath, _ root: JSONValue) -> JSONValue? {
        var value: JSONValue? = root
        for index in 0..<path.count { value = value?[path[index].text] }
        return value
    }

    private static func tree(_ literal: Literal) -> JSONValue {
        literal.withView { JSONValue($0) }
    }

    private static func elements(_ path: PropertyPath, _ root: JSONValue) -> [JSONValue]? {
        value(path, root)?.arrayValue
    }

    private static func search(
        _ path: PropertyPath, _ literal: Literal, _ root: JSONValue,
        _ test: ([UInt8], [UInt8]) -> Bool
    ) -> Bool {
        guard let text = value(path, root)?.stringValue, let part = tree(literal).stringValue else {
            return false
        }
        return test(Array(text.utf8), Array(part.utf8))
    }

    private static func answers(_ comparison: Comparison, _ order: Int) -> Bool {
        switch comparison {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }

    private static func compare(
        _ value: JSONValue?, _ comparison: Comparison, _ literal: JSONValue
    ) -> Bool {
        let value = value ?? .null
        let same = rank(value) == rank(literal)
        switch comparison {
        case .equal: return same && order(value, literal) == 0
        case .notEqual: return !same || order(value, literal) != 0
        default:
            guard same, !value.isNull else { return false }
            return answers(comparison, order(value, literal))
        }
    }

    private static func rank(_ value: JSONValue) -> Int {
        switch value {
        case .bool: 0
        case .number: 1
        case .string: 2
        case .array: 3
        case .object: 4
        case .null: 5
        }
    }

    /// The contract's total order of values.
    static func order(_ left: JSONValue, _ right: JSONValue) -> Int {
        switch (left, right) {
        case (.bool(let left), .bool(let right)):
            return left == right ? 0 : (right ? -1 : 1)
        case (.number(let left), .number(let right)):
            return compareNumbers(left, right)
        case (.string(let left), .string(let right)):
            if left.utf8.elementsEqual(right.utf8) { return 0 }
            return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        case (.array(let left), .array(let right)):
            for (first, second) in zip(left, right) {
                let order = order(first, second)
                if order != 0 { return order }
            }
            return left.count - right.count
        case (.object, .object):
            // An order without a meaning: by the canonical text.
            if left.bytes == right.bytes { return 0 }
            return left.bytes.lexicographicallyPrecedes(right.bytes) ? -1 : 1
        default:
            return rank(left) - rank(right)
        }
    }

    /// Decimal digits and an exponent, lined up and compared digit by digit.
    private static func compareNumbers(_ left: String, _ right: String) -> Int {
        func parts(_ text: String) -> (negative: Bool, digits: [Int], exponent: Int) {
            var rest = Substring(text)
            let negative = rest.first == "-"
            if negative { rest = rest.dropFirst() }
            let halves = rest.split(whereSeparator: { $0 == "e" || $0 == "E" })
            var exponent = halves.count > 1 ? Int(halves[1]) ?? 0 : 0
            let digits = halves[0].split(separator: ".", omittingEmptySubsequences: false)
            var all = digits[0].compactMap(\.wholeNumberValue)
            if digits.count > 1 {
                all += digits[1].compactMap(\.wholeNumberValue)
                exponent -= digits[1].count
            }
            return (negative && all.contains { $0 != 0 }, all, exponent)
        }
        let first = parts(left)
        let second = parts(right)
        if first.negative != second.negative { return first.negative ? -1 : 1 }
        let low = min(first.exponent, second.exponent)
        var leftDigits =
            first.digits + Array(repeating: 0, count: first.exponent - low)
        var rightDigits =
            second.digits + Array(repeating: 0, count: second.exponent - low)
        let width = max(leftDigits.count, rightDigits.count)
        leftDigits = Array(repeating: 0, count: width - leftDigits.count) + leftDigits
        rightDigits = Array(repeating: 0, count: width - rightDigits.count) + rightDigits
        if leftDigits == rightDigits { return 0 }
        let less = leftDigits.lexicographicallyPrecedes(rightDigits)
        return less != first.negative ? -1 : 1
    }
}

/// Random documents, literals and filters from a small world, so that they often meet.
struct FilterWorld {
    var random: SeededGenerator

    private static let numbers = [
        "0", "-0", "1", "1.0", "10e-1", "2", "-3", "0.1", "1e2", "100", "9007199254740992",
        "9007199254740993", "123456789012345678901", "-5.50", "999999999999999999",
    ]
    private static let pieces = [
        "a", "b", "n", "u", "0", "1f", "\n", "\\", "\"", "\u{1f}", "\u{2028}", "é", "😀", "ab",
        "u2028", "aab",
    ]
    private static let names = ["x", "y", "z", "a b", "q\"t", "é"]

    mutating func string() -> String {
        (0..<random.below(5)).map { _ in random.pick(Self.pieces) }.joined()
    }

    mutating func scalar() -> JSONValue {
        switch random.below(8) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2, 3, 4: .number(random.pick(Self.numbers))
        default: .string(string())
        }
    }

    mutating func literal() -> JSONValue {
        guard random.below(6) == 0 else { return scalar() }
        return .array((0..<random.below(3)).map { _ in scalar() })
    }

    mutating func value(_ depth: Int) -> JSONValue {
        switch random.below(10) {
        case 0, 1:
            return .array((0..<random.below(5)).map { _ in literal() })
        case 2 where depth < 3, 3 where depth < 3:
            return .object(members(depth + 1))
        default:
            return scalar()
        }
    }

    mutating func members(_ depth: Int) -> [JSONValue.Member] {
        Self.names.compactMap { name in
            random.below(3) == 0 ? nil : .init(name: name, value: value(depth))
        }
    }

    mutating func path() -> PropertyPath {
        PropertyPath((0..<random.pick([1, 1, 1, 2, 3])).map { _ in random.pick(Self.names) })
    }

    mutating func owned() -> Literal { Literal(canonical: literal().bytes) }

    mutating func text() -> Literal { Literal(canonical: JSONValue.string(string()).bytes) }

    mutating func list() -> [Literal] { (0..<random.below(6)).map { _ in owned() } }

    mutating func comparison() -> Comparison {
        random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
    }

    mutating func filter(_ depth: Int = 0) -> Filter {
        switch random.below(depth < 4 ? 18 : 14) {
        case 0: .constant(Bool.random(using: &random))
        case 1, 2, 3: .compare(path(), comparison(), owned())
        case 4: .isIn(path(), list())
        case 5: .has(path(), owned())
        case 6: .hasAny(path(), list())
        case 7: .hasAll(path(), list())
        case 8: Bool.random(using: &random) ? .exists(path()) : .isNull(path())
        case 9: .isTrue(path())
        case 10: .startsWith(path(), text())
        case 11: .endsWith(path(), text())
        case 12: .contains(path(), text())
        case 13: .size(path(), comparison(), Int64(random.below(5)))
        case 14: .not(filter(depth + 1))
        case 15, 16: .and([filter(depth + 1), filter(depth + 1)])
        default: .or([filter(depth + 1), filter(depth + 1), filter(depth + 1)])
        }
    }

    mutating func document(_ id: Int) throws -> (Document, JSONValue) {
        let root = JSONValue.object(
            [.init(name: "id", value: .number("\(id)"))] + members(0))
        return (try FreshetEngineTests.document(root.text), root)
    }
}

@Suite struct FilterModelTests {
    @Test func theEvaluatorAgreesWithThePlainReadingInCanonicalFormToo() throws {
        let seed = freshSeed("filters")
        var world = FilterWorld(random: SeededGenerator(seed: seed))
        var rows: [(Document, JSONValue)] = []
        for id in 0..<150 { rows.append(try world.document(id)) }
        var truths = 0
        var judged = 0
        for _ in FuzzRounds(1_500) {
            judged += rows.count
            let filter = world.filter()
            let evaluator = try FilterEvaluator(filter)
            let canonical = try FilterEvaluator(filter.canonical())
            for (document, root) in rows {
                let holds = ReferenceFilter.holds(filter, root)
                if holds { truths += 1 }
                guard evaluator.matches(document) != holds || canonical.matches(document) != holds
                else { continue }
                Issue.record(
                    "seed \(seed): \(filter), \(filter.canonical()) of \(root.text) is \(holds)")
                return
            }
        }
        // A world in which nothing is ever true, or all is, would prove little.
        #expect(truths > judged / 11 && truths < judged * 10 / 11)
    }
}
