import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTPServer
import FreshetLive
import FreshetQuery
import FreshetStore

// What a stream writes of one of its queries.

extension LiveStream {
    /// Writes what there is for a query.
    ///
    /// - Returns: What ends the production, nil to go on with the next query.
    func advance(
        _ entry: LiveEntry, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) -> StreamStep? {
        if entry.sending != nil {
            appendPart(entry, into: &body, now)
            return .more
        }
        if entry.hasFailed { return nil }
        if entry.remote != nil {
            if followNames(of: entry, now) { return .more }
            if tellSource(of: entry, into: &body, now) { return .more }
        }
        if let refusal = entry.refusal {
            LiveEventEncoder.fault(
                Problem(refusal), query: entry.alias, isFinal: true, into: &body)
            entry.hasFailed = true
            mustDrop = true
            return isSingle ? .finish : nil
        }
        if entry.hasState, now < entry.nextEvent {
            heldUntil = min(heldUntil ?? entry.nextEvent, entry.nextEvent)
            return nil
        }
        switch core.watcher.live.set.take(entry.membership) {
        case .snapshot(let result, let why):
            if throttle > .zero {
                // What has come and gone while the throttle held is no news.
                if why == .update, entry.shown == result.content {
                    hold(entry, through: result.seq, digest: result.digest)
                    return nil
                }
                entry.shown = result.content
            }
            entry.sending = LiveEntry.Sending(result: result, why: why)
            appendPart(entry, into: &body, now)
            return .more
        case .delta(let delta):
            let id = LiveCursor(
                position: Cursor(epoch: epoch, seq: delta.to), digest: delta.digest)
            if let alias = entry.alias {
                LiveEventEncoder.delta(delta, query: alias, id: nil, into: &body)
            } else {
                body.append(LiveEventEncoder.shared(delta, id: id))
                cursor = id
            }
            if throttle > .zero { entry.shown = nil }
            entry.hasState = true
            core.watcher.live.set.recordLag(through: delta.to)
            hasSent(entry, now)
        case .sync(let seq, let digest):
            entry.hasState = true
            owesSync = true
            if isSingle {
                let id = LiveCursor(position: Cursor(epoch: epoch, seq: seq), digest: digest)
                LiveEventEncoder.sync(id, into: &body)
                life.noteEvent(now)
                cursor = id
            }
        case .current(let seq): hold(entry, through: seq, digest: nil)
        case .pending: break
        case .failed(let error):
            // A search that took too long may be quick another time.
            var isFinal = true
            if case .timeout = error { isFinal = !isSingle }
            LiveEventEncoder.fault(
                Problem(CoreError.engine(error)), query: entry.alias, isFinal: isFinal,
                into: &body)
            entry.hasFailed = true
            mustDrop = true
            if isSingle { return isFinal ? .finish : interrupt("overloaded", &body) }
        }
        return nil
    }

    /// What the client holds is exact through `seq`.
    ///
    /// - Parameter digest: nil where it is that of before.
    private func hold(_ entry: LiveEntry, through seq: UInt64, digest: UInt64?) {
        entry.hasState = true
        guard isSingle, let cursor, cursor.position.seq < seq else { return }
        self.cursor = LiveCursor(
            position: Cursor(epoch: epoch, seq: seq), digest: digest ?? cursor.digest)
    }

    private func appendPart(
        _ entry: LiveEntry, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) {
        guard let sending = entry.sending else { return }
        let isLast = sending.part + 1 == sending.result.parts.count
        let id = LiveCursor(
            position: Cursor(epoch: epoch, seq: sending.result.seq), digest: sending.result.digest)
        LiveEventEncoder.snapshot(
            sending.result, part: sending.part, why: sending.why, query: entry.alias,
            counts: entry.query.count, id: isLast && isSingle ? id : nil, into: &body)
        entry.sending?.part += 1
        hasSent(entry, now)
        if isLast {
            entry.sending = nil
            entry.hasState = true
            if isSingle { cursor = id }
        }
    }

    private func hasSent(_ entry: LiveEntry, _ now: MonotonicInstant) {
        entry.nextEvent = now + throttle
        life.noteEvent(now)
        owesSync = true
    }
}
