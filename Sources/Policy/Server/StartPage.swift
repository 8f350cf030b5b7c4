import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery

/// The page behind the ready line's URL. Names of types and versions need no escape in HTML.
struct StartPage: Sendable {
    /// What there is to show.
    enum Content {
        /// Nothing yet, for this reason.
        case recovering(String)
        /// Nothing to a caller without rights.
        case needsToken
        case types([(name: TypeName, count: Int)])
    }

    /// Where the request came to, by its `Host`; escaped.
    private let origin: String

    /// Whether `/` is answered by the page, and not by the same as `/v1`.
    static func isWanted(by media: AcceptedMedia) -> Bool { media.namesHTML && media.prefersHTML }

    init(_ request: borrowing Request) {
        origin = ProblemPage.escaped("http://" + String(decoding: request.authority, as: UTF8.self))
    }

    func file(_ content: Content) -> BrowserFile {
        BrowserFile(.html, Array(html(content).utf8))
    }

    private func html(_ content: Content) -> String {
        // The browser asks again by itself until there is something to show.
        let refresh =
            if case .recovering = content {
                "<meta http-equiv=\"refresh\" content=\"2\">"
            } else {
                ""
            }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">\(refresh)<title>Freshet</title>
            <meta name="viewport" content="width=device-width">
            <link rel="icon" href="/favicon.svg">
            <link rel="stylesheet" href="/console.css"></head>
            <body><h1>Freshet \(BuildInfo.current.version)</h1>
            \(text(content))
            <p><a href="/docs">documentation</a> · <a href="/v1">/v1</a> · <a href="/v1/_types">types</a> ·
            <a href="/openapi.json">API</a> · <a href="/readyz">health</a> ·
            <a href="/metrics">metrics</a> · <a href="/problems">problems</a></p>
            </body></html>

            """
    }

    private func text(_ content: Content) -> String {
        switch content {
        case .recovering(let reason):
            return "<p>The server is starting: \(reason). This page goes on by itself.</p>"
        case .needsToken:
            return "<p>A token is needed to see what is stored. With one:</p><pre>"
                + "curl -H \"Authorization: Bearer $FRESHET_TOKEN\" \(origin)/v1</pre>"
        case .types(let types) where types.isEmpty:
            return "<p>Nothing is stored yet. Try:</p><pre>curl -X PUT --json"
                + " '{\"title\":\"first\"}' \(origin)/v1/task/1</pre>"
        case .types(let types):
            let rows = types.map { type in
                "<tr><td><a href=\"/v1/\(type.name)?limit=20\">\(type.name)</a></td>"
                    + "<td>\(type.count)</td>"
                    + "<td><a href=\"/live.html#/v1/\(type.name)?limit=20\">live</a></td></tr>"
            }
            return "<table><tr><th>type</th><th>entities</th><th></th></tr>\(rows.joined())</table>"
        }
    }
}
