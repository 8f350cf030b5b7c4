import FreshetBase
import FreshetEngine
package import FreshetLive
import FreshetRefresh
package import FreshetQuery
import FreshetRemote
import FreshetStore

// Where an answer comes from (operations.md section 1).
//
//                      what is here suffices            it does not
//     local            it                               it
//     remote           the remote                       the remote
//     remoteOrLocal    the remote; what is here where the remote cannot be had
//     localOrRemote    it                               as remoteOrLocal
//     localThenRemote  it, and a refresh behind it      as remoteOrLocal
//
// Whether it suffices is known before anything is awaited: one entity is there and keeps the
// contract; all ids are; or the same or a wider question was answered completely once, and the
// record of that stands in the store. So a read that is answered from here has no task, no waiting
// and one look at a table more than one of a type without a remote.
//
// A caller whose level is local causes no request to a remote whatever it asks: `source=remote` is
// refused, all else is answered from here.

extension EntityReader {
    /// How `query` is answered for whoever has `rights`. Nothing has begun.
    ///
    /// - Parameter isGet: The query is for one entity by its path.
    /// - Throws: `.query` for a context that the type does not have; `.upstreamForbidden`;
    ///   what a search of a contract throws.
    func decision(
        on query: Query, isGet: Bool, for rights: AccessRights?
    ) throws(CoreError) -> ReadDecision {
        guard let asked = try remotes.read(query, isGet: isGet, for: rights) else {
            return .local(local(query), refreshing: nil)
        }
        switch asked.source {
        case .local:
            var read = local(query, of: asked)
            // The next page is answered from here as well.
            read.mayHaveMore = false
            return .local(read, refreshing: nil)
        case .remote, .remoteOrLocal: return .remote(asked)
        case .localOrRemote:
            guard var read = try current(asked), !operations.holdStale(asked) else {
                return .remote(asked)
            }
            read.origin.refresh = .fresh
            return .local(read, refreshing: nil)
        case .localThenRemote:
            guard let read = try sufficient(asked, youngerThan: nil) else {
                return .remote(asked)
            }
            return .local(read, refreshing: asked)
        }
    }

    /// How a live query stands to what is here: the table above, for who stays and sees what comes.
    ///
    /// - Returns: What serves it for now, nil where that is not known to be young enough, and whether
    ///   the remote is to be asked at once; its operation asks by itself where it is due.
    func decision(
        onLive asked: RemoteRead, of operation: RemoteOperation
    ) throws(CoreError) -> (read: LocalRead?, wantsRun: Bool) {
        let isStale = operation.isJudged && operation.levels.stale
        switch asked.source {
        case .local: return (nil, false)
        case .remote, .remoteOrLocal: return (nil, true)
        case .localOrRemote:
            let read = try current(asked)
            return isStale || read == nil ? (nil, true) : (read, false)
        case .localThenRemote:
            // Without a bound of age nothing is known to be young enough.
            let staleness = remotes.staleness(of: asked.query.type)
            guard staleness != nil || operation.hasStalenessRules else { return (nil, false) }
            let read = try sufficient(asked, youngerThan: staleness)
            if read?.isDoubted == true { return (nil, true) }
            return (isStale ? nil : read, false)
        }
    }

    /// Refreshes what is not good enough here, behind an answer whose caller does not stay for it.
    func refreshOnce(
        behind asked: RemoteRead, _ caller: RemoteCaller
    ) throws(CoreError) {
        if asked.source == .localOrRemote, try current(asked) != nil { return }
        _ = refresh(asked, behind: try sufficient(asked, youngerThan: nil), caller)
    }

    /// Whether a remote may play a part in the answer, or the request spoke of one.
    func mayAskRemote(_ query: Query) -> Bool {
        query.read != nil || remotes.source(of: query.type) != nil
            || query.include != nil && !remotes.isEmpty
    }

    /// Whether the answer to `question` may have a remote asked, before it or behind it.
    package func mayFetch(_ question: ReadQuestion) -> Bool {
        let query = question.query
        guard mayAskRemote(query), query.read?.source != .local else { return false }
        if needsWorker(query) || query.include != nil { return true }
        do throws(CoreError) {
            guard
                let asked = try remotes.read(
                    query, isGet: question.isGet, for: question.rights)
            else { return false }
            // How an operation that has a name stands is known to who runs it.
            guard asked.operation == nil, asked.source == .localOrRemote else { return true }
            return try current(asked) == nil
        } catch {
            // What is wrong with the question is said where it is answered.
            return true
        }
    }

