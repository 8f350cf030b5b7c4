/// Where an agent's elements come from: a live query of a Freshet server, any other event stream, or
/// what a program makes itself.
///
/// A source keeps the connection, not the agent: it connects again by itself, resumes, and waits
/// between tries. Sources of this library bound what they hold.
public protocol AgentSource<Query, Element>: Sendable {
    associatedtype Query: Sendable
    associatedtype Element: Sendable

    /// Follows `query` until the receiver stops it, the task is cancelled, or there is no more to
    /// come.
    ///
    /// - Parameters:
    ///   - query: What to follow.
    ///   - position: Of the element that was handled last; empty for the beginning.
    ///   - receive: Is told of everything in order, one call after the other; while it works nothing
    ///     more is read.
    func follow(
        _ query: Query, after position: String,
        _ receive: @escaping @Sendable (AgentSignal<Element>) async -> AgentVerdict
    ) async -> AgentEnd
}

/// What a source tells.
public enum AgentSignal<Element: Sendable>: Sendable {
    /// There is a connection.
    case opened
    /// `position` is where to resume once it is handled.
    case element(Element, position: String)
    /// The connection is over and another one follows; without a fault it was closed in order.
    case interrupted(StreamFault?, retryIn: Duration)
}

/// Whether the receiver wants more.
public enum AgentVerdict: Sendable, Equatable {
    case proceed
    case stop
}

/// Why a source has ended.
public enum AgentEnd: Sendable, Equatable {
    /// The receiver wanted it.
    case stopped
    /// The task was cancelled.
    case cancelled
    /// There will never be more.
    case exhausted
    /// No later try would do any better.
    case refused(StreamFault)
}

/// Why a stream was interrupted, or is refused.
public struct StreamFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The code of a problem of Freshet (`/problems/CODE`), or `unreachable`, `timeout`, `status`.
    public let code: String
    /// One sentence; names no secret.
    public let detail: String
    /// The status of the answer, where there was one.
    public let status: Int?

    public init(code: String, detail: String, status: Int? = nil) {
        self.code = code
        self.detail = detail
        self.status = status
    }

    public var description: String { "\(code): \(detail)" }
}

/// What an agent makes of an element.
public enum AgentOutcome<Value: Sendable>: Sendable {
    /// The new value.
    case update(Value)
    /// The value stays as it is.
    case ignore
    /// The value stays, and nothing more is received.
    case halt
    /// The value stays, and the state tells the error until the next value.
    case fault(any Error)
}

/// What an agent shows.
public struct AgentState<Value: Sendable>: Sendable {
    public enum Status: String, Sendable {
        /// Nothing is on its way: not begun, stopped, halted, or at the end.
        case idle
        /// Connecting, for the first time or again.
        case loading
        /// What is shown is what the source says.
        case success
        /// The last element was a fault, or the source has refused.
        case failure
    }

    public var status: Status
    /// The last good value. It outlives faults, lost connections and stops.
    public var value: Value
    /// The last fault, until something good has come.
    public var error: (any Error)?

    public init(_ status: Status = .idle, value: Value, error: (any Error)? = nil) {
        self.status = status
        self.value = value
        self.error = error
    }
}
