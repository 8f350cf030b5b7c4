import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery

extension FreshetService {
    /// Entities that are looked at where the request names no number, and at most.
    private static let usualSample = 1_000
    private static let largestSample = 10_000

    /// `GET /v1/_types/{type}/infer`: what entities of the type have in common, as far as the caller
    /// may read them, and a schema that they fit.
    func inferType(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        let values = try call.context.onlyParameters("sample")
        try call.request.acceptedMedia.checkJSON()
        var sample = Self.usualSample
        if let text = values["sample"] {
            guard let value = Int(text), (1...Self.largestSample).contains(value) else {
                throw .badParameter(
                    "sample", "'sample' is a number from 1 to \(Self.largestSample)")
            }
            sample = value
        }
        let asked = core.types.counts(of: TypeName(bytes: call.context.path[2]))
        onWorker(reply, response.detach()) { [self, sample] exchange throws(Problem) in
            guard let type = try visibleTypes(of: asked, reply).first else { throw .absentType }
            do throws(CoreError) {
                try core.reader.infer(
                    type.name, from: sample, for: reply.rights,
                    isCancelled: { exchange.isCancelled }
                ) { inferred in
                    exchange.answer(self, reply) { response in
                        do throws(CoreError) {
                            let found = try inferred.get()
                            reply.json(&response, isKept: false) {
                                found.append(type.name, to: &$0)
                            }
                        } catch {
                            self.fail(Problem(error), reply, &response)
                        }
                    }
                }
            } catch {
                throw Problem(error)
            }
        }
    }
}

extension InferredType {
    /// Appends `{"type","sampled","properties":[…],"schema":{…}}`.
    fileprivate func append(_ type: TypeName, to body: inout ByteBuffer) {
        body.append("{")
        body.member("type", type.text)
        body.member("sampled", sampled)
        body.member("properties", each: properties) { $0.append(to: &$1) }
        body.member("schema")
        schema.write(to: &body)
        body.append("}")
    }
}

extension InferredProperty {
    fileprivate func append(to body: inout ByteBuffer) {
        body.append("{")
        body.member("name", path.description)
        body.member("seen", seen)
        body.member("kinds", kinds.map { ($0.kind.name, $0.count) })
        body.member("distinct", distinct)
        body.member("most", each: most) { one, body in
            body.append("[")
            body.append(one.value)
            body.append(",")
            body.append(decimal: one.count)
            body.append("]")
        }
        body.member("min", least) { $1.append($0) }
        body.member("max", greatest) { $1.append($0) }
        body.member("maxLength", maxLength)
        body.member("format", format?.rawValue)
        body.append("}")
    }
}
