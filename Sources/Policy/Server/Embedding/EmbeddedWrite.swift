import FreshetBase
package import FreshetCore
import FreshetOperations
import FreshetQuery
import FreshetRemote
package import FreshetStore

extension EmbeddedEntities {
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
        _ destination: WriteDestination
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
            .set(name, core.outbox.renamed(document, of: name), condition), destination)
    }

    /// Applies a JSON merge patch (RFC 7396).
    package func patch(
        _ type: String, _ id: String, _ patch: [UInt8], if condition: WriteCondition,
        _ destination: WriteDestination
    ) async throws(Problem) -> Written {
        let name = try self.type(type)
        do { try core.check(name) } catch { throw Problem(error) }
        let canonical = try patch.withBytes { (bytes) throws(Problem) in
            var scratch = ByteBuffer(capacity: bytes.count)
            return try MergePatch.canonical(bytes, using: &scratch)
        }
        let current = core.outbox.current(name, try self.id(id))
        return try await write(.merge(name, current, patch: canonical, condition), destination)
    }

    /// Removes an entity; an absent one is no failure.
    package func remove(
        _ type: String, _ id: String, if condition: WriteCondition, _ destination: WriteDestination
    ) async throws(Problem) -> Written {
        let name = try self.type(type)
        do { try core.check(name) } catch { throw Problem(error) }
        let current = core.outbox.current(name, try self.id(id))
        return try await write(.remove(name, current, condition), destination)
    }

    private func write(
        _ operation: WriteOperation, _ destination: WriteDestination
    ) async throws(Problem) -> Written {
        switch destination.target {
        case .local:
            return try written(await commit(Transaction(operation)), operation.type)
        case .remote:
            let outcome = try await writeRemotely([operation], destination.endpoint)[0]
            return try written(outcome, operation.type)
        case .both(let waits):
            return try await writeToBoth(operation, destination.endpoint, waits: waits)
        }
    }

    private func writeRemotely(
        _ operations: [WriteOperation], _ endpoint: RemoteEndpoint?
    ) async throws(Problem) -> [DirectOutcome] {
        let result = await Promise<Result<[DirectOutcome], CoreError>>.value { fulfil in
            do throws(CoreError) {
                try core.writeRemotely(operations, via: endpoint, for: nil, requestID: nil) {
                    fulfil(.success($0))
                }
            } catch {
                fulfil(.failure(error))
            }
        }
        do { return try result.get() } catch { throw Problem(error) }
    }

    private func writeToBoth(
        _ operation: WriteOperation, _ endpoint: RemoteEndpoint?, waits: Bool
    ) async throws(Problem) -> Written {
        let (outcome, entries) = try await writeToBoth([operation], endpoint)
        var result = try written(outcome, operation.type)
        guard let entry = entries.first else { return result }
        result.outboxEntry = entry.text
        guard waits else { return result }
        let ended = try await end(of: entry)
        let shown = core.store.document(ended.type, ended.entity)
        result.row = shown.map { row($0, operation.type) }
        return result
    }

    private func writeToBoth(
        _ operations: [WriteOperation], _ endpoint: RemoteEndpoint?
    ) async throws(Problem) -> (WriteOutcome, [EntityID]) {
        do throws(CoreError) {
            for operation in operations {
                _ = try core.outboxTarget(of: operation, via: endpoint, for: nil)
            }
        } catch {
            throw Problem(error)
        }
        let transaction = Transaction(operations[0], Array(operations.dropFirst()))
        return await Promise.value { fulfil in
            core.writeToBoth(transaction, via: endpoint) { fulfil(($0, $1)) }
        }
    }

    /// Waits until the remote has taken the change; throws where it will not.
    private func end(of entry: EntityID) async throws(Problem) -> OutboxEntry {
        let ended = await Awaited<OutboxEntry?>().value { awaited in
            core.outbox.wait(for: entry) { awaited.finish($0) }
        }
        guard let ended else { throw .cancelled }
        guard let ended, ended.state == .done || ended.state == .superseded else {
            throw Problem(undelivered: ended, entry)
        }
        return ended
    }

    private func written(
        _ outcome: DirectOutcome, _ type: TypeName
    ) throws(Problem) -> Written {
        if case .here(let outcome) = outcome { return try written(outcome, type) }
        throw Problem(outcome) ?? Problem(.internal, "the write has no outcome")
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
