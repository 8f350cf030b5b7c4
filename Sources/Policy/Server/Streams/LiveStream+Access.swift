import FreshetBase
import FreshetCore
import FreshetLive
import FreshetQuery

// What a stream does when the configuration has changed: rights, row rules, contracts and schemas hold
// for what is sent from then on.

extension LiveStream {
    /// Asks whether the caller may go on, and takes changed row rules over.
    ///
    /// - Returns: Why the stream ends, or nil. A large event that is on its way is not gone on with where
    ///   the rights to any query, or to what one may include, may be others now.
    func refreshAccess(_ now: MonotonicInstant) -> String? {
        if life.access.holds { return nil }
        // Each query of a stream of several is judged by itself.
        switch life.access.verdict(types: neededTypes) {
        case .holds: return nil
        case .ended(let reason): return reason
        case .changed: break
        }
        let count = entries.count
        if dropForbidden() { return "access" }
        var hasChanged = entries.count != count
        for index in entries.indices where !entries[index].hasFailed {
            let asked = entries[index].queryBesideFilter
            let schema = core.types.catalog.schema(of: asked.type)
            let contracts = schema?.contractFilters ?? [:]
            var probe = asked
            do {
                try core.types.catalog.check(asked.type)
                try renew(&probe, contracts)
            } catch {
                refuse(entries[index], error)
                hasChanged = true
                continue
            }
            // What was silent the client may hold an older value of.
            let isSilentAsBefore = core.watcher.isSilent(
                as: entries[index].membership.group, asked, for: life.access.caller.rights)
            let level = life.access.caller.rights.of(asked.type).level
            let asksAsBefore = entries[index].remote.map { $0.level == level } ?? true
            // Included types may have other rules by now.
            guard
                probe.rule != asked.rule || probe.contract != asked.contract || !isSilentAsBefore
                    || asked.include != nil || !asksAsBefore
            else { continue }
            hasChanged = true
            var request = entries[index].request
            do {
                if var asked = entries[index].remote?.asked {
                    try renew(&asked, contracts)
                    guard asksAsBefore else {
                        request.query = asked
                        try askAnew(
                            index, as: request, else: .schema, holdsNewest: isSilentAsBefore,
                            now)
                        continue
                    }
                    entries[index].ask(asked)
                    // The rows that the remote has named are no part of what was asked.
                    request.query = try core.watcher.following(
                        asked, for: life.access.caller.rights)
                } else {
                    try renew(&request.query, contracts)
                }
                try rejoin(
                    index, as: request, else: .schema, holdsNewest: isSilentAsBefore, now)
            } catch {
                guard error.isOfLiveBounds || outlives(request.query) else { return "access" }
                refuse(entries[index], error)
            }
        }
        describe()
        return hasChanged && isWithinEvent ? "access" : nil
    }

    /// Sends nothing more of a query but why: what was begun of its answer may be what the caller may not
    /// read now.
    private func refuse(_ entry: LiveEntry, _ error: CoreError) {
        endSnapshot(of: entry)
        entry.refusal = error
        look(at: entry)
    }

    /// Has `query` mean what the configuration makes of it now.
    func renew(_ query: inout Query) throws(CoreError) {
        let schema = core.types.catalog.schema(of: query.type)
        try renew(&query, schema?.contractFilters ?? [:])
    }

    private func renew(_ query: inout Query, _ contracts: [String: Filter]) throws(CoreError) {
        query.restrict(to: life.access.rule(of: query.type))
        guard let name = query.contract?.name else { return }
        do throws(QueryFault) {
            try QueryParser.keep(contract: name, of: contracts, in: &query)
        } catch {
            throw .query(error)
        }
    }

    /// Goes on with another query in the place of one, from what the client holds of that.
    ///
    /// - Parameters:
    ///   - remote: What goes on behind it, where that is another, too.
    ///   - why: What a snapshot says, where the rows that the client holds are not known.
    ///   - holdsNewest: Whether it holds them as they are stored.
    func rejoin(
        _ index: Int, as changed: LiveRequest, behind remote: LiveRemote? = nil,
        else why: LiveWhy = .update, holdsNewest: Bool = true, _ now: MonotonicInstant
    ) throws(CoreError) {
        let old = entries[index]
        var request = changed
        request.replacesAnother = true
        request.resume = old.watcher.live.set.resume(of: old.membership, else: why)
        if old.sending?.why == .initial { request.resume = .nothing }
        // What a part of a snapshot was sent of is not held yet.
        if holdsNewest, old.sending == nil, old.hasState {
            request.holding = old.watcher.live.set.holding(of: old.membership)
        }
        let entry = try enter(
            request, alias: old.alias, remote: remote ?? old.remote, at: now)
        leaveGroup(of: old)
        entries[index] = entry
        entered(entry)
    }
}
