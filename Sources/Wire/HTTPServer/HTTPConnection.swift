// One HTTP connection
//
// The driver between bytes and responder. Input comes in batches (`receive`); each batch is worked
// off request by request, the responses gather in the loop's writer, and one send at the end of the
// batch carries them all. What phase the connection is in and when it has taken too long is decided
// by `ConnectionState`, which knows neither socket nor clock; this class has the effects.
//
// Order. Responses leave in the order of the requests because there is only ever one request at
// work: behind a detached request or a stream the driver reads no further (`pending`, `streaming`),
// and goes on with what was pipelined when that response has ended.
//
// Memory. A request that is whole in one batch is answered out of the loop's read buffer. Only a
// body that comes in several pieces has memory (`BodyCollection`), bounded by its plan. Output
// beyond `ServerLimits.outputBytes` stops the parsing until the client has read.
//
// Closing. Where an answer is the last one, it is sent, the sending side is shut, and input is read
// and dropped until the client closes or the linger time is over: closing with unread input would
// reset the connection and could take the answer from the client before it has read it.

import FreshetBase
import FreshetHTTP
import FreshetNet

/// A body that came in several pieces.
private final class BodyCollection {
    /// The head's bytes: the loop's buffer forgets them before the body is whole.
    let head: ByteBuffer
    var body: ByteBuffer
    var decoder: BodyDecoder
    let maximum: Int
    let judgement: Judgement?
    let share: BodyShare

    init(
        head bytes: UnsafeRawBufferPointer, framing: BodyFraming, limits: HTTPLimits,
        _ judgement: Judgement?, _ share: BodyShare
    ) {
        self.judgement = judgement
        self.share = share
        head = ByteBuffer(copying: bytes)
        var expected = 4096
        if case .length(let length) = framing { expected = min(length, 256 * 1024) }
        body = ByteBuffer(capacity: expected)
        decoder = BodyDecoder(framing, limits: limits)
        maximum = limits.body
    }
}

/// A request that the responder gets again.
final class PostponedRequest {
    fileprivate let head: ByteBuffer
    fileprivate let body: ByteBuffer
    fileprivate let judgement: Judgement?
    fileprivate let bodyIsUnread: Bool
    fileprivate let canContinue: Bool

    fileprivate init(
        head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, _ judgement: Judgement?,
        bodyIsUnread: Bool, canContinue: Bool
    ) {
        self.head = ByteBuffer(copying: head)
        self.body = ByteBuffer(copying: body)
        self.judgement = judgement
        self.bodyIsUnread = bodyIsUnread
        self.canContinue = canContinue
    }
}

/// A body on its way to a receiver.
private final class BodyReception {
    let receiver: any BodyReceiver
    let core: ExchangeCore
    let share: BodyShare
    var decoder: BodyDecoder
    var isPaused = false

    init(
        _ receiver: any BodyReceiver, core: ExchangeCore, decoder: BodyDecoder, _ share: BodyShare
    ) {
        self.receiver = receiver
        self.core = core
        self.decoder = decoder
        self.share = share
    }
}

/// Drives one connection; see the top of this file. On the loop of its connection only.
final class HTTPConnection: ConnectionHandler {
    private enum Work {
        case none
        case collecting(BodyCollection)
        case receiving(BodyReception)
        case pending(ExchangeCore)
        case streaming(StreamHandle)
    }

    /// An answer that takes longer is summed up: nanoseconds.
    private static let slow: UInt64 = 1_000_000_000

    // Valid until `closed`, behind which `isGone` guards every way in. Each request goes by these
    // references themselves, which counts nothing: a count is an atomic operation.
    private let link: Unmanaged<Connection>
    // The server holds the contexts for longer than the loops run.
    private let shared: Unmanaged<LoopResources>
    private var connection: Connection { link.takeUnretainedValue() }
    private var context: LoopResources { shared.takeUnretainedValue() }
    // Only the loop's thread has them, and nothing that is called within a change comes back here: a
    // check of that at run time is 100 instructions an access, ten times a request.
    @exclusivity(unchecked) private var parser = RequestParser()
    @exclusivity(unchecked) private var state: ConnectionState
    @exclusivity(unchecked) private var work: Work = .none
    /// Bytes of an unread body that are dropped before the next request.
    private var skipped = 0
    private var waitsForOutput = false
    private var outputIsShut = false
    /// Whether the connection can go on behind the stream at work.
    private var continuesBehindStream = false
    private var isGone = false
    /// Whether the address book has counted it.
    private let isCounted: Bool
    /// It has a place of the reserve: what it asks is judged, and its first answer is its last.
    private var isReserved: Bool
    private var endReason = StreamEnd.clientGone

