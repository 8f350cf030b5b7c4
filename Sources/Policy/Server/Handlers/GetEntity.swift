import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetLive
import FreshetQuery

extension FreshetService {
    /// `GET /v1/{type}/{id}`: the stored bytes, straight to the socket.
    func getEntity(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let type = try call.context.type()
        let media = call.request.acceptedMedia
        var asked: Query?
        if call.context.parameters.count > 0 || media.prefersEventStream {
            if let filter = try call.context.soleParameter("matches") {
                return try matchEntity(filter, call, &response)
            }
            let (query, live) = try call.context.query(
                of: core.reader, getting: core.outbox.current(type, try call.context.id()),
                in: type,
                for: call.reply.rights)
            let asks = try live.asked(media)
            if asks != .once {
                return try watch(query, live, asks, call, &response)
            }
            asked = query
        }
        try media.checkJSON()
        guard asked == nil, core.reader.isLocal(type) else {
            var plain = Query(type: type)
            plain.ids = [core.outbox.current(type, try call.context.id())]
            plain.limit = nil
            return try read(AskedQuery(asked ?? plain), isGet: true, call, &response)
        }
        let stored: Document?
        do {
            stored = try core.reader.entity(
                type, idBytes: call.context.path[2], for: call.reply.rights)
        } catch {
            throw Problem(error)
        }
        guard let document = stored else {
            let id = try call.context.id()
            throw Problem.absentEntity(type, id)
        }
        if try call.request.knows(revision: document.revision) {
            call.reply.begin(304, &response)
            response.etag(revision: document.revision)
            response.header("Vary", "Accept")
            return response.end()
        }
        call.reply.beginJSON(&response)
        response.etag(revision: document.revision)
        response.header("Vary", "Accept")
        response.end(bytes: document.line)
    }
}

extension LoopContext {
    /// What may stand behind the URL of one entity.
    private static let parametersOfGet = [
        "fields", "include", "depth", "meta", "source", "persist", "trustRemote", "endpoint",
        "contract",
    ]

    /// The query that shows `id` alone, with the parameters of the request.
    func query(
        of reader: EntityReader, getting id: EntityID, in type: TypeName, for rights: AccessRights?
    ) throws(Problem) -> (Query, LiveParameters) {
        let (parsed, live) = try query(
            of: reader, type, for: rights,
            allowing: type.isInternal ? ["fields"] : Self.parametersOfGet)
        var query = parsed
        query.ids = [id]
        query.limit = nil
        return (query, live)
    }

    /// The query of the request's parameters, and those of live queries among them.
    ///
    /// - Parameters:
    ///   - rights: Of the caller, whose row rule the query bears.
    ///   - names: The parameters beside those of live queries and endpoints; nil: all.
    func query(
        of reader: EntityReader, _ type: TypeName, for rights: AccessRights?,
        allowing names: [String]? = nil
    ) throws(Problem) -> (Query, LiveParameters) {
        var live = LiveParameters()
        let names = names ?? (type.isInternal ? SystemType.parameters : nil)
        do {
            var parser = try reader.queryParser(type, for: rights)
            for index in 0..<parameters.count {
                let name = String(decoding: parameters.name(index), as: UTF8.self)
                let value = String(decoding: parameters.value(index), as: UTF8.self)
                if try live.take(name, value) { continue }
                if let names, !names.contains(name),
                    type.isInternal || !name.hasPrefix("endpoint.")
                {
                    throw Problem.unknownParameter(
                        name,
                        among: names + (type.isInternal ? [] : ["matches"])
                            + QueryParser.liveNames)
                }
                do { try give(index, name: name, value: value, to: &parser) } catch {
                    throw Problem(error)
                }
            }
            do { return (try parser.finish(), live) } catch { throw Problem(error) }
        } catch let problem as Problem {
            throw problem
        } catch let error as CoreError {
            throw Problem(error)
        } catch {
            throw Problem(.internal, "the query could not be read")
        }
    }

    /// Gives parameter `index` to `parser`; lists of ids are divided before they are decoded. An order
    /// that programs have escaped as a whole has no comma in it that divides.
    func give(
        _ index: Int, name: String, value: String, to parser: inout QueryParser
    ) throws(QueryFault) {
        switch name {
        case "ids": try parser.take(ids: parameters.list(index))
        case "order"
        where value.utf8.starts(with: "ids:".utf8) && parameters.hasSeparators(index):
            try parser.take(orderByIDs: parameters.list(index))
        default: try parser.take(name: name, value: value)
        }
    }

    /// Refuses every parameter but those named, and repeated ones; returns their values.
    func onlyParameters(_ names: StaticString...) throws(Problem) -> [String: String] {
        guard parameters.count > 0 else { return [:] }
        return try onlyParameters(names.map(\.description), besides: nil)
    }

    /// Refuses every parameter but `names` and those of a write context; returns the values, and
    /// where the write goes.
    func writeParameters(
        _ names: [StaticString] = []
    ) throws(Problem) -> (values: [String: String], destination: WriteDestination) {
        // Nearly all writes have no parameters.
        guard parameters.count > 0 else { return ([:], WriteDestination(.local)) }
        let prefix = "endpoint."
        let values = try onlyParameters(
            names.map(\.description) + ["target", "wait", "endpoint"], besides: prefix)
        let parameters = values.filter { $0.key.hasPrefix(prefix) }
            .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
        let destination = try WriteDestination(
            target: values["target"], wait: values["wait"], endpoint: values["endpoint"],
            parameters: Dictionary(parameters) { $1 })
        return (values, destination)
    }

    /// Calls `body` with each parameter, decoded, in the order of the request.
    func forEachParameter(
        _ body: (_ name: String, _ value: String) throws(Problem) -> Void
    ) throws(Problem) {
        for index in 0..<parameters.count {
            try body(
                String(decoding: parameters.name(index), as: UTF8.self),
                String(decoding: parameters.value(index), as: UTF8.self))
        }
    }

    /// - Parameter prefix: Names that begin so are known, too.
    private func onlyParameters(
        _ names: [String], besides prefix: String?
    ) throws(Problem) -> [String: String] {
        var values: [String: String] = [:]
        try forEachParameter { name, value throws(Problem) in
            guard names.contains(name) || prefix.map(name.hasPrefix) ?? false else {
                throw .unknownParameter(
                    name, value, behindFilter: values["filter"] != nil, among: names)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .repeatedParameter(name)
            }
        }
        return values
    }

    /// The value of a Boolean parameter among `values`.
    func flag(_ name: String, in values: [String: String]) throws(Problem) -> Bool {
        switch values[name] {
        case nil, "false": return false
        case "true": return true
        default: throw Problem.badParameter(name, "'\(name)' is true or false")
        }
    }
}

extension AcceptedMedia {
    /// Refuses a request that takes no JSON.
    func checkJSON() throws(Problem) {
        guard json > 0 else {
            throw Problem(
                .notAcceptable, "the answer is JSON, which the request does not accept",
                hint: "send Accept: application/json, or no Accept")
        }
    }
}
