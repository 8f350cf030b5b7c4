import Dispatch
import FreshetBase
import Glibc

/// Where fetches, deliveries and streams run: on threads of their own, so that whatever else the
/// process has on the common pool of tasks holds up none.
///
/// Serial queues, since a concurrent one works on the threads of that pool. Few of them: each that has
/// gone to sleep costs a wake-up, which is more than most jobs.
package final class RemoteTaskExecutor: TaskExecutor {
    static let fetches = RemoteTaskExecutor("freshet.fetches")
    static let streams = RemoteTaskExecutor("freshet.follow")

    private static let laneCount = min(4, max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)) / 2))
    private let lanes: [DispatchQueue]
    private let jobs = Counter()

    package init(_ label: String) {
        lanes = (0..<Self.laneCount).map { DispatchQueue(label: "\(label).\($0)") }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.add()
        lanes[jobs.value % lanes.count].async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
