/// The rules of one property's value.
final class PropertySchema: Sendable {
    enum Kind: String, CaseIterable {
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
    enum Reference {
        case one, many
    }

    let kind: Kind
    let reference: Reference?
    let isNullable: Bool
    /// Canonical JSON texts of the allowed values.
    let enumeration: [[UInt8]]?
    /// JSON number texts.
    let minimum: [UInt8]?
    let maximum: [UInt8]?
    let minLength: Int?
    let maxLength: Int?
    let minItems: Int?
    let maxItems: Int?
    let items: PropertySchema?
    let members: ObjectSchema?

    init(
        kind: Kind, reference: Reference? = nil, isNullable: Bool = false,
        enumeration: [[UInt8]]? = nil, minimum: [UInt8]? = nil, maximum: [UInt8]? = nil,
        minLength: Int? = nil, maxLength: Int? = nil, minItems: Int? = nil,
        maxItems: Int? = nil, items: PropertySchema? = nil, members: ObjectSchema? = nil
    ) {
        self.kind = kind
        self.reference = reference
        self.isNullable = isNullable
        self.enumeration = enumeration
        self.minimum = minimum
        self.maximum = maximum
        self.minLength = minLength
        self.maxLength = maxLength
        self.minItems = minItems
        self.maxItems = maxItems
        self.items = items
        self.members = members
    }
}

/// The rules of an object's members.
struct ObjectSchema: Sendable {
    struct Member: Sendable {
        let name: String
        /// The name with canonical escapes and without quotes, as documents have it.
        let bytes: [UInt8]
        let isRequired: Bool
        let rules: PropertySchema
    }

    let members: [Member]
    let allowsAdditional: Bool

    init(members: [Member], allowsAdditional: Bool) {
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
