import FreshetBase
import FreshetEngine
import FreshetQuery

// # One server of several
//
// Each replica holds all entities. One of them leads: it judges the writes of all, and puts what they
// change at the end of a log that an engine keeps (`SharedLog`). All others, the followers, read the
// log's tail and apply it. Nobody holds a lease and no clock is trusted:
//
//  * The log's head is one value. Whoever writes anything does so by one step of the engine that fails
//    if the head is not what the writer saw last. So a leader that was deposed, or sleeps, cannot add
//    anything, whatever it believes: its step fails by conflict.
//  * To lead is to have put a head with a greater term and one's own name, having applied everything
//    up to the head that it replaces. A follower tries that once it has heard nothing for a while; the
//    leader puts a head each second (a beat) where it has nothing else to write.
//  * A step without an answer is *settled* before anything else is done: the head is read, and says
//    whether the step was made (it is the head now, or its frame is in the log), cannot be made any
//    more (the head has moved without it), or may still be made (the head is what it was: the same
//    step again, of which the engine takes one at most). A conflict of a repeated step says nothing by
//    itself, since the first try may have been made.
//  * What needs no commit (a failed condition, an unchanged PUT) is an answer from tables, which are
//    those of the log's end only while this replica leads: it waits for one read of the head.
//
// A replica applies nothing but what is in the log, so nothing is ever shown that may be taken back.
// The chain in each frame's header says that all frames before are the same; a replica that meets a
// frame with another chain, a head before what it has applied, or a hole stops and says so.

/// The part of a replica that keeps its tables at the log's end and, where it leads, writes there.
/// Used by one thread at a time, the holder of the commit right; it waits for the engine.
final class ReplicaPath {
    typealias Role = ReplicaRole
    typealias StopReason = ReplicaStop

    typealias Settings = ReplicaSettings

    /// A step whose outcome is not known.
    private struct Step {
        let record: LogRecord?
        let head: LogHead
        let bytes: [UInt8]
        var expected: LogValue
    }

    private enum Outcome {
        /// It is made, and nothing behind it.
        case done
        /// It is made, and another has written since.
        case surpassed
        /// It was not made and never will be: another has written.
        case lost
        /// It was not made: the engine did not take it.
        case refused
        /// Nobody knows yet.
        case open
    }

    /// Events that wait to be taken, and frames that are read at once.
    private static let inboxLimit = 64
    /// Between two tries to find the log.
    private static let joinRetry = Duration.milliseconds(100)

    private let log: any SharedLog
    private let planner: BatchPlanner
    /// Where the frames that are applied are kept, so that a start needs not all of them again.
    let cache: FileSink
    private let queue: CommitQueue
    private let clock: any StoreClock
    private let settings: Settings
    /// Sleeps; the thread has nothing else to do.
    private let sleep: (Duration) -> Void
    private let random: (ClosedRange<Double>) -> Double
    /// What other threads see.
    private let board: ReplicaBoard
    /// Of this process.
    let instance: UInt64
    private var applier = FrameApplier()
    private(set) var role = Role.follower
    /// The newest head that was read, heard or put, and what it says. Equal heads have equal bytes.
    private var value = LogValue(bytes: [], revision: 0)
    private(set) var head: LogHead
    /// Of the frames that are applied.
    private(set) var chain: UInt32
    /// When it was last seen to move.
    private var headAt: WallTime?
    /// Another replica has led or was heard of, or is configured.
    private var hasOthers: Bool
    /// The process before this one that had its name, where that one led last.
    private var predecessor: UInt64?
    /// The head that was found first is applied.
    private var hasJoined = false
    /// When to look for the log again.
    private var nextJoin: MonotonicInstant
    private var unsettled: Step?
    /// What of the log was put when, and since when this replica leads.
    private var window: LogWindow
    private var ledSince: MonotonicInstant
    /// Where it has stopped.
    private var stopPlace: StopPlace?
    /// When the tail broke that has not told anything since.
    private var brokenAt: MonotonicInstant?
    /// It has given up the lead because its files failed.
    private var hasLeft = false
    /// Whether the engine's last answer to who follows was slow in coming.
    private var hasMetSlowness = false
    /// When it was asked last whether it answers, since nothing was heard.
    private var lookedAt = MonotonicInstant(nanoseconds: 0)
    /// When the head was last seen to move, and how long without that is long enough.
    private var heardAt: MonotonicInstant
    private var patienceToLead: Duration
    /// When the request was sent that was answered last, and when a head was put last.
    private var reachedAt: MonotonicInstant
    private var putAt: MonotonicInstant
    private var tail: (any SharedLogTail)?
    /// Events on their way from the tail to this thread.
    private let inbox = Counter()
    /// Set where the tail found the inbox full, and ended.
    private let hasOverrun = Counter()
    /// Hears of each change of the state but the log's end: when this replica begins to lead, having
    /// applied all, when it no longer does, and who does.
    var onChange: (ReplicaState) -> Void = { _ in }

