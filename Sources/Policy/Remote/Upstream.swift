package import FreshetBase
package import FreshetRefresh

/// One configured upstream: who wants something of it calls `perform`.
///
/// A call is one or several tries. A try waits for a place (at most `maxConcurrent` are under way),
/// makes one exchange through the transport, and ends by the time-out at the latest; the credential
/// stands around it and may have it made again. What fails and may succeed is tried again after a
/// pause (`RetryPolicy`), during which no place is held. So a hanging upstream costs its own callers
/// their time-out, and nobody else anything.
// SAFETY: `listeners` and `current` are read and written under `lock`; all else never changes or is
// safe itself.
package final class Upstream: @unchecked Sendable {
    package let settings: UpstreamSettings
    package let counters = UpstreamCounters()
    let transport: any UpstreamTransport
    /// What reaches the upstream's event streams; nil where there are none.
    let streams: (any StreamTransport)?
    private let places: UpstreamPlaces
    let clock: any OperationClock
    let random: @Sendable () -> Double
    private let permission: SendPermission
    private let userAgent: String
    /// A mask of the settings' secrets.
    private let settingsMask: SecretMask
    private let lock = Lock()
    private var current: (any UpstreamCredential)?
    private var listeners: [@Sendable (UpstreamOutcome) -> Void] = []

    /// The permission of a server that shares its data with no other.
    package static let always: SendPermission = { .now }

    /// - Parameters:
    ///   - random: Numbers from 0 to below 1, for the jitter of pauses.
    ///   - userAgent: What the service calls itself.
    ///   - permission: Asked before each request.
    package init(
        _ settings: UpstreamSettings, transport: any UpstreamTransport,
        streams: (any StreamTransport)? = nil,
        credential: (any UpstreamCredential)? = nil,
        clock: any OperationClock = SystemOperationClock(), userAgent: String = "freshet",
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        permission: @escaping SendPermission = Upstream.always
    ) {
        self.permission = permission
        self.settings = settings
        self.transport = transport
        self.streams = streams
        current = credential
        self.clock = clock
        self.random = random
        self.userAgent = userAgent
        settingsMask = SecretMask(settings.secrets)
        places = UpstreamPlaces(
            limit: settings.maxConcurrent, queueLimit: settings.maxWaiting, clock: clock)
    }

    /// The credential of now, nil for none: set by whoever keeps credentials, read with each try.
    package var credential: (any UpstreamCredential)? {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }

    /// Requests that are under way, and those that wait for a place.
    package var load: (active: Int, waiting: Int) {
        let load = places.load
        return (load.taken, load.waiting)
    }

    /// What must be taken out of this upstream's words.
    var mask: SecretMask { mask(with: credential) }

    func mask(with credential: (any UpstreamCredential)?) -> SecretMask {
        credential.map { settingsMask.adding($0.mask) } ?? settingsMask
    }

    /// Has `listener` told of every outcome from now on, on any thread; it must not block.
    package func observe(_ listener: @escaping @Sendable (UpstreamOutcome) -> Void) {
        lock.withLock { listeners.append(listener) }
    }

    /// Makes a call: sends `request` until it succeeds, fails for good, or no try is left.
    ///
    /// - Parameter request: Time-out and cap are the settings' own; its header fields replace
    ///   configured ones.
    /// - Returns: An answer of 200 to 299, or 304.
    /// - Throws: Any other as `.status`; `.unreachable`, `.timeout`, `.tooLarge`, `.auth`,
    ///   `.saturated`, and `.cancelled` at once when the task is.
    package func perform(
        _ request: UpstreamRequest, call: RemoteCall = RemoteCall()
    ) async throws(UpstreamError) -> UpstreamResponse {
        counters.calls.add()
        let prepared = prepare(request, call)
        let policy = call.retry ?? settings.retry
        let end = call.deadline.map { clock.now + $0 }
        var repeats = 0
        while true {
            let sent = Counter()
            let error: UpstreamError
            let credential = credential
            // Nothing was sent, so the upstream has not failed.
            let latest = clock.now + prepared.timeout
            try await permitted(until: min(latest, end ?? latest))
            do throws(UpstreamError) {
                let response = try await attempt(prepared, with: credential, end: end, sent)
                if (200...299).contains(response.status) || response.status == 304 {
                    return response
                }
                error = .status(
                    response.status,
                    retryAfter: RetryAfter.span(
                        response.header("Retry-After"), now: WallTime.now),
                    excerpt: Excerpt(of: response.body, masking: mask(with: credential)))
            } catch let failure {
                error = failure
            }
            guard error != .cancelled, call.repeatsUnsure || !error.leavesUnsure,
                let pause = policy.pause(after: error, repeats: repeats, random: random()),
                end.map({ clock.now + pause < $0 }) ?? true
            else {
                countFailure(error, wasSent: sent.value > 0)
                throw error
            }
            try await rest(for: pause)
            repeats += 1
            counters.retries.add()
            call.attempted?(repeats + 1)
        }
    }

    // MARK: One try

    func prepare(_ request: UpstreamRequest, _ call: RemoteCall) -> UpstreamRequest {
        var prepared = request
        prepared.headers = [("User-Agent", userAgent), ("Accept", "application/json")]
        prepared.timeout = settings.timeout
        prepared.maxBody = settings.maxBody
        prepared.mask = { [self] in mask }
        for header in settings.headers { prepared.set(header.name, header.value.reveal()) }
        for (name, value) in request.headers { prepared.set(name, value) }
        if let id = call.requestID, HeaderName.isValid(value: id) {
            prepared.set("X-Request-Id", id)
        }
        if let trace = call.traceparent, HeaderName.isValid(value: trace) {
            prepared.set("traceparent", trace)
        }
        return prepared
    }

    private func attempt(
        _ request: UpstreamRequest, with credential: (any UpstreamCredential)?, end: Duration?,
        _ sent: Counter
    ) async throws(UpstreamError) -> UpstreamResponse {
        guard let credential else { return try await exchange(request, end: end, sent) }
        return try await credential.perform {
            (header) async throws(UpstreamError) -> UpstreamResponse in
            var request = request
            request.set(header.0, header.1)
            return try await self.exchange(request, end: end, sent)
        }
    }

    /// - Parameter sent: Counts the request once it has its place.
    private func exchange(
        _ request: UpstreamRequest, end: Duration?, _ sent: Counter
    ) async throws(UpstreamError) -> UpstreamResponse {
        let now = clock.now
        let deadline = min(now + request.timeout, end ?? now + request.timeout)
        try await places.take(until: deadline)
        defer { places.giveBack() }
        var request = request
        request.timeout = deadline - clock.now
        guard request.timeout > .zero else { throw .timeout }
        counters.exchanges.add()
        sent.add()
        let start = MonotonicInstant.now
        let response: UpstreamResponse
        do throws(UpstreamError) { response = try await transport.send(request) } catch {
            // Whoever answers too much has answered.
            if case .tooLarge = error { notify(.answered(status: 0, retryAfter: nil)) }
            throw error
        }
        let end = MonotonicInstant.now
        counters.durations.record(since: start, until: end)
        counters.recent.record(end - start, at: end)
        counters.bytes.add(response.body.count)
        notify(
            .answered(
                status: response.status,
                retryAfter: response.header("Retry-After")
                    .flatMap { RetryAfter.span($0, now: WallTime.now) }))
        return response
    }

    /// Returns once a request may be sent.
    ///
    /// - Parameter end: Of `clock`; nil where whoever waits may be left at any time.
    /// - Throws: `.cancelled` where none may; `.timeout` where that is not known until `end`.
    func permitted(until end: Duration? = nil) async throws(UpstreamError) {
        while true {
            switch permission() {
            case .now: return
            case .never:
                counters.cancelled.add()
                throw .cancelled
            case .later:
                if let end, clock.now >= end { throw .timeout }
                try await rest(for: .milliseconds(50))
            }
        }
    }

    private func rest(for pause: Duration) async throws(UpstreamError) {
        guard await clock.rest(until: clock.now + pause) else { throw .cancelled }
    }

    // MARK: Outcomes

    /// - Parameter wasSent: The last try has not ended before its turn, for which the upstream is not
    ///   to blame.
    private func countFailure(_ error: UpstreamError, wasSent: Bool) {
        switch error {
        case .cancelled: counters.cancelled.add()
        case .unreachable, .timeout:
            counters.failures.add()
            if wasSent { notify(.failed(error)) }
        default: counters.failures.add()
        }
    }

    func notify(_ outcome: UpstreamOutcome) {
        for listener in lock.withLock({ listeners }) { listener(outcome) }
    }
}

/// Whether a request may be sent. Any thread.
package typealias SendPermission = @Sendable () -> SendMoment

package enum SendMoment: Sendable {
    case now
    /// Not before it is known that no other server does.
    case later
    /// Another server sends them.
    case never
}

/// What has become of a request, for whoever keeps an eye on the link.
package enum UpstreamOutcome: Sendable, Equatable {
    /// Any answer, each try's.
    case answered(status: Int, retryAfter: Duration?)
    /// No answer: `.unreachable` or `.timeout`, of a call's last try only.
    case failed(UpstreamError)
}

/// What an upstream has cost so far.
package final class UpstreamCounters: Sendable {
    package let calls = Counter()
    /// Requests that were sent: tries, and those that a credential had repeated.
    package let exchanges = Counter()
    package let retries = Counter()
    package let failures = Counter()
    package let cancelled = Counter()
    /// From a request to its whole answer.
    package let durations = Histogram()
    package let recent = RecentDurations()
    /// Bytes of answers' bodies, decoded.
    package let bytes = Counter()
    /// Elements of answers that were no entities.
    package let dropped = Counter()
}
