package import FreshetBase
import FreshetRefresh
import FreshetQuery
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
// A query that controllers alone bring the value of has no remote, and is an operation all the same:
// its live queries are subscribers, and are told how it stands.

/// The operation behind one live query, for the stream that shows it. Any thread.
package final class LiveRefresh: Sendable {
    package enum State: String, Sendable {
        case fetching, fresh, stale, gated, failed
    }

    /// How it stands.
    package struct News: Sendable {
        package let state: State
        /// What keeps it from being fetched; of `gated`.
        package var gate: String?
        /// Of `fresh`, when what is here was fetched; else since when it is so.
        package let since: WallTime
        /// When it is tried again, as far as that is known.
        package var next: WallTime?
        package var problem: FetchFailure?
        /// Elements of the remote's answer that are no entities; of `fresh`.
        package var leftOut = 0
    }

    private let changed: @Sendable () -> Void
    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var news: [News] = []
    // SAFETY: as `news`.
    nonisolated(unsafe) private var told: (state: State, gate: String?)?
    /// Whether its gates were open when they were looked at last.
    // SAFETY: as `news`.
    nonisolated(unsafe) private var wasOpen = false
    // SAFETY: as `news`.
    nonisolated(unsafe) private var ends: [@Sendable () -> Void] = []
    // SAFETY: as `news`.
    nonisolated(unsafe) private var hasLeft = false

    init(_ changed: @escaping @Sendable () -> Void) {
        self.changed = changed
    }

    /// What the stream has not been told yet: the last state, and before it how a run ended that a
    /// closing gate or its age has followed. Any other state that was passed is not told.
    package func takeNews() -> [News] {
        lock.withLock {
            defer { news = [] }
            return news
        }
    }

    /// The stream has ended.
    package func leave() {
        let ends = lock.withLock {
            hasLeft = true
            defer { self.ends = [] }
            return self.ends
        }
        for end in ends { end() }
    }

    func tell(_ news: News) {
        lock.withLock {
            let end = self.news.first { $0.state == .failed || $0.state == .fresh }
            let followsEnd = news.state == .gated || news.state == .stale
            self.news = (followsEnd ? [end].compactMap(\.self) : []) + [news]
            told = (news.state, news.gate)
        }
        changed()
    }

    /// Has `end` called when the stream leaves; at once where it has.
    func take(_ end: @escaping @Sendable () -> Void) {
        let isLate = lock.withLock {
            if !hasLeft { ends.append(end) }
            return hasLeft
        }
        if isLate { end() }
    }

    /// Tells what an operation's event means for the stream.
    func take(_ event: OperationEvent, of operation: RemoteOperation) {
        switch event {
        case .runStarted: tell(News(state: .fetching, since: .now))
        case .runEnded(let ended, let error):
            switch ended.outcome {
            case .success: tell(News(state: .fresh, since: .now, leftOut: operation.leftOut))
            case .failure:
                let failure = error.map { FetchFailure($0, name: operation.upstreamName) }
                tell(
                    News(state: .failed, since: .now, next: failure?.retryAt, problem: failure))
            case .cancelled:
                if lock.withLock({ !hasLeft }) { tell(News(state: .stale, since: .now)) }
            // The next one has been told of by now, or is at once.
            case .superseded: break
            }
        case .result(nil, _, _, _): tell(News(state: .fresh, since: .now))
        case .result: break
        case .state(let state): take(state, of: operation)
        }
    }

    /// Something else than a run has changed: its gates, or what makes it stale.
    private func take(_ state: OperationState, of operation: RemoteOperation) {
        let levels = operation.levels
        let isOpen = levels.gate && levels.admit
        let (last, closes) = lock.withLock {
            defer { wasOpen = isOpen }
            return (told, wasOpen && !isOpen)
        }
        guard state.run == nil else {
            if last == nil { tell(News(state: .fetching, since: .now)) }
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
            return tell(News(state: .gated, gate: gate, since: .now))
        }
        switch last?.state {
        case nil where !isStale, .gated where !isStale:
            let fetched = state.valueUpdatedAt.map { WallTime(milliseconds: $0) }
            tell(News(state: .fresh, since: fetched ?? .now, leftOut: operation.leftOut))
        case nil, .gated: tell(News(state: .stale, since: .now))
        case .fresh where isStale: tell(News(state: .stale, since: .now))
        case .fresh, .stale, .failed, .fetching: break
        }
    }
}

extension FetchFailure {
    /// When the upstream has asked to be tried again.
    fileprivate var retryAt: WallTime? {
        guard case .upstream(let error, _) = self, let span = error.retryAfter else { return nil }
        return WallTime(milliseconds: WallTime.now.milliseconds + Int64(span / .milliseconds(1)))
    }
}
