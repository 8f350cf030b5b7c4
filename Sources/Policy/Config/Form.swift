import FreshetBase
import FreshetCore
import FreshetJSON

/// What may stand at a place of the configuration: its JSON Schema, and how a value is made of it.
///
/// Forms are put together of others; an object's form is made of the rows of its table (`Member`).
struct Form<Value: Sendable>: Sendable {
    /// nil, and a fault at the pointer or below it, where the value is not of this form; nil alone
    /// where it stands for an absent member.
    typealias Read = @Sendable (JSONValue, JSONPointer, inout Reading) -> Value?

    /// How a value stands in the configuration; nil where the form cannot say it.
    typealias Write = @Sendable (Value) -> JSONValue?

    /// Its description tells bounds that a pattern cannot; what it is for says the row that uses
    /// the form.
    let schema: JSONValue
    let write: Write
    let read: Read

    init(_ schema: JSONValue, write: @escaping Write = { _ in nil }, read: @escaping Read) {
        self.schema = schema
        self.write = write
        self.read = read
    }

    /// - Parameter expectation: What a fault says was expected where `value` is nil.
    init(
        _ schema: JSONValue, or expectation: String, write: @escaping Write = { _ in nil },
        _ value: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.init(schema, write: write) { json, place, reading in
            let result = value(json)
            if result == nil { reading.expected(expectation, at: place) }
            return result
        }
    }

    /// The values of this form that `value` makes another of.
    ///
    /// - Parameter schema: Of these, where it can say so.
    func narrowed<Other>(
        or expectation: String, schema: JSONValue? = nil,
        write: @escaping Form<Other>.Write = { _ in nil },
        _ value: @escaping @Sendable (Value) -> Other?
    ) -> Form<Other> {
        Form<Other>(schema ?? self.schema, write: write) { json, place, reading in
            guard let found = read(json, place, &reading) else { return nil }
            let result = value(found)
            if result == nil { reading.expected(expectation, at: place) }
            return result
        }
    }

    /// The form of the values of this one that `value` takes.
    func narrowed(
        or expectation: String, schema: JSONValue? = nil,
        _ value: @escaping @Sendable (Value) -> Value?
    ) -> Form {
        narrowed(or: expectation, schema: schema, write: write, value)
    }

    /// This form for a value of another type; nil where the faults are noted already.
    func map<Other>(
        write: @escaping Form<Other>.Write = { _ in nil },
        _ value: @escaping @Sendable (Value) -> Other?
    ) -> Form<Other> {
        Form<Other>(schema, write: write) { json, place, reading in
            read(json, place, &reading).flatMap(value)
        }
    }
}

// MARK: Single values

extension Form where Value == Bool {
    static var flag: Form {
        Form(["type": "boolean"], or: "true or false", write: { .bool($0) }) { $0.boolValue }
    }
}

extension Form where Value == JSONValue {
    static var any: Form { Form(true) { value, _, _ in value } }

    /// An object that something else reads, later.
    static var object: Form {
        Form(["type": "object"], or: "an object") { value in value.objectValue.map { _ in value } }
    }
}

extension Form where Value == String {
    static func text(minLength: Int? = nil, maxLength: Int? = nil, pattern: String? = nil) -> Form {
        var schema: [JSONValue.Member] = [.init(name: "type", value: "string")]
        if let minLength { schema.append(.init(name: "minLength", value: .integer(minLength))) }
        if let maxLength { schema.append(.init(name: "maxLength", value: .integer(maxLength))) }
        if let pattern { schema.append(.init(name: "pattern", value: .string(pattern))) }
        return Form(.object(schema), or: "a string", write: { .string($0) }) { $0.stringValue }
    }

    /// The form of a text that is one of `words`.
    static func word(of words: [String]) -> Form {
        let quoted = words.map { "\"\($0)\"" }
        return Form.text().narrowed(
            or: (words.count == 1 ? "" : "one of ") + quoted.joined(separator: ", "),
            schema: ["enum": .array(words.map { .string($0) })]
        ) { words.contains($0) ? $0 : nil }
    }
}

extension Form where Value: RawRepresentable<String> & CaseIterable {
    /// The form of a text that is the raw value of a case.
    static var word: Form {
        let words = Value.allCases.map(\.rawValue)
        return Form(
            ["enum": .array(words.map { .string($0) })],
            or: "one of " + words.map { "\"\($0)\"" }.joined(separator: ", "),
            write: { .string($0.rawValue) }
        ) { $0.stringValue.flatMap(Value.init(rawValue:)) }
    }
}

