import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetStore

extension FreshetService {
    /// `POST /v1/_store/reopen`: after a disk failure, reads the log again and takes writes where
    /// it is sound (storage.md section 6). A store that has not failed stays as it is.
    func reopenStore(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        _ = try call.context.onlyParameters()
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let store = core.store
            if let replica = store.replica, case .stopped(let stop) = replica.state.role {
                throw Problem(
                    .notImplemented, "\(stop.reason), and this process does not follow it again",
                    hint: stop.advice)
            }
            if store.status.phase == .failed {
                do {
                    try store.reopen()
                } catch {
                    log.error("the store stays closed to writes", ["why": .string("\(error)")])
                    throw Problem(
                        .storageFailed, "the log cannot be opened again; the server's log says why",
                        members: [.text("outcome", "not-applied")])
                }
            }
            let phase = store.status.phase.rawValue
            exchange.answer(self, reply) { response in
                reply.beginJSON(&response)
                response.end(text: "{\"state\":\"\(phase)\",\"revision\":\(store.seq)}\n")
            }
        }
    }
}
