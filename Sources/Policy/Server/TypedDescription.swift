import FreshetBase
import FreshetCore
import FreshetJSON

/// The API description with the declared types merged in: paths, tags and schemas for each.
///
/// The document is a text that `.ci/embed` writes; so is what a type adds, with places for names.
enum TypedDescription {
    /// The document up to the contents of `tags`, of `paths`, of `schemas`, and the rest.
    private static let parts: [[UInt8]] = {
        var rest = bytes(of: OpenAPIDocument.json)[...]
        var parts: [[UInt8]] = []
        for opening in ["\n\"tags\":[\n", "\n\"paths\":{\n", "\n\"schemas\":{\n"] {
            guard let range = rest.firstRange(of: Array(opening.utf8)) else { continue }
            parts.append(Array(rest[..<range.upperBound]))
            rest = rest[range.upperBound...]
        }
        precondition(parts.count == 3, "the API description has tags, paths and schemas")
        return parts + [Array(rest)]
    }()

    private static let names = OpenAPIDocument.names.description.split(
        whereSeparator: \.isWhitespace
    )
    .map(String.init)
    private static let tag = Template(OpenAPIDocument.tagOfType)
    private static let paths = Template(OpenAPIDocument.pathsOfType)
    private static let schemas = Template(OpenAPIDocument.schemasOfType)

    /// Appends the document with `types`. O(types): some 20 KB each.
    static func append(_ types: [TypeSchema], to output: inout ByteBuffer) {
        var descriptions = EntityDescriptions(besides: names)
        let named = types.map { (type: $0.name, name: descriptions.add($0)) }
        output.append(parts[0])
        for (type, name) in named { tag.append(type, name, to: &output) }
        output.append(parts[1])
        for (type, name) in named { paths.append(type, name, to: &output) }
        output.append(parts[2])
        for (type, name) in named { schemas.append(type, name, to: &output) }
        for schema in descriptions.schemas {
            output.append(jsonName: schema.name)
            schema.value.write(to: &output)
            output.append(",")
        }
        output.append(parts[3])
    }

    private static func bytes(of text: StaticString) -> [UInt8] {
        text.withUTF8Buffer { Array($0) }
    }

    /// A text with places for a type's name and that of its schema.
    private struct Template: Sendable {
        private enum Part {
            case text([UInt8])
            case type, name
        }

        private let parts: [Part]

        init(_ text: StaticString) {
            var rest = TypedDescription.bytes(of: text)[...]
            var parts: [Part] = []
            let opening = Array("{{".utf8)
            let closing = Array("}}".utf8)
            while let start = rest.firstRange(of: opening),
                let end = rest[start.upperBound...].firstRange(of: closing)
            {
                parts.append(.text(Array(rest[..<start.lowerBound])))
                let isType = rest[start.upperBound..<end.lowerBound].elementsEqual("type".utf8)
                parts.append(isType ? .type : .name)
                rest = rest[end.upperBound...]
            }
            self.parts = parts + [.text(Array(rest))]
        }

        func append(_ type: String, _ name: String, to output: inout ByteBuffer) {
            for part in parts {
                switch part {
                case .text(let bytes): output.append(bytes)
                case .type: output.append(text: type)
                case .name: output.append(text: name)
                }
            }
        }
    }
}
