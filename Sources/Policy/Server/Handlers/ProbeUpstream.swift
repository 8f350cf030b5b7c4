import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetRefresh
import FreshetRemote

extension FreshetService {
    /// `POST /v1/_upstreams/{id}/probe`: asks the upstream now; what it meets is the answer.
    func probeUpstream(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        let name = String(decoding: call.context.path[2], as: UTF8.self)
        guard let link = upstreams.links[name] else {
            throw Problem.absent(
                "upstream", name, among: upstreams.all.map(\.settings.name),
                hint: "GET /v1/_upstreams lists them")
        }
        let (reply, exchange) = (call.reply, response.detach())
        link.probe { [self] outcome in
            exchange.answer(self, reply) { response in
                reply.json(&response, isKept: false) { outcome.append(of: name, to: &$0) }
            }
        }
    }
}

extension UpstreamLink.ProbeOutcome {
    /// - Parameter name: The upstream's.
    fileprivate func append(of name: String, to body: inout ByteBuffer) {
        body.append("{")
        body.member("ok", isGood)
        body.member("status", status)
        body.member("durationMs", duration.wholeMilliseconds)
        body.member("link", link.name)
        body.member("healthy", isHealthy)
        body.member("problem", error) { Problem($0, of: name).encodeAsMember(into: &$1) }
        body.append("}")
    }
}
