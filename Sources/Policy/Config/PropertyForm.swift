import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetJSON
import FreshetStore

/// The declaration of a property, of an object's member, or of an array's elements.
struct PropertyDeclaration: Sendable {
    private var kind: PropertySchema.Kind?
    private var isNullable = false
    private(set) var isRequired = false
    /// The names that an object must have.
    private var requiredNames: [String] = []
    private var enumeration: [[UInt8]]?
    private var minimum: [UInt8]?
    private var maximum: [UInt8]?
    private var minLength: Int?
    private var maxLength: Int?
    private var pattern: SchemaPattern?
    private var minItems: Int?
    private var maxItems: Int?
    /// An array's declaration of its elements: none or one.
    private var children: [PropertyDeclaration] = []
    private var properties: [(name: String, declaration: PropertyDeclaration)] = []
    private var additional = true
    /// Canonical JSON.
    private(set) var standard: [UInt8]?
    private(set) var isSilent = false
    private(set) var isLazy = false
    /// nil where the type itself is not known; other faults leave rules behind, so that reading goes
    /// on and finds more.
    private(set) var rules: PropertySchema?

    /// How deep properties may nest; validation recurses that far at most.
    static let depthLimit = 16

    // MARK: The three kinds of places

    /// What a declaration may be of; each is a definition of the JSON Schema.
    private enum Place: String, CaseIterable {
        /// A property of a type.
        case property
        /// A property inside of an object.
        case member
        /// An array's elements.
        case element
    }

    static let property = form(.property) { propertyTable }
    private static let member = form(.member) { memberTable }
    private static let element = form(.element) { elementTable }

    static var definitions: [JSONValue.Member] {
        [
            .init(
                name: Place.property.rawValue,
                value: propertyTable.schema(of: PropertyDeclaration())),
            .init(
                name: Place.member.rawValue, value: memberTable.schema(of: PropertyDeclaration())),
            .init(
                name: Place.element.rawValue, value: elementTable.schema(of: PropertyDeclaration())),
        ]
    }

    private static func form(
        _ place: Place, _ table: @escaping @Sendable () -> ObjectTable<PropertyDeclaration>
    ) -> Form<PropertyDeclaration> {
        Form(["$ref": .string("#/$defs/\(place.rawValue)")]) { value, pointer, reading in
            reading.propertyDepth += 1
            defer { reading.propertyDepth -= 1 }
            guard reading.propertyDepth <= depthLimit else {
                reading.expected("at most \(depthLimit) levels of properties", at: pointer)
                return nil
            }
            var declaration = PropertyDeclaration()
            let isObject = table().read(value, pointer, into: &declaration, &reading)
            return isObject ? declaration : nil
        }
    }

    private static let propertyTable = table(
        and: [
            Member("default", standardText, .any, set: { $0.standard = $1.bytes }),
            Member(
                "silent", "changes of it alone make no live event", .flag, to: \.isSilent),
            Member(
                "lazy", "keeps its value where a write does not name it", .flag, to: \.isLazy),
        ],
        condition: [
            "not": [
                "required": ["required", "lazy"],
                "properties": ["required": ["const": true], "lazy": ["const": true]],
            ]
        ]
    ) { declaration, place, reading in
        if declaration.isLazy, declaration.isRequired {
            reading.expected(
                "\"lazy\" only on a property that is not required: a write may lack it",
                at: place.appending("lazy"))
        }
        if let standard = declaration.standard, let rules = declaration.rules {
            check(
                standard, against: rules, what: "the default", at: place.appending("default"),
                &reading)
        }
    }

    private static let memberTable = table(and: notInside) { _, _, _ in }

    private static let elementTable = table(
        and: notInside,
        // An element cannot be absent: only an object's list of names, or false.
        condition: ["properties": ["required": ["not": ["const": true]]]]
    ) { declaration, place, reading in
        if declaration.isRequired {
            reading.expected(
                "\"required\" only on members, not on elements", at: place.appending("required"))
        }
    }

    /// What only properties of the type itself have.
    private static let notInside = ["default", "silent", "lazy"].map { name in
        Member<PropertyDeclaration>(name, schema: nil) { _, place, _, reading in
            reading.expected(
                "\"\(name)\" only on a property of the type itself, not inside of one", at: place)
        }
    }

    private static let standardText = "is filled in where the property is absent"

    // MARK: The members

    /// Members that only declarations of some kinds may have; a fault says so with `of`.
    private struct Group {
        let kinds: [PropertySchema.Kind]
        let of: String
        let rows: [Member<PropertyDeclaration>]

