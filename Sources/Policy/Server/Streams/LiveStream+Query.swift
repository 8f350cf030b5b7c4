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
            return fail(
                entry, Problem(refusal), mayPass: refusal.isOfLiveBounds, into: &body)
        }
        if entry.hasState, now < entry.nextEvent {
            heldUntil = min(heldUntil ?? entry.nextEvent, entry.nextEvent)
            return nil
        }
        switch entry.watcher.live.set.take(entry.membership) {
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
            let (bytes, group) = (result.encoded, entry.membership.group)
            pin(bytes, bytes: bytes.bytes) { group.keeps(bytes) }
            appendPart(entry, into: &body, now)
            return .more
        case .delta(let delta):
            append(delta, of: entry, into: &body, now)
            if large != nil { return .more }
        case .sync(let seq, let digest):
            entry.hasState = true
            if let id = found(LiveCursor(position: Cursor(epoch: epoch, seq: seq), digest: digest))
            {
                LiveEventEncoder.sync(id, into: &body)
                life.noteEvent(now)
            }
        case .current(let seq): hold(entry, through: seq, digest: nil)
        case .pending: break
        case .failed(let error):
            // A search that took too long may be quick another time.
            var mayPass = false
            if case .timeout = error { mayPass = true }
            return fail(
                entry, Problem(CoreError.engine(error)), mayPass: mayPass, into: &body)
        }
        return nil
    }

    /// Writes a delta, or has a large one sent in pieces.
    private func append(
        _ delta: LiveDelta, of entry: LiveEntry, into body: inout ByteBuffer,
        _ now: MonotonicInstant
    ) {
        let id = reached(entry, at: delta.to, delta.digest)
        if let id, entry.alias == nil {
            let event = LiveEventEncoder.shared(delta, id: id)
            if event.count <= LargeText.mostAtOnce {
                body.append(event)
            } else {
                pin(delta, bytes: event.count) { false }
                sendInPieces(LargeText(event), of: delta)
            }
        } else if delta.members.count <= LargeText.mostAtOnce {
            LiveEventEncoder.delta(delta, query: entry.alias, id: id, into: &body)
        } else {
            pin(delta, bytes: delta.members.count) { false }
            sendInPieces(
                LargeText {
                    LiveEventEncoder.delta(
                        delta, query: entry.alias, id: id, into: &$0, share: $1)
                }, of: delta)
        }
        if throttle > .zero { entry.shown = 0 }
        entry.hasState = true
        entry.watcher.live.set.recordLag(through: delta.to)
        hasSent(entry, now)
    }

    private func reached(_ entry: LiveEntry, at seq: UInt64, _ digest: UInt64?) -> LiveCursor? {
        let cursor = LiveCursor(position: Cursor(epoch: epoch, seq: seq), digest: digest)
        // Where the rows of another store stand is no position of the stream.
        return entry.watcher === watcher ? reached(cursor) : found(cursor)
    }

    private func appendPart(
        _ entry: LiveEntry, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) {
        guard let sending = entry.sending else { return }
        let (result, part) = (sending.result, sending.part)
        let isLast = part + 1 == result.parts.count
        let id = isLast ? reached(entry, at: result.seq, result.digest) : nil
        func write(_ body: inout ByteBuffer, _ share: LiveEventEncoder.Share) {
            LiveEventEncoder.snapshot(
                result, part: part, why: sending.why, query: entry.alias,
                counts: entry.queryBesideFilter.count,
                source: LiveSource(of: entry.queryBesideFilter.type, entry.watcher), id: id,
                into: &body, share: share)
        }
        let bytes = result.parts[part].count + (result.included[part]?.count ?? 0)
        if bytes <= LargeText.mostAtOnce {
            write(&body) { $1.append($0) }
            if isLast { unpin(result.encoded) }
        } else {
            sendInPieces(LargeText(write), of: isLast ? result.encoded : nil)
        }
        entry.sending?.part += 1
        hasSent(entry, now)
        if isLast {
            entry.sending = nil
            entry.hasState = true
        }
    }

    private func hasSent(_ entry: LiveEntry, _ now: MonotonicInstant) {
        entry.nextEvent = now + throttle
        life.noteEvent(now)
        owesSync = true
    }
}
