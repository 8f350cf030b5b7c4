import FreshetBase

/// Somebody who waits for one value: told once, unless it has left before. Any thread.
package final class Waiter<Value: Sendable>: Sendable {
    /// nil: it waits no more.
    private let completion: Shared<(@Sendable (Value) -> Void)?>
    private let ends = EndActions()

    /// - Parameter completion: Called with the value.
    package init(_ completion: @escaping @Sendable (Value) -> Void) {
        self.completion = Shared(completion)
    }

    /// Has `action` called once it waits no more, whether it was told or has left; at once where that
    /// is past. Before the completion is.
    package func atEnd(_ action: @escaping @Sendable () -> Void) {
        ends.add(action)
    }

    /// Tells it the value, the first time.
    package func finish(_ value: Value) {
        let completion = completion.set(nil)
        ends.run()
        completion?(value)
    }

    /// Waits no longer. Harmless after its end.
    package func leave() {
        completion.set(nil)
        ends.run()
    }
}