    /// - Parameters:
    ///   - position: Of what is applied already.
    ///   - instance: Random, of this process.
    ///   - sleep: Waits for so long; tests give theirs.
    ///   - random: A number of a range; tests give theirs.
    init(
        _ settings: Settings, log: any SharedLog, opened: OpenedStore, position: ClusterPosition,
        clock: any StoreClock, board: ReplicaBoard, instance: UInt64,
        sleep: @escaping (Duration) -> Void,
        random: @escaping (ClosedRange<Double>) -> Double
    ) {
        self.settings = settings
        self.board = board
        self.log = log
        planner = opened.planner
        queue = opened.queue
        cache = opened.sink
        self.clock = clock
        self.instance = instance
        self.sleep = sleep
        self.random = random
        chain = position.chain
        hasOthers = settings.hasPeers
        head = LogHead(cluster: position.cluster, epoch: planner.epoch, chain: position.chain)
        head.seq = planner.nextSeq - 1
        nextJoin = clock.instant
        window = LogWindow(seq: planner.nextSeq - 1, at: clock.instant)
        ledSince = clock.instant
        heardAt = clock.instant
        reachedAt = clock.instant
        putAt = clock.instant
        patienceToLead = settings.takeover
    }

    // MARK: Start

    /// The head of `log`, which is made where there is none; nil where it is of a later version.
    static func find(_ log: any SharedLog, instance: UInt64) throws(LogTrouble) -> LogHead? {
        if let found = try log.head() { return LogHead(found.bytes) }
        var first = LogHead(cluster: .random(), epoch: .random())
        first.instance = instance
        do throws(LogTrouble) {
            return LogHead(try log.append(nil, head: first.encoded(), expecting: nil).bytes)
        } catch {
            // Another was faster, or this try was made all the same.
            guard error == .conflict, let found = try log.head() else { throw error }
            return LogHead(found.bytes)
        }
    }

    /// Reads the head and applies everything up to it.
    ///
    /// - Returns: false where the engine does not answer: nothing is shown yet, and it is worth
    ///   another try.
    private func join() -> Bool {
        do throws(LogTrouble) {
            let sent = clock.instant
            guard let found = try readLogHead() else { return true }
            reachedAt = sent
            guard adopt(found) else { return true }
            if head.leader == settings.replica { predecessor = head.instance }
        } catch {
            return false
        }
        guard catchUp() else { return isStopped }
        follow()
        return true
    }

    /// Calls the engine, and tells how that went.
    private func call<Value>(
        _ body: () throws(LogTrouble) -> Value
    ) throws(LogTrouble) -> Value {
        let sent = clock.instant
        do throws(LogTrouble) {
            let value = try body()
            board.reached(sent)
            return value
        } catch {
            board.errors.add()
            switch error {
            case .conflict, .truncated: board.reached(sent)
            case .unknown, .refused, .full, .away: board.failed(error)
            }
            throw error
        }
    }

    /// The log's head now; nil where there is none any more: it is stopped then.
    private func readLogHead() throws(LogTrouble) -> LogValue? {
        let found = try call({ () throws(LogTrouble) in try log.head() })
        if found == nil { stop(.rewound, at: 0) }
        return found
    }

    /// Tells the other threads what this one knows.
    private func publish() {
        let leads = role == .leader && unsettled == nil
        board.leads(until: leads ? reachedAt + settings.staleness : nil)
        let state = state
        if board.publish(state) { onChange(state) }
    }

    /// Has `onChange` hear of the state as it is.
    func announce() { onChange(state) }

    private var state: ReplicaState {
        var state = ReplicaState()
        state.role = role
        state.stop = stopPlace
        state.hasJoined = hasJoined
        state.cluster = head.cluster
        state.term = head.term
        state.headSeq = head.seq
        state.headAt = headAt
        state.floor = head.floor
        state.format = head.format
        // One of this name is this process, one before it, or one that took the name as well.
        let isOther =
            head.leader != settings.replica
            || head.instance != instance && head.instance != predecessor
        if !head.leader.isEmpty, head.successor == nil, isOther || role == .leader {
            state.leader = ReplicaState.Leader(
                name: head.leader, url: head.url, instance: head.instance)
        }
        return state
    }

    private var isStopped: Bool { if case .stopped = role { true } else { false } }

    /// - Parameter found: The seq of what does not follow.
    private func stop(_ reason: StopReason, at found: UInt64) {
        guard !isStopped else { return }
        stopPlace = StopPlace(applied: seq, found: found)
        become(.stopped(reason))
        tail?.cancel()
        tail = nil
    }

