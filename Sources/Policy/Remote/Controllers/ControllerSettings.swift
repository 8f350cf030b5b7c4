package import FreshetRefresh
package import FreshetQuery

/// One entry of an operation's `controllers`, checked.
package struct ControllerSettings: Sendable {
    package enum Source: Sendable {
        case sse(ReducedStream)
        case freshet(FollowedQuery)
        /// A rerun each time the specification becomes true.
        case edge(SpecExpression)
        /// A rerun each time this has passed.
        case poll(every: Duration)
    }

    /// When the operation is driven.
    package enum Attachment: String, Sendable, CaseIterable {
        /// While somebody watches it.
        case subscribed
        case always
    }

    package var source: Source
    package var attachment = Attachment.subscribed
    /// Only while this holds; nil: always.
    package var gate: SpecExpression?

    package init(_ source: Source) {
        self.source = source
    }

    /// The specifications that it goes by.
    package var expressions: [SpecExpression] {
        guard case .edge(let edge) = source else { return gate.map { [$0] } ?? [] }
        return [edge] + (gate.map { [$0] } ?? [])
    }

    /// As in the configuration.
    package var kind: String {
        switch source {
        case .sse: "sse"
        case .freshet: "freshet"
        case .edge: "edge"
        case .poll: "poll"
        }
    }
}

/// A live query of another Freshet.
package struct FollowedQuery: Sendable, Equatable {
    package enum Mode: String, Sendable, CaseIterable {
        case snapshot, delta
    }

    package var upstream: String
    /// The relative URL of the query, without `live`.
    package var query: String
    package var mode = Mode.delta
    package var reconnect = RetryPolicy(limit: .max)

    package init(upstream: String, query: String) {
        self.upstream = upstream
        self.query = query
    }
}

/// What a built-in controller of streams needs of the service around it.
package protocol StreamSurroundings: Sendable {
    /// The stream's position of the newest commit of it; nil where it is to begin anew.
    func position(of operation: String) -> String?
    /// The stored entities of the operation's value, those that were written last at the end.
    func value(of operation: String) -> [Document]
    /// What is stored of an entity of the operation's type, as canonical JSON.
    func stored(_ id: EntityID, of operation: String) -> [UInt8]?
    /// Carries out what is to follow an outcome.
    func effect(_ effects: [ReducedStream.Effect])
}
