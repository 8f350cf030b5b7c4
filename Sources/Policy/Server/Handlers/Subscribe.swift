import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetLive
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// Any search or get URL as a stream of server-sent events.
    func subscribe(
        _ query: Query, _ live: LiveParameters, _ request: borrowing Request,
        _ context: LoopContext, _ reply: Reply, _ response: inout ResponseWriter
    ) throws(Problem) {
        do { try core.check(query.type) } catch { throw Problem(error) }
        guard !health.isStopping else {
            throw Problem(.shuttingDown, "the server is stopping")
        }
        // `Last-Event-ID` wins over `since`: a browser's own knowledge is newer than its URL.
        let resume =
            request.header(.lastEventID).map { String(decoding: $0, as: UTF8.self) } ?? live.since
        let stream = LiveStream(
            core, query, live, limits, access: StreamAccess(access, reply.caller), resume: resume,
            at: request.now)
        if !response.isHead {
            do { try stream.join() } catch { throw Problem(error) }
        }
        reply.begin(200, &response)
        response.header("Content-Type", "text/event-stream")
        response.header("Cache-Control", "no-store")
        response.header("X-Accel-Buffering", "no")
        response.header("Vary", "Accept")
        stream.attach(response.startStream(stream))
    }
}
