package import FreshetBase

/// What a replica does in its cluster.
package enum ReplicaRole: Equatable, Sendable {
    case follower, candidate, leader
    /// It applies nothing any more and writes nothing.
    case stopped(ReplicaStop)

    /// As metrics and `GET /v1/_cluster` name it.
    package var name: String {
        switch self {
        case .follower: "follower"
        case .candidate: "candidate"
        case .leader: "leader"
        case .stopped: "stopped"
        }
    }
}

/// Why a replica applies nothing any more.
package enum ReplicaStop: String, Sendable {
    /// The head is before what was applied, or of another epoch.
    case rewound = "log-rewound"
    /// A frame or head does not follow what was applied.
    case forked = "log-forked"
    /// A frame is missing, or cannot be read.
    case damaged = "log-damaged"
    /// The log is another cluster's.
    case foreign = "log-foreign"
    /// The log no longer has what comes next: a backup of another replica has it.
    case truncated = "log-truncated"
    /// The log was made anew, from the directory of some replica: `freshet cluster recover`.
    case recovered = "log-recovered"
    /// Head or frame are of a later version.
    case tooOld = "too-old"

    /// One sentence.
    package var reason: String {
        switch self {
        case .rewound: "the shared log went back behind what this replica has applied"
        case .forked: "the shared log is another one than this replica has applied"
        case .damaged: "the shared log lacks a frame, or has one that cannot be read"
        case .foreign: "the shared log is that of another cluster"
        case .truncated: "the shared log no longer has what this replica needs next"
        case .recovered: "the shared log was made anew, and begins with what another replica had"
        case .tooOld: "the shared log has frames of a later version than this one reads"
        }
    }

    /// Whether the log that is there can be followed from its beginning, or from another's backup.
    package var endsByJoining: Bool {
        switch self {
        case .rewound, .forked, .damaged, .truncated, .recovered: true
        case .foreign, .tooOld: false
        }
    }

    /// What to do, in one sentence.
    package var advice: String {
        switch self {
        case .rewound, .forked:
            "to keep what this server has beyond the log, stop all servers, remove the log from its"
                + " engine, and make it anew from this one's directory by freshet cluster recover; to"
                + " give that up, have this one join anew by POST /v1/_store/reopen, which sets its"
                + " directory aside and, where no other server follows the log, gives the log a new"
                + " epoch, so that clients begin with a snapshot"
        case .damaged:
            "it joins by itself by the backup of a server that has passed it, once one gives it; restart"
                + " it to have it try at once"
        case .foreign: "give it the log of its own cluster, or an empty directory"
        case .truncated:
            "it joins anew by itself once another server gives its backup; restart it to have it try at"
                + " once"
        case .recovered: "restart it: it joins anew by another's backup"
        case .tooOld: "install the version that the others have"
        }
    }
}

/// Where in the log a replica has found what it stops for.
package struct StopPlace: Equatable, Sendable {
    /// The last seq that it has applied.
    package let applied: UInt64
    /// The seq of the head or the frame which does not follow; of `truncated` the first one that the
    /// log still has.
    package let found: UInt64

    /// As it goes on behind the reason.
    fileprivate func text(_ stop: ReplicaStop) -> String {
        let own = "it has applied all up to seq \(applied)"
        switch stop {
        case .rewound, .recovered, .foreign, .tooOld:
            return "\(own), and the log's head is at seq \(found)"
        case .forked: return "\(own), and what the log has at seq \(found) does not follow"
        case .damaged: return "\(own), and needs seq \(found)"
        case .truncated: return "\(own), and the log begins at seq \(found)"
        }
    }
}

