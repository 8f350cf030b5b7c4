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

    /// `GET /readyz[?for=reads]`: 200 where reads and writes are taken and nothing announces the end,
    /// else 503, with a reason per store; for reads alone 200 wherever they are answered.
    func readyz(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let use = try call.context.onlyParameters("for")["for"]
        guard use == nil || use == "reads" else {
            throw .badParameter("for", "'for' is reads, or absent for reads and writes")
        }
        let status = core.store.status
        let isEnding = health.isStopping || health.isDraining
        let forwards = status.phase == .following && cluster?.posts.isLeaderSilent != true
        let isUsable =
            use == nil ? status.acceptsSets || forwards : status.phase != .closed
        let refusesReads = core.store.replica.map { $0.isOutlived || $0.isTooOld } ?? false
        let isReady = isUsable && !isEnding && !refusesReads
        call.reply.json(&response, status: isReady ? 200 : 503, isKept: false) { body in
            body.append("{")
            body.member(
                "status",
                health.isStopping
                    ? "stopping" : isEnding ? "draining" : isReady ? "ready" : "unavailable")
            body.member("stores")
            body.append("{")
            body.member("main")
            body.append("{")
            body.member("state", status.phase.rawValue)
            body.member("reason", status.reason)
            body.member("revision", core.store.seq)
            if let recovery = core.store.disk?.recovery {
                body.member("recovery")
                recovery.encode(into: &body)
            }
            body.append("}}")
            cluster?.encodeHealth(into: &body)
            body.append("}")
        }
    }
}

extension Cluster {
    /// Appends `,"log":{…},"cluster":{…},"cache":{…}`: how the engine does, what this server is of the
    /// cluster, and how its own files do.
    fileprivate func encodeHealth(into body: inout ByteBuffer) {
        let trouble = replica.engine.trouble
        body.member("log")
        body.append("{")
        body.member("state", replica.engine.name)
        body.member("since", trouble?.since)
        body.member("lastError", trouble?.error)
        body.append("}")
        let state = replica.state
        body.member("cluster")
        body.append("{")
        body.member("role", state.role.name)
        var reason: String?
        if case .stopped(let stop) = state.role { reason = stop.rawValue }
        body.member("reason", reason)
        body.member("leader", state.leader?.name)
        body.member("configuration", replica.configurationDiffers ? "differs" : "same")
        let faults = [
            ("replica-name-taken", posts.isNameTaken), ("leader-unreachable", posts.isLeaderSilent),
        ]
        body.member("faults", each: faults.filter(\.1)) { $1.append(jsonString: $0.0) }
        body.append("}")
        let files = replica.cacheStatus
        body.member("cache")
        body.append("{")
        body.member("state", files.phase.rawValue)
        body.member("reason", files.reason)
        body.append("}")
    }
}

extension RecoveryReport {
    /// What the start found: `{"durationMs","entities","commits","snapshot","setAside",
    /// "setAsideBytes","fallback"}`; `fallback` names the files that were of no use.
    func encode(into body: inout ByteBuffer) {
        body.append("{")
        body.member("durationMs", duration.wholeMilliseconds)
        body.member("entities", entities)
        body.member("commits", commits)
        body.member("snapshot", snapshotSeq)
        body.member("setAside", aside)
        body.member("setAsideBytes", torn?.count ?? 0)
        body.member("fallback", each: fallback) { $1.append(jsonString: $0.description) }
        body.append("}")
    }
}
