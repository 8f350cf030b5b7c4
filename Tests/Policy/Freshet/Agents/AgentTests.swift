import Dispatch
import Foundation
import FreshetBase
import Freshet
import FreshetRefresh
import Testing

@Suite("Agents")
struct AgentTests {
    private struct Bad: Error {}

    private let source = ScriptedAgentSource()

    private func text<Value>(_ state: AgentState<Value>) -> String {
        "\(state.status.rawValue) \(state.value)" + (state.error == nil ? "" : " error")
    }

    @Test("A snapshot agent shows what its callback makes of each element")
    func snapshots() async {
        let agent = SnapshotAgent<ScriptedAgentSource, String>(source)
        #expect(agent.state.status == .idle)
        let states = Told<String>()
        let observer = agent.observe { states.add("\($0.status.rawValue) \($0.value ?? "-")") }
        agent.subscribe("q") { number in
            switch number {
            case 13: .fault(Bad())
            case 99: .halt
            case 0: .ignore
            default: .update("n\(number)")
            }
        }
        await source.followed(1)
        #expect(source.queries == ["q"])
        await source.send(.opened)
        #expect(agent.state.status == .loading)
        #expect(await source.send(.element(1, position: "1")) == .proceed)
        #expect(await source.send(.element(13, position: "2")) == .proceed)
        #expect(agent.state.status == .failure)
        #expect(agent.state.value == "n1")
        #expect(agent.state.error is Bad)
        #expect(await source.send(.element(0, position: "3")) == .proceed)
        #expect(agent.state.status == .failure)
        #expect(await source.send(.element(2, position: "4")) == .proceed)
        #expect(agent.state.error == nil)
        #expect(await source.send(.element(99, position: "5")) == .stop)
        #expect(agent.state.status == .idle)
        #expect(agent.state.value == "n2")
        #expect(
            states.all == [
                "loading -", "loading -", "success n1", "failure n1", "failure n1", "success n2",
                "idle n2",
            ])
        observer.cancel()
        agent.cancel()
        #expect(states.all.count == 7)
    }

    @Test("Subscribing again leaves the query before, whose words no longer count")
    func again() async {
        let other = ScriptedAgentSource()
        let agent = SnapshotAgent<ScriptedAgentSource, Int>(source)
        agent.subscribe("a") { .update($0) }
        await source.followed(1)
        let old = Told<AgentVerdict>()
        await source.send(.element(1, position: "1"))
        agent.subscribe("b") { .update($0 * 10) }
        await source.followed(2)
        #expect(source.queries == ["a", "b"])
        #expect(source.positions == ["", ""])
        #expect(agent.state.status == .loading)
        #expect(agent.state.value == 1)
        await source.send(.element(2, position: "1"))
        #expect(agent.state.value == 20)
        _ = (other, old)
    }

    @Test("A lost connection keeps the value; the next one makes it a success again")
    func interrupted() async {
        let agent = SnapshotAgent<ScriptedAgentSource, Int>(source)
        agent.subscribe("a") { .update($0) }
        await source.followed(1)
        await source.send(.element(1, position: "1"))
        let fault = StreamFault(code: "unreachable", detail: "gone")
        await source.send(.interrupted(fault, retryIn: .seconds(1)))
        #expect(agent.state.status == .loading)
        #expect(agent.state.value == 1)
        #expect(agent.state.error as? StreamFault == fault)
        await source.send(.opened)
        #expect(agent.state.status == .success)
        #expect(agent.state.error == nil)
    }

    @Test("A released agent is cancelled, in a pause and while it follows")
    func released() async {
        var agent: SnapshotAgent<ScriptedAgentSource, Int>? = SnapshotAgent(source)
        agent?.subscribe("a") { .update($0) }
        await source.followed(1)
        agent = nil
        await source.cancelled()
        #expect(await source.send(.element(1, position: "1")) == .stop)

        var stream: StreamAgent<ScriptedAgentSource, Int>? = StreamAgent(
            source, query: "b", initial: 0
        ) { .update($0 + $1) }
        stream?.start()
        await source.followed(2)
        stream = nil
        await source.cancelled()
        #expect(agent == nil && stream == nil)
    }

    @Test("A stream agent folds events, and its sinks come after the reducer")
    func reducer() async {
        let agent = StreamAgent(source, query: "s", initial: 0) { sum, number in
            number == 13 ? .fault(Bad()) : .update(sum + number)
        }
        let told = Told<String>()
        let observer = agent.observe { told.add("state \($0.value)") }
        let sink = agent.sink { number, state in told.add("sink \(number) \(state.value)") }
        agent.start()
        await source.followed(1)
        await source.send(.opened)
        #expect(agent.state.status == .success)
        await source.send(.element(5, position: "a"))
        await source.send(.element(13, position: "b"))
        #expect(text(agent.state) == "failure 5 error")
        await source.send(.element(7, position: "c"))
        #expect(text(agent.state) == "success 12")
        #expect(
            told.all == [
                "state 0", "state 0", "state 5", "sink 5 5", "state 5", "sink 13 5", "state 12",
                "sink 7 12",
            ])
        sink.cancel()
        observer.cancel()
        await source.send(.element(1, position: "d"))
        #expect(told.all.count == 8)
    }

    @Test("A stream agent that is started again goes on behind the last event, with its value")
    func restart() async {
        let agent = StreamAgent(source, query: "s", initial: 100) { .update($0 + $1) }
        agent.start()
        await source.followed(1)
        await source.send(.element(1, position: "e.1"))
        agent.stop()
        #expect(text(agent.state) == "idle 101")
        #expect(await source.send(.element(50, position: "e.2")) == .stop)
        agent.start()
        await source.followed(2)
        #expect(source.positions == ["", "e.1"])
        await source.send(.element(2, position: "e.2"))
        #expect(agent.state.value == 103)
        agent.reset()
        #expect(text(agent.state) == "idle 100")
        agent.start()
        await source.followed(3)
        #expect(source.positions.last == "")
    }

    @Test("A source that refuses is a failure, one that ends is idle, and the value stays")
    func ends() async {
        let agent = StreamAgent(source, query: "s", initial: 1) { .update($0 + $1) }
        let states = Told<String>()
        let observer = agent.observe { states.add($0.status.rawValue) }
        agent.start()
        await source.followed(1)
        source.finish(.refused(StreamFault(code: "status", detail: "", status: 403)))
        await states.count(2)
        #expect(text(agent.state) == "failure 1 error")
        agent.start()
        await source.followed(2)
        source.finish(.exhausted)
        await states.count(4)
        #expect(states.all == ["loading", "failure", "loading", "idle"])
        observer.cancel()
    }

    @Test("A listener may stop and restart its agent")
    func reentrance() async {
        let agent = StreamAgent(source, query: "s", initial: 0) { .update($0 + $1) }
        let states = Told<String>()
        let observer = agent.observe { [unowned agent] state in
            states.add("\(state.status.rawValue) \(state.value)")
            if state.value == 1, state.status == .success { agent.stop() }
        }
        agent.start()
        await source.followed(1)
        #expect(await source.send(.element(1, position: "1")) == .proceed)
        #expect(states.all == ["loading 0", "success 1", "idle 1"])
        observer.cancel()
    }

    /// What is known of something that may be gone.
    private struct Remains {
        weak var held: Shared<RunSubscription?>?
    }

    /// Has an observer hold its own subscription, as nobody else does.
    private func observe(_ agent: StreamAgent<ScriptedAgentSource, Int>) -> Remains {
        let own = Shared<RunSubscription?>(nil)
        own.set(agent.observe { _ in withExtendedLifetime(own) {} })
        return Remains(held: own)
    }

    @Test("An observer may hold its own subscription, and goes with the agent")
    func observerHoldsItself() async {
        var agent: StreamAgent<ScriptedAgentSource, Int>? = StreamAgent(
            source, query: "s", initial: 0
        ) { .update($0 + $1) }
        let remains = agent.map { observe($0) }
        agent?.start()
        await source.followed(1)
        await source.send(.element(1, position: "1"))
        #expect(agent?.state.value == 1)
        #expect(remains?.held != nil)
        agent = nil
        await source.cancelled()
        #expect(remains?.held == nil)
    }

    @Test("An observer that is cancelled may hold the subscription of another")
    func nestedObservers() {
        let agent = StreamAgent(source, query: "s", initial: 0) { .update($0 + $1) }
        let states = Told<String>()
        func observe() -> RunSubscription {
            let inner = agent.observe { states.add($0.status.rawValue) }
            return agent.observe { _ in withExtendedLifetime(inner) {} }
        }
        let outer = observe()
        agent.reset()
        outer.cancel()
        agent.reset()
        #expect(states.all == ["idle"])
    }

    /// A value that calls back as it goes.
    private final class Leaving: Sendable {
        private let leave: @Sendable () -> Void

        init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }

        deinit { leave() }
    }

    @Test("A value that is replaced may ask the agent while it goes")
    func replacedValue() async {
        let agent = SnapshotAgent<ScriptedAgentSource, Leaving>(source)
        let told = Told<String>()
        agent.subscribe("q") { [weak agent] _ in
            .update(
                Leaving { [weak agent] in
                    if let agent { told.add(agent.state.status.rawValue) }
                })
        }
        await source.followed(1)
        await source.send(.element(1, position: "1"))
        #expect(told.all == [])
        await source.send(.element(2, position: "2"))
        #expect(told.all == ["success"])
    }

    /// Holds the first observer that comes until it is let go.
    private struct Door: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let hasCome = Shared(false)

        func pass() {
            if !hasCome.set(true) { gate.wait() }
        }

        func open() { gate.signal() }
    }

    @Test("A source goes on once observers have been told, whatever thread tells them")
    func slowObserver() async {
        let agent = StreamAgent(source, query: "s", initial: 0) { .update($0 + $1) }
        let door = Door()
        let told = Told<String>()
        let observer = agent.observe {
            door.pass()
            told.add("told \($0.value)")
        }
        // The thread that starts it tells what comes meanwhile, and comes back.
        let starter = Thread {
            agent.start()
            told.add("started")
        }
        starter.start()
        await source.followed(1)
        let sender = Task { [source] in
            await source.send(.element(5, position: "1"))
            told.add("sent")
        }
        while agent.state.value != 5 { await Task.yield() }
        door.open()
        await told.when { $0.contains("sent") && $0.contains("started") }
        await sender.value
        #expect(told.all.filter { $0 != "started" } == ["told 0", "told 5", "sent"])
        observer.cancel()
    }
}
