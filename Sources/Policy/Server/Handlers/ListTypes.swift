import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `GET /v1`: the types with their counts, and links to everything else.
    ///
    /// - Parameter varies: The same address gives a page to who asks for one.
    func listTypes(
        _ call: borrowing Call, varies: Bool = false, _ response: inout ResponseWriter
    ) throws(Problem) {
        try call.checkPlainJSON()
        withTypes(call.reply, &response) { self.answer($0, $1, varies: varies, $2, &$3) }
    }

    /// Members of `links`: each path of the service's own that needs no name, as what stands behind
    /// `/v1/_`, and what is beside `/v1`.
    ///
    /// - Parameter isClustered: A server that stands alone has nothing to say of a cluster.
    static func links(isClustered: Bool) -> [(name: String, path: String)] {
        var links: [(name: String, path: String)] = []
        for route in RouteTable.routes {
            let path = route.pattern.description
            guard path.hasPrefix("/v1/_"), !path.contains("{"),
                isClustered || !path.hasPrefix("/v1/_cluster"),
                !links.contains(where: { $0.path == path })
            else { continue }
            let name = String(path.dropFirst("/v1/_".count)).replacing("/_", with: "/")
            links.append((name, path))
        }
        links += [
            ("access", "/v1/_access/me"), ("console", "/"), ("openapi", "/openapi.json"),
            ("version", "/version"), ("health", "/readyz"), ("liveness", "/livez"),
            ("metrics", "/metrics"), ("problems", "/problems"), ("docs", "/docs"),
            // Its name before there was a console.
            ("documentation", "/docs"),
        ]
        return links
    }

    private static let linksAlone = json(links(isClustered: false))
    private static let linksOfCluster = json(links(isClustered: true))

    private static func json(_ links: [(name: String, path: String)]) -> String {
        links.map { "\"\($0.name)\":\"\($0.path)\"" }.joined(separator: ",")
    }

    private func answer(
        _ cursor: Cursor, _ types: [(name: TypeName, count: Int)], varies: Bool, _ reply: Reply,
        _ response: inout ResponseWriter
    ) {
        reply.json(&response, varies: varies) { body in
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
                text: "],\"links\":{\(cluster == nil ? Self.linksAlone : Self.linksOfCluster)},"
                    + "\"meta\":{\"revision\":\(cursor.seq),\"cursor\":\"\(cursor)\"}}")
        }
    }

    /// `GET /`: the same, or a start page for a browser.
    func startPage(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        guard StartPage.isWanted(by: call.request.acceptedMedia) else {
            return try listTypes(call, varies: true, &response)
        }
        _ = try call.context.onlyParameters()
        let page = StartPage(call.request, isClustered: cluster != nil)
        let needsToken = reply.rights?.isEmpty ?? false
        let conditions = ReadConditions(call.request)
        withTypes(reply, &response) { _, types, reply, response in
            let file = page.file(needsToken ? .needsToken : .types(types))
            file.write(conditions, variesByAccept: true, reply, &response)
        }
    }
}
