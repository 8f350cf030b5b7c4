import FreshetTestSupport
import Testing

@testable import FreshetRefresh

private struct Failed: Error, Equatable {
    let number: Int
}

/// What the contract says of a history of steps, each rule by itself and as plainly as it goes.
private struct Model {
    var status = OperationStatus.idle
    /// What a cancelled run goes back to.
    var before = OperationStatus.idle
    var run: UInt64?
    var origin = RunOrigin.manual
    var runs: UInt64 = 0
    var interested: Set<OperationMachine.Party> = []
    var version: UInt64 = 0
    var failures = 0
    var error: Failed?
    var hasError = false
    var subscribers = 0
    var isInvalidated = false
    var invalidatedDuringRun = false
    var isActive = true
    var generation: UInt64 = 0
    var last: (number: UInt64, outcome: RunOutcome)?
    /// Runs that have ended, in words.
    var past: [String] = []
    var results = 0

    mutating func begin(_ origin: RunOrigin, _ parties: Set<OperationMachine.Party>) {
        runs += 1
        run = runs
        self.origin = origin
        interested = parties
        before = status
        status = .loading
        invalidatedDuringRun = false
        results = 0
    }

    mutating func end(_ outcome: RunOutcome) {
        guard let run else { return }
        last = (run, outcome)
        past.append("\(run) \(outcome) \(results)")
        self.run = nil
        interested = []
        status = before
    }

    mutating func value() {
        version += 1
        failures = 0
        hasError = false
        error = nil
        before = .success
    }
}

/// Reads the actions of a machine in their order and holds them against the contract's.
private struct Watcher {
    private enum Place {
        case idle
        /// The state that says `loading` was told.
        case announced(UInt64)
        case running(UInt64)
        case ended
    }

    private var place = Place.idle
    private var ended: Set<UInt64> = []
    private var begun: Set<UInt64> = []
    private(set) var faults: [String] = []
    private(set) var results = 0

    mutating func take(_ action: OperationMachine.Action) {
        switch action {
        case .begin(let run):
            if !begun.insert(run.number).inserted { faults.append("\(run.number) begun twice") }
        case .abort(let run):
            if !begun.contains(run) { faults.append("\(run) aborted before it was begun") }
        case .tell(.state(let state)):
            switch (place, state.run) {
            case (.idle, let run?): place = .announced(run.number)
            case (.ended, nil): place = .idle
            case (.running(let number), let run?) where run.number == number: break
            case (.idle, nil): break
            default: faults.append("state of run \(String(describing: state.run)) at \(place)")
            }
        case .tell(.runStarted(let run)):
            if case .announced(run.number) = place {
                place = .running(run.number)
            } else {
                faults.append("started \(run.number) at \(place)")
            }
        case .tell(.result(let run?, _, _, _)):
            results += 1
            if case .running(run) = place {} else { faults.append("result of \(run) at \(place)") }
        case .tell(.result): results += 1
        case .tell(.runEnded(let run, _)):
            if case .running(run.number) = place {
                place = .ended
            } else {
                faults.append("ended \(run.number) at \(place)")
            }
            if !ended.insert(run.number).inserted { faults.append("\(run.number) ended twice") }
        case .publish, .noteNoRun, .end, .linger, .deadline, .greet: break
        }
    }
}

/// Random histories of one operation against the model.
@Suite struct OperationMachineModelTests {
    private struct World {
        var machine = OperationMachine(.init(linger: .seconds(2), deadline: nil))
        var model = Model()
        var watcher = Watcher()
        var now = Duration.zero
        var waiters: Set<UInt64> = []
        var nextWaiter: UInt64 = 0
        /// Waiters that were told of an end.
        var told: Set<UInt64> = []
        var lingersUntil: Duration?
        var steps: [String] = []

        var moment: OperationMachine.Moment {
            .init(now: now, wall: 1_000 + Int64(now / .milliseconds(1)))
        }

