import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetRefresh

extension Dependency {
    /// Gives others the processor until `count` callers wait.
    fileprivate func waiting(_ count: Int) async {
        while status.waiting != count { await Task.yield() }
    }
}

private struct Broken: Error {}

@Suite("Dependencies", .timeLimit(.minutes(2)))
struct DependencyTests {
    let clock = ManualOperationClock()

    private func dependency(_ policy: DependencyPolicy = DependencyPolicy()) -> Dependency<Int> {
        Dependency(policy: policy, clock: clock)
    }

    /// A refresh that gives 1, 2, 3… and says how often it ran.
    private func counting(_ counter: Counter) -> DependencyRefresh<Int> {
        DependencyRefresh { _ in
            counter.add()
            return .success(RenewedValue(counter.value))
        }
    }

    @Test("150 refusals of the same version, however late, cost one refresh")
    func lateRefusals() async throws {
        let dependency = dependency()
        dependency.store(0)
        let refreshes = Counter()
        let refresh = counting(refreshes)
        let first = Gate()
        let late = Gate()
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<150 {
                group.addTask {
                    try await dependency.run(
                        task: { value in
                            guard value == 0 else { return .success(value) }
                            await (number < 100 ? first : late).pass()
                            return .dependencyRequiresRefresh
                        }, refresh: refresh)
                }
            }
            await first.arrived(100)
            await late.arrived(50)
            first.open()
            var values: [Int] = []
            for _ in 0..<100 { values.append(try await group.next() ?? -1) }
            // All of the first are served by now: these refuse a version that is long replaced.
            late.open()
            for try await value in group { values.append(value) }
            return values
        }
        #expect(values == Array(repeating: 1, count: 150))
        #expect(refreshes.value == 1)
        let status = dependency.status
        #expect(status.version == 2)
        #expect(status.state == .ready)
        #expect(status.counts.refreshes == 1)
        #expect(status.counts.refused == 150)
        #expect(status.counts.late == 149)
        #expect(status.counts.accepted == 150)
    }

    /// A value that calls back as it goes.
    private final class Leaving: Sendable {
        private let leave: @Sendable () -> Void

        init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }

        deinit { leave() }
    }

    @Test("A value that is replaced or taken away may ask the dependency while it goes")
    func leavingValues() {
        let dependency = Dependency<Leaving>(clock: clock)
        let gone = Counter()
        for count in 0..<2 {
            dependency.store(
                Leaving { [weak dependency] in
                    if dependency?.status != nil { gone.add() }
                })
            #expect(gone.value == count)
        }
        dependency.empty()
        #expect(gone.value == 2)
    }

    @Test("A refresh goes on when everybody who waited for it leaves")
    func leavers() async throws {
        let dependency = dependency()
        let gate = Gate()
        let wasCancelled = Counter()
        let refresh = DependencyRefresh<Int> { _ in
            await gate.pass()
            if Task.isCancelled { wasCancelled.add() }
            return .success(RenewedValue(7))
        }
        let callers = (0..<5).map { _ in
            Task { try await dependency.run(task: { .success($0) }, refresh: refresh) }
        }
        await gate.arrived(1)
        await dependency.waiting(5)
        for caller in callers { caller.cancel() }
        for caller in callers {
            await #expect(throws: CancellationError.self) { try await caller.value }
        }
        #expect(dependency.status.waiting == 0)
        #expect(dependency.status.state == .refreshing)
        let joiner = Task { try await dependency.run(task: { .success($0) }, refresh: refresh) }
        await dependency.waiting(1)
        gate.open()
        #expect(try await joiner.value == 7)
        #expect(gate.arrivals == 1)
        #expect(wasCancelled.value == 0)
    }

    @Test("A caller that is cancelled already does not wait, and begins nothing")
    func cancelledBefore() async throws {
        let dependency = dependency()
        let refreshes = Counter()
        let refresh = counting(refreshes)
        let gate = Gate()
        let caller = Task {
            await gate.pass()
            return try await dependency.run(task: { .success($0) }, refresh: refresh)
        }
        await gate.arrived(1)
        caller.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(refreshes.value == 0)
        #expect(dependency.status.state == .empty)
    }

    @Test("As many as the policy allows wait; the next is turned away")
    func bounded() async throws {
        let dependency = dependency(DependencyPolicy(maxWaiting: 3))
        let gate = Gate()
        let refresh = DependencyRefresh<Int> { _ in
            await gate.pass()
            return .success(RenewedValue(1))
        }
        let callers = (0..<3).map { _ in
            Task { try await dependency.run(task: { .success($0) }, refresh: refresh) }
        }
        await dependency.waiting(3)
        await #expect(throws: DependencyError.tooManyWaiting(limit: 3)) {
            try await dependency.run(task: { .success($0) }, refresh: refresh)
        }
        gate.open()
        for caller in callers { #expect(try await caller.value == 1) }
    }

    @Test("A refresh that hangs ends with its time, for everybody, and what it brings is dropped")
    func timeout() async throws {
        let dependency = dependency(
            DependencyPolicy(refreshTimeout: .seconds(10), retryFailedAfter: .seconds(30)))
        let gate = Gate()
        let hanging = DependencyRefresh<Int> { _ in
            await gate.pass()
            return .success(RenewedValue(1))
        }
        let callers = (0..<4).map { _ in
            Task { try await dependency.run(task: { .success($0) }, refresh: hanging) }
        }
        await gate.arrived(1)
        await dependency.waiting(4)
        clock.advance(by: .seconds(10))
        var finders = 0
        for caller in callers {
            do {
                _ = try await caller.value
                Issue.record("a value from nowhere")
            } catch DependencyError.refreshFailed(let reason, let retryIn, let isFinder) {
                #expect(reason.contains("longer than"))
                #expect(retryIn == .seconds(30))
                finders += isFinder ? 1 : 0
            }
        }
        #expect(finders == 1)
        gate.open()
        #expect(dependency.status.state == .failed)
        let refreshes = Counter()
        let refresh = counting(refreshes)
        await #expect(throws: DependencyError.self) {
            try await dependency.run(task: { .success($0) }, refresh: refresh)
        }
        #expect(refreshes.value == 0)
        clock.advance(by: .seconds(30))
        #expect(try await dependency.run(task: { .success($0) }, refresh: refresh) == 1)
        #expect(dependency.status.version == 1)
        #expect(dependency.status.counts.timeouts == 1)
        #expect(clock.scheduled == 0)
    }

    @Test("A refresh that throws is failed, whatever it throws; only a stated reason is shown")
    func thrown() async throws {
        let errors: [(any Error, String)] = [
            (RefreshFailure(reason: "the endpoint is down"), "the endpoint is down"),
            (CancellationError(), "the refresh was cancelled"),
            (Broken(), "the refresh threw Broken"),
        ]
        for (error, reason) in errors {
            let dependency = dependency()
            await #expect(
                throws: DependencyError.refreshFailed(
                    reason: reason, retryIn: .seconds(30), isFinder: true)
            ) {
                try await dependency.run(
                    task: { (_: Int) in .success(0) }, refresh: { _ in throw error })
            }
            #expect(dependency.status.state == .failed)
            #expect(dependency.status.reason == reason)
        }
        let dependency = dependency()
        await #expect(throws: DependencyError.self) {
            try await dependency.run(
                task: { (_: Int) in .success(0) }, refresh: { _ in .dependencyRequiresRefresh })
        }
        #expect(dependency.status.reason == "the refresh was refused")
    }

    @Test("What a task throws is thrown on and says nothing about the value")
    func throwingTask() async throws {
        let dependency = dependency()
        dependency.store(1)
        await #expect(throws: Broken.self) {
            try await dependency.run(
                task: { _ -> DependencyResult<Int> in throw Broken() },
                refresh: { _ in throw Broken() })
        }
        #expect(dependency.status.isValid)
        #expect(dependency.status.counts.accepted == 0)
    }

    @Test("Values that are always refused: one renewal, a loop for all, and one more in its time")
    func loop() async throws {
        let dependency = dependency()
        let refreshes = Counter()
        let uses = Counter()
        let refresh = counting(refreshes)
        for call in 0..<5 {
            await #expect(throws: DependencyError.refreshLoop(refreshes: 1, isFinder: call == 0)) {
                try await dependency.run(
                    task: { _ -> DependencyResult<Int> in
                        uses.add()
                        return .dependencyRequiresRefresh
                    }, refresh: refresh)
            }
        }
        // The first value was acquired, the second renewed.
        #expect(refreshes.value == 2)
        #expect(uses.value == 2)
        #expect(dependency.status.state == .failed)
        #expect(dependency.status.counts.loops == 5)
        clock.advance(by: dependency.policy.retryFailedAfter)
        #expect(try await dependency.run(task: { .success($0) }, refresh: refresh) == 3)
        #expect(dependency.status.isValid)
    }

    @Test("A caller that is refused what others are not gets its refreshes and no more")
    func loopOfOneCaller() async throws {
        for maximum in 1...3 {
            let dependency = dependency(DependencyPolicy(maxRefreshes: maximum))
            dependency.store(0)
            let refreshes = Counter()
            let refresh = counting(refreshes)
            await #expect(
                throws: DependencyError.refreshLoop(refreshes: maximum, isFinder: false)
            ) {
                try await dependency.run(
                    task: { _ -> DependencyResult<Int> in
                        _ = try await dependency.run(task: { .success($0) }, refresh: refresh)
                        return .dependencyRequiresRefresh
                    }, refresh: refresh)
            }
            #expect(refreshes.value == maximum)
            #expect(dependency.status.state == .ready)
        }
    }

    @Test("Of many who meet a critical answer, or wait meanwhile, exactly one is the finder")
    func critical() async throws {
        let dependency = dependency()
        dependency.store(0)
        let gate = Gate()
        let refreshGate = Gate()
        let callers = (0..<50).map { _ in
            Task {
                try await dependency.run(
                    task: { _ -> DependencyResult<Int> in
                        await gate.pass()
                        return .criticalError(reason: "disabled")
                    }, refresh: { _ in throw Broken() })
            }
        }
        await gate.arrived(50)
        let waiter = Task {
            try await dependency.run(
                task: { _ -> DependencyResult<Int> in .dependencyRequiresRefresh },
                refresh: { _ in
                    await refreshGate.pass()
                    return .success(RenewedValue(1))
                })
        }
        await dependency.waiting(1)
        gate.open()
        var finders = 0
        for caller in callers + [waiter] {
            do {
                _ = try await caller.value
                Issue.record("a critical dependency was used")
            } catch DependencyError.critical(let reason, let isFinder) {
                #expect(reason == "disabled")
                finders += isFinder ? 1 : 0
            }
        }
        #expect(finders == 1)
        refreshGate.open()
        #expect(dependency.status.state == .critical)
        dependency.store(2)
        let value = try await dependency.run(
            task: { .success($0) }, refresh: { _ in throw Broken() })
        #expect(value == 2)
    }

    @Test("An operator's value serves those who wait; an empty one makes them ask again")
    func operators() async throws {
        let dependency = dependency()
        let gate = Gate()
        let runs = Counter()
        let refresh = DependencyRefresh<Int> { _ in
            runs.add()
            if runs.value == 1 { await gate.pass() }
            return .success(RenewedValue(runs.value))
        }
        let first = Task { try await dependency.run(task: { .success($0) }, refresh: refresh) }
        await gate.arrived(1)
        await dependency.waiting(1)
        dependency.store(100)
        #expect(try await first.value == 100)
        gate.open()

        let second = Gate()
        let held = DependencyRefresh<Int> { _ in
            await second.pass()
            return .success(RenewedValue(200))
        }
        dependency.empty()
        let asking = Task { try await dependency.run(task: { .success($0) }, refresh: held) }
        await second.arrived(1)
        await dependency.waiting(1)
        dependency.empty()
        await second.arrived(2)
        second.open()
        #expect(try await asking.value == 200)
        #expect(dependency.status.version == 2)
    }

    @Test("Versions grow and at most one refresh runs under any schedule")
    func storm() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("dependency storm: seed \(seed)")
        let dependency = Dependency<Int>(policy: DependencyPolicy(maxRefreshes: 3), clock: clock)
        let running = Counter()
        let overlaps = Counter()
        let made = Counter()
        let refresh = DependencyRefresh<Int> { _ in
            running.add()
            if running.value != 1 { overlaps.add() }
            await Task.yield()
            made.add()
            running.add(-1)
            return .success(RenewedValue(made.value))
        }
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<64 {
                group.addTask {
                    var state = seed &+ UInt64(caller)
                    for _ in 0..<50 {
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        let draw = state >> 33
                        // Loops may be told; nothing else.
                        do {
                            _ = try await dependency.run(
                                task: { value -> DependencyResult<Int> in
                                    await Task.yield()
                                    return draw % 5 == 0 && value % 2 == 1
                                        ? .dependencyRequiresRefresh : .success(value)
                                }, refresh: refresh)
                        } catch DependencyError.refreshLoop {
                        } catch {
                            Issue.record("\(error)")
                        }
                    }
                }
            }
        }
        #expect(overlaps.value == 0)
        #expect(dependency.status.version == UInt64(made.value))
        #expect(dependency.status.waiting == 0)
    }

    @Test("A value can be had without judging it")
    func acquire() async throws {
        let dependency = dependency()
        let refreshes = Counter()
        let refresh = counting(refreshes)
        #expect(try await dependency.value(refresh: refresh) == 1)
        #expect(try await dependency.value(refresh: refresh) == 1)
        #expect(refreshes.value == 1)
        #expect(dependency.status.counts.accepted == 0)
    }
}

