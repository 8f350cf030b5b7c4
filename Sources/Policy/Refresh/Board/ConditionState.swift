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
