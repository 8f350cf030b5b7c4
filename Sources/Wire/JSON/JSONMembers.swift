package import FreshetBase

// Objects written member by member: for answers to operators, not for the encoders of entities,
// which append bytes that they have counted.

extension ByteBuffer {
    /// Appends `"name":`, behind a comma unless an object has just been begun. The value follows.
    ///
    /// - Parameter name: A literal that needs no escape.
    package mutating func member(_ name: StaticString) {
        if bytes.last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
        append(jsonName: name)
    }

    /// Appends a member of text, or of null.
    package mutating func member(_ name: StaticString, _ text: String?) {
        member(name, text) { $1.append(jsonString: $0) }
    }

    /// Appends a member of text that is UTF-8.
    package mutating func member(_ name: StaticString, _ text: UnsafeRawBufferPointer) {
        member(name)
        append(jsonString: text)
    }

    /// Appends a member of a number, or of null.
    package mutating func member(_ name: StaticString, _ number: Int?) {
        member(name, number) { $1.append(decimal: $0) }
    }

    /// Appends a member of a number, or of null.
    package mutating func member(_ name: StaticString, _ number: UInt64?) {
        member(name, number) { $1.append(decimal: $0) }
    }

    /// Appends a member that is true, false or null.
    package mutating func member(_ name: StaticString, _ flag: Bool?) {
        member(name, flag) { $1.append(jsonBool: $0) }
    }

    /// Appends a member of an instant as RFC 3339 text, or of null.
    package mutating func member(_ name: StaticString, _ instant: WallTime?) {
        member(name, instant?.rfc3339)
    }

    /// Appends a member of an instant as RFC 3339 text, or of null.
    ///
    /// - Parameter milliseconds: Since 1970.
    package mutating func member(_ name: StaticString, milliseconds: Int64?) {
        member(name, milliseconds.map { WallTime(milliseconds: $0) })
    }

    /// Appends a member that `write` writes, or null.
    package mutating func member<Value>(
        _ name: StaticString, _ value: Value?, _ write: (Value, inout ByteBuffer) -> Void
    ) {
        member(name)
        if let value { write(value, &self) } else { append("null") }
    }

    /// Appends a member that is an array, each element written by `write`.
    package mutating func member<Items: Sequence>(
        _ name: StaticString, each items: Items, _ write: (Items.Element, inout ByteBuffer) -> Void
    ) {
        member(name)
        append(UInt8(ascii: "["))
        var isFirst = true
        for item in items {
            if !isFirst { append(UInt8(ascii: ",")) }
            isFirst = false
            write(item, &self)
        }
        append(UInt8(ascii: "]"))
    }

    /// Appends a member that is an object of numbers.
    package mutating func member(_ name: StaticString, _ numbers: [(StaticString, Int)]) {
        member(name)
        append(UInt8(ascii: "{"))
        for (name, number) in numbers { member(name, number) }
        append(UInt8(ascii: "}"))
    }
}
