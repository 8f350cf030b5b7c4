import FreshetBase

/// `freshet export [TYPE]`: streams `GET /v1/_export` to standard output.
///
/// Without a type the lines are `{"type","entity"}`, as `import FILE` takes them; with a type they
/// are the entities alone, as `import TYPE FILE` takes them. Both are JSON with and without
/// `--json`.
enum ExportCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let client = try ServerConnection.client(arguments)
        let type = arguments.positionals.first
        let query = type.map { "?type=\(PercentEncoding.segment($0))" } ?? ""
        try client.send("GET", "/v1/_export\(query)")
        var refusal: [UInt8] = []
        var lines = ExportLines(type: type)
        var progress = Progress("exporting")
        // Lines over a bar on the same terminal would be unreadable.
        let showsProgress = !Terminal.outputIsTerminal
        let head = try client.receive { head, bytes throws(CommandFailure) in
            guard head.status == 200 else {
                refusal += bytes
                return
            }
            do throws(CommandFailure) {
                try Terminal.write(json: lines.take(bytes))
            } catch {
                progress.finish()
                throw error
            }
            if showsProgress { progress.update(fraction: nil, count: lines.count) }
        }
        progress.finish()
        guard head.status == 200 else {
            throw .refused(status: head.status, body: refusal)
        }
        guard lines.isComplete else {
            throw .failed("the export ended in the middle of a line; run it again")
        }
        if lines.count == 0 {
            let kind = type.map { " of type '\(Terminal.line($0))'" } ?? ""
            Terminal.note("no entity\(kind) is stored\n")
        }
        return .done
    }
}

/// Counts lines and, for one type, takes the wrapping of each away.
struct ExportLines {
    private let front: [UInt8]?
    private var partial: [UInt8] = []
    private(set) var count = 0

    /// - Parameter type: nil leaves the lines as they are.
    init(type: String?) {
        front = type.map { Array("{\"type\":\"\($0)\",\"entity\":".utf8) }
    }

    /// Whether the last line has its end.
    var isComplete: Bool { partial.isEmpty }

    /// What to write for the next bytes of the stream.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var start = 0
        for index in bytes.indices where bytes[index] == 0x0A {
            partial += bytes[start..<index]
            start = index + 1
            output += unwrapped(partial)
            output.append(0x0A)
            partial.removeAll(keepingCapacity: true)
            count += 1
        }
        partial += bytes[start...]
        return output
    }

    private func unwrapped(_ line: [UInt8]) -> ArraySlice<UInt8> {
        guard let front, line.starts(with: front), line.last == UInt8(ascii: "}") else {
            return line[...]
        }
        return line[front.count..<line.count - 1]
    }
}
