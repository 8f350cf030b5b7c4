import Dispatch
import FreshetBase

/// Puts questions to one specification of the embedding program, one after the other, so that one that
/// does not come back keeps no other waiting.
// SAFETY: the one variable is read and written under `lock`.
final class CustomQuestions: @unchecked Sendable {
    /// A question that was put.
    // SAFETY: the one variable is read and written under the `lock` of its owner.
    final class Question: @unchecked Sendable {
        private let owner: CustomQuestions
        private var answer: Bool?
        private let isAnswered = DispatchSemaphore(value: 0)

        fileprivate init(_ owner: CustomQuestions) { self.owner = owner }

        fileprivate func take(_ answer: Bool) {
            owner.lock.withLock { self.answer = answer }
            isAnswered.signal()
        }

        fileprivate func wait(until deadline: DispatchTime) -> Bool? {
            _ = isAnswered.wait(timeout: deadline)
            return owner.lock.withLock { answer }
        }
    }

    private let worker = PolicyWorkers(.foreign)
    fileprivate let lock = Lock()
    /// A question was waited for in vain, and is still open: nobody waits for the next.
    private var isLate = false

    /// Calls `body` once all calls before it have come back.
    func call(_ body: @escaping @Sendable () -> Void) {
        worker.perform(body)
    }

    /// - Returns: nil while an earlier question is late.
    func put(_ question: @escaping @Sendable () -> Bool) -> Question? {
        guard !lock.withLock({ isLate }) else { return nil }
        let put = Question(self)
        worker.perform { [self] in
            let answer = question()
            lock.withLock { isLate = false }
            put.take(answer)
        }
        return put
    }

    static func deadline(after patience: Duration) -> DispatchTime {
        .now() + .nanoseconds(Int(patience.nanoseconds))
    }

    /// - Returns: nil where there is no answer by then.
    func wait(for question: Question, until deadline: DispatchTime) -> Bool? {
        if let answer = question.wait(until: deadline) { return answer }
        lock.withLock { isLate = true }
        // It may have come at this moment.
        guard let answer = question.wait(until: .now()) else { return nil }
        lock.withLock { isLate = false }
        return answer
    }
}
