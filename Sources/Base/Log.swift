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
    private let isJournal: Bool

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
        self.descriptor = descriptor
        threshold.set(level.rawValue)
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
        if lost > 0, !send(line(.warning, Self.gap, fields: ["lines": .integer(lost)])) {
            dropped.add(lost)
        }
        if !send(line(level, message, fields: fields)) { dropped.add() }
    }

    /// Writes `line` where that holds nobody up: whoever logs may be an event loop, and a pipe or a
    /// terminal may have a reader that has stopped. A line that cannot be written otherwise has nowhere
    /// else to go.
    ///
    /// - Returns: Whether there was room for it, its first 4 KiB at least.
    private func send(_ line: borrowing ByteBuffer) -> Bool {
        var rest = line.bytes[...]
        while !rest.isEmpty {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&ready, 1, 0) > 0 else { return rest.startIndex > 0 }
            // As much as a pipe that has room takes at once.
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(4_096))
            let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
            guard count > 0 else { return true }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func line(
        _ level: Level, _ message: StaticString, fields: Fields
    ) -> ByteBuffer {
        var line = ByteBuffer(capacity: 256)
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
        return line
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
