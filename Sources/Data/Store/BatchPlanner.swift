import FreshetBase
import FreshetEngine
import FreshetQuery

/// Where the next commit of a log goes.
struct CommitPosition {
    let epoch: Epoch
    let nextSeq: UInt64
    /// The latest wall time of a commit, ms.
    let lastTime: Int64
}

/// Judges the transactions of a batch, gathers what they change in one frame of the log, and, once
/// that is as durable as it must be, makes it visible and answers. Knows no file; used by the holder
/// of the commit right alone.
///
/// One batch after the other: `plan`, then `apply` and `answer`; or, where the frame was not stored or
/// nobody knows, `fail` or `giveUp`.
final class BatchPlanner {
    private struct Planned {
        let submission: Submission
        var outcome: WriteOutcome
        /// The end of its changes among the batch's; 0 where it has none.
        var end = 0
        var seq: UInt64 = 0
    }

    /// The most that `frameLimit` is.
    static let frameBytes = 8 << 20
    /// The most commits that a frame takes.
    static let mostCommits = 4_096
    /// Bytes of entities that the transactions of a batch make the writer rewrite, beside one that
    /// makes it rewrite more: those behind it are answered first.
    private static let maximumWork = 16 << 20

    let tables: EntityTables
    private let options: FileStoreOptions
    private let observer: (any CommitObserver)?
    private let clock: any StoreClock
    private let figures: StoreFigures
    private var evaluator: CommitEvaluator
    private(set) var epoch: Epoch
    private(set) var nextSeq: UInt64
    /// The latest wall time of a commit that was planned, ms.
    private var lastTime: Int64
    /// The latest wall time of a commit before `nextSeq`, ms.
    private(set) var appliedTime: Int64
    /// Bytes before the commits of a frame, for its header.
    let headRoom: Int
    /// The bytes at which a frame takes no more commits.
    private let frameLimit: Int
    /// Room for the frame's header, then the commits of the batch in the making.
    var frame = ByteBuffer(capacity: 64 << 10)
    private var planned: [Planned] = []
    /// Commits of the batch in the making.
    private(set) var commits = 0
    /// When the batch in the making was begun, or its last heavy transaction done.
    private var planningTime: MonotonicInstant
    /// One of the batch's commits touches a type that the log holds.
    private(set) var isLogged = false
    /// A commit of the batch in the making promises to be on the disk when it is answered.
    private(set) var mustSync = false

    init(
        options: FileStoreOptions, tables: EntityTables, rules: (any EntityRules)?,
        observer: (any CommitObserver)?, clock: any StoreClock, figures: StoreFigures,
        position: CommitPosition, headRoom: Int = LogFormat.frameHeaderLength,
        frameLimit: Int = BatchPlanner.frameBytes
    ) {
        self.options = options
        self.tables = tables
        self.observer = observer
        self.clock = clock
        self.figures = figures
        self.headRoom = headRoom
        self.frameLimit = min(frameLimit, Self.frameBytes)
        epoch = position.epoch
        nextSeq = position.nextSeq
        lastTime = position.lastTime
        appliedTime = lastTime
        evaluator = CommitEvaluator(
            tables: tables, rules: rules, maximumEntity: options.maximumEntity,
            maximumEntities: options.maximumEntities)
        planningTime = clock.instant
    }

    /// Begins a batch with the submissions from `index` on, as many as there is room for, and leaves
    /// `index` behind them.
    ///
    /// - Parameter refusal: Why one is not even tried.
    func plan(
        _ submissions: [Submission], from index: inout Int,
        refusal: (Submission) -> WriteOutcome?
    ) {
        begin()
        let isAlone = submissions.count == 1
        while index < submissions.count, hasRoom {
            let submission = submissions[index]
            if let outcome = refusal(submission) {
                refuse(submission, outcome)
            } else if !plan(submission, alone: isAlone) {
                return
            }
            index += 1
        }
    }

    private func begin() {
        precondition(planned.isEmpty && commits == 0, "the batch before was answered, all of it")
        evaluator.reset()
        planned.removeAll(keepingCapacity: true)
        frame.reset(capacity: 2 * Self.frameBytes)
        for _ in 0..<(headRoom / 8) { frame.append(littleEndian: UInt64(0)) }
        isLogged = false
        mustSync = false
        planningTime = clock.instant
    }

