package import FreshetQuery

/// A change for an upstream.
package struct RemoteWrite: Sendable {
    package enum Action: Sendable {
        case create(Document)
        case update(EntityID, Document)
        case remove(EntityID)
    }

    package var action: Action
    /// The entity as it was here before; marked as fetched where the upstream has it so. nil: nothing is
    /// known.
    package var old: Document?
    /// The stored entities that were taken out of this one, to be put back where it is sent.
    package var nested: @Sendable (TypeName, EntityID) -> Document? = { _, _ in nil }
    /// In place of the request that the action has; nil: that one.
    package var endpoint: RemoteEndpoint?
    /// Goes along as `Idempotency-Key`: repeats of the write are one to an upstream that knows it.
    package var idempotencyKey: String?

    package init(
        _ action: Action, from old: Document? = nil, via endpoint: RemoteEndpoint? = nil,
        idempotencyKey: String? = nil
    ) {
        self.action = action
        self.old = old
        self.endpoint = endpoint
        self.idempotencyKey = idempotencyKey
    }
}

/// A named endpoint of the configuration that a write goes to, with what its request is filled with.
package struct RemoteEndpoint: Sendable, Hashable {
    package var name: String
    /// The values of `endpoint.NAME=`.
    package var parameters: [String: String]

    package init(name: String, parameters: [String: String] = [:]) {
        self.name = name
        self.parameters = parameters
    }
}

/// What an upstream answered to a write.
package struct RemoteWriteAnswer: Sendable {
    package var status: Int
    /// The entity as the upstream has it now, where it sent one.
    package var entity: RemoteEntity?
    package var extracted: [RemoteEntity]
    /// The id under which it is known there, from the entity or from `Location`.
    package var id: EntityID?
    package var validators: RemoteValidators?

    package init(
        status: Int, entity: RemoteEntity? = nil, extracted: [RemoteEntity] = [],
        id: EntityID? = nil, validators: RemoteValidators? = nil
    ) {
        self.status = status
        self.entity = entity
        self.extracted = extracted
        self.id = id
        self.validators = validators
    }
}
