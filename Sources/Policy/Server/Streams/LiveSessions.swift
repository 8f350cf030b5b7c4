import FreshetBase
import FreshetCore

/// All sessions and all open streams of one server. Any thread.
///
/// Sessions are bounded in number, per caller, and in the bytes of their queries. One that nobody
/// has watched within a minute of its making, or for five minutes since, is forgotten: when a new
/// one is made, at most once a second, and when it is asked for.
final class LiveSessions: Sendable {
    static let mostSessions = 20_000
    /// All who show no token are one caller.
    static let mostOfCaller = 10_000
    static let mostBytes = 64 << 20
    /// Where callers are told apart, those without a token being one.
    static let mostBytesOfCaller = mostBytes / 2

    /// Sessions, and the bytes of their queries.
    private struct Share {
        var count = 0
        var bytes = 0
    }

    private struct State {
        /// The sessions by id, with the bytes that are counted for each.
        var sessions: [String: (session: LiveSession, bytes: Int)] = [:]
        /// What a caller has, by the digest of its token.
        var byCaller: [SHA256Digest?: Share] = [:]
        var bytes = 0
        var sweptAt: MonotonicInstant?
        /// By number.
        var streams: [Int: LiveStream] = [:]
        /// Streams of sessions that other servers of the cluster keep.
        var relayed: [ObjectIdentifier: any MovableStream] = [:]
        var lastNumber = 0
        var pinned: PinnedSnapshots
    }

    /// Why rows that the leader of a cluster alone has are not told here; nil where they are.
    let leadersProblem: @Sendable () -> Problem?

    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var state: State

    /// - Parameter snapshotBytes: Of the largest snapshot.
    init(
        snapshotBytes: Int = CoreLimits().snapshotBytes,
        leadersProblem: @escaping @Sendable () -> Problem? = { nil }
    ) {
        state = State(pinned: PinnedSnapshots(largest: snapshotBytes))
        self.leadersProblem = leadersProblem
    }

    // MARK: Sessions

    /// Keeps `session`, which is new.
    func add(_ session: LiveSession, at now: MonotonicInstant) throws(Problem) {
        sweep(at: now)
        let bytes = session.bytes
        let key = session.caller?.digest
        let isKept = lock.withLock {
            let share = state.byCaller[key, default: Share()]
            guard state.sessions.count < Self.mostSessions, share.count < Self.mostOfCaller,
                state.bytes + bytes <= Self.mostBytes,
                session.caller == nil || share.bytes + bytes <= Self.mostBytesOfCaller
            else { return false }
            state.sessions[session.id] = (session, bytes)
            state.byCaller[key] = Share(count: share.count + 1, bytes: share.bytes + bytes)
            state.bytes += bytes
            return true
        }
        guard isKept else { throw .tooManySessions }
    }

    /// The session, unless it has expired.
    func find(_ id: String, at now: MonotonicInstant) -> LiveSession? {
        guard let session = lock.withLock({ state.sessions[id]?.session }) else { return nil }
        guard session.hasExpired(at: now) else { return session }
        end(session)
        return nil
    }

    /// The queries of `session` take `bytes` from now on.
    func count(_ bytes: Int, of session: LiveSession) throws(Problem) {
        let isKept = lock.withLock {
            guard let before = state.sessions[session.id]?.bytes else { return true }
            let key = session.caller?.digest
            var share = state.byCaller[key, default: Share()]
            share.bytes += bytes - before
            guard
                bytes <= before
                    || state.bytes + bytes - before <= Self.mostBytes
                        && (session.caller == nil || share.bytes <= Self.mostBytesOfCaller)
            else { return false }
            state.sessions[session.id] = (session, bytes)
            state.byCaller[key] = share
            state.bytes += bytes - before
            return true
        }
        guard isKept else { throw .tooManySessions }
    }

    /// Ends a session, and its stream.
    func end(_ session: LiveSession) {
        session.end()
        lock.withLock {
            guard let last = state.sessions.removeValue(forKey: session.id) else { return }
            let key = session.caller?.digest
            var share = state.byCaller[key, default: Share()]
            share.count -= 1
            share.bytes -= last.bytes
            state.byCaller[key] = share.count > 0 ? share : nil
            state.bytes -= last.bytes
        }
    }

    private func sweep(at now: MonotonicInstant) {
        let all = lock.withLock { () -> [LiveSession] in
            if let last = state.sweptAt, now < last + .seconds(1) { return [] }
            state.sweptAt = now
            return state.sessions.values.map(\.session)
        }
        for session in all where session.hasExpired(at: now) { end(session) }
    }

    /// How many there are.
    func count(at now: MonotonicInstant) -> Int {
        sweep(at: now)
        return lock.withLock { state.sessions.count }
    }

    // MARK: Streams

    func began(_ stream: LiveStream) {
        lock.withLock { state.streams[stream.number] = stream }
    }

    func ended(_ stream: LiveStream) {
        lock.withLock {
            state.streams[stream.number] = nil
            state.pinned.removeAll(by: stream.number)
        }
    }

    /// `stream` begins to send what is large; who has sent longest may have to end for it.
    func pin(_ pin: PinnedSnapshots.Pin, by stream: LiveStream) {
        guard let sent = lock.withLock({ state.pinned.add(pin, by: stream.number) }) else { return }
        for number in sent.surplus { self.stream(number)?.endAsSlow() }
    }

    /// `stream` sends nothing more.
    func unpinAll(by stream: LiveStream) {
        lock.withLock { state.pinned.removeAll(by: stream.number) }
    }

    /// `stream` has sent it.
    func unpin(_ object: AnyObject, by stream: LiveStream) {
        lock.withLock { state.pinned.remove(object, by: stream.number) }
    }

    /// The number of the next stream that is made.
    func nextNumber() -> Int {
        lock.withLock {
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// The open stream with this number.
    func stream(_ number: Int) -> LiveStream? { lock.withLock { state.streams[number] } }

    var streams: [LiveStream] { lock.withLock { Array(state.streams.values) } }

    func began(relayed stream: any MovableStream) {
        lock.withLock { state.relayed[ObjectIdentifier(stream)] = stream }
    }

    func ended(relayed stream: any MovableStream) {
        lock.withLock { state.relayed[ObjectIdentifier(stream)] = nil }
    }

    /// All streams of this server's clients.
    var movable: [any MovableStream] {
        lock.withLock { Array(state.streams.values) + Array(state.relayed.values) }
    }
}

extension Problem {
    fileprivate static var tooManySessions: Problem {
        var problem = Problem(
            .tooManySessions,
            "there are as many sessions of live queries as this server keeps, or keeps of one"
                + " caller")
        problem.retryAfter = Int(LiveSession.firstUse / .seconds(1))
        return problem
    }
}
