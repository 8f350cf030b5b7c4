import Dispatch
import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetRefresh

@Suite("Controllers behind their wall")
struct ControllerHostTests {
    private let clock = ManualOperationClock()
    private let operation = DrivenOperation()

    private func host(
        _ controller: ScriptedController, _ change: (inout ControllerBounds) -> Void = { _ in }
    ) -> ControllerHost {
        var bounds = ControllerBounds()
        change(&bounds)
        return ControllerHost(
            controller, kind: "test", of: operation, clock: clock, bounds: bounds)
    }

    private func whole(_ text: String) -> ControlledValue { ControlledValue(entities: [text]) }
    private func change(_ text: String) -> ControlledValue { ControlledValue(put: [text]) }

    @Test("A driven controller yields values, errors and reruns; left, it is cancelled")
    func life() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        #expect(host.report.state == .idle)
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        #expect(controls.operation == "todos")
        #expect(controls.yield(whole("a")))
        #expect(operation.log == ["store a", "stored"])
        clock.advance(by: .seconds(1))
        #expect(controls.yield(error: ControllerError.stream("oops")))
        clock.advance(by: .seconds(1))
        #expect(controls.canYieldRerun)
        #expect(controls.rerun())
        #expect(operation.log.suffix(2) == ["error oops keep", "rerun"])
        host.drive(false)
        await until { controller.cancelled == 1 }
        #expect(host.report.state == .idle)
        #expect(!controls.yield(whole("b")))
        #expect(!controls.rerun())
        #expect(!controls.canYieldRerun)
        #expect(operation.log.count == 4)
        #expect(host.report.counts.values == 1)
        #expect(host.report.counts.errors == 1)
        #expect(host.report.counts.reruns == 1)
        #expect(host.report.counts.late == 3)
    }

    @Test("Whatever its report shows otherwise is told, and errors by the operation alone")
    func shown() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        func isTold(_ change: () -> Void) async {
            let before = operation.shown
            change()
            await until { operation.shown > before }
        }
        await isTold { host.drive(true) }
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        await isTold { controls.describe("connected") }
        await isTold { controls.describe("connected", retryIn: .seconds(1)) }
        // What was told of before may come late, once.
        let before = operation.shown
        for number in 0..<100 { controls.yield(error: ControllerError.stream("oops \(number)")) }
        #expect(controls.yield(whole("a")))
        #expect(operation.shown <= before + 1)
        await isTold { host.drive(false) }
        #expect(!controls.yield(whole("b")))
    }

    @Test("That it follows is told where it changes, and is over with the session")
    func following() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        for isFollowing in [false, true, true, false, true] {
            controls.note(isFollowing: isFollowing)
        }
        host.drive(false)
        controls.note(isFollowing: true)
        let told = ["follows", "follows no more", "follows", "follows no more"]
        #expect(operation.log == told)
    }

    @Test("Who is told of a value sees it counted, and is told before whoever waits for it")
    func counted() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        let counts = Lines()
        operation.onNoted = { counts.add("\(host.report.counts.values)") }
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        #expect(await controls.deliver([whole("a")]) == nil)
        counts.add("delivered")
        operation.answers = [.notStored("full"), .badValue("one of two")]
        clock.advance(by: .seconds(1))
        #expect(await controls.deliver([change("b")]) == .notStored("full"))
        clock.advance(by: .seconds(1))
        #expect(await controls.deliver([change("c")]) == .badValue("one of two"))
        // A part of the third was stored, nothing of the second.
        #expect(counts.all == ["1", "delivered", "1"])
        #expect(host.report.counts.refused == 2)
        host.drive(false)
    }

    @Test("While automatic running is off a rerun is refused, and told so")
    func refusedRerun() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        operation.takesReruns = false
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        #expect(!controls.canYieldRerun)
        #expect(!controls.rerun())
        #expect(host.report.counts.refusedReruns == 1)
        operation.takesReruns = true
        #expect(controls.canYieldRerun)
        #expect(controls.rerun())
        #expect(operation.log == ["rerun"])
    }

    @Test("Reruns in a row become one each fifth of a second")
    func rerunFlood() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        for _ in 0..<1_000 { #expect(controls.rerun()) }
        #expect(operation.log == ["rerun"])
        clock.advance(by: .milliseconds(200))
        #expect(operation.log == ["rerun", "rerun"])
        clock.advance(by: .seconds(10))
        #expect(operation.log.count == 2)
    }

    @Test("One that throws is called again after 1 s, 2 s, 4 s; its error is on the operation")
    func throwing() async throws {
        let controller = ScriptedController { _ in throw ScriptedController.Failure.broken }
        let host = host(controller)
        host.drive(true)
        for (number, pause) in [1, 2, 4, 8].enumerated() {
            await until { host.report.counts.thrown == number + 1 }
            #expect(host.report.state == .pausing)
            clock.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(host.report.counts.starts == number + 1)
            clock.advance(by: .milliseconds(1))
        }
        await until { host.report.counts.thrown == 5 }
        #expect(operation.log.first == "error the controller threw: broken keep")
        host.drive(false)
        clock.advance(by: .seconds(100))
        #expect(host.report.counts.starts == 5)
        #expect(clock.scheduled == 0)
    }

    @Test("One that does not return is cut off after 5 s and costs one thread")
    func hanging() async throws {
        let gate = DispatchSemaphore(value: 0)
        let controller = ScriptedController { _ in gate.wait() }
        let host = host(controller)
        host.drive(true)
        await until { controller.controls.count == 1 }
        let controls = try #require(controller.controls.last)
        clock.advance(by: .seconds(5))
        #expect(host.report.state == .hung)
        #expect(host.report.counts.hangs == 1)
        #expect(operation.log == ["error \(ControllerError.hung.sentence) keep"])
        #expect(!controls.yield(whole("late")))
        for _ in 0..<10 {
            host.drive(false)
            host.drive(true)
        }
        clock.advance(by: .seconds(100))
        #expect(controller.controls.count == 1)
        // It comes back after all: what it set up is ended, and it is called again.
        gate.signal()
        await until { controller.cancelled == 1 }
        await until { host.report.state == .pausing }
        gate.signal()
        clock.advance(by: .seconds(1))
        await until { host.report.state == .running }
        #expect(controller.controls.count == 2)
    }

    @Test("Whole values replace each other while one is stored; the newest is stored")
    func wholeFlood() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        operation.holds = true
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        for number in 0..<10_000 { #expect(controls.yield(whole("\(number)"))) }
        operation.release()
        clock.advance(by: .milliseconds(10))
        operation.release()
        #expect(operation.log == ["store 0", "stored", "store 9999", "stored"])
        #expect(host.report.counts.values == 2)
        #expect(host.report.counts.replaced == 9_998)
        #expect(host.report.state == .running)
    }

    @Test("Changes that come while one is stored are stored as one, in order")
    func batches() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        operation.holds = true
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        for text in ["a", "b", "c"] { #expect(controls.yield(change(text))) }
        operation.release()
        #expect(operation.log == ["store a", "stored"])
        clock.advance(by: .milliseconds(10))
        operation.release()
        #expect(operation.log.suffix(2) == ["store b c", "stored"])
    }

    @Test("One that yields more changes than may wait is ended, and called again after a pause")
    func flood() async throws {
        let controller = ScriptedController()
        let host = host(controller) { $0.values = 100 }
        operation.holds = true
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        var taken = 0
        while controls.yield(change("x")) { taken += 1 }
        // One is being stored.
        #expect(taken == 101)
        await until { controller.cancelled == 1 }
        #expect(host.report.state == .pausing)
        #expect(host.report.counts.floods == 1)
        #expect(operation.log.last == "error \(ControllerError.flooded.sentence) keep")
        operation.release()
        clock.advance(by: .seconds(1))
        await until { host.report.state == .running }
        #expect(controller.controls.count == 2)
        // Nothing of what waited then is stored.
        #expect(operation.log.filter { $0.hasPrefix("store ") } == ["store x"])
    }

    @Test("Bytes are bounded as well; one value alone may be larger")
    func bytes() async throws {
        let controller = ScriptedController()
        let host = host(controller) { $0.bytes = 1_000 }
        operation.holds = true
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        let large = String(repeating: "x", count: 2_000)
        #expect(controls.yield(change("a")))
        #expect(controls.yield(change(large)))
        #expect(!controls.yield(change("b")))
        #expect(host.report.counts.floods == 1)
    }

    @Test("A value that cannot be stored is an error of the operation; the next one is stored")
    func notStored() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        operation.answers = [.notStored("the disk is full")]
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        #expect(controls.yield(whole("a")))
        clock.advance(by: .milliseconds(10))
        #expect(controls.yield(whole("b")))
        #expect(
            operation.log == [
                "store a", "stored",
                "error the controller's value could not be stored: the disk is full keep",
                "store b", "stored",
            ])
        #expect(host.report.counts.refused == 1)
        #expect(host.report.counts.values == 1)
    }

    @Test("An awaited value says when it is stored, or that it never will be")
    func awaited() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        #expect(await controls.deliver([whole("a")]) == nil)
        operation.holds = true
        operation.answers = [.notStored("full")]
        clock.advance(by: .seconds(1))
        let task = Task { await controls.deliver([change("b")]) }
        await until { operation.log.last == "store b" }
        let waiting = Task { await controls.deliver([change("c")]) }
        operation.release()
        #expect(await task.value == .notStored("full"))
        host.drive(false)
        #expect(await waiting.value == .ended)
        #expect(await controls.deliver([whole("d")]) == .ended)
    }

    @Test(
        "What a controller has yielded before it halts is stored; it stays ended until driven anew")
    func halt() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        controls.yield(change("a"))
        controls.yield(change("b"))
        controls.describe("why it has ended")
        controls.halt()
        clock.advance(by: .milliseconds(10))
        #expect(operation.log == ["store a", "stored", "store b", "stored"])
        #expect(host.report.state == .halted)
        #expect(host.report.activity == "why it has ended")
        #expect(!controls.yield(change("c")))
        clock.advance(by: .seconds(1_000))
        #expect(host.report.counts.starts == 1)
        host.drive(false)
        host.drive(true)
        await until { host.report.state == .running }
    }

    @Test("A controller may call its controls from within the call that stores its value")
    func reentrance() async throws {
        let controller = ScriptedController()
        let host = host(controller)
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        operation.onStore = { if $0 != "3" { controls.yield(ControlledValue(put: ["3"])) } }
        controls.yield(change("1"))
        clock.advance(by: .milliseconds(10))
        #expect(operation.log == ["store 1", "stored", "store 3", "stored"])
    }

    @Test(
        "Yields from many threads are all stored, those of a thread in order, with the seed shown")
    func threads() async throws {
        let seed = TestSeed.first
        print("seed \(seed)")
        let controller = ScriptedController()
        let host = host(controller) {
            $0.values = 100_000
            $0.pace = .zero
        }
        host.drive(true)
        await until { host.report.state == .running }
        let controls = try #require(controller.controls.last)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<250 {
                        if (UInt64(number) ^ seed) % 7 == 0 { await Task.yield() }
                        controls.yield(ControlledValue(put: ["\(thread).\(number)"]))
                    }
                }
            }
        }
        clock.advance(by: .seconds(1))
        let stored = operation.log.filter { $0.hasPrefix("store ") }
            .flatMap { $0.dropFirst(6).split(separator: " ").map(String.init) }
        #expect(stored.count == 1_000)
        for thread in 0..<4 {
            let own = stored.filter { $0.hasPrefix("\(thread).") }
            #expect(own == (0..<250).map { "\(thread).\($0)" })
        }
    }

    private func until(_ isSo: () -> Bool) async {
        let limit = ContinuousClock.now + .seconds(120)
        while !isSo() {
            guard ContinuousClock.now < limit else {
                Issue.record("it is never so")
                return
            }
            await Task.yield()
        }
    }
}

