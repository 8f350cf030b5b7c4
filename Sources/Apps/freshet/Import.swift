import FreshetBase
import FreshetJSON
import FreshetStore
import Glibc

/// Bytes of a file or of standard input.
struct InputFile: ~Copyable {
    private let descriptor: CInt
    private let name: String
    /// Bytes of the whole, where it is a plain file.
    let size: Int?

    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - form: How the command is called where `path` may be another word of it.
    init(_ path: String, form: String? = nil) throws(CommandFailure) {
        if path == "-" {
            descriptor = STDIN_FILENO
            name = "standard input"
        } else {
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            name = path
            guard descriptor >= 0 else {
                let isAbsent = errno == ENOENT
                throw .failed(
                    "\(path) cannot be read: \(String(cString: strerror(errno)))"
                        + (isAbsent ? form.map { "; the form is: \($0)" } ?? "" : ""))
            }
        }
        var status = stat()
        let isPlain = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isPlain ? Int(status.st_size) : nil
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// Appends up to `count` more bytes to `bytes`.
    ///
    /// - Returns: false at the end.
    func read(_ count: Int, into bytes: inout [UInt8]) throws(CommandFailure) -> Bool {
        var result = 0
        let part = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            repeat {
                result = Glibc.read(descriptor, buffer.baseAddress, count)
            } while result < 0 && errno == EINTR
            used = max(0, result)
        }
        guard result >= 0 else {
            throw .failed("\(name) cannot be read: \(String(cString: strerror(errno)))")
        }
        bytes += part
        return result > 0
    }

    /// - Parameter limit: Most bytes.
    static func whole(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        let input = try InputFile(path)
        var bytes: [UInt8] = []
        while try input.read(1 << 16, into: &bytes) {
            guard bytes.count <= limit else {
                throw .failed("\(input.name) has more than \(Progress.size(limit))")
            }
        }
        return bytes
    }
}

