import FreshetJSON

/// One figure as the differential test asks for it.
struct ReferenceFigure {
    /// `count`, `sum`, `avg`, `min` or `max`.
    let function: String
    let path: [String]

    var text: String {
        function == "count" ? function : "\(function)(\(ReferenceTest.spell(path)))"
    }

    /// What is wrong with `shown`, the figure of `rows` in their order; nil where nothing is.
    func fault(_ rows: [JSONValue], _ shown: JSONValue) -> String? {
        let values = rows.compactMap { $0.value(path) }.filter { !$0.isNull }
        let numbers = values.compactMap(\.numberText).map(ReferenceDecimal.init)
        let sum = numbers.reduce(ReferenceDecimal("0"), +)
        let isRight: Bool
        switch function {
        case "count": isRight = shown.text == "\(rows.count)"
        case "sum": isRight = shown.numberText.map { ReferenceDecimal($0) == sum } ?? false
        case "avg" where numbers.isEmpty: isRight = shown.isNull
        case "avg": isRight = Self.isAverage(shown, of: sum, numbers.count)
        default:
            // Of equal ones the shortest spelling, then the lesser.
            let best = values.reduce(nil) { (best: JSONValue?, value) in
                guard let best else { return value }
                var order = ReferenceOrder.compare(value, best)
                if order == 0 {
                    let isBefore = Self.isSpelledBefore(value.text, best.text)
                    order = isBefore == (function == "min") ? -1 : 1
                }
                return (function == "min" ? order < 0 : order > 0) ? value : best
            }
            isRight = shown.text == (best ?? .null).text
        }
        return isRight ? nil : "\(text) is \(shown.text) of \(values.map(\.text))"
    }

    private static func isSpelledBefore(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        return left.count == right.count
            ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    /// Exact, or as near as doubles are where the quotient does not end soon.
    private static func isAverage(
        _ shown: JSONValue, of sum: ReferenceDecimal, _ count: Int
    ) -> Bool {
        guard let text = shown.numberText, let number = shown.doubleValue else { return false }
        let whole = (0..<count).reduce(ReferenceDecimal("0")) { whole, _ in
            whole + ReferenceDecimal(text)
        }
        if whole == sum { return true }
        let wanted = sum.double / Double(count)
        return abs(number - wanted) <= abs(wanted) * 4e-16
    }
}

/// A decimal number as a list of digits, for plain long addition.
struct ReferenceDecimal: Equatable, CustomStringConvertible {
    private var isNegative: Bool
    /// The lowest first.
    private var digits: [Int]
    /// The place of the lowest digit.
    private var place: Int

    init(_ text: String) {
        var rest = text[...]
        isNegative = rest.first == "-"
        if isNegative { rest = rest.dropFirst() }
        let parts = rest.lowercased().split(separator: "e")
        place = parts.count > 1 ? Int(parts[1].filter { $0 != "+" }) ?? 0 : 0
        let mantissa = parts[0].split(separator: ".")
        if mantissa.count > 1 { place -= mantissa[1].count }
        digits = mantissa.joined().reversed().map { $0.wholeNumberValue ?? 0 }
        trim()
    }

    private mutating func trim() {
        while digits.last == 0 { digits.removeLast() }
        let zeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zeros)
        place = digits.isEmpty ? 0 : place + zeros
        if digits.isEmpty { isNegative = false }
    }

    private func digit(at index: Int) -> Int {
        let offset = index - place
        return digits.indices.contains(offset) ? digits[offset] : 0
    }

    static func + (left: ReferenceDecimal, right: ReferenceDecimal) -> ReferenceDecimal {
        if left.digits.isEmpty { return right }
        if right.digits.isEmpty { return left }
        var sum = left
        sum.place = min(left.place, right.place)
        let top = max(left.place + left.digits.count, right.place + right.digits.count)
        var carry = 0
        sum.digits = (sum.place...top).map { index in
            var digit = left.digit(at: index) + carry
            digit += left.isNegative == right.isNegative ? right.digit(at: index) : 0
            digit -= left.isNegative == right.isNegative ? 0 : right.digit(at: index)
            carry = digit > 9 ? 1 : digit < 0 ? -1 : 0
            return digit - carry * 10
        }
        if carry < 0 {
            // The right one is the larger: the other way round does not borrow at the end.
            return right + left
        }
        sum.trim()
        return sum
    }

    var description: String {
        (isNegative ? "-" : "") + digits.reversed().map { "\($0)" }.joined() + "e\(place)"
    }

    var double: Double { Double(digits.isEmpty ? "0" : description) ?? 0 }
}

/// What a grouped answer must be.
enum ReferenceGroups {
    /// Whether two values are one group: by value, objects whatever the order of their members.
    static func equal(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.object(let left), .object(let right)):
            return left.count == right.count
                && left.allSatisfy { member in
                    right.contains { $0.name == member.name && equal($0.value, member.value) }
                }
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { equal($0, $1) }
        default: return ReferenceOrder.equal(left, right)
        }
    }

    /// What is wrong with `root["aggregates"]`; nil where nothing is.
    static func fault(
        _ query: ReferenceQuery, _ expected: ReferenceAnswer, _ root: JSONValue
    ) -> String? {
        guard let shown = root["aggregates"] else { return "there are no aggregates" }
        if root["items"] != nil || root["groups"] != nil { return "there is more than aggregates" }
        let groups: [(key: JSONValue?, rows: [JSONValue])]
        let objects: [JSONValue]
        if let path = query.group {
            groups = ReferenceAnswer.firsts(expected.matches, by: path).map { ($0.key, $0.rows) }
            objects = shown.arrayValue ?? []
        } else {
            groups = [(nil, expected.matches)]
            objects = [shown]
        }
        guard groups.count == objects.count else {
            return "there are \(objects.count) aggregates, not \(groups.count): \(shown.text)"
        }
        for (group, object) in zip(groups, objects) {
            let names = (group.key == nil ? [] : ["key"]) + query.aggregates.map(\.text)
            guard object.objectValue?.map(\.name) == names else {
                return "the members of \(object.text) are not \(names)"
            }
            if let key = group.key, object["key"]?.text != key.text {
                return "the key is not \(key.text) in \(object.text)"
            }
            for figure in query.aggregates {
                let fault = object[figure.text].map { figure.fault(group.rows, $0) } ?? "missing"
                if let fault { return "\(fault) in the group \(group.key?.text ?? "of all")" }
            }
        }
        return nil
    }
}