    init(
        _ connection: Connection, context: LoopResources, isCounted: Bool, isReserved: Bool
    ) {
        self.isCounted = isCounted
        self.isReserved = isReserved
        link = .passUnretained(connection)
        shared = .passUnretained(context)
        state = ConnectionState(now: connection.loop.now)
        context.metrics.open.add()
        if isReserved { context.metrics.reserved.add() }
        updateDeadline()
    }

    private var now: MonotonicInstant { link._withUnsafeGuaranteedRef { $0.now } }

    /// How long it has been idle; nil while it is at work.
    var idleSpan: Duration? { state.idleSpan(now: now) }

    // MARK: - Events of the connection

    func receive(_ input: UnsafeRawBufferPointer, on connection: Connection) -> Int {
        shared._withUnsafeGuaranteedRef { $0.refreshDate() }
        let consumed = drive(input)
        shared._withUnsafeGuaranteedRef { $0.settleAnswers() }
        flush()
        updateDeadline()
        return consumed
    }

    func inputEnded(on connection: Connection) {
        flush()
        guard !isGone else { return }
        context.refreshDate()
        switch state.phase {
        case .idle:
            state.enter(.closing, now: now)
        case .head:
            refuse(.badRequest("The request ends within its head."))
        case .body:
            fail(.badRequest("The request ends within its body."))
        case .streaming:
            if case .streaming(let handle) = work { answerHalfClose(of: handle) }
        case .pending, .closing:
            break
        }
        flush()
        updateDeadline()
    }

    func hungUp(on connection: Connection) {
        switch work {
        case .pending(let core): answerHalfClose(of: core)
        case .streaming(let handle): answerHalfClose(of: handle)
        case .none, .collecting, .receiving: return
        }
        flush()
        updateDeadline()
    }

    /// `core` is watched from now on: a hang-up before is told no more.
    func awaitsEnd(of core: ExchangeCore) {
        guard connection.sawHangUp, case .pending(let current) = work, current === core else {
            return
        }
        answerHalfClose(of: core)
        flush()
    }

    /// Says nothing, as the interim answer that every client of HTTP/1.1 passes over (RFC 9110,
    /// section 15.2): one that has gone answers it with a reset.
    private func answerHalfClose(of core: ExchangeCore) {
        guard core.isWatched, core.minorVersion > 0 else { return }
        ResponseEncoder.appendContinue(to: &context.writer.pointee.body)
    }

    /// A client that has shut its sending side reads on, or it is gone and answers what it is sent
    /// with a reset. An event stream may have nothing to say for long; so it says nothing, as a
    /// comment, unless the rest of an event comes anyway.
    private func answerHalfClose(of handle: StreamHandle) {
        guard handle.isEventStream, let source = handle.source, !source.isWithinEvent else {
            return
        }
        let writer = context.writer
        let mark = handle.isChunked ? ChunkEncoder.open(in: &writer.pointee.body) : 0
        EventStreamEncoder.comment(into: &writer.pointee.body)
        if handle.isChunked { ChunkEncoder.close(mark, in: &writer.pointee.body) }
    }

    func outputDrained(on connection: Connection) {
        flush()
        guard !isGone else { return }
        if waitsForOutput {
            waitsForOutput = false
            connection.resume()
        }
        if case .streaming(let handle) = work, handle.hasMore { produceStream(handle) }
        updateDeadline()
    }

