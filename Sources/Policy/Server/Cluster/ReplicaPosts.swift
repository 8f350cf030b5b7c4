import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTPClient
import FreshetJSON
import FreshetRefresh
import FreshetStore

// What servers of a cluster tell each other (replication.md sections 8 and 15).
//
//     each follower, every 5 s ─► POST /v1/_cluster/replicas/{its name} ─► the leader's roll
//                               ◄─ term, and what the leader knows of all others
//
// By it the leader knows what of the log two snapshots have, and who can lead after it. A follower
// that is asked for the cluster's state posts at once, and so has the leader's list.

/// Posts what this server is to the leader, and keeps what the others post to it. Any thread.
final class ReplicaPosts: Sendable {
    private struct State {
        var roll = ReplicaRoll()
        /// Told by the leader last, of all servers but this one: the elements of an array.
        var told: [JSONValue] = []
        /// When that was.
        var toldAt = Duration.zero
        /// The leader has heard two processes of this server's name until then.
        var takenUntil = Duration.zero
        /// Whom the last post went to, and when.
        var leader: UInt64?
        var posted: Duration?
        /// When the last of those posts was sent that come in time, whose answers are waited for.
        var asked: Duration?
        /// What waits for the leader's next word on who there is: requests, so that their bound is that of
        /// connections.
        var learners: [@Sendable () -> Void] = []
        /// How many posts that come in time had no answer that is one, one after the other, and when the first
        /// of them was sent; nil behind an answer.
        var silence: (since: Duration, posts: Int)?
        /// Whether that is no accident, as one post without an answer may be.
        var isSilent: Bool { silence.map { $0.posts > 1 } ?? false }
        /// The term in which this server leads, once it knows of whom the leader before it knew.
        var seeded: UInt64?
        /// When truncation was looked at last.
        var truncated: Duration
        /// Reads are refused since the cluster has another configuration.
        var isOutlived = false
        /// It follows the log no more.
        var isStopped = false
        /// nil once it has ended.
        var next: ScheduledAction?
        var isEnding = false
        var hasStopped = false
        /// What this server and the others watch; set once it is there.
        var operations: Operations?
        var outlived: @Sendable () -> Void = {}
        var digest: String
    }

    /// Called when what is watched here had better be watched elsewhere: reads begin to be refused since
    /// the cluster has another configuration, or the log is followed no more.
    var outlived: @Sendable () -> Void {
        get { state.value.outlived }
        set { state.update { $0.outlived = newValue } }
    }
    /// The digest of the configuration's types and access.
    var digest: String {
        get { state.value.digest }
        set { state.update { $0.digest = newValue } }
    }

    private let replica: ReplicaStore
    private let settings: ClusterSettings
    private let client: HTTPClient
    private let log: Log
    private let clock: any OperationClock
    /// Ends what was sent on to a leader that answers nothing.
    private let watch: LeaderWatch
    private let state: Shared<State>
    /// How the operations stand that are run here and watched elsewhere.
    private let standings = SourceStandings()
    private let space: EngineSpace

    private static let interval = Duration.seconds(5)
    /// How often is looked whether something is due.
    private static let pulse = Duration.seconds(1)
    /// The shortest time without an answer of the leader that says more than that it may have died.
    private static let shortestSilence = Duration.seconds(10)
    /// The longest that one post takes.
    private static let patience = Duration.seconds(2)
    private static let mostBytes = 1 << 20
    /// Bytes of an answer that tell how operations stand, but for the last one of them.
    private static let mostSourceBytes = 512 << 10

    init(
        _ replica: ReplicaStore, _ settings: ClusterSettings, digest: String,
        _ client: HTTPClient, _ log: Log, watch: LeaderWatch,
        clock: any OperationClock = SystemOperationClock()
    ) {
        self.replica = replica
        self.settings = settings
        self.client = client
        self.log = log
        self.clock = clock
        self.watch = watch
        let state = Shared(State(truncated: clock.now, digest: digest))
        self.state = state
        space = EngineSpace(replica, keep: settings.keep, log) { state.value.roll.posts(at: $0) }
    }