/// A controller that does as the test says and keeps its controls.
// SAFETY: all mutable state is read and written under `lock`.
final class ScriptedController: OperationController, @unchecked Sendable {
    enum Failure: Error { case broken }

    private let lock = Lock()
    private let body: @Sendable (OperationControls) throws -> Void
    private var given: [OperationControls] = []
    private var ends = 0

    init(_ body: @escaping @Sendable (OperationControls) throws -> Void = { _ in }) {
        self.body = body
    }

    var controls: [OperationControls] { lock.withLock { given } }
    var cancelled: Int { lock.withLock { ends } }

    func control(with controls: OperationControls) throws -> RunSubscription {
        lock.withLock { given.append(controls) }
        try body(controls)
        return RunSubscription { [self] in lock.withLock { ends += 1 } }
    }
}

/// What was told, in order.
// SAFETY: `lines` is read and written under `lock`.
private final class Lines: @unchecked Sendable {
    private let lock = Lock()
    private var lines: [String] = []

    var all: [String] { lock.withLock { lines } }

    func add(_ line: String) { lock.withLock { lines.append(line) } }
}

/// An operation that writes down what is done to it.
// SAFETY: all mutable state is read and written under `lock`.
final class DrivenOperation: ControlledOperation, @unchecked Sendable {
    let id = "todos"
    private let lock = Lock()
    private var lines: [String] = []
    private var isOn = true
    private var isHolding = false
    private var told = 0
    private var held: [@Sendable () -> Void] = []
    private var script: [ControllerError?] = []
    private var hook: (@Sendable (String) -> Void)?
    private var notedHook: (@Sendable () -> Void)?