    func deadlineReached(on connection: Connection) {
        noteOutput()
        let timeouts = isReserved ? context.reserveTimeouts : context.timeouts
        switch state.expired(now: now, timeouts) {
        case .nothing:
            if case .streaming(let handle) = work, let due = handle.source?.nextDeadline,
                due <= now
            {
                produceStream(handle)
            }
        case .close:
            connection.close()
        case .stalled:
            endReason = .stalled
            connection.close()
        case .timeout:
            context.refreshDate()
            fail(isReserved && state.phase == .head ? .overloaded : .requestTimeout)
            flush()
        }
        updateDeadline()
    }

    func closed(_ connection: Connection) {
        isGone = true
        let last = work
        work = .none
        switch last {
        case .none, .collecting:
            break
        case .pending(let core):
            core.cancel()
        case .receiving(let reception):
            reception.core.cancel()
            reception.receiver.abort(endReason)
        case .streaming(let handle):
            uncount(handle)
            handle.end(context.isStopping ? .shutdown : endReason)
        }
        context.metrics.open.add(-1)
        leaveReserve()
        if isCounted { context.addresses.leave(connection.remote) }
        context.endIfEmpty()
    }

    // MARK: - Input

    /// Works off `input` as far as it goes; returns how much is done with.
    private func drive(_ input: UnsafeRawBufferPointer) -> Int {
        var position = 0
        var requests = 0
        defer {
            if requests > 0 {
                shared._withUnsafeGuaranteedRef { $0.metrics.requests.add(requests) }
            }
        }
        while position < input.count, !isGone {
            let rest = UnsafeRawBufferPointer(rebasing: input[position...])
            switch state.phase {
            case .idle, .head:
                if skipped > 0 {
                    let count = min(skipped, rest.count)
                    skipped -= count
                    position += count
                    continue
                }
                guard hasRoomForOutput() else { return position }
                let used = readHead(rest)
                guard used > 0 else { return position }
                requests += 1
                position += used
            case .body:
                let used = readBody(rest)
                guard used > 0 else { return position }
                position += used
            case .pending, .streaming:
                connection.pause()
                // A hang-up that came with these bytes is told no more.
                if connection.sawHangUp, case .streaming(let handle) = work {
                    answerHalfClose(of: handle)
                }
                return position
            case .closing:
                return input.count
            }
        }
        // Nothing to read for, until the answer is given.
        if state.phase == .pending { connection.pause() }
        return position
    }

    /// Whether another response may be begun; if not, reading pauses until the client has read.
    private func hasRoomForOutput() -> Bool {
        let (gathered, limit) = shared._withUnsafeGuaranteedRef {
            ($0.writer.pointee.body.count, $0.limits.outputBytes)
        }
        let unsent = link._withUnsafeGuaranteedRef { $0.unsentBytes }
        guard gathered + unsent > limit else { return true }
        flush()
        guard !isGone, connection.unsentBytes >= Connection.lowWater else { return !isGone }
        waitsForOutput = true
        connection.pause()
        return false
    }

    /// Reads a head and, if its request is whole, answers it. Returns the bytes consumed.
    private func readHead(_ rest: UnsafeRawBufferPointer) -> Int {
        // A copy of 16 bytes is cheaper than an exclusive access to a class's variable.
        var parser = parser
        let result = shared._withUnsafeGuaranteedRef {
            parser.parse(rest, into: &$0.head.pointee, limits: $0.parserLimits)
        }
        self.parser = parser
        switch result {
        case .incomplete:
            if parser.hasBegun { state.enter(.head, now: now) }
            return 0
        case .failed(let fault):
            refuse(ConnectionFault(fault, bodyLimit: context.parserLimits.body))
            return rest.count
        case .complete(let consumed):
            let head = UnsafeRawBufferPointer(rebasing: rest[..<consumed])
            let parsed = shared._withUnsafeGuaranteedRef { $0.head }
            if parsed.pointee.hasUnknownExpectation {
                refuse(.expectationFailed, of: head)
                return rest.count
            }
            if isReserved, !isServedInReserve(head) {
                context.metrics.refused.add()
                refuse(.overloaded, of: head)
                return rest.count
            }
            if case .none = parsed.pointee.framing {
                respond(head: head, body: UnsafeRawBufferPointer(start: nil, count: 0))
                return consumed
            }
            return consumed + beginBody(head: head, rest: rest)
        }
    }

