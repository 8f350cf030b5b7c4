import FreshetBase

/// The state of an agent, who listens to it, and which of its courses holds.
///
/// A course is one subscription of an agent; what an earlier one still says is dropped. Listeners are
/// called off the lock, one at a time and in the order of the changes: whoever finds nobody
/// delivering delivers, its own and what comes meanwhile. So a listener may stop or restart its
/// agent.
// SAFETY: all mutable state is read and written under `lock`.
final class AgentCore<Value: Sendable>: @unchecked Sendable {
    typealias State = AgentState<Value>
    typealias Delivery = @Sendable () -> Void

    private let lock = Lock()
    private var current: State
    private var course: UInt64 = 0
    private var position = ""
    private var task: Task<Void, Never>?
    private var listeners: [UInt64: @Sendable (State) -> Void] = [:]
    private var lastListener: UInt64 = 0
    private var pending = ActionQueue<Delivery>()

    init(_ state: State) {
        current = state
    }

    var state: State { lock.withLock { current } }

    // MARK: Courses

    /// Ends the course before and begins another; `work` is given its number and where to resume.
    ///
    /// - Parameter resumes: Whether it goes on where the last has ended.
    func begin(
        resumes: Bool, changing change: (inout State) -> Void,
        _ work: @escaping @Sendable (_ course: UInt64, _ position: String) async -> Void
    ) {
        let (old, number, position) = lock.withLock {
            course += 1
            if !resumes { self.position = "" }
            change(&current)
            announce(nil)
            defer { self.task = nil }
            return (self.task, course, self.position)
        }
        old?.cancel()
        let task = Task { await work(number, position) }
        let isLate = lock.withLock {
            if course == number { self.task = task }
            return course != number
        }
        if isLate { task.cancel() }
        deliver()
    }

    /// Ends the course, where there is one.
    func end(forgetsPosition: Bool = false, changing change: (inout State) -> Void) {
        let task = lock.withLock {
            course += 1
            if forgetsPosition { position = "" }
            change(&current)
            announce(nil)
            defer { self.task = nil }
            return self.task
        }
        task?.cancel()
        deliver()
    }

    /// Ends the course without a word: nobody is left to listen.
    func abandon() {
        let task = lock.withLock {
            course += 1
            listeners = [:]
            pending.removeAll()
            defer { self.task = nil }
            return self.task
        }
        task?.cancel()
    }

    /// Changes the state for the course `number`, if that is still the one.
    ///
    /// - Parameters:
    ///   - position: Where to resume from now on.
    ///   - sink: What is called behind the listeners, with the state as it is then.
    /// - Returns: Whether the course goes on.
    @discardableResult
    func change(
        _ number: UInt64, position: String? = nil, sink: (@Sendable (State) -> Void)? = nil,
        _ change: (inout State) -> Void
    ) -> Bool {
        let isCurrent = lock.withLock {
            guard course == number else { return false }
            change(&current)
            if let position { self.position = position }
            announce(sink)
            return true
        }
        if isCurrent { deliver() }
        return isCurrent
    }

    // MARK: Listeners

    func listen(_ listener: @escaping @Sendable (State) -> Void) -> RunSubscription {
        let number = lock.withLock {
            lastListener += 1
            listeners[lastListener] = listener
            return lastListener
        }
        return RunSubscription { [weak self] in
            guard let self else { return }
            lock.withLock { _ = listeners.removeValue(forKey: number) }
        }
    }

    /// Under the lock: notes who is to be told of the state as it is now.
    private func announce(_ sink: (@Sendable (State) -> Void)?) {
        let state = current
        for number in listeners.keys.sorted() {
            pending.append { [weak self] in self?.listener(number)?(state) }
        }
        if let sink { pending.append { sink(state) } }
    }

    private func listener(_ number: UInt64) -> (@Sendable (State) -> Void)? {
        lock.withLock { listeners[number] }
    }

    private func deliver() {
        guard lock.withLock({ pending.claim() }) else { return }
        while let delivery = lock.withLock({ pending.next() }) { delivery() }
    }
}
