import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetRefresh

extension FreshetService {
    /// `GET /v1/_operations/{id}/runs`: its last runs, the newest first; a run under way is the first.
    func listRuns(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        try call.checkPlainJSON()
        let operation = try operation(call.context)
        call.reply.json(&response, isKept: false) { body in
            body.append(items: operation.runs) {
                OperationDocument.append($0, of: operation, to: &$1)
            }
        }
    }
}