    /// Whether the request just parsed is served, though there was no room for its connection; where
    /// there is some by now it has a place as any.
    private func isServedInReserve(_ head: UnsafeRawBufferPointer) -> Bool {
        let metrics = context.metrics
        guard metrics.open.value - metrics.reserved.value >= context.limits.connections else {
            leaveReserve()
            return true
        }
        return context.responder.isServedWhenFull(unreadRequest(head))
    }

    /// The request just parsed, whose body is not read.
    private func unreadRequest(_ head: UnsafeRawBufferPointer) -> Request {
        Request(
            head: context.head, bytes: head, body: UnsafeRawBufferPointer(start: nil, count: 0),
            bodyIsUnread: true, judgement: nil, connection: link)
    }

    private func leaveReserve() {
        guard isReserved else { return }
        isReserved = false
        context.metrics.reserved.add(-1)
    }

    /// Asks how the body of the request just parsed is to be taken, and begins.
    ///
    /// - Returns: Bytes behind the head that are consumed.
    private func beginBody(
        head: UnsafeRawBufferPointer, rest: UnsafeRawBufferPointer
    ) -> Int {
        let framing = context.head.pointee.framing
        switch context.responder.bodyPlan(for: unreadRequest(head)) {
        case .collect(let maximumBytes, let judgement):
            var limits = context.parserLimits
            limits.body = min(limits.body, maximumBytes)
            if case .length(let length) = framing {
                guard length <= limits.body else {
                    refuse(.payloadTooLarge(maximumBytes: limits.body), of: head)
                    return rest.count - head.count
                }
                let end = head.count + length
                if end <= rest.count {
                    // The common case: answered out of the loop's read buffer.
                    let body = UnsafeRawBufferPointer(rebasing: rest[head.count..<end])
                    respond(head: head, body: body, judgement)
                    return length
                }
            }
            work = .collecting(
                BodyCollection(
                    head: head, framing: framing, limits: limits, judgement, bodyShare))
            state.enter(.body, now: now)
            sendContinue(hasBody: head.count < rest.count)
            return 0
        case .stream(let receiver):
            beginReception(receiver, head: head, framing: framing, hasBody: head.count < rest.count)
            return 0
        case .respondNow(let judgement):
            var canSkip = false
            if case .length(let length) = framing, !context.head.pointee.expectsContinue,
                length <= context.limits.skippedBodyBytes
            {
                skipped = length
                canSkip = true
            }
            respond(
                head: head, body: UnsafeRawBufferPointer(start: nil, count: 0), judgement,
                bodyIsUnread: true, canContinue: canSkip)
            return 0
        }
    }

    private func beginReception(
        _ receiver: any BodyReceiver, head: UnsafeRawBufferPointer, framing: BodyFraming,
        hasBody: Bool
    ) {
        var limits = context.parserLimits
        limits.body = .max
        let core = ExchangeCore(
            connection: self, loop: connection.loop, isHead: false,
            minorVersion: context.head.pointee.minorVersion,
            keepsAlive: context.head.pointee.keepAlive && !isReserved, kind: .write)
        core.method = context.head.pointee.method
        core.target = TargetCopy(context.head.pointee, in: head)
        core.trace = TraceCopy(context.head.pointee, in: head)
        work = .receiving(
            BodyReception(
                receiver, core: core, decoder: BodyDecoder(framing, limits: limits), bodyShare))
        state.enter(.body, now: now)
        sendContinue(hasBody: hasBody)
        receiver.begin(Exchange(core))
    }

    /// Tells a client that waits for it to send the body.
    private func sendContinue(hasBody: Bool) {
        guard context.head.pointee.expectsContinue, context.head.pointee.minorVersion > 0,
            !hasBody
        else { return }
        ResponseEncoder.appendContinue(to: &context.writer.pointee.body)
    }

    /// Returns the bytes consumed; 0 if more are needed or the receiver has paused.
    private func readBody(_ rest: UnsafeRawBufferPointer) -> Int {
        switch work {
        case .collecting(let collection): return collect(rest, in: collection)
        case .receiving(let reception): return hand(rest, to: reception)
        case .none, .pending, .streaming: return 0
        }
    }