/// `freshet import [TYPE] FILE|-`: bodies of whole lines, the next being read while one is on its way.
/// They go to `_import`, which takes whatever was exported; of one type, and by a caller who may
/// write it but not import, to `_set`.
///
/// One behind the other, so that the order of the file is the order of the commits: where an id stands
/// twice, the later line holds.
enum ImportCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let type = arguments.positionals.count == 2 ? arguments.positionals[0] : nil
        let file = arguments.positionals[arguments.positionals.count - 1]
        let input = try InputFile(file, form: Command.named("import")?.form)
        let client = try ServerConnection.client(arguments)
        var reader = try ImportReader(input, name: file, type: type)
        let isVerbatim = arguments.has("verbatim")
        let set = isVerbatim ? nil : type.map { "/v1/\(PercentEncoding.segment($0))/_set" }
        let path = path(type, isVerbatim: isVerbatim)
        if client.printsOnly {
            try client.show(
                "POST", path, headers: Self.headers,
                body: reader.isArray ? .elements(ofFile: file) : .file(file))
            return .done
        }
        var session = ImportSession(client: client, path: path, without: set, file: file)
        var progress = Progress("importing")
        defer { progress.finish() }
        var isFirst = true
        while let chunk = try next(of: &reader, in: &session, &progress) {
            if isFirst { try checkForm(chunk, of: file, type: type, isVerbatim: isVerbatim) }
            isFirst = false
            try session.send(chunk, &progress)
            progress.update(fraction: reader.fraction, count: session.count)
        }
        try session.receive(&progress)
        progress.finish()
        try Terminal.report(
            arguments, ["count": .count(session.count), "changed": .count(session.changed)],
            "imported \(Count.text(session.count, "entity", "entities"))"
                + " (\(session.changed) changed)")
        return .done
    }

    /// What the file has next; where it is not to be read, an earlier part's refusal is told first.
    private static func next(
        of reader: inout ImportReader, in session: inout ImportSession, _ progress: inout Progress
    ) throws(CommandFailure) -> ImportChunk? {
        do throws(CommandFailure) { return try reader.next() } catch {
            try session.receive(&progress)
            throw .failed("\(error.sentence); \(imported(session.count))")
        }
    }

    /// The sum, or the largest number in place of an overflow.
    private static func sum(_ count: Int, _ more: Int) -> Int {
        Int(Int64(count).addingSaturated(Int64(more)))
    }

    private static func imported(_ count: Int) -> String {
        let entities = Count.text(count, "entity was", "entities were")
        return count == 0 ? "nothing was imported" : "\(entities) imported"
    }

    /// Tells from the first line when the type is missing, or one is given for lines that have theirs.
    private static func checkForm(
        _ chunk: ImportChunk, of file: String, type: String?, isVerbatim: Bool
    ) throws(CommandFailure) {
        // What is no object, or has members beside both, is for the server to refuse, with its place.
        guard let line = try? JSONValue.parse(Array(chunk.body.prefix { $0 != 0x0A })),
            let members = line.objectValue
        else { return }
        let (names, wrapping) = (Set(members.map(\.name)), Set(["type", "entity"]))
        let isWrapped = names == wrapping && line["entity"]?.objectValue != nil
        let isInOrder = type == nil ? isWrapped || names.isSuperset(of: wrapping) : !isWrapped
        guard !isInOrder else { return }
        let place = file == "-" ? "standard input" : file
        let call = "freshet import\(isVerbatim ? " --verbatim" : "")"
        let word = ShellWord.quoted(file)
        throw .usage(
            type == nil
                ? "the lines of \(place) name no type; give theirs: \(call) TYPE \(word)"
                : "the lines of \(place) name their types; leave yours out: \(call) \(word)")
    }

    private static let headers = [(name: "Content-Type", value: "application/x-ndjson")]

    private static func path(_ type: String?, isVerbatim: Bool) -> String {
        let parameters = [
            type.map { "type=\(PercentEncoding.segment($0))" }, isVerbatim ? "verbatim=true" : nil,
        ].compactMap { $0 }
        return "/v1/_import" + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    /// The request on its way, and what the answers said.
    private struct ImportSession {
        let client: ServerClient
        /// The path that bodies go to.
        private var path: String
        /// The path that they go to where the first answer is that the caller may not import.
        private var pathWithoutRight: String?
        let file: String
        /// The request that has no answer yet.
        private var waiting: ImportChunk?
        var count = 0
        var changed = 0

        init(client: ServerClient, path: String, without: String?, file: String) {
            self.client = client
            self.path = path
            pathWithoutRight = without
            self.file = file
        }

        mutating func send(
            _ chunk: ImportChunk, _ progress: inout Progress
        ) throws(CommandFailure) {
            try receive(&progress)
            try client.send("POST", path, headers: ImportCommand.headers, body: chunk.body)
            waiting = chunk
        }

        /// Takes the answer to the request on its way, if there is one.
        mutating func receive(_ progress: inout Progress) throws(CommandFailure) {
            guard let chunk = waiting else { return }
            waiting = nil
            let (head, body) = try answer(to: chunk.lines)
            if [401, 403].contains(head.status), let other = pathWithoutRight {
                path = other
                pathWithoutRight = nil
                try send(chunk, &progress)
                return try receive(&progress)
            }
            pathWithoutRight = nil
            let lines = chunk.lines
            guard (200..<300).contains(head.status) else {
                progress.finish()
                throw refused(lines, status: head.status, body: body)
            }
            guard let counts = ImportCommand.counts(ofAnswer: body) else {
                progress.finish()
                throw ServerConnection.strange(client, "how many entities it took")
            }
            count = ImportCommand.sum(count, counts.count)
            changed = ImportCommand.sum(changed, counts.changed)
        }

        /// The answer to a body of these lines; where it is lost, what is known of them is told.
        private func answer(
            to lines: [Int]
        ) throws(CommandFailure) -> (head: ResponseHead, body: [UInt8]) {
            do throws(CommandFailure) { return try client.receive() } catch {
                guard error.mayHaveActed else { throw error }
                var sentence = "\(error.sentence); \(ImportCommand.imported(count)) before"
                if let first = lines.first, let last = lines.last {
                    sentence += ", and lines \(first) to \(last) may or may not be"
                }
                throw CommandFailure(exit: error.exit, sentence: sentence)
            }
        }

        /// The sentence for a refused body, with the line in the file where one can be told.
        private func refused(
            _ lines: [Int], status: Int, body: [UInt8]
        ) -> CommandFailure {
            var place = file == "-" ? "standard input" : file
            if let line = ImportCommand.line(ofProblem: body, in: lines) {
                place += ":\(line)"
            } else if let first = lines.first, let last = lines.last {
                place += ", lines \(first) to \(last)"
            }
            var sentence = ServerConnection.sentence(status: status, body: body)
            // The file's line stands before it; this one is the request's.
            if place.contains(":"), sentence.hasPrefix("line "),
                let end = sentence.firstRange(of: ": ")
            {
                sentence.removeSubrange(..<end.upperBound)
            }
            let done = ImportCommand.sum(count, ImportCommand.count(ofProblem: body))
            return .failed("\(place): \(sentence); \(ImportCommand.imported(done))")
        }
    }

    /// How many entities of a refused body were imported before the fault.
    private static func count(ofProblem body: [UInt8]) -> Int {
        // What is no problem document counts nothing.
        (try? JSONValue.parse(body))?["imported"]?.int64Value.map { Int($0) } ?? 0
    }

    /// What the `meta` of an answer counts; the items before it are passed over, not read.
    static func counts(ofAnswer body: [UInt8]) -> (count: Int, changed: Int)? {
        body.withUnsafeBytes { bytes in
            var scanner = JSONScanner(depthLimit: JSONScanner.frameDepth)
            // What is no JSON, or has no such counts, counts nothing.
            guard (try? scanner.scan(bytes)) != nil,
                let meta = scanner.members.last(where: {
                    bytes[Int($0.nameStart)..<Int($0.nameEnd)].elementsEqual("meta".utf8)
                })
            else { return nil }
            let text = bytes[Int(meta.valueStart)..<Int(meta.valueEnd)]
            guard let value = try? JSONValue.parse(UnsafeRawBufferPointer(rebasing: text)),
                let count = value["count"]?.int64Value,
                let changed = value["changed"]?.int64Value
            else { return nil }
            return (Int(count), Int(changed))
        }
    }

    /// The line of the file that a problem's first error names: by `line`, counted from 1 in the
    /// body, or by a pointer whose first token is the entity's index.
    static func line(ofProblem body: [UInt8], in lines: [Int]) -> Int? {
        // What is no problem document names no line.
        guard let problem = try? JSONValue.parse(body),
            let fault = problem["errors"]?.arrayValue?.first
        else { return nil }
        var index: Int?
        if let line = fault["line"]?.int64Value, line > 0 { index = Int(line) - 1 }
        if index == nil, let pointer = fault["pointer"]?.stringValue {
            index = pointer.split(separator: "/").first.flatMap { Int($0) }
        }
        guard let index, lines.indices.contains(index) else { return nil }
        return lines[index]
    }
}