    // MARK: In time

    /// Has the leader hear of this server, where another one leads, and waits for its answer, a moment at
    /// most: what is made here can be found by all others once this server is ready. On the thread that
    /// starts the server.
    func introduce() {
        let answer = AwaitedValue<Bool>()
        post { answer.give($0) }
        _ = answer.wait(until: .now + .seconds(3))
    }

    func start() {
        if replica.engine.trouble == nil { space.lookFirst(at: clock.now) }
        pulse()
    }

    /// Tells the leader who watches `operations` here, and where this server leads takes over who does
    /// on the others.
    func count(_ operations: Operations) {
        state.update { $0.operations = operations }
        operations.watching.set { [weak self] in
            guard let self else { return }
            _ = clock.schedule(at: clock.now) { [weak self] in self?.post { _ in } }
        }
    }

    func stop() {
        let next = state.update { state in
            state.hasStopped = true
            return state.next
        }
        next?.cancel()
    }

    /// This server takes no more part, as others are told.
    func beginEnding() {
        state.update { $0.isEnding = true }
        post { _ in }
    }

    /// The replica has changed; on its applier thread. A new leader hears of this server at once.
    func changed() {
        _ = clock.schedule(at: clock.now) { [weak self] in
            guard let self else { return }
            postIfDue()
            space.look(at: clock.now)
        }
    }

    private func postIfDue() {
        let now = clock.now
        let known = replica.state
        let leader = known.leader?.instance
        let isDue = state.update { state in
            state.roll.forget(at: now)
            if known.role == .leader, state.seeded != known.term {
                state.seeded = known.term
                state.roll.seed(state.told, at: now, .now)
            }
            guard let leader, leader != replica.instance else {
                state.leader = nil
                return false
            }
            let isNew = state.leader != leader
            let rest = state.silence == nil ? Self.interval : Self.pulse
            return isNew || state.asked.map { now - $0 >= rest } ?? true
        }
        if isDue { post(isEvidence: true) { _ in } }
    }

    private func pulse() {
        let now = clock.now
        postIfDue()
        noteSubscribers(at: now)
        truncate(at: now)
        noteOutlived()
        noteStopped()
        space.look(at: now)
        let next = clock.schedule(at: now + Self.pulse) { [weak self] in self?.pulse() }
        let hasStopped = state.update { state in
            state.next = next
            return state.hasStopped
        }
        if hasStopped { next.cancel() }
    }

    private func noteOutlived() {
        let isOutlived = replica.isOutlived
        let hasBegun = state.update { state in
            defer { state.isOutlived = isOutlived }
            return isOutlived && !state.isOutlived
        }
        guard hasBegun else { return }
        log.warning(
            "the cluster has another configuration than this server, which answers no reads now",
            ["grace": .string("\(settings.configGrace)")])
        outlived()
    }

