import Glibc
package import FreshetBase

/// Writes one response into a buffer: a head, and the frame of its body.
///
/// Use: `init`, `header…`, one of the four `endHead…`, the body, and `finishBody` where the head was
/// ended by `endHeadForBody`. The buffer may hold earlier responses; nothing may be taken from its
/// front between `init` and the end. The order of headers is that of the calls.
///
/// A header value can come from outside (an id in `Location`, a request id). One with CR, LF, NUL or
/// another control character is not written at all and the call says so: the answer then lacks one
/// header, but can never be split into two answers.
package struct ResponseEncoder: Sendable {
    /// True where no body may follow, whatever is known of its length: HEAD, 204, 304.
    package let suppressesBody: Bool
    /// Whether the body must be written in chunks; after `endHeadForChunks`.
    package private(set) var isChunked = false
    /// Whether the connection has to be closed behind this response.
    package private(set) var closesConnection: Bool
    /// Where the body begins in the buffer; after `endHead…`.
    package private(set) var bodyStart = 0

    private let allowsLength: Bool
    private let minorVersion: UInt8
    /// Where the digits of Content-Length begin, or -1.
    private var lengthPlace = -1
    /// Digits of Content-Length: those expected by `endHeadForBody`, then those written.
    package private(set) var lengthDigits = 0

    /// Writes the status line, `Date`, the security headers of every answer, and `Connection` where
    /// the connection's fate is not the version's default.
    ///
    /// - Parameters:
    ///   - isHead: Whether the request's method is HEAD.
    ///   - minorVersion: The request's, 1 or 0.
    ///   - keepAlive: Whether the connection goes on behind this response.
    package init(
        _ status: Status, date: HTTPDate, isHead: Bool, minorVersion: UInt8, keepAlive: Bool,
        into buffer: inout ByteBuffer
    ) {
        allowsLength = status.allowsBody
        suppressesBody = isHead || !status.allowsBody
        closesConnection = !keepAlive
        self.minorVersion = minorVersion
        // Room for a usual head, so that the appends below find it.
        _ = buffer.reserve(384)
        if status == .ok {
            buffer.append("HTTP/1.1 200 OK\r\nDate: ")
        } else {
            buffer.append("HTTP/1.1 ")
            DecimalDigits.append(UInt64(status.rawValue), to: &buffer)
            buffer.append(UInt8(ascii: " "))
            buffer.append(status.reason)
            buffer.append("\r\nDate: ")
        }
        date.append(to: &buffer)
        // Nobody guesses types, and no foreign page embeds an answer (robustness: browsers).
        buffer.append(
            "\r\nX-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n")
        if !keepAlive {
            buffer.append("Connection: close\r\n")
        } else if minorVersion == 0 {
            buffer.append("Connection: keep-alive\r\n")
        }
    }

    /// A header whose value is a literal of ours.
    package func header(
        _ name: StaticString, _ value: StaticString, into buffer: inout ByteBuffer
    ) {
        Self.appendLine(
            name, UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount),
            to: &buffer)
    }

    /// A header whose value the program has made itself, without control characters.
    package func header(
        _ name: StaticString, trusted: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
    ) {
        Self.appendLine(name, trusted, to: &buffer)
    }

    /// A header whose value may come from outside.
    ///
    /// - Returns: False where the value has a control character other than the tab; nothing was
    ///   written then.
    @discardableResult
    package func header(
        _ name: StaticString, _ value: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
    ) -> Bool {
        guard HeaderText.isSafeValue(value) else { return false }
        Self.appendLine(name, value, to: &buffer)
        return true
    }

    /// The same with text.
    @discardableResult
    package func header(
        _ name: StaticString, text: String, into buffer: inout ByteBuffer
    ) -> Bool {
        var text = text
        return text.withUTF8 { header(name, UnsafeRawBufferPointer($0), into: &buffer) }
    }

    /// The same with a name that may come from outside: a token, or nothing was written.
    @discardableResult
    package func header(name: String, text: String, into buffer: inout ByteBuffer) -> Bool {
        let value = Array(text.utf8)
        return value.withUnsafeBytes { value in
            guard Self.isName(name), HeaderText.isSafeValue(value) else { return false }
            buffer.append(text: name)
            buffer.append(": ")
            buffer.append(value)
            buffer.append("\r\n")
            return true
        }
    }

    /// Letters, digits, `-` and `_`: of the characters of a token those that names are made of.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// A header whose value is a number.
    package func header(
        _ name: StaticString, decimal: UInt64, into buffer: inout ByteBuffer
    ) {
        buffer.append(name)
        buffer.append(": ")
        DecimalDigits.append(decimal, to: &buffer)
        buffer.append("\r\n")
    }

    /// A header whose value is a number in quotes: the strong ETag of a revision.
    package func header(
        _ name: StaticString, quotedDecimal: UInt64, into buffer: inout ByteBuffer
    ) {
        buffer.append(name)
        buffer.append(": \"")
        DecimalDigits.append(quotedDecimal, to: &buffer)
        buffer.append("\"\r\n")
    }

    /// Ends the head of a response whose body has `length` bytes. The caller appends exactly those,
    /// or none where `suppressesBody`. 204 and 304 get no Content-Length (RFC 9110 8.6).
    package mutating func endHead(length: Int, into buffer: inout ByteBuffer) {
        if allowsLength {
            buffer.append("Content-Length: ")
            DecimalDigits.append(UInt64(max(length, 0)), to: &buffer)
            buffer.append("\r\n\r\n")
        } else {
            buffer.append("\r\n")
        }
        bodyStart = buffer.count
    }

    /// Ends the head of a response without a body: 204, 304, or another status with an empty one.
    package mutating func endHeadWithoutBody(into buffer: inout ByteBuffer) {
        endHead(length: 0, into: &buffer)
    }

    /// Ends the head before the body's length is known. The caller appends the body to the same
    /// buffer, also where `suppressesBody`, and calls `finishBody`.
    ///
    /// - Parameter expectedDigits: 1...20, how many digits the length will have: where it has
    ///   others, the body is moved. Answers to the same question mostly have the same.
    package mutating func endHeadForBody(
        expectedDigits: Int = 3, into buffer: inout ByteBuffer
    ) {
        if allowsLength {
            buffer.append("Content-Length: ")
            lengthPlace = buffer.count
            lengthDigits = expectedDigits
            _ = buffer.reserve(expectedDigits)
            buffer.advance(by: expectedDigits)
            buffer.append("\r\n\r\n")
        } else {
            buffer.append("\r\n")
        }
        bodyStart = buffer.count
    }

    /// Writes the length of what stands behind the head into it; takes the body away again where the
    /// response must not have one.
    package mutating func finishBody(in buffer: inout ByteBuffer) {
        let length = UInt64(buffer.count - bodyStart)
        if suppressesBody { buffer.truncate(to: bodyStart) }
        guard lengthPlace >= 0 else { return }
        let digits = DecimalDigits.count(length)
        if digits != lengthDigits { resizeLength(to: digits, in: &buffer) }
        if let base = buffer.mutableBytes.baseAddress {
            DecimalDigits.write(length, endingAt: base + lengthPlace + digits)
        }
        lengthPlace = -1
    }

    /// Moves what stands behind the digits of Content-Length.
    private mutating func resizeLength(to digits: Int, in buffer: inout ByteBuffer) {
        let end = lengthPlace + lengthDigits
        let rest = buffer.count - end
        let growth = digits - lengthDigits
        if growth > 0 {
            _ = buffer.reserve(growth)
            buffer.advance(by: growth)
        }
        if let base = buffer.mutableBytes.baseAddress {
            memmove(base + end + growth, base + end, rest)
        }
        if growth < 0 { buffer.truncate(to: buffer.count + growth) }
        bodyStart += growth
        lengthDigits = digits
    }

    /// Ends the head of a response of unknown length: in chunks for HTTP/1.1; for 1.0 as the bytes
    /// up to the end of the connection, which the caller then closes (`closesConnection`).
    package mutating func endHeadForChunks(into buffer: inout ByteBuffer) {
        if !allowsLength {
            buffer.append("\r\n")
        } else if minorVersion == 0 {
            // A `Connection: keep-alive` may stand above; `close` wins over it (RFC 9112 9.3).
            if !closesConnection { buffer.append("Connection: close\r\n") }
            buffer.append("\r\n")
            closesConnection = true
        } else {
            buffer.append("Transfer-Encoding: chunked\r\n\r\n")
            isChunked = !suppressesBody
        }
        bodyStart = buffer.count
    }

    /// The interim response that a client with `Expect: 100-continue` waits for.
    package static func appendContinue(to buffer: inout ByteBuffer) {
        buffer.append("HTTP/1.1 100 Continue\r\n\r\n")
    }

    /// `name: value`, with room asked for once.
    @inline(__always)
    private static func appendLine(
        _ name: StaticString, _ value: UnsafeRawBufferPointer, to buffer: inout ByteBuffer
    ) {
        let nameCount = name.utf8CodeUnitCount
        let room = nameCount + value.count + 4
        let place = buffer.reserve(room)
        memcpy(place, name.utf8Start, nameCount)
        place.storeBytes(of: Ascii.colon, toByteOffset: nameCount, as: UInt8.self)
        place.storeBytes(of: Ascii.space, toByteOffset: nameCount + 1, as: UInt8.self)
        if let source = value.baseAddress { memcpy(place + nameCount + 2, source, value.count) }
        place.storeBytes(of: Ascii.carriageReturn, toByteOffset: room - 2, as: UInt8.self)
        place.storeBytes(of: Ascii.lineFeed, toByteOffset: room - 1, as: UInt8.self)
        buffer.advance(by: room)
    }
}
