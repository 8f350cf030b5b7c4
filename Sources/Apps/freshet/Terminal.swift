import FreshetBase
import FreshetJSON
import FreshetStore
import Glibc

/// The three standard streams, as far as commands write to them.
enum Terminal {
    /// Takes the numbers of the standard streams that the program was started without
    /// (`freshet serve 2>&-`): the next file or socket would have one of them, and lines of the log
    /// would go there. What takes them can neither be read nor written, as what is closed.
    static func holdStreams() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether escapes for colour and weight are welcome on standard error.
    static var errorHasColour: Bool {
        errorIsTerminal && (Environment.value("NO_COLOR") ?? "").isEmpty && !isDumb
    }

    /// Whether escapes for weight are welcome on standard output.
    static var outputHasWeight: Bool {
        outputIsTerminal && (Environment.value("NO_COLOR") ?? "").isEmpty && !isDumb
    }

    /// Whether the terminal knows no escapes at all.
    static var isDumb: Bool { Environment.value("TERM") == "dumb" }

    /// Columns of the terminal on standard error or output; 80 where it does not say.
    static var width: Int { size(\.ws_col) ?? 80 }

    /// Lines of that terminal; 24 where it does not say.
    static var height: Int { size(\.ws_row) ?? 24 }

    private static func size(_ member: KeyPath<winsize, UInt16>) -> Int? {
        var size = winsize()
        for descriptor in [STDERR_FILENO, STDOUT_FILENO]
        where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size[keyPath: member] > 0 {
            return Int(size[keyPath: member])
        }
        return nil
    }

    /// Writes to standard output.
    ///
    /// - Throws: `.readerLeft` where its reader is gone; where a disk is full, what to do.
    static func print(_ text: String) throws(CommandFailure) {
        try write(Array(text.utf8))
    }

    /// Writes bytes to standard output, as `print` does text.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard writeAll(bytes, to: STDOUT_FILENO) else { throw unwritten() }
    }

    static func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
        guard writeAll(bytes, to: STDOUT_FILENO) else { throw unwritten() }
    }

    /// Writes JSON that a server has told, as it came; on a terminal with escapes in the place of what would
    /// steer that, which is the same JSON.
    static func write(json bytes: [UInt8]) throws(CommandFailure) {
        guard outputIsTerminal else { return try write(bytes) }
        try print(unsteering(String(decoding: bytes, as: UTF8.self)))
    }

    /// `text` with JSON's escapes in the place of characters that steer a terminal or turn a line around.
    static func unsteering(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if isSteering(scalar), scalar != "\t" {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func unwritten() -> CommandFailure {
        errno == EPIPE
            ? .readerLeft
            : .failed("standard output cannot be written: \(String(cString: strerror(errno)))")
    }

    /// Whether standard output is a pipe that nobody reads any more.
    static var readerHasLeft: Bool {
        var state = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLERR | POLLHUP) != 0
    }

    /// What a command has done: a sentence, or with `--json` one JSON object on a line.
    static func report(
        _ arguments: ParsedArguments, _ result: JSONValue, _ sentence: @autoclosure () -> String
    ) throws(CommandFailure) {
        if arguments.has("json") {
            try write(json: Array((result.text + "\n").utf8))
        } else {
            try print(printable(sentence()) + "\n")
        }
    }

    /// What a server has told, as commands that ask one show it: a sentence or table on a terminal, and
    /// JSON with `--json` or in a pipe.
    static func answer(
        _ arguments: ParsedArguments, _ result: JSONValue, _ text: @autoclosure () -> String
    ) throws(CommandFailure) {
        if outputIsTerminal && !arguments.has("json") {
            try print(printable(text()) + "\n")
        } else {
            try write(json: Array((result.text + "\n").utf8))
        }
    }

    /// Writes one sentence about a failure to standard error.
    static func complain(_ sentence: String) {
        let prefix = errorHasColour ? "\u{1B}[31mfreshet:\u{1B}[0m " : "freshet: "
        _ = writeAll(Array((prefix + printable(sentence) + "\n").utf8), to: STDERR_FILENO)
    }

    static func note(_ text: String) {
        _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
    }

    /// `text` with control characters (a server's words, a file's name) made visible, and those that
    /// turn a line's direction around; line feeds stay.
    static func printable(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if isSteering(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// `text` as `printable` shows it, in one line: a line feed in a name forges no line of a table.
    static func line(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            return printable(text)
        }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return printable(result)
    }

    /// - Returns: false where the stream took less than everything.
    static func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    }

    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                // Whoever gave the stream has it without waiting; then it is waited for here.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if errno == EAGAIN, poll(&ready, 1, -1) >= 0 || errno == EINTR { continue }
                return false
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        }
        return true
    }
}