@Suite("Nested dependencies", .timeLimit(.minutes(2)))
struct NestedDependencyTests {
    let clock = ManualOperationClock()

    /// An outer value is good from 1 on; an inner refresh with 0 is refused.
    private struct Pair {
        let outer: Dependency<Int>
        let inner: Dependency<String>
        let outerRefreshes = Counter()
        let innerRefreshes = Counter()

        init(_ clock: ManualOperationClock) {
            outer = Dependency(clock: clock)
            inner = Dependency(clock: clock)
        }

        func refresh(
            _ body:
                @escaping @Sendable (String?, Int) async throws -> DependencyResult<
                    RenewedValue<String>
                >
        ) -> DependencyRefresh<String> {
            let (outerRefreshes, innerRefreshes) = (outerRefreshes, innerRefreshes)
            return DependencyRefresh(
                within: outer,
                refreshOuter: DependencyRefresh { _ in
                    outerRefreshes.add()
                    return .success(RenewedValue(outerRefreshes.value))
                }
            ) { previous, session in
                innerRefreshes.add()
                return try await body(previous, session)
            }
        }
    }

    @Test("An inner refusal renews the outer once for everybody, and the inner starts over")
    func climbing() async throws {
        let pair = Pair(clock)
        pair.outer.store(0)
        pair.inner.store("old")
        let refresh = pair.refresh { previous, session in
            if session == 0 {
                #expect(previous == "old")
                return .dependencyRequiresRefresh
            }
            #expect(previous == nil)
            return .success(RenewedValue("new"))
        }
        let gate = Gate()
        let callers = (0..<100).map { _ in
            Task {
                try await pair.inner.run(
                    task: { value in
                        if value == "new" { return .success(value) }
                        await gate.pass()
                        return .dependencyRequiresRefresh
                    }, refresh: refresh)
            }
        }
        await gate.arrived(100)
        gate.open()
        for caller in callers { #expect(try await caller.value == "new") }
        #expect(pair.outerRefreshes.value == 1)
        #expect(pair.innerRefreshes.value == 2)
        #expect(pair.inner.status.counts.refreshes == 1)
        #expect(pair.inner.status.version == 2)
        #expect(pair.outer.status.version == 2)
    }

    @Test("Only refusals climb: other faults of an inner refresh leave the outer alone")
    func noClimbing() async throws {
        let results: [(DependencyResult<RenewedValue<String>>?, DependencyStatus.State)] = [
            (nil, .failed), (.criticalError(reason: "x"), .critical),
        ]
        for (result, state) in results {
            let pair = Pair(clock)
            pair.outer.store(5)
            let refresh = pair.refresh { _, _ in
                guard let result else { throw Broken() }
                return result
            }
            await #expect(throws: DependencyError.self) {
                try await pair.inner.run(task: { .success($0) }, refresh: refresh)
            }
            #expect(pair.inner.status.state == state)
            #expect(pair.outer.status.isValid)
            #expect(pair.outerRefreshes.value == 0)
        }
    }

