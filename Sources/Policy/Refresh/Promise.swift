import FreshetBase

/// A value that is given once, by whoever is first, and taken by one task, which waits for it.
///
/// The value goes over under the lock, not by the continuation: where a continuation is resumed before
/// it is awaited, the Swift runtime orders both threads without the thread sanitizer's knowledge, and
/// the sanitizer reports a race that is none (Swift 6.3).
// SAFETY: all mutable state is read and written under `lock`.
package final class Promise<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var hasBeenGiven = false
    private var given: Value?
    private var waiter: CheckedContinuation<Void, Never>?

    package init() {}

    /// A promise that is fulfilled already.
    package init(_ value: Value) {
        hasBeenGiven = true
        given = value
    }

    /// Whether the value has been given.
    package var isFulfilled: Bool { lock.withLock { hasBeenGiven } }

    /// Gives the value and wakes who waits.
    ///
    /// - Returns: false where one was given before; nothing has happened then.
    @discardableResult
    package func fulfil(_ value: Value) -> Bool {
        let (isFirst, waiter) = lock.withLock { () -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !hasBeenGiven else { return (false, nil) }
            hasBeenGiven = true
            given = value
            defer { self.waiter = nil }
            return (true, self.waiter)
        }
        waiter?.resume()
        return isFirst
    }

    /// Waits for the value and takes it, which the promise does not hold any more then. Called once;
    /// a cancelled task waits on.
    package nonisolated(nonsending) func value() async -> Value {
        if let value = consume() { return value }
        await withCheckedContinuation { continuation in
            let isHere = lock.withLock {
                precondition(waiter == nil, "a promise is awaited once")
                if !hasBeenGiven { waiter = continuation }
                return hasBeenGiven
            }
            if isHere { continuation.resume() }
        }
        guard let value = consume() else { preconditionFailure("a promise is awaited once") }
        return value
    }

    /// Waits as `value()` does, but for a cancelled task, which leaves: where nothing has been given
    /// before, it gives itself `left` and calls `leave`.
    package nonisolated(nonsending) func value(
        orLeaving left: Value, _ leave: @Sendable () -> Void = {}
    ) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            if fulfil(left) { leave() }
        }
    }

    private func consume() -> Value? {
        lock.withLock {
            defer { given = nil }
            return given
        }
    }

    /// Begins work that calls back, and waits for what it brings.
    package nonisolated(nonsending) static func value(
        of begin: (_ fulfil: @escaping @Sendable (Value) -> Void) -> Void
    ) async -> Value {
        let promise = Promise()
        begin { promise.fulfil($0) }
        return await promise.value()
    }
}
