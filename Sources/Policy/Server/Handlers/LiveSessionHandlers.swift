import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetLive
import FreshetNet
import FreshetQuery
import FreshetStore

extension FreshetService {
    // MARK: Streams of several queries

    /// `GET /v1/_live?q.a=…&q.b=…`: several queries on one connection. Without any, what operators
    /// want to know.
    func watchSeveral(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        var live = LiveParameters()
        var queries: [(alias: String, url: String)] = []
        try call.context.forEachParameter { name, value throws(Problem) in
            if name.hasPrefix("q.") {
                queries.append((String(name.dropFirst(2)), value))
            } else if try !live.take(name, value) {
                throw .unknownParameter(name, among: ["q.NAME"] + QueryParser.liveNames)
            }
        }
        guard !queries.isEmpty else {
            guard live.isEmpty else {
                throw Problem(
                    .badParameter, "without queries there is nothing to stream",
                    hint: "name each query: q.a=/v1/TYPE?…")
            }
            return try listStreams(call, &response)
        }
        try call.request.acceptedMedia.checkStream()
        try live.checkConnection()
        let read = try read(queries, call.context, for: call.reply.caller)
        try checkRunning()
        if !response.isHead { try checkRoom() }
        let stream = makeStream(live, call.reply, call.request)
        if !response.isHead {
            let resume = resume(stream, with: call.request.lastEventID ?? live.since)
            for query in read {
                var wanted = query.request
                // The position is one of entities.
                if !wanted.query.type.isOfSystemStore { wanted.resume = resume }
                do { try stream.join(wanted, alias: query.alias) } catch {
                    stream.ended(.refused)
                    throw Problem(error).of(query: query.alias)
                }
            }
        }
        begin(stream, call.reply, &response)
    }

    /// `GET /v1/_live/{session}?ticket=…`: the stream of a session. Whoever made it may come with its
    /// token in place of the ticket.
    func watchSession(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        var live = LiveParameters()
        var ticket: String?
        try call.context.forEachParameter { name, value throws(Problem) in
            if name == "ticket" {
                guard ticket == nil else {
                    throw .badParameter(name, "\(name) is given more than once")
                }
                ticket = value
            } else if try !live.take(name, value) {
                throw .unknownParameter(name, among: ["ticket"] + QueryParser.liveNames)
            }
        }
        let session = try session(call.context, at: call.request.now)
        var reply = call.reply
        if let ticket {
            guard session.admits(ticket),
                RequestGuard.admitsTicket(of: session.origin, to: call.request)
            else { throw .noSuchSession }
            reply.caller = try standingCaller(of: session)
        } else {
            // Callers without a name are all alike, so a session of one would be open to each.
            guard session.belongs(to: reply.caller), reply.caller?.isNamed ?? true else {
                throw .noSuchSession
            }
        }
        try call.request.acceptedMedia.checkStream()
        try live.checkConnection()
        try checkRunning()
        if !response.isHead { try checkRoom() }
        let stream = makeStream(live, reply, call.request)
        if !response.isHead {
            guard let (queries, generation) = session.attach(stream) else { throw .noSuchSession }
            stream.session = session
            stream.generation = generation
            let cursor = call.request.lastEventID ?? live.since
            var refused: [(alias: String, problem: Problem)] = []
            for query in queries {
                do throws(Problem) {
                    var (wanted, _) = try self.request(
                        of: query.url, call.context, for: reply.caller)
                    if !wanted.query.type.isOfSystemStore {
                        wanted.resume = session.resume(
                            query, cursor, in: core.store.cursor.epoch)
                    }
                    stream.joinLater(wanted, alias: query.alias)
                } catch {
                    refused.append((query.alias, error))
                }
            }
            if refused.count == queries.count, !queries.isEmpty,
                refused.allSatisfy({ $0.problem.code == .forbidden })
            {
                // A stream that is open ends so when the last of its queries becomes forbidden.
                stream.end("access")
            } else {
                // The queries were good when the session took them: the faults are events, and the
                // other queries go on.
                for (alias, problem) in refused { stream.refuse(alias, problem) }
            }
        }
        begin(stream, reply, &response)
    }

