package import FreshetBase
package import FreshetLive
import FreshetOperations
package import FreshetQuery
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

    fileprivate func tell(_ news: News) {
        lock.withLock {
            let end = self.news.first { $0.state == .failed || $0.state == .fresh }
            let followsEnd = news.state == .gated || news.state == .stale
            self.news = (followsEnd ? [end].compactMap(\.self) : []) + [news]
            told = (news.state, news.gate)
        }
        changed()
    }

    /// Has `end` called when the stream leaves; at once where it has.
    fileprivate func take(_ end: @escaping @Sendable () -> Void) {
        let isLate = lock.withLock {
            if !hasLeft { ends.append(end) }
            return hasLeft
        }
        if isLate { end() }
    }

    /// Tells what an operation's event means for the stream.
    fileprivate func take(_ event: OperationEvent, of operation: RemoteOperation) {
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

extension CoreManager {
    /// Begins what the source of a live query has going on behind it.
    ///
    /// - Parameter changed: Called when there are news, on any thread, and before the return.
    /// - Returns: nil where the query is answered from here alone.
    /// - Throws: As `way`.
    package func refresh(
        behind query: Query, for rights: AccessRights?, _ caller: RemoteCaller,
        changed: @escaping @Sendable () -> Void
    ) throws(CoreError) -> LiveRefresh? {
        guard concernsRemotes(query),
            let asked = try remotes.read(query, isGet: isGet(query), for: rights),
            asked.source != .local
        else {
            guard let driven = operations.driven(query) else { return nil }
            let refresh = LiveRefresh(changed)
            refresh.take(driven.subscribe(isServed: true))
            observe(driven, for: refresh)
            return refresh
        }
        let operation = operations.operation(of: asked)
        let staleness = remotes.staleness(of: query.type)
        var read: LocalRead?
        switch asked.source {
        case .local, .remote, .remoteOrLocal: break
        case .localOrRemote: read = try sufficient(asked, youngerThan: staleness)
        case .localThenRemote:
            if staleness != nil || operation.rules.declaresStaleness {
                read = try sufficient(asked, youngerThan: staleness)
            }
        }
        if operation.isJudged, operation.levels.stale { read = nil }
        let isDemanded =
            switch asked.source {
            case .remote, .remoteOrLocal: true
            case .localOrRemote: read == nil
            case .local, .localThenRemote: false
            }
        let refresh = LiveRefresh(changed)
        if let read {
            refresh.tell(
                .init(
                    state: .fresh, since: read.origin.fetchedAt ?? .now,
                    leftOut: read.origin.leftOut))
        }
        refresh.take(operation.subscribe(isServed: read != nil || isDemanded))
        if isDemanded {
            refresh.tell(.init(state: .fetching, since: .now))
            let place = operations.enter(asked, for: caller) { result in
                // All else is told by the operation.
                guard case .failure(.gated(let gate, _)) = result else { return }
                refresh.tell(.init(state: .gated, gate: gate, since: .now))
            }
            refresh.take { place.leave() }
        }
        observe(operation, for: refresh)
        return refresh
    }

    private func observe(_ operation: RemoteOperation, for refresh: LiveRefresh) {
        let observation = operation.store.observe { [weak refresh, weak operation] event in
            guard let refresh, let operation else { return }
            refresh.take(event, of: operation)
        }
        refresh.take { observation.cancel() }
    }

    /// Whether an operation may stand behind a live query of this.
    package func concernsOperations(_ query: Query) -> Bool {
        operations.hasDriven || concernsRemotes(query)
    }

    /// As `refresh(behind:)` for whoever does not stay: the service itself waits for the fetch.
    package func refreshOnce(
        behind query: Query, for rights: AccessRights?, _ caller: RemoteCaller
    ) throws(CoreError) {
        guard concernsRemotes(query),
            let asked = try remotes.read(query, isGet: isGet(query), for: rights),
            asked.source != .local
        else { return }
        let read = try sufficient(asked, youngerThan: remotes.staleness(of: query.type))
        if asked.source == .localOrRemote, read != nil { return }
        _ = refresh(asked, read?.origin.fetchedAt, caller)
    }

    /// `query` as a live query shows it: with the rows and the order that the remote has named, as
    /// far as they are known by now.
    ///
    /// - Throws: As `way`.
    package func following(
        _ query: Query, for rights: AccessRights?
    ) throws(CoreError) -> Query {
        try liveRead(query, for: rights).map(live) ?? query
    }

    /// The same of a request's query. A list that the remote has named may be another since the
    /// client has seen it; entities that are asked for by their ids are what they are.
    package func follow(
        _ request: inout LiveRequest, for rights: AccessRights?
    ) throws(CoreError) {
        guard let asked = try liveRead(request.query, for: rights) else { return }
        request.query = live(asked)
        request.followsRemote = asked.query.ids == nil
    }

    /// nil where no remote has a say.
    private func liveRead(
        _ query: Query, for rights: AccessRights?
    ) throws(CoreError) -> RemoteRead? {
        guard concernsRemotes(query) else { return nil }
        return try remotes.read(query, isGet: isGet(query), for: rights)
    }

    /// One entity is asked for by its id, as long as the remote can be asked so.
    private func isGet(_ query: Query) -> Bool {
        query.ids?.count == 1 && query.read?.endpoint == nil
            && remotes.source(of: query.type)?.canGet ?? false
    }
}

extension FetchFailure {
    /// When the upstream has asked to be tried again.
    fileprivate var retryAt: WallTime? {
        guard case .upstream(let error, _) = self, let span = error.retryAfter else { return nil }
        return WallTime(milliseconds: WallTime.now.milliseconds + Int64(span / .milliseconds(1)))
    }
}
