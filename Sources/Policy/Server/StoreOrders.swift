import FreshetRefresh
import Synchronization

/// Long work on the store's files that an operator asks for: one at a time, on a thread of its own,
/// so that no request waits for it. Any thread.
final class StoreOrders: Sendable {
    /// The most orders that are worked on or wait.
    static let most = 4

    private let count = WorkCount()
    private let worker = PolicyWorkers(.chore)

    /// - Returns: false where too many wait; then `body` is not run.
    func perform(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let permit = count.permit(atMost: Self.most) else { return false }
        worker.perform { withExtendedLifetime(permit, body) }
        return true
    }
}

/// How much of one kind of work is under way. Any thread.
final class WorkCount: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    /// One more, until the permit is let go of; nil where there are `limit`.
    func permit(atMost limit: Int) -> Permit? {
        let permit = Permit(self)
        return count.load(ordering: .relaxed) <= limit ? permit : nil
    }

    final class Permit: Sendable {
        private let owner: WorkCount

        init(_ owner: WorkCount) {
            self.owner = owner
            owner.count.wrappingAdd(1, ordering: .relaxed)
        }

        deinit { owner.count.wrappingSubtract(1, ordering: .relaxed) }
    }
}
