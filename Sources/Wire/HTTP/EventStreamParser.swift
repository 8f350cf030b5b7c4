import FreshetBase

/// Reads `text/event-stream` (WHATWG HTML 9.2.6) however its bytes are cut.
///
/// The reader's half of `EventStreamEncoder`: lines end in LF, CR or CRLF; comments are dropped; an
/// event without data is not told, but its id counts. What is kept is one event that has begun, at
/// most `limit` bytes.
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
    package mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ body: (Event) -> Void
    ) throws(Fault) {
        var start = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x0A, endedInCarriageReturn {
                // The second half of CRLF, whose first has ended the line.
                endedInCarriageReturn = false
                index += 1
                start = index
                continue
            }
            endedInCarriageReturn = byte == 0x0D
            if byte == 0x0A || byte == 0x0D {
                line += bytes[start..<index]
                endLine(body)
                start = index + 1
            }
            index += 1
        }
        line += bytes[start...]
        guard line.count + data.count <= limit else { throw .tooLarge }
    }

    private mutating func endLine(_ body: (Event) -> Void) {
        defer { line.removeAll(keepingCapacity: line.capacity <= 1 << 16) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return dispatch(body) }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event":
            name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(0x0A) }
            hasData = true
            data += value
        case "id":
            if !value.contains(0) { readID = String(decoding: value, as: UTF8.self) }
        case "retry":
            let time = value.withUnsafeBytes { Decimal.parse($0) }
            if let time, time <= UInt64(Int.max) { retry = Int(time) }
        default:
            break
        }
    }

    private mutating func dispatch(_ body: (Event) -> Void) {
        defer {
            name = ""
            data = []
            hasData = false
        }
        lastID = readID
        guard hasData else { return }
        body(Event(name: name.isEmpty ? "message" : name, data: data, lastID: lastID))
    }
}
