import FreshetHTTP
import FreshetHTTPServer

extension FreshetService {
    /// `DELETE /v1/_streams/{id}`: an open stream ends with `bye`, and its session with it.
    func closeStream(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        let id = String(decoding: call.context.path[2], as: UTF8.self)
        guard let number = Int(id), let stream = sessions.stream(number) else {
            throw Problem.absent("stream", id, hint: "GET /v1/_streams lists the open ones")
        }
        // Before its session ends, which is another reason.
        stream.close()
        if let session = (stream as? SeveralStream)?.session { sessions.end(session) }
        call.reply.empty(&response)
    }
}
