package import FreshetBase
package import FreshetHTTP
package import FreshetNet

/// Writes one response into the loop's output buffer.
///
/// Use: `begin`, `header…`, then one ending (`end…`, `beginBody`/`endBody`, `startStream`); or
/// `detach` in place of all. Date, Connection, Content-Length and the security headers are
/// written by themselves, and the body of an answer to HEAD is dropped here. Calls out of order
/// are mistakes of the program and trap. One writer per loop; responses to pipelined requests
/// stand behind each other in its buffer and are sent together.
package struct ResponseWriter: ~Copyable {
    /// What has become of the response.
    enum Stage: UInt8 {
        case fresh, head, body, ended, detached, streaming
    }

    /// The output of this round for the connection at work. The body is appended here.
    package var body: ByteBuffer
    private(set) var stage: Stage = .fresh
    private var encoder: ResponseEncoder?
    /// Where this response begins in the buffer.
    private var start = 0
    private(set) var keepsAlive = true
    private var minorVersion: UInt8 = 1
    /// Whether `detach` puts the answer off: not when a detached request is being answered.
    private var isDetachable = false
    var date = HTTPDate(epochSeconds: 0)
    /// Where the request's id stands in the buffer; empty before it was written.
    private(set) var requestID = 0..<0
    /// Of the last `Content-Length` that was known behind its body only; the next one's, most likely.
    private var lengthDigits = 3

    /// Whether the request is a HEAD, so that making the body can be saved.
    package private(set) var isHead = false
    /// The status begun with; 0 before.
    package private(set) var status = 0
    /// What the request is for; the responder says so.
    package var kind = TrafficClass.page
    /// The loop of the connection.
    package let loop: EventLoop

    var exchange: ExchangeCore?
    var stream: StreamHandle?
    unowned(unsafe) private var connection: HTTPConnection?

    init(loop: EventLoop) {
        self.loop = loop
        body = ByteBuffer(capacity: 64 * 1024)
    }

    /// Makes ready for the next response behind those in the buffer.
    mutating func prepare(
        for connection: HTTPConnection?, isHead: Bool, minorVersion: UInt8, keepsAlive: Bool,
        isDetachable: Bool
    ) {
        stage = .fresh
        encoder = nil
        start = body.count
        status = 0
        kind = .page
        requestID = 0..<0
        self.connection = connection
        self.isHead = isHead
        self.minorVersion = minorVersion
        self.keepsAlive = keepsAlive
        self.isDetachable = isDetachable
        if exchange != nil { exchange = nil }
        if stream != nil { stream = nil }
    }

    // MARK: - Head

    /// Writes the status line and the automatic headers.
    package mutating func begin(_ status: Status) {
        precondition(stage == .fresh, "a response begins once")
        stage = .head
        self.status = status.code
        encoder = ResponseEncoder(
            status, date: date, isHead: isHead, minorVersion: minorVersion, keepAlive: keepsAlive,
            into: &body)
    }

    /// The same by number; a number that `Status` does not know is 500.
    package mutating func begin(_ status: Int) {
        begin(UInt16(exactly: status).flatMap(Status.init(rawValue:)) ?? .internalServerError)
    }

    package mutating func header(_ name: StaticString, _ value: StaticString) {
        encoder?.header(name, value, into: &body)
    }

    /// Leaves the header out where the value has control characters.
    package mutating func header(_ name: StaticString, bytes: UnsafeRawBufferPointer) {
        encoder?.header(name, bytes, into: &body)
    }

    /// For a value that the program has made itself: it is not looked at.
    ///
    /// - Parameter trusted: No control characters; one from outside could split the answer.
    package mutating func header(_ name: StaticString, trusted: UnsafeRawBufferPointer) {
        encoder?.header(name, trusted: trusted, into: &body)
    }

    /// Names the request, as `X-Request-Id` and in the summary of the answer.
    ///
    /// - Parameter requestID: No control characters, as in `header(_:trusted:)`.
    package mutating func header(requestID: UnsafeRawBufferPointer) {
        encoder?.header("X-Request-Id", trusted: requestID, into: &body)
        // Behind the value stands the line's end.
        let end = body.count - 2
        self.requestID = end - requestID.count..<end
    }

    /// Leaves the header out where the value has control characters.
    package mutating func header(_ name: StaticString, text: String) {
        encoder?.header(name, text: text, into: &body)
    }

    /// A field that another server has named; left out where the name is none, or the value has control
    /// characters.
    package mutating func header(name: String, text: String) {
        encoder?.header(name: name, text: text, into: &body)
    }

    package mutating func header(_ name: StaticString, decimal: Int) {
        encoder?.header(name, decimal: UInt64(max(0, decimal)), into: &body)
    }

    /// The strong ETag of a revision.
    package mutating func etag(revision: UInt64) {
        encoder?.header("ETag", quotedDecimal: revision, into: &body)
    }

    // MARK: - Endings

    /// Ends without a body: 204 and 304, or `Content-Length: 0`.
    package mutating func end() {
        requireHead()
        encoder?.endHeadWithoutBody(into: &body)
        stage = .ended
    }

    package mutating func end(bytes: UnsafeRawBufferPointer) {
        requireHead()
        encoder?.endHead(length: bytes.count, into: &body)
        if encoder?.suppressesBody == false { body.append(bytes) }
        stage = .ended
    }

    /// Ends the answer to a HEAD request, whose body would have `length` bytes.
    package mutating func end(withoutBodyOf length: Int) {
        requireHead()
        precondition(isHead, "whoever asks for a body gets it")
        encoder?.endHead(length: length, into: &body)
        stage = .ended
    }

    package mutating func end(_ text: StaticString) {
        end(bytes: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package mutating func end(text: String) {
        var text = text
        text.withUTF8 { end(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Begins a body of unknown length: it is appended to `body`, then `endBody` is called.
    package mutating func beginBody() {
        requireHead()
        encoder?.endHeadForBody(expectedDigits: lengthDigits, into: &body)
        stage = .body
    }

    package mutating func endBody() {
        precondition(stage == .body, "a body ends where it has begun")
        encoder?.finishBody(in: &body)
        if let digits = encoder?.lengthDigits, digits > 0 { lengthDigits = digits }
        stage = .ended
    }

    /// Begins a stream as the body, in chunks for HTTP/1.1. `source` is asked for its first bytes
    /// when the responder has returned; for HEAD it is told its end instead.
    ///
    /// - Returns: What wakes the source.
    @discardableResult
    package mutating func startStream(_ source: any StreamSource) -> StreamHandle {
        requireHead()
        encoder?.endHeadForChunks(into: &body)
        stage = .streaming
        if source.isEventStream { kind = .live }
        let handle = StreamHandle(loop: loop, source: source)
        stream = handle
        return handle
    }

    /// Puts the answer off: it is given through the exchange, from any thread.
    ///
    /// A request is detached once. A second time is a mistake of the program that depends on what
    /// was asked, so it must not end the process: what is put off again is answered 500, and what
    /// is said through the second exchange is dropped.
    package mutating func detach() -> Exchange {
        if stage == .detached { return Exchange(.answered(on: loop)) }
        restart()
        guard isDetachable else { return Exchange(.answered(on: loop)) }
        guard let connection else { preconditionFailure("a writer is prepared before its use") }
        let core = ExchangeCore(
            connection: connection, loop: loop, isHead: isHead, minorVersion: minorVersion,
            keepsAlive: keepsAlive, kind: kind)
        exchange = core
        stage = .detached
        return Exchange(core)
    }

    /// Puts the whole request off: `Exchange.respondAgain` gives it to the responder once more. Its
    /// bytes are copied meanwhile. As `detach` in all else, so that the exchange may answer as well.
    package mutating func postpone() -> Exchange {
        let exchange = detach()
        self.exchange?.isPostponed = true
        return exchange
    }

    /// Drops what was written of this response; it may begin again. Not behind an ending.
    package mutating func restart() {
        precondition(stage != .detached, "a detached response has no text here")
        body.truncate(to: start)
        stage = .fresh
        encoder = nil
        stream = nil
        status = 0
        requestID = 0..<0
    }

    private func requireHead() {
        precondition(stage == .head, "a response has a head and one ending")
    }

    // MARK: - For the driver

    /// Whether the connection can serve another request behind this response.
    var canContinue: Bool { keepsAlive && encoder?.closesConnection != true }

    /// Bytes of this response that are there.
    var responseBytes: Int { body.count - start }

    var isChunked: Bool { encoder?.isChunked ?? false }

    /// No body may follow: HEAD, 204, 304.
    var suppressesBody: Bool { encoder?.suppressesBody ?? false }

    /// Gives memory above the usual back.
    mutating func clear() {
        body.removeAll()
        if body.capacity > 1 << 20 { body.reset(capacity: 64 * 1024) }
    }
}
