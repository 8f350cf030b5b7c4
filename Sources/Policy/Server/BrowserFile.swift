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

    /// Where it is served; empty for what is made for one answer.
    let address: String
    let kind: Kind
    let bytes: [UInt8]
    /// The entity tag, in quotes.
    let tag: [UInt8]
    /// `bytes` compressed with gzip; nil for what is sent as it is alone.
    let packed: [UInt8]?

    /// The entity tag of the compressed form: other bytes have another strong tag (RFC 9110, section
    /// 8.8.3.3).
    var packedTag: [UInt8] { tag.dropLast() + Array("-gzip\"".utf8) }

    /// A file of the repository, whose tag and compressed form `.ci/embed` has made.
    ///
    /// - Parameter packed: As base64; empty where there is none.
    init(
        at address: StaticString, _ kind: Kind, tag: StaticString, packed: StaticString,
        text: StaticString
    ) {
        self.address = address.description
        self.kind = kind
        self.tag = tag.withUTF8Buffer { Array($0) }
        bytes = text.withUTF8Buffer { Array($0) }
        self.packed = packed.withUTF8Buffer { text in
            guard !text.isEmpty else { return nil }
            guard let bytes = Base64.decode(UnsafeRawBufferPointer(text)) else {
                preconditionFailure("\(address) is not packed in base64")
            }
            return bytes
        }
    }

    init(_ kind: Kind, _ text: StaticString) {
        self.init(kind, text.withUTF8Buffer { Array($0) })
    }

    init(_ kind: Kind, _ bytes: [UInt8]) {
        address = ""
        self.kind = kind
        self.bytes = bytes
        packed = nil
        let digest = bytes.withUnsafeBytes { SHA256Digest(of: $0) }
        tag = Array("\"\(digest.hexadecimal.prefix(32))\"".utf8)
    }

    /// - Parameter takesGzip: Whether the client takes the compressed form.
    func write(
        _ conditions: ReadConditions, variesByAccept: Bool, takesGzip: Bool = false,
        _ reply: Reply, _ response: inout ResponseWriter
    ) {
        let sent = takesGzip ? packed : nil
        let tag = sent == nil ? tag : packedTag
        let isKnown: Bool
        do { isKnown = try conditions.areMet(by: tag) } catch {
            return reply.fail(error, &response)
        }
        reply.begin(isKnown ? 304 : 200, &response)
        tag.withUnsafeBytes { response.header("ETag", bytes: $0) }
        response.header("Cache-Control", "no-cache")
        if variesByAccept { response.header("Vary", "Accept") }
        if packed != nil { response.header("Vary", "Accept-Encoding") }
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
        if sent != nil { response.header("Content-Encoding", "gzip") }
        (sent ?? bytes).withUnsafeBytes { response.end(bytes: $0) }
    }
}
