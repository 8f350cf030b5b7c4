import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetRemote

// What goes on behind a live query whose type has a remote, told as `source` events: `fetching` when a
// fetch begins, then `fresh`, `failed` with the problem, or `stale` where it was given up; `gated`
// where it would be fetched and a gate is closed. The rows that it brings come as every change does.

/// The remote's part in one query of a stream.
struct LiveRemote {
    /// The query as it was asked, without the rows and the order that the remote has named.
    var asked: Query
    /// nil where the query is answered from here alone.
    var refresh: LiveRefresh?
    /// Whether the caller's requests may have had a remote asked when it began.
    let level: AccessRights.Level
    /// Tells when the remote gives one of the asked ids another name; nil where none is asked for.
    let names: NameWatch?

    /// Begins what `request` asks for, and has its query follow the remote; nil where no remote and
    /// no operation plays a part.
    init?(_ request: inout LiveRequest, _ stream: LiveStream) throws(CoreError) {
        let rights = stream.life.access.caller.rights
        let backing = try LiveBacking(
            of: &request, in: stream.core, for: rights, isGone: { [weak stream] in stream == nil },
            changed: { [weak stream] in stream?.sourceChanged() })
        guard let backing else { return nil }
        level = rights.of(request.query.type).level
        asked = backing.asked
        refresh = backing.refresh
        names = backing.names
    }

    /// Stands behind a query that no remote has a part in.
    init(_ asked: Query, level: AccessRights.Level) {
        self.asked = asked
        self.level = level
        names = nil
    }

    /// Has what the query includes fetched, as far as it is not here.
    func fetchIncluded(for stream: LiveStream) {
        stream.core.watcher.fetchIncluded(
            by: asked, for: stream.life.access.caller.rights, RemoteCaller()
        ) { [weak stream] in stream == nil }
    }
}

extension LiveStream {
    /// Goes on with the ids by which the entities of a query are known by now, and with the fetch of
    /// these.
    ///
    /// - Returns: Whether another entry stands in the place of `entry` now.
    func followNames(of entry: LiveEntry, _ now: MonotonicInstant) -> Bool {
        guard let remote = entry.remote, let names = remote.names, names.takeNews(),
            names.ids != remote.asked.ids,
            let index = entries.firstIndex(where: { $0 === entry })
        else { return false }
        var request = entry.request
        request.query = remote.asked
        request.query.ids = names.ids
        do throws(CoreError) {
            try askAnew(index, as: request, now)
        } catch {
            entry.refusal = error
            return false
        }
        describe()
        return true
    }

    /// Has queries that had no operation follow those that were named since. Those that had one find
    /// theirs by themselves.
    func followNamings() {
        let now = core.operations.namings.value
        guard now != namings else { return }
        namings = now
        for entry in entries where !entry.hasFailed && entry.remote?.refresh == nil {
            guard core.watcher.mayFollowOperation(entry.queryBesideFilter) else { continue }
            let rights = life.access.caller.rights
            var remote =
                entry.remote
                ?? LiveRemote(entry.query, level: rights.of(entry.queryBesideFilter.type).level)
            // A context that the type does not have was refused when the query began.
            remote.refresh = try? core.watcher.refresh(
                behind: remote.asked, for: rights, RemoteCaller()
            ) { [weak self] in
                self?.sourceChanged()
            }
            guard remote.refresh != nil else { continue }
            entry.follow(remote)
            look(at: entry)
        }
    }

    /// Goes on with `request`, whose query is as it was asked, and with what the remote has to do with
    /// that, in the place of a query.
    func askAnew(
        _ index: Int, as request: LiveRequest, else why: LiveWhy = .update,
        holdsNewest: Bool = true, _ now: MonotonicInstant
    ) throws(CoreError) {
        let last = entries[index].remote
        var request = request
        let next = try LiveRemote(&request, self)
        do throws(CoreError) {
            try rejoin(
                index, as: request, behind: next, else: why, holdsNewest: holdsNewest, now)
        } catch {
            next?.refresh?.leave()
            throw error
        }
        last?.refresh?.leave()
    }

    /// Writes what is new of the fetch behind a query, and takes over what it changed of the
    /// question.
    ///
    /// - Returns: Whether another entry stands in the place of `entry` now.
    func tellSource(
        of entry: LiveEntry, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) -> Bool {
        guard let remote = entry.remote, let refresh = remote.refresh else { return false }
        let (hasOtherAnswer, news) = (refresh.takeAnswer(), refresh.takeNews())
        for news in news { LiveEventEncoder.source(news, query: entry.alias, into: &body) }
        let isFresh = news.contains { $0.state == .fresh }
        if isFresh { remote.fetchIncluded(for: self) }
        guard isFresh || hasOtherAnswer,
            let index = entries.firstIndex(where: { $0 === entry }),
            let query = try? core.watcher.following(remote.asked, for: life.access.caller.rights),
            query.canonicalKey != entry.query.canonicalKey
        else { return false }
        var request = entry.request
        request.query = query
        do {
            try rejoin(index, as: request, now)
            describe()
            return true
        } catch {
            entry.refusal = error
            return false
        }
    }
}

extension LiveEventEncoder {
    static func source(
        _ news: SourceNews, query: String?, into body: inout ByteBuffer
    ) {
        event("source", id: nil, into: &body) { body in
            body.append("{")
            if let query { body.member("q", query) }
            news.encodeMembers(into: &body)
            body.append("}")
        }
    }
}
