import FreshetBase
import Glibc

/// Reads `text/event-stream` (WHATWG HTML 9.2.6) however its bytes are cut.
///
/// The reader's half of `EventStreamEncoder`: lines end in LF, CR or CRLF; comments are dropped; an
/// event without data is not told, but its id counts. What is kept is one event that has begun, at
/// most `limit` bytes. Lines that are whole in the given bytes are read where they stand; only one
/// that is cut is copied.
package struct EventStreamParser: ~Copyable {
    /// One event that has data.
    package struct Event: Equatable, Sendable {
        /// `message` where the stream names none.
        package var name: String
        /// Data lines, joined by line feeds.
        package var data: [UInt8]
        /// The last id of the stream so far, this event's own included; empty before the first.
        package var lastID: String

        package init(name: String, data: [UInt8], lastID: String) {
            self.name = name
            self.data = data
            self.lastID = lastID
        }
    }

    package enum Fault: Error, Equatable {
        /// An event has more bytes than the limit.
        case tooLarge
    }

    /// The last id of an event that was whole: what `Last-Event-ID` says on the next connection.
    package private(set) var lastID: String
    /// How long to wait before connecting again, where the stream said so; milliseconds.
    package private(set) var retry: Int?

    private let limit: Int
    /// The beginning of a line whose end has not come.
    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// The last id that was read; of account once its event is whole.
    private var readID: String
    private var endedInCarriageReturn = false
    private var isFirstLine = true

    /// - Parameters:
    ///   - lastID: Of the connection before this one.
    ///   - limit: Bytes of one event at most.
    package init(lastID: String = "", limit: Int = 64 << 20) {
        self.lastID = lastID
        readID = lastID
        self.limit = limit
    }

    /// Takes the next bytes and hands out the events that they end.
    ///
    /// - Throws: `.tooLarge`; the parser is of no use afterwards.
    /// - Complexity: O(bytes), over all calls.
    package mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ body: (Event) -> Void
    ) throws(Fault) {
        var start = 0
        if endedInCarriageReturn, let first = bytes.first {
            endedInCarriageReturn = false
            // The second half of CRLF, whose first has ended the line.
            if first == 0x0A { start = 1 }
        }
        while start < bytes.count {
            guard let end = Self.endOfLine(in: bytes, from: start) else {
                guard hasRoom(for: bytes.count - start) else { throw .tooLarge }
                line += bytes[start...]
                return
            }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            guard hasRoom(for: rest.count) else { throw .tooLarge }
            if line.isEmpty {
                endLine(rest, body)
            } else {
                line += rest
                // Out of `self` while it is read.
                let whole = line
                line = []
                whole.withUnsafeBytes { endLine($0, body) }
            }
            start = end + 1
            guard bytes[end] == 0x0D else { continue }
            if start == bytes.count {
                endedInCarriageReturn = true
            } else if bytes[start] == 0x0A {
                start += 1
            }
        }
    }

    /// The place of the next LF or CR.
    private static func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let begin = base + start
        let feed = memchr(begin, 0x0A, bytes.count - start).map { UnsafeRawPointer($0) }
        let count = feed.map { $0 - begin } ?? bytes.count - start
        let end = memchr(begin, 0x0D, count).map { UnsafeRawPointer($0) } ?? feed
        return end.map { $0 - base }
    }

    private func hasRoom(for count: Int) -> Bool {
        count <= limit - line.count - data.count
    }

    private mutating func endLine(_ line: UnsafeRawBufferPointer, _ body: (Event) -> Void) {
        var line = line
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = .init(rebasing: line[3...]) }
        }
        guard let base = line.baseAddress, !line.isEmpty else { return dispatch(body) }
        let colon = memchr(base, 0x3A, line.count).map { UnsafeRawPointer($0) - base } ?? line.count
        let field = UnsafeRawBufferPointer(rebasing: line[..<colon])
        var value = UnsafeRawBufferPointer(rebasing: line[min(colon + 1, line.count)...])
        if value.first == 0x20 { value = .init(rebasing: value[1...]) }
        if Self.isField(field, "data") {
            if hasData { data.append(0x0A) }
            hasData = true
            data += value
        } else if Self.isField(field, "event") {
            name = String(decoding: value, as: UTF8.self)
        } else if Self.isField(field, "id") {
            if !value.contains(0) { readID = String(decoding: value, as: UTF8.self) }
        } else if Self.isField(field, "retry") {
            if let time = Decimal.parse(value), time <= UInt64(Int.max) { retry = Int(time) }
        }
    }

    private static func isField(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount, let base = bytes.baseAddress else {
            return false
        }
        return memcmp(base, name.utf8Start, bytes.count) == 0
    }

    private mutating func dispatch(_ body: (Event) -> Void) {
        lastID = readID
        guard hasData else {
            name = ""
            return
        }
        let event = Event(name: name.isEmpty ? "message" : name, data: data, lastID: lastID)
        name = ""
        data = []
        hasData = false
        body(event)
    }
}
