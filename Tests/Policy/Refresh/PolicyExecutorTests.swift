import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetRefresh

@Suite("The timers of the machine's clock")
struct PolicyExecutorTests {
    private let clock = SystemOperationClock()

    /// Called at `instant`, not before, and the promise of when.
    private func call(at instant: Duration) -> (promise: Promise<Duration>, action: ScheduledAction)
    {
        let promise = Promise<Duration>()
        return (promise, clock.schedule(at: instant) { [clock] in promise.fulfil(clock.now) })
    }

    @Test("Each is called once its time has come, in whatever order they were asked for")
    func order() async {
        let begin = clock.now
        let calls = [30, 0, 10, -5, 20].map { (milliseconds: Int) in
            let instant = begin + .milliseconds(milliseconds)
            return (instant, call(at: instant).promise)
        }
        for (instant, promise) in calls { #expect(await promise.value() >= instant) }
    }

    @Test("A call that is taken back may hold another one, which goes with it")
    func nested() {
        let manual = ManualOperationClock()
        for each in [clock, manual] as [any OperationClock] {
            func schedule() -> ScheduledAction {
                let inner = each.schedule(at: .seconds(1e9)) {}
                let end = RunSubscription { inner.cancel() }
                return each.schedule(at: .seconds(1e9)) { withExtendedLifetime(end) {} }
            }
            schedule().cancel()
        }
        #expect(manual.scheduled == 0)
    }

    @Test("What is taken back is not called, and what is beside it is")
    func removed() async {
        var span = Duration.milliseconds(20)
        while true {
            let calls = Counter()
            let instant = clock.now + span
            let taken = (0..<1_000).map { _ in clock.schedule(at: instant) { calls.add() } }
            let last = call(at: instant + .milliseconds(1)).promise
            for action in taken { action.cancel() }
            // Nothing is said where a slow machine took longer than that.
            let isInTime = clock.now < instant
            _ = await last.value()
            if isInTime {
                #expect(calls.value == 0)
                return
            }
            span *= 4
        }
    }

    @Test("An action may ask for another, and take one back that is due with it")
    func nested() async {
        let promise = Promise<Bool>()
        let instant = clock.now + .milliseconds(5)
        let clock = clock
        _ = clock.schedule(at: instant) {
            _ = clock.schedule(at: clock.now) { promise.fulfil(true) }
        }
        #expect(await promise.value())
    }
}
