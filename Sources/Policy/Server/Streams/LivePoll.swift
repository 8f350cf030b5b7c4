import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetJSON
import FreshetLive
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore

/// A long poll: one request that is answered by the first news since its cursor, with 204 where
/// there is none in time. Where the configuration changes meanwhile it is 204, too, since the next one
/// asks by the rules that hold then; whoever may not read the type any more is told so.
// SAFETY: `join` and `begin` run before anybody else knows it; `lock` guards what changes after.
final class LivePoll: LiveSubscriber, AccessListener, @unchecked Sendable {
    private let service: FreshetService
    private let reply: Reply
    private let epoch: Epoch
    private let watcher: EntityWatcher
    private let type: TypeName
    private let lock = Lock()
    private var access: StreamAccess
    private var membership: LiveMembership?
    private var exchange: Exchange?
    private var alarm: ScheduledAction?
    /// The time to wait has passed.
    private var isOver = false
    /// Whether somebody tells the news, and whether there may be more by then.
    private var isTelling = false
    private var isToTellAgain = false

    init(
        of type: TypeName, by watcher: EntityWatcher, _ service: FreshetService, _ reply: Reply
    ) {
        self.type = type
        self.watcher = watcher
        access = StreamAccess(service.access, reply.caller)
        self.service = service
        // It asks by itself whether its rights are those of now.
        var reply = reply
        reply.isOfRights = false
        self.reply = reply
        epoch = watcher.store.cursor.epoch
    }

    func join(_ request: LiveRequest) throws(CoreError) {
        var request = request
        request.owner = service.access.isOn ? reply.caller?.name ?? "" : nil
        // The poll may end with what is here already: whoever comes next finds what was fetched.
        let caller = RemoteCaller(requestID: reply.requestID.text)
        try watcher.refreshOnce(behind: request.query, for: reply.rights, caller)
        try watcher.follow(&request, for: reply.rights)
        let membership = try watcher.join(request, self, for: reply.rights)
        lock.withLock { self.membership = membership }
    }

    /// Begins to wait; the answer follows through `exchange`.
    func begin(_ exchange: Exchange, wait: Duration) {
        lock.withLock { self.exchange = exchange }
        exchange.onCancel { self.end(nil) }
        // News that are here already are the answer, however short the wait.
        liveResultChanged()
        guard lock.withLock({ self.exchange != nil }) else { return }
        service.access.watch(self)
        let clock = SystemOperationClock()
        let alarm = clock.schedule(at: clock.now + wait) {
            self.lock.withLock { self.isOver = true }
            self.liveResultChanged()
        }
        let isWaiting = lock.withLock {
            if self.exchange != nil { self.alarm = alarm }
            return self.exchange != nil
        }
        if !isWaiting {
            alarm.cancel()
            service.access.unwatch(self)
        }
        // What has happened before `watch` was told to nobody.
        if !lock.withLock({ access.isCurrent }) || service.health.isStopping { accessChanged() }
    }

    func accessChanged() {
        if service.health.isStopping { return refuse(.stopping) }
        switch lock.withLock({ access.verdict(types: CollectionOfOne(type)) }) {
        case .ended(reason: "access"):
            refuse(Problem.lacks(.read, lock.withLock { access.caller }, of: type))
        // Where the token has ended the answer is refused as it leaves.
        case .ended, .changed, .holds: endWithoutNews()
        }
    }

    /// What one has taken another would find gone, and say that there is nothing: one after the other.
    func liveResultChanged() {
        let isFirst = lock.withLock {
            isToTellAgain = isTelling
            defer { isTelling = true }
            return !isTelling
        }
        guard isFirst else { return }
        repeat {
            tellNews()
        } while lock.withLock {
            isTelling = isToTellAgain
            defer { isToTellAgain = false }
            return isTelling
        }
    }

    private func tellNews() {
        let (membership, isCurrent) = lock.withLock {
            (exchange == nil ? nil : self.membership, access.isCurrent)
        }
        guard let membership else { return }
        // A change that came behind the configuration's is not told by the rules before it.
        guard isCurrent else { return accessChanged() }
        switch watcher.live.set.take(membership) {
        // What a known change comes to is told once it is evaluated, after the wait, too: 204 says
        // that there is nothing new.
        case .pending: break
        case .current, .sync:
            if lock.withLock({ isOver }) { endWithoutNews() }
        case .failed(let error): refuse(Problem(CoreError.engine(error)))
        case .delta(let delta):
            let pin = PinnedBodies.Pin.shared(delta, bytes: delta.members.count)
            answer(seq: delta.to, delta.digest, keeping: pin) { body, share in
                body.append("\"delta\":{")
                share(delta.members, &body)
            }
        case .snapshot(let result, let why):
            let query = membership.group.queryBesideFilter
            let source = LiveSource(of: query.type, watcher)
            let pin = PinnedBodies.Pin.shared(result.encoded, bytes: result.encoded.bytes)
            answer(seq: result.seq, result.digest, keeping: pin) { body, share in
                body.append("\"snapshot\":{")
                LiveEventEncoder.append(
                    whole: result, why: why, counts: query.count, source: source, to: &body,
                    share: share)
            }
        }
    }

    /// - Parameter pin: What the answer consists of but for a few bytes.
    private func answer(
        seq: UInt64, _ digest: UInt64, keeping pin: PinnedBodies.Pin,
        _ write: @escaping @Sendable (inout ByteBuffer, LiveEventEncoder.Share) -> Void
    ) {
        let cursor = LiveCursor(position: Cursor(epoch: epoch, seq: seq), digest: digest)
        // Where rows of system types stand is no position among the commits of entities.
        let reply = type.isOfSystemStore ? self.reply : self.reply.at(cursor.position)
        let bodies = service.bodies
        end { response in
            func encode(_ body: inout ByteBuffer, _ share: LiveEventEncoder.Share) {
                body.append("{\"cursor\":")
                body.append(jsonString: cursor.text)
                body.append(",")
                write(&body, share)
                body.append("}")
            }
            guard pin.bytes > LargeText.mostAtOnce else {
                return reply.json(&response, isKept: false, varies: true) { body in
                    encode(&body) { $1.append($0) }
                }
            }
            reply.beginJSON(&response, isKept: false, varies: true)
            let text = LargeText { body, share in
                encode(&body, share)
                body.append("\n")
            }
            BodyStream.start(text, keeping: [pin], among: bodies, &response)
        }
    }

    private func endWithoutNews() {
        let reply = reply
        end { response in
            reply.empty(&response)
        }
    }

    private func refuse(_ problem: Problem) {
        let reply = reply
        let service = service
        end { service.fail(problem, reply, &$0) }
    }

    /// Answers, once, and leaves.
    private func end(_ write: (@Sendable (inout ResponseWriter) -> Void)?) {
        let (exchange, membership, alarm) = lock.withLock {
            defer {
                self.exchange = nil
                self.membership = nil
                self.alarm = nil
            }
            return (self.exchange, self.membership, self.alarm)
        }
        alarm?.cancel()
        service.access.unwatch(self)
        if let membership { watcher.live.leave(membership) }
        if let exchange, let write { exchange.answer(service, reply, write) }
    }
}