extension Form where Value == Int {
    static func integer(
        _ bounds: ClosedRange<Int>, or expectation: String? = nil
    ) -> Form {
        let schema: JSONValue = [
            "type": "integer", "minimum": .integer(bounds.lowerBound),
            "maximum": .integer(bounds.upperBound),
        ]
        return Form(
            schema,
            or: expectation ?? "an integer from \(bounds.lowerBound) to \(bounds.upperBound)",
            write: { .integer($0) }
        ) { value in
            value.int64Value.flatMap { bounds.contains(Int($0)) ? Int($0) : nil }
        }
    }

    /// A number of things.
    static var count: Form {
        Form(
            ["type": "integer", "minimum": 0], or: "an integer of 0 or more",
            write: { .integer($0) }
        ) { value in
            value.int64Value.flatMap { $0 >= 0 ? Int($0) : nil }
        }
    }

    static func status(from least: Int) -> Form {
        integer(least...599, or: "a status, \(least) to 599")
    }

    /// A size such as `"16MiB"`, or a number of bytes.
    static func size(_ bounds: ClosedRange<Int>) -> Form {
        let low = SettingText.text(bytes: bounds.lowerBound)
        let high = SettingText.text(bytes: bounds.upperBound)
        let schema: JSONValue = [
            "type": ["string", "integer"], "pattern": .string(SettingText.sizePattern),
            "minimum": .integer(bounds.lowerBound), "maximum": .integer(bounds.upperBound),
            "description": .string("from \(low) to \(high)"),
        ]
        return Form(
            schema, or: "a size such as \"16MiB\", from \(low) to \(high)",
            write: { .string(SettingText.text(bytes: $0)) }
        ) { value in
            let bytes =
                value.stringValue.flatMap(SettingText.bytes) ?? value.int64Value.map { Int($0) }
            return bytes.flatMap { bounds.contains($0) ? $0 : nil }
        }
    }
}

/// Longer than anything is waited for, in milliseconds.
let longestTime = 86_400_000

extension Form where Value == Duration {
    /// A time such as `"10s"`; `bounds` are milliseconds.
    static func time(_ bounds: ClosedRange<Int>, or expectation: String? = nil) -> Form {
        let low = SettingText.text(milliseconds: bounds.lowerBound)
        let high = SettingText.text(milliseconds: bounds.upperBound)
        return Form(
            [
                "type": "string", "pattern": .string(SettingText.timePattern),
                "description": .string("from \(low) to \(high)"),
            ], or: expectation ?? "a time such as \"10s\", from \(low) to \(high)", write: text
        ) { value in
            value.stringValue.flatMap(SettingText.milliseconds).flatMap {
                bounds.contains($0) ? .milliseconds($0) : nil
            }
        }
    }

    static var text: Write {
        { .string(SettingText.text(milliseconds: $0.wholeMilliseconds)) }
    }
}

/// The pattern in the JSON Schema of a request's path.
let pathPattern = "^/[^?#\\s]*$"

extension Form where Value == JSONPointer {
    /// The pointer to a value; the empty one is the whole.
    static func pointer(such example: String = "/data/items") -> Form {
        Form(
            ["type": "string", "pattern": "^(/|$)"], or: "a JSON pointer such as \"\(example)\"",
            write: { .string($0.description) }
        ) { $0.stringValue.flatMap { JSONPointer($0) } }
    }
}

extension Form where Value: Equatable {
    /// The form of a few words, each with the value that it stands for.
    static func words(_ words: KeyValuePairs<String, Value>) -> Form {
        let words = words.map { ($0.key, $0.value) }
        return Form(
            ["enum": .array(words.map { .string($0.0) })],
            or: words.map { "\"\($0.0)\"" }.joined(separator: " or "),
            write: { value in words.first { $0.1 == value }.map { .string($0.0) } }
        ) { value in words.first { $0.0 == value.stringValue }?.1 }
    }
}

extension Form {
    /// A text of this form, or else an object.
    func orObject(_ object: Form) -> Form {
        Form(["anyOf": [schema, object.schema]], write: write) { value, place, reading in
            let form = value.stringValue == nil ? object : self
            return form.read(value, place, &reading)
        }
    }

