package import FreshetBase

/// A JSON value as a tree, for policy code and configuration. Hot code uses `JSONView`.
///
/// Numbers keep their text and objects the order of their members.
package enum JSONValue: Sendable {
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
    ///
    /// - Parameter depthLimit: How deep it may nest. A tree is mostly of what stands around documents,
    ///   which `DocumentBuilder` judges by themselves.
    package static func parse(
        _ bytes: UnsafeRawBufferPointer, depthLimit: Int = JSONScanner.frameDepth
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
        _ bytes: [UInt8], depthLimit: Int = JSONScanner.frameDepth
    ) throws(JSONFault) -> JSONValue {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONFault) in try parse(bytes, depthLimit: depthLimit) }
        }
        return try result.get()
    }

    /// Reads one complete JSON text.
    package static func parse(
        _ text: String, depthLimit: Int = JSONScanner.frameDepth
    ) throws(JSONFault) -> JSONValue {
        try parse(Array(text.utf8), depthLimit: depthLimit)
    }

    /// The tree of a canonical value. O(bytes); recursion as deep as it nests, which the scanner
    /// limits.
    package init(_ view: JSONView) {
        guard let base = view.base else {
            self = .null
            return
        }
        var reader = TreeReader(base: base, end: view.count)
        self = reader.value(depth: 0)
    }

    /// Walks canonical bytes once: a container's end is found by reading its contents.
    private struct TreeReader {
        let base: UnsafeRawPointer
        var offset = 0
        let end: Int

        init(base: UnsafeRawPointer, end: Int) {
            self.base = base
            self.end = end
        }

        private var byte: UInt8 {
            offset < end ? base.load(fromByteOffset: offset, as: UInt8.self) : 0
        }

        mutating func value(depth: Int) -> JSONValue {
            guard offset < end, depth <= JSONScanner.highestDepth else {
                offset = end
                return .null
            }
            switch byte {
            case UInt8(ascii: "["): return .array(elements(depth: depth + 1))
            case UInt8(ascii: "{"): return .object(members(depth: depth + 1))
            default: break
            }
            let view = leaf()
            switch view.kind {
            case .bool: return .bool(view.bool == true)
            case .number: return .number(String(decoding: view.bytes, as: UTF8.self))
            case .string: return .string(view.string ?? "")
            case .null, .array, .object: return .null
            }
        }

        private mutating func leaf() -> JSONView {
            let start = offset
            guard start < end else {
                return JSONView(canonical: UnsafeRawBufferPointer(start: nil, count: 0))
            }
            offset = JSONLexis.valueEnd(base, from: start, to: end)
            return JSONView(base, start, offset)
        }

        private mutating func elements(depth: Int) -> [JSONValue] {
            var elements: [JSONValue] = []
            offset += 1
            while offset < end, byte != UInt8(ascii: "]") {
                let start = offset
                elements.append(value(depth: depth))
                // Only bytes that are no JSON make no progress.
                if offset == start { offset = end }
                if byte == UInt8(ascii: ",") { offset += 1 }
            }
            offset += 1
            return elements
        }

        private mutating func members(depth: Int) -> [Member] {
            var members: [Member] = []
            offset += 1
            while offset < end, byte != UInt8(ascii: "}") {
                let name = leaf().string ?? ""
                offset += 1
                members.append(Member(name: name, value: value(depth: depth)))
                if byte == UInt8(ascii: ",") { offset += 1 }
            }
            offset += 1
            return members
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
