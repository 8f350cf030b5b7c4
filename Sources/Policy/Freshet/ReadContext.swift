/// Where an answer may come from, for types that have a remote. A type without one is answered from
/// here; asking for its remote is an error.
///
/// ```swift
/// let fresh = try await server.entities.get("todo", "7", context: .remoteOrLocal)
/// ```
public struct ReadContext: Sendable, Equatable {
    /// Which of the two is asked, and when.
    public enum Source: String, Sendable {
        /// What is here and nothing else.
        case local
        /// The remote; its failure is the answer.
        case remote
        /// The remote; what is here, marked as degraded, where the remote cannot be had.
        case remoteOrLocal
        /// What is here where it suffices and is fresh, else the remote: a read-through cache.
        case localOrRemote
        /// What is here where it suffices, and a refresh behind it; its outcome reaches those who
        /// watch. The default.
        case localThenRemote
    }

    /// What a remote answer does to what is here.
    public enum Persist: String, Sendable {
        /// Its entities are set.
        case merge
        /// Its entities are set, and what the complete answer lacks is removed.
        case replace
        /// Nothing.
        case none
    }

    /// nil: as the type is configured.
    public var source: Source?
    public var persist: Persist?
    /// The remote's answer is neither filtered nor windowed again here.
    public var trustsRemote = false
    /// A named endpoint of the type's configuration in place of the usual one.
    public var endpoint: String?
    /// The parameters of the endpoint, by name.
    public var endpointParameters: [String: String] = [:]
    /// A named contract of the type: entities that break it are not there for this reader.
    public var contract: String?

    public init(_ source: Source? = nil, persist: Persist? = nil) {
        self.source = source
        self.persist = persist
    }

    /// As the type is configured.
    public static let standard = ReadContext()
    public static let local = ReadContext(.local)
    public static let remote = ReadContext(.remote)
    public static let remoteOrLocal = ReadContext(.remoteOrLocal)
    public static let localOrRemote = ReadContext(.localOrRemote)
    public static let localThenRemote = ReadContext(.localThenRemote)

    /// As a URL has them.
    var parameters: [(String, String)] {
        var parameters: [(String, String)] = []
        if let source { parameters.append(("source", source.rawValue)) }
        if let persist { parameters.append(("persist", persist.rawValue)) }
        if trustsRemote { parameters.append(("trustRemote", "true")) }
        if let endpoint { parameters.append(("endpoint", endpoint)) }
        for (name, value) in endpointParameters.sorted(by: { $0.key < $1.key }) {
            parameters.append(("endpoint.\(name)", value))
        }
        if let contract { parameters.append(("contract", contract)) }
        return parameters
    }
}

/// Where a write goes, for types that have a remote.
public enum WriteContext: Sendable, Equatable {
    /// Here.
    case local
    /// To the remote, whose answer is awaited and kept here.
    case remote
    /// Here at once, and to the remote through the outbox, which is as durable as the write.
    case both
    /// Both ways, and the call returns when the remote has it or will not have it.
    case bothAwaitingRemote
}

/// What must hold for a write to be done; otherwise it throws `precondition-failed`.
public enum WritePrecondition: Sendable, Equatable {
    case none
    /// There is no such entity yet.
    case isAbsent
    /// There is one.
    case isPresent
    /// The entity has this revision.
    case hasRevision(UInt64)
}
