import FreshetBase
package import FreshetLive
package import FreshetQuery
import FreshetRefresh
import FreshetRemote
import FreshetStore

/// Follows queries: what they show, from which operation that comes, and how that stands. Any thread.
package final class EntityWatcher: Sendable {
    package let live: LiveQueries
    private let reader: EntityReader

    init(_ live: LiveQueries, _ reader: EntityReader) {
        self.live = live
        self.reader = reader
    }

    /// Starts watching what `request` names, with what it includes.
    ///
    /// - Throws: What the plan of the query or of its include throws.
    package func join(
        _ request: LiveRequest, _ subscriber: any LiveSubscriber, for rights: AccessRights?
    ) throws(CoreError) -> LiveMembership {
        var request = request
        if let include = request.query.include {
            request.include = try reader.plan(include, of: request.query.type, for: rights)
        }
        request.silent = reader.catalog.schema(of: request.query.type)?.silentMembers ?? []
        return try live.join(request, subscriber)
    }

    /// Fetches what the include of a live query leads to and is not here; it comes as commits do.
    ///
    /// - Parameter isCancelled: Nobody is interested any more.
    package func fetchIncluded(
        by query: Query, for rights: AccessRights?, _ caller: RemoteCaller,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        // What is not to be stored would never come.
        guard let include = query.include, reader.hasRemotes, reader.operations.board.leads,
            query.read?.source != .local,
            query.read?.persist != ReadParameters.Persist.none
        else { return }
        reader.run(
            query, on: nil, including: include, for: rights, caller, leaves: { _ in },
            isCancelled: isCancelled
        ) { _ in }
    }

    /// Begins what the source of a live query has going on behind it.
    ///
    /// - Parameter changed: Called when there are news, on any thread, and before the return.
    /// - Returns: nil where the query is answered from here alone.
    /// - Throws: As `decide`.
    package func refresh(
        behind query: Query, for rights: AccessRights?, _ caller: RemoteCaller,
        changed: @escaping @Sendable () -> Void
    ) throws(CoreError) -> LiveRefresh? {
        guard reader.mayAskRemote(query),
            let asked = try reader.remotes.read(query, isGet: isGet(query), for: rights),
            asked.source != .local
        else {
            guard let driven = reader.operations.driven(query) else { return nil }
            let refresh = LiveRefresh(changed)
            refresh.take(driven.subscribe(isServed: true))
            observe(driven, for: refresh)
            return refresh
        }
        let operation = reader.operations.operation(of: asked)
        let staleness = reader.remotes.staleness(of: query.type)
        var read: LocalRead?
        switch asked.source {
        case .local, .remote, .remoteOrLocal: break
        case .localOrRemote: read = try reader.sufficient(asked, youngerThan: staleness)
        case .localThenRemote:
            if staleness != nil || operation.hasStalenessRules {
                read = try reader.sufficient(asked, youngerThan: staleness)
            }
        }
        if operation.isJudged, operation.levels.stale { read = nil }
        let wantsRun =
            switch asked.source {
            case .remote, .remoteOrLocal: true
            case .localOrRemote: read == nil
            case .local, .localThenRemote: false
            }
        let isDemanded = wantsRun && reader.operations.board.leads
        let refresh = LiveRefresh(changed)
        if let read {
            refresh.tell(
                .init(
                    state: .fresh, since: read.origin.fetchedAt ?? .now,
                    leftOut: read.origin.leftOut))
        }
        // Before the subscription, whose run may end before anybody is told of it.
        if !isDemanded { observe(operation, for: refresh) }
        refresh.take(operation.subscribe(isServed: read != nil || isDemanded))
        if isDemanded {
            refresh.tell(.init(state: .fetching, since: .now))
            let place = reader.operations.enter(asked, for: caller) { result in
                // All else is told by the operation.
                guard case .failure(.gated(let gate, _)) = result else { return }
                refresh.tell(.init(state: .gated, gate: gate, since: .now))
            }
            refresh.take { place.leave() }
            observe(operation, for: refresh)
        }
        return refresh
    }

    private func observe(_ operation: RemoteOperation, for refresh: LiveRefresh) {
        let observation = operation.observe {
            [weak refresh, weak operation, board = reader.operations.board] event in
            guard let refresh, let operation else { return }
            if !board.leads {
                // Another server runs it: what it has brought is all that is known here.
                guard case .result(nil, _, _, _) = event else { return }
            }
            refresh.take(event, of: operation)
        }
        refresh.take { observation.cancel() }
    }

    /// Whether an operation may stand behind a live query of this.
    package func mayFollowOperation(_ query: Query) -> Bool {
        reader.operations.hasDriven || reader.mayAskRemote(query)
    }

    /// As `refresh(behind:)` for whoever does not stay: the service itself waits for the fetch.
    package func refreshOnce(
        behind query: Query, for rights: AccessRights?, _ caller: RemoteCaller
    ) throws(CoreError) {
        guard reader.mayAskRemote(query),
            let asked = try reader.remotes.read(query, isGet: isGet(query), for: rights),
            asked.source != .local
        else { return }
        let read = try reader.sufficient(
            asked, youngerThan: reader.remotes.staleness(of: query.type))
        if asked.source == .localOrRemote, read != nil { return }
        _ = reader.refresh(asked, read?.origin.fetchedAt, caller)
    }

    /// `query` as a live query shows it: with the rows and the order that the remote has named, as
    /// far as they are known by now.
    ///
    /// - Throws: As `decide`.
    package func following(
        _ query: Query, for rights: AccessRights?
    ) throws(CoreError) -> Query {
        try liveRead(query, for: rights).map { reader.live($0) } ?? query
    }

    /// The same of a request's query. A list that the remote has named may be another since the
    /// client has seen it; entities that are asked for by their ids are what they are.
    package func follow(
        _ request: inout LiveRequest, for rights: AccessRights?
    ) throws(CoreError) {
        guard let asked = try liveRead(request.query, for: rights) else { return }
        request.query = reader.live(asked)
        request.followsRemote = asked.query.ids == nil
    }

    /// nil where no remote has a say.
    private func liveRead(
        _ query: Query, for rights: AccessRights?
    ) throws(CoreError) -> RemoteRead? {
        guard reader.mayAskRemote(query) else { return nil }
        return try reader.remotes.read(query, isGet: isGet(query), for: rights)
    }

    /// One entity is asked for by its id, as long as the remote can be asked so.
    private func isGet(_ query: Query) -> Bool {
        query.ids?.count == 1 && query.read?.endpoint == nil
            && reader.remotes.source(of: query.type)?.canGet ?? false
    }
}