    private func become(_ next: Role) {
        guard role != next else { return }
        role = next
        if next == .leader {
            board.takeovers.add()
            ledSince = clock.instant
            predecessor = nil
        }
        publish()
    }

    // MARK: The loop

    /// Does the next thing that is due.
    ///
    /// - Returns: false where the queue is closed and empty, or, not waiting, where nothing was queued.
    func step(_ batch: inout [Submission], waiting: Bool) -> Bool {
        switch queue.take(into: &batch, waitingAtMost: waiting ? patience : .zero) {
        case .batch:
            write(batch)
            batch.removeAll(keepingCapacity: batch.capacity <= 4_096)
            tick()
            return true
        case .control(let control):
            control()
            tick()
            return true
        case .timeout:
            tick()
            cache.idle()
            return waiting
        case .closed:
            return false
        }
    }

    private var patience: Duration {
        guard hasJoined || isStopped else {
            return max(.milliseconds(1), nextJoin - clock.instant)
        }
        let due =
            switch role {
            case .stopped: Duration.seconds(60)
            case .leader: settings.beat - (clock.instant - putAt)
            case .follower, .candidate:
                min(patienceToLead - (clock.instant - heardAt), Self.silence(settings) - quiet)
            }
        let own = unsettled == nil ? max(.milliseconds(1), due) : settings.retry
        return cache.patience.map { min($0, own) } ?? own
    }

    /// What time brings.
    func tick() {
        guard !isStopped else { return }
        guard hasJoined else {
            guard clock.instant >= nextJoin else { return }
            hasJoined = join()
            nextJoin = clock.instant + Self.joinRetry
            if hasJoined {
                publish()
                board.waiters.join()
                if !isStopped, hasNobodyElse { stand() }
            }
            return
        }
        if hasOverrun.value > 0, inbox.value == 0 { follow() }
        if let step = unsettled {
            let outcome = settle(until: clock.instant)
            ended(step, outcome)
            return
        }
        switch role {
        case .leader where isUnfit && !hasLeft:
            // Whoever is whole takes over; if nobody does, this one goes on.
            hasLeft = true
            stepBack()
        case .leader where clock.instant - putAt >= settings.beat: beat()
        case .follower where isDueToStand: stand()
        case .follower where quiet >= Self.silence(settings): look()
        default: break
        }
    }

    /// Without a beat for so long a follower asks whether the engine answers.
    private static func silence(_ settings: ReplicaSettings) -> Duration { settings.beat * 3 / 2 }

    /// How long nothing was heard, and nothing asked.
    private var quiet: Duration { clock.instant - max(heardAt, lookedAt) }

    /// Asks the engine whether it answers, since no beat comes: time in which it gives no answer does not
    /// count as silence of the leader.
    private func look() {
        let asked = clock.instant
        do throws(LogTrouble) {
            _ = try readLogHead()
        } catch {
            return heard()
        }
        lookedAt = clock.instant
        if wasSlow(asked) { heard() }
    }

    /// Whether an answer was so long in coming that a leader may have had none either. One at a time: an
    /// engine that is always slow has a leader, too.
    private func wasSlow(_ asked: MonotonicInstant) -> Bool {
        guard clock.instant - asked >= settings.beat / 2 else {
            hasMetSlowness = false
            return false
        }
        guard !hasMetSlowness, head.term > 0 else { return false }
        hasMetSlowness = true
        return true
    }

    /// The leader has named this replica, or nothing was heard for long.
    private var isDueToStand: Bool {
        head.successor == settings.replica || clock.instant - heardAt > patienceToLead
    }

    /// Nobody has ever led, or the process before this one did last: there is nothing to wait for.
    private var hasNobodyElse: Bool { head.term == 0 || head.leader == settings.replica }

    /// What follows of a step that was settled late.
    private func ended(_ step: Step, _ outcome: Outcome) {
        switch outcome {
        case .open, .refused: return
        case .done where step.head.successor != nil:
            board.settled.add()
            stepBack()
        case .done, .surpassed:
            board.settled.add()
            // Whoever waited for it was told that nobody knows; it is in the log, so it is shown. To one
            // that follows, since what the leader does beside its store waits for that outcome no more:
            // it takes it over as that of another, and begins anew.
            if let record = step.record {
                become(.follower)
                receive(record)
            }
            // Where a part of it could not be read, it is asked for again: who leads has all.
            let isWhole = outcome == .done && (seq == head.seq || catchUp())
            if isWhole, step.head.instance == instance, !isStopped {
                become(.leader)
            } else {
                stepBack()
            }
        case .lost:
            board.settled.add()
            stepBack()
        }
    }

    /// Leads no more, or not yet.
    private func stepBack() {
        guard !isStopped else { return }
        heard()
        become(.follower)
    }

