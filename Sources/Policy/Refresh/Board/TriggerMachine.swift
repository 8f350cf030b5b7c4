import FreshetBase

// When an operation runs by itself: the nine rules of operations.md section 3 ("Edges"), without
// threads, timers or effects.
//
// The board calls `react` once per commit that concerns the operation, with the levels of its four
// specifications after the commit and what else happened in it; out come at most one start and at most
// one cancellation. Time is two arguments; `due` and `cronDue` say when it wants to be called again.
//
//     levels of this commit ──▶ edges ──▶ settle ─┐
//     events, first subscriber ──────────────────▶├─▶ tests: gate, staleness, subscribers
//     every, cron, the end of a run ─────────────▶┘        │ all hold
//                                                          ▼
//                                   a run goes on? ──▶ join, restart, queue
//                                                          │ none
//                                                          ▼
//                                   minInterval ──▶ waits for its time, then all tests again
//                                                          │
//                                                          ▼  start
//
// What each trigger asks for:
//
//     trigger     gate*  stale           subscribers   otherwise
//     when        yes    requiresStale   if required   the edge is spent, and counted
//     subscribe   yes    yes             (there is)    nothing
//     every       yes    no              if required   waits, and fires once when they hold
//     cron        yes    no              if required   the instant is lost
//     event       yes    no              if required   the event is lost
//
// * `automatic` and `admit` both.
//
// A specification may read the status and the age of its own operation ("run again when it has failed").
// What a run does to it by beginning, or by the value of a page, is no reason to abort that run, and what
// it does by beginning or ending has the next one begin a second behind the start before at the earliest:
// else each would call for the next without end.
//
// A poll and an event are reasons of their own to run again, so that staleness, which is about what is
// known, is asked of edges only: with `every` of 30 s and `stale` after 60 s a poll comes every 30 s.

/// The levels of an operation's specifications in one snapshot.
public struct OperationLevels: Hashable, Sendable {
    /// Whether it may run by itself.
    public var gate: Bool
    public var stale: Bool
    /// The level whose rising edge runs it again.
    public var when: Bool
    /// Whether it may run at all.
    public var admit: Bool

    public init(gate: Bool, stale: Bool, when: Bool, admit: Bool) {
        self.gate = gate
        self.stale = stale
        self.when = when
        self.admit = admit
    }
}

extension OperationLevels {
    /// What may not run at all may not run by itself.
    var mayRunByItself: Bool { gate && admit }

    /// Whether somebody who is shown both sees a difference.
    func isShown(otherThan other: OperationLevels) -> Bool {
        gate != other.gate || stale != other.stale || admit != other.admit
    }
}

/// What became of the edges of `refetch.when`.
public struct EdgeCounters: Hashable, Sendable {
    public var rises = 0
    public var falls = 0
    /// Runs that edges started.
    public var runs = 0
    /// Edges that were spent, by what did not hold.
    public var skippedByGate = 0
    public var skippedFresh = 0
    public var skippedWithoutSubscribers = 0

    public init() {}
}

/// The rules. Times are nanoseconds.
struct TriggerMachine {
    /// What happened to the operation in one commit, beside its levels.
    struct News {
        var hasFirstSubscriber = false
        /// An event that `refetch.on` names.
        var hasEvent = false
        var runBegan: RunOrigin?
        /// A value has come, as that of a page while the others are fetched.
        var hasNewValue = false
        /// When a run has ended, `.max` where it is with this commit.
        var runEnded: Int64?
        /// The clock of `cronDue` was set.
        var wallJumped = false
        /// It is as new.
        var isNew = false
    }

    enum Action: Equatable {
        case start(RunOrigin, restarting: Bool)
        case cancelTriggered
        case evict
    }

    /// Automatic starts that wait for their time.
    private struct Owed {
        var origins: Candidates
        var due: Int64
    }

    /// From one automatic start to the next that the end of a run has called for.
    private static let ownPause: Int64 = 1_000_000_000
    /// A cron instant that is looked at later than this is missed.
    private static let lateness: Int64 = 60_000_000_000

    private(set) var counters = EdgeCounters()
    /// The run that goes on, or that was just asked for.
    private(set) var run: RunOrigin?
    private var when = false
    private var settled: Int64?
    private var owed: Owed?
    /// What asked for a run while one was going on.
    private var followUp = Candidates()
    /// What has joined the run last, and when. The run may have been over by then without the board
    /// knowing: its end is told a moment after everybody can see it.
    private var joined: (origin: RunOrigin, at: Int64)?
    /// Automatic starts that have met a run.
    private var metRuns = 0
    private var pollDue: Int64?
    private var isPollOverdue = false
    private var cronInstant: Int64?
    private var lastStart: Int64?
    private var evictDue: Int64?
    private var subscribers = 0

    /// When it wants to be called, on the board's clock.
    var due: Int64 {
        var due = min(settled ?? .max, min(owed?.due ?? .max, evictDue ?? .max))
        if run == nil, !isPollOverdue, let pollDue { due = min(due, pollDue) }
        return due
    }

