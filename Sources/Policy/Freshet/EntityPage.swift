public import Foundation
import FreshetBase
import FreshetCore
import FreshetQuery
import FreshetServer
import FreshetStore

/// Where an answer comes from.
public struct AnswerSource: Sendable, Equatable {
    public enum Place: String, Sendable {
        case local
        case remote
        /// Local, since the remote could not be had; `degraded` says why.
        case fallback
    }

    /// What goes on behind the answer.
    public enum Refresh: String, Sendable {
        case started, joined, gated, fresh, none
    }

    public let place: Place
    public let refresh: Refresh
    /// When it was fetched, where that is known.
    public let fetchedAt: Date?
    /// Why it is not the remote's.
    public let degraded: EntityProblem?

    init(_ origin: AnswerOrigin) {
        place = Place(rawValue: origin.source.rawValue) ?? .local
        refresh = Refresh(rawValue: origin.refresh.rawValue) ?? .none
        fetchedAt = origin.fetchedAt.map {
            Date(timeIntervalSince1970: Double($0.milliseconds) / 1000)
        }
        degraded = origin.degraded.map { EntityProblem($0) }
    }
}

/// The answer to a search.
public struct EntityPage: Sendable {
    /// In the order of the query; empty where it asks for groups or figures.
    public let entities: [Entity]
    /// Related entities, where the query includes any, each once.
    public let included: [Entity]
    /// All matches, where the query counts.
    public let total: Int?
    /// Whether there is more behind the window.
    public let hasMore: Bool
    public let source: AnswerSource
    /// `{"items":[…]}`, `{"groups":[…]}` or `{"aggregates":…}`, as the REST interface answers.
    public let json: [UInt8]

    /// The entities as Swift values.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, with decoder: JSONDecoder = JSONDecoder()
    ) throws -> [Value] {
        try entities.map { try $0.decode(type, with: decoder) }
    }
}

/// What a write has done.
public struct WriteReceipt: Sendable {
    /// What is stored now; nil after a removal.
    public let entity: Entity?
    public let created: Bool
    /// false: everything was so before.
    public let changed: Bool
    /// The entry of the outbox that tells the remote (`GET /v1/_outbox/ID`).
    public let outboxEntry: String?
    /// The commit, for `since` of a live query; opaque.
    public let cursor: String

    init(_ receipt: FreshetStore.WriteReceipt, _ delivery: Delivery, _ type: TypeName) {
        var shown = receipt.first.document
        if case .delivered(_, let current) = delivery { shown = current }
        entity = shown.map { Entity($0, of: type) }
        created = receipt.first.created
        changed = receipt.changed
        outboxEntry = delivery.entries.first?.text
        cursor = receipt.cursor.description
    }
}