    private func collect(
        _ rest: UnsafeRawBufferPointer, in collection: BodyCollection
    ) -> Int {
        do {
            let step = try collection.decoder.decode(rest, appendingTo: &collection.body)
            state.received(step.consumed, now: now)
            guard step.isDone else {
                guard collection.share.has(roomFor: collection.body.count) else {
                    refuse(.bodiesFull, of: collection)
                    return rest.count
                }
                return step.consumed
            }
            work = .none
            readAgain(collection.head)
            respond(
                head: collection.head.bytes, body: collection.body.bytes, collection.judgement)
            return step.consumed
        } catch {
            refuse(ConnectionFault(error, bodyLimit: collection.maximum), of: collection)
            return rest.count
        }
    }

    /// Answers a fault of a body that is being collected.
    private func refuse(_ fault: ConnectionFault, of collection: BodyCollection) {
        readAgain(collection.head)
        refuse(fault, of: collection.head.bytes)
    }

    /// Reads a head that was whole before, so it is so now.
    private func readAgain(_ head: borrowing ByteBuffer) {
        var parser = RequestParser()
        _ = parser.parse(
            head.bytes, into: &context.head.pointee, limits: context.parserLimits)
    }

    private func hand(
        _ rest: UnsafeRawBufferPointer, to reception: BodyReception
    ) -> Int {
        var position = 0
        do {
            while position < rest.count {
                let input = UnsafeRawBufferPointer(rebasing: rest[position...])
                let step = try reception.decoder.decode(input)
                position += step.consumed
                state.received(step.consumed, now: now)
                var flow = BodyFlow.more
                if !step.payload.isEmpty {
                    flow = reception.receiver.receive(step.payload.bytes(in: input))
                    if !reception.share.has(roomFor: reception.receiver.heldBytes) {
                        guard reception.receiver.waitForRoom() else {
                            fail(.bodiesFull)
                            return rest.count
                        }
                        flow = .pause
                    }
                }
                if step.isDone {
                    work = .pending(reception.core)
                    state.enter(.pending, now: now)
                    reception.receiver.finish()
                    return position
                }
                if case .pause = flow {
                    reception.isPaused = true
                    state.setPaused(true, now: now)
                    connection.pause()
                    return position
                }
                if step.consumed == 0, step.payload.isEmpty { return position }
            }
            return position
        } catch {
            fail(ConnectionFault(error, bodyLimit: context.parserLimits.body))
            return rest.count
        }
    }

    private var bodyShare: BodyShare {
        BodyShare(of: context.metrics.bodyBytes, limit: context.limits.bodyMemory)
    }

    /// What is being read will not become whole. Who has received a part of it answers for that.
    private func fail(_ fault: ConnectionFault) {
        switch work {
        case .receiving(let reception):
            context.metrics.faults.add()
            // Behind a body that has not ended there is nothing to be read.
            reception.core.keepsAlive = false
            work = .pending(reception.core)
            state.enter(.pending, now: now)
            reception.receiver.fail(fault)
        case .collecting(let collection): refuse(fault, of: collection)
        case .none, .pending, .streaming: refuse(fault)
        }
    }

    /// The receiver of a body wants more.
    func resumeBody(_ core: ExchangeCore) {
        guard !isGone, case .receiving(let reception) = work, reception.core === core,
            reception.isPaused
        else { return }
        reception.isPaused = false
        state.setPaused(false, now: now)
        connection.resume()
        updateDeadline()
    }

    // MARK: - Output

