package import FreshetBase
package import FreshetRefresh

/// What is told of a link, each time it changes.
package enum LinkNews: Sendable, Equatable {
    case link(LinkLevel)
    case health(Bool)
}

/// Keeps an eye on the way to one upstream: hears how its requests end, probes it, tells changes.
///
/// The rules are `LinkMachine`'s; here are the clock, the requests and those who listen. News are told
/// in the order in which they came to be, one at a time, under no lock.
// SAFETY: all mutable state is read and written under `lock`.
package final class UpstreamLink: @unchecked Sendable {
    /// What is to be seen of a link.
    package struct Report: Sendable {
        package let state: LinkLevel
        package let since: WallTime
        package let limitedUntil: WallTime?
        package let isHealthy: Bool
        package let probes: LinkMachine.ProbeCounts
        package let nextRecovery: WallTime?
        package let lastFailure: (error: UpstreamError, at: WallTime)?
    }

    /// What an asked-for probe has met.
    package struct ProbeOutcome: Sendable {
        /// Whether the answer is as `expect` of the probe says; without a probe any answer is good.
        package let isGood: Bool
        /// nil without an answer, and where it was too large.
        package let status: Int?
        package let error: UpstreamError?
        package let duration: Duration
        /// The link as it is after the probe.
        package let link: LinkLevel
        /// nil for an upstream without a probe.
        package let isHealthy: Bool?
    }

    package let upstream: Upstream
    private let clock: any OperationClock
    private let lock = Lock()
    private var machine: LinkMachine
    private var isRunning = false
    private var alarm: (at: Duration, action: ScheduledAction)?
    private var task: Task<Void, Never>?
    private var listeners: [@Sendable (LinkNews) -> Void] = []
    private var told: (state: LinkLevel, isHealthy: Bool)
    private var untold = ActionQueue<LinkNews>()
    /// Who has asked for the probe under way.
    private var askers: [@Sendable (ProbeOutcome) -> Void] = []

    package init(_ upstream: Upstream, clock: any OperationClock = SystemOperationClock()) {
        self.upstream = upstream
        self.clock = clock
        machine = LinkMachine(probe: upstream.settings.probe, now: clock.now)
        told = (machine.state, machine.isHealthy)
        upstream.observe { [weak self] outcome in self?.observed(outcome) }
    }

    package var state: LinkLevel { lock.withLock { machine.state } }

    package var isHealthy: Bool { lock.withLock { machine.isHealthy } }

    /// - Parameter now: The wall's time now, by which instants are told.
    package func report(at now: WallTime = .now) -> Report {
        let instant = clock.now
        func wall(_ other: Duration) -> WallTime { now + (other - instant) }
        return lock.withLock {
            Report(
                state: machine.state, since: wall(machine.since),
                limitedUntil: machine.limitedUntil.map(wall), isHealthy: machine.isHealthy,
                probes: machine.counts, nextRecovery: machine.nextRecovery.map(wall),
                lastFailure: machine.lastFailure.map { ($0.error, wall($0.at)) })
        }
    }

    /// Has `listener` told of every change from now on, on any thread; it must not block.
    package func observe(_ listener: @escaping @Sendable (LinkNews) -> Void) {
        lock.withLock { listeners.append(listener) }
    }

    /// Begins to probe.
    package func start() {
        step { machine, now in
            isRunning = true
            machine.start(at: now)
        }
    }

    /// Probes no more. A probe that is under way is given up.
    package func stop() {
        let (alarm, task) = lock.withLock {
            isRunning = false
            defer {
                self.alarm = nil
                self.task = nil
            }
            return (self.alarm, self.task)
        }
        alarm?.action.cancel()
        task?.cancel()
    }

    /// Says whether something depends on the link; while something does, a lost one is asked for.
    package func care(_ cares: Bool) {
        step { machine, now in machine.care(cares, at: now) }
    }

    /// Probes now; joins the probe that is under way, if there is one. It counts as any other does.
    ///
    /// - Parameter completion: Called once, on any thread.
    package func probe(_ completion: @escaping @Sendable (ProbeOutcome) -> Void) {
        step { machine, now in
            askers.append(completion)
            if machine.ask(at: now) { launch() }
        }
    }

    private func observed(_ outcome: UpstreamOutcome) {
        step { machine, now in
            switch outcome {
            case .answered(let status, let retryAfter):
                machine.answered(status: status, retryAfter: retryAfter, at: now)
            case .failed(let error): machine.failed(error, at: now)
            }
        }
    }

    // MARK: Effects

    /// Makes one step of the machine and carries out what follows.
    private func step(_ change: (inout LinkMachine, Duration) -> Void) {
        let now = clock.now
        let isMine = lock.withLock {
            change(&machine, now)
            if isRunning, machine.wake(at: now) != nil { launch() }
            setAlarm()
            queueNews()
            return untold.claim()
        }
        guard isMine else { return }
        while let (news, listeners) = lock.withLock({ untold.next().map { ($0, listeners) } }) {
            for listener in listeners { listener(news) }
        }
    }

    /// Under the lock. The clock calls nobody back meanwhile.
    private func setAlarm() {
        let wake = isRunning ? machine.nextWake : nil
        guard wake != alarm?.at else { return }
        alarm?.action.cancel()
        alarm = wake.map { instant in
            (instant, clock.schedule(at: instant) { [weak self] in self?.wake() })
        }
    }

    private func wake() {
        // Where the clock is a little early, the same instant is waited for again.
        lock.withLock { alarm = nil }
        step { _, _ in }
    }

    /// Under the lock.
    private func queueNews() {
        if machine.state != told.state { untold.append(.link(machine.state)) }
        if machine.isHealthy != told.isHealthy { untold.append(.health(machine.isHealthy)) }
        told = (machine.state, machine.isHealthy)
    }

    /// Under the lock.
    private func launch() {
        let probe = upstream.settings.probe
        let start = clock.now
        task = Task(executorPreference: PolicyExecutor.shared) { [weak self, upstream] in
            let result = await upstream.probe(
                path: probe?.path ?? "", timeout: probe?.timeout ?? UpstreamLink.recoveryTimeout)
            self?.ended(result, since: start)
        }
    }

    private func ended(_ result: LinkMachine.ProbeResult, since start: Duration) {
        var waiting: [@Sendable (ProbeOutcome) -> Void] = []
        step { machine, now in
            machine.ended(result, at: now)
            swap(&waiting, &askers)
        }
        guard !waiting.isEmpty else { return }
        let outcome = outcome(of: result, after: clock.now - start)
        for asker in waiting { asker(outcome) }
    }

    private func outcome(
        of result: LinkMachine.ProbeResult, after duration: Duration
    ) -> ProbeOutcome {
        let probe = upstream.settings.probe
        var (isGood, status, error) = (false, Int?.none, UpstreamError?.none)
        switch result {
        case .answered(let answered, _):
            isGood = probe?.accepts(answered) ?? true
            status = answered == 0 ? nil : answered
        case .failed(let failure): error = failure
        case .cancelled: error = .cancelled
        }
        return lock.withLock {
            ProbeOutcome(
                isGood: isGood, status: status, error: error, duration: duration,
                link: machine.state, isHealthy: probe == nil ? nil : machine.isHealthy)
        }
    }

    /// The time for an upstream without a probe of its own, which is asked for its base.
    private static let recoveryTimeout = Duration.seconds(2)
}

extension Upstream {
    /// Asks for `path` once: no retry, no credential, no place. Configured header fields go along.
    func probe(path: String, timeout: Duration) async -> LinkMachine.ProbeResult {
        var request = prepare(UpstreamRequest(path: path), RemoteCall())
        request.timeout = timeout
        do throws(UpstreamError) {
            try await permitted()
            let response = try await transport.send(request)
            return .answered(
                status: response.status,
                retryAfter: RetryAfter.span(response.header("Retry-After"), now: WallTime.now))
        } catch {
            switch error {
            case .cancelled: return .cancelled
            // An answer proves the way. Its status is lost with it, so it is no good one.
            case .tooLarge: return .answered(status: 0, retryAfter: nil)
            default: return .failed(error)
            }
        }
    }
}
