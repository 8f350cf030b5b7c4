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
        answer(BrowserFile(.html, ProblemPage.index()), request, reply, &response)
    }

    /// `GET /problems/{code}`: what a code means, for people.
    func problemPage(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        let name = String(decoding: context.path[1], as: UTF8.self)
        guard let code = ProblemCode(rawValue: name) else {
            throw Problem.absent(
                "problem code", name, among: ProblemCode.allCases.map(\.rawValue),
                hint: "GET /problems lists them")
        }
        let page =
            request.acceptedMedia.namesHTML
            ? BrowserFile(.html, ProblemPage.html(code))
            : BrowserFile(.text, ProblemPage.text(code))
        answer(page, request, reply, &response, variesByAccept: true)
    }

    /// `GET /live.js` and what else browsers load.
    func browserFile(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        let name = String(decoding: context.path[0], as: UTF8.self)
        guard let file = BrowserFile.all[name] else {
            throw Problem(.notFound, "there is no such file")
        }
        answer(file, request, reply, &response)
    }

    /// `GET /favicon.ico`, which browsers ask for by themselves.
    func faviconOfOld(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        reply.begin(308, &response)
        response.header("Location", "/favicon.svg")
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
