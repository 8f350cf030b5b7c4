import FreshetBase
import FreshetCore
import FreshetOperations
import FreshetQuery
import FreshetRemote
package import FreshetStore

extension EmbeddedEntities {
    /// Where a write goes, as `target` and `wait` of a request say it.
    package enum Target: Sendable {
        case local
        case remote
        case both(waits: Bool)
    }

    /// What one write has done.
    package struct Written: Sendable {
        /// What is stored now; nil after a removal.
        package var row: Row?
        package var created = false
        package var changed = false
        /// Of the entry that tells the remote.
        package var outboxEntry: String?
        package var cursor = ""
    }

    /// Creates or replaces an entity.
    ///
    /// - Parameter id: nil: that of the body, or a new one.
    package func set(
        _ type: String, _ id: String?, _ json: [UInt8], if condition: WriteCondition,
        _ target: Target
    ) async throws(Problem) -> Written {
        let name = try self.type(type)
        let source: CoreManager.IDSource =
            try id.map { (id) throws(Problem) in
                .path(try self.id(id))
            } ?? .bodyOrNew
        let document: Document
        do throws(CoreError) {
            document = try json.withBytes { (json) throws(CoreError) in
                var builder = DocumentBuilder()
                return try core.document(name, json, id: source, using: &builder)
            }
        } catch {
            throw Problem(error)
        }
        return try await write(
            .set(name, core.outbox.renamed(document, of: name), condition), target)
    }

    /// Applies a JSON merge patch (RFC 7396).
    package func patch(
        _ type: String, _ id: String, _ patch: [UInt8], if condition: WriteCondition,
        _ target: Target
    ) async throws(Problem) -> Written {
        let name = try self.type(type)
        do { try core.check(name) } catch { throw Problem(error) }
        let canonical = try patch.withBytes { (bytes) throws(Problem) in
            var scratch = ByteBuffer(capacity: bytes.count)
            return try MergePatch.canonical(bytes, using: &scratch)
        }
        let current = core.outbox.current(name, try self.id(id))
        return try await write(.merge(name, current, patch: canonical, condition), target)
    }

    /// Removes an entity; an absent one is no failure.
    package func remove(
        _ type: String, _ id: String, if condition: WriteCondition, _ target: Target
    ) async throws(Problem) -> Written {
        let name = try self.type(type)
        do { try core.check(name) } catch { throw Problem(error) }
        let current = core.outbox.current(name, try self.id(id))
        return try await write(.remove(name, current, condition), target)
    }

    private func write(
        _ operation: WriteOperation, _ target: Target
    ) async throws(Problem) -> Written {
        switch target {
        case .local:
            return try written(await commit(Transaction(operation)), operation.type)
        case .remote:
            let remote = try remote(of: operation)
            let outcome = await Promise.value { fulfil in
                core.writeRemotely(
                    operation, to: remote, for: nil, requestID: nil, completion: fulfil)
            }
            switch outcome {
            case .here(let outcome): return try written(outcome, operation.type)
            case .upstream(let error): throw Problem(error, of: remote.source.upstreamName)
            case .busy:
                throw Problem(
                    .gated, "a change of this entity waits in the outbox and comes first",
                    hint: "use target=both, or look at GET /v1/_outbox")
            }
        case .both(let waits):
            return try await writeToBoth(operation, waits: waits)
        }
    }

    private func writeToBoth(
        _ operation: WriteOperation, waits: Bool
    ) async throws(Problem) -> Written {
        _ = try remote(of: operation)
        let ticket = OutboxTicket(core.outbox)
        var transaction = Transaction(operation)
        transaction.companion = ticket
        let outcome = await commit(transaction)
        let first = ticket.finish(outcome).first
        var result = try written(outcome, operation.type)
        guard case .done(let receipt) = outcome else { return result }
        let entry = await Promise.value { fulfil in
            service.sendUnchanged(operation, receipt.first, first, fulfil)
        }
        guard let entry else { return result }
        result.outboxEntry = entry.text
        guard waits else { return result }
        let ended = await Awaited<OutboxEntry?>().value { awaited in
            core.outbox.wait(for: entry) { awaited.finish($0) }
        }
        guard let ended else { throw .cancelled }
        switch ended?.state {
        case .done, .superseded:
            let shown = ended.flatMap { core.store.document($0.type, $0.entity) }
            result.row = shown.map { row($0, operation.type) }
            return result
        case .rejected, .dead, .pending, .sending, nil:
            throw Problem(undelivered: ended, entry)
        }
    }

    private func remote(of operation: WriteOperation) throws(Problem) -> OutboxTarget {
        let type = operation.type
        guard let target = core.outbox.target(of: type) else {
            throw .badParameter("target", "entities of '\(type.text)' have no remote")
        }
        let kind: OutboxEntry.Operation = operation.isRemoval ? .remove : .update
        guard target.operations.contains(target.sent(kind)) else {
            throw .badParameter(
                "target", "the remote of '\(type.text)' has no request to \(kind.rawValue)")
        }
        return target
    }

    private func commit(_ transaction: Transaction) async -> WriteOutcome {
        await Promise.value { core.commit(transaction, completion: $0) }
    }

    private func written(
        _ outcome: WriteOutcome, _ type: TypeName
    ) throws(Problem) -> Written {
        guard case .done(let receipt) = outcome else {
            throw Problem(outcome, in: .whole) ?? Problem(.internal, "the write has no outcome")
        }
        var written = Written()
        written.row = receipt.first.document.map { row($0, type) }
        written.created = receipt.first.created
        written.changed = receipt.changed
        written.cursor = receipt.cursor.description
        return written
    }

    private func row(_ document: Document, _ type: TypeName) -> Row {
        Row(
            type: type.text, id: document.id.text, revision: document.revision,
            json: Array(document.json))
    }
}
