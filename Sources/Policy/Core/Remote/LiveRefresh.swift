package import FreshetBase
package import FreshetQuery
import FreshetRemote
import FreshetStore

// Live queries over types that have a remote.
//
// A live query shows what is here; what a fetch brings is a commit, and reaches it as any other does.
// So a source decides about one thing: whether there is a fetch behind the stream. It begins with
// the stream and waits for nothing; the stream is one of those who are interested in it, and is told
// how it stands. Rows that the remote names (an endpoint's, a trusted answer's) and the remote's
// order are part of the question: when a fetch changes these, the stream asks anew.

/// The fetch behind one live query, for the stream that shows it. Any thread.
package final class LiveRefresh: Sendable {
    package enum State: String, Sendable {
        case fetching, fresh, stale, failed
    }

    /// How it stands.
    package struct News: Sendable {
        package let state: State
        /// Of `fresh`, when what is here was fetched; else since when it is so.
        package let since: WallTime
        package let problem: FetchFailure?
    }

    private let changed: @Sendable () -> Void
    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var news: News?
    // SAFETY: as `news`.
    nonisolated(unsafe) private var place: FetchPlace?
    // SAFETY: as `news`.
    nonisolated(unsafe) private var hasLeft = false

    init(_ changed: @escaping @Sendable () -> Void) {
        self.changed = changed
    }

    /// What the stream has not been told yet; a state that was passed is not told.
    package func takeNews() -> News? {
        lock.withLock {
            defer { news = nil }
            return news
        }
    }

    /// The stream has ended.
    package func leave() {
        let place = lock.withLock {
            hasLeft = true
            defer { self.place = nil }
            return self.place
        }
        place?.leave()
    }

    fileprivate func tell(_ state: State, since: WallTime = .now, _ problem: FetchFailure? = nil) {
        lock.withLock { news = News(state: state, since: since, problem: problem) }
        changed()
    }

    fileprivate func take(_ place: FetchPlace?) {
        let isLate = lock.withLock {
            self.place = hasLeft ? nil : place
            return hasLeft
        }
        if isLate { place?.leave() }
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
            let asked = try remoteRead(query, isGet: isGet(query), for: rights),
            asked.source != .local
        else { return nil }
        let refresh = LiveRefresh(changed)
        let staleness = remotes.staleness(of: query.type)
        if asked.source == .localOrRemote || asked.source == .localThenRemote && staleness != nil,
            let read = try sufficient(asked, youngerThan: staleness)
        {
            refresh.tell(.fresh, since: read.origin.fetchedAt ?? .now)
            return refresh
        }
        refresh.tell(.fetching)
        let place = remotes.flights.enter(asked.shape.flight(asked.persist)) { result in
            switch result {
            case .success(let outcome): refresh.tell(.fresh, since: outcome.at)
            case .failure(.upstream(.cancelled, _)), .failure(.stopping): refresh.tell(.stale)
            case .failure(let failure): refresh.tell(.failed, failure)
            }
        } work: {
            await self.fetch(asked.shape, from: asked.remote, asked.persist, for: caller)
        }.place
        refresh.take(place)
        return refresh
    }

    /// As `refresh(behind:)` for whoever does not stay: the service itself waits for the fetch.
    package func refreshOnce(
        behind query: Query, for rights: AccessRights?, _ caller: RemoteCaller
    ) throws(CoreError) {
        guard concernsRemotes(query),
            let asked = try remoteRead(query, isGet: isGet(query), for: rights),
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
        guard concernsRemotes(query),
            let asked = try remoteRead(query, isGet: isGet(query), for: rights)
        else { return query }
        return live(asked)
    }

    /// One entity is asked for by its id, as long as the remote can be asked so.
    private func isGet(_ query: Query) -> Bool {
        query.ids?.count == 1 && query.read?.endpoint == nil
            && remotes.source(of: query.type)?.canGet ?? false
    }
}
