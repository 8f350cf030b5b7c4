package import FreshetHTTPClient
package import FreshetRefresh

/// Requests to one base address, by the process's outgoing client.
package struct HTTPTransport: UpstreamTransport {
    let base: UpstreamBase
    private let route: HTTPRoute
    private let clock: any OperationClock

    package init(
        base: UpstreamBase, route: HTTPRoute = HTTPRoute(),
        clock: any OperationClock = SystemOperationClock()
    ) {
        self.base = base
        self.route = route
        self.clock = clock
    }

    package func send(
        _ request: UpstreamRequest
    ) async throws(UpstreamError) -> UpstreamResponse {
        let client = try OutgoingHTTP.get().requests
        return try await OutgoingHTTP.follow(request, from: base, clock) {
            ($0.status, $0.header("Location"))
        } exchange: { (path, deadline) async throws(UpstreamError) -> UpstreamResponse in
            try await exchange(request, path, client, until: deadline)
        }
    }

    private func exchange(
        _ request: UpstreamRequest, _ path: String, _ client: HTTPClient, until deadline: Duration
    ) async throws(UpstreamError) -> UpstreamResponse {
        let receiver = AnswerReceiver(request)
        let transfer = submit(request, path, client, receiver)
        // A caller that gives up is answered at once; the transfer ends later.
        let alarm = clock.schedule(at: deadline) {
            receiver.answer.fulfil(.failure(.timeout))
            transfer.cancel(.timeout)
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            await receiver.answer.value()
        } onCancel: {
            receiver.answer.fulfil(.failure(.cancelled))
            transfer.cancel()
        }.get()
    }

    private func submit(
        _ request: UpstreamRequest, _ path: String, _ client: HTTPClient,
        _ receiver: AnswerReceiver
    ) -> HTTPTransfer {
        var call = HTTPCall(request, to: path, of: base, by: route)
        call.bodyLimit = request.maxBody
        return client.submit(call, receiver)
    }
}

/// Takes one whole answer.
// SAFETY: `response` belongs to the client's thread; the promise hands a copy over.
private final class AnswerReceiver: HTTPReceiver, @unchecked Sendable {
    let answer = Promise<Result<UpstreamResponse, UpstreamError>>()
    private let request: UpstreamRequest
    private var response = UpstreamResponse(status: 0)

    init(_ request: UpstreamRequest) {
        self.request = request
    }

    func head(_ head: HTTPHead) {
        response.status = head.status
        response.headers = head.fields.map { ($0.name, $0.value) }
    }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        response.body.append(contentsOf: bytes)
        return true
    }

    func end(_ fault: HTTPFault?) {
        answer.fulfil(fault.map { .failure(UpstreamError($0, of: request)) } ?? .success(response))
        response.body = []
    }
}