        mutating func apply(
            _ body: (
                inout OperationMachine, OperationMachine.Moment, inout [OperationMachine.Action]
            )
                -> Void
        ) {
            var actions: [OperationMachine.Action] = []
            let moment = self.moment
            body(&machine, moment, &actions)
            for action in actions {
                watcher.take(action)
                switch action {
                case .end(let numbers, _):
                    for number in numbers {
                        #expect(told.insert(number).inserted, "waiter \(number) is told once")
                        waiters.remove(number)
                    }
                case .linger(let until): lingersUntil = until
                default: break
                }
            }
        }

        mutating func step(_ random: inout SeededGenerator) {
            switch Int.random(in: 0..<20, using: &random) {
            case 0...3:
                nextWaiter += 1
                let number = nextWaiter
                steps.append("enter \(number)")
                waiters.insert(number)
                apply { _ = $0.start(.manual, for: .waiter(number), at: $1, &$2) }
                if model.run == nil {
                    model.begin(.manual, [.waiter(number)])
                } else {
                    model.interested.insert(.waiter(number))
                }
            case 4:
                guard let number = waiters.sorted().randomElement(using: &random) else { return }
                steps.append("leave \(number)")
                waiters.remove(number)
                apply { $0.leave(.waiter(number), at: $1, &$2) }
                leave(.waiter(number))
            case 5...6:
                let origin = [RunOrigin.when, .every, .cron, .event].randomElement(using: &random)
                let restarts = Bool.random(using: &random)
                steps.append("trigger \(origin ?? .when) restarts: \(restarts)")
                apply {
                    _ = $0.start(
                        origin ?? .when, for: .trigger, restarting: restarts, at: $1, &$2)
                }
                if model.run == nil {
                    model.begin(origin ?? .when, [.trigger])
                } else if restarts {
                    let kept = model.interested
                    model.end(.superseded)
                    model.begin(origin ?? .when, kept.union([.trigger]))
                } else {
                    model.interested.insert(.trigger)
                }
            case 7:
                steps.append("service")
                apply { _ = $0.start(.manual, for: .service, at: $1, &$2) }
                if model.run == nil {
                    model.begin(.manual, [.service])
                } else {
                    model.interested.insert(.service)
                }
            case 8...9:
                let runs = Bool.random(using: &random)
                steps.append("subscribe runs: \(runs)")
                apply { $0.subscribe(runs: runs, at: $1, &$2) }
                model.subscribers += 1
                if model.subscribers == 1, runs, model.run == nil {
                    model.begin(.subscribe, [.subscribers])
                }
            case 10...11:
                steps.append("unsubscribe")
                apply { $0.unsubscribe(at: $1, &$2) }
                model.subscribers = max(model.subscribers - 1, 0)
            case 12:
                steps.append("time")
                now += .seconds(Int.random(in: 0...3, using: &random))
                guard let until = lingersUntil, until <= now else { return }
                lingersUntil = nil
                apply { $0.lingered(at: $1, &$2) }
                if model.subscribers == 0 { leave(.subscribers) }
            case 13...14: finish(&random)
            case 15: yield(&random)
            case 16:
                steps.append("cancel triggered")
                apply { $0.cancelTriggered(at: $1, &$2) }
                if model.origin == .when { model.end(.cancelled) }
            case 17:
                steps.append("cancel")
                apply { $0.cancel(at: $1, &$2) }
                model.end(.cancelled)
            case 18:
                steps.append("invalidate")
                apply { machine, _, actions in machine.invalidate(&actions) }
                model.isInvalidated = true
                model.invalidatedDuringRun = true
            default: reset(&random)
            }
        }

        private mutating func leave(_ party: OperationMachine.Party) {
            guard model.interested.remove(party) != nil, model.interested.isEmpty else { return }
            model.end(.cancelled)
        }

