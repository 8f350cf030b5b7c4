import FreshetBase
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetRefresh
import FreshetStore

// How recent an answer has to be (replication.md section 5).
//
// A client that wrote through one server and reads through another names the cursor that it was given,
// and the read waits until that commit is here; one that wants what anybody was acknowledged says
// `strong`. A server alone has shown nothing that is not here, and so is as recent as any: it refuses
// what is not of its log, and never waits.

extension EntityStore {
    /// Whether what is here is as recent as `request`, a read, demands.
    ///
    /// Entities alone are refused without a demand where they would be too old: who operates the
    /// service sees the rest of it then, too.
    ///
    /// - Returns: false where the request was put off until it is: it comes again.
    /// - Throws: What is wrong with the demand; why it is not met.
    func isFresh(
        for request: borrowing Request, to endpoint: Endpoint,
        showing shown: Endpoint.StoredState, _ context: LoopContext,
        _ response: inout ResponseWriter
    ) throws(Problem) -> Bool {
        let waited = request.resumption as? FreshnessWait
        if let problem = waited?.problem { throw problem }
        if shown == .entities {
            try checkAge()
            if waited == nil, try !hasHeard(of: request, to: endpoint, context, &response) {
                return false
            }
        }
        if try request.wantsStrongRead, waited == nil {
            if let replica {
                wait(request, for: shown, &response) {
                    replica.waitForHead(within: replica.settings.minWait, $0)
                }
                return false
            }
            if shown == .orders {
                wait(request, for: shown, &response) { $0(.reached) }
                return false
            }
        }
        guard let least = try context.takeLeast(request) else { return true }
        let here = cursor
        guard least.epoch == here.epoch else {
            throw Problem(
                .otherEpoch, "the cursor is of another log than this server's",
                hint: "read anew without it, and take the cursor of that answer",
                members: [.text("cursor", here.description)])
        }
        if least.seq <= here.seq {
            guard shown == .orders, waited == nil else { return true }
            wait(request, for: shown, &response) { $0(.reached) }
            return false
        }
        guard let replica else { throw .behind(here.seq) }
        wait(request, for: shown, &response) {
            replica.wait(for: least.seq, within: replica.settings.minWait, $0)
        }
        return false
    }

    /// - Throws: Where what is here may be older than the configuration lets any reader see.
    private func checkAge() throws(Problem) {
        if let replica, replica.isTooOld {
            throw Problem(
                .replicaBehind,
                "nothing was heard of the shared log for longer than cluster.maxLag allows",
                hint: "ask another server of the cluster",
                members: [.number("seq", Int(clamping: replica.seq))])
        }
        if let replica, replica.isOutlived {
            throw Problem(
                .replicaBehind,
                "the cluster has another configuration for longer than cluster.configGrace allows",
                hint: "give this server the configuration of the others, and ask another meanwhile",
                members: [.number("seq", Int(clamping: replica.seq))])
        }
    }

    /// Whether what a stream goes on behind is no news here.
    ///
    /// - Returns: false where the request was put off until it is none, or is beyond the log's end.
    private func hasHeard(
        of request: borrowing Request, to endpoint: Endpoint, _ context: LoopContext,
        _ response: inout ResponseWriter
    ) throws(Problem) -> Bool {
        guard let replica, try !request.wantsStrongRead,
            let resumed = context.resumedCursor(request, to: endpoint),
            resumed.epoch == cursor.epoch, resumed.seq > cursor.seq
        else { return true }
        // Beyond what the log has now a snapshot says that the log went back.
        wait(request, for: .entities, &response) { done in
            replica.waitForHead(within: replica.settings.minWait) { end in
                if case .away = end { return done(.late) }
                done(end)
            }
        }
        return false
    }

    /// Puts the request off until what `begin` waits for has come to something.
    private func wait(
        _ request: borrowing Request, for shown: Endpoint.StoredState,
        _ response: inout ResponseWriter,
        _ begin: (@escaping @Sendable (SeqWait) -> Void) -> Void
    ) {
        let before = request.resumptionBeforeWait
        let exchange = response.postpone()
        begin { end in
            let wait = FreshnessWait(end, self, behind: before)
            guard shown == .orders else { return exchange.respondAgain(wait) }
            PolicyExecutor.shared.perform { exchange.respondAgain(wait) }
        }
    }
}

