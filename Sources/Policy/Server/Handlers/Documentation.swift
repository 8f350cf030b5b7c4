import FreshetBase
import FreshetHTTP
import FreshetHTTPServer

/// The documentation that the program serves. `.ci/embed` makes it of the Markdown in Docs; each
/// page stands as `/docs/NAME` (HTML, or its source for who prefers `text/markdown`) and as
/// `/docs/NAME.md`. Beside the pages are files for other programs.
private enum DocumentationFiles {
    static let pages: [String: (html: BrowserFile, source: BrowserFile)] = Dictionary(
        uniqueKeysWithValues: DocumentationPages.all.map {
            ($0.name.description, (BrowserFile(.html, $0.html), BrowserFile(.markdown, $0.source)))
        })

    /// By their whole names.
    static let files: [String: BrowserFile] = Dictionary(
        uniqueKeysWithValues: DocumentationPages.files.map {
            let name = $0.name.description
            return (name, BrowserFile(name.hasSuffix(".json") ? .json : .yaml, $0.text))
        } + [("docs.css", BrowserFile(.style, PackageResources.docs_css))])

    /// The index under the addresses of the sources (llmstxt.org).
    static let list = BrowserFile(.text, DocumentationPages.list)
}

extension FreshetService {
    /// `GET /docs`: every page.
    func documentation(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        try answerPage("index", request, reply, &response)
    }

    /// `GET /docs/{page}`.
    func documentationPage(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        try answerPage(
            String(decoding: context.path[1], as: UTF8.self), request, reply, &response)
    }

    /// `GET /llms.txt`: every page for programs that read.
    func documentationList(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        answer(DocumentationFiles.list, request, reply, &response)
    }

    private func answerPage(
        _ name: String, _ request: borrowing Request, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        if let file = DocumentationFiles.files[name] {
            return answer(file, request, reply, &response)
        }
        if name.hasSuffix(".md"), let page = DocumentationFiles.pages[String(name.dropLast(3))] {
            return answer(page.source, request, reply, &response)
        }
        guard let page = DocumentationFiles.pages[name] else {
            throw Problem.absent(
                "page", name,
                among: DocumentationPages.all.map(\.name.description)
                    + DocumentationFiles.files.keys.sorted(),
                hint: "GET /docs lists them")
        }
        answer(
            request.acceptedMedia.prefersMarkdown ? page.source : page.html, request, reply,
            &response, variesByAccept: true)
    }
}
