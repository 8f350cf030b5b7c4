/// What a run specification may look at: whose operation it is asked for, the time, and values of the
/// embedding program under typed keys.
///
/// ```swift
/// struct OfficeKey: RunContextKey { static let defaultValue = Office() }
/// context[OfficeKey.self].isOpen
/// ```
public struct RunContext: Sendable {
    /// The operation that is asked for; nil where there is none.
    public var operation: String?
    public var clock: any OperationClock
    /// Where built-in conditions are looked up; without one they are as at boot.
    public internal(set) weak var board: OperationBoard?
    private var values: [ObjectIdentifier: any Sendable] = [:]

    public init(
        operation: String? = nil, board: OperationBoard? = nil,
        clock: any OperationClock = SystemOperationClock()
    ) {
        self.operation = operation
        self.board = board
        self.clock = clock
    }

    public subscript<Key: RunContextKey>(_ key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// Whether `specification` holds in this context.
    public func satisfies(_ specification: some RunSpecification) -> Bool {
        specification.isSatisfied(in: self)
    }
}

/// A name for a value of a context, with its type.
public protocol RunContextKey {
    associatedtype Value: Sendable
    /// The value where none was set.
    static var defaultValue: Value { get }
}
