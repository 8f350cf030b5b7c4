import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

/// What answers a request, and who is let in to have it answered.
struct Admission {
    let endpoint: Endpoint
    /// nil where everybody may do everything, and for another server.
    let caller: Caller?
    /// Another server of the cluster asks for what is for servers, and has proved it.
    var isServer = false
}

/// Why a request is refused at its head, and what the metrics count it under.
final class Refusal {
    let problem: Problem
    let kind: TrafficClass

    init(_ problem: Problem, _ kind: TrafficClass) {
        self.problem = problem
        self.kind = kind
    }
}

// A service's judgement is an endpoint's number with the caller, or `refused` with the refusal.
extension Admission {
    static let refused = UInt8.max

    /// Whether another server asks is not kept: one without a caller is judged anew where anything is
    /// forbidden.
    ///
    /// - Parameter judgement: One that lets in.
    init?(_ judgement: Judgement) {
        guard let endpoint = Endpoint(rawValue: judgement.code) else { return nil }
        self.endpoint = endpoint
        // SAFETY: the service's own judgement; beside an endpoint stands a caller or nothing.
        caller = judgement.subject.map { unsafeDowncast($0, to: Caller.self) }
    }
}

extension Judgement {
    init(_ admission: Admission) { self.init(admission.endpoint.rawValue, admission.caller) }

    init(_ refusal: Refusal) { self.init(Admission.refused, refusal) }

    /// Why the request is refused; nil where it is let in.
    var refusal: Refusal? {
        // SAFETY: the service's own judgement; beside this number stands a refusal.
        code == Admission.refused ? subject.map { unsafeDowncast($0, to: Refusal.self) } : nil
    }
}

extension FreshetService {
    /// Who makes `request`, once it is certain that its caller may have it answered.
    ///
    /// - Throws: 401 or 429 for a wrong token; without the right 401 for whoever shows none and 403
    ///   for whoever does.
    func caller(
        of request: borrowing Request, _ context: LoopContext, for need: RouteNeed
    ) throws(Problem) -> Caller {
        guard need != .nothing else { return AccessControl.nobody }
        if need == .description, !Self.names("types=", in: request.query) {
            return AccessControl.nobody
        }
        // A browser's event stream sends no header, and whatever header comes with it is no matter.
        if need == .ticket, Self.names("ticket=", in: request.query) { return AccessControl.nobody }
        let isPage = need == .page && request.acceptedMedia.prefersHTML
        let caller: Caller
        do throws(Problem) {
            caller = try access.caller(of: request, &context.tokens)
        } catch {
            guard isPage else { throw error }
            caller = access.anonymous
        }
        let isAllowed: Bool
        switch need {
        case .nothing: isAllowed = true
        case .page: isAllowed = isPage || !caller.rights.isEmpty
        case .caller, .operations, .ticket, .description: isAllowed = !caller.rights.isEmpty
        case .token: isAllowed = caller.isNamed
        case .read: isAllowed = caller.rights.of(try context.type()).read != .none
        case .write: isAllowed = caller.rights.of(try context.type()).write != .none
        case .liveQueries:
            isAllowed =
                caller.rights.isAdmin
                || !caller.rights.isEmpty && Self.names("q.", in: request.query)
        case .admin, .server: isAllowed = caller.rights.isAdmin
        }
        guard isAllowed else {
            let isOfType = need == .read || need == .write
            throw Problem.lacks(need, caller, of: isOfType ? try context.type() : nil)
        }
        return caller
    }

    /// Whether a parameter in a URL's query has a name that begins with `start`, or is `start` with its
    /// equals sign, however it is escaped.
    static func names(_ start: String, in query: UnsafeRawBufferPointer) -> Bool {
        query.split(separator: UInt8(ascii: "&")).contains { part in
            guard part.contains(UInt8(ascii: "%")) else { return part.starts(with: start.utf8) }
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            let decoded = PercentDecoding.list(String(decoding: name, as: UTF8.self))
            return "\(decoded.joined(separator: ","))=".hasPrefix(start)
        }
    }

