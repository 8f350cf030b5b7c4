import Glibc

/// Writes log lines to standard error, one `write` call a line, as text or as JSON objects.
///
/// Values are escaped, so that no input can forge a line. Entity values are never passed here.
package final class Log: Sendable {
    package enum Level: Int, Comparable, Sendable, CaseIterable {
        case debug, info, warning, error

        package static func < (left: Level, right: Level) -> Bool {
            left.rawValue < right.rawValue
        }

        /// What syslog(3) calls it.
        fileprivate var priority: Int {
            switch self {
            case .debug: 7
            case .info: 6
            case .warning: 4
            case .error: 3
            }
        }

        /// The spelling of `--log-level`.
        package var name: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }

        package init?(name: String) {
            guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = level
        }
    }

    package enum Format: String, Sendable {
        case text, json
    }

    package enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case string(String)
        case integer(Int)
        /// The line is written without the field.
        case absent

        package init(stringLiteral value: String) { self = .string(value) }
        package init(integerLiteral value: Int) { self = .integer(value) }

        fileprivate var isAbsent: Bool {
            if case .absent = self { true } else { false }
        }
    }

    package typealias Fields = KeyValuePairs<StaticString, Value>

    /// Lines below it are dropped. May change while others write.
    package var level: Level {
        get { Level(rawValue: threshold.value) ?? .info }
        set { threshold.set(newValue.rawValue) }
    }
    private let threshold = Counter()
    private static let gap: StaticString = "lines of the log were dropped, since it was not read"
    /// Lines that found no room, and that no later line has told of yet.
    private let dropped = Counter()
    package let format: Format
    private let descriptor: CInt
    private let isOwn: Bool
    /// How a line is written without waiting for who reads it.
    private let way: Way
    private let lock = Lock()
    /// The rest of a line of which there was room for a part alone.
    // SAFETY: touched under `lock` alone.
    nonisolated(unsafe) private var rest: [UInt8] = []
    private let isJournal: Bool

    private enum Way {
        /// A file, or a stream of its own that does not wait.
        case write
        /// A socket, as of systemd's journal.
        case send
        /// A stream that waits and cannot be opened anew: where it has room now, most lines fit.
        case poll
    }

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - descriptor: Where lines go; standard error unless a test reads them.
    ///   - isJournal: Whether lines of text begin as systemd's journal takes them: with the level as
    ///     a number (sd-daemon(3)), and without the time, which the journal knows.
    package init(
        level: Level = .info, format: Format = .text, descriptor: CInt = STDERR_FILENO,
        isJournal: Bool = false
    ) {
        self.format = format
        self.isJournal = isJournal
        (self.descriptor, way) = Self.opened(descriptor)
        isOwn = self.descriptor != descriptor
        threshold.set(level.rawValue)
    }

    deinit {
        if isOwn { close(descriptor) }
    }

    /// A pipe or a terminal opened once more, so that it does not wait here and does as it did for all
    /// others; else what was given.
    private static func opened(_ given: CInt) -> (CInt, Way) {
        var status = stat()
        guard fstat(given, &status) == 0 else { return (given, .write) }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: return (given, .send)
        case S_IFIFO, S_IFCHR:
            let path = "/proc/self/fd/\(given)"
            let own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_APPEND | O_CLOEXEC)
            return own >= 0 ? (own, .write) : (given, .poll)
        default: return (given, .write)
        }
    }

    /// Whether standard error is the stream that `JOURNAL_STREAM` names, as `device:inode`.
    package static func isJournal(_ stream: String?) -> Bool {
        var status = stat()
        guard let stream, fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    package func debug(_ message: StaticString, _ fields: Fields = [:]) {
        write(.debug, message, fields)
    }

    package func info(_ message: StaticString, _ fields: Fields = [:]) {
        write(.info, message, fields)
    }

    package func warning(_ message: StaticString, _ fields: Fields = [:]) {
        write(.warning, message, fields)
    }

    package func error(_ message: StaticString, _ fields: Fields = [:]) {
        write(.error, message, fields)
    }

    private func write(_ level: Level, _ message: StaticString, _ fields: Fields) {
        guard level >= self.level else { return }
        let lost = dropped.value > 0 ? dropped.reset() : 0
        var text = ByteBuffer(capacity: 256)
        // With the line behind the gap, so that it is not told of where that finds no room.
        if lost > 0 { append(.warning, Self.gap, fields: ["lines": .integer(lost)], to: &text) }
        append(level, message, fields: fields, to: &text)
        if !send(text) { dropped.add(lost + 1) }
    }

    /// Writes `line` where that holds nobody up: whoever logs may be an event loop, and a pipe or a
    /// terminal may have a reader that has stopped. A line that cannot be written otherwise has nowhere
    /// else to go.
    ///
    /// - Returns: Whether there was room for it, or for its beginning: the rest goes before the next one.
    private func send(_ line: borrowing ByteBuffer) -> Bool {
        lock.withLock {
            if way == .poll {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&ready, 1, 0) > 0 else { return false }
            }
            if !rest.isEmpty {
                let count = rest.withUnsafeBytes { put($0) }
                rest.removeFirst(count)
                guard rest.isEmpty else { return false }
            }
            let count = put(line.bytes)
            if count > 0 { rest = Array(line.bytes.dropFirst(count)) }
            return count > 0
        }
    }

    /// - Returns: How much was taken, 0 where there is no room now; all where there never will be.
    private func put(_ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            let count =
                way == .send
                ? Glibc.send(
                    descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
                : Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN, ENOBUFS: return 0
            default: return bytes.count
            }
        }
    }

    private func append(
        _ level: Level, _ message: StaticString, fields: Fields, to line: inout ByteBuffer
    ) {
        switch format {
        case .text:
            if isJournal {
                line.append(text: "<\(level.priority)>")
            } else {
                line.append(text: "\(WallTime.now.rfc3339) \(level.name) ")
            }
            line.append(message)
            for (name, value) in fields where !value.isAbsent {
                line.append(" ")
                line.append(name)
                line.append("=")
                append(value, to: &line)
            }
        case .json:
            line.append(text: "{\"time\":\"\(WallTime.now.rfc3339)\",\"level\":\"\(level.name)\"")
            line.append(",\"message\":\"")
            line.append(message)
            line.append("\"")
            for (name, value) in fields where !value.isAbsent {
                line.append(",\"")
                line.append(name)
                line.append("\":")
                append(value, to: &line)
            }
            line.append("}")
        }
        line.append("\n")
    }

    private func append(_ value: Value, to line: inout ByteBuffer) {
        switch value {
        case .absent: break
        case .integer(let number): line.append(decimal: number)
        case .string(let text):
            let plain = text.unicodeScalars.allSatisfy { $0.isPlainInLog && $0 != " " }
            if format == .text && plain && !text.isEmpty {
                line.append(text: text)
                return
            }
            line.append("\"")
            for scalar in text.unicodeScalars {
                if scalar.isPlainInLog {
                    line.append(text: String(scalar))
                } else {
                    // All that is not plain lies in the basic plane: controls, quote, backslash,
                    // the two separators.
                    line.append("\\u")
                    line.append(text: scalar.value.padded(to: 4, radix: 16))
                }
            }
            line.append("\"")
        }
    }
}

extension Unicode.Scalar {
    /// Neither a control character nor one that could end a line or a quoted value.
    fileprivate var isPlainInLog: Bool {
        switch value {
        case 0..<0x20, 0x22, 0x5C, 0x7F..<0xA0, 0x2028, 0x2029: false
        default: true
        }
    }
}