    private func respond(
        head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, _ judgement: Judgement? = nil,
        bodyIsUnread: Bool = false, canContinue: Bool = true,
        resumption: (any AnyObject & Sendable)? = nil
    ) {
        let link = link
        shared._withUnsafeGuaranteedRef { context in
            let writer = context.writer
            writer.pointee.prepare(
                for: self, isHead: context.head.pointee.method == .head,
                minorVersion: context.head.pointee.minorVersion,
                keepsAlive: context.head.pointee.keepAlive && canContinue && !isReserved
                    && !context.isStopping,
                isDetachable: true)
            context.responder.respond(
                to: Request(
                    head: context.head, bytes: head, body: body, bodyIsUnread: bodyIsUnread,
                    judgement: judgement, resumption: resumption, connection: link),
                response: &writer.pointee)
            if writer.pointee.stage == .detached {
                writer.pointee.exchange?.method = context.head.pointee.method
                writer.pointee.exchange?.target = TargetCopy(context.head.pointee, in: head)
                writer.pointee.exchange?.trace = TraceCopy(context.head.pointee, in: head)
                if let exchange = writer.pointee.exchange, exchange.isPostponed {
                    exchange.postponed = PostponedRequest(
                        head: head, body: body, judgement, bodyIsUnread: bodyIsUnread,
                        canContinue: canContinue)
                }
            } else {
                context.countAnswer(writer.pointee.kind, status: writer.pointee.status)
                if context.responder.summarizesAll {
                    summarize(
                        context.head.pointee.method, TargetCopy(context.head.pointee, in: head),
                        since: now, TraceCopy(context.head.pointee, in: head))
                }
            }
        }
        settle()
    }

    /// Hands on what is known of the answer in the writer.
    private func summarize(
        _ method: FreshetHTTP.Method, _ target: TargetCopy, since start: MonotonicInstant,
        _ trace: TraceCopy?
    ) {
        guard let trace else {
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            return summarize(method, target, since: start, trace: none)
        }
        trace.withBytes { summarize(method, target, since: start, trace: $0) }
    }

    private func summarize(
        _ method: FreshetHTTP.Method, _ target: TargetCopy, since start: MonotonicInstant,
        trace: UnsafeRawBufferPointer
    ) {
        let writer = context.writer
        let duration = MonotonicInstant.now - start
        let requestID = UnsafeRawBufferPointer(
            rebasing: writer.pointee.body.bytes[writer.pointee.requestID])
        target.withBytes { target in
            context.responder.answered(
                AnswerSummary(
                    method: method, target: target, kind: writer.pointee.kind,
                    status: writer.pointee.status, duration: duration,
                    bytes: writer.pointee.stage == .ended ? writer.pointee.responseBytes : 0,
                    requestID: requestID, trace: trace))
        }
    }

    /// A request that was detached has its answer, in the writer.
    private func countLate(_ core: ExchangeCore) {
        let kind = context.writer.pointee.kind
        let nanoseconds = MonotonicInstant.now.nanoseconds &- core.start.nanoseconds
        context.traffic.count(kind, status: context.writer.pointee.status)
        context.traffic.record(kind, nanoseconds: nanoseconds)
        guard nanoseconds > Self.slow || context.responder.summarizesAll else { return }
        summarize(core.method, core.target, since: core.start, core.trace)
    }

    /// Acts on what the responder has made of the writer.
    private func settle() {
        let writer = shared._withUnsafeGuaranteedRef { $0.writer }
        switch writer.pointee.stage {
        case .ended:
            goOn(writer.pointee.canContinue)
        case .detached:
            if let core = writer.pointee.exchange {
                work = .pending(core)
                if connection.sawHangUp { answerHalfClose(of: core) }
            }
            writer.pointee.exchange = nil
            state.enter(.pending, now: now)
        case .streaming:
            if let handle = writer.pointee.stream { beginStream(handle) }
        case .fresh, .head, .body:
            writer.pointee.restart()
            refuse(.internalError, isHead: writer.pointee.isHead)
        }
    }

    /// A response is complete.
    private func goOn(_ canContinue: Bool) {
        // The client may have shut its sending side while a stream ran; no event tells that again.
        if canContinue, !link._withUnsafeGuaranteedRef({ $0.hasInputEnded }) {
            state.enter(.idle, now: now)
        } else {
            skipped = 0
            leaveReserve()
            state.enter(.closing, now: now)
        }
    }