    /// Whether a read says what becomes of a remote's rows here, itself or as one of several queries.
    static func namesPersist(in query: UnsafeRawBufferPointer) -> Bool {
        if names("persist=", in: query) { return true }
        return query.split(separator: UInt8(ascii: "&")).contains { part in
            let value = part.drop { $0 != UInt8(ascii: "=") }.dropFirst()
            let url = PercentDecoding.list(String(decoding: value, as: UTF8.self))
                .joined(separator: ",")
            var inner = String(url.drop { $0 != "?" }.dropFirst())
            return inner.withUTF8 { names("persist=", in: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Refuses a type that is not declared where the declared ones alone are allowed.
    func checkAllowed(_ type: TypeName) throws(Problem) {
        do { try core.types.catalog.check(type) } catch { throw Problem(error) }
    }

    /// Refuses an operation on a type that the caller may not write at all, before the writer is
    /// asked about its entities.
    func checkWrite(_ type: TypeName, _ reply: Reply) throws(Problem) {
        guard let caller = reply.caller, caller.rights.of(type).write == .none else { return }
        throw Problem.lacks(.write, caller, of: type)
    }

    /// The reason to refuse an answer that was long in the making, or nil: the caller's token has
    /// ended meanwhile, or what it shows was chosen by other rights.
    func refusalNow(of reply: Reply) -> Problem? {
        guard let caller = reply.caller else {
            guard access.isOn, !reply.isServer else { return nil }
            return refusal(of: reply, by: access.anonymous.rights, in: .everything, hasToken: false)
        }
        switch access.standing(of: caller) {
        case .same: return nil
        case .changed(let changed):
            return refusal(
                of: reply, by: changed.rights, in: caller.rights, hasToken: caller.isNamed)
        case .expired, .revoked: return .unauthenticated(hasToken: caller.isNamed)
        }
    }

    private func refusal(
        of reply: Reply, by now: AccessRights, in then: AccessRights, hasToken: Bool
    ) -> Problem? {
        if now.isEmpty { return .unauthenticated(hasToken: hasToken) }
        guard reply.isOfRights, !now.showsAll(of: then) else { return nil }
        return Problem(
            .forbidden, "this caller may see less than when the answer was begun",
            hint: "ask again: the answer is made anew, by the rights of now")
    }
}

extension Problem {
    /// 401 for whoever shows no token, 403 for whoever does.
    ///
    /// - Parameter type: What is to be read or written.
    static func lacks(_ need: RouteNeed, _ caller: Caller, of type: TypeName? = nil) -> Problem {
        let what = type.map { "entities of type '\($0.text)'" } ?? "this type"
        guard caller.isNamed else { return .unauthenticated(hasToken: false) }
        switch need {
        case .read: return Problem(.forbidden, "this token may not read \(what)")
        case .write: return Problem(.forbidden, "this token may not write \(what)")
        case .admin, .liveQueries, .server:
            return Problem(.forbidden, "this needs a token for administration")
        default: return Problem(.forbidden, "this token may do nothing here")
        }
    }
}

extension FreshetService {
    /// Goes on with a detached request on a worker; a problem is its answer.
    func onWorker(
        _ reply: Reply, _ exchange: Exchange,
        _ work: @escaping @Sendable (Exchange) throws(Problem) -> Void
    ) {
        let isTaken = core.workers.perform { [self] in
            do throws(Problem) {
                try work(exchange)
            } catch {
                exchange.answer(self, reply) { [error] in self.fail(error, reply, &$0) }
            }
        }
        guard !isTaken else { return }
        exchange.answer(self, reply) {
            self.fail(Problem(.overloaded, "too much work waits already"), reply, &$0)
        }
    }
}

extension Exchange {
    /// Gives a detached answer: the one way to do so for whatever shows or tells of entities.
    func answer(
        _ service: FreshetService, _ reply: Reply,
        _ write: @escaping @Sendable (inout ResponseWriter) -> Void
    ) {
        complete { response in
            if let refusal = service.refusalNow(of: reply) {
                return service.fail(refusal, reply, &response)
            }
            write(&response)
        }
    }
}