extension ReplicaStore {
    /// - Throws: Where nothing new is ever shown here, so that it is of no use to watch.
    func checkFollows() throws(Problem) {
        guard case .stopped(let stop) = state.role else { return }
        throw Problem(
            .replicaBehind, "\(state.stopText ?? stop.reason), so that nothing new is shown here",
            hint: "watch at another server of the cluster; of this one: \(stop.advice)",
            members: [.number("seq", Int(clamping: seq))])
    }
}

/// What has come of the wait of a read.
private final class FreshnessWait: Sendable {
    /// nil: it may be answered.
    let problem: Problem?
    /// What the request was put off for before.
    let before: (any AnyObject & Sendable)?

    init(
        _ end: SeqWait, _ store: any EntityStore, behind before: (any AnyObject & Sendable)?
    ) {
        self.before = before
        switch end {
        case .reached: problem = nil
        case .late: problem = .behind(store.cursor.seq)
        case .away(let reason):
            problem = Problem(
                .logAway,
                "the shared log gives no answer, so nobody can say what is newest: \(reason)",
                hint: "leave Freshet-Read out to read what is here")
        case .closed: problem = .stopping
        }
    }
}

extension Problem {
    fileprivate static func behind(_ seq: UInt64) -> Problem {
        Problem(
            .replicaBehind, "this server has not applied the commit of the cursor yet",
            members: [.number("seq", Int(clamping: seq))])
    }
}

extension Request {
    /// What the request was put off for last, but for the wait to be fresh.
    var resumptionBeforeWait: (any AnyObject & Sendable)? {
        guard let wait = resumption as? FreshnessWait else { return resumption }
        return wait.before
    }

    /// Whether `Freshet-Read` asks for everything that was ever acknowledged.
    fileprivate var wantsStrongRead: Bool {
        get throws(Problem) {
            guard let value = header(.freshetRead) else { return false }
            guard value.elementsEqual("strong".utf8) else {
                throw Problem(
                    .badRequest, "Freshet-Read is strong, or is left out",
                    hint: "to read at least up to a commit send Freshet-Min-Seq with its cursor")
            }
            return true
        }
    }
}

extension LoopContext {
    /// The newest commit that the client of a stream was told of, or of a session that is posted again, as
    /// another server has shown it; nil where it begins anew, or with what is no cursor.
    fileprivate func resumedCursor(
        _ request: borrowing Request, to endpoint: Endpoint
    ) -> Cursor? {
        if endpoint == .createSession {
            // What is wrong with the body is said by its handler.
            let body = try? JSONValue.parse(request.body)
            return body?["since"]?.stringValue.flatMap { Cursor(newestOf: $0) }
        }
        if let id = request.lastEventID { return Cursor(newestOf: id) }
        for index in 0..<parameters.count where parameters.name(index).elementsEqual("since".utf8) {
            return Cursor(newestOf: String(decoding: parameters.value(index), as: UTF8.self))
        }
        return nil
    }

    /// The commit up to which a read has to be exact at least: of `Freshet-Min-Seq`, or of the
    /// parameter `min`, which no handler sees.
    fileprivate func takeLeast(_ request: borrowing Request) throws(Problem) -> Cursor? {
        var parameter: String?
        for index in (0..<parameters.count).reversed()
        where parameters.name(index).elementsEqual("min".utf8) {
            guard parameter == nil else {
                throw .repeatedParameter("min")
            }
            parameter = String(decoding: parameters.value(index), as: UTF8.self)
            parameters.remove(at: index)
        }
        if let text = parameter {
            guard let cursor = Cursor(beginning: text) else {
                throw .badParameter("min", "'min' is a cursor: what Freshet-Cursor says")
            }
            return cursor
        }
        guard let value = request.header(.freshetMinSeq) else { return nil }
        guard let cursor = Cursor(beginning: String(decoding: value, as: UTF8.self)) else {
            throw Problem(
                .badRequest, "Freshet-Min-Seq is a cursor: what Freshet-Cursor of an answer says")
        }
        return cursor
    }
}

extension Cursor {
    /// The newest commit that a client was told of with the cursor `text`.
    fileprivate init?(newestOf text: String) {
        self.init(beginning: text)
        guard let told = LiveCursor(text)?.told else { return }
        self = Cursor(epoch: epoch, seq: max(seq, told))
    }

    /// The commit that a cursor of any kind names; digest, session and view behind it are ignored.
    fileprivate init?(beginning text: String) {
        let parts = text.divided(at: ".")
        guard parts.count == 2 || parts.count == 3 else { return nil }
        self.init(parts[0] + "." + parts[1])
    }
}
