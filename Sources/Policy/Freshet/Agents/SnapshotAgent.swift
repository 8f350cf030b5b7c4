/// Keeps a value up to date from elements that are each the whole answer.
///
/// ```swift
/// let agent = SnapshotAgent<LiveSnapshots, [Package]>(client.snapshots)
/// agent.subscribe(EntityQuery("package", where: "section == 'games'")) { snapshot in
///     do { return .update(try snapshot.decode(Package.self)) } catch { return .fault(error) }
/// }
/// ```
///
/// The callback decides what becomes of each element; it is pure and is called for one element at a
/// time. An agent follows one query: subscribing again leaves the one before. A lost connection is
/// made again by the source, and what was shown stays. Releasing the agent cancels it.
public final class SnapshotAgent<Source: AgentSource, Value: Sendable>: Sendable {
    public typealias State = AgentState<Value?>

    private let source: Source
    private let core: AgentCore<Value?>

    public init(_ source: Source) {
        self.source = source
        core = AgentCore(State(value: nil))
    }

    deinit {
        core.abandon()
    }

    /// What is shown now; the value is nil before the first one.
    public var state: State { core.state }

    /// Follows `query` from its beginning, in place of the one before; the value of before is shown
    /// until the first element has come.
    public func subscribe(
        _ query: Source.Query,
        onReceive: @escaping @Sendable (Source.Element) -> AgentOutcome<Value>
    ) {
        core.begin(resumes: false) { state in
            state.status = .loading
            state.error = nil
        } _: { [source, core] course, position in
            let end = await source.follow(query, after: position) { signal in
                await core.take(signal, course, opens: { $0.value != nil }) { _, element in
                    switch onReceive(element) {
                    case .update(let value): .update(value)
                    case .ignore: .ignore
                    case .halt: .halt
                    case .fault(let error): .fault(error)
                    }
                }
            }
            core.finish(end, course)
        }
    }

    /// Leaves the query; the value stays.
    public func cancel() {
        core.end { $0.status = .idle }
    }

    /// Has `listener` told of each state from now on: one call at a time, in order, on any thread.
    public func observe(_ listener: @escaping @Sendable (State) -> Void) -> RunSubscription {
        core.listen(listener)
    }
}

extension AgentCore {
    /// What becomes of one signal of the source. Returns once all are told of it, or where the task is
    /// cancelled: the source is not read faster than listeners work.
    ///
    /// - Parameters:
    ///   - opens: Whether a connection alone, before any element, makes the state a success.
    ///   - sink: What is called behind the listeners for each element.
    ///   - judge: Makes something of an element.
    func take<Element: Sendable>(
        _ signal: AgentSignal<Element>, _ course: UInt64, opens: (State) -> Bool,
        sink: (@Sendable (Element, State) -> Void)? = nil,
        _ judge: (Value, Element) -> AgentOutcome<Value>
    ) async -> AgentVerdict {
        let told = Promise<Void>()
        let goesOn: Bool
        var halts = false
        switch signal {
        case .opened:
            goesOn = change(course, told: told) { state in
                guard opens(state), state.status == .loading else { return }
                state.status = .success
                state.error = nil
            }
        case .interrupted(let fault, _):
            goesOn = change(course, told: told) { state in
                state.status = .loading
                if let fault { state.error = fault }
            }
        case .element(let element, let position):
            // Off the lock; the value changes in this course only.
            let outcome = judge(state.value, element)
            if case .halt = outcome { halts = true }
            var tell: (@Sendable (State) -> Void)?
            if let sink { tell = { state in sink(element, state) } }
            goesOn = change(course, position: position, sink: tell, told: told) {
                $0.take(outcome)
            }
        }
        guard goesOn else { return .stop }
        await told.value(orLeaving: ())
        return halts ? .stop : .proceed
    }

    /// The source has ended.
    func finish(_ end: AgentEnd, _ course: UInt64) {
        change(course) { state in
            switch end {
            case .stopped, .cancelled, .exhausted: state.status = .idle
            case .refused(let fault):
                state.status = .failure
                state.error = fault
            }
        }
    }
}

extension AgentState {
    fileprivate mutating func take(_ outcome: AgentOutcome<Value>) {
        switch outcome {
        case .update(let value): self = AgentState(.success, value: value)
        case .ignore: break
        case .halt: status = .idle
        case .fault(let error):
            status = .failure
            self.error = error
        }
    }
}
