import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPClient
import FreshetHTTPServer
import FreshetQuery
import FreshetRefresh
import FreshetRemote
import FreshetStore

// One of several servers (replication.md section 4).
//
//     request for the leader ─►  this server leads:  as on a server alone
//                                another does:       sent on as it came, with `Freshet-Forwarded`;
//                                                    the answer waits until its commit is here, too
//                                nobody does:        waits for one
//
// A request that waits or is sent on is put off, so that whatever becomes of its leader it can be looked
// at anew. What was sent and has no answer is asked again only where that does no harm: it reads, or
// bears an `Idempotency-Key`, by which the next leader knows whether it was done.

/// The way to the server that leads. Any thread.
final class Cluster: Sendable {
    let replica: ReplicaStore
    let settings: ClusterSettings
    let watch: LeaderWatch
    /// What this server does while it leads.
    let leadership: Leadership
    /// Asks servers for what is kept there, and tells them of this one.
    let client: HTTPClient
    /// Asks the leader.
    private let forwarder: HTTPClient
    let posts: ReplicaPosts
    /// How often this server was made from a backup of another one, at its start.
    let joins: Int
    private let returning: ReplicaReturn?
    private let looking: Rhythm?
    private let secret: SHA256Digest?
    let forwards = ForwardFigures()
    /// Bytes of bodies that wait for a leader, or for its answer.
    private let heldBytes = Counter()

    /// Requests that are sent on at once, as many connections to the leader: fewer than it takes of one
    /// address. Others wait.
    static let mostForwards = 256
    /// Answers of more bytes are not taken.
    private static let mostBytes = 64 << 20
    /// Bytes of bodies that are kept at once for a leader. One counts for a quarter at most, so that it is taken
    /// beside others and leaves room for them.
    private static let mostHeld = 256 << 20
    /// How often one request is looked at anew.
    private static let mostRounds = 4
    /// Between two requests to a leader that says that it is none.
    private static let pause = Duration.milliseconds(20)
    /// The longest that an answer waits for its commit here.
    private static let hold = Duration.seconds(2)

    init(
        _ replica: ReplicaStore, _ settings: ClusterSettings, watch: LeaderWatch,
        leadership: Leadership, client: HTTPClient, forwarder: HTTPClient, posts: ReplicaPosts,
        joins: Int, returning: ReplicaReturn?
    ) {
        self.replica = replica
        self.settings = settings
        self.watch = watch
        self.leadership = leadership
        self.client = client
        self.forwarder = forwarder
        self.posts = posts
        self.joins = joins
        self.returning = returning
        looking = returning?.start()
        secret = settings.secret.map { SHA256Digest(of: $0.reveal()) }
    }

    /// The name of this server among the others.
    var name: String { settings.replica }

    /// Before the requests under way are finished: what this server does by itself.
    func stopLeading() {
        looking?.cancel()
        leadership.stop()
        posts.stop()
    }

    /// Behind them: some of them have been sent on.
    func stopForwarding() {
        client.stop()
        forwarder.stop()
    }

    var leads: Bool { replica.state.role == .leader }

