import FreshetBase

/// The rules of a dependency, without threads, tasks or timers: time comes in as an argument, what
/// is to be done goes out. `Dependency` carries it out under its lock.
struct DependencyMachine<Value: Sendable>: Sendable {
    /// What one caller has gone through so far.
    struct Request: Sendable {
        /// Renewals that it has waited for to a good end; the first acquisition is none.
        var refreshes = 0
        /// How often it has been handed a value.
        var attempts = 0
    }

    enum Admission {
        /// Use this value and report what it came to.
        case proceed(Value, version: UInt64)
        /// A refresh runs: wait for its end.
        case join
        /// Begin the refresh of this number, then wait for its end.
        case start(refresh: UInt64, previous: Value?)
        case fail(DependencyError)
    }

    enum Report: Sendable {
        case accepted
        case refused
        case critical(reason: String)
    }

    enum Verdict: Equatable {
        case done
        /// Ask to be admitted again.
        case again
        case fail(DependencyError)
    }

    enum RefreshEnd: Sendable {
        case renewed(RenewedValue<Value>)
        case failed(reason: String)
        case timedOut
        case critical(reason: String)
    }

    private enum Phase {
        case empty
        case ready
        case failed(until: Duration, Failure)
        case critical(reason: String)
    }

    private enum Failure {
        /// The last refresh ended without a value.
        case refresh(reason: String)
        /// As many renewed values as the policy allows were refused in a row.
        case loop
    }

    let policy: DependencyPolicy
    private(set) var version: UInt64
    private(set) var counts = DependencyStatus.Counts()
    /// The number of the refresh that runs.
    private(set) var refresh: UInt64?

    private var phase = Phase.empty
    private(set) var value: Value?
    private var expires: Duration?
    /// The newest value was refused.
    private var isRefused = false
    /// The refresh that runs brings a value where there was none.
    private var isAcquiring = false
    /// The newest value came in place of another and nobody has been able to use it yet.
    private var isUnproven = false
    /// Renewed values refused in a row with none accepted between.
    private var row = 0
    private var lastRefresh: UInt64 = 0
    private var lastEnd: Duration?

    init(policy: DependencyPolicy, version: UInt64) {
        self.policy = policy
        self.version = version
    }

    var isCritical: Bool {
        if case .critical = phase { return true }
        return false
    }

    // MARK: Callers

    /// The common case alone: hands out the newest value where nothing speaks against it.
    mutating func proceed(_ request: inout Request, now: Duration) -> (Value, version: UInt64)? {
        guard refresh == nil, case .ready = phase, let value, !isRefused,
            !expires(within: policy.skew, of: now), request.attempts < maxAttempts
        else { return nil }
        request.attempts += 1
        return (value, version)
    }

    mutating func admit(_ request: inout Request, now: Duration) -> Admission {
        if case .critical(let reason) = phase {
            return .fail(.critical(reason: reason, isFinder: false))
        }
        if let (value, version) = proceed(&request, now: now) {
            return .proceed(value, version: version)
        }
        guard request.refreshes < policy.maxRefreshes, request.attempts < maxAttempts else {
            return .fail(loop(after: request.refreshes))
        }
        if refresh != nil { return .join }
        if case .failed(let until, let failure) = phase, now < until {
            switch failure {
            case .refresh(let reason):
                return .fail(.refreshFailed(reason: reason, retryIn: until - now, isFinder: false))
            case .loop: return .fail(loop(after: row))
            }
        }
        if let lastEnd, now < lastEnd.addingSaturated(policy.cooldown) {
            if let value, !expires(within: .zero, of: now), !isRefused, case .ready = phase {
                request.attempts += 1
                return .proceed(value, version: version)
            }
            return .fail(
                .refreshFailed(
                    reason: "the last refresh is too recent for another",
                    retryIn: lastEnd.addingSaturated(policy.cooldown) - now, isFinder: false))
        }
        lastRefresh += 1
        refresh = lastRefresh
        isAcquiring = value == nil
        counts.refreshes += 1
        return .start(refresh: lastRefresh, previous: value)
    }

    /// Takes what a use of `version` came to.
    mutating func judge(_ report: Report, of version: UInt64, now: Duration) -> Verdict {
        precondition(version <= self.version, "what is judged was handed out")
        let isNewest = version == self.version && value != nil
        switch report {
        case .accepted:
            counts.accepted += 1
            if isNewest {
                // A refusal stands: the acceptance may be of a request that left before it.
                row = 0
                isUnproven = false
                // It refutes a loop all the same.
                if case .failed(_, .loop) = phase { phase = .ready }
            }
            return .done
        case .refused:
            counts.refused += 1
            guard isNewest, !isRefused else {
                counts.late += 1
                return .again
            }
            isRefused = true
            guard isUnproven else { return .again }
            row += 1
            // A renewal that runs, since the value expires soon, decides instead.
            guard row >= policy.maxRefreshes, refresh == nil, !isCritical else { return .again }
            phase = .failed(until: now.addingSaturated(policy.retryFailedAfter), .loop)
            return .fail(loop(after: row, isFinder: true))
        case .critical(let reason):
            if case .critical(let known) = phase {
                return .fail(.critical(reason: known, isFinder: false))
            }
            // An old value says nothing about the new one.
            guard isNewest else { return .again }
            phase = .critical(reason: reason)
            return .fail(.critical(reason: reason, isFinder: true))
        }
    }

