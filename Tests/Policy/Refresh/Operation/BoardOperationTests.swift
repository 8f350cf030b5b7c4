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

/// An operation whose work is a test's.
private final class Numbers: BoardOperation<Int>, @unchecked Sendable {
    /// What sees it.
    let watching: OperationBoard
    private let work: Work

    init(
        _ settings: OperationSettings = OperationSettings(),
        clock: ManualOperationClock = ManualOperationClock(), work: @escaping Work
    ) {
        self.work = work
        watching = OperationBoard(clock: clock)
        super.init(
            "numbers", kind: .query, upstreamName: "", settings, watching,
            count: { _ in nil })
    }

    override func perform(_ run: OperationRun<Int>) async throws -> Int { try await work(run) }

    /// Waits for a run; a caller that is cancelled is interested no more.
    func run() async throws -> Int {
        let result = Promise<Result<Int, any Error>>()
        let leave = enter { result.fulfil($0) }
        return try await result.value(orLeaving: .failure(CancellationError())) { leave() }.get()
    }
}

/// An operation with its tasks, on a clock that is moved by hand.
@Suite struct BoardOperationTests {
    /// Who looks at it sees one run behind another, and no end between them.
    @Test func aRestartIsNoEndForOthers() async throws {
        let clock = ManualOperationClock()
        let operation = Numbers(clock: clock) { run in
            try await Task.sleep(for: .seconds(3_600))
            return 1
        }
        let leave = operation.subscribe(isServed: true)
        defer { leave() }
        operation.start()
        let (turns, continuation) = AsyncStream.makeStream(of: Bool.self)
        let isLoading = SpecExpression.atom(.status([.loading], of: .other("numbers")))
        let watch = operation.watching.observe(isLoading, tellsFirst: true) {
            continuation.yield($0)
        }
        defer { watch.cancel() }
        for _ in 0..<3 { operation.start(restarting: true) }
        _ = operation.cancel()
        var seen: [Bool] = []
        for await turn in turns {
            seen.append(turn)
            if !turn { break }
        }
        #expect(seen == [true, false])
        #expect(operation.state.lastRun?.number == 4)
    }