    /// Whether `request` comes from another server of the cluster, which has judged where it comes
    /// from.
    ///
    /// - Throws: 403 where it says so and cannot prove it.
    func isFromOther(_ request: borrowing Request) throws(Problem) -> Bool {
        guard let secret, let sent = request.header(.freshetForwarded) else { return false }
        // `<server>; <secret>`
        let shown = sent.firstIndex(of: UInt8(ascii: ";")).map { sent[($0 + 1)...] } ?? sent[0..<0]
        let secretShown = String(
            decoding: shown.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        // Digests are compared, so that the time says nothing of the secret.
        guard SHA256Digest(of: secretShown) == secret else {
            throw Problem(
                .clusterSecret, "Freshet-Forwarded bears another secret than this server's",
                hint: "give all servers of a cluster the same \"cluster\": {\"secret\": …}")
        }
        return true
    }

    /// - Throws: 403 where servers prove themselves and `request` bears no proof.
    func checkProof(of request: borrowing Request) throws(Problem) {
        guard secret != nil, try !isFromOther(request) else { return }
        throw Problem(
            .clusterSecret, "this is for servers of the cluster, which prove themselves",
            hint: "send the cluster's secret: Freshet-Forwarded: NAME; SECRET")
    }

    /// Refuses an event stream that only the leader has.
    func refuseStream() throws(Problem) {
        if let problem = streamProblem { throw problem }
    }

    /// Why an event stream that only the leader has is not to be had here; nil where this server leads.
    var streamProblem: Problem? {
        let state = replica.state
        guard state.role != .leader else { return nil }
        return Problem(
            .notLeader, "the server that leads has this stream, and it is not passed on",
            hint: "open it there, or ask without events",
            members: state.leader.map { [.text("leader", $0.url)] } ?? [])
    }

    /// Whether a leader was sent `request` before and gave no answer, so that nobody knows whether it
    /// was done.
    func isUnsure(_ request: borrowing Request) -> Bool {
        request.round?.isUnsure ?? false
    }

    /// Why an import cannot be sent on to the leader, as far as its head tells: all of it is kept until
    /// then. nil: it can, or nobody leads that could be named.
    func importProblem(_ request: borrowing Request, _ limits: Limits) -> Problem? {
        guard let sent = request.header(.contentLength),
            let length = Int(String(decoding: sent, as: UTF8.self)), length > limits.bodyBytes,
            let leader = replica.state.leader
        else { return nil }
        return Problem(
            .payloadTooLarge,
            "this server does not lead, and sends at most \(limits.bodyBytes) bytes on",
            hint: "send the import to the leader, \(leader.url), or in several requests",
            members: [
                .number("limit", limits.bodyBytes), .text("leader", leader.url), .notApplied,
            ])
    }

    /// Has the leader answer `request`.
    ///
    /// - Returns: false where this server leads, so that it answers itself.
    func forward(
        _ request: borrowing Request, to endpoint: Endpoint, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) -> Bool {
        let known = request.round
        // What may have been done by another is not done anew, whoever leads by now.
        if let problem = known?.problem { throw problem }
        let state = replica.state
        if case .leader = state.role { return false }
        // What was planned while this server led has no body to be sent on: its handler says so.
        if request.bodyIsUnread { return false }
        if request.header(.freshetForwarded) != nil {
            throw .notLeader(knowing: state.leader)
        }
        let round: ForwardRound
        if let known {
            round = known
        } else {
            round = ForwardRound(keeping: try share(for: request.body.count))
        }
        guard let leader = state.leader, leader.instance != replica.instance else {
            guard round.number < Self.mostRounds, !round.hasWaited else {
                throw Problem(
                    .noLeader, "no server of the cluster leads", members: [.notApplied])
            }
            let wait = response.postpone()
            watch.wait(past: 0, within: settings.leaderWait) { [self] in
                let hasNobody = replica.state.leader == nil
                wait.respondAgain(
                    round.next {
                        $0.number += 1
                        $0.hasWaited = hasNobody
                    })
            }
            return true
        }
        guard round.number < Self.mostRounds else {
            throw .unreachable(leader, "it changed too often", members: [.notApplied])
        }
        let isRepeatable =
            request.method.isSafe
            || endpoint.keepsAnswer && request.header(.idempotencyKey) != nil
        // What ends a term has its answer from whoever led in it.
        let term = endpoint == .stepDown ? .max : state.term
        send(
            request, isRepeatable, reply, to: leader, in: term, isOrder: endpoint.isStoredOrder,
            round, response.postpone())
        return true
    }

    /// What a body of `count` bytes takes of what is kept for a leader: it is kept twice, to be looked at anew
    /// and to be sent.
    private func share(for count: Int) throws(Problem) -> BodyShare? {
        guard count > 0 else { return nil }
        let share = BodyShare(of: heldBytes, limit: Self.mostHeld)
        guard share.has(roomFor: min(2 * count, Self.mostHeld / 4)) else {
            throw Problem(
                .overloaded,
                "the requests that wait for the server that leads have more than \(Self.mostHeld) bytes;"
                    + " this one was not sent on",
                members: [.notApplied])
        }
        return share
    }

    private func send(
        _ request: borrowing Request, _ isRepeatable: Bool, _ reply: Reply,
        to leader: ReplicaState.Leader,
        in term: UInt64, isOrder: Bool, _ round: ForwardRound, _ exchange: Exchange
    ) {
        var call = call(for: request, to: leader.url, reply, bodyLimit: Self.mostBytes)
        call.isRepeatable = isRepeatable
        let receiver = ForwardedAnswer(
            self, call.isRepeatable, leader, in: term, isOrder: isOrder, round, exchange)
        let transfer = forwarder.transfer(call, receiver)
        // Before anybody can cancel it.
        receiver.transfer = transfer
        guard watch.begin(transfer, in: term) else {
            return exchange.respondAgain(round.next { $0.number += 1 })
        }
        exchange.onCancel { transfer.cancel() }
        forwards.requests.add()
        transfer.submit()
    }

    /// `request` as it is sent on to the server at `url`.
    func call(
        for request: borrowing Request, to url: String, _ reply: Reply, bodyLimit: Int
    ) -> HTTPCall {
        var call = HTTPCall(
            method: String(decoding: request.methodText, as: UTF8.self),
            url: url + request.pathAndQuery, fields: fields(of: request, reply),
            body: request.body.isEmpty ? nil : [UInt8](request.body))
        call.takesCoding = false
        call.bodyLimit = bodyLimit
        call.route.connectMilliseconds = 1_000
        return call
    }

    /// The fields of `request` but those of its connection.
    private func fields(
        of request: borrowing Request, _ reply: Reply
    ) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        request.forEachField { name, value in
            let name = String(decoding: name, as: UTF8.self)
            guard !RelayedAnswer.ofConnection.contains(name.lowercased()) else { return }
            fields.append((name, String(decoding: value, as: UTF8.self)))
        }
        fields.append(("X-Request-Id", reply.requestID.text))
        fields.append(settings.proof)
        return fields
    }

