import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetOperations

/// The names that run specifications may mention.
package struct SpecNames: Sendable {
    package var conditions: Set<String> = []
    package var specs: Set<String> = []
    package var upstreams: Set<String> = []
    /// nil: any, since they come and go.
    package var operations: Set<String>? = []

    package init() {}

    /// What conditions, specifications and operations may be called.
    static let expectation =
        "a name: a letter or digit, then at most 127 letters, digits, _, - or ."
    static let pattern = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$"

    static func isName(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, bytes.count <= 128, isAlphanumeric(first) else {
            return false
        }
        return bytes.allSatisfy { isAlphanumeric($0) || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- 0x30 <= 9 || (byte | 0x20) &- 0x61 <= 25
    }
}

/// Reads run specifications (operations.md section 3); every fault is noted with its pointer.
struct SpecReader {
    let names: SpecNames
    var faults: [SchemaFault] = []
    /// Nodes of the specification that is being read.
    private var nodes = 0

    init(_ names: SpecNames) {
        self.names = names
    }

    private static let operators = [
        "and", "or", "not", "spec", "connected", "healthy", "token", "active", "subscribers", "age",
        "value", "failures", "status", "condition", "window", "between", "cron", "pressure",
    ]
    /// Those that may say whose with `of`.
    private static let ofOperations: Set<String> = [
        "subscribers", "age", "value", "failures", "status",
    ]

    /// The specification; what is faulty in it stands for false.
    mutating func spec(_ value: JSONValue, at pointer: JSONPointer) -> SpecExpression {
        nodes = 0
        return spec(value, pointer, level: 1)
    }

    private mutating func spec(
        _ value: JSONValue, _ pointer: JSONPointer, level: Int
    ) -> SpecExpression {
        nodes += 1
        if nodes > SpecExpression.mostNodes {
            if nodes == SpecExpression.mostNodes + 1 {
                note("limit", "expected at most \(SpecExpression.mostNodes) nodes", pointer)
            }
            return .never
        }
        guard level <= SpecExpression.mostLevels else {
            note("limit", "expected at most \(SpecExpression.mostLevels) levels", pointer)
            return .never
        }
        if let constant = value.boolValue { return .constant(constant) }
        guard let members = value.objectValue else {
            note("value", "expected true, false or an object with one member", pointer)
            return .never
        }
        let known = members.filter { Self.operators.contains($0.name) }
        let mayHaveOf = known.count == 1 && Self.ofOperations.contains(known[0].name)
        for member in members where !Self.operators.contains(member.name) {
            if member.name == "of", mayHaveOf { continue }
            let near = NearestWord.of(member.name, among: Self.operators)
            note(
                "unknown-operator",
                "unknown operator"
                    + (near.map { "; did you mean \"\($0)\"?" }
                        ?? "; expected one of \(Self.operators.joined(separator: ", "))"),
                pointer.appending(member.name))
        }
        let count = members.count - (mayHaveOf ? members.filter { $0.name == "of" }.count : 0)
        guard count == 1 else {
            note("members", "expected exactly one member in place of \(count)", pointer)
            return .never
        }
        guard let member = known.first else { return .never }
        let place = pointer.appending(member.name)
        switch member.name {
        case "and", "or":
            guard let elements = member.value.arrayValue else {
                note("value", "expected a list of specifications", place)
                return .never
            }
            var parts: [SpecExpression] = []
            for (index, element) in elements.enumerated() {
                parts.append(spec(element, place.appending(index), level: level + 1))
                if nodes > SpecExpression.mostNodes { break }
            }
            return member.name == "and" ? .all(parts) : .any(parts)
        case "not": return .not(spec(member.value, place, level: level + 1))
        case "spec":
            guard
                let name = name(member.value, place, "specification", "specs", among: names.specs)
            else { return .never }
            return .named(name)
        default:
            let of = members.first { $0.name == "of" }?.value
            guard let atom = atom(member.name, member.value, of, place, pointer) else {
                return .never
            }
            return .atom(atom)
        }
    }

    // MARK: Atoms

    private mutating func atom(
        _ name: String, _ value: JSONValue, _ of: JSONValue?, _ place: JSONPointer,
        _ pointer: JSONPointer
    ) -> SpecAtom? {
        switch name {
        case "connected": return connected(value, place)
        case "healthy": return upstream(value, place).map { .healthy($0) }
        case "token": return token(value, place)
        case "active": return active(value, place)
        case "condition":
            return self.name(value, place, "condition", "conditions", among: names.conditions)
                .map { .condition($0) }
        case "window":
            var reader = CalendarReader()
            defer { faults += reader.faults }
            return reader.window(value, at: place).map { .window($0) }
        case "between":
            var reader = CalendarReader()
            defer { faults += reader.faults }
            return reader.between(value, at: place).map { .between($0) }
        case "cron":
            var reader = CalendarReader()
            defer { faults += reader.faults }
            return reader.cron(value, at: place).map { .cron($0.schedule, lasting: $0.span) }
        case "pressure":
            switch value.stringValue {
            case "warning": return .pressure(atLeast: .warning)
            case "critical": return .pressure(atLeast: .critical)
            default:
                note("value", "expected \"warning\" or \"critical\"", place)
                return nil
            }
        default: return operationAtom(name, value, of, place, pointer)
        }
    }

    private mutating func operationAtom(
        _ name: String, _ value: JSONValue, _ of: JSONValue?, _ place: JSONPointer,
        _ pointer: JSONPointer
    ) -> SpecAtom? {
        var inner: [JSONValue.Member]? = value.objectValue
        let index = inner?.firstIndex { $0.name == "of" }
        let whose: OperationReference?
        if let index, let named = inner?.remove(at: index) {
            whose = operation(named.value, place.appending("of"))
        } else if let of {
            whose = operation(of, pointer.appending("of"))
        } else {
            whose = .this
        }
        let value = inner.map { JSONValue.object($0) } ?? value
        switch name {
        case "subscribers":
            guard let test = test(value, place, isTime: false), let whose else { return nil }
            return .subscribers(test, of: whose)
        case "failures":
            guard let test = test(value, place, isTime: false), let whose else { return nil }
            return .failures(test, of: whose)
        case "age":
            guard let test = test(value, place, isTime: true), let whose else { return nil }
            return .age(test, of: whose)
        case "value":
            guard let word = value.stringValue, word == "present" || word == "absent" else {
                note("value", "expected \"present\" or \"absent\"", place)
                return nil
            }
            return whose.map { .value(isPresent: word == "present", of: $0) }
        default: return statuses(value, place).flatMap { set in whose.map { .status(set, of: $0) } }
        }
    }

    private mutating func connected(_ value: JSONValue, _ place: JSONPointer) -> SpecAtom? {
        if value.stringValue != nil {
            return upstream(value, place).map { .connected($0, atLeast: .connected) }
        }
        guard
            var reader = member(
                value, place, "an upstream, or an object with \"upstream\" and \"atLeast\"")
        else { return nil }
        let name = reader.value("upstream")
        var level: LinkLevel? = .connected
        if let word = reader.value("atLeast") {
            level =
                switch word.stringValue {
                case "limited": .limited
                case "connected": .connected
                default: nil
                }
            if level == nil {
                note("value", "expected \"limited\" or \"connected\"", place.appending("atLeast"))
            }
        }
        reader.finish(faults: &faults)
        guard let name = required(name, place.appending("upstream")), let level else { return nil }
        return .connected(name, atLeast: level)
    }

    private mutating func token(_ value: JSONValue, _ place: JSONPointer) -> SpecAtom? {
        if value.stringValue != nil {
            return upstream(value, place).map { .token($0, validFor: .zero) }
        }
        guard
            var reader = member(
                value, place, "an upstream, or an object with \"upstream\" and \"validFor\"")
        else { return nil }
        let name = reader.value("upstream")
        var span: Duration? = .zero
        if let text = reader.value("validFor") {
            span = duration(text, place.appending("validFor"))
        }
        reader.finish(faults: &faults)
        guard let name = required(name, place.appending("upstream")), let span else { return nil }
        return .token(name, validFor: span)
    }

    private mutating func active(_ value: JSONValue, _ place: JSONPointer) -> SpecAtom? {
        switch value.stringValue {
        case "service"?: return .active(.service)
        case "operation"?: return .active(.operation(.this))
        case .some:
            note(
                "value", "expected \"service\", \"operation\" or an object with \"operation\"",
                place)
            return nil
        case nil: break
        }
        guard
            var reader = member(
                value, place, "\"service\", \"operation\" or an object with \"operation\"")
        else { return nil }
        let id = reader.value("operation")
        reader.finish(faults: &faults)
        guard let id else {
            note("value", "expected an operation", place.appending("operation"))
            return nil
        }
        return operation(id, place.appending("operation")).map { .active(.operation($0)) }
    }

    private mutating func statuses(
        _ value: JSONValue, _ place: JSONPointer
    ) -> Set<OperationStatus>? {
        guard var reader = member(value, place, "an object with \"is\"") else { return nil }
        let stated = reader.value("is")
        reader.finish(faults: &faults)
        let words = OperationStatus.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        let place = place.appending("is")
        guard let stated else {
            note("value", "expected one of \(words), or a list of them", place)
            return nil
        }
        guard let list = stated.arrayValue else {
            guard let status = stated.stringValue.flatMap(OperationStatus.init(rawValue:)) else {
                note("value", "expected one of \(words), or a list of them", place)
                return nil
            }
            return [status]
        }
        if list.isEmpty { note("value", "expected one of \(words), or several of them", place) }
        var set: Set<OperationStatus> = []
        for (index, element) in list.enumerated() {
            if let status = element.stringValue.flatMap(OperationStatus.init(rawValue:)) {
                set.insert(status)
            } else {
                note("value", "expected one of \(words)", place.appending(index))
            }
        }
        return set
    }

    // MARK: Parts

    /// A number, or an object of comparisons.
    private mutating func test(
        _ value: JSONValue, _ place: JSONPointer, isTime: Bool
    ) -> SpecTest? {
        let what = isTime ? "a duration such as \"30s\"" : "an integer of 0 or more"
        func bound(_ value: JSONValue) -> Int64? {
            if isTime { return SpecDuration.parse(value.stringValue ?? "")?.specNanoseconds }
            return value.int64Value.flatMap { $0 >= 0 ? $0 : nil }
        }
        guard let members = value.objectValue else {
            guard let bound = bound(value) else {
                note("value", "expected \(what), or an object of comparisons", place)
                return nil
            }
            return SpecTest(isTime ? .greater : .greaterOrEqual, bound)
        }
        var comparisons: [SpecTest.Comparison] = []
        let relations = SpecTest.Relation.allCases.map(\.rawValue)
        for member in members {
            let place = place.appending(member.name)
            guard let relation = SpecTest.Relation(rawValue: member.name) else {
                note(
                    "unknown-member",
                    "unknown comparison; expected \(relations.joined(separator: ", "))", place)
                continue
            }
            guard let bound = bound(member.value) else {
                note("value", "expected \(what)", place)
                continue
            }
            comparisons.append(.init(relation, bound))
        }
        guard !members.isEmpty else {
            note("value", "expected \(relations.joined(separator: ", ")) or several of them", place)
            return nil
        }
        return comparisons.count == members.count ? SpecTest(comparisons) : nil
    }

    private mutating func duration(_ value: JSONValue, _ place: JSONPointer) -> Duration? {
        guard let span = SpecDuration.parse(value.stringValue ?? "") else {
            note("value", "expected \(SpecDuration.expectation)", place)
            return nil
        }
        return span
    }

    private mutating func required(_ value: JSONValue?, _ place: JSONPointer) -> String? {
        guard let value else {
            note("value", "expected an upstream", place)
            return nil
        }
        return upstream(value, place)
    }

    private mutating func upstream(_ value: JSONValue, _ place: JSONPointer) -> String? {
        name(value, place, "upstream", "upstreams", among: names.upstreams)
    }

    private mutating func operation(
        _ value: JSONValue, _ place: JSONPointer
    ) -> OperationReference? {
        guard let known = names.operations else {
            if let id = value.stringValue { return .other(id) }
            note("value", "expected the name of an operation", place)
            return nil
        }
        return name(value, place, "operation", "operations", among: known).map { .other($0) }
    }

    private mutating func name(
        _ value: JSONValue, _ place: JSONPointer, _ what: String, _ member: String,
        among known: Set<String>
    ) -> String? {
        guard let name = value.stringValue else {
            note("value", "expected the name of one of \"\(member)\"", place)
            return nil
        }
        guard known.contains(name) else {
            let near = NearestWord.of(name, among: known.sorted())
            note(
                "unknown-name",
                "no \(what) is called \"\(name)\""
                    + (near.map { "; did you mean \"\($0)\"?" } ?? "; \"\(member)\" declares them"),
                place)
            return nil
        }
        return name
    }

    private mutating func member(
        _ value: JSONValue, _ place: JSONPointer, _ what: String
    ) -> MemberReader? {
        guard value.objectValue != nil else {
            note("value", "expected \(what)", place)
            return nil
        }
        return MemberReader(value, at: place, faults: &faults)
    }

    mutating func note(_ code: String, _ detail: String, _ pointer: JSONPointer) {
        faults.append(SchemaFault(pointer: pointer.description, code: code, detail: detail))
    }
}

/// `[0-9]+(ms|s|m|h|d)`, at most a hundred years.
enum SpecDuration {
    static let expectation = "a duration such as \"30s\""
    static let longest = 36_500 * 86_400_000

    static func parse(_ text: String) -> Duration? {
        guard let milliseconds = SettingText.milliseconds(text), milliseconds <= longest else {
            return nil
        }
        return .milliseconds(milliseconds)
    }
}

extension Duration {
    fileprivate var specNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
