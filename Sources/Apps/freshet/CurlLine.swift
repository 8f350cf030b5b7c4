import FreshetStore

/// What `--curl` prints in place of a request: a command for a shell that sends the same.
enum CurlLine {
    /// The body that curl is to send.
    enum Body {
        case bytes([UInt8])
        /// `-` is standard input.
        case file(String)
        /// The elements of a JSON array, one a line; `-` is standard input.
        case elements(ofFile: String)
    }

    /// Bytes of a body that stand on the line; longer ones come from standard input.
    private static let longestBody = 4 << 10

    static func text(
        _ method: String, _ url: String, headers: [(name: String, value: String)], body: Body?,
        to output: String?, token: AccessToken?, unixSocket: String?, roots: String?
    ) -> String {
        var words = ["curl"]
        if headers.contains(where: { $0.value == "text/event-stream" }) { words.append("-N") }
        if method != (body == nil ? "GET" : "POST") { words += ["-X", method] }
        if let roots { words += ["--cacert", quoted(roots)] }
        if let unixSocket { words += ["--unix-socket", quoted(unixSocket)] }
        if let token { words += ["-H", "\"Authorization: Bearer \(token.shell)\""] }
        let isJSON = headers.contains { $0.value == "application/json" }
        var text: String?
        if case .bytes(let bytes) = body, bytes.count <= longestBody {
            text = String(validating: bytes, as: UTF8.self)
        }
        // A line feed behind JSON is no part of it.
        while isJSON, text?.last?.isNewline == true { text?.removeLast() }
        for header in headers where !(isJSON && text != nil && header.name == "Content-Type") {
            words += ["-H", quoted("\(header.name): \(header.value)")]
        }
        switch body {
        case nil: break
        case .bytes:
            // What curl would take from a file begins with @.
            if let text, !text.hasPrefix("@") {
                words += [isJSON ? "--json" : "--data-binary", quoted(text)]
            } else {
                words += ["--data-binary", "@-"]
            }
        case .file(let path): words += ["--data-binary", quoted("@\(path)")]
        // An import takes lines (bash, zsh: <(…) is a file of what the command prints).
        case .elements(let path):
            let file = path == "-" ? "" : " \(quoted(path))"
            words += ["--data-binary", "@<(jq -c '.[]'\(file))"]
        }
        if let output { words += ["-o", quoted(output)] }
        return (words + [quoted(url)]).joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String { ShellWord.quoted(text) }
}