    /// The creating caller as it stands now; nil where everything is allowed to everybody.
    private func standingCaller(of session: LiveSession) throws(Problem) -> Caller? {
        guard access.isOn else { return nil }
        guard let caller = session.caller else { return access.anonymous }
        switch access.standing(of: caller) {
        case .same: return caller
        case .changed(let changed): return changed
        case .expired, .revoked: throw .unauthenticated(hasToken: true)
        }
    }

    private func makeStream(
        _ live: LiveParameters, _ reply: Reply, _ request: borrowing Request
    ) -> SeveralStream {
        SeveralStream(
            core, live, limits, access: StreamAccess(access, reply.caller), sessions,
            of: core.watcher, to: request.remote.host, at: request.now)
    }

    /// What a client of several queries in one URL holds that has sent `cursor`, with which `stream` goes on.
    private func resume(_ stream: SeveralStream, with cursor: String?) -> LiveResume {
        guard let cursor else { return .nothing }
        // A session's cursor says nothing of these queries, a single one's digest neither.
        guard let held = LiveCursor(cursor), held.position.epoch == core.store.cursor.epoch,
            held.generation == nil
        else { return .otherEpoch }
        stream.cursor = held
        return .cut(seq: held.position.seq, told: held.told)
    }

    private func begin(
        _ stream: SeveralStream, _ reply: Reply, _ response: inout ResponseWriter
    ) {
        reply.beginEvents(&response)
        stream.attach(response.startStream(stream))
    }

    // MARK: Sessions

    /// `POST /v1/_live {"queries":{"a":"/v1/tasks?…"}}`: prepares a stream for a client that cannot
    /// send headers with it.
    func createSession(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        let body = try members(of: call.request.body, ["queries", "since"])
        let (wanted, gone) = try queries(in: body, mayRemove: false)
        precondition(gone.isEmpty, "nothing is removed from what is made")
        guard body["since"]?.stringValue != nil || body["since"] == nil else {
            throw Problem(
                .badParameter, "'since' is the last id of the session before, a string")
        }
        let read = try read(wanted, call.context, for: call.reply.caller)
        try checkRunning()
        let session = LiveSession(
            read, of: call.reply.caller,
            from: call.request.header(.origin).map { String(decoding: $0, as: UTF8.self) },
            keeper: cluster?.name, since: body["since"]?.stringValue, at: call.request.now)
        try sessions.add(session, at: call.request.now)
        let expires = WallTime.now + LiveSession.firstUse
        call.reply.beginJSON(&response, status: 201, isKept: false)
        response.header("Location", text: session.path)
        response.end(
            text: "{\"session\":\"\(session.id)\",\"url\":\"\(session.url)\","
                + "\"expires\":\"\(expires.rfc3339)\"}\n")
    }

    /// `PATCH /v1/_live/{session} {"queries":{"c":"…","b":null}}`: adds and removes queries, all of
    /// them or none, without a new connection.
    func changeSession(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        _ = try call.context.onlyParameters()
        let session = try ownSession(call.context, reply, at: call.request.now)
        let body = try members(of: call.request.body, ["queries"])
        let (wanted, gone) = try queries(in: body, mayRemove: true)
        let added = try read(wanted, call.context, for: reply.caller)
        let now = try session.change(removing: gone, adding: added) { queries throws(Problem) in
            try Self.check(
                count: queries.count, filterBytes: queries.reduce(0) { $0 + $1.filterBytes })
            try sessions.count(LiveSession.bytes(of: queries), of: session)
        }
        guard let now else { throw .noSuchSession }
        reply.json(&response, isKept: false) { body in
            body.append("{")
            body.member("session", session.id)
            body.member("queries")
            body.append("{")
            for (index, query) in now.enumerated() {
                if index > 0 { body.append(",") }
                body.append(jsonString: query.alias)
                body.append(":")
                body.append(jsonString: query.url)
            }
            body.append("}}")
        }
    }