    /// When a poll or a cron instant is due next, since 1970; nil behind a gate, where the one waits and
    /// the other is lost.
    func nextRun(_ levels: OperationLevels, wallAhead: Int64) -> Int64? {
        guard levels.mayRunByItself else { return nil }
        let poll = pollDue.map { $0.addingSaturated(wallAhead) } ?? .max
        let next = min(poll, cronDue)
        return next == .max ? nil : next
    }

    /// Why what has asked for a run since `before`, the machine as it was, has begun none; nil where
    /// nothing has asked.
    func reason(since before: TriggerMachine) -> BoardForecast.Reason? {
        if counters.skippedByGate > before.counters.skippedByGate { return .gate }
        if counters.skippedFresh > before.counters.skippedFresh { return .fresh }
        if counters.skippedWithoutSubscribers > before.counters.skippedWithoutSubscribers {
            return .subscribers
        }
        if settled != nil, before.settled == nil { return .settle }
        if let owed, owed.origins != before.owed?.origins { return .minInterval }
        return metRuns > before.metRuns ? .loading : nil
    }

    /// When it wants to be called, by the wall clock.
    var cronDue: Int64 { cronInstant ?? .max }

    /// Rule 3: remembers how things stand, and runs nothing. What waited is given up; a run goes on.
    mutating func takeBaseline(
        _ levels: OperationLevels, subscribers: Int, _ settings: OperationSettings, now: Int64,
        wall: Int64
    ) {
        when = levels.when
        self.subscribers = subscribers
        settled = nil
        owed = nil
        followUp = Candidates()
        joined = nil
        isPollOverdue = false
        pollDue = settings.refetch.every.map { now.addingSaturated($0.nanoseconds) }
        setCron(settings, after: wall)
        setEviction(settings, now)
    }

    mutating func react(
        to news: News, _ levels: OperationLevels, subscribers: Int,
        _ settings: OperationSettings, now: Int64, wall: Int64, _ actions: inout [Action]
    ) {
        precondition(subscribers >= 0, "as many have left as have come at most")
        precondition(actions.isEmpty, "what came of the last commit was carried out")
        let refetch = settings.refetch
        if news.isNew {
            counters = EdgeCounters()
            takeBaseline(levels, subscribers: subscribers, settings, now: now, wall: wall)
        }
        let wasRunning = run != nil
        let couldBeEvicted = self.subscribers == 0 && !wasRunning
        self.subscribers = subscribers
        if let origin = news.runBegan {
            run = origin
            joined = nil
            isPollOverdue = false
            pollDue = nil
        }
        var candidates = Candidates()
        if let instant = news.runEnded, news.runBegan == nil {
            endRun(refetch, instant: instant, now: now, candidates: &candidates)
        }
        takeEdges(
            levels, with: news, refetch: refetch, now: now, candidates: &candidates,
            actions: &actions)
        takeDueTimes(
            settings, now: now, wall: wall, wallJumped: news.wallJumped, candidates: &candidates)
        if news.hasEvent { candidates.insert(.event) }
        if news.hasFirstSubscriber { candidates.insert(.subscribe) }
        if isPollOverdue { candidates.insert(.every) }
        if let action = choose(candidates, levels: levels, refetch: refetch, now: now) {
            actions.append(action)
        }
        if couldBeEvicted != (subscribers == 0 && run == nil) || wasRunning != (run != nil) {
            setEviction(settings, now)
        } else if let due = evictDue, due <= now {
            evictDue = nil
            actions.append(.evict)
        }
    }

    // MARK: What asks for a run

    private struct Candidates: Equatable {
        private var bits: UInt8 = 0

        mutating func insert(_ origin: RunOrigin) {
            assert(Self.bit(origin) != 0, "nobody else has it run by itself")
            bits |= Self.bit(origin)
        }

        mutating func remove(_ origin: RunOrigin) { bits &= ~Self.bit(origin) }
        mutating func formUnion(_ other: Candidates) { bits |= other.bits }
        func contains(_ origin: RunOrigin) -> Bool { bits & Self.bit(origin) != 0 }
        var isEmpty: Bool { bits == 0 }

        private static func bit(_ origin: RunOrigin) -> UInt8 {
            switch origin {
            case .when: 1
            case .subscribe: 2
            case .every: 4
            case .cron: 8
            case .event: 16
            case .manual, .controller, .mutation: 0
            }
        }
    }

    /// Rule 7: the poll counts from here, and what waited for the end follows, as does what came
    /// behind it.
    private mutating func endRun(
        _ refetch: RefetchSettings, instant: Int64, now: Int64, candidates: inout Candidates
    ) {
        run = nil
        if let joined, joined.at >= instant { candidates.insert(joined.origin) }
        joined = nil
        isPollOverdue = false
        pollDue = refetch.every.map { now.addingSaturated($0.nanoseconds) }
        candidates.formUnion(followUp)
        followUp = Candidates()
    }

