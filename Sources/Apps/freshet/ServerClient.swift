import Dispatch
import FreshetBase
import FreshetHTTPClient
import Glibc

/// The head of an answer.
struct ResponseHead: Equatable {
    let status: Int
    /// Names in lower case.
    let headers: [(name: String, value: String)]

    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// Whether a Freshet server may have answered so. It names each request, and never answers a
    /// command with a page: that is another program's, or a proxy's own word.
    var isFromFreshet: Bool {
        let kind = (header("content-type") ?? "").prefix { $0 != ";" }.lowercased()
        if kind == "text/html" { return false }
        return header("x-request-id") != nil || kind.hasSuffix("json")
            || kind == "text/event-stream"
    }

    static func == (left: ResponseHead, right: ResponseHead) -> Bool {
        left.status == right.status && left.headers.elementsEqual(right.headers, by: ==)
    }
}

/// Requests to one server, one at a time, for a thread that waits for the answers.
///
/// A body is taken piece by piece: whoever takes it slowly makes the server slow. Owned by one thread.
final class ServerClient {
    private let server: ServerAddress
    /// Longest wait for the connection, for the answer, and for each part of it; of a bounded answer
    /// for the whole.
    private let timeout: Duration
    /// nil where requests are printed in place of being sent.
    private let client: HTTPClient?
    private var exchange: (transfer: HTTPTransfer, answer: Answer)?
    /// What it shows the server.
    private let token: AccessToken?

    /// - Parameters:
    ///   - roots: A file of authorities that are trusted in place of the system's.
    ///   - printsOnly: Whether requests are printed as commands for a shell, and none is sent.
    init(
        server: ServerAddress, timeout: Duration = .seconds(60), roots: String? = nil,
        token: AccessToken? = nil, printsOnly: Bool = false
    ) throws(CommandFailure) {
        self.server = server
        self.timeout = timeout
        self.token = token
        do throws(CurlMissing) {
            client = printsOnly ? nil : try HTTPClient(label: "freshet.command")
        } catch {
            throw .failed(error.description)
        }
        route.roots = roots
        route.unixSocket = server.unixSocket
        route.connectMilliseconds = max(1, timeout.wholeMilliseconds)
        // Whoever types an address may reach it.
        route.refused = []
    }

    private var route = HTTPRoute()
    private static let tick = Duration.milliseconds(100)
    /// When the part of an answer arrived that was handed on last.
    private(set) var arrivedAt = MonotonicInstant.now

    deinit {
        client?.stop()
    }

    /// The server, as users write it.
    var serverText: String { server.text }

    /// Whether requests are printed, and have no answer.
    var printsOnly: Bool { client == nil }

    /// Whether more of the answer has arrived already.
    var hasMore: Bool { exchange?.answer.hasPieces ?? false }

    /// Begins a request; `receive` is called before the next.
    ///
    /// - Parameters:
    ///   - path: Begins with a slash, percent-encoded.
    ///   - output: Where the body goes to, for who types the request.
    func send(
        _ method: String, _ path: String, headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil, output: String? = nil
    ) throws(CommandFailure) {
        guard let client else {
            return try show(
                method, path, headers: headers, body: body.map { .bytes($0) }, output: output)
        }
        precondition(exchange == nil, "each answer is taken before the next request")
        var call = HTTPCall(
            method: method, url: server.origin + server.prefix + path, fields: headers, body: body)
        if let token { call.fields.append(("Authorization", "Bearer \(token.text)")) }
        call.takesCoding = false
        call.route = route
        let answer = Answer()
        exchange = (client.submit(call, answer), answer)
    }

    /// Prints a request as a command for a shell.
    func show(
        _ method: String, _ path: String, headers: [(name: String, value: String)],
        body: CurlLine.Body?, output: String? = nil
    ) throws(CommandFailure) {
        try Terminal.print(
            CurlLine.text(
                method, server.origin + server.prefix + path, headers: headers, body: body,
                to: output, token: token, unixSocket: server.unixSocket, roots: route.roots)
                + "\n")
    }

    /// Takes the answer with its whole body, at most `limit` bytes.
    ///
    /// - Parameter isBounded: Whether the whole has to come within the timeout, not each part of it.
    func receive(
        limit: Int = 256 << 20, isBounded: Bool = false
    ) throws(CommandFailure) -> (head: ResponseHead, body: [UInt8]) {
        var body: [UInt8] = []
        let head = try receive(isBounded: isBounded) { _, bytes throws(CommandFailure) in
            guard body.count + bytes.count <= limit else {
                throw .failed("\(self.server.text) answered more than \(limit >> 20) MiB")
            }
            body.append(contentsOf: bytes)
        }
        return (head, body)
    }