    var log: [String] { lock.withLock { lines } }
    var takesReruns: Bool {
        get { lock.withLock { isOn } }
        set { lock.withLock { isOn = newValue } }
    }
    /// Storing waits for `release`.
    var holds: Bool {
        get { lock.withLock { isHolding } }
        set { lock.withLock { isHolding = newValue } }
    }
    var answers: [ControllerError?] {
        get { lock.withLock { script } }
        set { lock.withLock { script = newValue } }
    }
    var onStore: (@Sendable (String) -> Void)? {
        get { lock.withLock { hook } }
        set { lock.withLock { hook = newValue } }
    }

    func take(
        _ values: [ControlledValue],
        completion: @escaping @Sendable (_ count: Int?, ControllerError?) -> Void
    ) {
        let text = values.flatMap(\.put).map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: " ")
        let end: @Sendable () -> Void = { [self] in
            let answer = lock.withLock { () -> ControllerError? in
                lines.append("stored")
                return script.isEmpty ? nil : script.removeFirst()
            }
            completion(nil, answer)
        }
        let (mustWait, hook) = lock.withLock {
            lines.append("store " + text)
            if isHolding { held.append(end) }
            return (isHolding, self.hook)
        }
        hook?(text)
        if !mustWait { end() }
    }

    var onNoted: (@Sendable () -> Void)? {
        get { lock.withLock { notedHook } }
        set { lock.withLock { notedHook = newValue } }
    }

    func noteStored(count: Int?, isWhole: Bool) { onNoted?() }

    /// Ends what is being stored.
    func release() {
        let end = lock.withLock { held.isEmpty ? nil : held.removeFirst() }
        end?()
    }

    func take(error: any Error, fails: Bool) {
        let text = (error as? ControllerError)?.sentence ?? "\(error)"
        lock.withLock { lines.append("error \(text) \(fails ? "fail" : "keep")") }
    }

    func noteFollowing(_ isFollowing: Bool) {
        lock.withLock { lines.append(isFollowing ? "follows" : "follows no more") }
    }

    func rerun() -> Bool {
        lock.withLock { lines.append("rerun") }
        return true
    }

    func invalidate() { lock.withLock { lines.append("invalidate") } }

    func reset() {
        lock.withLock { lines.append("reset") }
    }

    /// How often it was told that it is shown otherwise.
    var shown: Int { lock.withLock { told } }

    func noteShown() { lock.withLock { told += 1 } }
}
