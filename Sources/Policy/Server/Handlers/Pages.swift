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
    func openAPI(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        switch try call.context.onlyParameters("types")["types"] {
        case nil: try show(.openAPI, call, &response)
        case "declared":
            let conditions = ReadConditions(call.request)
            onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
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
        _ endpoint: Endpoint, _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try call.context.onlyParameters()
        try show(endpoint, call, &response)
    }

    private func show(
        _ endpoint: Endpoint, _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        guard let page = try StaticPage(endpoint, call.context.path, call.request.acceptedMedia)
        else {
            throw Problem(.notFound, "there is no such file")
        }
        answer(page.file, call, &response, variesByAccept: page.variesByAccept)
    }

    /// `GET /favicon.ico`, which browsers ask for by themselves, `/live.html`, which was a page of its
    /// own (browsers keep the fragment, which names a query), and a page's address with a slash behind
    /// it, which people type.
    func movedPage(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        call.reply.begin(308, &response)
        if let page = RouteTable.standard.page(before: call.request.path) {
            response.header("Location", text: page)
        } else if call.request.path.elementsEqual("/live.html".utf8) {
            response.header("Location", "/")
        } else {
            response.header("Location", "/favicon.svg")
        }
        response.end()
    }

    /// Answers with `file`, or with 304 where the client has it.
    func answer(
        _ file: BrowserFile, _ call: borrowing Call, _ response: inout ResponseWriter,
        variesByAccept: Bool = false
    ) {
        let takesGzip =
            file.packed != nil
            && call.request.list(.acceptEncoding) { $0.map(AcceptedCoding.takesGzip) ?? false }
        file.write(
            ReadConditions(call.request), variesByAccept: variesByAccept, takesGzip: takesGzip,
            call.reply, &response)
    }
}
