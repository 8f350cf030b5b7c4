public import Foundation
import FreshetBase
import FreshetCore
import FreshetRefresh
import FreshetQuery
import FreshetServer
import FreshetStore

// Writes of the program that the server runs in.

extension Entities {
    // Never inlined: Swift 6.3.1 with -O ends by a signal where it becomes a part of the generic ones.
    /// Creates or replaces an entity; returns when it is as safe as the store makes it.
    ///
    /// - Parameters:
    ///   - type: A letter, then letters, digits, `_` and `-`.
    ///   - id: nil: the one in `json`, or a new one.
    ///   - json: One JSON object.
    ///   - condition: What must hold; else `precondition-failed` is thrown.
    ///   - context: Where the write goes, for a type that has a remote.
    @discardableResult
    @inline(never)
    public func set(
        _ type: String, _ id: String? = nil, json: [UInt8], if condition: WritePrecondition = .none,
        context: WriteContext = .local
    ) async throws(EntityProblem) -> WriteReceipt {
        try await write(
            try setting(type, id: id, json: json, condition: condition), WriteDestination(context))
    }

    private func setting(
        _ type: String, id: String?, json: [UInt8], condition: WritePrecondition
    ) throws(EntityProblem) -> WriteOperation {
        let name = try self.type(type)
        let source: EntityWriter.IDSource =
            try id.map { (id) throws(EntityProblem) in
                .path(try self.id(id))
            } ?? .bodyOrNew
        do throws(CoreError) {
            let document = try json.withBytes { (json) throws(CoreError) in
                var builder = DocumentBuilder()
                return try core.writer.document(name, json, id: source, using: &builder)
            }
            return .set(name, document, WriteCondition(condition))
        } catch {
            throw EntityProblem(Problem(error))
        }
    }

    /// Creates or replaces the entity `id` with a Swift value that encodes to a JSON object.
    ///
    /// - Throws: `EntityProblem`, `EncodingError`.
    @discardableResult
    public func set(
        _ type: String, _ id: String, _ value: some Encodable & Sendable,
        if condition: WritePrecondition = .none, context: WriteContext = .local,
        with encoder: JSONEncoder = JSONEncoder()
    ) async throws -> WriteReceipt {
        try await set(
            type, id, json: Array(try encoder.encode(value)), if: condition, context: context)
    }

    /// Creates or replaces a value under the id that it has itself, or a new one.
    ///
    /// - Throws: `EntityProblem`, `EncodingError`.
    @discardableResult
    public func set(
        _ type: String, _ value: some Encodable & Sendable,
        if condition: WritePrecondition = .none, context: WriteContext = .local,
        with encoder: JSONEncoder = JSONEncoder()
    ) async throws -> WriteReceipt {
        try await set(
            type, nil, json: Array(try encoder.encode(value)), if: condition, context: context)
    }

    /// Applies a JSON merge patch (RFC 7396) to an entity that is there.
    @discardableResult
    public func patch(
        _ type: String, _ id: String, json: [UInt8], if condition: WritePrecondition = .none,
        context: WriteContext = .local
    ) async throws(EntityProblem) -> WriteReceipt {
        let name = try declared(type)
        let canonical: [UInt8]
        do throws(Problem) {
            canonical = try json.withBytes { (bytes) throws(Problem) in
                var scratch = ByteBuffer(capacity: bytes.count)
                return try MergePatch.canonical(bytes, using: &scratch)
            }
        } catch {
            throw EntityProblem(error)
        }
        return try await write(
            .merge(
                name, try self.id(id), patch: canonical, WriteCondition(condition)),
            WriteDestination(context))
    }

    /// Removes an entity; an absent one is no failure.
    @discardableResult
    public func remove(
        _ type: String, _ id: String, if condition: WritePrecondition = .none,
        context: WriteContext = .local
    ) async throws(EntityProblem) -> WriteReceipt {
        let name = try declared(type)
        return try await write(
            .remove(name, try self.id(id), WriteCondition(condition)),
            WriteDestination(context))
    }

    /// The name of a type that may be named.
    private func declared(_ type: String) throws(EntityProblem) -> TypeName {
        let name = try self.type(type)
        do { try core.types.catalog.check(name) } catch { throw EntityProblem(Problem(error)) }
        return name
    }

    private func write(
        _ operation: WriteOperation, _ destination: WriteDestination
    ) async throws(EntityProblem) -> WriteReceipt {
        if life.hasEnded { throw Self.stopped }
        let order = WriteOrder(
            .transaction(Transaction(operation)), to: destination, isOfEntity: true,
            by: WriteOrder.Author(), isPatient: true)
        let reply: WriteReply
        do throws(CoreError) { reply = try core.writer.write(order) } catch {
            throw EntityProblem(Problem(error))
        }
        guard let result = await result(of: reply, destination) else { throw .cancelled }
        do throws(WriteFailure) {
            guard case .done(let receipt, let delivery) = try result.get() else {
                preconditionFailure("a write of one entity is one commit")
            }
            return WriteReceipt(receipt, delivery, operation.type)
        } catch {
            // A server that stops gives its remotes nothing more.
            if life.hasEnded, case .notAsked(.busy) = error { throw Self.stopped }
            throw EntityProblem(Problem(error, in: .whole))
        }
    }

    /// The program has stopped the server, and the write was not applied.
    private static var stopped: EntityProblem {
        EntityProblem(Problem(WriteFailure.notCommitted(.closed), in: .whole))
    }

    /// nil where the task that waits for a remote is cancelled.
    private func result(
        of reply: WriteReply, _ destination: WriteDestination
    ) async -> Result<WriteAnswer, WriteFailure>? {
        guard case .later(let later) = reply else {
            if case .now(let result) = reply { return result }
            return nil
        }
        switch destination.target {
        case .local, .both(waits: false):
            return await Promise.value { later.begin(completion: $0) }
        case .remote, .both(waits: true):
            return await Awaited<Result<WriteAnswer, WriteFailure>>().value { awaited in
                later.begin(leaves: { awaited.onCancel($0) }) { awaited.finish($0) }
            }
        }
    }
}

extension WriteCondition {
    init(_ condition: WritePrecondition) {
        switch condition {
        case .none: self = .none
        case .isAbsent: self = .ifNoneMatchAny
        case .isPresent: self = .ifMatchAny
        case .hasRevision(let revision): self = .ifMatch([revision])
        }
    }
}

extension WriteDestination {
    init(_ context: WriteContext) {
        switch context {
        case .local: self.init(Target.local)
        case .remote: self.init(Target.remote)
        case .both: self.init(.both(waits: false))
        case .bothAwaitingRemote: self.init(.both(waits: true))
        }
    }
}
