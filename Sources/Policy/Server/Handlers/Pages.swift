import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery

/// What `/version` and `--version` tell.
package struct BuildInfo: Sendable {
    package static let current = BuildInfo(version: "0.1.0")

    package let version: String
}

extension FreshetService {
    /// `GET /openapi.json`; with `types=declared` with the declared types that the caller may read.
    func openAPI(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        switch try context.onlyParameters("types")["types"] {
        case nil: try show(.openAPI, request, context, reply, &response)
        case "declared":
            let conditions = ReadConditions(request)
            onWorker(reply, &response) { [self] exchange throws(Problem) in
                let types = core.types.catalog.declared.filter { type in
                    guard let rights = reply.rights, let name = TypeName(type.name) else {
                        return true
                    }
                    return rights.of(name).read != .none
                }
                var document = ByteBuffer()
                TypedDescription.append(types, to: &document)
                let file = BrowserFile(.json, Array(document.bytes))
                exchange.answer(self, reply) { response in
                    file.write(conditions, variesByAccept: false, reply, &response)
                }
            }
        default:
            throw Problem.badParameter("types", "'types' is declared, or absent")
        }
    }

    /// What `StaticPage` has.
    func staticPage(
        _ endpoint: Endpoint, _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        try show(endpoint, request, context, reply, &response)
    }

    private func show(
        _ endpoint: Endpoint, _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        guard let page = try StaticPage(endpoint, context.path, request.acceptedMedia) else {
            throw Problem(.notFound, "there is no such file")
        }
        answer(page.file, request, reply, &response, variesByAccept: page.variesByAccept)
    }

    /// `GET /favicon.ico`, which browsers ask for by themselves, and a page's address with a slash
    /// behind it, which people type.
    func movedPage(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        reply.begin(308, &response)
        if let page = RouteTable.standard.page(before: request.path) {
            response.header("Location", text: page)
        } else {
            response.header("Location", "/favicon.svg")
        }
        response.end()
    }

    /// Answers with `file`, or with 304 where the client has it.
    func answer(
        _ file: BrowserFile, _ request: borrowing Request, _ reply: Reply,
        _ response: inout ResponseWriter, variesByAccept: Bool = false
    ) {
        file.write(
            ReadConditions(request), variesByAccept: variesByAccept, reply, &response)
    }
}
