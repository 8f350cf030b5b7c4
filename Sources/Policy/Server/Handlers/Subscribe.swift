import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
package import FreshetLive
import FreshetNet
import FreshetQuery
package import FreshetStore

extension FreshetService {
    /// Any search or get URL as a stream of server-sent events, or as a long poll.
    func watch(
        _ query: Query, _ live: LiveParameters, _ asked: LiveParameters.Asked,
        _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        // What is refused counts as what it was for.
        response.kind = .live
        try call.request.acceptedMedia.checkStream()
        try checkAllowed(query.type)
        try checkRunning()
        var wanted = LiveRequest(query)
        wanted.wantsOldValues = live.wantsOldValues
        // `Last-Event-ID` wins over `since`: a browser's own knowledge is newer than its URL.
        let cursor = call.request.lastEventID ?? live.since
        wanted.resume = LiveResume(cursor, in: core.store(of: query.type).cursor.epoch)
        switch asked {
        case .once: preconditionFailure("a plain search does not come here")
        case .stream(let mode):
            wanted.mode = mode
            try stream(wanted, live, call, &response)
        case .poll(let mode, let wait):
            wanted.mode = mode
            try poll(wanted, wait: wait, call.reply, &response)
        }
    }

    private func stream(
        _ wanted: LiveRequest, _ live: LiveParameters, _ call: borrowing Call,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        if !response.isHead { try checkRoom() }
        let stream = SingleStream(
            core, live, limits, access: StreamAccess(access, call.reply.caller), sessions,
            of: core.watcher(of: wanted.query.type), to: call.request.remote.host,
            at: call.request.now)
        if !response.isHead {
            do { try stream.join(wanted) } catch { throw Problem(error) }
        }
        call.reply.beginEvents(&response)
        stream.attach(response.startStream(stream))
    }

    /// Refuses what would begin while the server ends.
    func checkRunning() throws(Problem) {
        guard !health.isStopping else { throw Problem.stopping }
    }

    /// Whether one stream more is carried.
    func checkRoom() throws(Problem) {
        guard metrics.http.streams.value < limits.streams else {
            throw Problem(
                .overloaded, "as many streams are open as this server carries",
                hint: "try again later; limits.streams of the configuration is the limit")
        }
    }

    private func poll(
        _ wanted: LiveRequest, wait: Duration, _ reply: Reply, _ response: inout ResponseWriter
    ) throws(Problem) {
        let poll = LivePoll(
            of: wanted.query.type, by: core.watcher(of: wanted.query.type), self, reply)
        do { try poll.join(wanted) } catch { throw Problem(error) }
        poll.begin(response.detach(), wait: wait)
    }
}

extension Request {
    /// The cursor that a browser sends by itself; one that has none says so by an empty header.
    var lastEventID: String? {
        header(.lastEventID).flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    }
}

extension AcceptedMedia {
    /// Refuses a request that takes neither events nor JSON. JSON will do: its URL asks for the
    /// stream, and `curl --json` writes that header by itself.
    func checkStream() throws(Problem) {
        guard eventStream > 0 || json > 0 else {
            throw Problem(
                .notAcceptable, "live queries are text/event-stream, which is not accepted",
                hint: "send Accept: text/event-stream, or no Accept")
        }
    }
}

extension LiveResume {
    /// What a client holds that has sent `cursor`.
    package init(_ cursor: String?, in epoch: Epoch) {
        guard let cursor else {
            self = .nothing
            return
        }
        guard let cursor = LiveCursor(cursor), cursor.position.epoch == epoch else {
            self = .otherEpoch
            return
        }
        self = .cursor(seq: cursor.position.seq, digest: cursor.digest)
    }
}
