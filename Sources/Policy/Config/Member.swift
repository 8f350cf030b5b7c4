import FreshetBase
import FreshetCore
import FreshetJSON

/// One member of an object of the configuration: the only place that knows its name, form, bounds,
/// default and meaning, and which field it fills.
///
/// An object is a list of such rows. Its reader, its messages and its JSON Schema are made of them,
/// and of the schema the documentation. What relates two members is in the object's rule.
struct Member<Object: Sendable>: Sendable {
    /// What is said where the member is absent.
    enum Requirement: Sendable {
        /// What was expected in its place.
        case value(String)
        /// What was expected in its place, where that depends on other parts of the file.
        case known(@Sendable (Reading) -> String)
        /// The member itself, of the object.
        case member
    }

    typealias Store = @Sendable (JSONValue, JSONPointer, inout Object, inout Reading) -> Void

    /// Where a value goes.
    typealias Field<Value> = any WritableKeyPath<Object, Value> & Sendable

    let name: String
    /// The JSON Schema with the description, and with the default, which an object has in its field before its
    /// members are read; nil for what the schema does not tell of.
    let schema: @Sendable (_ initial: Object?) -> JSONValue?
    let requirement: Requirement?
    /// Whether an object with these members has it; in others it is unknown.
    let belongs: (@Sendable (JSONValue) -> Bool)?
    let store: Store

    init(
        _ name: String, schema: JSONValue?, required requirement: Requirement? = nil,
        in belongs: (@Sendable (JSONValue) -> Bool)? = nil, store: @escaping Store
    ) {
        self.init(name, required: requirement, in: belongs, schema: { _ in schema }, store: store)
    }

    private init(
        _ name: String, required requirement: Requirement? = nil,
        in belongs: (@Sendable (JSONValue) -> Bool)? = nil,
        schema: @escaping @Sendable (Object?) -> JSONValue?, store: @escaping Store
    ) {
        self.name = name
        self.schema = schema
        self.requirement = requirement
        self.belongs = belongs
        self.store = store
    }

    /// - Parameters:
    ///   - text: What it means.
    ///   - standard: What holds where it is absent.
    init<Value>(
        _ name: String, _ text: String?, _ form: Form<Value>,
        required requirement: Requirement? = nil,
        in belongs: (@Sendable (JSONValue) -> Bool)? = nil,
        standard: @escaping @Sendable (Object) -> Value? = { _ in nil },
        set: @escaping @Sendable (inout Object, Value) -> Void
    ) {
        self.init(
            name, required: requirement, in: belongs,
            schema: { initial in
                let standard = requirement == nil ? initial.flatMap(standard) : nil
                let schema = form.schema.adding(
                    standard.flatMap(form.write).map { [.init(name: "default", value: $0)] } ?? [])
                return text.map { schema.described($0) } ?? schema
            }
        ) { value, place, object, reading in
            if let value = form.read(value, place, &reading) { set(&object, value) }
        }
    }

    init<Value>(
        _ name: String, _ text: String?, _ form: Form<Value>,
        required requirement: Requirement? = nil,
        in belongs: (@Sendable (JSONValue) -> Bool)? = nil,
        to field: Field<Value>
    ) {
        self.init(
            name, text, form, required: requirement, in: belongs,
            standard: { $0[keyPath: field] }, set: { $0[keyPath: field] = $1 })
    }

    init<Value>(
        _ name: String, _ text: String?, _ form: Form<Value>,
        required requirement: Requirement? = nil,
        in belongs: (@Sendable (JSONValue) -> Bool)? = nil,
        to field: Field<Value?>
    ) {
        self.init(
            name, text, form, required: requirement, in: belongs,
            standard: { $0[keyPath: field] }, set: { $0[keyPath: field] = $1 })
    }

