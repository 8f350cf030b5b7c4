import FreshetBase
import FreshetHTTP
import FreshetHTTPServer

/// What a browser shows or runs: bytes of one kind with a strong ETag. The one way to answer with
/// such, so that none is without the headers that keep foreign pages out (console.md section 1).
struct BrowserFile: Sendable {
    enum Kind: Sendable {
        case html, script, style, image, text, markdown, yaml, json

        var type: StaticString {
            switch self {
            case .html: "text/html; charset=utf-8"
            case .script: "text/javascript; charset=utf-8"
            case .style: "text/css; charset=utf-8"
            case .image: "image/svg+xml"
            case .text: "text/plain; charset=utf-8"
            case .markdown: "text/markdown; charset=utf-8"
            case .yaml: "application/yaml"
            case .json: "application/json"
            }
        }
    }

    /// The files by name, as they are served.
    static let all: [String: BrowserFile] = [
        "live.js": BrowserFile(.script, PackageResources.live_js),
        "live.html": BrowserFile(.html, PackageResources.live_html),
        "live-page.js": BrowserFile(.script, PackageResources.live_page_js),
        "console.css": BrowserFile(.style, PackageResources.console_css),
        "favicon.svg": BrowserFile(.image, PackageResources.favicon_svg),
    ]

    let kind: Kind
    let bytes: [UInt8]
    /// The entity tag, in quotes.
    let tag: [UInt8]

    init(_ kind: Kind, _ text: StaticString) {
        self.init(kind, text.withUTF8Buffer { Array($0) })
    }

    init(_ kind: Kind, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
        let digest = bytes.withUnsafeBytes { SHA256Digest(of: $0) }
        tag = Array("\"\(digest.hexadecimal.prefix(32))\"".utf8)
    }

    func write(
        _ conditions: ReadConditions, variesByAccept: Bool, _ reply: Reply,
        _ response: inout ResponseWriter
    ) {
        let isKnown: Bool
        do { isKnown = try conditions.areMet(by: tag) } catch {
            return reply.fail(error, &response)
        }
        reply.begin(isKnown ? 304 : 200, &response)
        tag.withUnsafeBytes { response.header("ETag", bytes: $0) }
        response.header("Cache-Control", "no-cache")
        if variesByAccept { response.header("Vary", "Accept") }
        switch kind {
        case .html:
            response.header(
                "Content-Security-Policy",
                """
                default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                worker-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
                frame-ancestors 'none'
                """)
            response.header("Referrer-Policy", "no-referrer")
            response.header("Cross-Origin-Opener-Policy", "same-origin")
        case .script:
            // A shared worker has the policy of its own answer.
            response.header(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; connect-src 'self'")
        case .image:
            response.header("Content-Security-Policy", "default-src 'none'; style-src 'none'")
        case .style, .text, .markdown, .yaml, .json: break
        }
        if isKnown { return response.end() }
        response.header("Content-Type", kind.type)
        bytes.withUnsafeBytes { response.end(bytes: $0) }
    }
}
