package import FreshetLive
package import FreshetQuery
import FreshetRemote

/// What stands behind one live query that a remote or an operation has a part in, for whoever shows it:
/// the stream of a client, or a watch of the embedding program.
package struct LiveBacking: Sendable {
    /// The query as it was asked, under the ids of now, and without the rows and the order that the
    /// remote has named.
    package let asked: Query
    /// nil where the query is answered from here alone.
    package let refresh: LiveRefresh?
    /// Tells when the remote gives one of the asked ids another name; nil where none is asked for.
    package let names: NameWatch?

    /// Begins what `request` has going on behind it, and has its query follow the remote.
    ///
    /// - Parameters:
    ///   - rights: nil: everything is allowed.
    ///   - isGone: Whether nobody is interested any more.
    ///   - changed: Called when there are news, on any thread, and before the return.
    /// - Returns: nil where no remote and no operation plays a part; `request` is as it was then.
    package init?(
        of request: inout LiveRequest, in core: CoreManager, for rights: AccessRights?,
        isGone: @escaping @Sendable () -> Bool, changed: @escaping @Sendable () -> Void
    ) throws(CoreError) {
        let watcher = core.watcher
        guard watcher.mayFollowOperation(request.query) else { return nil }
        let type = request.query.type
        names = request.query.ids.flatMap { core.outbox.watchNames(of: $0, type, changed) }
        // The ids of now: what renamed them earlier was before the watch began.
        if let names { request.query.ids = names.ids }
        asked = request.query
        try watcher.follow(&request, for: rights)
        refresh = try watcher.refresh(
            behind: asked, for: rights, RemoteCaller(), changed: changed)
        watcher.fetchIncluded(by: asked, for: rights, RemoteCaller(), isCancelled: isGone)
    }
}
