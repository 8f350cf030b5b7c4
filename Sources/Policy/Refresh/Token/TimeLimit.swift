import FreshetBase

/// Runs bodies for a limited time.
struct TimeLimit {
    let limit: Duration
    let clock: any OperationClock
    /// What the bodies run on; nil: the common pool of tasks.
    let executor: (any TaskExecutor)?

    enum Failure: Error {
        case timedOut
        case thrown(any Error)
    }

    /// Runs `body` in a task of its own and waits for it, at most for `limit`.
    ///
    /// The body is cancelled when the time is up or the surrounding task is cancelled. Nobody waits
    /// for it then, so a body that does not heed its cancellation holds up nothing; what it returns
    /// in the end is dropped.
    func run<Success: Sendable>(
        _ body: @escaping @Sendable () async throws -> Success
    ) async -> Result<Success, Failure> {
        let outcome = Promise<Result<Success, Failure>>()
        let race = Waiter<Result<Success, Failure>> { outcome.fulfil($0) }
        return await withTaskCancellationHandler {
            let timer = clock.schedule(at: clock.now.addingSaturated(limit)) {
                race.finish(.failure(.timedOut))
            }
            let task = Task.detached(executorPreference: executor) {
                do {
                    race.finish(.success(try await body()))
                } catch {
                    race.finish(.failure(.thrown(error)))
                }
            }
            race.atEnd {
                timer.cancel()
                task.cancel()
            }
            return await outcome.value()
        } onCancel: {
            race.finish(.failure(.thrown(CancellationError())))
        }
    }
}
