package import FreshetBase
package import FreshetHTTP
package import FreshetNet

/// Answers requests: the layer above the server. Called on the loops' threads, several at the same
/// time; must not block.
package protocol Responder: AnyObject, Sendable {
    /// Says how the body is taken. Called behind the head of a request that has a body.
    func bodyPlan(for request: borrowing Request) -> BodyPlan

    /// Answers a request that is there whole. Before returning it ends the response, detaches it
    /// or starts a stream; else the driver answers 500 and closes.
    func respond(to request: consuming Request, response: inout ResponseWriter)

    /// Writes the problem document of a fault that the driver has met, with `fault.status`. The
    /// driver closes the connection behind it.
    func fault(_ fault: ConnectionFault, response: inout ResponseWriter)

    /// As `fault(_:response:)`, where the head of the request is known; it was not judged, or its body
    /// was not read to its end.
    func fault(
        _ fault: ConnectionFault, of request: borrowing Request, response: inout ResponseWriter)

    /// Whether the request is served by a server that has no room for others: an administrator's.
    func isServedWhenFull(_ request: borrowing Request) -> Bool

    /// Whether each answer is summed up; otherwise those are that were long in coming.
    var summarizesAll: Bool { get }

    /// A request was answered.
    func answered(_ summary: AnswerSummary)
}

extension Responder {
    package func fault(
        _ fault: ConnectionFault, of request: borrowing Request, response: inout ResponseWriter
    ) {
        self.fault(fault, response: &response)
    }
    package func isServedWhenFull(_ request: borrowing Request) -> Bool { false }
    package var summarizesAll: Bool { false }
    package func answered(_ summary: AnswerSummary) {}
}

/// How a request body is taken.
package enum BodyPlan {
    /// Kept until it is whole; `respond` then gets it. Past the maximum (and past the limits of
    /// the server) the request is refused with 413.
    case collect(maximumBytes: Int, Judgement?)
    /// Handed on in slices; `respond` is not called, the receiver answers through its exchange.
    case stream(any BodyReceiver)
    /// Not taken: `respond` is called at once with an empty body and `bodyIsUnread`. A small body
    /// is skipped, otherwise the connection closes behind the answer.
    case respondNow(Judgement?)
}

/// What a responder has found of a request at its head, kept until it answers: so that it judges a
/// request with a body once.
package struct Judgement {
    package let code: UInt8
    package let subject: AnyObject?

    package init(_ code: UInt8, _ subject: AnyObject? = nil) {
        self.code = code
        self.subject = subject
    }
}

/// Whether a receiver takes more.
package enum BodyFlow {
    case more
    /// Until `Exchange.resumeBody()`.
    case pause
}

/// Takes a request body in slices, on the loop of its connection only.
package protocol BodyReceiver: AnyObject {
    /// The first call. The receiver keeps `exchange` to answer with, which it may do at any time;
    /// before the end of the body it closes the connection behind the answer.
    func begin(_ exchange: Exchange)

    /// A slice has come; it is valid during the call.
    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyFlow

    /// Bytes that it holds of the body; asked after each slice.
    var heldBytes: Int { get }

    /// There is no room for what it holds.
    ///
    /// - Returns: Whether it holds less soon, and wants more then: it is to pause.
    func waitForRoom() -> Bool

    /// The body is whole; the answer may follow now or later.
    func finish()

    /// The body will not become whole, and the client can be told so: the answer may follow now or later,
    /// and the connection closes behind it.
    func fail(_ fault: ConnectionFault)

    /// The client has gone; the last call.
    func abort(_ reason: StreamEnd)
}

/// What a stream source has to say after one production.
package enum StreamStep {
    /// Nothing more until it is woken or its deadline has come.
    case idle
    /// More, as soon as the client has taken enough.
    case more
    /// The response is complete.
    case finish
    /// The response ends here and is not whole: the connection is closed, so that nobody takes it so.
    case cut
}

/// Why a stream or a streamed body has ended.
package enum StreamEnd: Sendable {
    case finished
    /// The client has closed the connection.
    case clientGone
    /// The client has taken nothing for the write time-out.
    case stalled
    case shutdown
    /// There are too many streams; the client was told so.
    case refused
}

/// A response body without a known end: events, exports. On one loop for its whole life.
///
/// The source keeps no queue for the client: it is asked when the client can take something.
package protocol StreamSource: AnyObject {
    /// Whether it is `text/event-stream` and goes on for as long as the client wishes, a little at a
    /// time, so that the kernel shall hold little of it; a client that shuts its sending side is sent
    /// a comment, which tells whether it is gone. false (the default) for an answer that is only long. The socket
    /// keeps what is set for it: a connection is not of use for long answers behind such a stream.
    var isEventStream: Bool { get }

    /// What was appended last is a part of an event, whose rest comes with the next productions: until
    /// then nothing else may be written. false by default.
    var isWithinEvent: Bool { get }

    /// Appends what belongs together now, about 64 KiB at most.
    ///
    /// Called when the stream begins, when it was woken, when less than 64 KiB wait for the
    /// client after `.more`, at the deadline, and behind `shutdown`.
    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep

    /// `produce` is called soon: brings what it reads beside the source nearer (`CacheLines`).
    func approach()

    /// When `produce` is to be called without a wake, up to 100 ms late; asked after each
    /// production.
    var nextDeadline: MonotonicInstant? { get }

    /// The server stops: the next production, which follows at once, should say so and finish.
    func shutdown()

    /// The stream is over; the last call, exactly once.
    func ended(_ reason: StreamEnd)
}

