import FreshetBase

/// The page behind each problem's `type`: `GET /problems/{code}` for a person with a browser
/// (HTML) or with curl (plain text). Without script; its style is `/console.css`.
package enum ProblemPage {
    /// The page as UTF-8 HTML; `Content-Type: text/html; charset=utf-8`.
    package static func html(_ code: ProblemCode) -> [UInt8] {
        var body = "<h1>\(escaped(code.rawValue)) <small>\(code.status)</small></h1>\n"
        body += "<p><strong>\(escaped(code.title.description))</strong></p>\n"
        for paragraph in paragraphs(of: code) {
            body += "<p>\(escaped(paragraph))</p>\n"
        }
        body += "<p><em>What to do:</em> \(escaped(code.hint.description))</p>\n"
        body += "<p><a href=\"/problems\">All problems</a> · "
        body += "<a href=\"\(code.documentation)\">Documentation</a></p>\n"
        return page(title: code.rawValue, body: body)
    }

    /// The page as plain text; `Content-Type: text/plain; charset=utf-8`.
    package static func text(_ code: ProblemCode) -> [UInt8] {
        var text = "\(code.rawValue) (\(code.status))\n\n\(code.title)\n\n"
        for paragraph in paragraphs(of: code) {
            text += paragraph + "\n\n"
        }
        text += "What to do: \(code.hint)\n\nMore: \(code.documentation)\n"
        return Array(text.utf8)
    }

    /// The list of all problems as HTML, for `GET /problems`.
    package static func index() -> [UInt8] {
        var body = "<h1>Problems</h1>\n<table>\n"
        for code in ProblemCode.allCases {
            body +=
                "<tr><td>\(code.status)</td><td><a href=\"\(code.path)\">\(code.rawValue)</a></td>"
                + "<td>\(escaped(code.title.description))</td></tr>\n"
        }
        return page(title: "Problems", body: body + "</table>\n")
    }

    static func paragraphs(of code: ProblemCode) -> [String] {
        var paragraphs: [String] = []
        var current = ""
        for line in code.explanation.description.split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.isEmpty {
                if !current.isEmpty { paragraphs.append(current) }
                current = ""
            } else {
                current += current.isEmpty ? String(line) : " " + line
            }
        }
        if !current.isEmpty { paragraphs.append(current) }
        return paragraphs
    }

    private static func page(title: String, body: String) -> [UInt8] {
        let page = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(escaped(title)) – Freshet</title>
            <link rel="icon" href="/favicon.svg">
            <link rel="stylesheet" href="/console.css">
            </head>
            <body>
            \(body)</body>
            </html>

            """
        return Array(page.utf8)
    }

    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
