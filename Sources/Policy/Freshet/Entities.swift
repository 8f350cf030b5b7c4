public import Foundation
import FreshetCore
import FreshetServer
import FreshetStore

/// The entities of a server, for the program that it runs in: what the REST interface does, without
/// HTTP, and with every right. Any thread, any task.
public struct Entities: Sendable {
    private let core: EmbeddedEntities

    init(_ core: EmbeddedEntities) {
        self.core = core
    }

    // MARK: Reads

    /// One entity; nil where there is none.
    public func get(
        _ type: String, _ id: String, context: ReadContext = .standard
    ) async throws(EntityProblem) -> Entity? {
        do {
            return try await core.get(type, id, context.parameters)
                .map { Entity($0) }
        } catch {
            throw EntityProblem(error)
        }
    }

    /// A page of entities, groups or figures.
    public func search(_ query: EntityQuery) async throws(EntityProblem) -> EntityPage {
        do { return EntityPage(try await core.search(query.type, query.parameters)) } catch {
            throw EntityProblem(error)
        }
    }

    // MARK: Writes

    /// Creates or replaces an entity; returns when it is as safe as the store makes it.
    ///
    /// - Parameters:
    ///   - type: A letter, then letters, digits, `_` and `-`.
    ///   - id: nil: the one in `json`, or a new one.
    ///   - json: One JSON object.
    ///   - condition: What must hold; else `precondition-failed` is thrown.
    ///   - context: Where the write goes, for a type that has a remote.
    @discardableResult
    public func set(
        _ type: String, _ id: String? = nil, json: [UInt8], if condition: WritePrecondition = .none,
        context: WriteContext = .local
    ) async throws(EntityProblem) -> WriteReceipt {
        do {
            return WriteReceipt(
                try await core.set(
                    type, id, json, if: WriteCondition(condition), .init(context)))
        } catch {
            throw EntityProblem(error)
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

    /// The same under the id that the value itself has, or a new one.
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
        do {
            return WriteReceipt(
                try await core.patch(
                    type, id, json, if: WriteCondition(condition), .init(context)))
        } catch {
            throw EntityProblem(error)
        }
    }

    /// Removes an entity; an absent one is no failure.
    @discardableResult
    public func remove(
        _ type: String, _ id: String, if condition: WritePrecondition = .none,
        context: WriteContext = .local
    ) async throws(EntityProblem) -> WriteReceipt {
        do {
            return WriteReceipt(
                try await core.remove(type, id, if: WriteCondition(condition), .init(context)))
        } catch {
            throw EntityProblem(error)
        }
    }

    // MARK: Live queries

    /// Watches a search: first the answer as it is, then the whole answer anew after changes. A slow
    /// reader is told once of all that has happened meanwhile; there is no queue.
    ///
    /// ```swift
    /// for try await snapshot in server.entities.watch(EntityQuery("task")) {
    ///     print(snapshot.entities.count)
    /// }
    /// ```
    public func watch(_ query: EntityQuery) -> EntityWatch {
        EntityWatch(core, query)
    }

    /// Live queries of this server for a `SnapshotAgent`.
    public var snapshots: EmbeddedSnapshots { EmbeddedSnapshots(core) }

    /// The events of live queries of this server for a `StreamAgent`; see `EntityRows`.
    public var events: EmbeddedEvents { EmbeddedEvents(core) }
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