    private func heard() {
        heardAt = clock.instant
        let behind = head.seq > seq ? min(head.seq - seq, 1_000) : 0
        let isLast = isUnfit || board.isStraggler
        let takeover = isLast ? settings.takeover * 3 : settings.takeover
        patienceToLead = .milliseconds(Int64(behind)) + takeover * random(1...1.3)
    }

    /// Its files have failed: it goes on in memory, and others lead rather than it.
    private var isUnfit: Bool { cache.phase == .failed }

    /// Of what is applied.
    var seq: UInt64 { planner.nextSeq - 1 }

    // MARK: Following

    /// Begins to hear of what comes behind what is applied.
    private func follow() {
        tail?.cancel()
        hasOverrun.set(0)
        // SAFETY: used on this thread alone: the queue brings each event to it.
        nonisolated(unsafe) let path = self
        tail = log.tail(from: planner.nextSeq) { [queue, inbox, hasOverrun] event in
            guard inbox.value < Self.inboxLimit else {
                hasOverrun.set(1)
                return false
            }
            inbox.add()
            let isTaken = queue.push(control: {
                inbox.add(-1)
                path.hear(event)
            })
            if !isTaken { inbox.add(-1) }
            return isTaken
        }
    }

    private func hear(_ event: LogEvent) {
        guard !isStopped else { return }
        switch event {
        case .record(let record):
            hearAgain()
            board.reached(clock.instant)
            receive(record)
        case .head(let heard):
            hearAgain()
            board.reached(clock.instant)
            // The tail may be behind what was read or put.
            guard let next = LogHead(heard.bytes), next.isAfter(head) else { return }
            guard adopt(heard, next) else { return }
            // Whoever's it was, the engine has room again.
            board.took()
            if seq < head.seq { catchUp() }
        case .broken(let trouble):
            brokenAt = clock.instant
            board.reconnects.add()
            board.failed(trouble)
        }
    }

    /// The tail tells something. Time in which the engine gave no answer does not count; a tail that
    /// broke since nobody leads has its answer at once.
    private func hearAgain() {
        guard let since = brokenAt else { return }
        brokenAt = nil
        if clock.instant - since > settings.beat { heard() }
    }

    /// Takes a head as that of now.
    ///
    /// - Returns: false where it cannot be that of the log which was applied: it is stopped then.
    private func adopt(_ found: LogValue) -> Bool {
        guard let next = LogHead(found.bytes) else {
            stop(.tooOld, at: head.seq)
            return false
        }
        return adopt(found, next)
    }

    /// - Parameter next: What `found` says.
    private func adopt(_ found: LogValue, _ next: LogHead) -> Bool {
        guard next.format <= SharedFrame.format else {
            stop(.tooOld, at: next.seq)
            return false
        }
        guard next.cluster == head.cluster else {
            stop(.foreign, at: next.seq)
            return false
        }
        guard next.epoch == planner.epoch else {
            stop(.recovered, at: next.seq)
            return false
        }
        guard next.seq >= seq, !head.isAfter(next) else {
            stop(.rewound, at: next.seq)
            return false
        }
        guard next.seq > seq || next.chain == chain else {
            stop(.forked, at: next.seq)
            return false
        }
        guard next.floor <= planner.nextSeq else {
            stop(.truncated, at: next.floor)
            return false
        }
        let isNews = found.bytes != value.bytes
        if next.floor > head.floor { forget(before: next.floor) }
        if next.isShared || !next.leader.isEmpty && next.leader != settings.replica {
            hasOthers = true
        }
        value = found
        head = next
        board.isLevel(seq >= next.seq)
        if isNews {
            headAt = clock.wallTime
            heard()
        }
        if next.instance != instance, role == .leader { become(.follower) }
        publish()
        return true
    }

    /// Reads and applies everything up to the head.
    ///
    /// - Returns: Was that done?
    @discardableResult
    private func catchUp() -> Bool {
        // One that is not there, or cannot be read, may be whole at another node.
        var isMissing = false
        while seq < head.seq, !isStopped {
            let before = seq
            do throws(LogTrouble) {
                if isMissing { log.turnAway() }
                // What is behind the head comes with a head of its own: none may be older than what
                // is applied.
                let records = try call { () throws(LogTrouble) in
                    try log.read(from: planner.nextSeq, limit: Self.inboxLimit)
                }
                for record in records where record.seq <= head.seq && record.part == nil {
                    guard take(record, with: records) else { break }
                }
                if seq == before, isMissing { return try miss() }
            } catch {
                // Whether what comes next was given up is said by the head.
                guard case .truncated = error else { return false }
                if isMissing { return (try? miss()) ?? false }
            }
            isMissing = seq == before
        }
        return !isStopped
    }