    /// Whether the decision may take a search, so that it is better made on a worker.
    func needsWorker(_ query: Query) -> Bool {
        query.contract != nil && query.ids == nil && remotes.source(of: query.type) != nil
    }

    /// Asks the remote, or joins those who do.
    ///
    /// - Parameter completion: Called once, on any thread, unless the place is left before.
    func begin(
        _ read: RemoteRead, for caller: RemoteCaller,
        completion: @escaping @Sendable (RemoteRead.End) -> Void
    ) -> Waiter<FetchResult> {
        operations.enter(read, for: caller) { result in
            completion(self.end(of: read, result))
        }
    }

    /// What `_meta` tells of an entity of an answer.
    package func metadata(
        of document: Document, _ type: TypeName, shownAt origin: AnswerOrigin
    ) -> ItemMetadata {
        var newest = fetchedAt(type, document.id)
        // What was fetched with the answer, or with the one that covers it.
        if document.isFetched || document.revision == 0, let shown = origin.fetchedAt,
            newest.map({ $0 < shown }) ?? true
        {
            newest = shown
        }
        return ItemMetadata(
            fetchedAt: newest,
            isPending: outbox.holds(type, document.idBytes))
    }

    // MARK: What is here

    /// `query` on what is here, as the remote has ordered it where that is known; of an answer that is
    /// the remote's own choice nothing is here before it was fetched once.
    private func local(_ query: Query, of asked: RemoteRead? = nil) -> LocalRead {
        var read = LocalRead(query)
        guard let asked else { return read }
        let shape = asked.shape
        if case .get(let id) = shape.question {
            if asked.shows(store.document(shape.type, id)) {
                read.origin.fetchedAt = fetchedAt(shape.type, id)
            }
        } else if query.ids == nil {
            if let record = remotes.coverage.covering(shape) {
                read.follow(record, shape)
            } else if shape.isChosen {
                read.query.filter = .constant(false)
            }
        }
        return read
    }

    /// What a live query shows. The order of a long list is not followed: every stream would keep a
    /// list of its own.
    func live(_ asked: RemoteRead) -> Query {
        guard case .search = asked.shape.question, asked.query.ids == nil else {
            return asked.query
        }
        guard var record = remotes.coverage.covering(asked.shape) else {
            guard asked.shape.isListed else { return asked.query }
            // The rows of this answer are not known, and of a window not those before it.
            var query = asked.query
            query.filter = .constant(false)
            return query
        }
        if record.ids.map({ $0.count > Self.longestLiveOrder }) ?? true,
            let own = remotes.coverage.record(of: asked.shape), own.covers(asked.shape)
        {
            // A younger and longer list leaves a page in the order that it was served in.
            record = own
        }
        let isList = asked.shape.isListed && record.id == asked.shape.recordID
        guard isList || record.ids?.count ?? 0 <= Self.longestLiveOrder else {
            return asked.query
        }
        var read = LocalRead(asked.query)
        read.follow(record, asked.shape)
        return read.query
    }

    private static let longestLiveOrder = 1_000

    /// When one entity was fetched, by itself.
    private func fetchedAt(_ type: TypeName, _ id: EntityID) -> WallTime? {
        EntityFetch.date(of: type, id, in: store)
    }

    /// `asked` answered from here, or nil where what is here does not suffice, is not young enough or in
    /// doubt.
    private func current(_ asked: RemoteRead) throws(CoreError) -> LocalRead? {
        let staleness = remotes.staleness(of: asked.query.type)
        return try sufficient(asked, youngerThan: staleness).flatMap { $0.isDoubted ? nil : $0 }
    }

    /// `asked` answered from here, or nil where what is here does not suffice.
    func sufficient(
        _ asked: RemoteRead, youngerThan staleness: Duration?
    ) throws(CoreError) -> LocalRead? {
        let query = asked.query
        var read = LocalRead(query)
        if case .get(let id) = asked.shape.question {
            guard let found = try keeping(asked, [id]) else { return nil }
            read.document = found
            read.origin.fetchedAt = fetchedAt(query.type, id)
            return read
        }
        if let ids = query.ids {
            guard !ids.isEmpty else { return read }
            return try keeping(asked, ids) == nil ? nil : read
        }
        guard let record = remotes.coverage.covering(asked.shape) else { return nil }
        if let staleness, record.at.age >= staleness { return nil }
        if hasLostRow(record, asked.shape) { return nil }
        if let contract = query.contract, try breaks(contract, query.type) { return nil }
        read.follow(record, asked.shape)
        return read
    }

