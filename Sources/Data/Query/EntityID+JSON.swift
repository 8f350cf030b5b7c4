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

    /// The ids that the value of a relationship's property names, one or a list, and how many of
    /// its values are none. Null names nothing.
    package static func named(by value: JSONView) -> (ids: [EntityID], malformed: Int) {
        if value.isNull { return ([], 0) }
        var ids: [EntityID] = []
        var malformed = 0
        func take(_ element: JSONView) {
            do throws(EntityID.Fault) {
                ids.append(try EntityID(json: element))
            } catch {
                malformed += 1
            }
        }
        if value.kind == .array {
            for element in value.elements { take(element) }
        } else {
            take(value)
        }
        return (ids, malformed)
    }
}
