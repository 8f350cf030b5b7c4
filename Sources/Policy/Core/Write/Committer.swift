package import FreshetStore

/// Commits what callers, fetches and controllers bring, with what the outbox and the configuration
/// have to say about it. Any thread.
package final class Committer: Sendable {
    private let store: any EntityStore
    private let outbox: Outbox
    private let configuration: ConfigurationNote

    init(_ store: any EntityStore, _ outbox: Outbox, _ configuration: ConfigurationNote) {
        self.store = store
        self.outbox = outbox
        self.configuration = configuration
    }

    /// Commits `transaction`: all of it or nothing.
    ///
    /// - Parameter completion: Called once, off every lock: on this thread before the return by a
    ///   memory store, on the writer's thread by a file store.
    package func commit(
        _ transaction: Transaction, completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        guard outbox.isUsed else { return submit(transaction, completion) }
        submit(outbox.guarding(transaction)) { [self] outcome in
            guard let next = outbox.following(transaction, outcome) else {
                return completion(outcome)
            }
            submit(next, completion)
        }
    }

    private func submit(
        _ transaction: Transaction, _ completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        guard configuration.isDue else { return store.submit(transaction, completion) }
        store.submit(configuration.accompany(transaction)) { [configuration] outcome in
            configuration.committed(outcome)
            completion(outcome)
        }
    }

    /// Whether `commitNow` commits.
    var isImmediate: Bool { store.immediate != nil }

    /// Commits `transaction` where that needs no waiting.
    ///
    /// - Returns: nil where the store commits on a thread of its own; then nothing was done.
    package func commitNow(_ transaction: Transaction) -> WriteOutcome? {
        guard let store = store.immediate else { return nil }
        guard outbox.isUsed else { return store.commit(transaction) }
        let outcome = store.commit(outbox.guarding(transaction))
        return outbox.following(transaction, outcome).map { store.commit($0) } ?? outcome
    }
}