    /// Whether a row of the window that `record` is of was removed here, so that the one behind the window
    /// has moved up at the remote. Removals that wait in the outbox are not known there yet.
    private func hasLostRow(_ record: CoverageRecord, _ shape: FetchShape) -> Bool {
        guard shape.window != nil, !record.isWhole, let ids = record.ids else { return false }
        let table = store.view(shape.type) ?? .empty
        let lost = ids.count { id in
            table.document(id) == nil && !id.withBytes { outbox.holds(shape.type, $0) }
        }
        // Rows that break the rules of their type were never here.
        return lost > record.gaps.leftOut
    }

    /// The last of `ids`, where all of them are here and keep the query's contract. What is hidden and
    /// what is absent must not differ: the remote is asked for either.
    private func keeping(_ asked: RemoteRead, _ ids: [EntityID]) throws(CoreError) -> Document? {
        let query = asked.query
        var plan: SearchPlan?
        if let contract = query.contract { plan = try self.plan(query.type, contract.filter) }
        var last: Document?
        for id in ids {
            guard let document = store.document(query.type, id), asked.shows(document) else {
                return nil
            }
            if let plan, plan.matches(document) != true { return nil }
            last = document
        }
        return last
    }

    /// Whether a row that was asked for breaks the contract.
    private func breaks(
        _ contract: QueryContract, _ type: TypeName
    ) throws(CoreError) -> Bool {
        var query = Query(type: type)
        let broken = Filter.not(contract.filter)
        query.filter = contract.asked.map { .and([$0, broken]) } ?? broken
        query.limit = 1
        return try !run(prepare(query)).documents.isEmpty
    }

    private func plan(_ type: TypeName, _ filter: Filter) throws(CoreError) -> SearchPlan {
        var query = Query(type: type)
        query.filter = filter
        do { return try SearchPlan(query) } catch { throw .engine(error) }
    }

    // MARK: The refresh behind an answer

    /// - Parameter read: What is here; nil: not enough for an answer.
    func refresh(
        _ asked: RemoteRead, behind read: LocalRead?, _ caller: RemoteCaller
    ) -> AnswerOrigin.Refresh {
        let now = MonotonicInstant.now
        let operation = operations.operation(of: asked, at: now)
        if operation.isJudged {
            guard operation.levels.stale || read?.isDoubted == true else { return .fresh }
        } else if let staleness = remotes.staleness(of: asked.query.type),
            let fetchedAt = read?.origin.fetchedAt, fetchedAt.age < staleness
        {
            return .fresh
        }
        switch operations.refresh(operation, by: asked, at: now, for: caller) {
        case .started: return .started
        case .joined: return .joined
        case .recent: return .fresh
        case .gated: return .gated
        }
    }

    // MARK: How a fetch ends

    private func end(of read: RemoteRead, _ result: FetchResult) -> RemoteRead.End {
        switch result {
        case .failure(.upstream(.unaddressable, _)) where read.shape.recordID == nil:
            // An id that cannot stand in a path of the remote is none of its.
            return .absent(AnswerOrigin())
        case .failure(.store(_, let fetched?)): return end(of: read, .success(fetched))
        case .failure(let failure):
            guard read.source != .remote, failure.allowsFallback(read.remote.fallback) else {
                return .failed(failure)
            }
            var answer = local(read.query, of: read)
            answer.origin.source = .fallback
            if case .gated = failure { answer.origin.refresh = .gated }
            answer.origin.failure = failure
            // A complete answer of before that had no row is something, too.
            answer.mustFind = !answer.isCovered
            return .rows(answer)
        case .success(let outcome):
            if case .get = read.shape.question {
                if outcome.isAbsent, read.source == .remote || !outcome.isStored {
                    return .absent(origin(of: outcome))
                }
                if !outcome.isAbsent, outcome.documents.isEmpty, outcome.gaps.leftOut > 0 {
                    return .failed(
                        .upstream(
                            .shape(
                                endpoint: "get", pointer: "",
                                detail: Excerpt(
                                    own: "an entity, not one that breaks the rules of its type"
                                        + (outcome.firstFault.map { ": \($0)" } ?? ""))),
                            name: read.remote.upstreamName))
                }
            }
            let isAsStored =
                outcome.isStored && read.source != .remote && read.source != .remoteOrLocal
            if isAsStored, outcome.isAbsent { return .rows(locally(read, outcome)) }
            let isCovered =
                read.shape.recordID == nil || read.query.ids != nil
                || remotes.coverage.covering(read.shape) != nil
            return .rows(isAsStored && isCovered ? locally(read, outcome) : alone(read, outcome))
        }
    }

