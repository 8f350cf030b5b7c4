import FreshetBase
import Glibc

/// Puts questions to one specification of the embedding program, one after the other, so that one that
/// does not come back keeps no other waiting.
///
/// Each that is late holds a thread, of which the process has some hundred: once many are late nobody is
/// asked any more until one comes back.
// SAFETY: all variables are read and written under `lock`.
final class CustomQuestions: @unchecked Sendable {
    private let worker = PolicyWorkers(.foreign)
    private let lock = Lock()
    /// A question was waited for in vain, and is still open: nobody waits for the next.
    private var isLate = false
    /// The thread of the call that is under way.
    private var thread: pthread_t?

    /// Counts those of the process that are late.
    private static let late = Counter()
    /// The most that may be late.
    private static let mostLate = 32

    /// Calls `body` once all calls before it have come back.
    func call(_ body: @escaping @Sendable () -> Void) {
        worker.perform { [self] in
            lock.withLock { thread = pthread_self() }
            body()
            lock.withLock { thread = nil }
        }
    }

    /// - Returns: What gets the answer; nil while an earlier question is late, or many of others are.
    func put(_ question: @escaping @Sendable () -> Bool) -> AwaitedValue<Bool>? {
        let (isLate, isOwn) = lock.withLock { (self.isLate, thread == pthread_self()) }
        let put = AwaitedValue<Bool>()
        // What a call asks of itself would wait for its own end.
        if isOwn {
            put.give(question())
            return put
        }
        guard !isLate, Self.late.value < Self.mostLate else { return nil }
        call { [self] in
            put.give(question())
            // Behind the answer: who has waited in vain for it sets this before it looks once more.
            setLate(false)
        }
        return put
    }

    /// - Returns: nil where there is no answer by then.
    func wait(
        for question: AwaitedValue<Bool>, until deadline: MonotonicInstant
    ) -> Bool? {
        if let answer = question.wait(until: deadline) { return answer }
        setLate(true)
        // It may have come at this moment.
        guard let answer = question.value else { return nil }
        setLate(false)
        return answer
    }

    private func setLate(_ now: Bool) {
        let isNew = lock.withLock {
            defer { isLate = now }
            return isLate != now
        }
        if isNew { Self.late.add(now ? 1 : -1) }
    }
}