    /// Is there room in the batch for another transaction? One always has.
    private var hasRoom: Bool {
        planned.isEmpty
            || frame.count < frameLimit && commits < Self.mostCommits
                && evaluator.batchWork < Self.maximumWork
    }

    /// The refusal of one that has waited for longer than a writer may, nil for others.
    func lateness(of submission: Submission, after limit: Duration) -> WriteOutcome? {
        guard planningTime - submission.since > limit else { return nil }
        figures.overloaded.add()
        return .overloaded
    }

    /// Takes a transaction into the batch that is not even tried.
    private func refuse(_ submission: Submission, _ outcome: WriteOutcome) {
        planned.append(Planned(submission: submission, outcome: outcome))
    }

    /// Judges a transaction and encodes what comes of it.
    ///
    /// - Returns: false where the frame has no room for it beside the others: nothing was done, and
    ///   it has to be the first of the next batch.
    private func plan(_ submission: Submission, alone: Bool) -> Bool {
        let seq = nextSeq + UInt64(commits)
        let workBefore = evaluator.batchWork
        defer {
            if evaluator.batchWork - workBefore > 1 << 20 { planningTime = clock.instant }
        }
        switch evaluator.evaluate(submission.transaction, seq: seq, alone: alone) {
        case .rejected(let operation, let rejection):
            let outcome = WriteOutcome.rejected(operation: operation, rejection)
            refuse(submission, outcome)
        case .idle(let first, let rest):
            let receipt = WriteReceipt(
                cursor: Cursor(epoch: epoch, seq: seq - 1), changed: false,
                durability: options.durability(of: submission.transaction), first: first,
                rest: rest)
            planned.append(Planned(submission: submission, outcome: .done(receipt)))
        case .commit(let firstChange, let isChanged, let first, let rest):
            let start = frame.count
            let logged = encode(submission.transaction, from: firstChange, seq: seq)
            // What a shared log's frame begins with is in the payload of the own log's.
            if frame.count - LogFormat.frameHeaderLength > LogFormat.maximumPayload - 8 {
                frame.truncate(to: start)
                evaluator.undo(to: firstChange)
                guard commits == 0 else { return false }
                refuse(submission, .rejected(operation: 0, .tooLarge))
                return true
            }
            isLogged = isLogged || logged
            let synced = options.logDurability(of: submission.transaction) == .full
            mustSync = mustSync || logged && synced
            let receipt = WriteReceipt(
                cursor: Cursor(epoch: epoch, seq: seq), changed: isChanged,
                durability: options.durability(of: submission.transaction), first: first,
                rest: rest)
            planned.append(
                Planned(
                    submission: submission, outcome: .done(receipt),
                    end: evaluator.changes.count, seq: seq))
            commits += 1
        }
        return true
    }

    /// Appends a commit to the frame. - Returns: Does the log hold any of it?
    private func encode(_ transaction: Transaction, from firstChange: Int, seq: UInt64) -> Bool {
        let changes = evaluator.changes[firstChange...]
        var count = changes.count
        if !options.memoryTypes.isEmpty {
            count = changes.reduce(0) { $0 + (options.memoryTypes.contains($1.type) ? 0 : 1) }
        }
        lastTime = max(lastTime, clock.wallTime.milliseconds)
        CommitEncoder.appendHead(
            seq: seq, time: lastTime, entryCount: count, tokenName: transaction.tokenName,
            idempotencyKey: transaction.idempotencyKey, to: &frame)
        for change in changes where count == changes.count || isDurable(change.type) {
            guard let image = change.new ?? change.old else { continue }
            CommitEncoder.appendEntry(
                type: change.type, id: image.idBytes, document: change.new, to: &frame)
        }
        return count > 0
    }

    private func isDurable(_ type: TypeName) -> Bool {
        !options.memoryTypes.contains(type)
    }

    // MARK: The end of a batch

