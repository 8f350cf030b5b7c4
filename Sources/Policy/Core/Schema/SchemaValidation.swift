import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
package import FreshetStore

extension TypeSchema {
    /// All faults of `document`, at most `limit`; empty where it is valid.
    ///
    /// - Parameter document: A canonical JSON object that `complete` has been through.
    /// - Complexity: O(bytes × depth of the schema) for entities that keep the schema's order of
    ///   members. Allocates one small array for a valid entity.
    package func faults(in document: UnsafeRawBufferPointer, limit: Int = 100) -> [ValueFault] {
        var check = SchemaCheck(
            limit: limit, patience: SchemaPattern.patience(ofEntity: document.count))
        check.examine(JSONView(canonical: document), asMembersOf: rules, isRoot: true)
        return check.faults
    }
}

/// One walk over one entity. Recursion follows the schema, whose depth its reader bounds.
struct SchemaCheck {
    private enum Step {
        case member(UnsafeRawBufferPointer)
        case index(Int)
    }

    private(set) var faults: [ValueFault] = []
    private let limit: Int
    /// What is left for the patterns of this entity.
    private var patience: Int
    private var path: [Step] = []

    init(limit: Int, patience: Int) {
        self.limit = limit
        self.patience = patience
    }

    mutating func examine(
        _ object: JSONView, asMembersOf rules: ObjectSchema, isRoot: Bool = false
    ) {
        withUnsafeTemporaryAllocation(of: Bool.self, capacity: rules.members.count) { seen in
            seen.initialize(repeating: false)
            var expected = 0
            for member in object.members {
                guard faults.count < limit else { return }
                guard let index = rules.index(of: member.name, from: expected) else {
                    if rules.allowsAdditional || isRoot && Self.isOwn(member.name) { continue }
                    path.append(.member(member.name))
                    report("additional-property", "expected only the members that are declared")
                    path.removeLast()
                    continue
                }
                seen[index] = true
                expected = index + 1
                path.append(.member(member.name))
                examine(member.value, against: rules.members[index].rules)
                path.removeLast()
            }
            for (index, member) in rules.members.enumerated()
            where member.isRequired && !seen[index] {
                guard faults.count < limit else { return }
                member.bytes.withUnsafeBytes { name in
                    path.append(.member(name))
                    report("required", "expected this member to be present")
                    path.removeLast()
                }
            }
        }
    }

    mutating func examine(_ value: JSONView, against rules: PropertySchema) {
        let kind = value.kind
        if kind == .null {
            if !rules.isNullable {
                if rules.kind == .any {
                    examineEnumeration(value, rules)
                } else {
                    report("type", "expected \(rules.expectation), not null")
                }
            }
            return
        }
        if let reference = rules.reference {
            examine(value, as: reference)
            return
        }
        guard rules.accepts(value, kind) else {
            report("type", "expected \(rules.expectation), not \(kind.phrase)")
            return
        }
        examineEnumeration(value, rules)
        switch kind {
        case .number: examineNumber(value, rules)
        case .string: examineString(value, rules)
        case .array: examineArray(value, rules)
        case .object:
            if let members = rules.members { examine(value, asMembersOf: members) }
        case .null, .bool: break
        }
    }

    private mutating func examine(_ value: JSONView, as reference: PropertySchema.Reference) {
        switch reference {
        case .one:
            if (try? EntityID(json: value)) == nil {  // the fault is told in our own words
                report("type", "expected the id of an entity: a string or an integer")
            }
        case .many:
            guard value.kind == .array else {
                report("type", "expected a list of ids")
                return
            }
            var index = 0
            for element in value.elements {
                guard faults.count < limit else { return }
                path.append(.index(index))
                examine(element, as: .one)
                path.removeLast()
                index += 1
            }
        }
    }

    private mutating func examineEnumeration(_ value: JSONView, _ rules: PropertySchema) {
        guard let allowed = rules.enumeration else { return }
        for candidate in allowed {
            let isEqual = candidate.withUnsafeBytes { bytes in
                JSONEquality.equal(value, JSONView(canonical: bytes))
            }
            if isEqual { return }
        }
        var list = ""
        for candidate in allowed {
            let text = String(decoding: candidate, as: UTF8.self)
            guard list.utf8.count + text.utf8.count < 300 else {
                list += ", …"
                break
            }
            list += list.isEmpty ? text : ", " + text
        }
        report("enum", "expected one of \(list)")
    }