    /// Stops, since the log lacks what comes next: it was given up, which the head says, it is another
    /// log than was applied, or it is damaged.
    ///
    /// - Returns: false.
    private func miss() throws(LogTrouble) -> Bool {
        guard let now = try readLogHead(), adopt(now) else { return false }
        let isOther = try isOther()
        stop(isOther ? .forked : .damaged, at: planner.nextSeq)
        return false
    }

    /// Whether the frame of the log that holds the last commit which is applied is another one than it
    /// came in: it goes on behind it, or has another chain. Reads what may hold it, at most as many
    /// records as a frame has commits.
    private func isOther() throws(LogTrouble) -> Bool {
        let reach = UInt64(BatchPlanner.mostCommits)
        var next = max(head.floor, planner.nextSeq - min(planner.nextSeq, reach))
        while next <= seq {
            let records: [LogRecord]
            do throws(LogTrouble) {
                records = try call { () throws(LogTrouble) in
                    try log.read(from: next, limit: Self.inboxLimit)
                }
            } catch {
                guard case .truncated(let floor) = error, floor > next else { throw error }
                next = floor
                continue
            }
            for record in records where record.seq <= seq && record.part == nil {
                guard let frame = SharedFrame(verifying: record.bytes), frame.commits > 0,
                    frame.firstSeq == record.seq, frame.lastSeq >= seq
                else { continue }
                return frame.lastSeq > seq || frame.chain(of: head.cluster) != chain
            }
            guard let last = records.last?.seq else { return false }
            next = last + 1
        }
        return false
    }

    /// Applies a record that the tail has brought, which brings no parts.
    private func receive(_ record: LogRecord) {
        guard record.seq >= planner.nextSeq else { return }
        guard let frame = SharedFrame(verifying: record.bytes), frame.parts > 1 else {
            take(record, with: [])
            return
        }
        // Where they cannot be read now, the head that follows brings it again.
        guard record.seq == planner.nextSeq,
            let records = try? call({ () throws(LogTrouble) in
                try log.read(from: record.seq, limit: 1)
            })
        else { return }
        take(record, with: records)
    }

    /// Applies a record if it is the next one.
    ///
    /// - Parameter others: Its parts are among them, where it has any.
    /// - Returns: false where it cannot be read. Of the tail's, the head that follows says that it is
    ///   missing.
    @discardableResult
    private func take(_ record: LogRecord, with others: [LogRecord]) -> Bool {
        // Of a later one the tail has missed something, which the next head says and a read brings; or
        // somebody has put it there by hand.
        guard !isStopped, record.seq == planner.nextSeq else { return true }
        guard let whole = SharedFrame.whole(record, others) else { return false }
        let frame = whole.withUnsafeBytes { SharedFrame.read($0) }
        guard let frame, frame.firstSeq == record.seq else { return false }
        let finding = whole.withUnsafeBytes { bytes -> StopReason? in
            if frame.format > SharedFrame.format { return .tooOld }
            guard frame.previousChain == chain else { return .forked }
            _ = cache.keep(whole, frame)
            let payload = SharedFrame.payload(of: bytes)
            guard applier.apply(payload, of: frame, to: planner) == nil else {
                // The files have it, and what is shown has a part of it at most: nothing is made of them.
                cache.enter(.failed, reason: "a frame of the log cannot be applied")
                return .damaged
            }
            chain = frame.chain(of: head.cluster)
            count(whole.count)
            cache.settleKept()
            return nil
        }
        if let finding { stop(finding, at: record.seq) }
        heard()
        return true
    }

    /// A frame of so many bytes is applied.
    private func count(_ bytes: Int) {
        window.add(seq, bytes: bytes, at: clock.instant)
        board.keptBytes.set(window.bytes)
        board.applied.set(Int(seq))
        board.isLevel(seq >= head.seq)
        board.waiters.advance(to: seq)
    }

    // MARK: Steps

    /// Puts a record and a head behind the one that is known, and waits for the outcome, at most for
    /// `writeTimeout`.
    private func put(_ record: LogRecord?, _ next: LogHead) -> Outcome {
        precondition(unsettled == nil, "one step after the other")
        var next = next
        next.beat += 1
        next.isShared = hasOthers
        let step = Step(record: record, head: next, bytes: next.encoded(), expected: value)
        let sent = clock.instant
        do throws(LogTrouble) {
            took(step, try make(step, expecting: value), sent)
            return .done
        } catch {
            switch error {
            // The first try: nobody has made this step.
            case .conflict:
                board.conflicts.add()
                return .lost
            case .away, .refused, .full, .truncated: return .refused
            case .unknown:
                board.unknown.add()
                unsettled = step
                publish()
                let outcome = settle(until: sent + settings.writeTimeout)
                if outcome != .open { board.settled.add() }
                return outcome
            }
        }
    }