        /// The rows, refused on all other kinds.
        var guarded: [Member<PropertyDeclaration>] {
            rows.map { [kinds, of] row in
                row.with { value, place, declaration, reading in
                    if let kind = declaration.kind, kinds.contains(kind) {
                        row.store(value, place, &declaration, &reading)
                    } else {
                        reading.expected("\"\(row.name)\" only on \(of)", at: place)
                    }
                }
            }
        }

        var condition: JSONValue {
            let refused = rows.map { JSONValue.Member(name: $0.name, value: false) }
            // Only an object's `required` may be a list of names.
            let others: [JSONValue.Member] =
                kinds == [.object] ? [.init(name: "required", value: ["type": "boolean"])] : []
            return [
                "if": [
                    "properties": [
                        "type": ["enum": .array(kinds.map { .string($0.rawValue) })]
                    ]
                ],
                "else": ["properties": .object(refused + others)],
            ]
        }
    }

    private static func table(
        and more: [Member<PropertyDeclaration>], condition: JSONValue? = nil,
        rule: @escaping @Sendable (PropertyDeclaration, JSONPointer, inout Reading) -> Void
    ) -> ObjectTable<PropertyDeclaration> {
        let conditions = groups.map(\.condition) + (condition.map { [$0] } ?? [])
        return ObjectTable(
            general + groups.flatMap(\.guarded) + more,
            keywords: [.init(name: "allOf", value: .array(conditions))]
        ) { declaration, _, place, reading in
            declaration.finish(at: place, &reading)
            rule(declaration, place, &reading)
        }
    }

    private static let names = Form<[String]>.list(
        of: .init(["type": "string"], or: "a string") { $0.stringValue }, or: "a list of strings")

    /// What every declaration may have. The type is first: what else there may be depends on it.
    private static let general: [Member<PropertyDeclaration>] = [
        Member(
            "type", "the kind of value", kindForm, required: .value("a type: \(kindExpectation)"),
            to: \.kind),
        Member("nullable", "`null` is allowed, too", .flag, to: \.isNullable),
        Member(
            "required",
            schema: JSONValue.object([
                .init(
                    name: "anyOf",
                    value: [
                        Form.flag.schema,
                        names.schema.adding([.init(name: "uniqueItems", value: true)]),
                    ]),
                .init(name: "default", value: .bool(PropertyDeclaration().isRequired)),
            ]).described("must be there; in an object the names that must be")
        ) { value, place, declaration, reading in
            if declaration.kind == .object, value.arrayValue != nil {
                declaration.requiredNames = names.read(value, place, &reading) ?? []
            } else {
                declaration.isRequired = Form.flag.read(value, place, &reading) ?? false
            }
        },
        Member(
            "enum", "the only values",
            .init(
                ["type": "array", "minItems": 1, "uniqueItems": true],
                or: "a list of one or more allowed values"
            ) { value in
                value.arrayValue.flatMap { $0.isEmpty ? nil : $0.map(\.bytes) }
            }, to: \.enumeration),
    ]

    private static let groups: [Group] = [
        Group(
            kinds: [.integer, .number], of: "an integer or a number",
            rows: [
                Member("minimum", "least number", number, to: \.minimum),
                Member("maximum", "greatest number", number, to: \.maximum),
            ]),
        Group(
            kinds: [.string], of: "the type string",
            rows: [
                Member("minLength", "least length in characters", .count, to: \.minLength),
                Member("maxLength", "greatest length in characters", .count, to: \.maxLength),
                Member(
                    "pattern", "a regular expression that must be found", expression, to: \.pattern),
            ]),
        Group(
            kinds: [.array], of: "the type array",
            rows: [
                Member("minItems", "fewest elements", .count, to: \.minItems),
                Member("maxItems", "most elements", .count, to: \.maxItems),
                Member("items", "what each element is", element, set: { $0.children = [$1] }),
            ]),
        Group(
            kinds: [.object], of: "the type object",
            rows: [
                Member("properties", "members of an object", members, to: \.properties),
                Member(
                    "additionalProperties", "whether other members are allowed", .flag,
                    to: \.additional),
            ]),
    ]

    private static let kindExpectation =
        "one of " + PropertySchema.Kind.allCases.map(\.rawValue).joined(separator: ", ")

