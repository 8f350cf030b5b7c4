package import FreshetQuery

/// A type of the service's own that may be named where a search or a get is asked: what the server
/// knows of itself, as rows.
///
/// Nobody writes its rows by its name. Those of the outbox are entities of the store; the others are
/// made by whoever knows, and stand in a store of their own while somebody watches them.
package enum SystemType: String, CaseIterable, Sendable {
    case types, operations, specs, conditions, upstreams, streams, outbox, tokens

    /// What a search of it may have; the rest of a search's parameters speak of remotes, of
    /// relationships and of what `_meta` tells of an entity.
    package static let parameters = QueryParser.names.filter {
        ![
            "include", "depth", "meta", "contract", "source", "persist", "trustRemote", "endpoint",
        ].contains($0)
    }

    package var name: TypeName {
        switch self {
        case .types: Self.typesName
        case .operations: Self.operationsName
        case .specs: Self.specsName
        case .conditions: Self.conditionsName
        case .upstreams: Self.upstreamsName
        case .streams: Self.streamsName
        case .outbox: OutboxEntry.storedType
        case .tokens: Self.tokensName
        }
    }

    private static let typesName = TypeName.internal("types")
    private static let operationsName = TypeName.internal("operations")
    private static let specsName = TypeName.internal("specs")
    private static let conditionsName = TypeName.internal("conditions")
    private static let upstreamsName = TypeName.internal("upstreams")
    private static let streamsName = TypeName.internal("streams")
    private static let tokensName = TypeName.internal("tokens")

    package init?(_ type: TypeName) {
        guard type.isInternal else { return nil }
        self.init(rawValue: String(type.text.dropFirst()))
    }

    /// - Parameter segment: Of a path.
    package init?(segment: UnsafeRawBufferPointer) {
        guard segment.first == UInt8(ascii: "_") else { return nil }
        self.init(rawValue: String(decoding: segment.dropFirst(), as: UTF8.self))
    }

    /// Whether it takes administration to read it; the types are shown to whoever may read them.
    package var needsAdmin: Bool { self != .types }

    /// Whether of several servers the one that leads has its rows.
    package var isLeaders: Bool { [.operations, .specs, .upstreams].contains(self) }
}

extension TypeName {
    /// Whether its rows are no entities of the store.
    package var isOfSystemStore: Bool { isInternal && self != OutboxEntry.storedType }
}