    /// Answers a fault as the last response of the connection.
    ///
    /// - Parameters:
    ///   - head: Of the request, which was read last; nil where it is not at hand.
    ///   - isHead: Whether its method is known to be HEAD.
    func refuse(
        _ fault: ConnectionFault, of head: UnsafeRawBufferPointer? = nil, isHead: Bool = false
    ) {
        context.metrics.faults.add()
        context.refreshDate()
        work = .none
        let writer = context.writer
        writer.pointee.prepare(
            for: self, isHead: isHead || head != nil && context.head.pointee.method == .head,
            minorVersion: 1, keepsAlive: false, isDetachable: false)
        if let head {
            context.responder.fault(
                fault, of: unreadRequest(head), response: &writer.pointee)
        } else {
            context.responder.fault(fault, response: &writer.pointee)
        }
        if writer.pointee.stage != .ended {
            writer.pointee.restart()
            writer.pointee.begin(fault.status)
            writer.pointee.end()
        }
        goOn(false)
    }

    /// Tells a client that it cannot be served, before it has said anything.
    func refuseAtOnce(_ fault: ConnectionFault) {
        refuse(fault)
        flush()
        updateDeadline()
    }

    /// The answer to a detached request has come; nil if it was forgotten.
    func complete(
        _ core: ExchangeCore, _ write: (@Sendable (inout ResponseWriter) -> Void)?
    ) {
        guard !isGone else { return }
        var bodyIsRead = true
        switch work {
        case .pending(let expected):
            guard expected === core else { return }
        case .receiving(let reception):
            guard reception.core === core else { return }
            bodyIsRead = false
        case .none, .collecting, .streaming:
            return
        }
        work = .none
        context.refreshDate()
        let writer = context.writer
        writer.pointee.prepare(
            for: self, isHead: core.isHead, minorVersion: core.minorVersion,
            keepsAlive: core.keepsAlive && bodyIsRead && !context.isStopping,
            isDetachable: false)
        if let write {
            writer.pointee.kind = core.kind
            write(&writer.pointee)
            countLate(core)
            settle()
            if connection.sawHangUp, case .streaming(let handle) = work {
                answerHalfClose(of: handle)
            }
        } else {
            refuse(.internalError, isHead: core.isHead)
        }
        continueReading()
    }

    /// What a postponed request waited for is there.
    func respond(
        to request: PostponedRequest, of core: ExchangeCore,
        _ resumption: any AnyObject & Sendable
    ) {
        guard !isGone, case .pending(let expected) = work, expected === core else { return }
        work = .none
        context.refreshDate()
        readAgain(request.head)
        respond(
            head: request.head.bytes, body: request.body.bytes, request.judgement,
            bodyIsUnread: request.bodyIsUnread, canContinue: request.canContinue,
            resumption: resumption)
        continueReading()
    }

    /// Goes on with what was pipelined behind a response that has ended.
    private func continueReading() {
        if !isGone, connection.isReadingPaused, state.phase == .idle || state.phase == .closing {
            connection.resume()
        }
        flush()
        updateDeadline()
    }

    /// Sends what has gathered; closes where the last answer has left.
    private func flush() {
        let writer = shared._withUnsafeGuaranteedRef { $0.writer }
        if !writer.pointee.body.isEmpty {
            if !isGone { link._withUnsafeGuaranteedRef { $0.send(writer.pointee.body.bytes) } }
            writer.pointee.clear()
        }
        guard !isGone else { return }
        noteOutput()
        guard state.phase == .closing, connection.unsentBytes == 0 else { return }
        // A server that stops does not wait for its clients to close.
        if connection.hasInputEnded || context.isStopping {
            connection.close()
        } else if !outputIsShut {
            outputIsShut = true
            connection.shutdownOutput()
            state.restart(now: now)
        }
    }

    private func noteOutput() {
        let (sent, waiting, now) = link._withUnsafeGuaranteedRef {
            ($0.sentBytes, $0.unsentBytes, $0.now)
        }
        state.output(sent: sent, waiting: waiting, now: now)
    }