    /// Takes the answer and hands its body on piece by piece.
    ///
    /// - Parameters:
    ///   - isBounded: Whether the whole has to come within the timeout, not each part of it.
    ///   - tick: Called ten times a second while nothing comes.
    func receive(
        isBounded: Bool = false, tick: (() throws(CommandFailure) -> Void)? = nil,
        _ consume: (ResponseHead, UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> ResponseHead {
        // What was printed has no answer: the command is done.
        guard client != nil else { throw .printed }
        guard let (transfer, answer) = exchange else {
            preconditionFailure("an answer is taken behind its request")
        }
        defer { disconnect() }
        var head: ResponseHead?
        let began = MonotonicInstant.now
        var heard = began
        while true {
            let left = isBounded ? timeout - (MonotonicInstant.now - began) : timeout
            guard left > .zero else { throw silent() }
            let (piece, wasFull) = answer.next(within: tick == nil ? left : Self.tick)
            if let tick {
                try tick()
                if piece == nil, MonotonicInstant.now - heard < timeout { continue }
                heard = .now
            }
            if wasFull { transfer.resume() }
            switch piece {
            case .head(let arrived):
                head = ResponseHead(
                    status: arrived.status,
                    headers: arrived.fields.map { ($0.name.lowercased(), $0.value) })
                if let head, !head.isFromFreshet { throw foreign(head) }
            case .body(let bytes, let time):
                arrivedAt = time
                guard let head else { throw malformed("a body came before its head") }
                var failure: CommandFailure?
                bytes.withUnsafeBytes { bytes in
                    do throws(CommandFailure) { try consume(head, bytes) } catch { failure = error }
                }
                if let failure { throw failure }
            case .end(nil):
                guard let head else { throw lost("no answer came") }
                return head
            case .end(let fault?): throw failure(fault)
            case nil: throw silent()
            }
        }
    }

    /// Gives up the exchange that is under way, if any, with its connection.
    func disconnect() {
        exchange?.transfer.cancel()
        exchange = nil
    }

    // MARK: Failures

    private func failure(_ fault: HTTPFault) -> CommandFailure {
        switch fault {
        case .unreachable(.dns, let detail):
            .unreachable("the host of \(server.text) is not known (\(detail)); check --server")
        case .unreachable(.refused, let detail):
            .unreachable(
                "no server at \(server.text) (\(detail)); start one with \"freshet serve\", or name"
                    + " another with --server")
        case .unreachable(.tls, let detail) where detail.contains("wrong version number"):
            .unreachable(
                "\(server.text) does not speak TLS (\(detail)); write http:// in place of https://")
        case .unreachable(.tls, let detail):
            .unreachable(
                "no secure connection to \(server.text) (\(detail)); --cacert FILE names the"
                    + " authorities to trust")
        case .unreachable(.reset, let detail), .unreachable(.lost, let detail): lost(detail)
        case .cancelled: lost("given up")
        case .unreachable(.other, let detail): malformed(detail)
        case .timeout: silent()
        case .headTooLarge, .bodyTooLarge: malformed("its head is too large")
        }
    }

    private func lost(_ detail: String) -> CommandFailure {
        var failure = CommandFailure.unreachable(
            "the connection to \(server.text) was lost (\(detail)); look at the server's log")
        failure.mayHaveActed = true
        return failure
    }

    private func silent() -> CommandFailure {
        let time =
            timeout < .seconds(1)
            ? "\(timeout.wholeMilliseconds) ms" : "\(timeout.components.seconds) s"
        var failure = CommandFailure.unreachable(
            "\(server.text) has not answered for \(time);"
                + " look at its log, or wait longer with --timeout")
        failure.mayHaveActed = true
        return failure
    }

    private func foreign(_ head: ResponseHead) -> CommandFailure {
        .unreachable(
            "\(server.text) answered with status \(head.status), and not as a Freshet server does;"
                + " check --server, and the proxy where one stands before it")
    }

    private func malformed(_ detail: String) -> CommandFailure {
        .failed("\(server.text) does not answer in HTTP/1.1 (\(detail)); check --server")
    }
}

/// An answer on its way from the client's thread to the one that waits.
// SAFETY: all mutable state is read and written under `lock`.
private final class Answer: HTTPReceiver, @unchecked Sendable {
    enum Piece {
        case head(HTTPHead)
        /// Bytes, and when the first of them arrived.
        case body([UInt8], MonotonicInstant)
        case end(HTTPFault?)
    }

    /// Bytes from which on the server has to wait.
    private static let limit = 1 << 20
    /// Bytes up to which a piece of the body grows while it waits: a body may come byte by byte.
    private static let leastPiece = 16 << 10

    private let lock = Lock()
    private var pieces: [Piece] = []
    private var held = 0
    /// Counts the pieces.
    private let arrived = DispatchSemaphore(value: 0)

    /// The next piece, and whether the server was told to wait and may go on now.
    ///
    /// - Returns: No piece where none comes in time.
    func next(within time: Duration) -> (piece: Piece?, wasFull: Bool) {
        let limit = DispatchTime.now() + .nanoseconds(Int(time.nanoseconds))
        guard arrived.wait(timeout: limit) == .success else { return (nil, false) }
        return lock.withLock {
            let piece = pieces.removeFirst()
            guard case .body(let bytes, _) = piece else { return (piece, false) }
            let wasFull = held >= Self.limit
            held -= bytes.count
            return (piece, wasFull && held < Self.limit)
        }
    }

    /// Whether a piece waits to be taken.
    var hasPieces: Bool { lock.withLock { !pieces.isEmpty } }

    private func add(_ piece: Piece, count: Int = 0) -> Bool {
        let hasRoom = lock.withLock {
            pieces.append(piece)
            held += count
            return held < Self.limit
        }
        arrived.signal()
        return hasRoom
    }

    func head(_ head: HTTPHead) {
        _ = add(.head(head))
    }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        grow(bytes) ?? add(.body(Array(bytes), .now), count: bytes.count)
    }

    /// Puts `bytes` to the last piece.
    ///
    /// - Returns: Whether there is room for more; nil where it has to be a piece of its own.
    private func grow(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        lock.withLock {
            guard case .body(var piece, let time)? = pieces.last, piece.count < Self.leastPiece
            else { return nil }
            // The array has one owner, so that it is not copied.
            pieces.removeLast()
            piece += bytes
            pieces.append(.body(piece, time))
            held += bytes.count
            return held < Self.limit
        }
    }

    func finish(_ fault: HTTPFault?) {
        _ = add(.end(fault))
    }
}