    @Test("An inner refresh that is refused for ever costs one outer renewal each time, and fails")
    func loop() async throws {
        let pair = Pair(clock)
        pair.outer.store(0)
        let refresh = pair.refresh { _, _ in .dependencyRequiresRefresh }
        for _ in 0..<4 {
            await #expect(throws: DependencyError.self) {
                try await pair.inner.run(task: { .success($0) }, refresh: refresh)
            }
            #expect(pair.inner.status.state == .failed)
            #expect(pair.outer.status.state == .failed)
            clock.advance(by: .seconds(30))
        }
        #expect(pair.outerRefreshes.value == 4)
        #expect(pair.innerRefreshes.value == 5)
    }

    @Test("An outer that fails fails the inner; a critical one makes it critical")
    func outerFaults() async throws {
        for (isCritical, state) in [
            (false, DependencyStatus.State.failed), (true, DependencyStatus.State.critical),
        ] {
            let outer = Dependency<Int>(clock: clock)
            let inner = Dependency<String>(clock: clock)
            let refresh = DependencyRefresh<String>(
                within: outer,
                refreshOuter: DependencyRefresh { _ in
                    if isCritical { return .criticalError(reason: "gone") }
                    throw RefreshFailure(reason: "down")
                }
            ) { _, _ in .success(RenewedValue("never")) }
            await #expect(throws: DependencyError.self) {
                try await inner.run(task: { .success($0) }, refresh: refresh)
            }
            #expect(inner.status.state == state)
            #expect(inner.status.reason == (isCritical ? "gone" : "down"))
        }
    }

    @Test("Each attempt of a nested refresh has its own time, and the outer's renewal has another")
    func timeouts() async throws {
        let pair = Pair(clock)
        pair.outer.store(0)
        let first = Gate()
        let second = Gate()
        let refresh = pair.refresh { _, session in
            await (session == 0 ? first : second).pass()
            return session == 0 ? .dependencyRequiresRefresh : .success(RenewedValue("new"))
        }
        let caller = Task { try await pair.inner.run(task: { .success($0) }, refresh: refresh) }
        await first.arrived(1)
        clock.advance(by: .seconds(9))
        first.open()
        await second.arrived(1)
        clock.advance(by: .seconds(9))
        second.open()
        #expect(try await caller.value == "new")
        #expect(clock.scheduled == 0)
    }

    private struct Broken: Error {}
}