    private func noteStopped() {
        guard case .stopped(let stop) = replica.state.role else { return }
        let hasBegun = state.update { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard hasBegun else { return }
        log.error(
            "this server follows the cluster's log no more",
            [
                "reason": .string(replica.state.stopText ?? stop.reason),
                "hint": .string(stop.advice),
            ])
        outlived()
    }

    /// Counts who watches elsewhere, where this server leads; it stops when it is not told again.
    private func noteSubscribers(at now: Duration) {
        let leads = replica.state.role == .leader
        let counts = leads ? state.value.roll.subscribers(at: now) : [:]
        guard let operations = state.value.operations else { return }
        operations.noteSubscribers(elsewhere: counts)
        standings.keep(counts.lazy.filter { $0.value > 0 }.map(\.key), of: operations)
    }

    /// Has the log give up what snapshots have, where this server leads: once a minute, and more often
    /// only where less is kept.
    private func truncate(at now: Duration) {
        guard replica.state.role == .leader else { return }
        let rest = min(.seconds(60), settings.keep)
        let posts = state.update { state -> [ReplicaPost]? in
            guard now - state.truncated >= rest else { return nil }
            state.truncated = now
            return state.roll.posts(at: now)
        }
        guard let posts else { return }
        replica.truncate(by: posts) { [replica, log] _ in
            let floor = replica.state.floor
            for post in posts where post.applied + 1 < floor {
                log.warning(
                    "a server of the cluster is left behind: it joins anew by a backup",
                    [
                        "replica": .string(post.replica),
                        "applied": .integer(Int(clamping: post.applied)),
                        "floor": .integer(Int(clamping: floor)),
                    ])
            }
        }
    }

    // MARK: At a follower

    private var report: ReplicaReport {
        ReplicaReport(
            of: replica, digest: digest, isEnding: state.value.isEnding,
            subscribers: state.value.operations?.subscribers ?? [:])
    }

    /// Posts to the leader, where another server is it.
    ///
    /// - Parameters:
    ///   - isEvidence: Whether it says something of the way to the leader that it has no answer: of those
    ///     that have their time between them.
    ///   - done: Called once, with whether the leader has answered.
    private func post(
        isEvidence: Bool = false, _ done: @escaping @Sendable (Bool) -> Void
    ) {
        guard let leader = replica.state.leader, leader.instance != replica.instance else {
            return done(false)
        }
        let sent = clock.now
        state.update { state in
            if state.leader != leader.instance { state.silence = nil }
            state.leader = leader.instance
            state.posted = sent
            if isEvidence { state.asked = sent }
        }
        var body = ByteBuffer()
        report.encode(into: &body)
        var call = HTTPCall(
            method: "POST", url: "\(leader.url)/v1/_cluster/replicas/\(settings.replica)",
            fields: [("Content-Type", "application/json"), settings.proof],
            body: [UInt8](body.bytes))
        call.bodyLimit = Self.mostBytes
        call.route.connectMilliseconds = 1_000
        call.isRepeatable = true
        client.ask(call, within: Self.patience, by: clock) { [self] status, value in
            if let value { heard(value) }
            // Whoever does not take this server's proof takes nothing else of it.
            let hasAnswered = status.map { ![401, 403, 421].contains($0) } ?? false
            if isEvidence || hasAnswered { record(leader, hasAnswered: hasAnswered, to: sent) }
            done(value != nil)
        }
    }

    /// Records whether the leader has answered the post of `sent`. Of two in turn one is no accident: the
    /// way to it is cut, and what was sent before has no answer either.
    private func record(
        _ leader: ReplicaState.Leader, hasAnswered: Bool, to sent: Duration
    ) {
        let isSilent = state.update { state in
            guard state.leader == leader.instance else { return false }
            let known = state.silence ?? (since: sent, posts: 0)
            state.silence = hasAnswered ? nil : (known.since, known.posts + 1)
            return state.isSilent
        }
        if isSilent { watch.cancelForwards(begunBefore: sent) }
    }

    /// Takes the leader's answer.
    private func heard(_ value: JSONValue) {
        var standings: [String: SourceNews] = [:]
        for source in value["sources"]?.objectValue ?? [] {
            standings[source.name] = SourceNews(told: source.value)
        }
        state.value.operations?.noteStandings(elsewhere: standings)
        let isTaken = value["taken"]?.boolValue ?? false
        let others = (value["replicas"]?.arrayValue ?? []).filter {
            $0["id"]?.stringValue != settings.replica
        }
        let now = clock.now
        state.update { state in
            state.told = others
            state.toldAt = now
            state.takenUntil = isTaken ? now + Self.interval * 3 : .zero
        }
    }

    // MARK: At the leader

    /// Keeps what the server `name` says, where this one leads.
    ///
    /// - Returns: What it is answered.
    func receive(
        _ report: ReplicaReport, of name: String
    ) throws(Problem) -> (inout ByteBuffer) -> Void {
        let known = replica.state
        guard known.role == .leader else { throw .notLeader(knowing: known.leader) }
        if name != settings.replica { replica.heardOfOthers() }
        let now = clock.now
        let (isKept, isTaken) = state.update { state -> (Bool, Bool) in
            if name == settings.replica {
                state.takenUntil = now + ReplicaRoll.presence
                return (true, true)
            }
            let isKept = state.roll.record(report, of: name, at: now, .now)
            return (isKept, state.roll.isTaken(name, at: now))
        }
        guard isKept else {
            throw Problem(
                .overloaded, "\(ReplicaRoll.most) other servers of the cluster are known already",
                hint: "stop those that are not needed; one that is silent is forgotten after"
                    + " \(ReplicaRoll.memory / .seconds(60)) minutes")
        }
        noteSubscribers(at: now)
        return { body in
            body.append("{")
            body.member("term", known.term)
            body.member("sources")
            self.encodeSources(for: report, into: &body)
            body.member("taken", isTaken)
            body.member("replicas")
            self.encodeReplicas(into: &body)
            body.append("}")
        }
    }

    /// Appends how the operations stand that are watched where `report` comes from.
    private func encodeSources(for report: ReplicaReport, into body: inout ByteBuffer) {
        let start = body.count
        body.append("{")
        for id in report.subscribers.keys.sorted() {
            guard let news = standings[id] else { continue }
            // What is left out stands as it was told before.
            guard body.count - start < Self.mostSourceBytes else { break }
            if body.count > start + 1 { body.append(",") }
            body.append(jsonString: id)
            body.append(":{")
            news.encodeMembers(into: &body)
            body.append("}")
        }
        body.append("}")
    }

    /// Whether another server leads that has not answered this one for longer than it takes to find that a
    /// leader has died: what is sent on to it has no answer either.
    var isLeaderSilent: Bool {
        let now = replica.state
        if case .stopped = now.role { return false }
        guard let leader = now.leader, leader.instance != replica.instance else { return false }
        let known = state.value
        // One without an answer is an accident, or this machine has slept.
        guard known.leader == leader.instance, known.isSilent, let silence = known.silence else {
            return false
        }
        return clock.now - silence.since
            > max(Self.shortestSilence, settings.takeover * 4 + .seconds(1))
    }

    /// Whether two processes have this server's name.
    var isNameTaken: Bool { state.value.takenUntil > clock.now }

    /// Who can lead next, as far as was heard, with where it takes requests: the server `name`, or all, the
    /// one first that has applied most of those that have this server's configuration.
    ///
    /// - Parameter older: Digests of configurations that the servers have left behind.
    func successors(
        named name: String?, older: [String]
    ) throws(Problem) -> [(name: String, url: String)] {
        let now = clock.now
        let roll = state.value.roll
        let found =
            name.map { roll.canLead($0, at: now) ? [$0] : [] }
            ?? roll.successors(at: now, digest: digest, older: older)
        if !found.isEmpty {
            return found.map { ($0, roll.entries[$0]?.report.url ?? "") }
        }
        let able = roll.entries.keys.filter { roll.canLead($0, at: now) }.sorted()
        let who = name.map { "the server '\($0)'" } ?? "any other server"
        throw Problem(
            .noSuccessor,
            "nothing was heard of \(who) within \(ReplicaRoll.presence / .seconds(1)) s, or it is"
                + " not ready",
            hint: able.isEmpty
                ? "GET /v1/_cluster shows the servers that are known"
                : "those that can lead: \(able.joined(separator: ", "))")
    }

    // MARK: The list

    /// Where the server `name` takes requests, as far as this one has heard.
    func url(of name: String) -> String? {
        let known = state.value
        let told = known.told.first { $0["id"]?.stringValue == name }?["url"]?.stringValue
        guard let entry = known.roll.entries[name] else { return told }
        // What was heard is of the lead of now, or of one that is past.
        return entry.heard > known.toldAt ? entry.report.url : told ?? entry.report.url
    }

    /// Calls `done` once the leader was asked who there is, as it is ten times a second at most: whoever
    /// comes before that is answered together.
    func learn(_ done: @escaping @Sendable () -> Void) {
        let (isFirst, last) = state.update { state in
            state.learners.append(done)
            return (state.learners.count == 1, state.posted ?? .zero)
        }
        guard isFirst else { return }
        _ = clock.schedule(at: max(clock.now, last + .milliseconds(100))) { [self] in
            // Whoever comes from now on has it asked anew.
            let waiting = state.update { state in
                defer { state.learners = [] }
                return state.learners
            }
            post { _ in for done in waiting { done() } }
        }
    }

    /// Calls `done` once the list of servers is as new as it can be.
    func refresh(_ done: @escaping @Sendable () -> Void) { post { _ in done() } }

    /// Appends the array of all servers that are known: of this one, and of the others as the leader
    /// has heard them.
    func encodeReplicas(into body: inout ByteBuffer) {
        let now = clock.now
        let known = state.value
        let state = replica.state
        body.append("[")
        let own = ReplicaRoll.Entry(report: report, heard: now, seenAt: .now)
        own.encode(as: settings.replica, at: now, into: &body)
        if state.role == .leader {
            for (name, entry) in known.roll.entries.sorted(by: { $0.key < $1.key }) {
                body.append(",")
                entry.encode(as: name, at: now, into: &body)
            }
        } else if state.leader != nil {
            for other in known.told {
                body.append(",")
                other.write(to: &body)
            }
        }
        body.append("]")
    }
}

extension ReplicaRoll.Entry {
    init(report: ReplicaReport, heard: Duration, seenAt: WallTime) {
        self.report = report
        self.heard = heard
        self.seenAt = seenAt
    }

