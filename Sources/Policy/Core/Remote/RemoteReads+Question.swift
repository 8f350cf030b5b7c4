import FreshetQuery
import FreshetRemote

extension RemoteReads {
    /// What the remote could be asked; nil where the answer is local whatever is there.
    func read(
        _ query: Query, isGet: Bool, for rights: AccessRights?
    ) throws(CoreError) -> RemoteRead? {
        let read = query.read ?? ReadParameters()
        guard let remote = source(of: query.type) else {
            if read.source == .remote || read.source == .remoteOrLocal {
                throw .badContext("source", "entities of '\(query.type.text)' have no remote")
            }
            if read.endpoint != nil {
                throw .badContext("endpoint", "entities of '\(query.type.text)' have no remote")
            }
            return nil
        }
        if let endpoint = read.endpoint {
            guard !isGet else {
                throw .badContext("endpoint", "one entity is not asked of an endpoint")
            }
            guard remote.canSearch(endpoint) else {
                throw .badContext(
                    "endpoint", "the remote of '\(query.type.text)' has no endpoint '\(endpoint)'")
            }
        }
        guard rights?.of(query.type).level ?? .remote == .remote else {
            guard read.source != .remote else { throw .upstreamForbidden(query.type) }
            return nil
        }
        let canAsk =
            isGet
            ? remote.canGet
            : remote.canSearch(read.endpoint)
                || query.ids.map { remote.canGet && $0.count <= RemoteBatch.mostGets } ?? false
        guard canAsk else {
            guard read.source != .remote, read.source != .remoteOrLocal else {
                throw .badContext(
                    "source",
                    "the remote of '\(query.type.text)' is not configured for "
                        + (isGet ? "single entities" : "searches"))
            }
            return nil
        }
        do throws(UpstreamError) {
            let known =
                isGet
                ? Known(
                    shape: FetchShape(query.type, get: query.ids?.first ?? EntityID(0)),
                    operation: nil)
                : try shape(of: query, at: remote)
            return RemoteRead(
                query: query, shape: known.shape, operation: known.operation, remote: remote,
                source: read.source ?? .localThenRemote, persist: read.persist)
        } catch {
            // What nobody has asked for is no fault of the request.
            guard read.source != nil && read.source != .local || read.endpoint != nil else {
                return nil
            }
            throw .badContext(error)
        }
    }
}

extension CoreError {
    static func badContext(_ parameter: String, _ detail: String) -> CoreError {
        .query(QueryFault(.badParameter, parameter, detail))
    }

    /// A question that the remote cannot be asked.
    fileprivate static func badContext(_ error: UpstreamError) -> CoreError {
        guard case .unaddressable(_, let name, let detail) = error else {
            return badContext("source", "the remote cannot be asked this")
        }
        return badContext(name.map { "endpoint.\($0)" } ?? "source", detail)
    }
}