    private func make(_ step: Step, expecting: LogValue) throws(LogTrouble) -> LogValue {
        try call { () throws(LogTrouble) in
            try log.append(step.record, head: step.bytes, expecting: expecting)
        }
    }

    private func took(_ step: Step, _ made: LogValue, _ sent: MonotonicInstant) {
        unsettled = nil
        board.took()
        value = made
        head = step.head
        headAt = clock.wallTime
        reachedAt = sent
        putAt = sent
        publish()
    }

    /// Finds out what has become of the step that is open; tries at least once.
    private func settle(until deadline: MonotonicInstant) -> Outcome {
        while let step = unsettled {
            var hasMoved = false
            do throws(LogTrouble) {
                let sent = clock.instant
                guard let now = try readLogHead() else {
                    // Whether the step was in the log that has vanished nobody can say any more.
                    unsettled = nil
                    return .open
                }
                if now.bytes == step.bytes {
                    took(step, now, sent)
                    return .done
                }
                if now.bytes == step.expected.bytes {
                    // Of this and of the first try the engine takes one at most.
                    took(step, try make(step, expecting: now), sent)
                    return .done
                }
                guard let next = LogHead(now.bytes), isBehind(step.expected, next),
                    next.floor <= step.record?.seq ?? .max
                else {
                    // Nor of a log that is another one, went back, or has given the record up: what is
                    // here is left behind.
                    unsettled = nil
                    _ = adopt(now)
                    return .open
                }
                let isMade = try isInLog(step)
                unsettled = nil
                reachedAt = sent
                return isMade ? .surpassed : .lost
            } catch {
                // By a conflict the head has moved, perhaps by the first try: it is read again.
                hasMoved = error == .conflict
            }
            guard clock.instant < deadline else { return .open }
            if !hasMoved { sleep(settings.retry) }
        }
        return .open
    }

    /// Whether the log that had the head `known` can have come to `next`.
    private func isBehind(_ known: LogValue, _ next: LogHead) -> Bool {
        guard let known = LogHead(known.bytes) else { return false }
        return next.cluster == known.cluster && next.epoch == known.epoch
            && next.isAfter(known) && next.seq >= known.seq
    }

    private func isInLog(_ step: Step) throws(LogTrouble) -> Bool {
        // A hand-over leaves nothing there; that the head has moved is what it was for.
        guard let record = step.record else { return step.head.successor != nil }
        let found = try call { () throws(LogTrouble) in
            try log.read(from: record.seq, limit: 1)
        }
        return found.contains(record)
    }

    // MARK: Leading

    private func beat() {
        switch put(nil, head) {
        case .done, .refused, .open: break
        case .surpassed, .lost: stepBack()
        }
        // A beat that the engine did not take is not tried at each turn.
        putAt = clock.instant
    }

    /// Tries to lead.
    private func stand() {
        become(.candidate)
        let asked = clock.instant
        let found: LogValue
        do throws(LogTrouble) {
            guard let now = try readLogHead() else { return }
            found = now
        } catch {
            // Time in which the engine gives no answer does not count.
            stepBack()
            return
        }
        guard !wasSlow(asked) else { return stepBack() }
        let isUnmoved = found.bytes == value.bytes
        guard isUnmoved || adopt(found) else { return }
        // The same head may have been put again, as where an operator has copied the keys.
        if isUnmoved { value = found }
        guard catchUp(), isUnmoved, found.bytes == value.bytes else {
            stepBack()
            return
        }
        var next = head
        next.term += 1
        next.leader = settings.replica
        next.instance = instance
        next.url = settings.url
        next.beat = 0
        next.successor = nil
        switch put(nil, next) {
        case .done: become(.leader)
        case .lost, .surpassed, .refused: stepBack()
        case .open: break
        }
    }

    /// Hands the lead over: puts a head that names who is to lead next.
    ///
    /// - Returns: Was it put? nil: nobody knows yet; if it was, this replica steps back once it knows.
    @discardableResult
    func handOver(to successor: String) -> Bool? {
        guard role == .leader, unsettled == nil, successor != settings.replica else { return false }
        var next = head
        next.successor = successor
        let outcome = put(nil, next)
        switch outcome {
        case .done, .lost, .surpassed: stepBack()
        case .refused: break
        case .open: return nil
        }
        return outcome == .done || outcome == .surpassed
    }

    /// Another replica takes part, as the next head says for ever.
    func heardOfOthers() { hasOthers = true }

