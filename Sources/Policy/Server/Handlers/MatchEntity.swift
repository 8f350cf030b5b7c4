import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery

extension FreshetService {
    /// `GET /v1/{type}/{id}?matches=FILTER`: what each part of the filter comes to for the entity that
    /// is stored here; no remote is asked.
    func matchEntity(
        _ text: String, _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        let reply = call.reply
        try call.request.acceptedMedia.checkJSON()
        let filter: Filter
        do { filter = try QueryParser.filter(text: text, in: "matches") } catch {
            throw Problem(error)
        }
        let type = try call.context.type()
        let stored: Document?
        do {
            stored = try core.reader.entity(
                type, idBytes: call.context.path[2], for: reply.rights)
        } catch {
            throw Problem(error)
        }
        guard let document = stored else { throw .absentEntity(type, try call.context.id()) }
        // A thousand tests of a megabyte take longer than a loop has.
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let trace: FilterTrace
            do throws(EngineError) { trace = try FilterTrace(filter, of: document) } catch {
                throw Problem(CoreError.engine(error)).of(parameter: "matches")
            }
            exchange.answer(self, reply) { response in
                reply.json(&response, varies: true) { body in
                    body.append("{")
                    body.member("matches", trace.matches)
                    body.member("filter", filter.description)
                    body.member("revision", document.revision)
                    body.member("nodes", each: trace.nodes) { $0.append(text: $0.text, to: &$1) }
                    body.append("}")
                }
            }
        }
    }
}

extension LoopContext {
    /// The value of a parameter that stands alone; nil where it does not stand here.
    func soleParameter(_ name: String) throws(Problem) -> String? {
        let places = (0..<parameters.count).filter {
            parameters.name($0).elementsEqual(name.utf8)
        }
        guard let place = places.first else { return nil }
        guard places.count == 1 else {
            throw .repeatedParameter(name)
        }
        guard parameters.count == 1 else {
            throw .badParameter(
                name, "'\(name)' stands alone: leave the other parameters out")
        }
        return String(decoding: parameters.value(place), as: UTF8.self)
    }
}

extension Problem {
    /// The problem of a filter that stands in the parameter `name`.
    fileprivate func of(parameter name: String) -> Problem {
        var problem = self
        for place in errors.indices where errors[place].parameter != nil {
            problem.errors[place].parameter = name
        }
        return problem
    }
}

extension FilterTrace.Node {
    /// Appends `{"pointer","text","value","actual"|"absent","cut","note"}`.
    ///
    /// - Parameter text: As it is shown.
    func append(text: String, to body: inout ByteBuffer) {
        body.append("{")
        body.member("pointer", pointer.description)
        body.member("text", text)
        body.member("value", value)
        if let actual { body.member("actual", actual) { $1.append($0) } }
        if isCut { body.member("cut", true) }
        if isAbsent { body.member("absent", true) }
        if let note { body.member("note", note) }
        body.append("}")
    }
}
