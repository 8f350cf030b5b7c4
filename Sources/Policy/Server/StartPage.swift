import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery

/// The console's shell behind the ready line's URL, with a part for browsers without script, which
/// shows what this caller may see. Names of types and versions need no escape in HTML.
struct StartPage: Sendable {
    /// What there is to show.
    enum Content {
        /// Nothing yet, for this reason.
        case recovering(String)
        /// Nothing to a caller without rights.
        case needsToken
        case types([(name: TypeName, count: Int)])
    }

    /// Where the part for browsers without script stands in the shell.
    private static let mark = "<!-- noscript -->"
    /// Types that the part lists.
    private static let mostTypes = 200

    /// The shell before and behind that part.
    private static let shell: (before: String, behind: String) = {
        let bytes = BrowserFiles.byAddress["/"]?.bytes ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        guard let place = text.firstRange(of: mark) else {
            preconditionFailure("index.html has no \(mark)")
        }
        return (String(text[..<place.lowerBound]), String(text[place.upperBound...]))
    }()

    /// Where the request came to, by its `Host`; escaped.
    private let origin: String

    /// Whether `/` is answered by the page, and not by the same as `/v1`.
    static func isWanted(by media: AcceptedMedia) -> Bool { media.namesHTML && media.prefersHTML }

    /// Whether the server is one of several: a link more.
    private let isClustered: Bool

    init(_ request: borrowing Request, isClustered: Bool) {
        self.isClustered = isClustered
        origin = ProblemPage.escaped("http://" + String(decoding: request.authority, as: UTF8.self))
    }

    func file(_ content: Content) -> BrowserFile {
        let part = """
            <h1>Freshet \(BuildInfo.current.version)</h1>
            \(text(content))
            <p>\(links)</p>
            """
        return BrowserFile(.html, Array((Self.shell.before + part + Self.shell.behind).utf8))
    }

    /// `/v1` and its links, each address once.
    private var links: String {
        var seen: Set<String> = []
        return ([("v1", "/v1")] + FreshetService.links(isClustered: isClustered))
            .filter { seen.insert($0.path).inserted }
            .map { "<a href=\"\($0.path)\">\($0.name)</a>" }.joined(separator: " · ")
    }

    private func text(_ content: Content) -> String {
        switch content {
        case .recovering(let reason):
            return "<p>The server is starting: \(reason). Load this page again in a moment.</p>"
        case .needsToken:
            return "<p>This server wants a token. With one:</p><pre>"
                + "curl -H \"Authorization: Bearer $FRESHET_TOKEN\" \(origin)/v1</pre>"
        case .types(let types) where types.isEmpty:
            return "<p>Nothing is stored yet. Try:</p><pre>curl -X PUT --json"
                + " '{\"title\":\"first\"}' \(origin)/v1/task/1</pre>"
        case .types(let types):
            let rows = types.prefix(Self.mostTypes).map { type in
                "<tr><td><a href=\"/v1/\(type.name)?limit=20\">\(type.name)</a></td>"
                    + "<td>\(type.count)</td></tr>"
            }
            let more = types.count - rows.count
            return "<table><tr><th>type</th><th>entities</th></tr>\(rows.joined())</table>"
                + (more > 0 ? "<p>and \(more) more types</p>" : "")
                + "<pre>curl \(origin)/v1/\(types[0].name)?limit=20</pre>"
        }
    }
}
