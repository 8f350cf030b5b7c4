/// A value that several threads read and set.
// SAFETY: the one variable is read and written under `lock`.
package final class Shared<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var current: Value

    package init(_ value: Value) {
        current = value
    }

    package var value: Value { lock.withLock { current } }

    /// - Returns: What it was before.
    @discardableResult
    package func set(_ value: Value) -> Value {
        lock.withLock {
            defer { current = value }
            return current
        }
    }

    package func update<Result>(_ change: (inout Value) -> Result) -> Result {
        lock.withLock { change(&current) }
    }
}
