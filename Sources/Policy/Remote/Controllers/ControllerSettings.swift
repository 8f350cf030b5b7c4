package import FreshetJSON
package import FreshetOperations
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

/// An upstream's stream of events, and what they mean.
package struct ReducedStream: Sendable {
    /// What a fault does to the operation.
    package enum FaultPolicy: String, Sendable, CaseIterable {
        /// Its error is set, its status stays.
        case keep
        /// Both are set.
        case fail
        case ignore
    }

    /// What happens to a condition when an event's outcome is stored.
    package struct Effect: Sendable, Equatable {
        package var condition: String
        package var value: Bool

        package init(condition: String, value: Bool) {
            self.condition = condition
            self.value = value
        }
    }

    package var upstream: String
    /// Path and query.
    package var path: String
    package var rules: [StreamRule] = []
    package var resumes = true
    /// What the value is before the first event; nil: whatever is there.
    package var initial: JSONValue?
    package var onFault = FaultPolicy.keep
    package var reconnect = RetryPolicy(limit: .max)
    package var effects: [Effect] = []

    package init(upstream: String, path: String) {
        self.upstream = upstream
        self.path = path
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
    /// What is stored of an entity of the operation's type, as canonical JSON.
    func stored(_ id: EntityID, of operation: String) -> [UInt8]?
    /// Carries out what is to follow an outcome.
    func effect(_ effects: [ReducedStream.Effect])
}
