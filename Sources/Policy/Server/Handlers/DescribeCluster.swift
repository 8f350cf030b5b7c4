import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `GET /v1/_cluster`: the servers over its log, as the leader knows them, and this one itself.
    func describeCluster(
        _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        let reply = call.reply
        _ = try call.context.onlyParameters()
        let cluster = try inCluster()
        // The engine is asked on the way.
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let engine = cluster.replica.describeEngine()
            cluster.posts.refresh { [self] in
                exchange.answer(self, reply) { response in
                    reply.json(&response, isKept: false) { cluster.describe(engine, into: &$0) }
                }
            }
        }
    }

    /// `POST /v1/_cluster/replicas/{id}`: what another server of the cluster says of itself, every
    /// few seconds, to the one that leads.
    func reportReplica(
        _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try call.context.onlyParameters()
        let cluster = try inCluster()
        try cluster.checkProof(of: call.request)
        let name = String(decoding: call.context.path[3], as: UTF8.self)
        guard TypeName(name) != nil else {
            throw Problem(
                .badRequest,
                "'\(name)' is no name of a server: a letter, then at most 63 letters,"
                    + " digits, _ or -")
        }
        let answer = try cluster.posts.receive(try ReplicaReport(call.request.body), of: name)
        call.reply.json(&response, isKept: false, answer)
    }

    /// `POST /v1/_cluster/step-down[?to=NAME]`: the leader hands over to the server of that name, or to
    /// the one that has applied most.
    func stepDown(
        _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        let values = try call.context.onlyParameters("to")
        let cluster = try inCluster()
        let replica = cluster.replica
        let reply = call.reply
        // A hand-over that was asked twice.
        if let name = values["to"], name == replica.settings.replica {
            let leader = replica.state.leader
            return reply.json(&response, isKept: false) { Self.encodeHandOver(name, leader, &$0) }
        }
        let successors = try cluster.posts.successors(
            named: values["to"], older: core.types.olderDigests)
        let exchange = response.detach()
        cluster.handOver(to: successors) { end in
            exchange.answer(self, reply) { response in
                switch end {
                case .done(let name, let leader):
                    reply.json(&response, isKept: false) {
                        Self.encodeHandOver(name, leader, &$0)
                    }
                case .nobody:
                    let asked = successors.map { "'\($0.name)'" }.joined(separator: ", ")
                    reply.fail(
                        Problem(
                            .noSuccessor, "\(asked) could lead and does not answer",
                            hint: "GET /v1/_cluster shows the servers that are known",
                            members: [.notApplied]),
                        &response)
                case .notLeader:
                    reply.fail(.notLeader(knowing: replica.state.leader), &response)
                case .failed:
                    reply.fail(
                        Problem(
                            .logAway, "the log did not take the hand-over", members: [.notApplied]),
                        &response)
                case .unknown:
                    reply.fail(
                        Problem(
                            .logAway, "the log gave no answer to the hand-over, which may be done",
                            members: [.text("outcome", "unknown")]), &response)
                }
            }
        }
    }

    private static func encodeHandOver(
        _ successor: String, _ leader: ReplicaState.Leader?, _ body: inout ByteBuffer
    ) {
        body.append("{")
        body.member("successor", successor)
        body.member("leader")
        leader.encode(into: &body)
        body.append("}")
    }

    private func inCluster() throws(Problem) -> Cluster {
        guard let cluster else {
            throw Problem(
                .notFound, "this server stands alone",
                hint: "servers over one log are started with --cluster-log, see /docs/cluster")
        }
        return cluster
    }
}

extension Cluster {
    /// What `GET /v1/_cluster` answers.
    fileprivate func describe(
        _ engine: [(name: String, value: String)], into body: inout ByteBuffer
    ) {
        let state = replica.state
        body.append("{")
        body.member("cluster", state.cluster.map { "\($0)" })
        body.member("epoch", replica.cursor.epoch.description)
        body.member("term", state.term)
        body.member("leader")
        state.leader.encode(into: &body)
        body.member("head")
        body.append("{")
        body.member("seq", state.headSeq)
        body.member("at", state.headAt)
        body.append("}")
        body.member("floor", state.floor)
        body.member("self")
        body.append("{")
        body.member("id", replica.settings.replica)
        body.member("instance", String(replica.instance, radix: 16))
        body.member("role", state.role.name)
        var reason: String?
        if case .stopped(let stop) = state.role { reason = stop.rawValue }
        body.member("reason", reason)
        body.member("detail", state.stopText)
        body.member("seq", replica.seq)
        body.append("}")
        body.member("replicas")
        posts.encodeReplicas(into: &body)
        body.member("engine")
        replica.engine.encode(engine, into: &body)
        body.append("}")
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
    /// As answers name it.
    var name: String { isFull ? "full" : trouble == nil ? "reachable" : "away" }

    /// `{"kind","state","since","lastError",…}` and what the driver says of its engine.
    func encode(_ description: [(name: String, value: String)], into body: inout ByteBuffer) {
        body.append("{")
        body.member("state", name)
        body.member("since", trouble?.since)
        body.member("lastError", trouble?.error)
        for (name, value) in description where name != "error" {
            body.append(",")
            body.append(jsonString: name)
            body.append(":")
            if let number = UInt64(value) {
                body.append(decimal: number)
            } else {
                body.append(jsonString: value)
            }
        }
        body.member("errors", each: description.filter { $0.name == "error" }) {
            $1.append(jsonString: $0.value)
        }
        body.append("}")
    }
}
