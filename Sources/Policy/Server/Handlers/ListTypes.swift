import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `GET /v1`: the types with their counts, and links to everything else.
    func listTypes(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        try call.request.acceptedMedia.checkJSON()
        withTypes(call.reply, &response) { self.answer($0, $1, $2, &$3) }
    }

    /// Members of `links`: each path of the service's own that needs no name, as what stands behind
    /// `/v1/_`, and what is beside `/v1`.
    private static let links: String = {
        var links: [(name: String, path: String)] = []
        for route in RouteTable.routes {
            let path = route.pattern.description
            guard path.hasPrefix("/v1/_"), !path.contains("{"),
                !links.contains(where: { $0.path == path })
            else { continue }
            links.append((String(path.dropFirst("/v1/_".count)), path))
        }
        links += [
            ("openapi", "/openapi.json"), ("version", "/version"), ("health", "/readyz"),
            ("liveness", "/livez"), ("metrics", "/metrics"), ("problems", "/problems"),
            ("documentation", "/docs"),
        ]
        return links.map { "\"\($0.name)\":\"\($0.path)\"" }.joined(separator: ",")
    }()

    private func answer(
        _ cursor: Cursor, _ types: [(name: TypeName, count: Int)], _ reply: Reply,
        _ response: inout ResponseWriter
    ) {
        reply.json(&response) { body in
            body.append("{\"service\":\"freshet\",\"version\":\"")
            body.append(text: BuildInfo.current.version)
            body.append("\",\"types\":[")
            for (index, type) in types.enumerated() {
                if index > 0 { body.append(",") }
                body.append(
                    text: "{\"name\":\"\(type.name)\",\"count\":\(type.count),"
                        + "\"href\":\"/v1/\(type.name)\"}")
            }
            body.append(
                text: "],\"links\":{\(Self.links)},"
                    + "\"meta\":{\"revision\":\(cursor.seq),\"cursor\":\"\(cursor)\"}}")
        }
    }

    /// `GET /`: the same, or a start page for a browser.
    func startPage(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        guard StartPage.isWanted(by: call.request.acceptedMedia) else {
            return try listTypes(call, &response)
        }
        _ = try call.context.onlyParameters()
        let page = StartPage(call.request)
        let needsToken = reply.rights?.isEmpty ?? false
        let conditions = ReadConditions(call.request)
        withTypes(reply, &response) { _, types, reply, response in
            let file = page.file(needsToken ? .needsToken : .types(types))
            file.write(conditions, variesByAccept: true, reply, &response)
        }
    }
}
