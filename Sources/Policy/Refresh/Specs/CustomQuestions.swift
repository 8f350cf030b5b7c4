import FreshetBase
import Glibc
import Synchronization

/// Puts questions to one specification of the embedding program, one after the other, so that one that
/// does not come back keeps no other waiting.
///
/// Each that is late holds a thread, of which the process has some hundred: once many are late nobody is
/// asked any more until one comes back.
final class CustomQuestions: Sendable {
    private let worker = PolicyWorkers(.foreign)
    /// A question was waited for in vain, and is still open: nobody waits for the next.
    private let isLate = Atomic(false)
    /// The thread of the call that is under way; 0: none is.
    private let thread = Atomic<UInt>(0)

    /// Counts those of the process that are late.
    private static let late = Counter()
    /// The most that may be late.
    private static let mostLate = 32

    /// Calls `body` once all calls before it have come back.
    func call(_ body: @escaping @Sendable () -> Void) {
        worker.perform { [self] in
            thread.store(UInt(pthread_self()), ordering: .relaxed)
            body()
            thread.store(0, ordering: .relaxed)
        }
    }

    /// - Returns: What gets the answer; nil while an earlier question is late, or many of others are.
    func put(_ question: @escaping @Sendable () -> Bool) -> AwaitedValue<Bool>? {
        let put = AwaitedValue<Bool>()
        // What a call asks of itself would wait for its own end.
        if thread.load(ordering: .relaxed) == UInt(pthread_self()) {
            put.give(question())
            return put
        }
        guard !isLate.load(ordering: .acquiring), Self.late.value < Self.mostLate else {
            return nil
        }
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
        let isNew = isLate.exchange(now, ordering: .acquiringAndReleasing) != now
        if isNew { Self.late.add(now ? 1 : -1) }
    }
}
