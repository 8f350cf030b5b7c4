import FreshetBase
import FreshetEngine
import FreshetJSON

/// Turns the declaration of one property, or of an array's elements, into its rules.
enum PropertyReader {
    private static let types = PropertySchema.Kind.allCases.map(\.rawValue)

    /// - Parameter depth: Nesting of this declaration, 1 for a property of a type.
    /// - Parameter isRequired: Set where the declaration says so.
    /// - Returns: nil where the type itself is unknown; other faults leave rules behind, so that
    ///   reading goes on and finds more.
    static func read(
        _ reader: inout MemberReader, depth: Int, isRequired: inout Bool,
        faults: inout [SchemaFault]
    ) -> PropertySchema? {
        guard depth <= SchemaReader.depthLimit else {
            faults.expected(
                "at most \(SchemaReader.depthLimit) levels of properties", at: reader.pointer)
            reader.skipRest()
            return nil
        }
        let kind = readKind(&reader, faults: &faults)
        let isNullable = reader.bool("nullable", faults: &faults) ?? false
        var requiredNames: [String] = []
        if kind == .object, reader.value("required")?.arrayValue != nil {
            requiredNames = reader.strings("required", faults: &faults) ?? []
        } else {
            isRequired = reader.bool("required", faults: &faults) ?? false
        }

        let takesNumbers = kind == .integer || kind == .number
        let minimum = bound(&reader, "minimum", allowed: takesNumbers, faults: &faults)
        let maximum = bound(&reader, "maximum", allowed: takesNumbers, faults: &faults)
        if let minimum, let maximum,
            minimum.withUnsafeBytes({ low in
                maximum.withUnsafeBytes { JSONNumber.compare(low, $0) > 0 }
            })
        {
            faults.expected("at least \"minimum\"", at: reader.pointer.appending("maximum"))
        }
        let (minLength, maxLength) = range(
            &reader, "minLength", "maxLength", allowed: kind == .string, on: "string",
            faults: &faults)
        let pattern = readPattern(&reader, kind: kind, faults: &faults)
        let (minItems, maxItems) = range(
            &reader, "minItems", "maxItems", allowed: kind == .array, on: "array",
            faults: &faults)
        let items = readItems(&reader, kind: kind, depth: depth, faults: &faults)
        var members: ObjectSchema?
        if kind == .object {
            members = SchemaReader.readObject(
                &reader, depth: depth, requiredNames: requiredNames, faults: &faults)
        } else {
            misplaced(&reader, ["properties", "additionalProperties"], on: "object", &faults)
        }
        let enumeration = readEnumeration(&reader, faults: &faults)
        guard let kind else { return nil }
        let plain = PropertySchema(
            kind: kind, isNullable: isNullable, minimum: minimum, maximum: maximum,
            minLength: minLength, maxLength: maxLength, pattern: pattern, minItems: minItems,
            maxItems: maxItems, items: items, members: members)
        guard let enumeration else { return plain }
        var seen: Set<[UInt8]> = []
        for (index, value) in enumeration.enumerated() {
            if !seen.insert(value).inserted {
                faults.expected(
                    "each value once", at: reader.pointer.appending("enum").appending(index))
            }
            SchemaReader.check(
                value, against: plain, what: "the value",
                at: reader.pointer.appending("enum").appending(index), faults: &faults)
        }
        return PropertySchema(
            kind: kind, isNullable: isNullable, enumeration: enumeration, minimum: minimum,
            maximum: maximum, minLength: minLength, maxLength: maxLength, pattern: pattern,
            minItems: minItems, maxItems: maxItems, items: items, members: members)
    }

