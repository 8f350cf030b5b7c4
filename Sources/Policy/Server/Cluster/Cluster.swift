import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPClient
import FreshetHTTPServer
import FreshetQuery
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
    let client: HTTPClient
    let posts: ReplicaPosts
    /// How often this server was made from a backup of another one, at its start.
    let joins: Int
    let forwards = ForwardFigures()

    /// Answers of more bytes are not taken.
    private static let mostBytes = 64 << 20
    /// How often one request is looked at anew.
    private static let mostRounds = 4
    /// Between two requests to a leader that says that it is none.
    private static let pause = Duration.milliseconds(20)
    /// The longest that an answer waits for its commit here.
    private static let hold = Duration.seconds(2)

    init(
        _ replica: ReplicaStore, _ settings: ClusterSettings, _ watch: LeaderWatch,
        _ leadership: Leadership, _ client: HTTPClient, _ posts: ReplicaPosts, joins: Int
    ) {
        self.replica = replica
        self.settings = settings
        self.watch = watch
        self.leadership = leadership
        self.client = client
        self.posts = posts
        self.joins = joins
    }

    /// The name of this server among the others.
    var name: String { settings.replica }

    func stop() {
        leadership.stop()
        posts.stop()
        client.stop()
    }

    var leads: Bool { replica.state.role == .leader }

    /// Whether `request` comes from another server of the cluster, which has judged where it comes
    /// from.
    ///
    /// - Throws: 403 where it says so and cannot prove it.
    func isFromOther(_ request: borrowing Request) throws(Problem) -> Bool {
        guard let secret = settings.secret, let sent = request.header(.freshetForwarded) else {
            return false
        }
        // `<server>; <secret>`
        let shown = sent.firstIndex(of: UInt8(ascii: ";")).map { sent[($0 + 1)...] } ?? sent[0..<0]
        let secretShown = String(
            decoding: shown.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        // Digests are compared, so that the time says nothing of the secret.
        guard SHA256Digest(of: secretShown) == SHA256Digest(of: secret.reveal()) else {
            throw Problem(
                .clusterSecret, "Freshet-Forwarded bears another secret than this server's",
                hint: "give all servers of a cluster the same \"cluster\": {\"secret\": …}")
        }
        return true
    }

    /// - Throws: 403 where servers prove themselves and `request` bears no proof.
    func checkProof(of request: borrowing Request) throws(Problem) {
        guard settings.secret != nil, try !isFromOther(request) else { return }
        throw Problem(
            .clusterSecret, "this is for servers of the cluster, which prove themselves",
            hint: "send the cluster's secret: Freshet-Forwarded: NAME; SECRET")
    }

    /// Refuses an event stream that only the leader has.
    func refuseStream() throws(Problem) {
        let state = replica.state
        guard state.role != .leader else { return }
        throw Problem(
            .notLeader, "the server that leads has this stream, and it is not passed on",
            hint: "open it there, or ask without events",
            members: state.leader.map { [.text("leader", $0.url)] } ?? [])
    }

    /// Has the leader answer `request`.
    ///
    /// - Parameter outlivesTerm: It ends a term, so that a new one says nothing against its answer.
    /// - Returns: false where this server leads, so that it answers itself.
    func forward(
        _ request: borrowing Request, outlivesTerm: Bool, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) -> Bool {
        let state = replica.state
        if case .leader = state.role { return false }
        if request.header(.freshetForwarded) != nil {
            throw .notLeader(knowing: state.leader)
        }
        let round = request.resumption as? ForwardRound ?? ForwardRound(0)
        if let problem = round.problem { throw problem }
        guard let leader = state.leader, leader.instance != replica.instance else {
            guard round.number < Self.mostRounds, !round.hasWaited else {
                throw Problem(
                    .noLeader, "no server of the cluster leads; nothing was done",
                    members: [.notApplied])
            }
            let wait = response.postpone()
            watch.wait(past: 0, within: settings.leaderWait) { [self] in
                wait.respondAgain(
                    ForwardRound(round.number + 1, hasWaited: replica.state.leader == nil))
            }
            return true
        }
        guard round.number < Self.mostRounds else {
            throw .unreachable(leader, "it changed too often", members: [.notApplied])
        }
        let isRepeatable = request.method.isSafe || request.header(.idempotencyKey) != nil
        send(
            request, isRepeatable, reply, to: leader, in: outlivesTerm ? .max : state.term, round,
            response.postpone())
        return true
    }

    private func send(
        _ request: borrowing Request, _ isRepeatable: Bool, _ reply: Reply,
        to leader: ReplicaState.Leader,
        in term: UInt64, _ round: ForwardRound, _ exchange: Exchange
    ) {
        var call = HTTPCall(
            method: String(decoding: request.methodText, as: UTF8.self),
            url: leader.url + request.pathAndQuery, fields: fields(of: request, reply),
            body: request.body.isEmpty ? nil : [UInt8](request.body))
        call.takesCoding = false
        call.bodyLimit = Self.mostBytes
        call.route.connectMilliseconds = 1_000
        call.isRepeatable = isRepeatable
        let receiver = ForwardedAnswer(
            self, call.isRepeatable, leader, in: term, round, exchange)
        let transfer = client.transfer(call, receiver)
        guard let place = watch.begin(transfer, in: term) else {
            return exchange.respondAgain(ForwardRound(round.number + 1))
        }
        receiver.onEnd = { [watch] in watch.ended(place) }
        exchange.onCancel { transfer.cancel() }
        forwards.requests.add()
        transfer.submit()
    }

    /// The fields of `request` but those of its connection.
    func fields(
        of request: borrowing Request, _ reply: Reply
    ) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        request.forEachField { name, value in
            let name = String(decoding: name, as: UTF8.self)
            guard !Self.ofConnection.contains(name.lowercased()) else { return }
            fields.append((name, String(decoding: value, as: UTF8.self)))
        }
        fields.append(("X-Request-Id", reply.requestID.text))
        fields.append(settings.proof)
        return fields
    }

    /// Names of fields that are about one connection, or that the next sender writes itself.
    static let ofConnection: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade", "expect", "host", "content-length", "accept-encoding", "x-request-id",
        "freshet-forwarded", "date", "x-content-type-options", "cross-origin-resource-policy",
    ]

    /// The leader cannot be reached: it may be gone, and another take over.
    fileprivate func lookAgain(
        _ exchange: Exchange, _ round: ForwardRound, past term: UInt64, else problem: Problem
    ) {
        watch.wait(past: term, within: settings.leaderWait) { [self] in
            let isAnother = replica.state.term > term
            exchange.respondAgain(
                ForwardRound(round.number + 1, problem: isAnother ? nil : problem))
        }
    }

    /// A write that this server began while it led goes to the next leader.
    func lookAgain(_ exchange: Exchange) { exchange.respondAgain(ForwardRound(0)) }

    /// Whom this server takes for the leader does not lead yet, or does no more, and did nothing. One
    /// of them hears of it in a moment.
    fileprivate func isToAskAgain(
        _ exchange: Exchange, _ round: ForwardRound, past term: UInt64
    ) -> Bool {
        let began = round.refusedAt ?? .now
        guard MonotonicInstant.now - began < settings.leaderWait else { return false }
        watch.wait(past: term, within: Self.pause) {
            exchange.respondAgain(ForwardRound(round.number, refusedAt: began))
        }
        return true
    }

    /// An answer has come; it waits until what it tells of is here as well.
    fileprivate func deliver(_ answer: RelayedAnswer, to exchange: Exchange) {
        let write: @Sendable (inout ResponseWriter) -> Void = { answer.write(to: &$0) }
        guard let cursor = answer.cursor, cursor.epoch == replica.cursor.epoch else {
            return exchange.complete(write)
        }
        replica.wait(for: cursor.seq, within: Self.hold) { _ in exchange.complete(write) }
    }
}

