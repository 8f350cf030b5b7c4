/// How an upstream can be reached, worst first. `limited`: it has asked to be left alone for a while.
public enum LinkLevel: Int64, Comparable, Sendable, CaseIterable {
    case disconnected, limited, connected

    public var name: String {
        switch self {
        case .disconnected: "disconnected"
        case .limited: "limited"
        case .connected: "connected"
        }
    }

    public static func < (left: LinkLevel, right: LinkLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// How little memory is left.
public enum PressureLevel: Int64, Comparable, Sendable, CaseIterable {
    case normal, warning, critical

    public var name: String {
        switch self {
        case .normal: "normal"
        case .warning: "warning"
        case .critical: "critical"
        }
    }

    public static func < (left: PressureLevel, right: PressureLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// How long the credential of an upstream is good for.
public enum TokenValidity: Hashable, Sendable {
    /// There is none that could be used.
    case none
    /// Until then on the board's clock.
    case until(Duration)
    case unlimited
}

/// A run as the trigger machine sees it.
public enum RunPhase: Hashable, Sendable {
    case began(RunOrigin)
    /// Whatever it came to; also where a start was refused.
    case ended
    /// Its end at an instant of the board's clock that has passed: what has asked for a run since
    /// then is not served by it.
    case endedAt(Duration)
}

/// Something that happens at an instant: what `refetch.on` waits for.
public struct BoardEvent: Hashable, Sendable {
    /// `mutation` or `event`: the member's name in the configuration.
    public let kind: String
    public let name: String

    public init(kind: String, name: String) {
        self.kind = kind
        self.name = name
    }

    /// A mutation has succeeded.
    public static func mutation(_ id: String) -> BoardEvent {
        BoardEvent(kind: "mutation", name: id)
    }

    /// An event of the embedding program.
    public static func named(_ name: String) -> BoardEvent {
        BoardEvent(kind: "event", name: name)
    }
}

/// One change of the state of the world. Strings name upstreams, operations or conditions.
public enum BoardChange: Sendable {
    /// At boot `connected`.
    case link(String, LinkLevel)
    /// At boot false.
    case health(String, Bool)
    /// At boot `none`.
    case token(String, TokenValidity)
    /// At boot true.
    case serviceActive(Bool)
    /// At first true.
    case operationActive(String, Bool)
    case subscribers(String, Int)
    /// When the value came, on the board's clock; nil: there is none.
    case value(String, updatedAt: Duration?)
    /// Stale whatever `stale` says, until the next value.
    case invalidated(String, Bool)
    /// Runs in a row that failed.
    case failures(String, Int)
    case status(String, OperationStatus)
    /// Every run of any origin says both, in the commit of what it changes.
    case run(String, RunPhase)
    /// The operation is as new behind the commit: what it was is no edge, and its counts begin anew.
    case renewed(String)
    /// A condition that is not declared stays unknown: the change is dropped.
    case condition(String, Bool, ttl: Duration? = nil)
    case pressure(PressureLevel)
    case event(BoardEvent)
}