        private mutating func finish(_ random: inout SeededGenerator) {
            // Runs that are no more there come late.
            let run = UInt64.random(in: max(model.runs, 3) - 2...model.runs + 1, using: &random)
            let number = Int.random(in: 0..<100, using: &random)
            let isSuccess = Bool.random(using: &random)
            steps.append("finish \(run) \(isSuccess)")
            var counts = false
            apply {
                counts = $0.finish(
                    run: run, isSuccess ? .success(number) : .failure(Failed(number: number)),
                    at: $1, &$2)
            }
            #expect(counts == (model.run == run))
            guard model.run == run else { return }
            if isSuccess {
                model.value()
                model.results += 1
                if !model.invalidatedDuringRun { model.isInvalidated = false }
                model.end(.success)
            } else {
                model.failures += 1
                model.error = Failed(number: number)
                model.hasError = true
                model.before = .failure
                model.end(.failure)
            }
        }

        private mutating func yield(_ random: inout SeededGenerator) {
            let run = UInt64.random(in: max(model.runs, 2) - 1...model.runs + 1, using: &random)
            let generation = model.generation &- UInt64.random(in: 0...1, using: &random)
            var counts = false
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                steps.append("yield of run \(run)")
                apply { counts = $0.yield(run: run, count: 1, at: $1, &$2) }
                #expect(counts == (model.run == run))
                if counts {
                    model.value()
                    model.results += 1
                }
            case 1:
                steps.append("yield of generation \(generation)")
                apply { counts = $0.yield(generation: generation, count: 1, at: $1, &$2) }
                #expect(counts == (generation == model.generation))
                guard counts else { return }
                model.value()
                model.isInvalidated = false
                if model.run == nil { model.status = .success }
            default:
                let keeps = Bool.random(using: &random)
                steps.append("error of generation \(generation) keeps: \(keeps)")
                apply {
                    counts = $0.yield(
                        Failed(number: 7), generation: generation, keepsStatus: keeps, at: $1, &$2)
                }
                #expect(counts == (generation == model.generation))
                guard counts else { return }
                model.failures += 1
                model.error = Failed(number: 7)
                model.hasError = true
                if !keeps {
                    model.before = .failure
                    if model.run == nil { model.status = .failure }
                }
            }
        }

        private mutating func reset(_ random: inout SeededGenerator) {
            guard Int.random(in: 0..<3, using: &random) == 0 else {
                let isActive = Bool.random(using: &random)
                steps.append("active: \(isActive)")
                apply { machine, _, actions in machine.setActive(isActive, &actions) }
                model.isActive = isActive
                return
            }
            steps.append("reset")
            apply { $0.reset(at: $1, &$2) }
            let old = model
            model = Model()
            model.runs = old.runs
            model.subscribers = old.subscribers
            model.isActive = old.isActive
            model.generation = old.generation + 1
            model.last = old.run.map { ($0, .cancelled) }
            model.past = old.past
            if let run = old.run { model.past.append("\(run) cancelled \(old.results)") }
        }

