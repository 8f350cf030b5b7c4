import FreshetBase

/// Puts questions to one specification of the embedding program, one after the other, so that one that
/// does not come back keeps no other waiting.
// SAFETY: the one variable is read and written under `lock`.
final class CustomQuestions: @unchecked Sendable {
    private let worker = PolicyWorkers(.foreign)
    private let lock = Lock()
    /// A question was waited for in vain, and is still open: nobody waits for the next.
    private var isLate = false

    /// Calls `body` once all calls before it have come back.
    func call(_ body: @escaping @Sendable () -> Void) {
        worker.perform(body)
    }

    /// - Returns: What gets the answer; nil while an earlier question is late.
    func put(_ question: @escaping @Sendable () -> Bool) -> AwaitedValue<Bool>? {
        guard !lock.withLock({ isLate }) else { return nil }
        let put = AwaitedValue<Bool>()
        worker.perform { [self] in
            put.give(question())
            // Behind the answer: who has waited in vain for it sets this before it looks once more.
            lock.withLock { isLate = false }
        }
        return put
    }

    /// - Returns: nil where there is no answer by then.
    func wait(
        for question: AwaitedValue<Bool>, until deadline: MonotonicInstant
    ) -> Bool? {
        if let answer = question.wait(until: deadline) { return answer }
        lock.withLock { isLate = true }
        // It may have come at this moment.
        guard let answer = question.value else { return nil }
        lock.withLock { isLate = false }
        return answer
    }
}
