import FreshetBase
import FreshetCore
import FreshetLive
import FreshetStore

/// A prepared set of live queries, watched by at most one stream at a time.
///
/// What is kept is the text of each query: a connection reads it again, with the rights of that
/// moment. Each query bears the generation of the set in which it came. A client that comes back
/// with a cursor of generation g has held a state of every query that is no younger; the younger
/// ones get their first snapshot.
final class LiveSession: Sendable {
    /// How long the ticket waits for its first use.
    static let firstUse = Duration.seconds(60)
    /// How long a session without a stream is kept.
    static let idleTime = Duration.seconds(300)

    struct Query: Sendable {
        let alias: String
        let url: String
        let filterBytes: Int
        /// The generation of the set that it came with.
        let since: Int
    }

    private struct State {
        private var packed: PackedQueries
        var generation = 1
        /// nil while nobody watches.
        weak var stream: SeveralStream?
        var isWatched = false
        var endsAt: MonotonicInstant
        var hasEnded = false

        init(_ queries: [Query], endsAt: MonotonicInstant) {
            packed = PackedQueries(queries)
            self.endsAt = endsAt
        }

        var queries: [Query] {
            get { packed.queries }
            set { packed = PackedQueries(newValue) }
        }
    }

    /// The queries of a session in one block of memory, a quarter less than as texts of their own: a
    /// session is read when a stream begins and changed when its client asks, and lies about else.
    private struct PackedQueries {
        /// Each query: the bytes of its alias, of its URL, of its filter, its generation, the alias, the
        /// URL.
        private let bytes: [UInt8]

        init(_ queries: [Query]) {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(LiveSession.bytes(of: queries) + 16 * queries.count)
            for query in queries {
                let counts = [query.alias.utf8.count, query.url.utf8.count]
                for number in counts + [query.filterBytes, query.since] {
                    withUnsafeBytes(of: UInt32(number)) { bytes += $0 }
                }
                bytes += query.alias.utf8
                bytes += query.url.utf8
            }
            self.bytes = bytes
        }

        var queries: [Query] {
            bytes.withUnsafeBytes { bytes in
                var queries: [Query] = []
                var rest = bytes[...]
                func number() -> Int {
                    defer { rest = rest.dropFirst(4) }
                    let place = rest.startIndex
                    return Int(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
                }
                func text(_ count: Int) -> String {
                    defer { rest = rest.dropFirst(count) }
                    return String(decoding: rest.prefix(count), as: UTF8.self)
                }
                while !rest.isEmpty {
                    let (alias, url) = (number(), number())
                    let (filterBytes, since) = (number(), number())
                    queries.append(
                        Query(
                            alias: text(alias), url: text(url), filterBytes: filterBytes,
                            since: since))
                }
                return queries
            }
        }
    }

    /// Random, 32 hexadecimal digits: who knows it and has no token of its own may change the set. In a
    /// cluster the name of the server that keeps it stands before them.
    let id: String
    /// The caller that made the session; nil where everybody may do everything.
    let caller: Caller?
    /// Whose page asked for it, to which the ticket is bound; nil where no page did.
    let origin: String?
    /// Other servers of a cluster may have kept the session before it.
    private let isShared: Bool
    /// The last cursor of a session before this one, whose queries are these; nil where there was none,
    /// and a nil in it where it is good for nothing.
    private let since: LiveCursor??
    private let ticket: [UInt8]
    private let mark: UInt32
    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var state: State

    init(
        _ queries: [LiveQuery], of caller: Caller?, from origin: String?, keeper: String? = nil,
        since: String? = nil, at now: MonotonicInstant
    ) {
        var generator = SystemRandomNumberGenerator()
        id = (keeper.map { $0 + "." } ?? "") + Self.secret(&generator)
        ticket = Array(Self.secret(&generator).utf8)
        mark = UInt32.random(in: .min ... .max, using: &generator)
        isShared = keeper != nil
        self.caller = caller
        self.origin = origin
        self.since = since.map { LiveCursor($0) }
        state = State(
            queries.map { $0.kept(since: 1) }, endsAt: now + Self.firstUse)
    }

    /// The server that keeps the session; nil where it is alone.
    static func keeper(of id: String) -> String? {
        let parts = id.split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? String(parts[0]) : nil
    }

    /// 128 random bits.
    private static func secret(_ generator: inout SystemRandomNumberGenerator) -> String {
        (0..<4).map { _ in
            UInt32.random(in: .min ... .max, using: &generator).padded(to: 8, radix: 16)
        }.joined()
    }

    var path: String { "/v1/_live/\(id)" }

    /// The address of its stream, with the ticket.
    var url: String { "\(path)?ticket=\(String(decoding: ticket, as: UTF8.self))" }

    /// Compares every byte, so that time tells nothing of a ticket.
    func admits(_ presented: String) -> Bool {
        let presented = Array(presented.utf8)
        guard presented.count == ticket.count else { return false }
        var difference: UInt8 = 0
        for index in ticket.indices { difference |= ticket[index] ^ presented[index] }
        return difference == 0
    }

