import FreshetBase
package import FreshetRefresh
package import FreshetQuery
package import FreshetRemote

/// What keeps operations.
protocol OperationKeeper: AnyObject, Sendable {
    /// A run has ended.
    func noteEnd(of operation: RemoteOperation)
    /// Forgets what is known of an operation, but for its switch.
    ///
    /// - Returns: false where it is no more there.
    @discardableResult
    func evict(_ operation: RemoteOperation) -> Bool
    /// One that has a name has its first subscriber on this server, or none any more.
    func noteWatching()
}

/// Does what operations are there for.
protocol OperationFetcher: AnyObject, Sendable {
    /// Does what a run is to do that nobody's request has begun.
    func fetch(
        _ operation: RemoteOperation, _ run: OperationRun<FetchOutcome>
    ) async throws -> FetchOutcome
}

/// One operation over a remote, or over what controllers alone bring: what it asks, and how it stands.
/// `Operations` finds it for whoever reads. Any thread.
// SAFETY: all mutable state is read and written under `lock`.
package final class RemoteOperation: BoardOperation<FetchOutcome>, @unchecked Sendable {
    /// Named by the configuration; else it is there since somebody has read so.
    package let isConfigured: Bool
    /// What its values are entities of.
    package let type: TypeName
    /// What is asked; nil for a mutation.
    package let query: Query?
    /// The query is for one entity by its path.
    let isGet: Bool
    /// What a mutation does; nil for all else.
    package let mutation: OperationDefinition.Write?
    /// The name of what is asked: equal for equal questions.
    let key: FlightName

    private weak let keeper: (any OperationKeeper)?
    private let fetcher: any OperationFetcher
    private var heldGaps = AnswerGaps()
    private var refreshes = false
    /// Refreshes that have begun within a second.
    private var starts = (second: Int64(-1), count: 0)
    private var heldPages: OperationPages
    private var writes: [@Sendable () -> Void] = []
    private var isWriting = false
    private var wasWatched = false
    private var toldStanding: SourceNews?

    init(
        _ id: String, kind: OperationKind, isConfigured: Bool, type: TypeName, query: Query?,
        isGet: Bool = false, isRunnable: Bool = true, write: OperationDefinition.Write? = nil,
        upstreamName: String, key: FlightName, settings: OperationSettings,
        board: OperationBoard, fetcher: any OperationFetcher, keeper: any OperationKeeper
    ) {
        self.isConfigured = isConfigured
        self.type = type
        self.query = query
        self.isGet = isGet
        mutation = write
        self.key = key
        self.fetcher = fetcher
        self.keeper = keeper
        heldPages = OperationPages(size: query?.limit ?? 100, start: query?.offset ?? 0)
        super.init(
            id, kind: kind, isRunnable: isRunnable, upstreamName: upstreamName, settings, board,
            executor: PolicyWorkers.fetches, count: { $0.count })
        // There may be one for each question that anybody has.
        if !isConfigured { keepRuns(5) }
    }

    package override func perform(_ run: OperationRun<FetchOutcome>) async throws -> FetchOutcome {
        try await fetcher.fetch(self, run)
    }

    public override func publish(_ state: OperationState, _ phase: OperationPhase?) {
        super.publish(state, phase)
        guard isConfigured else { return }
        let isWatched = state.subscribers > 0
        let isNews = lock.withLock {
            // What was told for those who have left is old when others come.
            if !isWatched { toldStanding = nil }
            defer { wasWatched = isWatched }
            return wasWatched != isWatched
        }
        if isNews { keeper?.noteWatching() }
    }

    package override func runEnded() { keeper?.noteEnd(of: self) }

    package override func evict() {
        if isIdle { keeper?.evict(self) }
    }

    /// The pages of its value.
    var pages: OperationPages {
        get { lock.withLock { heldPages } }
        set { lock.withLock { heldPages = newValue } }
    }

    /// Text that says what it asks.
    package var question: String { key.description }

    /// Whether it is there for the same answer.
    func asks(_ other: Query) -> Bool {
        query?.type == other.type && query?.canonicalKey == other.canonicalKey
    }

    /// What the answer lacks that its value is from.
    package var gaps: AnswerGaps {
        get { lock.withLock { heldGaps } }
        set { lock.withLock { heldGaps = newValue } }
    }

    /// Whether what is stored of it is judged by `levels.stale`. One of the configuration always is:
    /// without rules it is stale, unless a controller follows. What somebody has just asked for has no
    /// rules, and what is stored of it serves at any age.
    var isJudged: Bool { isConfigured || declaresStaleness }

    // MARK: Controllers

    /// Whether automatic running is on, so that a controller may ask for a run.
    package var takesReruns: Bool {
        guard isRunnable else { return false }
        let levels = levels
        return levels.gate && levels.admit
    }

    /// A controller's value is in the store.
    ///
    /// - Parameters:
    ///   - count: Its rows, where it has rows.
    ///   - isWhole: It is more than changes of the value before.
    ///   - generation: The operation's when the controller began; what comes after a reset is ignored.
    package func noteValue(count: Int?, isWhole: Bool = true, generation: UInt64? = nil) {
        var outcome = FetchOutcome(at: .now)
        outcome.rows = count
        outcome.hasRows = count != nil
        gaps = AnswerGaps()
        yield(outcome, generation: generation, isWhole: isWhole)
    }

    /// A controller has met an error; the value stays.
    ///
    /// - Parameter fails: The operation fails, too; else the error is noted alone.
    package func note(error: any Error, fails: Bool, generation: UInt64? = nil) {
        yield(error: error, generation: generation, keepsStatus: !fails)
    }

    /// Runs it for a controller.
    ///
    /// - Returns: False while automatic running is off.
    package func rerun() -> Bool {
        guard takesReruns else { return false }
        start(.controller)
        return true
    }

    /// Forgets value, error and counts.
    package override func reset() {
        lock.withLock { heldPages.reset() }
        gaps = AnswerGaps()
        super.reset()
    }

    // MARK: Several servers

    /// How it stands on the server that runs it, by what that one has told last; nil: it has told
    /// nothing. Its live queries are told of what is set.
    var standingElsewhere: SourceNews? {
        get { lock.withLock { toldStanding } }
        set {
            lock.withLock { toldStanding = newValue }
            if newValue != nil { announce() }
        }
    }

    // MARK: Refreshes

    /// Refreshes that may begin within a second.
    private static let mostStarts = 5

    /// Whether a refresh may begin, as often as some have begun within this second.
    func mayStart(at now: MonotonicInstant) -> Bool {
        lock.withLock { startCount(at: now) < Self.mostStarts }
    }

    /// Notes that a refresh begins.
    func noteStart(at now: MonotonicInstant) {
        lock.withLock { starts = (now.second, startCount(at: now) + 1) }
    }

    /// Under the lock: the refreshes that have begun within this second.
    private func startCount(at now: MonotonicInstant) -> Int {
        starts.second == now.second ? starts.count : 0
    }

    /// Takes a place among the refreshes until the run ends.
    ///
    /// - Returns: false where it has one.
    func beginRefresh() -> Bool {
        lock.withLock {
            defer { refreshes = true }
            return !refreshes
        }
    }

    /// - Returns: Whether it had one.
    func endRefresh() -> Bool {
        lock.withLock {
            defer { refreshes = false }
            return refreshes
        }
    }

    // MARK: Writes

    /// Writes of one mutation that wait for those before them.
    static let mostWrites = 100

    /// Calls `start` once the writes before it have ended.
    ///
    /// - Returns: False where as many wait as may.
    func enqueue(_ start: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, isFirst) = lock.withLock { () -> (Bool, Bool) in
            guard isWriting else {
                isWriting = true
                return (true, true)
            }
            guard writes.count < Self.mostWrites else { return (false, false) }
            writes.append(start)
            return (true, false)
        }
        if isFirst { start() }
        return isTaken
    }

    /// A write has ended.
    func dequeue() {
        let next = lock.withLock { () -> (@Sendable () -> Void)? in
            guard !writes.isEmpty else {
                isWriting = false
                return nil
            }
            return writes.removeFirst()
        }
        next?()
    }
}

extension MonotonicInstant {
    /// Whole seconds of the process's clock.
    fileprivate var second: Int64 { Int64(nanoseconds / 1_000_000_000) }
}
