import FreshetBase

/// The state of an agent, who listens to it, and which of its courses holds.
///
/// A course is one subscription of an agent; what an earlier one still says is dropped. Listeners are
/// called off the lock, one at a time and in the order of the changes: whoever finds nobody
/// delivering delivers, its own and what comes meanwhile. So a listener may stop or restart its
/// agent. A course goes on once all are told of its change (`told`): a slow listener makes the source
/// wait, not a queue grow, and who has called `start` delivers for one change of the course at most.
///
/// What the lock gives up, listeners and values of before, is destroyed behind it: it is the program's,
/// and may have the agent's own subscriptions in it.
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
    /// Courses whose change all have been told of.
    private var reached: [RunSubscription] = []

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
        let (old, number, position, before) = lock.withLock {
            let before = current
            course += 1
            if !resumes { self.position = "" }
            change(&current)
            announce(nil)
            defer { self.task = nil }
            return (self.task, course, self.position, before)
        }
        withExtendedLifetime(before) {}
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
        let (task, before) = lock.withLock {
            let before = current
            course += 1
            if forgetsPosition { position = "" }
            change(&current)
            announce(nil)
            defer { self.task = nil }
            return (self.task, before)
        }
        withExtendedLifetime(before) {}
        task?.cancel()
        deliver()
    }

    /// Ends the course without a word: nobody is left to listen.
    func abandon() {
        let (task, listeners, pending, reached) = lock.withLock {
            course += 1
            defer {
                self.reached = []
                self.task = nil
                self.listeners = [:]
                self.pending.removeAll()
            }
            return (self.task, self.listeners, self.pending, self.reached)
        }
        task?.cancel()
        withExtendedLifetime((listeners, pending, reached)) {}
    }

    /// Changes the state for the course `number`, if that is still the one.
    ///
    /// - Parameters:
    ///   - position: Where to resume from now on.
    ///   - sink: What is called behind the listeners, with the state as it is then.
    ///   - told: Fulfilled behind the sink, or where nobody is left to listen; not where the course is
    ///     over.
    /// - Returns: Whether the course goes on.
    @discardableResult
    func change(
        _ number: UInt64, position: String? = nil, sink: (@Sendable (State) -> Void)? = nil,
        told: Promise<Void>? = nil, _ change: (inout State) -> Void
    ) -> Bool {
        let replaced = lock.withLock { () -> State? in
            guard course == number else { return nil }
            let before = current
            change(&current)
            if let position { self.position = position }
            announce(sink)
            if let told {
                // Fulfilled where it is dropped, too.
                let end = RunSubscription { told.fulfil(()) }
                pending.append { [weak self] in self?.reach(end) }
            }
            return before
        }
        guard let replaced else { return false }
        withExtendedLifetime(replaced) {}
        deliver()
        return true
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
            let removed = lock.withLock { listeners.removeValue(forKey: number) }
            withExtendedLifetime(removed) {}
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
        // Behind the claim: a course that goes on finds nobody delivering, and does so itself.
        let reached = lock.withLock {
            defer { self.reached = [] }
            return self.reached
        }
        for end in reached { end.cancel() }
    }

    private func reach(_ end: RunSubscription) { lock.withLock { reached.append(end) } }
}
