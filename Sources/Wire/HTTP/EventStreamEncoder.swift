import Glibc
package import FreshetBase

/// Frames of `text/event-stream` (WHATWG HTML 9.2), each ended by an empty line.
///
/// A CR or LF inside a field would end its line and let data forge fields and events, so names and ids
/// with control characters are not written, and data with CR or LF takes its whole frame
/// with it. Data is one line of canonical JSON, in which U+2028 and U+2029 are escaped already.
package enum EventStreamEncoder {
    /// Begins an event and leaves the buffer behind `data: `.
    ///
    /// - Parameters:
    ///   - event: The event's name.
    ///   - id: The resume position; empty for an event without one.
    /// - Returns: A mark for `close`; append one line of data before that.
    package static func open(
        event: StaticString, id: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
    ) -> Mark {
        let name = UnsafeRawBufferPointer(start: event.utf8Start, count: event.utf8CodeUnitCount)
        return open(event: name, id: id, into: &buffer)
    }

    /// The same with a name that is not a literal. A name with a control character is left out.
    package static func open(
        event: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
    ) -> Mark {
        let start = buffer.count
        field("event: ", event, into: &buffer)
        field("id: ", id, into: &buffer)
        buffer.append("data: ")
        return Mark(frame: start, data: buffer.count)
    }

    /// Where an open event began.
    package struct Mark: Sendable {
        let frame: Int
        let data: Int
    }

    /// Ends the event that `open` began.
    ///
    /// - Returns: False where the data has a CR or LF; the whole frame was taken away again then.
    @discardableResult
    package static func close(_ mark: Mark, in buffer: inout ByteBuffer) -> Bool {
        let data = buffer.bytes.part(mark.data..<buffer.count)
        assert(!hasLineSeparator(data), "event data is canonical JSON: U+2028, U+2029 are escaped")
        guard isOneLine(data) else {
            buffer.truncate(to: mark.frame)
            return false
        }
        buffer.append("\n\n")
        return true
    }

    /// A whole event.
    ///
    /// - Returns: False where the data has a CR or LF; nothing was written then.
    @discardableResult
    package static func event(
        _ event: StaticString, id: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer,
        into buffer: inout ByteBuffer
    ) -> Bool {
        let mark = open(event: event, id: id, into: &buffer)
        buffer.append(data)
        return close(mark, in: &buffer)
    }

    /// A comment that says nothing: the client passes over it.
    package static func comment(into buffer: inout ByteBuffer) { buffer.append(":\n\n") }

    /// A comment, and an id without data: dispatches nothing, yet moves the client's last event id.
    package static func heartbeat(id: UnsafeRawBufferPointer, into buffer: inout ByteBuffer) {
        buffer.append(": hb\n")
        field("id: ", id, into: &buffer)
        buffer.append("\n")
    }

    /// How long a client waits before it connects again, as a field of the event that follows: some
    /// clients hand a block without data out as an empty event.
    package static func retry(milliseconds: Int, into buffer: inout ByteBuffer) {
        buffer.append("retry: ")
        buffer.append(decimal: max(milliseconds, 0))
        buffer.append("\n")
    }

    private static func field(
        _ name: StaticString, _ value: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
    ) {
        guard !value.isEmpty, HeaderText.isSafeValue(value) else { return }
        buffer.append(name)
        buffer.append(value)
        buffer.append("\n")
    }

    private static func isOneLine(_ data: UnsafeRawBufferPointer) -> Bool {
        guard let base = data.baseAddress, !data.isEmpty else { return true }
        return memchr(base, 0x0a, data.count) == nil && memchr(base, 0x0d, data.count) == nil
    }

    private static func hasLineSeparator(_ data: UnsafeRawBufferPointer) -> Bool {
        guard data.count >= 3 else { return false }
        for index in 0..<data.count - 2
        where data[index] == 0xe2 && data[index + 1] == 0x80 && data[index + 2] & 0xfe == 0xa8 {
            return true
        }
        return false
    }
}
