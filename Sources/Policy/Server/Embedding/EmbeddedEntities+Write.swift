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
        let source: EntityWriter.IDSource =
            try id.map { (id) throws(Problem) in
                .path(try self.id(id))
            } ?? .bodyOrNew
        let document: Document
        do throws(CoreError) {
            document = try json.withBytes { (json) throws(CoreError) in
                var builder = DocumentBuilder()
                return try core.writer.document(name, json, id: source, using: &builder)
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
        do { try core.types.catalog.check(name) } catch { throw Problem(error) }
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
        do { try core.types.catalog.check(name) } catch { throw Problem(error) }
        let current = core.outbox.current(name, try self.id(id))
        return try await write(.remove(name, current, condition), destination)
    }

    private func write(
        _ operation: WriteOperation, _ destination: WriteDestination
    ) async throws(Problem) -> Written {
        var order = WriteOrder(
            .transaction(Transaction(operation)), to: destination, isOfEntity: true,
            by: WriteOrder.Author())
        order.isPatient = true
        let reply: WriteReply
        do throws(CoreError) { reply = try core.writer.write(order) } catch { throw Problem(error) }
        guard let result = await result(of: reply, destination) else { throw .cancelled }
        do throws(WriteFailure) {
            guard case .done(let receipt, let delivery) = try result.get() else {
                preconditionFailure("a write of one entity is one commit")
            }
            return written(receipt, delivery, operation.type)
        } catch {
            throw Problem(error, in: .whole)
        }
    }

    /// nil where the task that waits for a remote is cancelled.
    private func result(
        of reply: WriteReply, _ destination: WriteDestination
    ) async -> Result<WriteAnswer, WriteFailure>? {
        guard case .later(let later) = reply else {
            if case .now(let result) = reply { return result }
            return nil
        }
        guard case .both(waits: true) = destination.target else {
            return await Promise.value { later.begin(completion: $0) }
        }
        return await Awaited<Result<WriteAnswer, WriteFailure>>().value { awaited in
            later.begin { awaited.finish($0) }
        }
    }

    private func written(
        _ receipt: WriteReceipt, _ delivery: Delivery, _ type: TypeName
    ) -> Written {
        var written = Written()
        var shown = receipt.first.document
        if case .delivered(_, let current) = delivery { shown = current }
        written.row = shown.map { row($0, type) }
        written.created = receipt.first.created
        written.changed = receipt.changed
        written.cursor = receipt.cursor.description
        written.outboxEntry = delivery.entries.first?.text
        return written
    }

    private func row(_ document: Document, _ type: TypeName) -> Row {
        Row(
            type: type.text, id: document.id.text, revision: document.revision,
            json: Array(document.json))
    }
}
