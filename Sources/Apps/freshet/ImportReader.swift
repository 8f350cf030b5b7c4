import FreshetStore
import Glibc

/// A body on its way to a server: NDJSON.
struct ImportChunk: Equatable {
    /// Bytes at which a body is full: large enough that a commit's cost vanishes, small enough
    /// that progress moves.
    static let standardTarget = 2 << 20
    /// Lines at which it is full: an answer may list every one.
    private static let mostLines = 10_000
    /// Longest entity: the largest that a server can be told to take.
    static let longestEntity = 64 << 20

    var body: [UInt8] = []
    /// The number in the file, from 1, of the line where each line of the body begins.
    var lines: [Int] = []

    func isFull(_ target: Int) -> Bool { body.count >= target || lines.count >= Self.mostLines }

    /// Gives its bytes and lines away and is empty.
    mutating func take(_ target: Int) -> ImportChunk {
        var full = ImportChunk()
        full.body.reserveCapacity(target + 64 << 10)
        swap(&self, &full)
        return full
    }
}

/// Cuts the blocks of a file into bodies. What of a block is behind a full body stays where it is.
protocol ImportChunker {
    /// - Parameter place: Up to where `block` was taken; it moves on.
    /// - Returns: The next full body; nil once the whole block was taken.
    mutating func next(
        of block: [UInt8], from place: inout Int
    ) throws(CommandFailure) -> ImportChunk?

    /// What is left at the end of the file.
    mutating func finish() throws(CommandFailure) -> ImportChunk?
}

/// Cuts NDJSON into bodies of whole lines. Blank lines are left out; each line keeps its number.
struct LineChunker: ImportChunker {
    private let target: Int
    private let longest: Int
    /// Lines that have ended.
    private var line = 0
    /// Where the line at work begins in the chunk's body.
    private var start = 0
    private var chunk = ImportChunk()

    init(target: Int = ImportChunk.standardTarget, longest: Int = ImportChunk.longestEntity) {
        self.target = target
        self.longest = longest
    }

    mutating func next(
        of block: [UInt8], from place: inout Int
    ) throws(CommandFailure) -> ImportChunk? {
        while place < block.count {
            let end = Self.lineFeed(in: block, from: place) ?? block.count
            chunk.body += block[place..<end]
            guard chunk.body.count - start <= longest else {
                throw .failed(
                    "line \(line + 1): the line has more than \(longest >> 20) MiB; an import "
                        + "takes one entity a line, or a JSON array of them")
            }
            place = min(end + 1, block.count)
            guard end < block.count else { return nil }
            endLine()
            if chunk.isFull(target) { return takeChunk() }
        }
        return nil
    }

    /// A last line without a line feed included.
    mutating func finish() -> ImportChunk? {
        endLine()
        return chunk.lines.isEmpty ? nil : takeChunk()
    }

    private static func lineFeed(in block: [UInt8], from place: Int) -> Int? {
        block.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let end = memchr(base + place, 0x0A, bytes.count - place)
            else { return nil }
            return UnsafeRawPointer(end) - base
        }
    }

    private mutating func endLine() {
        line += 1
        while chunk.body.count > start, let last = chunk.body.last, last == 0x0D || last == 0x20 {
            chunk.body.removeLast()
        }
        guard chunk.body.count > start else { return }
        chunk.body.append(0x0A)
        chunk.lines.append(line)
        start = chunk.body.count
    }

    private mutating func takeChunk() -> ImportChunk {
        start = 0
        return chunk.take(target)
    }
}

/// Cuts a JSON array into bodies of one element a line.
///
/// It looks for where elements end and for nothing else: whether one is JSON, the server says.
/// Line feeds between the tokens of an element become spaces; there are none inside of strings.
struct ArrayChunker: ImportChunker {
    private enum Place { case before, between, element, behind }

    private let target: Int
    private var place = Place.before
    private var line = 1
    /// Brackets that are open in the element.
    private var depth = 0
    private var isString = false
    private var isEscaped = false
    /// Where the element begins in the chunk's body.
    private var start = 0
    private var hasElements = false
    private var chunk = ImportChunk()

    init(target: Int = ImportChunk.standardTarget) {
        self.target = target
    }

    mutating func next(
        of block: [UInt8], from index: inout Int
    ) throws(CommandFailure) -> ImportChunk? {
        while index < block.count {
            let byte = block[index]
            index += 1
            try take(byte)
            if byte == 0x0A { line += 1 }
            if place != .element, chunk.isFull(target) { return chunk.take(target) }
        }
        return nil
    }

    mutating func finish() throws(CommandFailure) -> ImportChunk? {
        guard place == .behind else { throw fault("the array has no end") }
        return chunk.lines.isEmpty ? nil : chunk.take(target)
    }