    private mutating func examineNumber(_ value: JSONView, _ rules: PropertySchema) {
        guard let text = value.numberText else { return }
        if let minimum = rules.minimum {
            let order = minimum.withUnsafeBytes { JSONNumber.compare(text, $0) }
            if order < 0 { report("minimum", "expected at least \(minimum.text)") }
        }
        if let maximum = rules.maximum {
            let order = maximum.withUnsafeBytes { JSONNumber.compare(text, $0) }
            if order > 0 { report("maximum", "expected at most \(maximum.text)") }
        }
    }

    private mutating func examineString(_ value: JSONView, _ rules: PropertySchema) {
        guard let contents = value.stringContents else { return }
        if !rules.fitsFormat(contents) {
            report("format", "expected \(rules.expectation)")
            return
        }
        if let pattern = rules.pattern { examine(contents, pattern) }
        if rules.minLength == nil && rules.maxLength == nil { return }
        let length = SchemaFormat.scalarCount(contents)
        if let least = rules.minLength, length < least {
            report("min-length", "expected at least \(least) characters, found \(length)")
        }
        if let most = rules.maxLength, length > most {
            report("max-length", "expected at most \(most) characters, found \(length)")
        }
    }

    private mutating func examine(_ contents: UnsafeRawBufferPointer, _ pattern: SchemaPattern) {
        switch pattern.regex.verdict(contents: contents, patience: &patience) {
        case true: break
        case false:
            report("pattern", "expected a string that matches \(pattern.text.prefix(200))")
        case nil:
            report(
                "pattern-effort",
                "matching this string against the pattern \(pattern.text.prefix(200)) takes too "
                    + "long; shorten the string, or make the pattern simpler")
        }
    }

    private mutating func examineArray(_ value: JSONView, _ rules: PropertySchema) {
        if rules.items == nil && rules.minItems == nil && rules.maxItems == nil { return }
        var count = 0
        for element in value.elements {
            if let items = rules.items, faults.count < limit {
                path.append(.index(count))
                examine(element, against: items)
                path.removeLast()
            }
            count += 1
        }
        if let least = rules.minItems, count < least {
            report("min-items", "expected at least \(least) elements, found \(count)")
        }
        if let most = rules.maxItems, count > most {
            report("max-items", "expected at most \(most) elements, found \(count)")
        }
    }

    private mutating func report(_ code: String, _ detail: String) {
        guard faults.count < limit else { return }
        var pointer = JSONPointer()
        for step in path {
            switch step {
            case .index(let index): pointer = pointer.appending(index)
            case .member(let name):
                var plain = ByteBuffer(capacity: name.count + 16)
                JSONText.unescape(name, into: &plain)
                pointer = pointer.appending(String(decoding: plain.bytes, as: UTF8.self))
            }
        }
        faults.append(ValueFault(pointer: pointer.description, code: code, detail: detail))
    }

    /// `id` and `_meta` belong to the service and need no declaration.
    private static func isOwn(_ name: UnsafeRawBufferPointer) -> Bool {
        name.elementsEqual("id".utf8) || name.elementsEqual("_meta".utf8)
    }
}

extension PropertySchema {
    func accepts(_ value: JSONView, _ kind: JSONKind) -> Bool {
        switch self.kind {
        case .any: return true
        case .boolean: return kind == .bool
        case .number: return kind == .number
        case .integer:
            guard let text = value.numberText else { return false }
            return JSONNumber.isInteger(text)
        case .string, .date, .dateTime, .duration, .uri: return kind == .string
        case .array: return kind == .array
        case .object: return kind == .object
        }
    }

    func fitsFormat(_ contents: UnsafeRawBufferPointer) -> Bool {
        switch kind {
        case .date: SchemaFormat.isDate(contents)
        case .dateTime: SchemaFormat.isDateTime(contents)
        case .duration: SchemaFormat.isDuration(contents)
        case .uri: SchemaFormat.isURI(contents)
        default: true
        }
    }

    /// What a fault says was expected.
    var expectation: String {
        switch kind {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "true or false"
        case .date: "a date such as \"2026-11-21\""
        case .dateTime: "a date and time such as \"2026-11-21T03:10:00Z\""
        case .duration: "a duration such as \"P1DT2H\""
        case .uri: "a URI such as \"https://example.org/\""
        case .array: "an array"
        case .object: "an object"
        case .any: "any value"
        }
    }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}
