import FreshetBase
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetRefresh
import FreshetStore
import Synchronization

/// Stands before the service while it starts: health checks are answered, and what the program
/// shows without its data; all else is told to come again (503 `recovering`). Once the service is there, everything goes to it.
// SAFETY: `service` is written once, before `isOpen` is released, and read only after that was
// acquired.
final class Entrance: Responder, @unchecked Sendable {
    private let isOpen = Atomic<Bool>(false)
    private var service: FreshetService?
    private let progress = RecoveryState()

    /// Takes what `/readyz` says of how far the start is.
    func show(_ current: RecoveryProgress) { progress.set(current) }

    func open(to service: FreshetService) {
        precondition(!isOpen.load(ordering: .relaxed), "an entrance opens once")
        self.service = service
        isOpen.store(true, ordering: .releasing)
    }

    @inline(__always)
    private var opened: FreshetService? {
        isOpen.load(ordering: .acquiring) ? service : nil
    }

    /// The code of the judgement beside a request whose body nobody has asked for, since there was no
    /// service yet; no endpoint has it.
    private static let tooEarly = Admission.refused - 1

    func bodyPlan(for request: borrowing Request) -> BodyPlan {
        opened?.bodyPlan(for: request) ?? .respondNow(Judgement(Self.tooEarly))
    }

    func respond(to request: consuming Request, response: inout ResponseWriter) {
        // The service may have come between the plan and this: without its body the request is not its own.
        if request.judgement?.code != Self.tooEarly, let service = opened {
            return service.respond(to: request, response: &response)
        }
        if request.path.elementsEqual("/livez".utf8) {
            response.begin(200)
            response.header("Content-Type", "application/json")
            return response.end("{\"status\":\"live\"}\n")
        }
        if request.path.elementsEqual("/readyz".utf8) {
            response.begin(503)
            response.header("Content-Type", "application/json")
            response.header("Retry-After", "1")
            response.beginBody()
            progress.encode(into: &response.body)
            return response.endBody()
        }
        if let page = page(for: request) {
            return page.file.write(
                ReadConditions(request), variesByAccept: page.variesByAccept, .unknown, &response)
        }
        let problem = Problem(.recovering, "the server reads its data; it will answer soon")
        let reply = Reply.unknown
        if reply.tellsAsEvents(problem, to: request, response) {
            return reply.answer(asEvents: problem, &response)
        }
        reply.fail(problem, &response)
    }

    func isServedWhenFull(_ request: borrowing Request) -> Bool {
        var path = PathSegments()
        return endpoint(of: request, &path)?.trafficClass == .operate
    }

    /// What the request asks for; nil for what has no route.
    private func endpoint(
        of request: borrowing Request, _ path: inout PathSegments
    ) -> Endpoint? {
        guard (try? path.parse(request.path)) != nil,
            case .found(let endpoint, _) = RouteTable.standard.match(request.method, path)
        else { return nil }
        return endpoint
    }

    private func page(for request: borrowing Request) -> StaticPage? {
        var path = PathSegments()
        guard request.method == .get || request.method == .head, request.query.isEmpty,
            let endpoint = endpoint(of: request, &path)
        else { return nil }
        if case .startPage = endpoint, StartPage.isWanted(by: request.acceptedMedia) {
            let page = StartPage(request, isClustered: false)
                .file(.recovering(progress.reason))
            return StaticPage(page, variesByAccept: true)
        }
        // What is none is said when the service is there.
        return try? StaticPage(endpoint, path, request.acceptedMedia)
    }

    var summarizesAll: Bool { opened?.summarizesAll ?? false }

    func answered(_ summary: AnswerSummary) { opened?.answered(summary) }

    func fault(_ fault: ConnectionFault, response: inout ResponseWriter) {
        if let service = opened { return service.fault(fault, response: &response) }
        Reply.unknown.fail(Problem(fault), &response)
    }

    func fault(
        _ fault: ConnectionFault, of request: borrowing Request, response: inout ResponseWriter
    ) {
        if let service = opened {
            return service.fault(fault, of: request, response: &response)
        }
        Reply.unknown.fail(Problem(fault), &response)
    }
}

extension Reply {
    /// The reply to a request that nobody has looked at.
    fileprivate static var unknown: Reply {
        Reply(
            requestID: .made(.random(in: .min ... .max)), allowedOrigin: nil, variesByOrigin: false)
    }
}

/// How far a start is, for `/readyz`. Any thread.
private final class RecoveryState: Sendable {
    private let current = Shared<RecoveryProgress?>(nil)

    func set(_ progress: RecoveryProgress) { current.set(progress) }

    /// `{"status":"recovering","stores":{"main":{"state":"recovering","reason","progress":{"phase",
    /// "done","all","commits"}}}}`; no progress before there is some.
    func encode(into body: inout ByteBuffer) {
        let progress = current.value
        body.append("{\"status\":\"recovering\",\"stores\":{\"main\":{\"state\":\"recovering\"")
        body.member("reason", Self.reason(progress))
        if let progress {
            body.append(",\"progress\":{\"phase\":")
            body.append(jsonString: progress.phase.rawValue)
            body.member("done", progress.bytesRead)
            body.member("all", progress.bytesTotal)
            body.member("commits", progress.commits)
            body.append("}")
        }
        body.append("}}}\n")
    }

    /// What the start does, in words.
    var reason: String { Self.reason(current.value) }

    private static func reason(_ progress: RecoveryProgress?) -> String {
        switch progress?.phase {
        case nil: "the data directory is being opened"
        case .snapshot: "the snapshot is being read"
        case .log: "the log is being read"
        case .backup, .segments: "files are being read"
        case .indexes: "the indexes are being built"
        }
    }
}
