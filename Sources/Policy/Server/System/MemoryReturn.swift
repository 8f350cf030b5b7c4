import FreshetBase
import FreshetRefresh

/// Now and then gives memory back to the system that the process had for a while: rows that were
/// replaced behind slow readers, a backlog, a burst of large answers.
// SAFETY: `next` and `hasStopped` are read and written on the policy executor only.
final class MemoryReturn: @unchecked Sendable {
    /// From one look to the next.
    private static let interval = Duration.seconds(20)
    /// What the process has beyond what is in use, and beyond a quarter of that, without a reason to act.
    private static let slack = 64 << 20

    private let clock = SystemOperationClock()
    private var next: ScheduledAction?
    private var hasStopped = false

    func start() {
        PolicyExecutor.shared.perform { [self] in schedule() }
    }

    func stop() {
        PolicyExecutor.shared.perform { [self] in
            hasStopped = true
            next?.cancel()
            next = nil
        }
    }

    private func schedule() {
        guard !hasStopped else { return }
        next = clock.schedule(at: clock.now + Self.interval) { [weak self] in
            PolicyWorkers.files.perform { [weak self] in
                Self.look()
                PolicyExecutor.shared.perform { [weak self] in self?.schedule() }
            }
        }
    }

    private static func look() {
        guard let resident = ProcessMemory.resident else { return }
        let allocated = ProcessMemory.allocated
        if resident - allocated - allocated / 4 > slack { ProcessMemory.giveBack() }
    }
}
