import FreshetBase
import Freshet
import FreshetRefresh

/// A source whose signals the test makes, one after the other.
// SAFETY: all mutable state is read and written under `lock`.
final class ScriptedAgentSource: AgentSource, @unchecked Sendable {
    typealias Receive = @Sendable (AgentSignal<Int>) async -> AgentVerdict

    private let lock = Lock()
    private var asked: [(query: String, position: String)] = []
    private var receive: Receive?
    private var end: Promise<AgentEnd>?
    private var isCancelled = false
    private var waits: [(isDue: () -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    var queries: [String] { lock.withLock { asked.map(\.query) } }
    var positions: [String] { lock.withLock { asked.map(\.position) } }

    func follow(_ query: String, after position: String, _ receive: @escaping Receive) async
        -> AgentEnd
    {
        let end = Promise<AgentEnd>()
        return await withTaskCancellationHandler {
            change {
                asked.append((query, position))
                self.receive = receive
                isCancelled = false
                self.end = end
            }
            if Task.isCancelled { finish(.cancelled) }
            return await end.value()
        } onCancel: {
            change { isCancelled = true }
            finish(.cancelled)
        }
    }

    /// Sends a signal to the newest follower.
    @discardableResult
    func send(_ signal: AgentSignal<Int>) async -> AgentVerdict {
        let receive = lock.withLock { self.receive }
        return await receive?(signal) ?? .stop
    }

    func finish(_ how: AgentEnd) {
        lock.withLock { end }?.fulfil(how)
    }

    /// Waits until `count` have begun to follow.
    func followed(_ count: Int) async { await wait { [unowned self] in asked.count >= count } }

    /// Waits until the newest follower is cancelled.
    func cancelled() async { await wait { [unowned self] in isCancelled } }

    private func wait(until isDue: @escaping () -> Bool) async {
        await withCheckedContinuation { continuation in
            let isNow = lock.withLock {
                if !isDue() { waits.append((isDue, continuation)) }
                return isDue()
            }
            if isNow { continuation.resume() }
        }
    }

    private func change(_ body: () -> Void) {
        let due = lock.withLock {
            body()
            let due = waits.filter { $0.isDue() }
            waits.removeAll { $0.isDue() }
            return due
        }
        for wait in due { wait.continuation.resume() }
    }
}