    /// Has frames be of a newer format from now on, where all replicas read it: says so in the head
    /// before the first one. Only where it leads.
    func raiseFormat(by posts: [ReplicaPost]) {
        guard role == .leader, unsettled == nil else { return }
        let others = posts.filter { $0.replica != settings.replica }
        if !others.isEmpty { hasOthers = true }
        var next = head
        next.format = FormatRule.format(
            used: head.format, own: SharedFrame.format, posts: others, isAlone: !hasOthers,
            led: clock.instant - ledSince)
        guard next.format > head.format else { return }
        switch put(nil, next) {
        case .lost, .surpassed: stepBack()
        case .done, .refused, .open: break
        }
    }

    /// Gives up what the log need not have any more, by what replicas have said of themselves. Only
    /// where it has led for long enough to have heard of them.
    ///
    /// - Parameters:
    ///   - posts: Of the other replicas.
    ///   - isFilling: The engine's space runs short: a quarter of `keep` is kept.
    /// - Returns: Is everything done that is due?
    func truncate(by posts: [ReplicaPost], isFilling: Bool = false) -> Bool {
        guard role == .leader, clock.instant - ledSince >= settings.hearing else { return false }
        let others = posts.filter { $0.replica != settings.replica }
        let own = ReplicaPost(
            replica: settings.replica, applied: seq,
            // What its files have is of no use any more once they have failed.
            snapshot: isUnfit ? 0 : UInt64(cache.figures.snapshotSeq.value), age: .zero)
        let kept = window.last(
            olderThan: isFilling ? settings.keep / 4 : settings.keep,
            orBefore: isFilling ? settings.keepBytes / 4 : settings.keepBytes, at: clock.instant)
        if !others.isEmpty { hasOthers = true }
        let floor = TruncationRule.floor(
            others + [own], isAlone: !hasOthers, kept: kept,
            isTight: window.bytes > settings.keepMost)
        return truncate(below: max(floor, head.floor))
    }

    /// Gives up the records before `floor`, which begins one: says so in the head first, so that who
    /// misses one knows why. Only where it leads.
    ///
    /// - Returns: Are they gone?
    func truncate(below floor: UInt64) -> Bool {
        guard role == .leader, unsettled == nil, floor >= head.floor, floor <= planner.nextSeq
        else {
            return false
        }
        if floor > head.floor {
            var next = head
            next.floor = floor
            switch put(nil, next) {
            case .done: break
            case .lost, .surpassed:
                stepBack()
                return false
            case .refused, .open: return false
            }
        }
        do throws(LogTrouble) {
            try call { () throws(LogTrouble) in try log.truncate(below: floor) }
            forget(before: floor)
            return true
        } catch {
            return false
        }
    }

    /// What the log had before `floor` is gone.
    private func forget(before floor: UInt64) {
        window.forget(before: floor)
        board.keptBytes.set(window.bytes)
    }

    private func write(_ all: [Submission]) {
        // What is left of the engine's space is for heads, and who asks only needs none.
        let submissions = board.isFilled && role == .leader ? refusingChanges(of: all) : all
        var index = 0
        while index < submissions.count {
            guard mayWrite() else {
                let refusal = refusal
                for submission in submissions[index...] { submission.completion(refusal) }
                return
            }
            planner.plan(submissions, from: &index) {
                planner.lateness(of: $0, after: queue.overloadAfter)
            }
            endBatch()
        }
    }

    /// Answers what would need room, and gives the rest.
    private func refusingChanges(of submissions: [Submission]) -> [Submission] {
        submissions.filter { submission in
            if submission.transaction.isQuestion { return true }
            submission.completion(refusal)
            return false
        }
    }

    /// What is told to writes that are not even tried.
    private var refusal: WriteOutcome {
        if role == .leader { return board.isFull ? .logFull : .logAway(unknown: false) }
        return .notLeader(url: state.leader?.url)
    }

    private func mayWrite() -> Bool {
        guard role == .leader, unsettled == nil else { return false }
        // Who leads has applied all, or what it wrote would take the place of the rest.
        guard seq == head.seq else {
            stepBack()
            return false
        }
        if clock.instant - reachedAt > settings.staleness { beat() }
        return role == .leader && unsettled == nil
            && clock.instant - reachedAt <= settings.staleness
    }

    private func endBatch() {
        guard planner.commits > 0 else {
            if isHeadStill() {
                planner.answer()
            } else {
                planner.fail(commits: refusal, others: refusal)
            }
            return
        }
        let start = MonotonicInstant.now
        let (bytes, frame) = framed()
        let records = frame.records(bytes, limit: log.recordLimit)
        let outcome = put(frame, records)
        switch outcome {
        case .done, .surpassed:
            board.appends.add()
            board.commits.add(planner.commits)
            board.bytes.add(bytes.count)
            board.appendDurations.record(since: start, until: .now)
            _ = cache.keep(bytes, frame)
            chain = frame.chain(of: head.cluster)
            planner.apply()
            planner.answer()
            count(bytes.count)
            cache.settleKept()
            if outcome == .surpassed { stepBack() }
        case .lost:
            stepBack()
            planner.fail(commits: refusal, others: refusal)
        case .refused:
            let refusal: WriteOutcome = board.isFull ? .logFull : .logAway(unknown: false)
            planner.fail(commits: refusal, others: refusal)
        case .open:
            planner.fail(commits: .logAway(unknown: true), others: .logAway(unknown: false))
        }
    }

