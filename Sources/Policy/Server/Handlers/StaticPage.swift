import FreshetBase
import FreshetHTTP

/// A page or file that the program shows without its data, while it reads that, too.
struct StaticPage {
    let file: BrowserFile
    let variesByAccept: Bool

    init(_ file: BrowserFile, variesByAccept: Bool = false) {
        self.file = file
        self.variesByAccept = variesByAccept
    }

    /// - Returns: nil where `endpoint` needs the data.
    /// - Throws: `not-found` where there is no page of that name.
    init?(
        _ endpoint: Endpoint, _ path: borrowing PathSegments, _ media: AcceptedMedia
    ) throws(Problem) {
        switch endpoint {
        case .browserFile:
            var address = ""
            for index in 0..<path.count {
                address += "/" + String(decoding: path[index], as: UTF8.self)
            }
            guard let file = BrowserFiles.byAddress[address] else { return nil }
            self.init(file)
        case .problemIndex: self.init(BrowserFile(.html, ProblemPage.index()))
        case .problemPage:
            let name = String(decoding: path[1], as: UTF8.self)
            guard let code = ProblemCode(rawValue: name) else {
                throw Problem.absent(
                    "problem code", name, among: ProblemCode.allCases.map(\.rawValue),
                    hint: "GET /problems lists them")
            }
            self.init(
                media.namesHTML
                    ? BrowserFile(.html, ProblemPage.html(code))
                    : BrowserFile(.text, ProblemPage.text(code)), variesByAccept: true)
        case .documentation: try self.init(documentation: "index", media)
        case .documentationPage:
            try self.init(documentation: String(decoding: path[1], as: UTF8.self), media)
        case .documentationList: self.init(DocumentationFiles.list)
        case .version: self.init(Self.version)
        case .openAPI: self.init(Self.description)
        default: return nil
        }
    }

    private static let version = BrowserFile(
        .json,
        Array("{\"name\":\"freshet\",\"version\":\"\(BuildInfo.current.version)\"}\n".utf8))

    /// The API's description without declared types, which the data's server knows.
    private static let description = BrowserFile(.json, OpenAPIDocument.json)

    private init(documentation name: String, _ media: AcceptedMedia) throws(Problem) {
        if let file = DocumentationFiles.files[name] {
            self.init(file)
        } else if name.hasSuffix(".md"),
            let page = DocumentationFiles.pages[String(name.dropLast(3))]
        {
            self.init(page.source)
        } else if let page = DocumentationFiles.pages[name] {
            self.init(media.prefersMarkdown ? page.source : page.html, variesByAccept: true)
        } else {
            throw Problem.absent(
                "page", name,
                among: DocumentationPages.all.map(\.name.description)
                    + DocumentationFiles.files.keys.sorted(),
                hint: "GET /docs lists them")
        }
    }
}

/// The documentation that the program serves. `.ci/embed` makes it of the Markdown in Docs; each
/// page stands as `/docs/NAME` (HTML, or its source for who prefers `text/markdown`) and as
/// `/docs/NAME.md`. Beside the pages are files for other programs, and their pictures.
private enum DocumentationFiles {
    static let pages: [String: (html: BrowserFile, source: BrowserFile)] = Dictionary(
        uniqueKeysWithValues: DocumentationPages.all.map {
            ($0.name.description, (BrowserFile(.html, $0.html), BrowserFile(.markdown, $0.source)))
        })

    /// The files for other programs and the pictures, by their whole names.
    static let files: [String: BrowserFile] = Dictionary(
        uniqueKeysWithValues: DocumentationPages.files.map {
            ($0.name.description, BrowserFile($0.kind, $0.text))
        } + [BrowserFiles.byAddress["/docs/docs.css"]].compactMap { $0 }.map { ("docs.css", $0) })

    /// The index under the addresses of the sources (llmstxt.org).
    static let list = BrowserFile(.text, DocumentationPages.list)
}
