import FreshetBase
import Testing

@testable import FreshetRefresh

/// Spans beyond what a clock counts: as good as endless, and the end of no program.
@Suite struct LongSpanTests {
    private static let spans: [Duration] = [
        .nanoseconds(Int64.max), .seconds(Int64.max), .seconds(Int64.max) * 10,
        .seconds(1e20),
    ]

    @Test(arguments: spans)
    func nanosecondsAreSaturated(span: Duration) {
        #expect(span.nanoseconds == .max)
        #expect((.zero - span).nanoseconds <= -Int64.max)
        #expect(span.addingSaturated(span).nanoseconds == .max)
        #expect(Duration.seconds(1).addingSaturated(span) >= span.saturated)
        #expect(span.subtractingSaturated(span) == .zero)
        #expect(!span.shortText.isEmpty)
        #expect(MonotonicInstant.now + span > .now)
    }

    @Test func ordinarySpansAreExact() {
        for span in [Duration.zero, .nanoseconds(1), .seconds(-5), .milliseconds(1_500)] {
            #expect(span.saturated == span)
            #expect(span.addingSaturated(.seconds(2)) == span + .seconds(2))
            #expect(span.subtractingSaturated(.seconds(2)) == span - .seconds(2))
        }
        #expect(Duration.milliseconds(1_500).nanoseconds == 1_500_000_000)
        #expect(Duration.seconds(-5).nanoseconds == -5_000_000_000)
    }

    @Test(arguments: spans)
    func clocksTakeThem(span: Duration) {
        let system = SystemOperationClock()
        system.schedule(at: span) {}.cancel()
        let manual = ManualOperationClock()
        for clock in [system, manual] as [any OperationClock] {
            let rhythm = Rhythm(every: span, on: clock) { true }
            rhythm.cancel()
        }
        manual.setWall(span)
        manual.advance(by: span)
        manual.advance(by: span)
        #expect(manual.now.nanoseconds == .max && manual.wallNow.nanoseconds == .max)
    }

    @Test(arguments: spans)
    func retriesAndDependenciesTakeThem(span: Duration) {
        let retry = OperationRetry(limit: 40, base: span, longest: span)
        #expect(retry.pause(repeats: 35, random: 0.5) != nil)
        var settings = OperationSettings()
        settings.linger = span
        settings.deadline = span
        settings.evictAfter = span
        settings.refetch.every = span
        settings.refetch.settle = span
        settings.refetch.minInterval = span
        settings.admit.maxWait = span
        settings.stale = [.age(over: span)]
        let board = OperationBoard(clock: ManualOperationClock(), effects: .inline)
        board.declare(
            conditions: [ConditionDeclaration("c")], specs: [:])
        board.attach("todos", settings, delegate: nil)
        _ = try? board.setConditions([ConditionWrite("c", true, ttl: span)])
        #expect(board.condition("c")?.value == true)
    }

    @Test("Instants beyond all calendars are nobody's, and the end of no program")
    func schedulesTakeThem() throws {
        let berlin = try #require(ZoneClock.named("Europe/Berlin"))
        for zone in [ZoneClock.utc, berlin] {
            let hourly = try CronSchedule("0 * * * *", zone: zone)
            #expect(hourly.next(after: .max) == nil)
        }
        let hourly = try CronSchedule("0 * * * *")
        #expect(hourly.next(after: .min) != nil)
        #expect(hourly.next(after: 0) == 3_600)
    }

    @Test("A dependency takes any number of refreshes, and at least one")
    func policiesTakeThem() async throws {
        var policy = DependencyPolicy(maxRefreshes: .max, maxWaiting: .max)
        let endless = Dependency<Int>(policy: policy, clock: ManualOperationClock())
        let refresh = DependencyRefresh<Int> { _ in .success(RenewedValue(7)) }
        let value: Int = try await endless.run(task: { .success($0) }, refresh: refresh)
        #expect(value == 7)
        policy.maxRefreshes = 0
        policy.maxWaiting = -1
        #expect(policy.maxRefreshes == 1 && policy.maxWaiting == 1)
        let least = Dependency<Int>(policy: policy, clock: ManualOperationClock())
        least.store(1)
        let renewed: Int = try await least.run(
            task: { $0 == 1 ? .dependencyRequiresRefresh : .success($0) }, refresh: refresh)
        #expect(renewed == 7)
    }
}
