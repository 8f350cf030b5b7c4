import FreshetBase
import FreshetRefresh

extension Upstream {
    /// Opens a stream without an end: configured header fields and the credential are those of every
    /// request, a refused credential is renewed and the request repeated, and who watches the link is
    /// told. No place of `maxConcurrent` is held, and nothing else is tried again: that is the
    /// business of who follows the stream.
    ///
    /// - Returns: A stream of status 200 to 299.
    /// - Throws: Any other status as `.status`; what the transport throws; `.auth`.
    func openStream(_ request: UpstreamRequest) async throws(UpstreamError) -> ByteStream {
        counters.calls.add()
        do throws(UpstreamError) {
            let prepared = prepare(stream: request)
            try await permitted()
            guard let credential else { return try await connectBare(prepared) }
            return try await connect(prepared, with: credential)
        } catch {
            recordFailure(error)
            throw error
        }
    }

    @inline(never)
    private func prepare(stream request: UpstreamRequest) -> UpstreamRequest {
        var prepared = prepare(request, RemoteCall())
        prepared.timeout = min(request.timeout, settings.timeout)
        return prepared
    }

    @inline(never)
    private func recordFailure(_ error: UpstreamError) {
        counters.failures.add()
        switch error {
        case .unreachable, .timeout: notify(.failed(error))
        default: break
        }
    }

    private func connectBare(
        _ request: UpstreamRequest
    ) async throws(UpstreamError) -> ByteStream {
        let stream = try await connect(request)
        guard stream.isSuccess else { throw await stream.refusal(masking: mask) }
        return stream
    }

    private func connect(
        _ request: UpstreamRequest, with credential: any UpstreamCredential
    ) async throws(UpstreamError) -> ByteStream {
        /// The stream of the newest try.
        let opened = Shared<ByteStream?>(nil)
        let response = try await credential.perform {
            (header) async throws(UpstreamError) -> UpstreamResponse in
            var request = request
            request.set(header.0, header.1)
            let stream = try await self.connect(request)
            opened.set(stream)
            // The credential judges refusals by their bodies, too.
            return UpstreamResponse(
                status: stream.status, headers: stream.headers,
                body: stream.isSuccess ? [] : await stream.beginning())
        }
        guard let stream = opened.value, stream.isSuccess else {
            throw .status(
                response.status,
                retryAfter: RetryAfter.span(response.header("Retry-After"), now: .now),
                excerpt: Excerpt(of: response.body, masking: mask(with: credential)))
        }
        return stream
    }

    private func connect(_ request: UpstreamRequest) async throws(UpstreamError) -> ByteStream {
        guard let streams else {
            throw .unreachable(.other, detail: "this upstream has no event streams")
        }
        counters.exchanges.add()
        let stream = try await streams.open(request)
        recordAnswer(stream)
        return stream
    }

    @inline(never)
    private func recordAnswer(_ stream: ByteStream) {
        notify(
            .answered(
                status: stream.status,
                retryAfter: RetryAfter.span(stream.header("Retry-After"), now: .now)))
    }
}

extension EventStreamClient {
    /// Follows a stream of `upstream`.
    package convenience init(_ settings: EventStreamSettings, upstream: Upstream) {
        self.init(
            settings, clock: upstream.clock, random: upstream.random, mask: { upstream.mask }
        ) {
            (request) async throws(UpstreamError) -> ByteStream in
            try await upstream.openStream(request)
        }
    }
}

extension ByteStream {
    fileprivate var isSuccess: Bool { (200...299).contains(status) }
}