/// A line on a terminal's standard error that shows how far something is; silent elsewhere.
struct Progress {
    private let title: String
    private let isShown: Bool
    /// Whether what was shown before is taken away by spaces.
    private let isDumb: Bool
    private var shownAt: MonotonicInstant?
    /// Columns of what was shown last.
    private var shownColumns = 0

    init(_ title: String) {
        self.title = title
        isShown = Terminal.errorIsTerminal
        isDumb = Terminal.isDumb
    }

    /// Draws anew, at most ten times a second.
    ///
    /// - Parameter fraction: 0...1, or nil where the whole is not known.
    mutating func update(fraction: Double?, count: Int, of noun: String = "entities") {
        update(fraction: fraction, "\(Self.grouped(count)) \(noun)")
    }

    mutating func update(fraction: Double?, _ text: @autoclosure () -> String) {
        guard isShown else { return }
        let now = MonotonicInstant.now
        if let shownAt, now - shownAt < .milliseconds(100) { return }
        shownAt = now
        let line = Self.line(title, fraction: fraction, text())
        Terminal.note(cleared + line)
        shownColumns = TextWidth.columns(line)
    }

    /// What takes the line away and leads to its beginning.
    private var cleared: String {
        isDumb ? "\r" + String(repeating: " ", count: shownColumns) + "\r" : "\r\u{1B}[K"
    }

    /// Takes the line away.
    mutating func finish() {
        guard isShown, shownAt != nil else { return }
        Terminal.note(cleared)
        shownAt = nil
        shownColumns = 0
    }

    /// Runs `work`, which reads a store, with a line that shows how far it is.
    static func ofStore<Value>(
        _ title: String,
        _ work: (_ report: (RecoveryProgress) -> Void) throws(StoreError) -> Value
    ) throws(CommandFailure) -> Value {
        var bar = Progress(title)
        defer { bar.finish() }
        do throws(StoreError) {
            return try work { progress in
                let whole = max(1, progress.bytesTotal)
                bar.update(
                    fraction: Double(progress.bytesRead) / Double(whole), counted(progress))
            }
        } catch {
            throw .failed(error.description)
        }
    }

    /// What has been read of what: bytes of files, and what they held as far as that is counted.
    static func counted(_ progress: RecoveryProgress) -> String {
        let done = "\(size(progress.bytesRead)) of \(size(progress.bytesTotal))"
        return switch progress.phase {
        case .backup: done
        case .snapshot: "\(done) of the snapshot"
        case .log: "\(done) of the log, \(Count.text(progress.commits, "commit", "commits"))"
        case .segments:
            "\(progress.bytesRead) of \(Count.text(progress.bytesTotal, "file", "files"))"
        case .indexes:
            "\(progress.bytesRead) of \(Count.text(progress.bytesTotal, "index", "indexes"))"
        }
    }

    /// `640 KiB`, `12.3 MiB`
    static func size(_ bytes: Int) -> String {
        if bytes < 1 << 10 { return "\(bytes) B" }
        if bytes < 1 << 20 { return "\(bytes >> 10) KiB" }
        let (unit, shift) = bytes < 1 << 30 ? ("MiB", 20) : ("GiB", 30)
        let (whole, rest) = (bytes >> shift, bytes & (1 << shift - 1))
        let tenths = (rest * 10) >> shift
        return "\(grouped(whole)).\(tenths) \(unit)"
    }

    static func line(_ title: String, fraction: Double?, _ count: String) -> String {
        guard let fraction else { return "\(title)  \(count)" }
        let width = 30
        let filled = min(width, max(0, Int(fraction * Double(width))))
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let percent = min(100, max(0, Int(fraction * 100)))
        return "\(title)  \(bar)  \(percent) %  \(count)"
    }

    /// `63,666`
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }
}
