import FreshetBase
package import FreshetHTTPClient
package import FreshetRefresh
import Synchronization

/// Streams of one base address, by the process's outgoing client.
///
/// A consumer that is slow makes the upstream slow: what it leaves untaken is bounded, and past that
/// the connection is not read.
package final class HTTPStreams: StreamTransport {
    let base: UpstreamBase
    private let route: HTTPRoute
    private let clock: any OperationClock
    private let bufferLimit: Int
    private let running = Atomic<Int>(0)

    /// Streams at a time; further ones are turned away. The client keeps as many connections.
    static let maximumStreams = 4_096

    /// - Parameter bufferLimit: Bytes of a stream that may wait for its consumer.
    package init(
        base: UpstreamBase, route: HTTPRoute = HTTPRoute(), bufferLimit: Int = 256 << 10,
        clock: any OperationClock = SystemOperationClock()
    ) {
        self.base = base
        self.route = route
        self.bufferLimit = bufferLimit
        self.clock = clock
    }

    package func open(_ request: UpstreamRequest) async throws(UpstreamError) -> ByteStream {
        let client = try OutgoingHTTP.get().streams
        return try await OutgoingHTTP.follow(request, from: base, clock) {
            ($0.status, $0.header("Location"))
        } exchange: { (path, deadline) async throws(UpstreamError) -> ByteStream in
            try await exchange(request, path, client, until: deadline)
        }
    }

    private func exchange(
        _ request: UpstreamRequest, _ path: String, _ client: HTTPClient, until deadline: Duration
    ) async throws(UpstreamError) -> ByteStream {
        guard takePlace() else { throw .saturated(limit: Self.maximumStreams) }
        let receiver = start(request, path, client)
        let alarm = clock.schedule(at: deadline) { receiver.giveUp(.timeout) }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            await receiver.opened.value()
        } onCancel: {
            receiver.giveUp(.cancelled)
        }.get()
    }

    @inline(never)
    private func start(
        _ request: UpstreamRequest, _ path: String, _ client: HTTPClient
    ) -> StreamReceiver {
        var call = HTTPCall(request, to: path, of: base, by: route)
        call.takesCoding = false
        call.isQuiet = true
        let receiver = StreamReceiver(request, bufferLimit) { [self] in giveBackPlace() }
        let transfer = client.transfer(call, receiver)
        receiver.transfer = transfer
        transfer.submit()
        return receiver
    }

    private func takePlace() -> Bool {
        let (_, count) = running.wrappingAdd(1, ordering: .relaxed)
        if count > Self.maximumStreams { giveBackPlace() }
        return count <= Self.maximumStreams
    }

    private func giveBackPlace() {
        running.wrappingSubtract(1, ordering: .relaxed)
    }
}

/// Takes one answer without an end: its head becomes a stream, which its consumer owns. A stream that
/// nobody holds ends its transfer.
// SAFETY: `stream` belongs to the client's thread; `transfer` is set before the transfer is submitted,
// and never again.
private final class StreamReceiver: HTTPReceiver, @unchecked Sendable {
    let opened = Promise<Result<ByteStream, UpstreamError>>()
    private let request: UpstreamRequest
    private let bufferLimit: Int
    private let hasEnded: @Sendable () -> Void
    private weak var stream: ByteStream?
    /// The client holds it to its end.
    weak var transfer: HTTPTransfer?

    init(
        _ request: UpstreamRequest, _ bufferLimit: Int, hasEnded: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.bufferLimit = bufferLimit
        self.hasEnded = hasEnded
    }

    /// Ends the wait for the head, unless it has come.
    func giveUp(_ error: UpstreamError) {
        if opened.fulfil(.failure(error)) { transfer?.cancel() }
    }

    // MARK: HTTPReceiver

    func head(_ head: HTTPHead) {
        let stream = ByteStream(
            status: head.status, headers: head.fields.map { ($0.name, $0.value) },
            limit: bufferLimit,
            onDrain: { [weak self] in self?.transfer?.resume() },
            onCancel: { [weak self] in self?.transfer?.cancel() })
        self.stream = stream
        if !opened.fulfil(.success(stream)) { stream.cancel() }
    }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        stream?.push(Array(bytes)) ?? false
    }

    func finish(_ fault: HTTPFault?) {
        let error = fault.map { UpstreamError($0, of: request) }
        opened.fulfil(.failure(error ?? .unreachable(.reset, detail: "no head of an answer came")))
        stream?.finish(error)
        hasEnded()
    }
}
