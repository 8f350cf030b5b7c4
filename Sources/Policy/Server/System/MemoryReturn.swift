import FreshetBase
import FreshetRefresh

/// Now and then gives memory back to the system that the process had for a while: rows that were
/// replaced behind slow readers, a backlog, a burst of large answers.
// SAFETY: `next` and `hasStopped` are read and written on the policy executor only, `leftOver` by one look
// after the other.
final class MemoryReturn: @unchecked Sendable {
    /// From one look to the next.
    private static let interval = Duration.seconds(20)
    /// Unused bytes that are no reason to act.
    private static let slack = 64 << 20

    /// What could not be given back the last time. On `PolicyWorkers.files` only.
    private var leftOver = 0
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
                self?.look()
                PolicyExecutor.shared.perform { [weak self] in self?.schedule() }
            }
        }
    }

    private func look() {
        guard let unused = Self.unused else { return }
        leftOver = min(leftOver, unused)
        guard unused > leftOver + Self.slack else { return }
        ProcessMemory.giveBack()
        leftOver = Self.unused ?? 0
    }

    /// Bytes that the process has beyond what is in use and a quarter of that.
    private static var unused: Int? {
        let allocated = ProcessMemory.allocated
        return ProcessMemory.resident.map { max($0 - allocated - allocated / 4, 0) }
    }
}
