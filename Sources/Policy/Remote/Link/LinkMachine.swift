package import FreshetRefresh

// What is known of the way to one upstream, and when it is asked anew.
//
//     connected ── a run's last try or a probe gets no answer ──▶ disconnected
//         ▲  ◀───────────────── any HTTP answer ───────────────────────┘
//         │
//         └── the time has come ── limited ◀── 429 or 503 with Retry-After
//
// An answer of whatever status is proof of a way there. A missing one is proof of nothing until the
// tries are used up: a run that succeeds with its third try has found the way open. So failures are
// told of last tries only (`Upstream.countFailure`), and of probes, which have one.
//
// `limited` stands beside the way: the upstream is there and asks to be left alone. Later answers do
// not shorten that time, since they may have been on their way before it began or come from a part
// that is not limited, such as a health check. When the way is lost meanwhile, the time goes on.
//
// Two probes exist. The *configured* one runs for ever in its rhythm and decides about health: `rise`
// good answers in a row make it healthy, `fall` others unhealthy. The *recovery* probe runs while the
// way is lost and somebody cares, 5 s after the loss, then after twice as long each time, up to 2 min;
// any answer ends it. Both tell the way as requests do. At most one of them is under way.

/// The rules of one upstream's link. Pure: instants come in, due probes go out.
package struct LinkMachine: Sendable {
    package enum ProbeKind: Sendable {
        case configured, recovery
        /// Somebody has asked for it, of an upstream without a configured probe.
        case asked
    }

    /// What a probe has met.
    package enum ProbeResult: Sendable {
        case answered(status: Int, retryAfter: Duration?)
        case failed(UpstreamError)
        /// It was given up; it says nothing.
        case cancelled
    }

    package struct ProbeCounts: Sendable, Equatable {
        /// Answers of the configured probe.
        package var good = 0
        package var bad = 0
        /// Recovery probes, whatever they met.
        package var recoveries = 0
    }

    static let firstRecovery = Duration.seconds(5)
    static let longestRecovery = Duration.seconds(120)

    private let probe: UpstreamSettings.Probe?
    package private(set) var state = LinkLevel.connected
    /// When `state` came to be.
    package private(set) var since: Duration
    /// false before the first verdict, and for an upstream without a probe.
    package private(set) var isHealthy = false
    /// Until when the upstream has asked to be left alone.
    package private(set) var limitedUntil: Duration?
    package private(set) var counts = ProbeCounts()
    /// The newest failure of the way, kept after it has come back.
    package private(set) var lastFailure: (error: UpstreamError, at: Duration)?

    private var isDown = false
    /// Verdicts in a row that speak against the present one.
    private var streak = 0
    private var probeAt: Duration?
    private var recoveryAt: Duration?
    private var recoveryPause = Self.firstRecovery
    private var underWay: ProbeKind?
    private var isCaredFor = false

    package init(probe: UpstreamSettings.Probe?, now: Duration) {
        self.probe = probe
        since = now
    }

    /// When there is something to do next; nil: never.
    package var nextWake: Duration? {
        let probes = underWay == nil ? [probeAt, recoveryAt] : []
        return (probes + [limitedUntil]).compactMap { $0 }.min()
    }

    /// When the next recovery probe is due.
    package var nextRecovery: Duration? { recoveryAt }

    // MARK: What happens

    /// Begins with the configured probe.
    package mutating func start(at now: Duration) {
        if probe != nil { probeAt = now }
    }

    /// An answer has come.
    package mutating func answered(status: Int, retryAfter: Duration?, at now: Duration) {
        isDown = false
        recoveryAt = nil
        recoveryPause = Self.firstRecovery
        if status == 429 || status == 503, let retryAfter {
            limitedUntil = max(limitedUntil ?? .zero, now + retryAfter)
        }
        settle(at: now)
    }

    /// A run's last try has failed on the way.
    package mutating func failed(_ error: UpstreamError, at now: Duration) {
        lastFailure = (error, now)
        if !isDown {
            isDown = true
            recoveryPause = Self.firstRecovery
            planRecovery(at: now)
        }
        settle(at: now)
    }

    /// Whether something depends on the link, so that it is worth asking for its recovery.
    package mutating func care(_ cares: Bool, at now: Duration) {
        guard cares != isCaredFor else { return }
        isCaredFor = cares
        recoveryPause = Self.firstRecovery
        if cares { planRecovery(at: now) } else { recoveryAt = nil }
    }

    /// Takes over what time alone has changed, and names the probe that is due; it counts as under
    /// way from here on until `ended`.
    package mutating func wake(at now: Duration) -> ProbeKind? {
        settle(at: now)
        guard underWay == nil else { return nil }
        if let due = probeAt, due <= now {
            underWay = .configured
        } else if let due = recoveryAt, due <= now {
            underWay = .recovery
        }
        return underWay
    }

    /// Somebody asks for a probe, which counts as the configured one where there is one.
    ///
    /// - Returns: Whether it is to be begun; else one is under way.
    package mutating func ask(at now: Duration) -> Bool {
        settle(at: now)
        guard underWay == nil else { return false }
        underWay = probe == nil ? .asked : .configured
        return true
    }

    /// A probe has ended.
    package mutating func ended(_ result: ProbeResult, at now: Duration) {
        guard let kind = underWay else { return }
        underWay = nil
        if kind == .recovery {
            recoveryAt = nil
            recoveryPause = min(recoveryPause * 2, Self.longestRecovery)
            counts.recoveries += 1
        }
        var isGood = false
        switch result {
        case .cancelled: break
        case .answered(let status, let retryAfter):
            isGood = probe?.accepts(status) ?? false
            answered(status: status, retryAfter: retryAfter, at: now)
        case .failed(let error):
            failed(error, at: now)
        }
        if kind == .configured, let probe {
            probeAt = now + probe.every
            if case .cancelled = result {} else { judge(isGood, probe) }
        }
        planRecovery(at: now)
        settle(at: now)
    }

    // MARK: Rules

    private mutating func planRecovery(at now: Duration) {
        guard isDown, isCaredFor, recoveryAt == nil else { return }
        recoveryAt = now + recoveryPause
    }

    private mutating func judge(_ isGood: Bool, _ probe: UpstreamSettings.Probe) {
        if isGood { counts.good += 1 } else { counts.bad += 1 }
        guard isGood != isHealthy else { return streak = 0 }
        streak += 1
        guard streak >= (isGood ? probe.rise : probe.fall) else { return }
        isHealthy = isGood
        streak = 0
    }

    private mutating func settle(at now: Duration) {
        if let until = limitedUntil, until <= now { limitedUntil = nil }
        let settled: LinkLevel =
            isDown ? .disconnected : limitedUntil != nil ? .limited : .connected
        guard settled != state else { return }
        state = settled
        since = now
    }
}

extension UpstreamSettings.Probe {
    /// Whether `status` is a good answer.
    func accepts(_ status: Int) -> Bool {
        expect.isEmpty ? (200...299).contains(status) : expect.contains(status)
    }
}
