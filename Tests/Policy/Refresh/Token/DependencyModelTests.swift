import FreshetTestSupport
import Testing

@testable import FreshetRefresh

/// What the rules say of a history of events, found by looking through all of it each time.
private struct History {
    enum Event {
        /// - `isFirst`: There was none before.
        case renewed(UInt64, expires: Duration?, isFirst: Bool)
        case stored(UInt64, expires: Duration?)
        case emptied
        case accepted(UInt64)
        case refused(UInt64)
        case critical
        case failed(until: Duration)
        case looped(until: Duration)
        case began
        case ended(Duration)
    }

    let policy: DependencyPolicy
    var events: [Event] = []

    /// The newest value among the first `count` events, with its place.
    func newest(_ count: Int) -> (version: UInt64, expires: Duration?, place: Int, fresh: Bool)? {
        for place in (0..<count).reversed() {
            switch events[place] {
            case .renewed(let version, let expires, let isFirst):
                return (version, expires, place, !isFirst)
            case .stored(let version, let expires): return (version, expires, place, false)
            case .emptied: return nil
            default: continue
            }
        }
        return nil
    }

    /// The row as it stood after the first `count` events.
    func row(_ count: Int) -> Int {
        var row = 0
        for place in 0..<count {
            guard let newest = newest(place) else {
                if case .emptied = events[place] { row = 0 }
                continue
            }
            switch events[place] {
            case .emptied, .stored: row = 0
            case .accepted(newest.version): row = 0
            case .refused(newest.version):
                let before = events[newest.place..<place]
                let isFirst = !before.contains {
                    switch $0 {
                    case .accepted(newest.version), .refused(newest.version): true
                    default: false
                    }
                }
                if newest.fresh, isFirst { row += 1 }
            default: break
            }
        }
        return row
    }

    var isCritical: Bool {
        for event in events.reversed() {
            switch event {
            case .critical: return true
            case .stored, .emptied: return false
            default: continue
            }
        }
        return false
    }

    var isRefreshing: Bool {
        for event in events.reversed() {
            switch event {
            case .began: return true
            case .ended, .stored, .emptied: return false
            default: continue
            }
        }
        return false
    }

    /// How long callers fail at once, and what they are told.
    var failure: (until: Duration, word: String)? {
        for (place, event) in events.enumerated().reversed() {
            switch event {
            case .failed(let until): return (until, "failed")
            case .looped(let until): return (until, "loop")
            case .accepted(newest(place)?.version):
                // It ends a loop, and no other failure.
                let before = History(policy: policy, events: Array(events[..<place])).failure
                return before?.word == "loop" ? nil : before
            case .renewed, .stored, .emptied: return nil
            default: continue
            }
        }
        return nil
    }

    /// Whether a refusal of `version`, which comes now, makes a loop.
    func makesLoop(_ version: UInt64) -> Bool {
        var after = self
        after.events.append(.refused(version))
        let row = after.row(after.events.count)
        return row > self.row(events.count) && row >= policy.maxRefreshes && !isRefreshing
            && !isCritical
    }

    var lastEnd: Duration? {
        for event in events.reversed() {
            switch event {
            case .ended(let time): return time
            case .stored, .emptied: return nil
            default: continue
            }
        }
        return nil
    }

    func isRefused(_ version: UInt64) -> Bool {
        events.contains { if case .refused(version) = $0 { true } else { false } }
    }

    func expected(refreshes: Int, attempts: Int, now: Duration) -> String {
        if isCritical { return "critical" }
        let newest = newest(events.count)
        let limit = 2 * policy.maxRefreshes + 2
        let wasRefused = newest.map { isRefused($0.version) } ?? false
        let failure = failure
        let isHealthy = newest != nil && !wasRefused && !isRefreshing && failure == nil
        if let newest, isHealthy, attempts < limit,
            newest.expires.map({ $0 > now + policy.skew }) ?? true
        {
            return "proceed \(newest.version)"
        }
        if refreshes >= policy.maxRefreshes || attempts >= limit { return "loop" }
        if isRefreshing { return "join" }
        if let failure, now < failure.until { return failure.word }
        if let lastEnd, now < lastEnd + policy.cooldown {
            if let newest, isHealthy, newest.expires.map({ $0 > now }) ?? true {
                return "proceed \(newest.version)"
            }
            return "failed"
        }
        return "start"
    }
}

