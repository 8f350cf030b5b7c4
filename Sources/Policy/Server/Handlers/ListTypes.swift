import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `GET /v1`: the types with their counts, and links to everything else.
    func listTypes(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        try request.acceptedMedia.checkJSON()
        withTypes(reply, &response) { self.answer($0, $1, $2, &$3) }
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
        reply.begin(200, &response)
        response.header("Content-Type", "application/json")
        response.beginBody()
        response.body.append("{\"service\":\"freshet\",\"version\":\"")
        response.body.append(text: build.version)
        response.body.append("\",\"types\":[")
        for (index, type) in types.enumerated() {
            if index > 0 { response.body.append(",") }
            response.body.append(
                text: "{\"name\":\"\(type.name)\",\"count\":\(type.count),"
                    + "\"href\":\"/v1/\(type.name)\"}")
        }
        response.body.append(
            text: "],\"links\":{\(Self.links)},"
                + "\"meta\":{\"revision\":\(cursor.seq),\"cursor\":\"\(cursor)\"}}\n")
        response.endBody()
    }

    /// `GET /`: the same, or a start page for a browser.
    func startPage(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        let media = request.acceptedMedia
        guard media.namesHTML, media.prefersHTML else {
            return try listTypes(request, context, reply, &response)
        }
        _ = try context.onlyParameters()
        let page = StartPage(
            version: build.version,
            origin: "http://"
                + String(decoding: request.authority, as: UTF8.self),
            needsToken: reply.rights?.isEmpty ?? false)
        let conditions = ReadConditions(request)
        withTypes(reply, &response) { _, types, reply, response in
            let file = BrowserFile(.html, Array(page.html(types).utf8))
            file.write(conditions, variesByAccept: true, reply, &response)
        }
    }
}

/// The page behind the ready line's URL. Names of types and versions need no escape in HTML.
private struct StartPage: Sendable {
    let version: String
    /// Where the request came to, by its `Host`.
    let origin: String
    /// Whether the caller may do nothing at all.
    let needsToken: Bool

    func html(_ types: [(name: TypeName, count: Int)]) -> String {
        let rows = types.map { type in
            "<tr><td><a href=\"/v1/\(type.name)?limit=20\">\(type.name)</a></td>"
                + "<td>\(type.count)</td>"
                + "<td><a href=\"/live.html#/v1/\(type.name)?limit=20\">live</a></td></tr>"
        }
        let origin = ProblemPage.escaped(origin)
        let table =
            if needsToken {
                "<p>A token is needed to see what is stored. With one:</p><pre>"
                    + "curl -H \"Authorization: Bearer $FRESHET_TOKEN\" \(origin)/v1</pre>"
            } else if rows.isEmpty {
                "<p>Nothing is stored yet. Try:</p><pre>curl -X PUT --json"
                    + " '{\"title\":\"first\"}' \(origin)/v1/task/1</pre>"
            } else {
                "<table><tr><th>type</th><th>entities</th><th></th></tr>\(rows.joined())</table>"
            }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Freshet</title>
            <meta name="viewport" content="width=device-width">
            <link rel="icon" href="/favicon.svg">
            <link rel="stylesheet" href="/console.css"></head>
            <body><h1>Freshet \(version)</h1>
            \(table)
            <p><a href="/docs">documentation</a> · <a href="/v1">/v1</a> · <a href="/v1/_types">types</a> ·
            <a href="/openapi.json">API</a> · <a href="/readyz">health</a> ·
            <a href="/metrics">metrics</a> · <a href="/problems">problems</a></p>
            </body></html>

            """
    }
}