    private static let kindForm = Form<PropertySchema.Kind>(
        Form<PropertySchema.Kind>.word.schema
    ) { value, place, reading in
        let words = PropertySchema.Kind.allCases.map(\.rawValue)
        guard let text = value.stringValue else {
            reading.expected(kindExpectation, at: place)
            return nil
        }
        if let kind = PropertySchema.Kind(rawValue: text) { return kind }
        if let near = NearestWord.of(text, among: words) {
            reading.note(
                "value", "unknown type \"\(text)\"; did you mean \"\(near)\"?", at: place)
        } else {
            reading.expected(kindExpectation, at: place)
        }
        return nil
    }

    private static let number = Form<[UInt8]>(["type": "number"], or: "a number") { value in
        value.numberText.map { Array($0.utf8) }
    }

    private static let expression = Form<SchemaPattern>(Form.text().schema) {
        value, place, reading in
        guard let text = Form.text().read(value, place, &reading) else { return nil }
        do throws(RegexFault) {
            return SchemaPattern(text: text, regex: try Regex(text))
        } catch {
            switch error {
            case .syntax(let offset, let expected):
                reading.note(
                    "value", "at byte \(offset) of the pattern: expected \(expected)", at: place)
            case .tooComplex(let reason):
                reading.expected("a smaller pattern (\(reason))", at: place)
            }
            return nil
        }
    }

    private static let members = Form<[(name: String, declaration: PropertyDeclaration)]>.entries(
        of: member.schema
    ) { entry, _, reading in
        member.read(entry.value, entry.pointer, &reading).map { (entry.name, $0) }
    }

    // MARK: What comes of it

    /// Puts the rules together, and reports what in them does not fit together.
    private mutating func finish(at place: JSONPointer, _ reading: inout Reading) {
        if let minimum, let maximum,
            minimum.withUnsafeBytes({ low in
                maximum.withUnsafeBytes { JSONNumber.compare(low, $0) > 0 }
            })
        {
            reading.expected("at least \"minimum\"", at: place.appending("maximum"))
        }
        for (low, high, least, most) in [
            (minLength, maxLength, "minLength", "maxLength"),
            (minItems, maxItems, "minItems", "maxItems"),
        ] {
            if let low, let high, low > high {
                reading.expected("at least \"\(least)\"", at: place.appending(most))
            }
        }
        let members = kind == .object ? object(at: place, &reading) : nil
        guard let kind else { return }
        func schema(_ enumeration: [[UInt8]]?) -> PropertySchema {
            PropertySchema(
                kind: kind, isNullable: isNullable, enumeration: enumeration, minimum: minimum,
                maximum: maximum, minLength: minLength, maxLength: maxLength, pattern: pattern,
                minItems: minItems, maxItems: maxItems, items: children.first?.rules,
                members: members)
        }
        let plain = schema(nil)
        var seen: Set<[UInt8]> = []
        for (index, value) in (enumeration ?? []).enumerated() {
            let place = place.appending("enum").appending(index)
            if !seen.insert(value).inserted { reading.expected("each value once", at: place) }
            Self.check(value, against: plain, what: "the value", at: place, &reading)
        }
        rules = enumeration == nil ? plain : schema(enumeration)
    }

    /// The members of an object-typed property.
    private func object(at place: JSONPointer, _ reading: inout Reading) -> ObjectSchema? {
        var members = properties.compactMap { $1.member(named: $0) }
        if members.isEmpty && requiredNames.isEmpty && additional { return nil }
        for (index, name) in requiredNames.enumerated() {
            let member = members.firstIndex { $0.name == name }
            if member == nil && !additional || requiredNames[..<index].contains(name) {
                reading.expected(
                    "each of the declared properties at most once",
                    at: place.appending("required").appending(index))
            }
            let rules = member.map { members[$0].rules } ?? PropertySchema(kind: .any)
            let required = ObjectSchema.Member(name: name, isRequired: true, rules: rules)
            if let member { members[member] = required } else { members.append(required) }
        }
        return ObjectSchema(members: members, allowsAdditional: additional)
    }

    /// The property as a member of its object; nil where its type is not known.
    func member(named name: String) -> ObjectSchema.Member? {
        rules.map { .init(name: name, isRequired: isRequired, rules: $0) }
    }

    /// Reports where a value of the schema itself (a default, an allowed value) breaks its rules.
    private static func check(
        _ bytes: [UInt8], against rules: PropertySchema, what: String, at place: JSONPointer,
        _ reading: inout Reading
    ) {
        guard let fault = rules.fault(of: bytes) else { return }
        reading.note(
            "value", "\(what) does not fit the property: \(fault.detail)",
            at: JSONPointer(place.description + fault.pointer) ?? place)
    }
}