    // MARK: The refresh

    /// How a refresh leaves those who wait for it.
    enum Settlement {
        /// - `isRenewal`: The value came in place of another.
        case proceed(Value, version: UInt64, isRenewal: Bool)
        case fail(DependencyError)

        /// The settlement of all other waiters: the first one alone is the finder of a failure.
        var ofOthers: Settlement {
            switch self {
            case .fail(.refreshFailed(let reason, let retryIn, _)):
                .fail(.refreshFailed(reason: reason, retryIn: retryIn, isFinder: false))
            case .fail(.critical(let reason, _)):
                .fail(.critical(reason: reason, isFinder: false))
            case .proceed, .fail: self
            }
        }
    }

    /// Takes the end of the refresh `number`, which began at `began`.
    ///
    /// - Returns: The settlement of the first waiter (`ofOthers` is that of all others); nil where the
    ///   refresh was given up before, and its result comes too late to count.
    mutating func finish(
        _ number: UInt64, with end: RefreshEnd, began: Duration, now: Duration
    ) -> Settlement? {
        guard number == refresh else { return nil }
        refresh = nil
        lastEnd = now
        switch end {
        case .renewed(let renewed):
            take(renewed.value, expires: renewed.lifetime.map { began.addingSaturated($0) })
            isUnproven = !isAcquiring
            // Nobody waits in a critical phase. The value is kept: it may have cost the old one.
            if isCritical { return nil }
            phase = .ready
            return .proceed(renewed.value, version: version, isRenewal: !isAcquiring)
        case .timedOut:
            counts.timeouts += 1
            return fail("the refresh took longer than \(policy.refreshTimeout)", now: now)
        case .failed(let reason):
            return fail(reason, now: now)
        case .critical(let reason):
            counts.failures += 1
            if isCritical { return nil }
            phase = .critical(reason: reason)
            return .fail(.critical(reason: reason, isFinder: true))
        }
    }

    private mutating func fail(_ reason: String, now: Duration) -> Settlement? {
        counts.failures += 1
        if isCritical { return nil }
        phase = .failed(
            until: now.addingSaturated(policy.retryFailedAfter), .refresh(reason: reason))
        return .fail(
            .refreshFailed(reason: reason, retryIn: policy.retryFailedAfter, isFinder: true))
    }

    // MARK: The operator

    /// Puts a value in place and ends every fault. A refresh that runs is given up.
    mutating func store(_ value: Value, lifetime: Duration?, now: Duration) {
        take(value, expires: lifetime.map { now.addingSaturated($0) })
        isUnproven = false
        row = 0
        phase = .ready
        refresh = nil
        lastEnd = nil
    }

    /// Takes the value away and ends every fault. A refresh that runs is given up.
    mutating func empty() {
        value = nil
        expires = nil
        isRefused = false
        isUnproven = false
        row = 0
        phase = .empty
        refresh = nil
        lastEnd = nil
    }

    // MARK: Parts

    func status(now: Duration, waiting: Int) -> DependencyStatus {
        let state: DependencyStatus.State
        var retryIn: Duration?
        var reason: String?
        switch phase {
        case .empty: state = .empty
        case .ready: state = .ready
        case .failed(let until, let failure):
            state = .failed
            retryIn = max(.zero, until - now)
            reason =
                switch failure {
                case .refresh(let reason): reason
                case .loop: "refused again and again, although it was renewed"
                }
        case .critical(let why):
            state = .critical
            reason = why
        }
        assert(state != .ready || value != nil, "what is ready has a value")
        let isRefreshing = refresh != nil && state != .critical
        return DependencyStatus(
            state: isRefreshing ? .refreshing : state, version: version,
            isValid: state == .ready && value != nil && !isRefused
                && !expires(within: .zero, of: now),
            expiresIn: value == nil ? nil : expires.map { $0 - now },
            retryIn: isRefreshing ? nil : retryIn, reason: isRefreshing ? nil : reason,
            waiting: waiting, counts: counts)
    }

    /// Late refusals cost an attempt and no refresh; this bounds them where versions pass quickly.
    private var maxAttempts: Int {
        // A program may allow as many as there are numbers.
        policy.maxRefreshes < Int.max / 2 ? 2 * (policy.maxRefreshes + 1) : .max
    }

    private mutating func take(_ value: Value, expires: Duration?) {
        version += 1
        self.value = value
        self.expires = expires
        isRefused = false
    }

    private func expires(within span: Duration, of now: Duration) -> Bool {
        guard let expires else { return false }
        return expires.subtractingSaturated(span) <= now
    }

    private mutating func loop(after refreshes: Int, isFinder: Bool = false) -> DependencyError {
        counts.loops += 1
        return .refreshLoop(refreshes: refreshes, isFinder: isFinder)
    }
}
