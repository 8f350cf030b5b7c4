import Dispatch
import FreshetBase

/// Where the service decides: one serial queue, with the one clock that calls it.
///
/// What runs here calls back, counts and hands on, one after the other. It never waits, neither for a
/// file nor for an answer, and runs no code of the embedding program that might: that is for `PolicyWorkers`.
/// So state that is touched here alone needs no lock of its own.
///
/// The clock is one heap of what is due, and one timer of Dispatch that is armed for the earliest. A
/// timer of Dispatch for each would wake its manager's thread with every start and every end, and nearly
/// all are time limits, which are taken back.
// SAFETY: all mutable state is read and written under `lock`.
package final class PolicyExecutor: TaskExecutor, @unchecked Sendable {
    package static let shared = PolicyExecutor()

    private struct Entry: DueEntry {
        let due: Int64
        let number: UInt64
    }

    private let queue = DispatchQueue(label: "freshet.policy")
    private let lock = Lock()
    private var heap = DueHeap<Entry>()
    /// By number; an entry whose action was taken back stays in the heap for a while.
    private var actions: [UInt64: @Sendable () -> Void] = [:]
    private var lastNumber: UInt64 = 0
    /// What the source waits for; `Int64.max` for nothing.
    private var armed = Int64.max
    private let source: any DispatchSourceTimer

    private init() {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [unowned self] in fire() }
        source.activate()
    }

    /// Runs `work` behind all that was handed over before it.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    // MARK: The clock

    private static var now: Int64 { SystemOperationClock().now.nanoseconds }

    /// Calls `action` when the clock has reached `due`.
    ///
    /// - Complexity: O(log n), a system call where nothing was due before.
    func add(due: Int64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        lock.withLock {
            lastNumber += 1
            actions[lastNumber] = action
            heap.push(Entry(due: due, number: lastNumber))
            // The timer sleeps with the machine, and the clock does not: one that is overdue is set anew.
            if due < armed || armed < Self.now { arm(heap.earliest) }
            return lastNumber
        }
    }

    /// - Complexity: O(log n) in the long run.
    func remove(_ number: UInt64) {
        let action = lock.withLock {
            let action = actions.removeValue(forKey: number)
            if heap.count > 4 * actions.count + 64 {
                heap.keep { actions[$0.number] != nil }
            }
            return action
        }
        // Behind the lock: it may hold another call that is taken back as it goes.
        withExtendedLifetime(action) {}
    }

    private func fire() {
        while let action = next() { action() }
    }

    /// The next action that is due; without one the source waits for the earliest that is not.
    private func next() -> (@Sendable () -> Void)? {
        lock.withLock {
            while let entry = heap.pop(until: Self.now) {
                if let action = actions.removeValue(forKey: entry.number) { return action }
            }
            armed = .max
            if heap.earliest < .max { arm(heap.earliest) }
            return nil
        }
    }

    private func arm(_ due: Int64) {
        armed = due
        // A day is beyond every time limit of the configuration, and keeps the sum from overflowing.
        let wait = min(max(0, due.subtractingSaturated(Self.now)), 86_400_000_000_000)
        source.schedule(deadline: .now() + .nanoseconds(Int(wait)))
    }
}

extension OperationClock {
    public var wallNow: Duration { .milliseconds(WallTime.now.milliseconds) }
}

/// A call that a clock will make.
public struct ScheduledAction: Sendable {
    private let takeBack: @Sendable () -> Void

    public init(cancel: @escaping @Sendable () -> Void) {
        takeBack = cancel
    }

    /// Takes the call back, where it has not begun yet.
    public func cancel() {
        takeBack()
    }
}

/// The clock of the machine.
///
/// What is scheduled is called on one thread, on which all operations decide, too: it must not block. What
/// takes its time or waits belongs in a task or on a queue, which it begins.
public struct SystemOperationClock: OperationClock {
    private static let origin = ContinuousClock.now

    public init() {}

    public var now: Duration { ContinuousClock.now - Self.origin }

    public func schedule(
        at instant: Duration, _ action: @escaping @Sendable () -> Void
    ) -> ScheduledAction {
        let number = PolicyExecutor.shared.add(due: instant.nanoseconds, action)
        return ScheduledAction { PolicyExecutor.shared.remove(number) }
    }
}