    /// `DELETE /v1/_live/{session}`: ends it and its stream.
    func endSession(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        sessions.end(try ownSession(call.context, call.reply, at: call.request.now))
        call.reply.empty(&response)
    }

    private func session(
        _ context: LoopContext, at now: MonotonicInstant
    ) throws(Problem) -> LiveSession {
        let id = String(decoding: context.path[2], as: UTF8.self)
        guard let session = sessions.find(id, at: now) else { throw .noSuchSession }
        return session
    }

    /// The session of the path, which must be the caller's own: another's is not there.
    private func ownSession(
        _ context: LoopContext, _ reply: Reply, at now: MonotonicInstant
    ) throws(Problem) -> LiveSession {
        let session = try session(context, at: now)
        guard session.belongs(to: reply.caller) else { throw .noSuchSession }
        return session
    }

    /// A body that has no members but `names`.
    private func members(
        of body: UnsafeRawBufferPointer, _ names: [String]
    ) throws(Problem) -> JSONValue {
        let value = try JSONValue(body: body)
        for member in value.objectValue ?? [] where !names.contains(member.name) {
            throw Problem.unknownMember(member.name, among: names, .badParameter)
        }
        return value
    }

    /// The member `queries` of a body.
    private func queries(
        in body: JSONValue, mayRemove: Bool
    ) throws(Problem) -> (added: [(alias: String, url: String)], removed: [String]) {
        guard let queries = body["queries"]?.objectValue else {
            throw Problem(
                .badParameter, "the body names no queries",
                hint: "send {\"queries\":{\"a\":\"/v1/TYPE?…\"}}")
        }
        var added: [(alias: String, url: String)] = []
        var removed: [String] = []
        for (alias, value) in queries.map({ ($0.name, $0.value) }) {
            if let url = value.stringValue {
                added.append((alias, url))
            } else if mayRemove, value.isNull {
                removed.append(alias)
            } else {
                throw Problem(.badParameter, "an address is a string").of(query: alias)
            }
        }
        return (added, removed)
    }

    // MARK: For operators

    /// Streams that one answer tells of.
    private static let mostListed = 1_000

    /// What is open: those that are furthest behind first.
    private func listStreams(
        _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        try call.request.acceptedMedia.checkJSON()
        let set = core.watcher.live.set
        let counts = set.counts
        let streams = sessions.streams
        let reports = streams.map(\.report).sorted { ($0.lag ?? .max) > ($1.lag ?? .max) }
        let sessions = sessions.count(at: call.request.now)
        call.reply.json(&response, isKept: false, varies: true) { body in
            body.append("{")
            body.member("streams", streams.count)
            body.member("sessions", sessions)
            body.member("groups", counts.groups)
            body.member("subscriptions", counts.subscriptions)
            body.member("items", each: reports.prefix(Self.mostListed)) {
                $0.write(to: &$1)
            }
            body.append("}")
        }
    }
}

extension LiveStreamReport {
    /// Writes the stream as `GET /v1/_live` lists it.
    fileprivate func write(to body: inout ByteBuffer) {
        body.append(isSession ? "{\"session\":true" : "{\"session\":false")
        body.member("caller", caller)
        body.member("lag", lag)
        body.member("seq", seq)
        body.member("bytes", bytes)
        body.member("queries", each: queries) { query, body in
            body.append("{")
            if let alias = query.alias { body.member("q", alias) }
            body.member("type", query.group.type.text)
            body.member("mode", query.modeName)
            body.member("index", query.index)
            body.append("}")
        }
        body.append("}")
    }
}

extension LiveParameters {
    /// Refuses what belongs to one of several queries.
    fileprivate func checkConnection() throws(Problem) {
        try refuse("live", "old", because: "belongs to each query")
        try refuse("wait", because: "is for one query alone")
    }
}

extension Problem {
    static var noSuchSession: Problem {
        Problem(
            .notFound, "there is no session with this id and ticket",
            hint: "POST /v1/_live prepares a session; one that nobody watches expires")
    }
}