/// What a replica knows of its cluster, at one moment.
package struct ReplicaState: Equatable, Sendable {
    package struct Leader: Equatable, Sendable {
        package let name: String
        /// Where it takes requests.
        package let url: String
        /// Of its process.
        package let instance: UInt64
    }

    package var role = ReplicaRole.follower
    /// Where it has stopped.
    package var stop: StopPlace?
    /// It has applied the head that it found at its start.
    package var hasJoined = false
    /// Of the newest head that is known: nil where the log was not found yet.
    package var cluster: StoreID?
    package var term: UInt64 = 0
    /// Who takes writes; nil where nobody does, as far as is known, and while one hands over.
    package var leader: Leader?
    package var headSeq: UInt64 = 0
    /// When the head was last seen to move.
    package var headAt: WallTime?
    /// The first seq that the log still has.
    package var floor: UInt64 = 1
    /// Of the frames, the highest used so far.
    package var format: UInt16 = 0

    package init() {}

    /// Why it applies nothing any more, with the seqs; nil while it does.
    package var stopText: String? {
        guard case .stopped(let reason) = role else { return nil }
        return stop.map { "\(reason.reason): \($0.text(reason))" } ?? reason.reason
    }

    /// What another server's backup must have all before, so that this one can go on from it: the first
    /// commit that the log still has, or the one behind that which it lacks. nil where it follows the log,
    /// or has stopped for what no backup helps against.
    package var backupFloor: UInt64? {
        guard case .stopped(let reason) = role, let stop else { return nil }
        switch reason {
        case .truncated: return stop.found
        case .damaged: return stop.found + 1
        case .rewound, .forked, .foreign, .recovered, .tooOld: return nil
        }
    }
}

/// What the engine of a shared log was last heard to do.
package struct EngineState: Equatable, Sendable {
    /// nil where its last answer was one.
    package struct Trouble: Equatable, Sendable {
        package let since: WallTime
        package let error: String
    }

    package var trouble: Trouble?
    /// It takes nothing more, or what it has is so near to its bound that this replica, which leads,
    /// refuses writes.
    package var isFull = false
    /// Since something was heard of it, nil before anything was.
    package var silence: Duration?
}

/// Figures of a replica. Counts since its start unless said.
package struct ReplicaFigures: Equatable, Sendable {
    /// Frames put, their commits and bytes.
    package var appends = 0
    package var commits = 0
    package var bytes = 0
    package var appendDurations = Histogram.Figures()
    /// Steps that another's made impossible.
    package var conflicts = 0
    /// Steps whose outcome was not known at once, and those of which it became known.
    package var unknown = 0
    package var settled = 0
    /// Calls of the engine that failed, and tails that broke.
    package var errors = 0
    package var reconnects = 0
    /// Terms that this replica has won.
    package var takeovers = 0
    /// Now: the last seq that is applied whole, frame by frame, and bytes of the log, as far as this
    /// replica has seen them.
    package var applied: UInt64 = 0
    package var keptBytes = 0
    package var minSeqWaits = Histogram.Figures()

    package init() {}
}

/// How the configuration of a server stands to the one that its cluster's log has noted last.
package enum ConfigurationStanding: Sendable {
    case same
    /// It is none that the log knows: that of a server which rolls a change out.
    case newer
    /// The log has noted it before that one.
    case older
}

/// What other threads see of a replica, which its applier thread tells.
final class ReplicaBoard: Sendable {
    let appends = Counter()
    let commits = Counter()
    let bytes = Counter()
    let appendDurations = Histogram()
    let conflicts = Counter()
    let unknown = Counter()
    let settled = Counter()
    let errors = Counter()
    let reconnects = Counter()
    let takeovers = Counter()
    /// Now: the last seq that is applied, and bytes of the log as far as this replica has seen them.
    let applied = Counter()
    let keptBytes = Counter()
    let waiters: SeqWaiters
    private let clock: any StoreClock
    /// 1 once everything is applied that the log had at the start.
    private let joined = Counter()
    /// When something was heard of the engine last, ns; 0: nothing yet.
    private let contact = Counter()
    /// Since when it knows of commits that it has not applied, ns; 0: it has all.
    private let behindSince = Counter()
    /// Until when this replica may start what only a leader does, ns; 0: it may not.
    private let leadsUntil = Counter()
    private let lock = Lock()
    // SAFETY: touched under `lock` alone.
    nonisolated(unsafe) private var current = ReplicaState()
    /// Since when the log has noted another configuration than that of this server, ns; 0: it has not.
    private let differsSince = Counter()
    /// 1 where that of this server is an earlier note of the log.
    private let straggles = Counter()
    /// 1 where the engine has refused a step for want of space, until it takes one.
    private let isExhausted = Counter()
    /// What this replica has put, as `bytes` counts, when the engine's space is nearly used up.
    private let fullAt = Counter()
    // SAFETY: touched under `lock` alone.
    nonisolated(unsafe) private var trouble: EngineState.Trouble?