    /// The frame is stored: makes its commits visible.
    func apply() {
        var start = 0
        var next = nextSeq
        // By index: a copy of a plan is a dozen counted references.
        for index in planned.indices where planned[index].end > 0 {
            let end = planned[index].end
            let seq = planned[index].seq
            precondition(seq == next && end > start, "commits have one seq after the other")
            next += 1
            if end - start == 1 {
                let change = evaluator.changes[start]
                tables.apply(evaluator.places[start], old: change.old, new: change.new, seq: seq)
            } else {
                tables.apply(
                    evaluator.changes[start..<end], evaluator.places[start..<end], seq: seq)
            }
            start = end
        }
        precondition(
            next == nextSeq + UInt64(commits) && start == evaluator.changes.count,
            "what was planned is applied, and nothing else")
        nextSeq = next
        appliedTime = lastTime
        figures.commits.add(commits)
        observer?.committed(evaluator.changes)
    }

    /// Tells everybody what came of theirs.
    func answer() {
        for index in planned.indices {
            planned[index].submission.completion(planned[index].outcome)
        }
        end()
    }

    /// The frame could not be stored: all fail.
    ///
    /// - Parameters:
    ///   - commits: What came of those that are in it.
    ///   - others: Of those that would show what is in it.
    func fail(commits: WriteOutcome, others: WriteOutcome) {
        for index in planned.indices {
            planned[index].outcome = planned[index].end > 0 ? commits : others
        }
        answer()
    }

    /// Gives the batch up, of which nothing is stored.
    ///
    /// - Returns: Whom nobody has answered.
    func giveUp() -> [Submission] {
        defer { end() }
        return planned.map(\.submission)
    }

    private func end() {
        planned.removeAll(keepingCapacity: true)
        commits = 0
    }

    // MARK: What others have planned

    /// Makes one commit visible that a frame of the log has.
    ///
    /// - Parameter places: The slot of each change's type.
    func apply(_ changes: [Change], _ places: [Int], seq: UInt64, time: Int64) {
        precondition(planned.isEmpty && seq == nextSeq, "commits have one seq after the other")
        tables.apply(changes[...], places[...], seq: seq)
        nextSeq += 1
        lastTime = max(lastTime, time)
        appliedTime = lastTime
        figures.commits.add()
    }

    /// Tells the observer of commits that were applied so.
    func tell(_ changes: [Change]) { observer?.committed(changes) }

    // MARK: A log that was read again

    /// Goes on behind a log that was read again: the next seq is `nextSeq` at least.
    func resume(behind opened: OpenedLog, _ loaded: [(name: TypeName, table: Table)]) {
        // Seqs that were shown are never given again, be they in the log or not: streams and tables
        // go on behind them.
        let firstSeq = max(nextSeq, opened.nextSeq)
        nextSeq = firstSeq
        takeOver(loaded, opened)
        precondition(nextSeq >= firstSeq, "no seq is given twice in one process")
        epoch = opened.epoch
        lastTime = max(lastTime, opened.lastTime)
        appliedTime = lastTime
    }

    /// Replaces the durable types' tables by those read, and tells the observer what differs. What
    /// was shown and is not on the disk is taken back by a commit of its own: it comes behind all
    /// that was shown.
    private func takeOver(_ loaded: [(name: TypeName, table: Table)], _ opened: OpenedLog) {
        let before = tables.views()
        let served = before.cursor.seq
        let takenBack = nextSeq
        var changes: [Change] = []
        // A type of which the disk has nothing has nothing any more.
        let known = Set(loaded.map(\.name))
        let loaded =
            loaded
            + before.types.filter { isDurable($0.name) && !known.contains($0.name) }
            .map { (name: $0.name, table: Table()) }
        for (name, table) in loaded {
            let old = before[name] ?? .empty
            let new = table.view(seq: opened.nextSeq - 1)
            new.forEach { document in
                let stored = old.document(document.idBytes)
                if stored?.revision != document.revision {
                    changes.append(
                        Change(
                            seq: document.revision > served ? document.revision : takenBack,
                            type: name, old: stored, new: document))
                }
            }
            old.forEach { document in
                if new.document(document.idBytes) == nil {
                    changes.append(
                        Change(seq: takenBack, type: name, old: document, new: nil))
                }
            }
        }
        if changes.contains(where: { $0.seq == takenBack }) { nextSeq += 1 }
        tables.load(loaded, cursor: Cursor(epoch: opened.epoch, seq: nextSeq - 1))
        changes.sort { $0.seq < $1.seq }
        if !changes.isEmpty { observer?.committed(changes) }
    }
}