    /// Puts a frame: first the parts that count once its first record is there, then that one with
    /// the head.
    private func put(_ frame: SharedFrame, _ records: [LogRecord]) -> Outcome {
        for part in records.dropFirst() {
            let outcome = put(part: part)
            guard case .done = outcome else { return outcome }
        }
        var next = head
        next.seq = frame.lastSeq
        next.chain = frame.chain(of: head.cluster)
        next.frame = frame.id
        return put(records[0], next)
    }

    /// Puts a part, if the head is still the one that is known: as often as it takes, since it counts
    /// for nothing by itself.
    private func put(part: LogRecord) -> Outcome {
        let deadline = clock.instant + settings.writeTimeout
        while true {
            if clock.instant - putAt >= settings.beat {
                let outcome = put(nil, head)
                // Of an open beat it is known that the frame is not there.
                guard case .done = outcome else { return outcome == .open ? .refused : outcome }
            }
            do throws(LogTrouble) {
                _ = try call { () throws(LogTrouble) in
                    try log.append(part, head: nil, expecting: value)
                }
                return .done
            } catch {
                switch error {
                case .conflict:
                    board.conflicts.add()
                    return .lost
                case .away, .refused, .full, .truncated: return .refused
                case .unknown: break
                }
            }
            guard clock.instant < deadline else { return .refused }
            sleep(settings.retry)
        }
    }

    /// The batch as a frame behind what is applied.
    private func framed() -> ([UInt8], SharedFrame) {
        CommitEncoder.pad(&planner.frame, from: planner.headRoom)
        let start = planner.headRoom - SharedFrame.length
        let payload = UnsafeRawBufferPointer(rebasing: planner.frame.bytes[planner.headRoom...])
        var frame = SharedFrame(
            firstSeq: planner.nextSeq, commits: planner.commits, term: head.term, id: .random(),
            behind: chain, payload: payload, recordLimit: log.recordLimit, format: head.format)
        frame.write(
            to: UnsafeMutableRawBufferPointer(
                rebasing: planner.frame.mutableBytes[start..<planner.headRoom]))
        return (Array(planner.frame.bytes[start...]), frame)
    }

    /// Does this replica still lead? What the tables say is the log's end then.
    private func isHeadStill() -> Bool {
        do throws(LogTrouble) {
            let sent = clock.instant
            guard let now = try call({ () throws(LogTrouble) in try log.head() }) else {
                return false
            }
            reachedAt = sent
            if now.bytes == value.bytes {
                value = now
                publish()
                return true
            }
            if adopt(now) { stepBack() }
            return false
        } catch {
            return false
        }
    }

    // MARK: Strong reads

    /// Reads the head for all who wait for that.
    func readHead() {
        guard let number = board.waiters.beginReadingHead() else { return }
        guard hasJoined, !isStopped else {
            board.waiters.fail(number, "this replica does not follow the log")
            return
        }
        do throws(LogTrouble) {
            guard let now = try readLogHead() else {
                board.waiters.fail(number, ReplicaStop.rewound.reason)
                return
            }
            guard let next = LogHead(now.bytes) else {
                stop(.tooOld, at: head.seq)
                board.waiters.fail(number, ReplicaStop.tooOld.reason)
                return
            }
            // A step that is open is settled first, and the head taken then.
            if unsettled == nil, now.bytes != value.bytes, !adopt(now, next) {
                board.waiters.fail(number, "this replica does not follow the log")
                return
            }
            board.waiters.resolve(number, to: next.seq)
        } catch {
            board.waiters.fail(number, error.text)
        }
    }

    /// The queue is closed.
    func finish() {
        tail?.cancel()
        tail = nil
        board.leads(until: nil)
        cache.finish()
        // Who hears of the state has the store as well.
        onChange = { _ in }
    }
}

extension LogHead {
    /// Was it put later? Within a term each head has a greater beat.
    func isAfter(_ other: LogHead) -> Bool { (term, beat) > (other.term, other.beat) }
}

extension Transaction {
    private static let questionType = TypeName.internal("none")

    /// Asks whether who is asked leads: removes what is never there.
    static let question: Transaction = {
        guard let id = try? EntityID("none") else { preconditionFailure("a text of letters") }
        return Transaction(.remove(questionType, id, .none))
    }()

    var isQuestion: Bool {
        guard case .remove(let type, _, _) = first else { return false }
        return type == Self.questionType
    }
}
