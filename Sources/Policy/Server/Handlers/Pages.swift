import FreshetBase
import FreshetHTTP
import FreshetHTTPServer

/// What `/version` and `--version` tell.
package struct BuildInfo: Sendable {
    package static let current = BuildInfo(version: "0.1.0")

    package let version: String
}

extension FreshetService {
    /// `GET /version`.
    func version(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        reply.begin(200, &response)
        response.header("Content-Type", "application/json")
        response.end(text: "{\"name\":\"freshet\",\"version\":\"\(build.version)\"}\n")
    }

    /// `GET /openapi.json`.
    func openAPI(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        reply.begin(200, &response)
        response.header("Content-Type", "application/json")
        response.end(OpenAPIDocument.json)
    }

    /// `GET /problems`: every code.
    func problemIndex(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        answer(page: ProblemPage.index(), "text/html; charset=utf-8", reply, &response)
    }

    /// `GET /problems/{code}`: what a code means, for people.
    func problemPage(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        let name = String(decoding: context.path[1], as: UTF8.self)
        guard let code = ProblemCode(rawValue: name) else {
            throw Problem(.notFound, "there is no such problem code")
        }
        if request.acceptedMedia.namesHTML {
            answer(page: ProblemPage.html(code), "text/html; charset=utf-8", reply, &response)
        } else {
            answer(page: ProblemPage.text(code), "text/plain; charset=utf-8", reply, &response)
        }
    }

    /// `GET /live.js`: the browser's half of live queries.
    func liveModule(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        answer(
            page: PackageResources.live_js, "text/javascript; charset=utf-8", reply, &response)
    }

    /// `GET /live.html`: a page that shows a live query, by that module.
    func livePage(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        answer(page: PackageResources.live_html, "text/html; charset=utf-8", reply, &response)
    }

    private func answer(
        page: [UInt8], _ type: StaticString, _ reply: Reply, _ response: inout ResponseWriter
    ) {
        reply.begin(200, &response)
        response.header("Content-Type", type)
        page.withUnsafeBytes { response.end(bytes: $0) }
    }
}