private struct Step: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite("Dependencies against a model")
struct DependencyModelTests {
    typealias Machine = DependencyMachine<UInt64>

    private struct Caller {
        enum Place {
            case asking
            case using(UInt64)
            case waiting
            case gone
        }
        var request = Machine.Request()
        var place = Place.asking
    }

    @Test("Random interleavings do what the history says", arguments: [1, 2, 3])
    func interleavings(maxRefreshes: Int) {
        let seed = UInt64.random(in: 0 ... .max)
        print("dependency interleavings, maxRefreshes \(maxRefreshes): seed \(seed)")
        var random = Step(state: seed)
        var told: [String: Int] = [:]
        let words = ["proceed", "join", "start", "failed", "loop", "critical"]
        let isEveryOneMet = { words.allSatisfy { told[$0] != nil } }
        for _ in Rounds(400, until: isEveryOneMet) {
            let policy = DependencyPolicy(
                skew: .seconds(Int.random(in: 0...4, using: &random)), maxRefreshes: maxRefreshes,
                retryFailedAfter: .seconds(Int.random(in: 1...6, using: &random)),
                cooldown: .seconds([0, 0, 3].randomElement(using: &random) ?? 0))
            guard run(policy, &random, &told) else { return }
        }
        #expect(isEveryOneMet(), "\(told)")
    }

    /// One life of a dependency.
    private func run(
        _ policy: DependencyPolicy, _ random: inout Step, _ told: inout [String: Int]
    ) -> Bool {
        var machine = Machine(policy: policy, version: 0)
        var history = History(policy: policy)
        var callers: [Caller] = []
        var now = Duration.zero
        var lastVersion: UInt64 = 0
        var criticalFinders = 0
        for _ in 0..<120 {
            switch Int.random(in: 0..<100, using: &random) {
            case ..<15: callers.append(Caller())
            case ..<25: now += .seconds(Int.random(in: 1...3, using: &random))
            case ..<26:
                let lifetime = lifetime(&random)
                machine.store(lastVersion + 1, lifetime: lifetime, now: now)
                history.events.append(
                    .stored(machine.version, expires: lifetime.map { now + $0 }))
                wake(&callers)
                criticalFinders = 0
            case ..<27:
                machine.empty()
                history.events.append(.emptied)
                wake(&callers)
                criticalFinders = 0
            case ..<45:
                guard let number = machine.refresh else { continue }
                let end = end(after: lastVersion, &random)
                let wasCritical = machine.isCritical
                let isFirst = history.newest(history.events.count) == nil
                let settlement = machine.finish(number, with: end, began: now, now: now)
                history.events.append(.ended(now))
                switch end {
                case .renewed(let value):
                    history.events.append(
                        .renewed(
                            machine.version, expires: value.lifetime.map { now + $0 },
                            isFirst: isFirst))
                case .failed, .timedOut:
                    if !wasCritical {
                        history.events.append(.failed(until: now + policy.retryFailedAfter))
                    }
                case .critical:
                    history.events.append(.critical)
                    if !wasCritical { criticalFinders += 1 }
                }
                #expect((settlement == nil) == wasCritical)
                for index in callers.indices {
                    guard case .waiting = callers[index].place else { continue }
                    if case .proceed(_, let version, let isRenewal) = settlement {
                        #expect(isRenewal == !isFirst)
                        if isRenewal { callers[index].request.refreshes += 1 }
                        callers[index].request.attempts += 1
                        callers[index].place = .using(version)
                    } else {
                        callers[index].place = .gone
                    }
                }
            default:
                guard !callers.isEmpty else { continue }
                let index = Int.random(in: 0..<callers.count, using: &random)
                switch callers[index].place {
                case .gone: callers.remove(at: index)
                case .waiting:
                    // A leaver changes nothing.
                    if Int.random(in: 0..<4, using: &random) == 0 { callers[index].place = .gone }
                case .asking:
                    guard ask(&callers[index], &machine, &history, now, &told) else { return false }
                case .using(let version):
                    let report = report(&random)
                    let wasCritical = machine.isCritical
                    let makesLoop = history.makesLoop(version)
                    let verdict = machine.judge(report, of: version, now: now)
                    switch report {
                    case .accepted:
                        history.events.append(.accepted(version))
                        #expect(verdict == .done)
                    case .refused:
                        history.events.append(.refused(version))
                        guard makesLoop else {
                            #expect(verdict == .again)
                            break
                        }
                        history.events.append(.looped(until: now + policy.retryFailedAfter))
                        let row = history.row(history.events.count)
                        #expect(verdict == .fail(.refreshLoop(refreshes: row, isFinder: true)))
                    case .critical:
                        if !wasCritical, machine.isCritical {
                            history.events.append(.critical)
                            criticalFinders += 1
                            for other in callers.indices {
                                if case .waiting = callers[other].place {
                                    callers[other].place = .gone
                                }
                            }
                        }
                    }
                    callers[index].place = verdict == .again ? .asking : .gone
                }
            }
            #expect(machine.version >= lastVersion)
            #expect(machine.isCritical == history.isCritical)
            #expect(criticalFinders == (machine.isCritical ? 1 : 0))
            #expect((machine.refresh != nil) == history.isRefreshing)
            lastVersion = machine.version
        }
        return true
    }

