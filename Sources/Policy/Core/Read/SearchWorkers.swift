import FreshetBase
import FreshetEngine
import FreshetRefresh

/// Threads for work that would hold up an event loop: scans, large bodies.
///
/// One serial queue per core; a search runs in slices and goes to the end of its queue after each,
/// so that a short one behind a long one waits for a slice and no more.
package final class SearchWorkers: Sendable {
    /// Rows of one slice: about 5 ms.
    private static let sliceRows = 10_000
    /// Jobs that may wait or run at once; past it `.overloaded`.
    private static let capacity = 1_024

    private let workers = PolicyWorkers(.search, count: PolicyWorkers.cores)
    private let pending = Counter()

    func run(
        _ search: PreparedSearch, deadline: Deadline,
        isCancelled: @escaping @Sendable () -> Bool,
        completion: @escaping @Sendable (Result<SearchResult, CoreError>) -> Void
    ) {
        guard let lane = admit() else { return completion(.failure(.overloaded)) }
        let job = SearchJob(search, deadline: deadline, isCancelled: isCancelled)
        step(job, on: lane, completion: completion)
    }

    /// Runs `work` on a worker.
    ///
    /// - Returns: false where too much waits already; `work` is dropped then.
    package func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard let lane = admit() else { return false }
        workers.perform(on: lane) {
            work()
            self.pending.add(-1)
        }
        return true
    }

    private func admit() -> Int? {
        guard pending.value < Self.capacity else { return nil }
        pending.add()
        return workers.nextLane()
    }

    private func step(
        _ job: SearchJob, on lane: Int,
        completion: @escaping @Sendable (Result<SearchResult, CoreError>) -> Void
    ) {
        workers.perform(on: lane) {
            // Nobody is there to read the answer: the place goes to somebody who waits for one.
            guard !job.isCancelled() else { return self.pending.add(-1) }
            do throws(EngineError) {
                if try job.task.run(rows: Self.sliceRows) == .more {
                    return self.step(job, on: lane, completion: completion)
                }
                completion(.success(job.task.result))
            } catch {
                completion(.failure(.engine(error)))
            }
            self.pending.add(-1)
        }
    }
}

/// A search on its way from slice to slice.
// SAFETY: touched by one block of one serial queue at a time; the blocks follow one another.
private final class SearchJob: @unchecked Sendable {
    /// Made by the first slice: a choice that was left to it takes time.
    private(set) lazy var task = SearchTask(
        search.plan, on: search.table, by: search.choice, deadline: deadline)
    private let search: PreparedSearch
    private let deadline: Deadline
    let isCancelled: @Sendable () -> Bool

    init(
        _ search: PreparedSearch, deadline: Deadline,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.search = search
        self.deadline = deadline
        self.isCancelled = isCancelled
    }
}
