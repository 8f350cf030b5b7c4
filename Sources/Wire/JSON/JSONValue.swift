package import FreshetBase

/// A JSON value as a tree, for policy code and configuration. Hot code uses `JSONView`.
///
/// Numbers keep their text and objects the order of their members.
package indirect enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Reads one complete JSON text, as strictly as `JSONScanner`.
    package static func parse(
        _ bytes: UnsafeRawBufferPointer, depthLimit: Int = JSONScanner.defaultDepth
    ) throws(JSONFault) -> JSONValue {
        var scanner = JSONScanner(depthLimit: depthLimit)
        let summary = try scanner.scan(bytes)
        let text = UnsafeRawBufferPointer(rebasing: bytes[summary.start..<summary.end])
        if summary.isCanonical { return JSONValue(JSONView(canonical: text)) }
        var buffer = ByteBuffer(capacity: text.count + 32)
        JSONCanonical.compact(text, into: &buffer)
        return JSONValue(JSONView(canonical: buffer.bytes))
    }

    /// Reads one complete JSON text.
    package static func parse(
        _ bytes: [UInt8], depthLimit: Int = JSONScanner.defaultDepth
    ) throws(JSONFault) -> JSONValue {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONFault) in try parse(bytes, depthLimit: depthLimit) }
        }
        return try result.get()
    }

    /// Reads one complete JSON text.
    package static func parse(
        _ text: String, depthLimit: Int = JSONScanner.defaultDepth
    ) throws(JSONFault) -> JSONValue {
        try parse(Array(text.utf8), depthLimit: depthLimit)
    }

    /// The tree of a canonical value; recursion as deep as it nests, which the scanner limits.
    package init(_ view: JSONView) {
        switch view.kind {
        case .null: self = .null
        case .bool: self = .bool(view.bool == true)
        case .number: self = .number(String(decoding: view.bytes, as: UTF8.self))
        case .string: self = .string(view.string ?? "")
        case .array: self = .array(view.elements.map { JSONValue($0) })
        case .object:
            self = .object(
                view.members.map { Member(name: $0.nameText, value: JSONValue($0.value)) })
        }
    }

    /// Appends the value in canonical form.
    package func write(to buffer: inout ByteBuffer) {
        switch self {
        case .null: buffer.append("null")
        case .bool(let value): buffer.append(jsonBool: value)
        case .number(let text): buffer.append(text: text)
        case .string(let text): buffer.append(jsonString: text)
        case .array(let elements):
            buffer.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                if position > 0 { buffer.append(UInt8(ascii: ",")) }
                element.write(to: &buffer)
            }
            buffer.append(UInt8(ascii: "]"))
        case .object(let members):
            buffer.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                if position > 0 { buffer.append(UInt8(ascii: ",")) }
                buffer.append(jsonName: member.name)
                member.value.write(to: &buffer)
            }
            buffer.append(UInt8(ascii: "}"))
        }
    }

    /// The canonical form.
    package var bytes: [UInt8] {
        var buffer = ByteBuffer()
        write(to: &buffer)
        return Array(buffer.bytes)
    }

    /// The canonical form.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONValue: Equatable {
    /// Equality by value, as `JSONEquality` has it: `1.0` equals `1`, members in any order.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        var first = ByteBuffer()
        var second = ByteBuffer()
        left.write(to: &first)
        right.write(to: &second)
        return JSONEquality.equal(
            JSONView(canonical: first.bytes), JSONView(canonical: second.bytes))
    }
}