extension StreamSource {
    package var isEventStream: Bool { false }
    package var isWithinEvent: Bool { false }
    package func approach() {}
}

/// One request, lent to the responder for the duration of a call: all of its bytes stand in the
/// loop's buffers.
package struct Request: ~Copyable {
    /// Never lent as a whole: a coroutine that yields it to another module allocates its frame.
    private let headPointer: UnsafePointer<RequestHead>
    /// Open for as long as the request is lent.
    private let link: Unmanaged<Connection>
    private var connection: Connection { link.takeUnretainedValue() }

    /// What the ranges of the head refer to.
    private let bytes: UnsafeRawBufferPointer
    /// The whole body, de-chunked; empty where there is none or it is unread.
    package let body: UnsafeRawBufferPointer
    /// The request has a body that nobody has read, as `BodyPlan.respondNow` asked.
    package let bodyIsUnread: Bool
    /// What `bodyPlan` has made of the head; nil for a request without a body.
    package let judgement: Judgement?
    /// What a postponed request has waited for; nil for one that comes for the first time.
    package let resumption: (any AnyObject & Sendable)?
    /// The loop's clock.
    package let now: MonotonicInstant

    init(
        head: UnsafePointer<RequestHead>, bytes: UnsafeRawBufferPointer,
        body: UnsafeRawBufferPointer, bodyIsUnread: Bool, judgement: Judgement?,
        resumption: (any AnyObject & Sendable)? = nil, connection: Unmanaged<Connection>
    ) {
        headPointer = head
        self.bytes = bytes
        self.body = body
        self.bodyIsUnread = bodyIsUnread
        self.judgement = judgement
        self.resumption = resumption
        link = connection
        now = connection._withUnsafeGuaranteedRef { $0.now }
    }

    package var method: FreshetHTTP.Method { headPointer.pointee.method }

    /// The method as it was sent.
    package var methodText: UnsafeRawBufferPointer {
        headPointer.pointee.methodRange.bytes(in: bytes)
    }

    /// The value of a header without white space around it, nil where it is absent; of several
    /// lines the first.
    package func header(_ name: KnownHeader) -> UnsafeRawBufferPointer? {
        headPointer.pointee.value(name, in: bytes)
    }

    /// Whether a header has several lines.
    package func isRepeated(_ name: KnownHeader) -> Bool { headPointer.pointee.isRepeated(name) }

    /// Calls `body` with the value of each line of a header.
    package func forEachValue(of name: KnownHeader, _ body: (UnsafeRawBufferPointer) -> Void) {
        headPointer.pointee.forEachValue(of: name, in: bytes, body)
    }

    /// Calls `body` with the name and the value of each header line, in order.
    package func forEachField(
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) {
        for index in 0..<headPointer.pointee.fieldCount {
            body(
                headPointer.pointee.fieldName(index).bytes(in: bytes),
                headPointer.pointee.fieldValue(index).bytes(in: bytes))
        }
    }

    /// The path and the query as they were sent, from the first slash on, but that bytes which stand in
    /// no address are percent-encoded.
    package var pathAndQuery: String {
        let path = PercentEncoding.address(path)
        let query = PercentEncoding.address(query)
        return (path.isEmpty ? "/" : path) + (query.isEmpty ? "" : "?" + query)
    }

    /// What `Accept` asks for.
    package var acceptedMedia: AcceptedMedia { AcceptedMedia(headPointer.pointee, in: bytes) }

    /// The host that the request names, with its port.
    package var authority: UnsafeRawBufferPointer { headPointer.pointee.authority.bytes(in: bytes) }

    /// `OPTIONS *`.
    package var isAsteriskForm: Bool { headPointer.pointee.isAsteriskForm }

    /// The path of the target, still percent-encoded.
    package var path: UnsafeRawBufferPointer { headPointer.pointee.path.bytes(in: bytes) }

    /// The query of the target without its question mark, still percent-encoded.
    package var query: UnsafeRawBufferPointer { headPointer.pointee.query.bytes(in: bytes) }

    package var remote: SocketAddress { connection.remote }
    package var isLoopback: Bool { connection.remote.isLoopback }
    package var loop: EventLoop { connection.loop }
    /// Which of the loops has the connection.
    package var loopIndex: Int { link._withUnsafeGuaranteedRef { $0.loopIndex } }
}