    /// `{"id","url","role","seq","lagSeconds","snapshotSeq","format","digest","ready","seenAt"}`.
    func encode(as name: String, at now: Duration, into body: inout ByteBuffer) {
        let age = now - heard
        // What is silent shows what it had then.
        let lag = report.lag.map { age > ReplicaRoll.presence ? $0 + age : $0 }
        body.append("{")
        body.member("id", name)
        body.member("url", report.url)
        body.member("role", report.role)
        body.member("seq", report.seq)
        body.member("lagSeconds", lag.map { Int($0 / .seconds(1)) })
        body.member("snapshotSeq", report.snapshotSeq)
        body.member("format", report.format)
        body.member("digest", report.digest)
        body.member("ready", report.isReady && age <= ReplicaRoll.presence)
        body.member("seenAt", seenAt)
        body.append("}")
    }
}

extension HTTPClient {
    /// Asks another server of the cluster.
    ///
    /// - Parameter take: Called once, on the client's thread, with the status, nil where there is none
    ///   within `limit`, and the JSON of an answer of status 200.
    func ask(
        _ call: HTTPCall, within limit: Duration, by clock: any OperationClock,
        _ take: @escaping @Sendable (_ status: Int?, JSONValue?) -> Void
    ) {
        let answer = ServerAnswer(take)
        let transfer = transfer(call, answer)
        answer.end = clock.schedule(at: clock.now + limit) { transfer.cancel(.timeout) }
        transfer.submit()
    }
}

/// Takes another server's answer.
// SAFETY: the variables belong to the client's thread once the transfer is submitted.
private final class ServerAnswer: HTTPReceiver, @unchecked Sendable {
    private var status = 0
    private var text: [UInt8] = []
    private let take: @Sendable (_ status: Int?, JSONValue?) -> Void
    /// The alarm of its limit; set before it is submitted.
    var end: ScheduledAction?

    init(_ take: @escaping @Sendable (_ status: Int?, JSONValue?) -> Void) { self.take = take }

    func head(_ head: HTTPHead) { status = head.status }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        text.append(contentsOf: bytes)
        return true
    }

    func finish(_ fault: HTTPFault?) {
        end?.cancel()
        guard fault == nil else { return take(nil, nil) }
        // One that cannot be read is as good as none: the next post is 5 s away.
        take(status, status == 200 ? try? JSONValue.parse(text, depthLimit: 32) : nil)
    }
}
