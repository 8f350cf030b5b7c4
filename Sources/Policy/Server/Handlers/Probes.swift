import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetJSON
import FreshetStore

extension FreshetService {
    /// `GET /livez`: the process answers.
    func livez(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        call.reply.beginJSON(&response, isKept: false)
        response.end("{\"status\":\"live\"}\n")
    }

    /// `GET /readyz`: 200 where reads and writes are taken and nothing announces the end, else 503,
    /// with a reason per store.
    func readyz(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        let status = core.store.status
        let isEnding = health.isStopping || health.isDraining
        let isReady = (status.acceptsSets || status.phase == .following) && !isEnding
        call.reply.json(&response, status: isReady ? 200 : 503, isKept: false) { body in
            body.append("{\"status\":\"")
            body.append(
                text: health.isStopping
                    ? "stopping" : isEnding ? "draining" : isReady ? "ready" : "unavailable")
            body.append("\",\"stores\":{\"main\":{\"state\":\"")
            body.append(text: status.phase.rawValue)
            body.append("\",\"reason\":")
            body.append(jsonString: status.reason)
            body.member("revision", core.store.seq)
            if let recovery = core.store.disk?.recovery {
                body.member("recovery")
                recovery.encode(into: &body)
            }
            body.append("}}}")
        }
    }
}

extension RecoveryReport {
    /// What the start found: `{"durationMs","entities","commits","snapshot","setAside",
    /// "setAsideBytes","fallback"}`; `fallback` names the files that were of no use.
    fileprivate func encode(into body: inout ByteBuffer) {
        body.append("{")
        body.member("durationMs", Int(duration / .milliseconds(1)))
        body.member("entities", entities)
        body.member("commits", commits)
        body.member("snapshot", snapshotSeq)
        body.member("setAside", aside)
        body.member("setAsideBytes", torn?.count ?? 0)
        body.member("fallback", each: fallback) { $1.append(jsonString: $0.description) }
        body.append("}")
    }
}