/// A request that is looked at anew.
private final class ForwardRound: Sendable {
    let number: Int
    /// Since when servers that were taken for the leader say that they are none.
    let refusedAt: MonotonicInstant?
    /// It has waited for a leader in vain.
    let hasWaited: Bool
    let problem: Problem?

    init(
        _ number: Int, refusedAt: MonotonicInstant? = nil, hasWaited: Bool = false,
        problem: Problem? = nil
    ) {
        self.number = number
        self.refusedAt = refusedAt
        self.hasWaited = hasWaited
        self.problem = problem
    }
}

/// Takes the leader's answer.
// SAFETY: all variables belong to the client's thread, but for `onEnd`, which is set before the transfer
// is submitted.
private final class ForwardedAnswer: HTTPReceiver, @unchecked Sendable {
    private let cluster: Cluster
    private let isRepeatable: Bool
    private let leader: ReplicaState.Leader
    private let term: UInt64
    private let round: ForwardRound
    private let exchange: Exchange
    private var whole = RelayedAnswer()
    var onEnd: @Sendable () -> Void = {}

    init(
        _ cluster: Cluster, _ isRepeatable: Bool, _ leader: ReplicaState.Leader,
        in term: UInt64, _ round: ForwardRound, _ exchange: Exchange
    ) {
        self.term = term
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

    func end(_ fault: HTTPFault?) {
        onEnd()
        guard let fault else {
            if whole.isRefusal, cluster.isToAskAgain(exchange, round, past: term) { return }
            return cluster.deliver(whole, to: exchange)
        }
        cluster.forwards.errors.add()
        switch fault {
        case .unreachable(.dns, let detail), .unreachable(.refused, let detail),
            .unreachable(.tls, let detail):
            cluster.lookAgain(
                exchange, round, past: term,
                else: .unreachable(leader, detail, members: [.notApplied]))
        case .cancelled, .unreachable, .timeout:
            guard isRepeatable else {
                return exchange.respondAgain(
                    ForwardRound(
                        round.number,
                        problem: .unreachable(
                            leader, "it gave no answer; the write may or may not be done",
                            members: [.text("outcome", "unknown")])))
            }
            exchange.respondAgain(ForwardRound(round.number + 1))
        case .headTooLarge, .bodyTooLarge:
            exchange.respondAgain(
                ForwardRound(
                    round.number,
                    problem: Problem(
                        .payloadTooLarge, "the leader's answer is too large to be passed on",
                        members: [.text("leader", leader.url)])))
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

extension Problem.Member {
    static let notApplied = Problem.Member.text("outcome", "not-applied")
}
