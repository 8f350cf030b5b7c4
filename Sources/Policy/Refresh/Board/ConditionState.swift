/// A named flag that people and programs set.
public struct ConditionDeclaration: Hashable, Sendable {
    public let name: String
    public let initial: Bool
    /// Whether it lasts over a restart.
    public let persists: Bool

    public init(_ name: String, initial: Bool = false, persists: Bool = false) {
        self.name = name
        self.initial = initial
        self.persists = persists
    }
}

/// A condition as it stands.
public struct ConditionState: Hashable, Sendable {
    public let name: String
    public var value: Bool
    /// Counts its changes from 0, which is as declared.
    public var revision: Int
    /// When it becomes what it was declared as, since 1970; nil: never.
    public var expiresAt: Duration?
    public let persists: Bool

    public init(
        name: String, value: Bool, revision: Int = 0, expiresAt: Duration? = nil,
        persists: Bool = false
    ) {
        self.name = name
        self.value = value
        self.revision = revision
        self.expiresAt = expiresAt
        self.persists = persists
    }
}

/// An order to set a condition.
public struct ConditionWrite: Hashable, Sendable {
    public var name: String
    public var value: Bool
    /// How long; nil: until the next order.
    public var ttl: Duration?

    public init(_ name: String, _ value: Bool, ttl: Duration? = nil) {
        self.name = name
        self.value = value
        self.ttl = ttl
    }
}

/// No condition has that name.
public struct UnknownCondition: Error, Hashable, Sendable {
    public let name: String
}

/// What a specification comes to at an instant.
public struct SpecEvaluation: Hashable, Sendable {
    /// One node of the expression.
    public struct Node: Hashable, Sendable {
        /// A JSON pointer into the expression; of a named one's parts into `/specs/NAME`.
        public var pointer: String
        public var value: Bool
    }

    public var isSatisfied: Bool
    /// When it turns if nothing but time changes, since 1970; nil: never, or not within what is looked
    /// ahead.
    public var nextChange: Duration?
    /// All nodes, each before its parts.
    public var trace: [Node]
}
