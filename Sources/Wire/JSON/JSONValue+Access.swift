/// Asking a tree.
extension JSONValue {
    package var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    package var isNull: Bool { kind == .null }

    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number as it was written.
    package var numberText: String? {
        guard case .number(let text) = self else { return nil }
        return text
    }

    /// The number, if it has an integer value that fits: `7.0` and `1e3` do.
    package var int64Value: Int64? {
        guard case .number(var text) = self else { return nil }
        return text.withUTF8 { JSONNumber.int64(UnsafeRawBufferPointer($0)) }
    }

    /// The nearest double; infinite past the range.
    package var doubleValue: Double? {
        guard case .number(var text) = self else { return nil }
        return text.withUTF8 { JSONNumber.double(UnsafeRawBufferPointer($0)) }
    }

    package var arrayValue: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var objectValue: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The member with that name. Names are compared scalar by scalar, never by Unicode
    /// equivalence. O(members).
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The element at that position, counted from 0.
    package subscript(_ index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else {
            return nil
        }
        return elements[index]
    }

    /// What the pointer refers to.
    package subscript(_ pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            let next =
                if case .array = value {
                    JSONPointer.index(token).flatMap { value[$0] }
                } else { value[token] }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}

/// Writing a tree down in code.
extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .number(String(value)) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// - Parameter value: JSON has no infinity and no not-a-number: they become null.
    package init(floatLiteral value: Double) {
        self = value.isFinite ? .number(value.description) : .null
    }

    /// Keeps the order of the literal.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
