import FreshetBase

/// Who is told of the events of a stream agent.
// SAFETY: all mutable state is read and written under `lock`.
final class AgentSinks<Element: Sendable, Value: Sendable>: @unchecked Sendable {
    typealias Sink = @Sendable (Element, AgentState<Value>) -> Void

    private let lock = Lock()
    private var sinks: [(number: UInt64, sink: Sink)] = []
    private var lastNumber: UInt64 = 0

    func add(_ sink: @escaping Sink) -> RunSubscription {
        let number = lock.withLock {
            lastNumber += 1
            sinks.append((lastNumber, sink))
            return lastNumber
        }
        return RunSubscription { [weak self] in
            guard let self else { return }
            lock.withLock { sinks.removeAll { $0.number == number } }
        }
    }

    func tell(_ element: Element, _ state: AgentState<Value>) {
        for entry in lock.withLock({ sinks }) { entry.sink(element, state) }
    }
}
