import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetLive
import FreshetNet
import FreshetQuery
import FreshetStore

/// The stream of one query, without alias and for as long as the stream lives. Each delta and the
/// last part of a snapshot has the id at which the client is exact.
// SAFETY: as `LiveStream`: its variables are touched on the stream's loop only.
final class SingleStream: LiveStream, @unchecked Sendable {
    /// The one entry, in reach without the array.
    private var only: LiveEntry? {
        didSet {
            addresses = only.map {
                (CacheLines.address(of: $0), CacheLines.address(of: $0.membership))
            }
        }
    }
    private var addresses: (entry: UnsafeRawPointer, membership: UnsafeRawPointer)?

    override func makeEntry(
        _ alias: String?, _ query: Query, _ remote: LiveRemote?, at now: MonotonicInstant
    ) -> LiveEntry {
        LiveEntry(
            nil, query, of: nil, core.watcher(of: query.type), nextEvent: now, remote: remote)
    }

    override func entered(_ entry: LiveEntry) { only = entry }

    override func ended(_ reason: StreamEnd) {
        super.ended(reason)
        only = nil
    }

    override func reached(_ cursor: LiveCursor) -> LiveCursor? {
        self.cursor = cursor
        return cursor
    }

    override func hold(_ entry: LiveEntry, through seq: UInt64, digest: UInt64?) {
        super.hold(entry, through: seq, digest: digest)
        guard let cursor, cursor.position.seq < seq else { return }
        self.cursor = LiveCursor(
            position: Cursor(epoch: epoch, seq: seq), digest: digest ?? cursor.digest)
    }

    override func fail(
        _ entry: LiveEntry, _ problem: Problem, mayPass: Bool, into body: inout ByteBuffer
    ) -> StreamStep? {
        LiveEventEncoder.fault(problem, query: nil, isFinal: !mayPass, into: &body)
        entry.hasFailed = true
        if mayPass { return interrupt("overloaded", &body) }
        // Who does not know faults would come back for the same one: an `EventSource` that its page does
        // not close, in an hour.
        EventStreamEncoder.retry(milliseconds: 3_600_000, into: &body)
        LiveEventEncoder.end("closed", into: &body)
        return .finish
    }

    override var neededTypes: [TypeName] { entries.map(\.queryBesideFilter.type) }

    /// The query was good under the other rule: what is wrong is the rule, unless it is that of an
    /// included type.
    override func outlives(_ query: Query) -> Bool { query.include != nil }

    override func approach() {
        guard let addresses else { return }
        CacheLines.fetch(addresses.entry, 2)
        CacheLines.fetch(addresses.membership, 2)
        CacheLines.fetch(CacheLines.address(of: progress), 1)
    }

    override func writeNews(
        from start: Int, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) -> StreamStep {
        guard let only else { return .finish }
        greet(into: &body)
        // A snapshot that has begun is finished: a client could not use a part of it.
        if let reason = life.reasonToEnd(at: now), only.sending == nil {
            return interrupt(reason, &body)
        }
        heldUntil = nil
        if let step = advance(only, into: &body, now) { return step }
        if body.count - start >= Self.pieceBytes { return .more }
        life.beat(cursor, into: &body, now)
        return .idle
    }
}
