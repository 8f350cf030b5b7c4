import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetJSON
import FreshetStore

extension FreshetService {
    /// `GET /v1/_cluster`: what this server knows of the servers over its log.
    func describeCluster(
        _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try call.context.onlyParameters()
        let replica = try replica()
        let state = replica.state
        call.reply.json(&response, isKept: false) { body in
            body.append("{\"cluster\":")
            if let id = state.cluster {
                body.append(jsonString: "\(id)")
            } else {
                body.append("null")
            }
            body.member("epoch")
            body.append(jsonString: replica.cursor.epoch.description)
            body.member("term", Int(clamping: state.term))
            body.member("leader")
            state.leader.encode(into: &body)
            body.member("head")
            body.append("{\"seq\":")
            body.append(decimal: Int(clamping: state.headSeq))
            body.append("}")
            body.member("floor", Int(clamping: state.floor))
            body.member("self")
            body.append("{\"id\":")
            body.append(jsonString: replica.settings.replica)
            body.member("instance")
            body.append(jsonString: String(replica.instance, radix: 16))
            body.member("role")
            body.append(jsonString: state.role.name)
            if case .stopped(let stop) = state.role {
                body.member("reason")
                body.append(jsonString: stop.rawValue)
            }
            body.member("seq", replica.seq)
            body.append("}")
            body.member("engine")
            replica.engine.encode(replica.describeEngine(), into: &body)
            body.append("}")
        }
    }

    /// `POST /v1/_cluster/step-down?to=NAME`: the leader names its successor, which leads at once.
    func stepDown(
        _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        let values = try call.context.onlyParameters("to")
        let replica = try replica()
        guard let successor = values["to"] else {
            throw Problem(.noSuccessor, "'to' is missing")
        }
        // A hand-over that was asked twice, or whose answer was overtaken by the new leader's term.
        guard successor != replica.settings.replica else {
            return call.reply.json(&response, isKept: false) { Self.tell(successor, &$0) }
        }
        let exchange = response.detach()
        let reply = call.reply
        replica.stepDown(to: successor) { isDone in
            exchange.answer(self, reply) { response in
                guard isDone else {
                    return reply.fail(
                        Problem(
                            .logAway, "the log did not take the hand-over", members: [.notApplied]),
                        &response)
                }
                reply.json(&response, isKept: false) { Self.tell(successor, &$0) }
            }
        }
    }

    private static func tell(_ successor: String, _ body: inout ByteBuffer) {
        body.append("{\"successor\":")
        body.append(jsonString: successor)
        body.append("}")
    }

    private func replica() throws(Problem) -> ReplicaStore {
        guard let replica = core.store.replica else {
            throw Problem(
                .notFound, "this server stands alone",
                hint: "servers over one log are started with --cluster-log, see /docs/cluster")
        }
        return replica
    }
}

extension ReplicaState.Leader? {
    /// `{"id","url"}`, or null.
    func encode(into body: inout ByteBuffer) {
        guard let leader = self else { return body.append("null") }
        body.append("{\"id\":")
        body.append(jsonString: leader.name)
        body.member("url")
        body.append(jsonString: leader.url)
        body.append("}")
    }
}

extension EngineState {
    /// `{"state","since","lastError"}` and what the driver says of its engine.
    func encode(_ description: [(name: String, value: String)], into body: inout ByteBuffer) {
        body.append("{\"state\":\"")
        body.append(text: trouble == nil ? "reachable" : "away")
        body.append("\"")
        if let trouble {
            body.member("since")
            body.append(jsonString: trouble.since.rfc3339)
            body.member("lastError")
            body.append(jsonString: trouble.error)
        }
        for (name, value) in description where name != "state" {
            body.append(",")
            body.append(jsonString: name)
            body.append(":")
            body.append(jsonString: value)
        }
        body.append("}")
    }
}
