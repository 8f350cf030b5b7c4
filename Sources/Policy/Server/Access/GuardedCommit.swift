import FreshetCore
import FreshetHTTPServer
import FreshetStore

extension FreshetService {
    /// Commits without an answer of its own, with the rights of whoever asks.
    func commit(
        _ transaction: Transaction, _ reply: Reply,
        completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        core.commit(
            transaction, by: author(reply, of: WriteDestination(.local)), completion: completion)
    }
}
