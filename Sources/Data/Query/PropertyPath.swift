import FreshetBase
import FreshetJSON

/// One name of a path, ready for comparison with stored member names.
package struct PropertyName: Hashable, Sendable {
    /// The name as it is meant.
    package let text: String

    /// The name as canonical JSON spells it, without quotes: equal names have equal bytes.
    package let bytes: [UInt8]

    /// Makes a name of any text.
    package init(_ text: String) {
        self.text = text
        var buffer = ByteBuffer(capacity: 32)
        var copy = text
        copy.withUTF8 { buffer.append(jsonStringContents: UnsafeRawBufferPointer($0)) }
        bytes = Array(buffer.bytes)
    }

    package static func == (left: PropertyName, right: PropertyName) -> Bool {
        left.bytes == right.bytes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }
}

/// Where a value stands in a document: names from the top level down.
///
/// As text `author.name`; a name that is no `[A-Za-z_][A-Za-z0-9_-]*` stands in backquotes, in
/// which a doubled backquote is one. `id` alone is the identifier. Paths do not enter arrays.
package struct PropertyPath: Hashable, Sendable, CustomStringConvertible {
    /// The most names that a path may have: no document nests deeper.
    package static let maximumCount = 64

    /// The identifier.
    package static let id = PropertyPath(["id"])

    /// The names, at least one.
    package let names: [PropertyName]

    /// Makes a path of one or more names.
    package init(_ names: [String]) {
        precondition(!names.isEmpty, "a path has at least one name")
        self.names = names.map(PropertyName.init)
    }

    /// Reads a path as filters write it.
    ///
    /// - Throws: `.syntax` with an offset in the UTF-8 bytes of `text`.
    package init(parsing text: String) throws(FilterFault) {
        self = try Self.parse(text) { (lexer) throws(FilterFault) -> PropertyPath in
            let path = try lexer.path()
            try lexer.expectEnd("the end of the property path")
            return path
        }
    }

    /// Whether this is `id` alone.
    package var isID: Bool {
        names.count == 1 && names[0].bytes.elementsEqual("id".utf8)
    }

    /// The number of names.
    package var count: Int { names.count }

    package subscript(_ index: Int) -> PropertyName { names[index] }

    /// The path as filters write it.
    package var description: String {
        // Most are one name, and part of each query's key.
        if names.count == 1, !Self.needsQuotes(names[0].text, isFirst: true) {
            return names[0].text
        }
        return names.enumerated().map { index, name in
            Self.needsQuotes(name.text, isFirst: index == 0)
                ? "`" + Self.doublingBackquotes(name.text) + "`" : name.text
        }.joined(separator: ".")
    }

    /// Runs `read` over the bytes of `text`, refusing what is too long for any path or filter.
    static func parse<Value>(
        _ text: String, _ read: (inout FilterLexer) throws(FilterFault) -> Value
    ) throws(FilterFault) -> Value {
        let bytes = Array(text.utf8)
        guard bytes.count <= FilterLimits.textBytes else { throw .tooComplex(FilterLimits.text) }
        let result: Swift.Result<Value, FilterFault> = bytes.withUnsafeBytes { bytes in
            do throws(FilterFault) {
                var lexer = FilterLexer(bytes)
                return .success(try read(&lexer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func needsQuotes(_ name: String, isFirst: Bool) -> Bool {
        guard let first = name.utf8.first else { return true }
        guard ASCII.isLetter(first) || first == UInt8(ascii: "_") else { return true }
        guard name.utf8.allSatisfy(FilterLexer.isNameByte) else { return true }
        return isFirst && FilterLexer.reservedWords.contains(name)
    }

    private static func doublingBackquotes(_ name: String) -> String {
        guard name.utf8.contains(0x60) else { return name }
        return String(decoding: name.utf8.flatMap { $0 == 0x60 ? [$0, $0] : [$0] }, as: UTF8.self)
    }
}
