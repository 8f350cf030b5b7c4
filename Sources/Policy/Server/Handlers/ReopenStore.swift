import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetStore

extension FreshetService {
    /// `POST /v1/_store/reopen`: after a disk failure, reads the log again and takes writes where
    /// it is sound (storage.md section 6), after a full one looks for space at once. A store that
    /// writes stays as it is. A replica that has stopped to follow its log joins anew (replication.md
    /// section 9).
    func reopenStore(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        _ = try call.context.onlyParameters()
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let store = core.store
            if let replica = store.replica, case .stopped(let stop) = replica.state.role {
                guard let joinsAnew, stop.endsByJoining else {
                    throw Problem(
                        .notImplemented,
                        "\(stop.reason), and this process does not follow it again",
                        hint: stop.advice)
                }
                exchange.answer(self, reply) { response in
                    reply.beginJSON(&response, status: 202)
                    response.end(text: "{\"state\":\"joining\",\"revision\":\(store.seq)}\n")
                }
                return joinsAnew(.byOperator)
            }
            do {
                try Reopening.run(in: core)
            } catch {
                log.error("the store stays closed to writes", ["why": .string("\(error)")])
                throw Problem(
                    .storageFailed, "the log cannot be opened again; the server's log says why",
                    members: [.text("outcome", "not-applied")])
            }
            let phase = store.status.phase.rawValue
            exchange.answer(self, reply) { response in
                reply.beginJSON(&response)
                response.end(text: "{\"state\":\"\(phase)\",\"revision\":\(store.seq)}\n")
            }
        }
    }
}