    /// A member that is an object, read into a value that is there already.
    init<Inner>(
        _ name: String, _ text: String, into field: Field<Inner>,
        _ table: ObjectTable<Inner>
    ) {
        self.init(
            name, schema: { table.schema(of: $0?[keyPath: field]).described(text) }
        ) { value, place, object, reading in
            _ = table.read(value, place, into: &object[keyPath: field], &reading)
        }
    }

    /// This row, for an object that has the row's object inside.
    func within<Outer>(_ field: Member<Outer>.Field<Object>) -> Member<Outer> {
        let requirement: Member<Outer>.Requirement? =
            switch requirement {
            case .value(let what): .value(what)
            case .known(let what): .known(what)
            case .member: .member
            case nil: nil
            }
        return Member<Outer>(
            name, required: requirement, in: belongs, schema: { schema($0?[keyPath: field]) }
        ) { value, place, outer, reading in
            store(value, place, &outer[keyPath: field], &reading)
        }
    }

    /// A row of the same name and schema with another way to its field.
    func with(store: @escaping Store) -> Member {
        Member(name, schema: schema, store: store)
    }
}

/// The rows of an object, in the order of the documentation, and what holds between its members.
struct ObjectTable<Object: Sendable>: Sendable {
    /// Looks at the object once its members are read; `JSONValue` is the object as it was given.
    typealias Rule = @Sendable (inout Object, JSONValue, JSONPointer, inout Reading) -> Void

    let rows: [Member<Object>]
    /// Further keywords of the JSON Schema.
    var keywords: [JSONValue.Member] = []
    /// What a fault says was expected in place of something else.
    var expectation = "an object"
    let rule: Rule

    init(
        _ rows: [Member<Object>], keywords: [JSONValue.Member] = [],
        or expectation: String = "an object", rule: @escaping Rule = { _, _, _, _ in }
    ) {
        self.rows = rows
        self.keywords = keywords
        self.expectation = expectation
        self.rule = rule
    }

    /// - Parameter initial: What the object is before its members are read: it has the defaults.
    func schema(of initial: Object?) -> JSONValue {
        let required = rows.filter { $0.requirement != nil && $0.belongs == nil }.map(\.name)
        let properties = rows.compactMap { row in
            row.schema(initial).map { JSONValue.Member(name: row.name, value: $0) }
        }
        return .object(properties: properties, required: required).adding(keywords)
    }

    /// Fills `object` with what is given.
    ///
    /// - Returns: Whether `value` is an object.
    func read(
        _ value: JSONValue, _ place: JSONPointer, into object: inout Object,
        _ reading: inout Reading
    ) -> Bool {
        guard let given = value.objectValue else {
            reading.expected(expectation, at: place)
            return false
        }
        let rows = rows.filter { $0.belongs?(value) ?? true }
        for row in rows {
            let pointer = place.appending(row.name)
            if let member = given.first(where: { $0.name == row.name }) {
                row.store(member.value, pointer, &object, &reading)
                continue
            }
            switch row.requirement {
            case .value(let what): reading.expected(what, at: pointer)
            case .known(let what): reading.expected(what(reading), at: pointer)
            case .member: reading.expected("\"\(row.name)\"", at: place)
            case nil: break
            }
        }
        rule(&object, value, place, &reading)
        for member in given where !rows.contains(where: { $0.name == member.name }) {
            let known = rows.map(\.name)
            let near = NearestWord.of(member.name, among: known)
            reading.note(
                "unknown-member",
                "unknown member; "
                    + (near.map { "did you mean \"\($0)\"?" }
                        ?? "expected \(known.joined(separator: ", "))"),
                at: place.appending(member.name))
        }
        return true
    }

    /// - Parameter initial: What the object is before its members are read.
    func form(_ initial: @escaping @autoclosure @Sendable () -> Object?) -> Form<Object> {
        Form(schema(of: initial())) { value, place, reading in
            guard var object = initial() else { return nil }
            return read(value, place, into: &object, &reading) ? object : nil
        }
    }
}
