package import FreshetBase
package import FreshetJSON

// Ids as JSON writes them.
extension EntityID {
    /// Makes an id of a JSON string, or of a number whose value is an `Int64` (`7`, `7.0`, `1e1`).
    package init(json view: JSONView) throws(Fault) {
        switch view.kind {
        case .string:
            guard let contents = view.stringContents else { throw .wrongKind }
            guard contents.count <= Self.maximumLength * 6 else { throw .tooLong }
            var buffer = ByteBuffer(capacity: contents.count)
            JSONText.unescape(contents, into: &buffer)
            try self.init(text: buffer.bytes)
        case .number:
            guard let value = view.int64 else { throw .notAnInteger }
            self.init(value)
        default: throw .wrongKind
        }
    }

    /// Appends the id as JSON: a string, or a number where that is asked for and it is an integer.
    package func appendJSON(asInteger: Bool, to buffer: inout ByteBuffer) {
        if asInteger, let integer {
            buffer.append(decimal: Int(integer))
        } else {
            withBytes { buffer.append(jsonString: $0) }
        }
    }
}