    /// Whether `other` is who made it. Whoever shows no token is known by the id of the session.
    func belongs(to other: Caller?) -> Bool { caller?.digest == other?.digest }

    /// Bytes of its queries, for the bound of all sessions.
    var bytes: Int { lock.withLock { Self.bytes(of: state.queries) } }

    static func bytes(of queries: [Query]) -> Int {
        queries.reduce(0) { $0 + $1.alias.utf8.count + $1.url.utf8.count }
    }

    var queries: [Query] { lock.withLock { state.queries } }

    func hasExpired(at now: MonotonicInstant) -> Bool {
        lock.withLock { state.hasEnded || !state.isWatched && state.endsAt <= now }
    }

    // MARK: Its stream

    /// Makes `stream` the one that watches; the one before it ends.
    ///
    /// - Returns: The set that it begins with, nil where the session has ended.
    func attach(
        _ stream: SeveralStream
    ) -> (queries: [Query], generation: LiveCursor.Generation)? {
        let (begun, replaced) = lock.withLock {
            () -> ((queries: [Query], generation: LiveCursor.Generation)?, SeveralStream?) in
            guard !state.hasEnded else { return (nil, nil) }
            let replaced = state.stream
            state.stream = stream
            state.isWatched = true
            return ((state.queries, generation(state)), replaced)
        }
        replaced?.end("replaced")
        return begun
    }

    /// `stream` has ended; where it was the one that watches, the session idles.
    func detach(_ stream: SeveralStream, at now: MonotonicInstant) {
        lock.withLock {
            guard state.isWatched, state.stream == nil || state.stream === stream else { return }
            state.stream = nil
            state.isWatched = false
            state.endsAt = now + Self.idleTime
        }
    }

    /// What a client that has sent `cursor` holds of `query`.
    func resume(_ query: Query, _ cursor: String?, in epoch: Epoch) -> LiveResume {
        guard let cursor else {
            guard let since, query.since == 1 else { return .nothing }
            guard let since, since.position.epoch == epoch else { return .otherEpoch }
            // Nobody says how much a client knows whose session another server has kept.
            return isShared
                ? .shown(digest: nil, else: .retention)
                : .cut(seq: since.position.seq, told: nil)
        }
        guard let cursor = LiveCursor(cursor), cursor.position.epoch == epoch,
            let held = cursor.generation, held.session == mark
        else { return .otherEpoch }
        return query.since <= held.number
            ? .cut(seq: cursor.position.seq, told: nil) : .nothing
    }

    // MARK: Its queries

    /// Changes the set at once, and tells the stream.
    ///
    /// - Parameters:
    ///   - added: Read and found good; one of a known alias takes its place.
    ///   - admits: Asked for the new set; throws to leave everything as it was.
    /// - Returns: The set as it is now, nil where the session has ended.
    func change(
        removing removed: [String], adding added: [LiveQuery],
        if admits: ([Query]) throws(Problem) -> Void
    ) throws(Problem) -> [Query]? {
        try lock.withLock { () throws(Problem) -> [Query]? in
            guard !state.hasEnded else { return nil }
            // One that is there already, letter for letter, goes on as it is.
            let known = state.queries
            let news = added.filter { query in
                !known.contains { $0.alias == query.alias && $0.url == query.url }
            }
            let gone = removed.filter { alias in known.contains { $0.alias == alias } }
            guard !news.isEmpty || !gone.isEmpty else { return known }
            let leaving = Set(gone + news.map(\.alias))
            let number = state.generation + 1
            let queries =
                known.filter { !leaving.contains($0.alias) }
                + news.map { $0.kept(since: number) }
            try admits(queries)
            state.queries = queries
            state.generation = number
            // Told under the lock: two changes reach the stream in their order.
            state.stream?.change(
                LiveOrders.Change(
                    removed: leaving.intersection(known.map(\.alias)),
                    added: news.map { ($0.alias, $0.request) },
                    generation: generation(state)))
            return queries
        }
    }

    /// A query has ended with a fault on `stream`, unless another has taken its place meanwhile.
    ///
    /// - Parameter generation: The set that the stream knows.
    func forget(_ alias: String, _ stream: SeveralStream, through generation: Int) {
        lock.withLock {
            guard state.stream === stream else { return }
            state.queries.removeAll { $0.alias == alias && $0.since <= generation }
        }
    }

    /// Ends it; its stream says `bye`.
    func end() {
        let stream = lock.withLock {
            state.hasEnded = true
            return state.stream
        }
        stream?.end("session-ended")
    }

    private func generation(_ state: borrowing State) -> LiveCursor.Generation {
        LiveCursor.Generation(number: state.generation, session: mark)
    }
}

extension LiveQuery {
    /// What a session keeps of it.
    fileprivate func kept(since generation: Int) -> LiveSession.Query {
        LiveSession.Query(alias: alias, url: url, filterBytes: filterBytes, since: generation)
    }
}
