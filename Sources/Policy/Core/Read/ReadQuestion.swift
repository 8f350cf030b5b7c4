package import FreshetQuery
package import FreshetRemote

/// A read as it was asked, by whoever asks: over HTTP, or in the program that embeds the server.
package struct ReadQuestion: Sendable {
    let asked: AskedQuery
    /// The query is for one entity by its path.
    package let isGet: Bool
    /// nil: everything is allowed.
    let rights: AccessRights?
    /// On whose behalf a remote is asked.
    let caller: RemoteCaller

    /// - Parameter countsAll: All matches are counted, whatever the query says.
    package init(
        _ asked: AskedQuery, isGet: Bool = false, countsAll: Bool = false,
        for rights: AccessRights?, _ caller: RemoteCaller
    ) {
        if countsAll, !asked.query.count {
            var query = asked.query
            query.count = true
            self.asked = AskedQuery(query)
        } else {
            self.asked = asked
        }
        self.isGet = isGet
        self.rights = rights
        self.caller = caller
    }

    package var query: Query { asked.query }

    /// What is run to answer it by `local`.
    func query(of local: LocalRead) -> Query {
        var query = local.query
        // Where the remote orders, a mark would name a place in another order.
        query.looksAhead = !isGet && !local.hasOwnOrder
        return query
    }
}

/// Whoever waits for an answer that comes later, and may leave.
package protocol ReadWaiter: Sendable {
    /// Whether nobody waits any more.
    var isCancelled: Bool { get }
    /// Has `leave` called once nobody waits any more; at once if that is so.
    func onCancel(_ leave: @escaping @Sendable () -> Void)
}