    private func origin(of outcome: FetchOutcome) -> AnswerOrigin {
        var origin = AnswerOrigin()
        origin.source = .remote
        origin.fetchedAt = outcome.at
        origin.gaps = outcome.gaps
        return origin
    }

    /// The store with what was fetched.
    private func locally(_ read: RemoteRead, _ outcome: FetchOutcome) -> LocalRead {
        var answer = local(read.query, of: read)
        answer.origin = origin(of: outcome)
        return answer
    }

    /// What was fetched, and nothing else.
    private func alone(_ read: RemoteRead, _ outcome: FetchOutcome) -> LocalRead {
        var answer = LocalRead(read.query)
        answer.origin = origin(of: outcome)
        var table = Table()
        for document in outcome.documents { _ = table.insert(document) }
        answer.table = table.view(seq: store.seq)
        answer.mayHaveMore =
            outcome.window?.mayHaveMore(
                behind: outcome.documents.count + outcome.removed, of: outcome.total, outcome.gaps)
            ?? false
        answer.nested = outcome.nested
        answer.take(
            order: outcome.documents.map(\.id), offset: outcome.window?.offset ?? 0,
            isTrusted: read.query.read?.trustsRemote ?? false)
        return answer
    }
}

extension RemoteRead {
    /// Whether whoever asks may see `document`; nil hides nothing.
    fileprivate func shows(_ document: Document?) -> Bool {
        guard let rights, let document else { return true }
        return rights.mayRead(document, of: query.type)
    }
}

extension LocalRead {
    /// Takes the remote's order over, and its rows where these are the answer.
    fileprivate mutating func follow(_ record: CoverageRecord, _ shape: FetchShape) {
        isDoubted = record.isDoubted
        origin.fetchedAt = isDoubted ? nil : record.at
        origin.gaps = record.gaps
        isCovered = true
        guard let ids = record.ids else { return }
        if record.id == shape.recordID {
            mayHaveMore =
                shape.window?.mayHaveMore(behind: ids.count, of: record.total, record.gaps) ?? false
        }
        guard shape.isListed, record.id == shape.recordID,
            case .search(let search, let pushdown) = shape.question
        else {
            takeOrder(ids)
            return
        }
        take(order: ids, offset: pushdown.window?.offset ?? 0, isTrusted: search.isTrusted)
        var list: [Literal] = []
        list.reserveCapacity(ids.count)
        for id in ids { list.append(Literal(string: id.text)) }
        let isListed = Filter.isIn(.id, list)
        query.filter = query.filter.map { .and([$0, isListed]) } ?? isListed
    }

    /// - Parameters:
    ///   - offset: How many rows of the remote's come before the first of `ids`.
    ///   - isTrusted: The remote has filtered; the caller's own rule holds all the same.
    fileprivate mutating func take(order ids: [EntityID], offset: Int, isTrusted: Bool) {
        if isTrusted {
            let kept = [query.contract?.filter, query.rule].compactMap { $0 }
            query.filter = kept.count > 1 ? .and(kept) : kept.first
            query.order = .natural
        }
        query.offset = max(query.offset - offset, 0)
        takeOrder(ids)
    }

    /// Where no order was asked for, the remote's holds.
    private mutating func takeOrder(_ ids: [EntityID]) {
        guard query.order == .natural, query.ids == nil, query.after == nil,
            !ids.isEmpty
        else { return }
        query.order = .ids(ids)
        hasOwnOrder = true
    }
}

extension RemotePushdown.Window {
    /// Whether the remote has, or may have, rows behind the window, of which it has served `count`.
    ///
    /// - Parameter total: How many there are, where it said so.
    fileprivate func mayHaveMore(behind count: Int, of total: Int?, _ gaps: AnswerGaps) -> Bool {
        gaps.isCut || total.map { offset + count < $0 } ?? (count + gaps.leftOut >= limit)
    }
}

extension WallTime {
    /// How long it is over; longer than anything where it lies ahead.
    fileprivate var age: Duration {
        isAhead
            ? .seconds(Int64.max) : .milliseconds(WallTime.now.milliseconds - milliseconds)
    }
}
