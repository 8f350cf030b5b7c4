package import FreshetEngine
import FreshetJSON
package import FreshetStore

/// The rules of one property's value.
package final class PropertySchema: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case string, integer, number, boolean, date
        case dateTime = "date-time"
        case duration, uri, array, object, any

        /// The kinds whose values are JSON strings of a certain form.
        var isFormat: Bool {
            switch self {
            case .date, .dateTime, .duration, .uri: true
            default: false
            }
        }
    }

    /// What the value refers to, where a relationship and no property declares it.
    package enum Reference: Sendable {
        case one, many
    }

    package let kind: Kind
    let reference: Reference?
    let isNullable: Bool
    /// Canonical JSON texts of the allowed values.
    let enumeration: [[UInt8]]?
    /// JSON number texts.
    let minimum: [UInt8]?
    let maximum: [UInt8]?
    let minLength: Int?
    let maxLength: Int?
    let pattern: SchemaPattern?
    let minItems: Int?
    let maxItems: Int?
    let items: PropertySchema?
    let members: ObjectSchema?

    package init(
        kind: Kind, reference: Reference? = nil, isNullable: Bool = false,
        enumeration: [[UInt8]]? = nil, minimum: [UInt8]? = nil, maximum: [UInt8]? = nil,
        minLength: Int? = nil, maxLength: Int? = nil, pattern: SchemaPattern? = nil,
        minItems: Int? = nil, maxItems: Int? = nil, items: PropertySchema? = nil,
        members: ObjectSchema? = nil
    ) {
        self.kind = kind
        self.reference = reference
        self.isNullable = isNullable
        self.enumeration = enumeration
        self.minimum = minimum
        self.maximum = maximum
        self.minLength = minLength
        self.maxLength = maxLength
        self.pattern = pattern
        self.minItems = minItems
        self.maxItems = maxItems
        self.items = items
        self.members = members
    }

    /// The first rule that a value breaks.
    ///
    /// - Parameter value: Canonical JSON.
    package func fault(of value: [UInt8]) -> ValueFault? {
        var check = SchemaCheck(limit: 1, patience: SchemaPattern.patience(ofEntity: value.count))
        value.withUnsafeBytes { check.examine(JSONView(canonical: $0), against: self) }
        return check.faults.first
    }
}

/// A regular expression that must be found in a string, compiled once for all entities.
package struct SchemaPattern: Sendable {
    let text: String
    let regex: Regex

    package init(text: String, regex: Regex) {
        self.text = text
        self.regex = regex
    }

    /// Visits of states that the patterns of one entity may take together: about 5 ns each, so
    /// 0.3 ms for a small entity and 40 ms for any. By the entity's size, so that a body of many
    /// entities is bounded like a body of one; in total, so that many strings are.
    ///
    /// An expression of n states makes at most n visits a byte, and only where it meets a set of
    /// states for the first time; ordinary ones make some hundred for all texts together.
    static func patience(ofEntity bytes: Int) -> Int {
        min(8_000_000, 64_000 + 2_000 * bytes)
    }
}

/// The rules of an object's members.
package struct ObjectSchema: Sendable {
    package struct Member: Sendable {
        package let name: String
        /// The name with canonical escapes and without quotes, as documents have it.
        let bytes: [UInt8]
        let isRequired: Bool
        package let rules: PropertySchema

        package init(name: String, isRequired: Bool, rules: PropertySchema) {
            self.name = name
            bytes = name.canonicalContents
            self.isRequired = isRequired
            self.rules = rules
        }
    }

    let members: [Member]
    let allowsAdditional: Bool

    package init(members: [Member], allowsAdditional: Bool) {
        self.members = members
        self.allowsAdditional = allowsAdditional
    }

    /// The place of the member named `name`, looked for from `start` onwards and then from the
    /// front: entities mostly keep the schema's order, so the first look usually finds it.
    func index(of name: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let count = members.count
        var place = start
        for _ in 0..<count {
            if place >= count { place = 0 }
            if members[place].bytes.elementsEqual(name) { return place }
            place += 1
        }
        return nil
    }
}

extension [UInt8] {
    func elementsEqual(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { own in
            for index in 0..<own.count where own[index] != other[index] { return false }
            return true
        }
    }
}