    /// The leader cannot be reached: it may be gone, and another take over.
    fileprivate func lookAgain(
        _ exchange: Exchange, _ round: ForwardRound, past term: UInt64, else problem: Problem
    ) {
        watch.wait(past: term, within: settings.leaderWait) { [self] in
            let isAnother = replica.state.term > term
            exchange.respondAgain(
                round.next {
                    $0.number += 1
                    $0.problem = isAnother ? nil : problem
                })
        }
    }

    /// A write that this server began while it led goes to the next leader.
    func lookAgain(_ exchange: Exchange, isUnsure: Bool) {
        exchange.respondAgain(ForwardRound(keeping: nil).next { $0.isUnsure = isUnsure })
    }

    /// Whom this server takes for the leader does not lead yet, or does no more, or its connection
    /// broke. One of them hears of the next leader in a moment, or the same one can be reached again.
    fileprivate func isToAskAgain(
        _ exchange: Exchange, _ round: ForwardRound, past term: UInt64
    ) -> Bool {
        let began = round.failedAt ?? .now
        guard MonotonicInstant.now - began < settings.leaderWait else { return false }
        watch.wait(past: term, within: Self.pause) {
            exchange.respondAgain(round.next { $0.failedAt = began })
        }
        return true
    }

    /// An answer has come; it waits until what it tells of is here as well.
    ///
    /// - Parameter isOrder: What it tells of is shown by the board of operations, which takes a commit over
    ///   once it is applied.
    fileprivate func deliver(
        _ answer: RelayedAnswer, isOrder: Bool, to exchange: Exchange
    ) {
        guard let cursor = answer.cursor, cursor.epoch == replica.cursor.epoch else {
            return exchange.complete { answer.write(to: &$0) }
        }
        replica.wait(for: cursor.seq, within: Self.hold) { [replica] end in
            let lag = end == .reached ? nil : replica.lag ?? .known(Self.hold)
            guard isOrder else { return exchange.complete { answer.write(to: &$0, lag: lag) } }
            PolicyExecutor.shared.perform {
                exchange.complete { answer.write(to: &$0, lag: lag) }
            }
        }
    }
}

/// A request that is looked at anew.
private final class ForwardRound: Sendable {
    struct Course: Sendable {
        var number = 0
        /// Since when servers that were taken for the leader say that they are none, or give no answer.
        var failedAt: MonotonicInstant?
        /// It has waited for a leader in vain.
        var hasWaited = false
        /// A leader was sent it and gave no answer: whatever another one says of itself, the first may
        /// have done it.
        var isUnsure = false
        var problem: Problem?
    }

    private let course: Course
    /// The share of the request's body, for as long as it is on its way.
    private let share: BodyShare?

    init(keeping share: BodyShare?, _ course: Course = Course()) {
        self.share = share
        self.course = course
    }

    var number: Int { course.number }
    var failedAt: MonotonicInstant? { course.failedAt }
    var hasWaited: Bool { course.hasWaited }
    var isUnsure: Bool { course.isUnsure }
    var problem: Problem? { course.problem }

    func next(_ change: (inout Course) -> Void) -> ForwardRound {
        var next = course
        next.hasWaited = false
        change(&next)
        return ForwardRound(keeping: share, next)
    }
}

extension Request {
    /// How often this one was looked at; also where it has waited to be fresh since, or it would go round
    /// for ever.
    fileprivate var round: ForwardRound? { resumptionBeforeWait as? ForwardRound }
}