    private func updateDeadline() {
        guard !isGone else { return }
        var deadline = shared._withUnsafeGuaranteedRef {
            isReserved ? state.deadline($0.reserveTimeouts) : state.deadline($0.timeouts)
        }
        // A stream that cannot be asked now is asked when its client has read.
        if case .streaming(let handle) = work, connection.unsentBytes < Connection.lowWater,
            let due = handle.source?.nextDeadline
        {
            deadline = min(deadline ?? .max, due.nanoseconds)
        }
        link._withUnsafeGuaranteedRef {
            $0.setDeadline(deadline.map(MonotonicInstant.init(nanoseconds:)))
        }
    }

    // MARK: - Streams

    private func beginStream(_ handle: StreamHandle) {
        let writer = context.writer
        writer.pointee.stream = nil
        if writer.pointee.suppressesBody {
            let canContinue = writer.pointee.canContinue
            handle.end(.finished)
            goOn(canContinue)
            return
        }
        guard !handle.isEventStream || context.metrics.streams.value < context.limits.streams
        else {
            writer.pointee.restart()
            handle.end(.refused)
            refuse(.overloaded)
            return
        }
        leaveReserve()
        continuesBehindStream = writer.pointee.canContinue
        handle.connection = self
        handle.isChunked = writer.pointee.isChunked
        if handle.isEventStream {
            context.metrics.streams.add()
            context.metrics.open.add(-1)
            connection.useStreamOptions(
                sendBuffer: context.limits.streamSendBuffer,
                notSentLowWater: context.limits.streamNotSentLowWater,
                timeout: context.limits.writeTimeout)
        }
        work = .streaming(handle)
        state.enter(.streaming, now: now)
        if context.isStopping {
            handle.isShuttingDown = true
            handle.source?.shutdown()
        }
        advanceStream(handle)
    }

    /// It is at work soon.
    func approach() { CacheLines.fetch(CacheLines.address(of: connection), 4) }

    /// The source was woken, its deadline has come, or the client has taken enough.
    func produceStream(_ handle: StreamHandle) {
        guard !isGone, case .streaming(let current) = work, current === handle else { return }
        context.refreshDate()
        handle.hasMore = true
        advanceStream(handle)
        if state.phase == .streaming {
            updateDeadline()
        } else {
            continueReading()
        }
    }

    /// Asks the source as long as the client takes what it says.
    private func advanceStream(_ handle: StreamHandle) {
        let writer = context.writer
        // A fast reader of a long export must not keep the loop from the others.
        var turns = 16
        while handle.hasMore, !isGone, connection.unsentBytes < Connection.lowWater,
            let source = handle.source
        {
            guard turns > 0 else {
                handle.wake()
                return
            }
            turns -= 1
            let mark = handle.isChunked ? ChunkEncoder.open(in: &writer.pointee.body) : 0
            let step = source.produce(into: &writer.pointee.body, now: now)
            if handle.isChunked { ChunkEncoder.close(mark, in: &writer.pointee.body) }
            switch step {
            case .more: break
            case .idle: handle.hasMore = false
            case .finish:
                endStream(handle)
                return
            case .cut:
                writer.pointee.clear()
                endReason = .refused
                // Where the end of the connection is the end of the answer, it is another one.
                handle.isChunked ? connection.close() : connection.reset()
                return
            }
            flush()
        }
    }

    private func uncount(_ handle: StreamHandle) {
        guard handle.isEventStream else { return }
        context.metrics.streams.add(-1)
        context.metrics.open.add()
    }

    private func endStream(_ handle: StreamHandle) {
        if handle.isChunked { ChunkEncoder.end(in: &context.writer.pointee.body) }
        work = .none
        uncount(handle)
        handle.end(handle.isShuttingDown ? .shutdown : .finished)
        goOn(continuesBehindStream && !context.isStopping)
        flush()
    }

    // MARK: - Stopping

    /// The server stops: what has no whole request head closes now, the rest behind its answer.
    func serverStops() {
        switch state.phase {
        case .idle, .head, .closing:
            state.enter(.closing, now: now)
            if connection.unsentBytes == 0 { connection.close() } else { updateDeadline() }
        case .streaming:
            guard case .streaming(let handle) = work else { return }
            handle.isShuttingDown = true
            handle.source?.shutdown()
            produceStream(handle)
        default:
            break
        }
    }
}