    /// Rules 4 and 5.
    private mutating func takeEdges(
        _ levels: OperationLevels, with news: News, refetch: RefetchSettings, now: Int64,
        candidates: inout Candidates, actions: inout [Action]
    ) {
        guard levels.when != when else { return }
        when = levels.when
        if when {
            counters.rises += 1
            var time = now.addingSaturated(refetch.settle.nanoseconds)
            if news.runBegan != nil {
                time = max(time, now.addingSaturated(Self.ownPause))
            } else if news.runEnded != nil, let lastStart {
                time = max(time, lastStart.addingSaturated(Self.ownPause))
            }
            if time > now {
                settled = time
            } else {
                candidates.insert(.when)
            }
            return
        }
        counters.falls += 1
        settled = nil
        // An event or a poll that waits for the same time is still due.
        owed?.origins.remove(.when)
        if owed?.origins.isEmpty == true { owed = nil }
        followUp.remove(.when)
        candidates.remove(.when)
        if joined?.origin == .when { joined = nil }
        let isOwn = news.runBegan != nil || news.hasNewValue
        if refetch.onFall == .cancel, run == .when, !isOwn {
            actions.append(.cancelTriggered)
        }
    }

    private mutating func takeDueTimes(
        _ settings: OperationSettings, now: Int64, wall: Int64, wallJumped: Bool,
        candidates: inout Candidates
    ) {
        if let time = settled, time <= now {
            settled = nil
            candidates.insert(.when)
        }
        if let waiting = owed, waiting.due <= now {
            owed = nil
            candidates.formUnion(waiting.origins)
        }
        if run == nil, let time = pollDue, time <= now {
            pollDue = nil
            isPollOverdue = true
        }
        if let instant = cronInstant, instant <= wall {
            if wall - instant < Self.lateness, !wallJumped { candidates.insert(.cron) }
            setCron(settings, after: wall)
        } else if wallJumped {
            setCron(settings, after: wall)
        }
    }

    private mutating func setCron(_ settings: OperationSettings, after wall: Int64) {
        let second: Int64 = 1_000_000_000
        cronInstant = settings.refetch.cron?.next(after: wall.floorDivided(by: second))
            .map { $0.multipliedReportingOverflow(by: second) }
            .flatMap { $0.overflow ? nil : $0.partialValue }
    }

    private mutating func setEviction(_ settings: OperationSettings, _ now: Int64) {
        guard let span = settings.evictAfter, subscribers == 0, run == nil else {
            evictDue = nil
            return
        }
        evictDue = now.addingSaturated(span.nanoseconds)
    }

    // MARK: Tests

    /// Tests every candidate; rule 8: several of them start one run.
    private mutating func choose(
        _ candidates: Candidates, levels: OperationLevels, refetch: RefetchSettings,
        now: Int64
    ) -> Action? {
        guard !candidates.isEmpty else { return nil }
        let hasSubscribers = subscribers > 0 || !refetch.requiresSubscribers
        let isOpen = levels.mayRunByItself
        var origin: RunOrigin?
        if candidates.contains(.when) {
            if !isOpen {
                counters.skippedByGate += 1
            } else if refetch.requiresStale, !levels.stale {
                counters.skippedFresh += 1
            } else if !hasSubscribers {
                counters.skippedWithoutSubscribers += 1
            } else {
                origin = .when
            }
        }
        guard isOpen else { return nil }
        if origin == nil, candidates.contains(.subscribe), levels.stale, subscribers > 0 {
            origin = .subscribe
        }
        guard hasSubscribers else { return nil }
        if origin == nil, candidates.contains(.every) { origin = .every }
        if origin == nil, candidates.contains(.cron) { origin = .cron }
        if origin == nil, candidates.contains(.event) { origin = .event }
        guard let origin else { return nil }
        return start(origin, hasEvent: candidates.contains(.event), refetch, now)
    }

    private mutating func start(
        _ origin: RunOrigin, hasEvent: Bool, _ refetch: RefetchSettings, _ now: Int64
    ) -> Action? {
        if run != nil {
            metRuns += 1
            switch refetch.during {
            case .join:
                joined = (origin, now)
                // What the run reads may be older than the event.
                if hasEvent { followUp.insert(.event) }
                return nil
            case .queue:
                followUp.insert(origin)
                if hasEvent { followUp.insert(.event) }
                return nil
            case .restart: break
            }
        }
        let interval = refetch.minInterval.nanoseconds
        if let last = lastStart, interval > 0 {
            let earliest = last.addingSaturated(interval)
            if earliest > now {
                var origins = owed?.origins ?? Candidates()
                origins.insert(origin)
                if hasEvent { origins.insert(.event) }
                owed = Owed(origins: origins, due: earliest)
                return nil
            }
        }
        let restarts = run != nil
        owed = nil
        followUp = Candidates()
        joined = nil
        isPollOverdue = false
        pollDue = nil
        lastStart = now
        run = origin
        if origin == .when { counters.runs += 1 }
        return .start(origin, restarting: restarts)
    }
}
