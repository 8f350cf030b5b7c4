import FreshetBase
import FreshetQuery
import FreshetRefresh
import FreshetRemote
import FreshetStore

// Live queries over types that have a remote.
//
// A live query shows what is here; what a fetch brings is a commit, and reaches it as any other does.
// It is a subscriber of its query's operation: the first one has it run where it is stale and its
// gate is open, and all are told how it stands, whatever has started its runs. A source of `remote`
// or `remoteOrLocal` asks for a run of its own, which no gate of automatic runs keeps back. Rows that
// the remote names (an endpoint's, a trusted answer's) and the remote's order are part of the
// question: when a fetch changes these, the stream asks anew.
//
// Where a changed configuration gives the query another operation, the live query goes over to that;
// where it leaves none, as with one that controllers brought the value of, it says that what it shows
// is stale.
//
// A query that controllers alone bring the value of has no remote, and is an operation all the same:
// its live queries are subscribers, and are told how it stands.
//
// Where another server of a cluster leads, that one runs the operation: what it has brought shows in
// the rows that are here, and how it stands comes with the answers to this server's posts.

/// The operation behind one live query, for the stream that shows it. Any thread.
package final class LiveRefresh: Sendable {
    /// The operation that is followed, and what ends with that.
    private struct Link {
        let operation: RemoteOperation
        let ends = EndActions()
    }

    private let changed: @Sendable () -> Void
    /// Says which server runs the operation.
    private let board: OperationBoard
    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var news: [SourceNews] = []
    /// The rows that the remote names, or their order, may be others than were taken over last. So they
    /// may at first, since the stream has asked before this began.
    // SAFETY: as `news`.
    nonisolated(unsafe) private var hasOtherAnswer = true
    // SAFETY: as `news`.
    nonisolated(unsafe) private var told: SourceNews?
    /// Whether its gates were open when they were looked at last.
    // SAFETY: as `news`.
    nonisolated(unsafe) private var wasOpen = false
    /// nil: no operation is behind the query any more.
    // SAFETY: as `news`.
    nonisolated(unsafe) private var link: Link?
    // SAFETY: as `news`.
    nonisolated(unsafe) private var isFollowing = false
    // SAFETY: as `news`.
    nonisolated(unsafe) private var mustFollow = false
    private let ends = EndActions()

    /// - Parameter board: Says which server runs the operation.
    init(
        _ operation: RemoteOperation, on board: OperationBoard,
        _ changed: @escaping @Sendable () -> Void
    ) {
        self.changed = changed
        self.board = board
        link = Link(operation: operation)
    }

    /// How it stands by what was told last; nil: nothing was.
    var standing: SourceNews? { lock.withLock { told } }

    /// What the stream has not been told yet: the last state, and before it how a run ended that a
    /// closing gate or its age has followed. Any other state that was passed is not told.
    package func takeNews() -> [SourceNews] {
        lock.withLock {
            defer { news = [] }
            return news
        }
    }

    /// Whether the query, as `EntityWatcher.following` says it, may be another than when this was asked last:
    /// any read may have brought what answers it now.
    package func takeAnswer() -> Bool {
        lock.withLock {
            defer { hasOtherAnswer = false }
            return hasOtherAnswer
        }
    }

    /// What answers the query may be another from now on.
    func noteAnswer() {
        lock.withLock { hasOtherAnswer = true }
        changed()
    }

    /// The stream has ended.
    package func leave() {
        ends.run()
        leaveOperation()
    }

    func show(_ news: SourceNews) {
        lock.withLock {
            let end = self.news.first { $0.state == .failed || $0.state == .fresh }
            let followsEnd = news.state == .gated || news.state == .stale
            self.news = (followsEnd ? [end].compactMap(\.self) : []) + [news]
            told = news
        }
        changed()
    }

    /// Has `end` called when the stream leaves; at once where it has.
    func atEnd(_ end: @escaping @Sendable () -> Void) { ends.add(end) }

    // MARK: The operation

    /// Has `end` called when the operation is not followed any more; at once where it is not.
    func atLeave(_ end: @escaping @Sendable () -> Void) {
        guard let ends = lock.withLock({ link?.ends }) else { return end() }
        ends.add(end)
    }

    /// Goes over to the operation that `find` says, of one thread at a time.
    func follow(_ find: () -> RemoteOperation?) {
        let isFirst = lock.withLock {
            mustFollow = true
            defer { isFollowing = true }
            return !isFollowing
        }
        guard isFirst else { return }
        while lock.withLock({
            isFollowing = mustFollow
            mustFollow = false
            return isFollowing
        }) {
            move(to: find())
        }
    }

    private func move(to next: RemoteOperation?) {
        let (last, standing) = lock.withLock { (link?.operation, told) }
        guard last !== next, !ends.isPast else { return }
        leaveOperation()
        guard let next else {
            // Nothing keeps up what is here.
            if standing?.state != .stale { show(SourceNews(state: .stale, since: .now)) }
            return
        }
        lock.withLock {
            link = Link(operation: next)
            // How another one stood says nothing of this one, but for what it has brought.
            if told?.state != .fresh { told = nil }
        }
        observe()
        atLeave(next.subscribe(isServed: standing?.state == .fresh))
        // The stream may have left before there was anything to end.
        if ends.isPast { leaveOperation() }
    }

    private func leaveOperation() {
        let last = lock.withLock {
            defer { link = nil }
            return link
        }
        last?.ends.run()
    }

    /// Is told what happens to the operation from now on, until it is left.
    func observe() {
        guard let operation = lock.withLock({ link?.operation }) else { return }
        let observation = operation.observe { [weak self, weak operation] event in
            guard let self, let operation, lock.withLock({ link?.operation === operation })
            else { return }
            if board.leads { return show(event, of: operation) }
            switch event {
            case .result(nil, _, _, _): show(event, of: operation)
            case .state: showElsewhere(operation.standingElsewhere)
            case .result, .runStarted, .runEnded: break
            }
        }
        atLeave { observation.cancel() }
    }

    /// Tells what the server says that runs the operation, as far as it is news.
    private func showElsewhere(_ news: SourceNews?) {
        guard let news, standing.map({ $0.differs(from: news) }) ?? true else { return }
        show(news)
    }

    /// Tells what an operation's event means for the stream.
    private func show(_ event: OperationEvent, of operation: RemoteOperation) {
        switch event {
        case .runStarted: show(SourceNews(state: .fetching, since: .now))
        case .runEnded(let ended, let error):
            switch ended.outcome {
            case .success: show(.fresh(.now, operation.gaps))
            case .failure:
                let failure = error.map {
                    FetchFailure($0, name: operation.upstreamName, operation: operation.id)
                }
                show(
                    SourceNews(
                        state: .failed, since: .now, next: failure?.retryAt,
                        problem: failure.map { .here($0) }))
            case .cancelled:
                if !ends.isPast { show(SourceNews(state: .stale, since: .now)) }
            // The next one has been told of by now, or is at once.
            case .superseded: break
            }
        case .result(nil, _, _, _): show(SourceNews(state: .fresh, since: .now))
        case .result: break
        case .state(let state): show(state, of: operation)
        }
    }

    /// Something else than a run has changed: its gates, or what makes it stale.
    private func show(_ state: OperationState, of operation: RemoteOperation) {
        let levels = operation.levels
        let isOpen = levels.gate && levels.admit
        let (last, closes) = lock.withLock {
            defer { wasOpen = isOpen }
            return (told, wasOpen && !isOpen)
        }
        guard state.run == nil else {
            if last == nil { show(SourceNews(state: .fetching, since: .now)) }
            return
        }
        let isStale = operation.declaresStaleness ? levels.stale : !state.hasValue
        // Where no staleness is declared, what a run has brought counts as fresh once it is there,
        // until a gate closes behind it.
        let isDue =
            isStale || levels.stale && (last == nil || last?.state == .gated || closes)
        if isDue, !isOpen {
            let gate = operation.closedGate(byItself: true)
            guard last?.state != .gated || last?.gate != gate else { return }
            return show(SourceNews(state: .gated, gate: gate, since: .now))
        }
        switch last?.state {
        case nil where !isStale, .gated where !isStale:
            let fetched = state.valueUpdatedAt.map { WallTime(milliseconds: $0) }
            show(.fresh(fetched ?? .now, operation.gaps))
        case nil, .gated: show(SourceNews(state: .stale, since: .now))
        case .fresh where isStale: show(SourceNews(state: .stale, since: .now))
        case .fresh, .stale, .failed, .fetching: break
        }
    }
}

extension FetchFailure {
    /// When the upstream has asked to be tried again.
    fileprivate var retryAt: WallTime? {
        guard case .upstream(let error, _) = self, let span = error.retryAfter else { return nil }
        return .now + span
    }
}