    private static func readKind(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> PropertySchema.Kind? {
        let place = reader.pointer.appending("type")
        guard let value = reader.value("type") else {
            faults.expected("a type: one of \(types.joined(separator: ", "))", at: place)
            return nil
        }
        if let text = value.stringValue {
            if let kind = PropertySchema.Kind(rawValue: text) { return kind }
            if let near = NearestWord.of(text, among: types) {
                faults.append(
                    SchemaFault(
                        pointer: place.description, code: "value",
                        detail: "unknown type \"\(text)\"; did you mean \"\(near)\"?"))
                return nil
            }
        }
        faults.expected("one of \(types.joined(separator: ", "))", at: place)
        return nil
    }

    private static func bound(
        _ reader: inout MemberReader, _ name: String, allowed: Bool,
        faults: inout [SchemaFault]
    ) -> [UInt8]? {
        guard let value = reader.value(name) else { return nil }
        let place = reader.pointer.appending(name)
        guard allowed else {
            faults.expected("\"\(name)\" only on an integer or a number", at: place)
            return nil
        }
        guard let text = value.numberText else {
            faults.expected("a number", at: place)
            return nil
        }
        return Array(text.utf8)
    }

    private static func range(
        _ reader: inout MemberReader, _ least: String, _ most: String, allowed: Bool,
        on type: String, faults: inout [SchemaFault]
    ) -> (Int?, Int?) {
        guard allowed else {
            misplaced(&reader, [least, most], on: type, &faults)
            return (nil, nil)
        }
        let low = reader.count(least, faults: &faults)
        let high = reader.count(most, faults: &faults)
        if let low, let high, low > high {
            faults.expected("at least \"\(least)\"", at: reader.pointer.appending(most))
        }
        return (low, high)
    }

    private static func readPattern(
        _ reader: inout MemberReader, kind: PropertySchema.Kind?, faults: inout [SchemaFault]
    ) -> SchemaPattern? {
        guard kind == .string else {
            misplaced(&reader, ["pattern"], on: "string", &faults)
            return nil
        }
        guard let text = reader.string("pattern", faults: &faults) else { return nil }
        do {
            return SchemaPattern(text: text, regex: try Regex(text))
        } catch {
            let place = reader.pointer.appending("pattern")
            switch error {
            case .syntax(let offset, let expected):
                faults.expected("\(expected) at byte \(offset) of the pattern", at: place)
            case .tooComplex(let reason):
                faults.expected("a smaller pattern (\(reason))", at: place)
            }
            return nil
        }
    }

    /// Reports what only properties of the type itself have.
    static func refuseTopLevelMembers(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) {
        for name in ["default", "silent", "lazy"] where reader.value(name) != nil {
            faults.expected(
                "\"\(name)\" only on a property of the type itself, not inside of one",
                at: reader.pointer.appending(name))
        }
    }

    private static func misplaced(
        _ reader: inout MemberReader, _ names: [String], on type: String,
        _ faults: inout [SchemaFault]
    ) {
        for name in names where reader.value(name) != nil {
            faults.expected(
                "\"\(name)\" only on the type \(type)", at: reader.pointer.appending(name))
        }
    }

    private static func readItems(
        _ reader: inout MemberReader, kind: PropertySchema.Kind?, depth: Int,
        faults: inout [SchemaFault]
    ) -> PropertySchema? {
        guard kind == .array else {
            misplaced(&reader, ["items"], on: "array", &faults)
            return nil
        }
        guard let value = reader.value("items") else { return nil }
        let place = reader.pointer.appending("items")
        guard var items = MemberReader(value, at: place, faults: &faults) else { return nil }
        var isRequired = false
        let rules = read(&items, depth: depth + 1, isRequired: &isRequired, faults: &faults)
        if isRequired {
            faults.expected(
                "\"required\" only on members, not on elements", at: place.appending("required"))
        }
        refuseTopLevelMembers(&items, faults: &faults)
        items.finish(faults: &faults)
        return rules
    }

    private static func readEnumeration(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> [[UInt8]]? {
        guard let value = reader.value("enum") else { return nil }
        let place = reader.pointer.appending("enum")
        guard let elements = value.arrayValue, !elements.isEmpty else {
            faults.expected("a list of one or more allowed values", at: place)
            return nil
        }
        return elements.map(\.bytes)
    }
}