    /// A value of this form, or null, which stands for an absent member.
    func orNull() -> Form {
        var members = schema.objectValue ?? []
        let kind = members.firstIndex { $0.name == "type" && $0.value.stringValue != nil }
        if let kind { members[kind].value = [members[kind].value, "null"] }
        let schema: JSONValue =
            kind == nil ? ["anyOf": [schema, ["type": "null"]]] : .object(members)
        return Form(schema, write: write) { value, place, reading in
            value.isNull ? nil : read(value, place, &reading)
        }
    }
}

// MARK: Several values

/// An element of a list, or a member whose name users choose.
struct Entry: Sendable {
    /// The position, where it is an element.
    let name: String
    let value: JSONValue
    let pointer: JSONPointer
}

extension Form {
    /// A list.
    ///
    /// - Parameters:
    ///   - expectation: Of what is no list, or one of another length.
    ///   - element: Reads one, told those before it; nil, and a fault, where it is faulty.
    static func list<Element>(
        of schema: JSONValue, count: ClosedRange<Int> = 0...Int.max, or expectation: String,
        _ element: @escaping @Sendable (Entry, [Element], inout Reading) -> Element?
    ) -> Form where Value == [Element] {
        Form(["type": "array", "items": schema]) { value, place, reading in
            guard let elements = value.arrayValue, count.contains(elements.count) else {
                reading.expected(expectation, at: place)
                return nil
            }
            var found: [Element] = []
            for (index, value) in elements.enumerated() {
                let entry = Entry(
                    name: String(index), value: value, pointer: place.appending(index))
                if let value = element(entry, found, &reading) { found.append(value) }
            }
            return found
        }
    }

    static func list<Element>(
        of form: Form<Element>, count: ClosedRange<Int> = 0...Int.max, or expectation: String
    ) -> Form where Value == [Element] {
        let list = list(of: form.schema, count: count, or: expectation) { entry, _, reading in
            form.read(entry.value, entry.pointer, &reading)
        }
        return Form(
            list.schema,
            write: { elements in
                let written = elements.compactMap(form.write)
                return written.count == elements.count ? .array(written) : nil
            }, read: list.read)
    }

    /// An object whose members' names users choose.
    ///
    /// - Parameters:
    ///   - names: The JSON Schema of the names.
    ///   - member: As in `list`.
    static func entries<Element>(
        of schema: JSONValue, names: JSONValue? = nil, or expectation: String = "an object",
        _ member: @escaping @Sendable (Entry, [Element], inout Reading) -> Element?
    ) -> Form where Value == [Element] {
        var members: [JSONValue.Member] = [.init(name: "type", value: "object")]
        if let names { members.append(.init(name: "propertyNames", value: names)) }
        members.append(.init(name: "additionalProperties", value: schema))
        return Form(.object(members)) { value, place, reading in
            guard let members = value.objectValue else {
                reading.expected(expectation, at: place)
                return nil
            }
            var found: [Element] = []
            for given in members {
                let entry = Entry(
                    name: given.name, value: given.value, pointer: place.appending(given.name))
                if let value = member(entry, found, &reading) { found.append(value) }
            }
            return found
        }
    }
}

extension JSONValue {
    static func integer(_ value: Int) -> JSONValue { .number(String(value)) }

    /// The JSON Schema of an object with these members and no others.
    static func object(properties: [Member], required: [String] = []) -> JSONValue {
        var members: [Member] = [.init(name: "type", value: "object")]
        if !required.isEmpty {
            members.append(.init(name: "required", value: .array(required.map { .string($0) })))
        }
        members.append(.init(name: "properties", value: .object(properties)))
        members.append(.init(name: "additionalProperties", value: false))
        return .object(members)
    }

    /// This schema with `text` in front of its description.
    func described(_ text: String) -> JSONValue {
        let bounds = self["description"]?.stringValue.map { "; \($0)" } ?? ""
        let others = (objectValue ?? []).filter { $0.name != "description" }
        return .object(others + [.init(name: "description", value: .string(text + bounds))])
    }

    /// This object with `members` behind its own; true, the JSON Schema of anything, has none.
    func adding(_ members: [Member]) -> JSONValue {
        if members.isEmpty { return self }
        return .object((objectValue ?? []) + members)
    }
}
