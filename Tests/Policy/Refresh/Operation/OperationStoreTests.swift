import FreshetBase
import FreshetRefresh
import FreshetTestSupport
import Testing

private struct Failed: Error {}

/// Notes what an observer is told, as words.
// SAFETY: all mutable state is read and written under `lock`.
private final class Story: @unchecked Sendable {
    private let lock = Lock()
    private var told: [String] = []
    private var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    var words: [String] { lock.withLock { told } }

    func take(_ event: OperationEvent) {
        let word =
            switch event {
            case .state(let state): "state \(state.status)"
            case .runStarted(let run): "started \(run.number) \(run.origin)"
            case .result(_, let version, _, let isFinal):
                "result \(version)\(isFinal ? "" : " of several")"
            case .runEnded(let run, _): "ended \(run.number) \(run.outcome)"
            }
        let seen = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            told.append(word)
            guard let watcher, watcher.count <= told.count else { return nil }
            self.watcher = nil
            return watcher.continuation
        }
        seen?.resume()
    }

    /// Waits until so many words were told.
    func reaches(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if told.count < count { watcher = (count, continuation) }
                return told.count >= count
            }
            if isThere { continuation.resume() }
        }
    }
}

/// An operation with its tasks, on a clock that is moved by hand.
@Suite struct OperationStoreTests {
    @Test func aRunIsToldInTheOrderOfTheContract() async throws {
        let story = Story()
        let store = OperationStore<Int>("numbers", clock: ManualOperationClock()) { run in
            run.yield(1)
            run.yield(2)
            return 3
        }
        let observation = store.observe(story.take)
        #expect(try await store.run() == 3)
        #expect(
            story.words == [
                "state idle", "state loading", "started 1 manual", "result 1 of several",
                "result 2 of several", "result 3", "ended 1 success", "state success",
            ])
        #expect(store.value == 3 && store.state.valueVersion == 3)
        observation.cancel()
        _ = try await store.run()
        #expect(story.words.count == 8, "who has left is told nothing")
    }

    @Test func equalRunsAreOneAndTheLastToLeaveAbortsIt() async throws {
        let gate = Gate()
        let ends = Gate()
        let store = OperationStore<Int>("numbers", clock: ManualOperationClock()) { _ in
            await withTaskCancellationHandler {
                await gate.pass()
            } onCancel: {
                gate.open()
            }
            let wasCancelled = Task.isCancelled
            await ends.pass()
            if wasCancelled { throw CancellationError() }
            return 7
        }
        ends.open()
        let first = Task { try await store.run() }
        await gate.arrived(1)
        let second = Task { try await store.run() }
        while store.waiting < 2 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(store.state.isLoading, "another one waits still")
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(gate.arrivals == 1)
        #expect(store.state.status == .idle && store.state.lastRun?.outcome == .cancelled)
        #expect(store.state.failures == 0, "cancelled is not failed")
    }

    @Test func aFailureIsRetriedOnTheClockAndCounted() async throws {
        let clock = ManualOperationClock()
        let gate = Gate()
        gate.open()
        let tries = Counter()
        let options = OperationOptions(
            retry: OperationRetry(limit: 2, base: .seconds(1), hasJitter: false))
        let store = OperationStore<Int>("numbers", options: options, clock: clock) { _ in
            tries.add()
            await gate.pass()
            if tries.value < 3 { throw Failed() }
            return 1
        }
        let run = Task { try await store.run() }
        await gate.arrived(1)
        await clock.scheduled(atLeast: 1)
        clock.advance(by: .seconds(1))
        await gate.arrived(2)
        await clock.scheduled(atLeast: 1)
        clock.advance(by: .milliseconds(1_999))
        #expect(gate.arrivals == 2, "the second pause is twice as long")
        clock.advance(by: .milliseconds(1))
        #expect(try await run.value == 1)
        #expect(store.state.lastRun?.attempts == 3)
        #expect(store.state.lastRun?.duration == .seconds(3))
    }

    @Test func aDeadlineBoundsTheWhole() async throws {
        let clock = ManualOperationClock()
        let gate = Gate()
        let options = OperationOptions(deadline: .seconds(45))
        let store = OperationStore<Int>("numbers", options: options, clock: clock) { _ in
            await gate.pass()
            return 1
        }
        let run = Task { try await store.run() }
        await gate.arrived(1)
        clock.advance(by: .seconds(45))
        await #expect(throws: OperationError.deadlineExceeded) { try await run.value }
        gate.open()
        #expect(store.state.status == .failure && store.state.valueVersion == 0)
    }

    @Test func theFirstSubscriberRunsItAndTheLastCancelsAfterLingering() async throws {
        let clock = ManualOperationClock()
        let gate = Gate()
        let options = OperationOptions(linger: .seconds(2), staleAfter: .seconds(60))
        let story = Story()
        let store = OperationStore<Int>("numbers", options: options, clock: clock) { _ in
            await gate.pass()
            return 1
        }
        let observation = store.observe(story.take)
        var first: RunSubscription? = store.subscribe()
        let second = store.subscribe()
        await gate.arrived(1)
        #expect(store.state.subscribers == 2 && store.state.run?.origin == .subscribe)
        first = nil
        second.cancel()
        #expect(first == nil && store.state.isLoading, "it lingers")
        clock.advance(by: .seconds(1))
        var third: RunSubscription? = store.subscribe()
        clock.advance(by: .seconds(5))
        #expect(store.state.isLoading, "one has come back in time")
        third = nil
        clock.advance(by: .seconds(2))
        #expect(third == nil && store.state.lastRun?.outcome == .cancelled)
        gate.open()
        observation.cancel()
    }

    @Test func aManualRunOutlivesItsSubscribers() async throws {
        let gate = Gate()
        let store = OperationStore<Int>("numbers", clock: ManualOperationClock()) { _ in
            await gate.pass()
            return 1
        }
        store.start(.manual)
        await gate.arrived(1)
        store.subscribe().cancel()
        #expect(store.state.isLoading)
        gate.open()
        #expect(try await store.run() == 1)
    }

    @Test func freshValuesAreNotFetchedForAFirstSubscriber() async throws {
        let clock = ManualOperationClock()
        let options = OperationOptions(staleAfter: .seconds(60))
        let store = OperationStore<Int>("numbers", options: options, clock: clock) { _ in 1 }
        _ = try await store.run()
        clock.advance(by: .seconds(60))
        var subscription: RunSubscription? = store.subscribe()
        #expect(store.state.lastRun?.number == 1 && !store.state.isLoading && !store.isStale)
        subscription = nil
        store.invalidate()
        #expect(subscription == nil && store.isStale)
    }

    @Test func aResetIgnoresWhatComesLate() async throws {
        let gate = Gate()
        let store = OperationStore<Int>("numbers", clock: ManualOperationClock()) { _ in
            await gate.pass()
            return 1
        }
        let generation = store.state.generation
        let run = Task { try await store.run() }
        await gate.arrived(1)
        store.reset()
        await #expect(throws: OperationError.cancelled) { try await run.value }
        gate.open()
        #expect(!store.yield(5, generation: generation), "a controller of before")
        #expect(store.state.status == .idle && store.value == nil && store.state.generation == 1)
        #expect(try await store.run() == 1)
        #expect(store.state.valueVersion == 1)
    }

    @Test func aStopTellsWhoeverWaits() async throws {
        let gate = Gate()
        let store = OperationStore<Int>("numbers", clock: ManualOperationClock()) { _ in
            await gate.pass()
            return 1
        }
        let run = Task { try await store.run() }
        await gate.arrived(1)
        store.stop()
        await #expect(throws: OperationError.stopped) { try await run.value }
        await #expect(throws: OperationError.stopped) { try await store.run() }
        gate.open()
    }

    @Test func aControllerYieldsBesideRuns() async throws {
        let story = Story()
        let store = OperationStore<Int>("numbers", clock: ManualOperationClock()) { _ in 1 }
        let observation = store.observe(story.take)
        store.yield(4)
        store.yield(error: Failed(), keepsStatus: true)
        #expect(store.state.status == .success && store.state.failures == 1 && store.value == 4)
        store.yield(error: Failed())
        #expect(store.state.status == .failure && store.value == 4, "the value is never lost")
        #expect(
            story.words == [
                "state idle", "result 1", "state success", "state success", "state failure",
            ])
        observation.cancel()
    }

    @Test func whatAValueLacksIsToldUntilAWholeOneComes() async throws {
        for keepsStatus in [true, false] {
            let store = OperationStore<Int>("numbers", clock: ManualOperationClock()) { _ in 1 }
            let status = keepsStatus ? OperationStatus.success : .failure
            func loses() -> Bool {
                store.state.status == status && store.state.failures == 1
                    && store.state.error as? ControllerError == .missed("no JSON")
            }
            store.yield(4)
            store.yield(error: ControllerError.missed("no JSON"), keepsStatus: keepsStatus)
            store.yield(5, isWhole: false)
            #expect(loses() && store.value == 5)
            store.yield(6)
            #expect(store.state.status == .success && store.state.error == nil)
            store.yield(error: ControllerError.missed("no JSON"), keepsStatus: keepsStatus)
            #expect(loses())
            _ = try await store.run()
            #expect(store.state.status == .success && store.state.error == nil, "a run is whole")
            // Of an upstream that has said so itself the next event is the end.
            store.yield(error: ControllerError.stream("overheated"))
            store.yield(7, isWhole: false)
            #expect(store.state.status == .success && store.state.error == nil)
        }
    }

    @Test func aSuccessorTakesTheWaitersOver() async throws {
        let gate = Gate()
        let numbers = Counter()
        let store = OperationStore<Int>("numbers", clock: ManualOperationClock()) { run in
            numbers.add()
            await gate.pass()
            return Int(run.number)
        }
        let waiting = Task { try await store.run() }
        await gate.arrived(1)
        store.start(.when, restarting: true)
        await gate.arrived(2)
        gate.open()
        #expect(try await waiting.value == 2)
        #expect(store.state.valueVersion == 1)
    }
}
