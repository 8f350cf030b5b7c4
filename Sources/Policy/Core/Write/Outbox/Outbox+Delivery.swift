import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore

extension Outbox {
    /// Sends what is due of a lane, once. The lane is the caller's.
    func deliver(_ key: EntityKey, _ target: OutboxTarget) async {
        if let given = aliases.given(key), given.id != key.id {
            // Written by an id that the remote had replaced by then.
            await rename(key, to: given, finishing: nil)
            if !visible(key).isEmpty { pause(key, for: Self.storePause) }
            return
        }
        guard let entry = await begin(key) else { return }
        // Before the request, so that what changes here from now on wins over what comes with it.
        let ticket = store.beginFetch(self)
        do throws(UpstreamError) {
            let answer = try await send(entry, to: target)
            noteAnswer(of: target.source.upstreamName, true)
            await settle(entry, answer: answer, fault: nil, ticket: ticket)
        } catch {
            await settle(entry, error: error, target: target, ticket: ticket)
        }
    }

    private func send(
        _ entry: OutboxEntry, to target: OutboxTarget
    ) async throws(UpstreamError) -> RemoteWriteAnswer {
        let operation =
            entry.endpoint == nil ? target.sent(entry.operation) : entry.operation
        let action: RemoteWrite.Action
        switch (operation, entry.body.flatMap { OutboxBody.document($0) }) {
        case (.create, let document?): action = .create(document)
        case (.update, let document?): action = .update(entry.entity, document)
        default: action = .remove(entry.entity)
        }
        var write = RemoteWrite(
            action,
            from: entry.before.flatMap {
                OutboxBody.document($0, isFetched: entry.isBeforeFetched)
            }, via: entry.endpoint, idempotencyKey: entry.id.text)
        write.nested = nested
        return try await target.source.write(
            write,
            // Tries are counted here, over the end of the process.
            call: RemoteCall(startSeq: store.seq, retry: RetryPolicy.none))
    }

    private func settle(
        _ entry: OutboxEntry, error: UpstreamError, target: OutboxTarget,
        ticket: FetchTicket
    ) async {
        // The next start sends it again.
        if hasStopped { return }
        switch error {
        case .unreachable, .timeout: noteAnswer(of: target.source.upstreamName, false)
        case .status, .tooLarge, .shape: noteAnswer(of: target.source.upstreamName, true)
        case .auth, .saturated, .unaddressable, .cancelled: break
        }
        if error.isRetryable, let span = error.retryAfter, span > .zero {
            limit(target.source.upstreamName, for: span)
        }
        if error.leavesUnsure { noteUnsure(entry.id) }
        let fault = OutboxEntry.Fault(error)
        switch target.verdict(on: error, attempts: entry.attempts, random: random()) {
        case .done: await settle(entry, answer: nil, fault: fault, ticket: ticket)
        case .rejected: await reject(entry, fault, reverts: target.revertsRejected)
        case .again(let pause): await postpone(entry, fault, for: pause)
        case .dead: await die(entry, fault)
        }
    }

    /// Makes one entry of all that waits and was never sent, and notes that it is on its way.
    ///
    /// - Returns: nil where there is nothing to send, now at least.
    private func begin(_ key: EntityKey) async -> OutboxEntry? {
        var races = 0
        while !hasStopped {
            let waiting = visible(key)
            guard let first = waiting.first, !first.isDead else { return nil }
            let due =
                first.isSent
                ? [first] : Array(waiting.prefix { !$0.isSent }.prefix(Self.mostFolded))
            var entries: [OutboxEntry] = []
            for waiting in due {
                if let entry = OutboxEntry(entry(waiting.id)) {
                    entries.append(entry)
                } else {
                    forget(waiting.id)
                }
            }
            guard entries.count == due.count else { continue }
            // What goes to an endpoint is an act of its own, not one more state of the row.
            let count =
                entries.first?.endpoint == nil
                ? entries.prefix { $0.endpoint == nil }.count : 1
            entries.removeSubrange(count...)
            guard let last = entries.last else { continue }
            var survivor = entries.count == 1 ? last : last.following(entries[0])
            survivor?.state = .sending
            survivor?.attempts += 1
            survivor?.isSent = true
            survivor?.nextAttemptAt = nil
            let ended = (survivor == nil ? entries[...] : entries.dropLast())
                .map { $0.ended(.superseded) }
            var operations = ([survivor].compactMap { $0 } + ended).map { entry in
                WriteOperation.set(OutboxEntry.storedType, entry.document, .ifMatchAny)
            }
            let trimmed = surplus(ended.count)
            operations += trimmed.operations
            guard let transaction = Transaction(operations: operations) else { return nil }
            switch await submit(transaction) {
            case .done:
                forget(trimmed)
                end(ended, by: survivor?.id)
                guard let survivor else { continue }
                note(survivor.id, isSent: true, isDead: false)
                return survivor
            case .rejected where races < Self.mostRaces: races += 1  // One was removed meanwhile.
            case .rejected, .storageFull, .storageFailed, .notLeader, .logAway, .logFull,
                .overloaded, .closed:
                pause(key, for: Self.storePause)
                return nil
            }
        }
        return nil
    }
}

/// Entities as entries keep them.
enum OutboxBody {
    /// - Parameter isFetched: As the remote has it.
    static func document(_ json: [UInt8], isFetched: Bool = false) -> Document? {
        var builder = DocumentBuilder()
        let document = json.withUnsafeBytes {
            try? builder.build(stored: $0, revision: 0, checksum: nil)
        }
        if isFetched { document?.markFetched() }
        return document
    }
}
