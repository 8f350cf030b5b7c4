package import FreshetBase
package import FreshetLive
package import FreshetQuery
import FreshetRefresh
package import FreshetRemote
package import FreshetStore

/// Follows queries: what they show, from which operation that comes, and how that stands. Any thread.
package final class EntityWatcher: Sendable {
    package let live: LiveQueries
    /// System types that have more rows than are shown.
    package let truncated = Shared<Set<TypeName>>([])
    private let reader: EntityReader

    init(_ live: LiveQueries, _ reader: EntityReader) {
        self.live = live
        self.reader = reader
    }

    /// Whose commits are watched.
    package var store: any EntityStore { reader.store }

    /// Starts watching what `request` names, with what it includes.
    ///
    /// - Throws: What the plan of the query or of its include throws.
    package func join(
        _ request: LiveRequest, _ subscriber: any LiveSubscriber, for rights: AccessRights?
    ) throws(CoreError) -> LiveMembership {
        try live.join(try complete(request, for: rights), subscriber)
    }

    /// How a change would find `query`, were it live, and how many watch it now.
    ///
    /// - Throws: As `join`.
    package func standing(
        of query: Query, for rights: AccessRights?
    ) throws(CoreError) -> LiveStanding {
        var request = LiveRequest(query)
        try follow(&request, for: rights)
        return live.set.standing(of: try complete(request, for: rights))
    }

    /// The request with what its type and its include add.
    private func complete(
        _ request: LiveRequest, for rights: AccessRights?
    ) throws(CoreError) -> LiveRequest {
        var request = request
        let type = request.query.type
        if let include = request.query.include {
            let plan = try reader.plan(include, of: type, for: rights)
            request.include = plan
            request.silent = plan.silentMembers(of: type)
        } else {
            request.silent = reader.catalog.schema(of: type)?.silentMembers ?? []
        }
        return request
    }

    /// Whether what makes no news of `query` by now made none of `group` either, so that who watches
    /// it holds nothing that is silent no more.
    package func isSilent(
        as group: LiveGroup, _ query: Query, for rights: AccessRights?
    ) -> Bool {
        // A query that does not fit its types any more is refused, with the reason, by who joins it.
        guard let request = try? complete(LiveRequest(query), for: rights) else { return false }
        return request.silent == group.silent
            && request.include?.silent ?? [:] == group.include?.silent ?? [:]
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
    /// - Throws: What `EntityReader.decision` does.
    package func refresh(
        behind query: Query, for rights: AccessRights?, _ caller: RemoteCaller,
        changed: @escaping @Sendable () -> Void
    ) throws(CoreError) -> LiveRefresh? {
        let operations = reader.operations
        let namings = operations.namings.value
        guard let (operation, asked) = try operation(behind: query, for: rights) else {
            return nil
        }
        let refresh = LiveRefresh(operation, on: operations.board, changed)
        if let asked {
            if asked.query.ids == nil {
                let end = reader.remotes.coverage.watch(asked.shape) { [weak refresh] in
                    refresh?.noteAnswer()
                }
                if let end { refresh.atEnd(end) }
            }
            do throws(CoreError) {
                try subscribe(refresh, to: operation, asking: asked, for: caller)
            } catch {
                refresh.leave()
                throw error
            }
        } else {
            refresh.atLeave(operation.subscribe(isServed: true))
            refresh.observe()
        }
        operations.add(refresh, since: namings) { [weak self, weak refresh] in
            // A context that the type does not have was refused when the query began.
            refresh?.follow { try? self?.operation(behind: query, for: rights)?.operation }
        }
        return refresh
    }

    /// The operation that is behind a live query now, and what it asks of a remote; nil where the
    /// query is answered from here alone.
    private func operation(
        behind query: Query, for rights: AccessRights?
    ) throws(CoreError) -> (operation: RemoteOperation, asked: RemoteRead?)? {
        guard let asked = try liveRead(query, for: rights), asked.source != .local
        else { return reader.operations.driven(query).map { ($0, nil) } }
        return (reader.operations.operation(of: asked), asked)
    }

    /// Subscribes to `operation`, and has it run where `asked` demands that.
    private func subscribe(
        _ refresh: LiveRefresh, to operation: RemoteOperation, asking asked: RemoteRead,
        for caller: RemoteCaller
    ) throws(CoreError) {
        let (read, wantsRun) = try reader.decision(onLive: asked, of: operation)
        let isDemanded = wantsRun && reader.operations.board.leads
        if let read {
            refresh.show(
                .fresh(read.origin.fetchedAt ?? .now, read.origin.gaps))
        }
        // Before the subscription, whose run may end before anybody is told of it.
        if !isDemanded { refresh.observe() }
        refresh.atLeave(operation.subscribe(isServed: read != nil || isDemanded))
        if isDemanded {
            refresh.show(.init(state: .fetching, since: .now))
            let place = reader.operations.enter(asked, for: caller) { result in
                // All else is told by the operation.
                guard case .failure(.gated(let gate, _, _)) = result else { return }
                refresh.show(.init(state: .gated, gate: gate, since: .now))
            }
            refresh.atLeave { place.leave() }
            refresh.observe()
        }
    }

    /// Whether an operation may stand behind a live query of this.
    package func mayFollowOperation(_ query: Query) -> Bool {
        !query.type.isInternal && (reader.operations.hasDriven || reader.mayAskRemote(query))
    }

    /// Refreshes as `refresh(behind:)` for whoever does not stay: the service itself waits.
    package func refreshOnce(
        behind query: Query, for rights: AccessRights?, _ caller: RemoteCaller
    ) throws(CoreError) {
        guard let asked = try liveRead(query, for: rights), asked.source != .local
        else { return }
        try reader.refreshOnce(behind: asked, caller)
    }

    /// `query` as a live query shows it: with the rows and the order that the remote has named, as
    /// far as they are known by now.
    ///
    /// - Throws: What `EntityReader.decision` does.
    package func following(
        _ query: Query, for rights: AccessRights?
    ) throws(CoreError) -> Query {
        try liveRead(query, for: rights).map { reader.live($0) } ?? query
    }

    /// Follows a request's query. A list that the remote has named may be another since the
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