    private mutating func take(_ byte: UInt8) throws(CommandFailure) {
        let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
        switch place {
        case .before:
            if byte == UInt8(ascii: "[") {
                place = .between
            } else if !isSpace {
                throw fault("no array begins here")
            }
        case .between:
            if isSpace { return }
            if byte == UInt8(ascii: "]"), !hasElements {
                place = .behind
                return
            }
            guard byte != UInt8(ascii: ","), byte != UInt8(ascii: "]") else {
                throw fault("an element of the array is missing")
            }
            place = .element
            start = chunk.body.count
            chunk.lines.append(line)
            hasElements = true
            takeInside(byte, isSpace)
        case .element:
            if !isString, depth == 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
                while chunk.body.last == 0x20 { chunk.body.removeLast() }
                chunk.body.append(0x0A)
                place = byte == UInt8(ascii: ",") ? .between : .behind
            } else {
                takeInside(byte, isSpace)
                guard chunk.body.count - start <= ImportChunk.longestEntity else {
                    throw fault("an element has more than 64 MiB")
                }
            }
        case .behind:
            if !isSpace { throw fault("something stands behind the end of the array") }
        }
    }

    private mutating func takeInside(_ byte: UInt8, _ isSpace: Bool) {
        if isString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isString = false
            }
        } else {
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        // A line feed inside of a string is no JSON; a space in its place would make it some.
        chunk.body.append(isSpace && !isString ? 0x20 : byte == 0x0A ? 0x0D : byte)
    }

    private func fault(_ text: String) -> CommandFailure { .failed("line \(line): \(text)") }
}

/// Reads a file of entities, whichever form it has, as bodies of NDJSON.
struct ImportReader: ~Copyable {
    /// What is looked at to tell the form: the first line with something on it.
    private static let longestLook = 64 << 10

    private let input: InputFile
    private let name: String
    /// Whether the file is one JSON array.
    let isArray: Bool
    private var chunker: any ImportChunker
    /// What was read last, and up to where it was taken.
    private var block: [UInt8]
    private var place = 0
    private var bytesRead = 0
    private var isAtEnd = false
    private var hasFinished = false

    /// - Parameters:
    ///   - name: As the user wrote it.
    ///   - type: The type of all entities, for what a refusal proposes.
    init(_ input: consuming InputFile, name: String, type: String?) throws(CommandFailure) {
        var first: [UInt8] = []
        var hasMore = true
        while hasMore, first.count < Self.longestLook, !Self.isTelling(first) {
            hasMore = try input.read(1 << 20, into: &first)
        }
        bytesRead = first.count
        isAtEnd = !hasMore
        if first.starts(with: [0xEF, 0xBB, 0xBF]) { first.removeFirst(3) }
        if let refusal = Self.refusal(of: first, named: name, type: type) { throw .failed(refusal) }
        let start = first.first { $0 > 0x20 }
        isArray = start == UInt8(ascii: "[")
        chunker = isArray ? ArrayChunker() : LineChunker()
        block = first
        self.input = input
        self.name = name
    }

    /// How much has been read; nil where the whole is not known.
    var fraction: Double? {
        input.size.map { $0 == 0 ? 1 : Double(bytesRead) / Double($0) }
    }

    /// The next body; nil at the end.
    mutating func next() throws(CommandFailure) -> ImportChunk? {
        while true {
            do throws(CommandFailure) {
                if let chunk = try chunker.next(of: block, from: &place) { return chunk }
                if hasFinished { return nil }
                if isAtEnd {
                    hasFinished = true
                    return try chunker.finish()
                }
            } catch {
                let file = name == "-" ? "standard input" : name
                throw .failed("\(file), \(error.sentence)")
            }
            block.removeAll(keepingCapacity: true)
            place = 0
            isAtEnd = try !input.read(1 << 20, into: &block)
            bytesRead += block.count
        }
    }

    /// Whether the first line that has something on it is there.
    private static func isTelling(_ bytes: [UInt8]) -> Bool {
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }) else { return false }
        let first = bytes[start]
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            || bytes[start...].contains(0x0A)
    }

    /// Why a file that begins so cannot be imported, and what to do; nil where it may be.
    static func refusal(of first: [UInt8], named name: String, type: String?) -> String? {
        let typed = type.map { " \(ShellWord.quoted($0))" } ?? ""
        let file = name == "-" ? "FILE" : ShellWord.quoted(name)
        let place = name == "-" ? "standard input" : name
        if first.starts(with: [0x1F, 0x8B]) {
            return
                "\(place) is compressed; use: zcat \(file) | freshet import"
                + "\(typed) -"
        }
        guard let start = first.firstIndex(where: { $0 > 0x20 }),
            first[start] != UInt8(ascii: "{"), first[start] != UInt8(ascii: "[")
        else { return nil }
        let forms = "an import takes NDJSON (one object a line) or a JSON array of objects"
        if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) {
            return
                "\(place) is UTF-16, and \(forms) in UTF-8; use: iconv -f UTF-16 -t UTF-8"
                + " \(file) | freshet import\(typed) -"
        }
        let line = first[start...].prefix { $0 != 0x0A }
        guard let text = String(validating: line, as: UTF8.self),
            !line.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D })
        else { return "\(place) is no text, and \(forms)" }
        let separator = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].first { line.contains($0) }
        guard let separator else {
            return "\(place) begins with \"\(text.prefix(40))\", and \(forms)"
        }
        let delimiter =
            separator == UInt8(ascii: ",")
            ? "" : ",delimiter=\"\(separator == 0x09 ? "\\t" : ";")\""
        return "\(place) looks like CSV, and \(forms); make one of it, with a column \"id\" for"
            + " the identifiers: python3 -c 'import"
            + " csv,json; [print(json.dumps(row)) for row in"
            + " csv.DictReader(open(0,newline=\"\",encoding=\"utf-8-sig\")\(delimiter))]' <"
            + " \(file) | freshet import\(type == nil ? " TYPE" : typed) -"
    }
}
