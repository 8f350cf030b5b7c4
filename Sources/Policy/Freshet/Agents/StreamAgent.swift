/// Folds a stream of events into a value.
///
/// ```swift
/// let counter = StreamAgent(client.events, query: "/v1/package?live=delta", initial: 0) {
///     count, event in event.name == "delta" ? .update(count + 1) : .ignore
/// }
/// let log = counter.sink { event, state in print(event.name, state.value) }
/// counter.start()
/// ```
///
/// The reducer is pure: the value of before and one event in, an outcome out. Sinks are told of each
/// event after the reducer, with the state that it has led to; they cannot change it. A fault leaves
/// the value as it is, and the next event goes on from there. A stopped agent that is started again
/// resumes behind the last event that was reduced. Releasing the agent cancels it.
public final class StreamAgent<Source: AgentSource, Value: Sendable>: Sendable {
    public typealias State = AgentState<Value>
    public typealias Reducer = @Sendable (Value, Source.Element) -> AgentOutcome<Value>
    public typealias Sink = @Sendable (Source.Element, State) -> Void

    private let source: Source
    private let query: Source.Query
    private let initial: Value
    private let reduce: Reducer
    private let core: AgentCore<Value>
    private let sinks = Registry<Sink>()

    /// Makes an agent that is idle until `start`.
    public init(
        _ source: Source, query: Source.Query, initial: Value, reduce: @escaping Reducer
    ) {
        self.source = source
        self.query = query
        self.initial = initial
        self.reduce = reduce
        core = AgentCore(State(value: initial))
    }

    deinit {
        core.abandon()
    }

    /// What is shown now; the initial value before the first event.
    public var state: State { core.state }

    /// Follows the stream, from its beginning the first time and later from where it was left. An
    /// agent that is at work begins a new connection.
    public func start() {
        core.begin(resumes: true) { state in
            state.status = .loading
            state.error = nil
        } _: { [source, query, reduce, core, sinks] course, position in
            let end = await source.follow(query, after: position) { signal in
                await core.take(
                    signal, course, opens: { _ in true },
                    sink: { event, state in for sink in sinks.items { sink(event, state) } }, reduce
                )
            }
            core.finish(end, course)
        }
    }

    /// Leaves the stream; value and position stay.
    public func stop() {
        core.end { $0.status = .idle }
    }

    /// Leaves the stream and forgets value and position.
    public func reset() {
        core.end(forgetsPosition: true) { [initial] in $0 = State(value: initial) }
    }

    /// Has `sink` told of each event once it is reduced: one call at a time, in order, on any
    /// thread, behind the observers of the state.
    public func sink(_ sink: @escaping Sink) -> RunSubscription {
        sinks.add(sink)
    }

    /// Has `listener` told of each state from now on: one call at a time, in order, on any thread.
    public func observe(_ listener: @escaping @Sendable (State) -> Void) -> RunSubscription {
        core.listen(listener)
    }
}
