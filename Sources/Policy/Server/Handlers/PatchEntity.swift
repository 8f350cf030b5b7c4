package import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `PATCH /v1/{type}/{id}`: JSON merge patch (RFC 7396), applied by the writer.
    func patchEntity(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let type = try call.context.type()
        let id = try call.context.id()
        let (values, destination) = try call.context.writeParameters(EntityAnswer.parameters)
        let answer = try EntityAnswer(type, call.request, call.context, values)
        try checkAllowed(type)
        let start = try idempotency(call, keepsEntity: true)
        try write(to: destination, start, call.reply, &response, answer) { () throws(Problem) in
            .merge(
                type, id, patch: try call.context.patch(call.request.body),
                try WriteCondition(call.request))
        }
    }
}

extension LoopContext {
    /// The canonical bytes of a merge patch that an entity can take.
    func patch(_ json: UnsafeRawBufferPointer) throws(Problem) -> [UInt8] {
        try MergePatch.canonical(json, using: &scratch)
    }
}

package enum MergePatch {
    /// The canonical bytes of a merge patch that an entity can take.
    package static func canonical(
        _ json: UnsafeRawBufferPointer, using scratch: inout ByteBuffer
    ) throws(Problem) -> [UInt8] {
        var scanner = JSONScanner()
        do {
            let summary = try scanner.scan(json)
            guard summary.kind == .object else {
                throw Problem(.invalidEntity, "a merge patch of an entity is a JSON object")
            }
            scratch.removeAll()
            JSONCanonical.compactObject(
                json, members: scanner.members, isCanonical: summary.isCanonical,
                dropping: "_meta", into: &scratch)
            return [UInt8](scratch.bytes)
        } catch let fault as JSONFault {
            throw Problem(fault)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.internal, "the patch could not be read")
        }
    }
}