    init(clock: any StoreClock) {
        self.clock = clock
        waiters = SeqWaiters(clock: clock)
        fullAt.set(.max)
    }

    var state: ReplicaState { lock.withLock { current } }

    /// Whether what is read is at least what any process of this replica has ever shown.
    var hasJoined: Bool { joined.value > 0 }

    /// - Returns: Has anything changed of it but the log's end?
    func publish(_ next: ReplicaState) -> Bool {
        joined.set(next.hasJoined ? 1 : 0)
        return lock.withLock {
            var known = current
            known.headSeq = next.headSeq
            known.headAt = next.headAt
            defer { current = next }
            return known != next
        }
    }

    var engine: EngineState {
        var state = EngineState()
        state.trouble = lock.withLock { trouble }
        state.isFull = isFull
        state.silence = passed(since: contact)
        return state
    }

    /// Since the instant that `counter` holds; nil where it holds none.
    private func passed(since counter: Counter) -> Duration? {
        let instant = counter.value
        guard instant > 0 else { return nil }
        return max(.zero, clock.instant - MonotonicInstant(nanoseconds: UInt64(instant)))
    }

    func note(_ standing: ConfigurationStanding) {
        straggles.set(standing == .older ? 1 : 0)
        guard standing != .same else { return differsSince.set(0) }
        if differsSince.value == 0 { differsSince.set(Int(clock.instant.nanoseconds)) }
    }

    /// The server's configuration is one that others have left behind: it leads last.
    var isStraggler: Bool { straggles.value > 0 }

    /// For how long the log has noted another configuration; nil where it is that of this server.
    var differingFor: Duration? { passed(since: differsSince) }

    /// The engine has answered a request that was sent at `instant`, or told something then.
    func reached(_ instant: MonotonicInstant) {
        contact.set(Int(instant.nanoseconds))
        lock.withLock { if trouble != nil { trouble = nil } }
    }

    /// It has applied all commits of the newest head that it knows, or not.
    func isLevel(_ isLevel: Bool) {
        if isLevel {
            behindSince.set(0)
        } else if behindSince.value == 0 {
            behindSince.set(Int(clock.instant.nanoseconds))
        }
    }

    /// How old what it has applied is at most; nil where it has never heard of the engine.
    var age: Duration? {
        guard let silence = passed(since: contact) else { return nil }
        return max(silence, passed(since: behindSince) ?? .zero)
    }

    /// Whether writes are refused for want of space: nearly used up is it for who leads.
    var isFull: Bool {
        isExhausted.value > 0 || isFilled && lock.withLock { current.role == .leader }
    }

    /// Its space is nearly used up.
    var isFilled: Bool { bytes.value >= fullAt.value }

    /// The engine's space is nearly used up when this replica has put so much.
    func fills(at bytes: Int) { fullAt.set(bytes) }

    /// The engine has taken a step.
    func took() { isExhausted.set(0) }

    func failed(_ error: LogTrouble) {
        if case .full = error { isExhausted.set(1) }
        lock.withLock {
            trouble = EngineState.Trouble(
                since: trouble?.since ?? clock.wallTime, error: error.text)
        }
    }

    func leads(until instant: MonotonicInstant?) {
        leadsUntil.set(instant.map { Int($0.nanoseconds) } ?? 0)
    }

    var mayStart: Bool { clock.instant.nanoseconds < UInt64(leadsUntil.value) }

    var figures: ReplicaFigures {
        var figures = ReplicaFigures()
        figures.appends = appends.value
        figures.commits = commits.value
        figures.bytes = bytes.value
        figures.appendDurations = appendDurations.figures
        figures.conflicts = conflicts.value
        figures.unknown = unknown.value
        figures.settled = settled.value
        figures.errors = errors.value
        figures.reconnects = reconnects.value
        figures.takeovers = takeovers.value
        figures.applied = UInt64(applied.value)
        figures.keptBytes = keptBytes.value
        figures.minSeqWaits = waiters.durations.figures
        return figures
    }
}
