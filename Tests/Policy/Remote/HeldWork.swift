import FreshetBase
import FreshetRefresh
import FreshetRemote

/// Work that goes on until the test ends it, or its task is cancelled.
// SAFETY: all mutable state is read and written under `lock`.
final class HeldWork: @unchecked Sendable {
    typealias Outcome = Result<Int, UpstreamError>

    private let lock = Lock()
    private var running: [Promise<Outcome>] = []
    private var startCount = 0
    private var wasCancelled = false
    private var signals: [(isDue: () -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    var starts: Int { lock.withLock { startCount } }
    var isCancelled: Bool { lock.withLock { wasCancelled } }

    @Sendable func run() async throws(UpstreamError) -> Int {
        let end = Promise<Outcome>()
        return try await withTaskCancellationHandler {
            change {
                startCount += 1
                running.append(end)
            }
            return await end.value()
        } onCancel: {
            change { wasCancelled = true }
        }.get()
    }

    /// Ends all runs.
    func end(_ outcome: Outcome) {
        let ended = lock.withLock {
            defer { running = [] }
            return running
        }
        for end in ended { end.fulfil(outcome) }
    }

    func started(_ count: Int) async { await wait { [unowned self] in startCount >= count } }
    func cancelled() async { await wait { [unowned self] in wasCancelled } }

    private func wait(until isDue: @escaping () -> Bool) async {
        await withCheckedContinuation { continuation in
            let isNow = lock.withLock {
                if !isDue() { signals.append((isDue, continuation)) }
                return isDue()
            }
            if isNow { continuation.resume() }
        }
    }

    private func change(_ body: () -> Void) {
        let due = lock.withLock {
            body()
            let due = signals.filter { $0.isDue() }
            signals.removeAll { $0.isDue() }
            return due
        }
        for signal in due { signal.continuation.resume() }
    }
}
