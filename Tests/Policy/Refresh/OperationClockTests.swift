import FreshetBase
import Testing

@testable import FreshetRefresh

@Suite("The clock of tests")
struct ManualOperationClockTests {
    private let clock = ManualOperationClock()

    /// Schedules a call that schedules the next one, a second each, and counts them.
    private func chain(_ calls: Counter) {
        _ = clock.schedule(at: clock.now + .seconds(1)) {
            calls.add()
            chain(calls)
        }
    }

    @Test("An advance makes what is due by its end, what is scheduled meanwhile included")
    func advance() {
        let calls = Counter()
        chain(calls)
        clock.advance(by: .milliseconds(3_500))
        #expect(calls.value == 3 && clock.now == .milliseconds(3_500) && clock.scheduled == 1)
    }

    @Test("A step makes the next call alone, at its instant")
    func step() {
        let calls = Counter()
        chain(calls)
        for number in 1...3 {
            #expect(clock.advanceToNext())
            #expect(calls.value == number && clock.now == .seconds(number))
        }
        #expect(clock.scheduled == 1)
        #expect(!ManualOperationClock().advanceToNext())
    }

    @Test("Whoever waits for a call is told when it is scheduled, or was")
    func scheduled() async {
        await clock.scheduled(atLeast: 0)
        let one = Task { await clock.scheduled(atLeast: 1) }
        let two = Task { await clock.scheduled(atLeast: 2) }
        _ = clock.schedule(at: .seconds(1)) {}
        await one.value
        await clock.scheduled(atLeast: 1)
        _ = clock.schedule(at: .seconds(1)) {}
        await two.value
    }

    @Test("Whoever waits is let go by a cancellation, before and after the wait has begun")
    func cancelled() async {
        for _ in 0..<100 {
            let task = Task { await clock.scheduled(atLeast: 1) }
            task.cancel()
            await task.value
        }
    }
}
