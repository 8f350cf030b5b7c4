import FreshetBase

/// Runs a body for a limited time.
enum TimeLimit {
    enum Failure: Error {
        case timedOut
        case thrown(any Error)
    }

    /// Runs `body` in a task of its own and waits for it, at most for `limit`.
    ///
    /// The body is cancelled when the time is up or the surrounding task is cancelled. Nobody waits
    /// for it then, so a body that does not heed its cancellation holds up nothing; what it returns
    /// in the end is dropped.
    static func run<Success: Sendable>(
        for limit: Duration, on clock: any OperationClock,
        _ body: @escaping @Sendable () async throws -> Success
    ) async -> Result<Success, Failure> {
        let race = Race<Success>()
        return await withTaskCancellationHandler {
            let timer = clock.schedule(at: clock.now + limit) {
                race.end(.failure(.timedOut))
            }
            let task = Task.detached {
                do {
                    race.end(.success(try await body()))
                } catch {
                    race.end(.failure(.thrown(error)))
                }
            }
            race.atEnd {
                timer.cancel()
                task.cancel()
            }
            return await race.outcome.value()
        } onCancel: {
            race.end(.failure(.thrown(CancellationError())))
        }
    }
}

/// The first of several ends.
// SAFETY: all mutable state is read and written under `lock`.
private final class Race<Success: Sendable>: @unchecked Sendable {
    typealias Outcome = Result<Success, TimeLimit.Failure>

    /// Given once the cleaning up is done.
    let outcome = Promise<Outcome>()
    private let lock = Lock()
    private var isOver = false
    private var cleanUp: (@Sendable () -> Void)?

    /// Calls `action` once after the end and before the waiter goes on.
    func atEnd(_ action: @escaping @Sendable () -> Void) {
        let isTooLate = lock.withLock {
            precondition(cleanUp == nil, "a race is cleaned up once")
            if !isOver { cleanUp = action }
            return isOver
        }
        if isTooLate { action() }
    }

    func end(_ end: Outcome) {
        let isFirst = lock.withLock {
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        lock.withLock {
            defer { cleanUp = nil }
            return cleanUp
        }?()
        outcome.fulfil(end)
    }
}