/// Takes the leader's answer.
// SAFETY: all variables belong to the client's thread, but for `transfer`, which is set before anybody
// else knows that.
private final class ForwardedAnswer: HTTPReceiver, @unchecked Sendable {
    private let cluster: Cluster
    private let isRepeatable: Bool
    private let leader: ReplicaState.Leader
    private let term: UInt64
    private let isOrder: Bool
    private let round: ForwardRound
    private let exchange: Exchange
    private var whole = RelayedAnswer()
    /// Keeps this receiver.
    weak var transfer: HTTPTransfer?

    init(
        _ cluster: Cluster, _ isRepeatable: Bool, _ leader: ReplicaState.Leader,
        in term: UInt64, isOrder: Bool, _ round: ForwardRound, _ exchange: Exchange
    ) {
        self.term = term
        self.isOrder = isOrder
        self.cluster = cluster
        self.isRepeatable = isRepeatable
        self.leader = leader
        self.round = round
        self.exchange = exchange
    }

    func head(_ head: HTTPHead) {
        whole.status = head.status
        whole.fields = head.fields
    }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        whole.body.append(contentsOf: bytes)
        return true
    }

    func finish(_ fault: HTTPFault?) {
        if let transfer { cluster.watch.ended(transfer) }
        guard let fault else {
            if whole.isRefusal, cluster.isToAskAgain(exchange, round, past: term) { return }
            return cluster.deliver(
                round.isUnsure ? whole.asUnsure : whole, isOrder: isOrder, to: exchange)
        }
        cluster.forwards.errors.add()
        // Whatever the fault is called, a request that was never sent is not done.
        guard transfer?.wasSent ?? true else { return finishUnsent(fault) }
        switch fault {
        case .cancelled, .unreachable, .timeout:
            let unsure = round.next { $0.isUnsure = true }
            if isRepeatable, cluster.isToAskAgain(exchange, unsure, past: term) { return }
            let problem = Problem.unreachable(
                leader, "it gave no answer; the write may or may not be done",
                members: [.notApplied])
            exchange.respondAgain(unsure.next { $0.problem = problem })
        case .headTooLarge, .bodyTooLarge:
            let problem = Problem(
                .payloadTooLarge,
                "the leader has answered, and its answer is too large to be passed on",
                hint: "ask the leader itself",
                members: [.text("leader", leader.url), .text("outcome", "unknown")])
            exchange.respondAgain(round.next { $0.problem = problem })
        }
    }
}

extension ForwardedAnswer {
    /// Nothing was sent, so that the request may be asked again, whatever it is.
    private func finishUnsent(_ fault: HTTPFault) {
        // Nobody waits for it.
        if exchange.isCancelled { return }
        let problem = Problem.unreachable(leader, fault.detail, members: [.notApplied])
        switch fault {
        case .timeout, .cancelled:
            if cluster.isToAskAgain(exchange, round, past: term) { return }
            exchange.respondAgain(round.next { $0.problem = problem })
        default: cluster.lookAgain(exchange, round, past: term, else: problem)
        }
    }
}

extension HTTPFault {
    /// Why a request that was not sent was not, in words.
    fileprivate var detail: String {
        switch self {
        case .unreachable(_, let detail): detail
        case .timeout: "it takes no connection in time"
        case .cancelled: "it answers nothing"
        case .headTooLarge, .bodyTooLarge: "its answer is too large"
        }
    }
}

extension ClusterSettings {
    /// The field by which a request between servers names its sender and proves it.
    var proof: (name: String, value: String) {
        ("Freshet-Forwarded", "\(replica); \(secret?.reveal() ?? "")")
    }
}

extension Problem {
    /// Another server leads, and the request was sent on already.
    static func notLeader(knowing leader: ReplicaState.Leader?) -> Problem {
        var members = [Member.notApplied]
        if let leader { members.append(.text("leader", leader.url)) }
        return Problem(
            .notLeader, "the request was sent on to this server, which does not lead any more",
            members: members)
    }

    fileprivate static func unreachable(
        _ leader: ReplicaState.Leader, _ detail: String, members: [Member]
    ) -> Problem {
        Problem(
            .leaderUnreachable,
            "the server '\(leader.name)', which leads, cannot be reached: \(detail)",
            members: members + [.text("leader", leader.url)])
    }
}

extension Problem {
    /// This problem for a request that another server was sent before, without an answer: that nothing
    /// was done is true of the last try alone.
    var asUnsure: Problem {
        guard status >= 500 else { return self }
        var problem = self
        problem.members.removeAll { $0.name == "outcome" }
        problem.members.append(.text("outcome", "unknown"))
        return problem
    }
}

extension Problem.Member {
    static let notApplied = Problem.Member.text("outcome", "not-applied")
}
