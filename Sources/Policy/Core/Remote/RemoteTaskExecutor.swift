import Dispatch
import FreshetBase

/// Where fetches and deliveries run: on threads of their own, so that whatever else the process has
/// on the common pool of tasks holds up none.
///
/// Serial queues, since a concurrent one works on the threads of that pool.
final class RemoteTaskExecutor: TaskExecutor {
    private let lanes: [DispatchQueue]
    private let jobs = Counter()

    init(_ label: String) {
        lanes = (0..<4).map { DispatchQueue(label: "\(label).\($0)") }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.add()
        lanes[jobs.value % lanes.count].async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
