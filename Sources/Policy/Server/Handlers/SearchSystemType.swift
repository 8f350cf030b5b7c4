import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetLive
import FreshetQuery
import FreshetRemote

// System types over HTTP: what is asked of them is asked as of any type. The lists that were there
// before they could be searched answer as ever, unless the request has something of a search in it.

extension FreshetService {
    /// `GET /v1/_streams?…`: of a type that is a list in no other way.
    func searchSystemType(
        _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        guard let type = SystemType(segment: call.context.path[1]) else {
            throw .noRoute(call.request.path)
        }
        try search(type, call, &response)
    }

    /// `GET /v1/_streams/{id}`.
    func getSystemRow(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        guard let type = SystemType(segment: call.context.path[1]) else {
            throw .noRoute(call.request.path)
        }
        try getRow(of: type, call, &response)
    }

    /// Answers the request for a list as a search, where it is one.
    ///
    /// - Parameter own: The parameters of the list.
    /// - Returns: false where the list itself is asked for.
    func answersAsSearch(
        _ type: SystemType, besides own: [String] = [], _ call: borrowing Call,
        _ response: inout ResponseWriter
    ) throws(Problem) -> Bool {
        let names = call.context.parameterNames
        // What neither knows is told by the list, whose parameters are fewer.
        let asksSearch = names.contains { name in
            !own.contains(name)
                && (SystemType.parameters.contains(name) || LiveParameters.names.contains(name))
        }
        guard call.request.acceptedMedia.prefersEventStream || asksSearch else { return false }
        if let name = names.first(where: {
            own.contains($0) && !SystemType.parameters.contains($0)
        }) {
            var problem = Problem.badParameter(
                name, "'\(name)' is a parameter of the plain list, and this is a search")
            problem.hint =
                "say it in the filter: filter="
                + (name == "prefix" ? "startsWith(id,'…')" : "\(name)=='…'")
            throw problem
        }
        try search(type, call, &response)
        return true
    }

    /// Answers the request for one thing of a list by its row, where the row is asked for.
    ///
    /// - Returns: false where the thing itself is.
    func answersAsRow(
        _ type: SystemType, _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) -> Bool {
        guard
            call.request.acceptedMedia.prefersEventStream
                || !call.context.parameterNames.isEmpty
        else { return false }
        try getRow(of: type, call, &response)
        return true
    }

    private func search(
        _ type: SystemType, _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        let (query, live) = try call.context.query(
            of: core.reader(of: type.name), type.name, for: call.reply.rights)
        try answer(AskedQuery(query), live, isGet: false, call, &response)
    }

    private func getRow(
        of type: SystemType, _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        let (query, live) = try call.context.query(
            of: core.reader(of: type.name), getting: try call.context.id(), in: type.name,
            for: call.reply.rights)
        try answer(AskedQuery(query), live, isGet: true, call, &response)
    }

    /// Answers `asked` by the rows that those who watch are shown, or by some made for it, on a worker.
    func read(
        _ asked: AskedQuery, isGet: Bool, of rows: SystemRows, _ call: borrowing Call,
        _ response: inout ResponseWriter
    ) {
        let reply = call.reply
        let kept = ReadRequest(call.request)
        let question = ReadQuestion(
            asked, isGet: isGet, countsAll: response.isHead && !isGet, for: reply.rights,
            RemoteCaller())
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let shown = rows.watched ?? rows.make(asked.query.ids)
            let read: ReadReply
            do throws(ReadFailure) {
                read = try core.reader(of: asked.query.type).read(question, on: shown.table)
            } catch {
                throw Problem(error)
            }
            give(read, to: asked, isTruncated: shown.isTruncated, kept, reply, exchange)
        }
    }
}

extension LoopContext {
    /// Whether any parameter is one of a search of rows: `live=1` and its faults are not.
    var hasParametersOfRows: Bool {
        (0..<parameters.count).contains { index in
            guard String(decoding: parameters.name(index), as: UTF8.self) == "live" else {
                return true
            }
            return ["snapshot", "delta"].contains(
                String(decoding: parameters.value(index), as: UTF8.self))
        }
    }

    var parameterNames: [String] {
        (0..<parameters.count).map { String(decoding: parameters.name($0), as: UTF8.self) }
    }
}
