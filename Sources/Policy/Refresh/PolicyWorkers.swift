import Dispatch
import FreshetBase
import Glibc

/// Threads for what takes its time or waits: searches, fetches, files, code of the embedding program.
/// What does neither belongs on the `PolicyExecutor`.
///
/// Threads of their own, so that whatever else the process has on the common pool of tasks holds up
/// none: serial queues, since a concurrent one works on the threads of that pool. Few of them: each that
/// has gone to sleep costs a wake-up, which is more than most jobs. As an executor of tasks, and for
/// `perform`, each job goes to the next of them.
package final class PolicyWorkers: TaskExecutor {
    /// What threads are for; each has the name `freshet.<kind>.<number>`. Workers of one kind that belong to
    /// different owners hold up one another no more than others do.
    package enum Kind: String {
        /// Searches and first evaluations: slices of some milliseconds, which wait for nothing.
        case search
        /// Fetches are put together and their answers read, streams of upstreams followed: tasks, which
        /// wait without a thread.
        case fetch
        /// What is done now and then, one after the other, and may wait for a file or an engine, or take
        /// long: nobody's answer hangs on it but that of whoever has ordered it.
        case chore
        /// Code of the embedding program, and what may never come back: nobody else's work stands behind
        /// it.
        case foreign
    }

    /// Where fetches are put together and their answers read.
    package static let fetches = PolicyWorkers(.fetch, count: taskCount)
    /// Workers for streams of upstreams.
    package static let streams = PolicyWorkers(.fetch, count: taskCount)
    /// Reads and writes small files, one after the other.
    package static let files = PolicyWorkers(.chore)

    package static let cores = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
    private static let taskCount = min(4, max(1, cores / 2))

    private let lanes: [DispatchQueue]
    private let jobs = Counter()

    /// - Parameter count: Jobs at a time; 1: one after the other.
    package init(_ kind: Kind, count: Int = 1) {
        lanes = (0..<count).map {
            DispatchQueue(
                label: "freshet.\(kind.rawValue).\($0)",
                qos: kind == .chore ? .utility : .unspecified)
        }
    }

    /// How many there are.
    package var count: Int { lanes.count }

    /// The number of the one that the next job goes to.
    package func nextLane() -> Int {
        jobs.add()
        return Int(UInt(bitPattern: jobs.value) % UInt(lanes.count))
    }

    package func perform(_ work: @escaping @Sendable () -> Void) {
        perform(on: nextLane(), work)
    }

    /// - Parameter lane: For what has to follow other work of its own.
    package func perform(on lane: Int, _ work: @escaping @Sendable () -> Void) {
        lanes[lane].async(execute: work)
    }

    package func performAndWait(_ work: () -> Void) {
        lanes[nextLane()].sync(execute: work)
    }

    /// Runs `work` on a thread of its own: whatever becomes of it, nobody else waits for that.
    package static func performAlone(_ work: @escaping @Sendable () -> Void) {
        PolicyWorkers(.foreign).perform(work)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lanes[nextLane()].async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
