import FreshetBase
import FreshetEngine
import FreshetQuery

// # The commit path of the file store
//
// All writes of a process go through one thread, one batch at a time:
//
//     take the whole queue → judge each transaction against what is stored and what the batch will
//     store → encode the accepted ones as one frame → pwrite → fdatasync → apply to the tables →
//     observer → answers
//
// so that nothing is visible before it is durable, and nothing is answered before it is visible.
// Batches form by themselves: while a sync runs, the next batch gathers in the queue. There is no
// timer that waits for more.
//
// Who owns what. The queue is shared and bounded (`CommitQueue`). The tables belong to readers and
// this thread (`EntityTables`): it alone changes them, under their lock, for each commit by itself.
// Everything in `CommitPath`, in its `BatchPlanner` (judge, encode, apply, answer) and in its
// `FileSink` (write, sync, what follows from failures) belongs to the writer thread, but for the
// figures, which status and metrics read.
//
// Failures. The log writer knows two (`LogFailure`):
//  * full: nothing of the batch is in the log, the file ends where it ended before. Sets get
//    `.storageFull`; removals are tried once more after the reserve file is given up. From then on
//    only removals are tried until, a second later at the earliest, space can be taken ahead again.
//  * failed: whether the batch is on the disk cannot be known, and a second sync would lie (the
//    kernel reports a lost page once). Its transactions get `.storageFailed(unknown: true)`, all
//    others `.storageFailed(unknown: false)`; the file is closed and not touched again; reads go
//    on at the last durable seq. `reopen` reads the log from the disk, takes over what it holds
//    beyond that seq, and begins anew.
//
// What this rests on: a sync that answers success has written all that was written before it. A device
// that takes part of a write for the whole of it cannot be found out by any call (a loop device on a
// sparse file whose file system is full: cases_disk.py has the evidence).
//
// Answers that depend on the batch (a failed condition that shows a document of it) wait for the
// batch and share its fate, because they would show what is not durable yet.
//
// A mark follows when the queue has been dry for 2 ms: it tells the file which seq is synced, which
// is what lets the next start tell a damaged last frame from an unfinished one.

/// The writer's side of a file store: takes what is queued, batch by batch. Used by one thread at a
/// time.
final class CommitPath {
    let planner: BatchPlanner
    let sink: FileSink
    private let queue: CommitQueue
    /// What came from the queue; empty between two batches.
    private var batch: [Submission] = []

    init(_ planner: BatchPlanner, _ sink: FileSink, queue: CommitQueue) {
        self.planner = planner
        self.sink = sink
        self.queue = queue
    }

    /// Runs until the queue is closed and empty.
    func run() {
        sink.considerCompaction()
        while step(waiting: true) {}
        sink.finish()
    }

    /// Does the next thing that is due.
    ///
    /// - Returns: false where the queue is closed and empty, or, not waiting, where nothing is due.
    func step(waiting: Bool) -> Bool {
        switch queue.take(into: &batch, waitingAtMost: waiting ? sink.patience : .zero) {
        case .batch:
            write(batch)
            batch.removeAll(keepingCapacity: batch.capacity <= 4_096)
            return true
        case .control(let control):
            control()
            return true
        case .timeout:
            if waiting { sink.idle() }
            return waiting
        case .closed:
            return false
        }
    }

    private func write(_ submissions: [Submission]) {
        sink.prepare()
        commit(submissions, retriesRemovals: true)
        sink.settle()
    }

    /// Plans, writes and answers `submissions` in as many batches as they take.
    private func commit(_ submissions: [Submission], retriesRemovals: Bool) {
        var index = 0
        while index < submissions.count {
            planner.plan(submissions, from: &index) { submission in
                sink.refusal(of: submission.transaction)
                    ?? (sink.phase == .ready
                        ? planner.lateness(of: submission, after: queue.overloadAfter) : nil)
            }
            endBatch(retriesRemovals: retriesRemovals)
        }
    }

    /// Writes, syncs, applies and answers the batch.
    private func endBatch(retriesRemovals: Bool) {
        let commits = planner.commits
        guard commits > 0 else {
            planner.answer()
            return
        }
        let start = MonotonicInstant.now
        if planner.isLogged {
            switch sink.append() {
            case .done: break
            case .full:
                refuseFull(retriesRemovals: retriesRemovals)
                return
            case .failed:
                planner.fail(
                    commits: .storageFailed(unknown: true),
                    others: .storageFailed(unknown: false))
                return
            }
        }
        planner.apply()
        planner.answer()
        sink.figures.commitDurations.record(
            MonotonicInstant.now.nanoseconds &- start.nanoseconds, times: commits)
    }

    /// No space: removals get another try with the reserve given up, all else is refused.
    private func refuseFull(retriesRemovals: Bool) {
        var removals: [Submission] = []
        for submission in planner.giveUp() {
            let transaction = submission.transaction
            let isRemoval = (0..<transaction.count).allSatisfy { transaction[$0].isRemoval }
            if retriesRemovals && isRemoval && sink.hasReserve {
                removals.append(submission)
            } else {
                submission.completion(.storageFull(sink.figures.status.reason))
            }
        }
        guard !removals.isEmpty else { return }
        sink.giveUpReserve()
        commit(removals, retriesRemovals: false)
    }
}