    @Test func aRunIsToldInTheOrderOfTheContract() async throws {
        let story = Story()
        let operation = Numbers { run in
            run.yield(1)
            run.yield(2)
            return 3
        }
        let observation = operation.observe(story.take)
        #expect(try await operation.run() == 3)
        #expect(
            story.words == [
                "state idle", "state loading", "started 1 manual", "result 1 of several",
                "result 2 of several", "result 3", "ended 1 success", "state success",
            ])
        #expect(operation.state.valueVersion == 3)
        observation.cancel()
        _ = try await operation.run()
        #expect(story.words.count == 8, "who has left is told nothing")
    }

    @Test func equalRunsAreOneAndTheLastToLeaveAbortsIt() async throws {
        let gate = Gate()
        let ends = Gate()
        let operation = Numbers { _ in
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
        let first = Task { try await operation.run() }
        await gate.arrived(1)
        let second = Task { try await operation.run() }
        while operation.waiting < 2 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(operation.state.isLoading, "another one waits still")
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(gate.arrivals == 1)
        #expect(operation.state.status == .idle && operation.state.lastRun?.outcome == .cancelled)
        #expect(operation.state.failures == 0, "cancelled is not failed")
    }

    @Test func aDeadlineBoundsTheWhole() async throws {
        let clock = ManualOperationClock()
        let gate = Gate()
        var settings = OperationSettings()
        settings.deadline = .seconds(45)
        let operation = Numbers(settings, clock: clock) { _ in
            await gate.pass()
            return 1
        }
        let run = Task { try await operation.run() }
        await gate.arrived(1)
        clock.advance(by: .seconds(45))
        await #expect(throws: OperationError.deadlineExceeded) { try await run.value }
        gate.open()
        #expect(operation.state.status == .failure && operation.state.valueVersion == 0)
    }

    @Test func theFirstSubscriberRunsItAndTheLastCancelsAfterLingering() async throws {
        let clock = ManualOperationClock()
        let gate = Gate()
        var settings = OperationSettings()
        settings.linger = .seconds(2)
        let story = Story()
        let operation = Numbers(settings, clock: clock) { _ in
            await gate.pass()
            return 1
        }
        let observation = operation.observe(story.take)
        let leaveFirst = operation.subscribe(isServed: false)
        let leaveSecond = operation.subscribe(isServed: false)
        await gate.arrived(1)
        #expect(operation.state.subscribers == 2 && operation.state.run?.origin == .subscribe)
        leaveFirst()
        leaveSecond()
        #expect(operation.state.isLoading, "it lingers")
        clock.advance(by: .seconds(1))
        let leaveThird = operation.subscribe(isServed: false)
        clock.advance(by: .seconds(5))
        #expect(operation.state.isLoading, "one has come back in time")
        leaveThird()
        clock.advance(by: .seconds(2))
        #expect(operation.state.lastRun?.outcome == .cancelled)
        gate.open()
        observation.cancel()
    }

    @Test func aManualRunOutlivesItsSubscribers() async throws {
        let gate = Gate()
        let operation = Numbers { _ in
            await gate.pass()
            return 1
        }
        operation.start(.manual)
        await gate.arrived(1)
        operation.subscribe(isServed: false)()
        #expect(operation.state.isLoading)
        gate.open()
        #expect(try await operation.run() == 1)
    }

    @Test func aResetIgnoresWhatComesLate() async throws {
        let gate = Gate()
        let operation = Numbers { _ in
            await gate.pass()
            return 1
        }
        let generation = operation.state.generation
        let run = Task { try await operation.run() }
        await gate.arrived(1)
        operation.reset()
        await #expect(throws: OperationError.cancelled) { try await run.value }
        gate.open()
        #expect(!operation.yield(5, generation: generation), "a controller of before")
        #expect(operation.state.status == .idle && operation.state.generation == 1)
        #expect(try await operation.run() == 1)
        #expect(operation.state.valueVersion == 1)
    }

    @Test func aStopTellsWhoeverWaits() async throws {
        let gate = Gate()
        let operation = Numbers { _ in
            await gate.pass()
            return 1
        }
        let run = Task { try await operation.run() }
        await gate.arrived(1)
        operation.stop()
        await #expect(throws: OperationError.stopped) { try await run.value }
        await #expect(throws: OperationError.stopped) { try await operation.run() }
        gate.open()
    }

    @Test func aControllerYieldsBesideRuns() async throws {
        let story = Story()
        let operation = Numbers { _ in 1 }
        let observation = operation.observe(story.take)
        operation.yield(4)
        operation.yield(error: Failed(), keepsStatus: true)
        #expect(operation.state.status == .success && operation.state.failures == 1)
        operation.yield(error: Failed())
        #expect(operation.state.status == .failure && operation.state.hasValue, "the value stays")
        #expect(
            story.words == [
                "state idle", "result 1", "state success", "state success", "state failure",
            ])
        observation.cancel()
    }

    @Test func whatAValueLacksIsToldUntilAWholeOneComes() async throws {
        for keepsStatus in [true, false] {
            let operation = Numbers { _ in 1 }
            let status = keepsStatus ? OperationStatus.success : .failure
            func loses() -> Bool {
                operation.state.status == status && operation.state.failures == 1
                    && operation.state.error as? ControllerError == .missed("no JSON")
            }
            operation.yield(4)
            operation.yield(error: ControllerError.missed("no JSON"), keepsStatus: keepsStatus)
            operation.yield(5, isWhole: false)
            #expect(loses() && operation.state.valueVersion == 2)
            operation.yield(6)
            #expect(operation.state.status == .success && operation.state.error == nil)
            operation.yield(error: ControllerError.missed("no JSON"), keepsStatus: keepsStatus)
            #expect(loses())
            _ = try await operation.run()
            #expect(
                operation.state.status == .success && operation.state.error == nil,
                "a run is whole")
            // Of an upstream that has said so itself the next event is the end.
            operation.yield(error: ControllerError.stream("overheated"))
            operation.yield(7, isWhole: false)
            #expect(operation.state.status == .success && operation.state.error == nil)
        }
    }

    @Test func anErrorOfAConnectionIsOverWithTheNextOne() {
        for keepsStatus in [true, false] {
            let operation = Numbers { _ in 1 }
            operation.yield(error: ControllerError.connection("403"), keepsStatus: keepsStatus)
            operation.noteConnected()
            #expect(operation.state.status == .idle && operation.state.error == nil)
            operation.yield(4)
            operation.yield(error: ControllerError.connection("403"), keepsStatus: keepsStatus)
            #expect(operation.state.status == (keepsStatus ? .success : .failure))
            operation.noteConnected()
            #expect(operation.state.status == .success && operation.state.failures == 0)
            // What the stream itself has said is not.
            operation.yield(error: ControllerError.stream("overheated"), keepsStatus: keepsStatus)
            operation.noteConnected()
            #expect(operation.state.error as? ControllerError == .stream("overheated"))
            // What the value lacks is told behind a refused connection, too.
            operation.yield(error: ControllerError.missed("no JSON"), keepsStatus: keepsStatus)
            operation.yield(error: ControllerError.connection("403"), keepsStatus: keepsStatus)
            operation.noteConnected()
            #expect(operation.state.error as? ControllerError == .missed("no JSON"))
        }
    }

    @Test func theNewestOfWhatIsKnownIsTakenOver() {
        let operation = Numbers { _ in 1 }
        let now = WallTime.now.milliseconds
        operation.restore(updatedAt: now - 2_000, count: 5)
        operation.restore(updatedAt: now - 1_000, count: 6)
        operation.restore(updatedAt: now - 3_000, count: 7)
        #expect(operation.state.count == 6 && operation.state.valueUpdatedAt == now - 1_000)
        #expect(operation.state.status == .success && operation.state.valueVersion == 1)
        operation.yield(8)
        operation.yield(9)
        operation.restore(updatedAt: now + 60_000, count: 7)
        #expect(operation.state.valueVersion == 3, "a value of its own stays")
    }

    @Test func aSuccessorTakesTheWaitersOver() async throws {
        let gate = Gate()
        let numbers = Counter()
        let operation = Numbers { run in
            numbers.add()
            await gate.pass()
            return Int(run.number)
        }
        let waiting = Task { try await operation.run() }
        await gate.arrived(1)
        operation.start(.when, restarting: true)
        await gate.arrived(2)
        gate.open()
        #expect(try await waiting.value == 2)
        #expect(operation.state.valueVersion == 1)
    }
}