    private func ask(
        _ caller: inout Caller, _ machine: inout Machine, _ history: inout History,
        _ now: Duration, _ told: inout [String: Int]
    ) -> Bool {
        let expected = history.expected(
            refreshes: caller.request.refreshes, attempts: caller.request.attempts,
            now: now)
        let found: String
        switch machine.admit(&caller.request, now: now) {
        case .proceed(let value, let version):
            #expect(value == version)
            found = "proceed \(version)"
            caller.place = .using(version)
        case .join:
            found = "join"
            caller.place = .waiting
        case .start:
            #expect(!history.isRefreshing)
            history.events.append(.began)
            found = "start"
            caller.place = .waiting
        case .fail(let error):
            switch error {
            case .refreshFailed: found = "failed"
            case .refreshLoop: found = "loop"
            case .critical: found = "critical"
            case .tooManyWaiting: found = "full"
            }
            caller.place = .gone
        }
        told[String(found.prefix { $0 != " " }), default: 0] += 1
        #expect(found == expected, "\(history.events) at \(now) for \(caller.request)")
        return found == expected
    }

    private func wake(_ callers: inout [Caller]) {
        for index in callers.indices {
            if case .waiting = callers[index].place { callers[index].place = .asking }
        }
    }

    private func lifetime(_ random: inout Step) -> Duration? {
        Bool.random(using: &random) ? nil : .seconds(Int.random(in: 1...10, using: &random))
    }

    private func end(after version: UInt64, _ random: inout Step) -> Machine.RefreshEnd {
        switch Int.random(in: 0..<20, using: &random) {
        case ..<14: .renewed(RenewedValue(version + 1, lifetime: lifetime(&random)))
        case ..<17: .failed(reason: "failed")
        case ..<19: .timedOut
        default: .critical(reason: "critical")
        }
    }

    private func report(_ random: inout Step) -> Machine.Report {
        switch Int.random(in: 0..<20, using: &random) {
        case ..<8: .accepted
        case ..<19: .refused
        default: .critical(reason: "critical")
        }
    }
}