        func check() {
            let state = machine.state
            #expect(state.status == model.status)
            #expect(state.run?.number == model.run)
            #expect(state.isLoading == (model.status == .loading))
            #expect(machine.parties == model.interested)
            #expect(state.valueVersion == model.version)
            #expect(state.failures == model.failures)
            #expect((state.error as? Failed) == model.error)
            #expect((state.error != nil) == model.hasError)
            #expect((state.errorUpdatedAt != nil) == model.hasError)
            #expect(state.subscribers == model.subscribers)
            #expect(state.isInvalidated == model.isInvalidated)
            #expect(state.isActive == model.isActive)
            #expect(state.generation == model.generation)
            #expect(state.lastRun?.number == model.last?.number)
            #expect(state.lastRun?.outcome == model.last?.outcome)
            #expect(waiters.isSubset(of: waitersOfTheRun), "nobody waits for nothing")
            var runs = model.past.suffix(20).reversed().map { $0 }
            if let run = model.run { runs.insert("\(run) under way \(model.results)", at: 0) }
            #expect(
                machine.runs.map {
                    "\($0.run.number) \($0.ended.map { "\($0.outcome)" } ?? "under way") \($0.results)"
                } == runs)
            #expect(watcher.faults.isEmpty, "\(watcher.faults)")
        }

        private var waitersOfTheRun: Set<UInt64> {
            var numbers: Set<UInt64> = []
            for case .waiter(let number) in machine.parties { numbers.insert(number) }
            return numbers
        }
    }

    @Test(arguments: 0..<40)
    func randomHistoriesGoAsTheModelSays(_ round: Int) {
        let seed = TestSeed.first &+ UInt64(round)
        var random = SeededGenerator(seed)
        var world = World()
        for _ in Rounds(400, until: { world.watcher.results > 0 }) {
            world.step(&random)
            world.check()
            if world.watcher.faults.isEmpty, world.machine.parties == world.model.interested {
                continue
            }
            Issue.record("seed \(seed): \(world.steps.suffix(12))")
            return
        }
        #expect(world.watcher.results > 0, "seed \(seed)")
    }

    @Test func whatAnErrorBearsIsForThoseWhoWaitAlone() {
        struct Laden: PassingError {
            let load: Int
            var lasting: any Error { Failed(number: 1) }
        }
        var machine = OperationMachine()
        var actions: [OperationMachine.Action] = []
        let moment = OperationMachine.Moment(now: .seconds(1), wall: 0)
        machine.start(.manual, for: .waiter(7), at: moment, &actions)
        actions = []
        _ = machine.finish(run: 1, .failure(Laden(load: 9)), at: moment, &actions)
        #expect(machine.state.error as? Failed == Failed(number: 1))
        #expect(machine.runs[0].error as? Failed == Failed(number: 1))
        var given: [any Error] = []
        for action in actions {
            switch action {
            case .tell(.runEnded(_, let error)): #expect(error as? Failed == Failed(number: 1))
            case .end([7], .failure(let error)): given.append(error)
            default: break
            }
        }
        #expect(given.map { ($0 as? Laden)?.load } == [9])
    }

    @Test func theLastRunsAreKeptWithWhatTheyBrought() {
        var machine = OperationMachine()
        machine.keptRuns = 2
        var actions: [OperationMachine.Action] = []
        for number in 1...3 as ClosedRange<UInt64> {
            let moment = OperationMachine.Moment(now: .seconds(Int(number)), wall: 0)
            machine.start(.manual, for: .service, at: moment, &actions)
            machine.record(attempts: Int(number), of: number)
            _ = machine.yield(run: number, count: 5, at: moment, &actions)
            let result: Result<Int?, any Error> =
                number == 3 ? .failure(Failed(number: 9)) : .success(7)
            _ = machine.finish(run: number, result, at: moment, &actions)
        }
        #expect(machine.runs.map(\.run.number) == [3, 2])
        #expect(machine.runs.map(\.run.attempts) == [3, 2])
        #expect(machine.runs.map(\.results) == [1, 2] && machine.runs.map(\.count) == [5, 7])
        #expect(machine.runs[0].error as? Failed == Failed(number: 9))
        #expect(machine.runs[1].error == nil)
        machine.reset(at: .init(now: .seconds(9), wall: 0), &actions)
        #expect(machine.runs.count == 2)
    }

    @Test func aDeadlineFailsTheRunAndAbortsIt() {
        var machine = OperationMachine(.init(deadline: .seconds(45)))
        var actions: [OperationMachine.Action] = []
        let start = OperationMachine.Moment(now: .seconds(1), wall: 0)
        machine.start(.manual, for: .waiter(1), at: start, &actions)
        let isArmed = actions.contains {
            if case .deadline(1, .seconds(46)) = $0 { true } else { false }
        }
        #expect(isArmed)
        actions = []
        let later = OperationMachine.Moment(now: .seconds(46), wall: 45_000)
        machine.passDeadline(of: 1, at: later, &actions)
        #expect(machine.state.status == .failure && machine.state.failures == 1)
        #expect(machine.state.lastRun?.outcome == .failure)
        #expect(machine.state.lastRun?.duration == .seconds(45))
        let isAborted = actions.contains { if case .abort(1) = $0 { true } else { false } }
        #expect(isAborted)
        #expect(!machine.finish(run: 1, .success(3), at: later, &actions), "it is too late")
        #expect(machine.state.valueVersion == 0)
    }
}

/// Random numbers that a seed decides (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
