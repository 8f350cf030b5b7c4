import Testing

@testable import FreshetRefresh

/// One machine with the steps that the tables below are made of. Times are seconds.
private struct Scene {
    var machine: DependencyMachine<String>
    var now = Duration.zero

    init(_ policy: DependencyPolicy = DependencyPolicy()) {
        machine = DependencyMachine(policy: policy, version: 0)
    }

    mutating func admit(_ request: inout DependencyMachine<String>.Request) -> String {
        switch machine.admit(&request, now: now) {
        case .proceed(let value, let version): "\(value)@\(version)"
        case .join: "join"
        case .start(let number, let previous): "start \(number) \(previous ?? "-")"
        case .fail(let error): Self.word(error)
        }
    }

    /// What a new request is told.
    mutating func admit() -> String {
        var request = DependencyMachine<String>.Request()
        return admit(&request)
    }

    mutating func judge(
        _ report: DependencyMachine<String>.Report, of version: UInt64
    ) -> String {
        switch machine.judge(report, of: version, now: now) {
        case .done: "done"
        case .again: "again"
        case .fail(let error): Self.word(error)
        }
    }

    mutating func finish(
        _ number: UInt64, _ end: DependencyMachine<String>.RefreshEnd
    ) -> String {
        switch machine.finish(number, with: end, began: now, now: now) {
        case .proceed(let value, let version, _): "\(value)@\(version)"
        case .fail(let error): Self.word(error)
        case nil: "nothing"
        }
    }

    mutating func renew(_ number: UInt64, _ value: String, _ lifetime: Duration? = nil) -> String {
        finish(number, .renewed(RenewedValue(value, lifetime: lifetime)))
    }

    var state: String {
        let status = machine.status(now: now, waiting: 0)
        return "\(status.state)@\(status.version)\(status.isValid ? "" : " invalid")"
    }

    static func word(_ error: DependencyError) -> String {
        switch error {
        case .refreshFailed(_, let retryIn, let isFinder):
            "failed \(retryIn.components.seconds)\(isFinder ? " finder" : "")"
        case .refreshLoop(_, let isFinder): isFinder ? "loop finder" : "loop"
        case .critical(let reason, let isFinder): "critical \(reason)\(isFinder ? " finder" : "")"
        case .tooManyWaiting: "full"
        }
    }
}

@Suite("The rules of a dependency")
struct DependencyMachineTests {
    typealias Request = DependencyMachine<String>.Request

    @Test("The first use begins a refresh, others join it, and its value is used from then on")
    func acquire() {
        var scene = Scene()
        #expect(scene.state == "empty@0 invalid")
        #expect(scene.admit() == "start 1 -")
        #expect(scene.state == "refreshing@0 invalid")
        #expect(scene.admit() == "join")
        #expect(scene.renew(1, "a") == "a@1")
        #expect(scene.state == "ready@1")
        #expect(scene.admit() == "a@1")
    }

    @Test("A value that expires within the skew is renewed before it is used")
    func skew() {
        var scene = Scene(DependencyPolicy(skew: .seconds(30)))
        scene.machine.store("a", lifetime: .seconds(60), now: .zero)
        scene.now = .milliseconds(29_999)
        #expect(scene.admit() == "a@1")
        scene.now = .seconds(30)
        #expect(scene.admit() == "start 1 a")
        #expect(scene.admit() == "join")
        #expect(scene.renew(1, "b", .seconds(60)) == "b@2")
        #expect(scene.admit() == "b@2")
    }

    @Test("The newest version refused is used no more; older refusals ask again at no cost")
    func refusals() {
        var scene = Scene()
        scene.machine.store("a", lifetime: nil, now: .zero)
        #expect(scene.judge(.refused, of: 1) == "again")
        #expect(scene.state == "ready@1 invalid")
        #expect(scene.judge(.refused, of: 1) == "again")
        #expect(scene.admit() == "start 1 a")
        #expect(scene.judge(.refused, of: 1) == "again")
        #expect(scene.admit() == "join")
        #expect(scene.renew(1, "b") == "b@2")
        for _ in 0..<100 { #expect(scene.judge(.refused, of: 1) == "again") }
        #expect(scene.admit() == "b@2")
        #expect(scene.machine.counts.refreshes == 1)
        #expect(scene.machine.counts.refused == 103)
        #expect(scene.machine.counts.late == 102)
    }

    @Test("A request gets as many renewals as the policy allows, then a loop is told")
    func loopOfRequest() {
        for maximum in 1...3 {
            var scene = Scene(DependencyPolicy(maxRefreshes: maximum))
            scene.machine.store("v", lifetime: nil, now: .zero)
            var request = Request()
            #expect(scene.admit(&request) == "v@1")
            for number in 1...UInt64(maximum) {
                #expect(scene.judge(.refused, of: number) == "again")
                #expect(scene.admit(&request).hasPrefix("start \(number)"))
                #expect(scene.renew(number, "v") == "v@\(number + 1)")
                // As the driver does for those who waited.
                request.refreshes += 1
                request.attempts += 1
                // Somebody else can use it: the dependency is in no loop.
                #expect(scene.judge(.accepted, of: number + 1) == "done")
            }
            #expect(scene.judge(.refused, of: UInt64(maximum) + 1) == "again")
            #expect(scene.admit(&request) == "loop")
            #expect(scene.state.hasPrefix("ready"))
            #expect(scene.machine.counts.refreshes == maximum)
        }
    }

    @Test("Renewed values refused in a row are a failure: fast until its time, then one is tried")
    func loopOfCredential() {
        for maximum in 1...3 {
            var scene = Scene(
                DependencyPolicy(maxRefreshes: maximum, retryFailedAfter: .seconds(30)))
            // The first acquisition is no refresh of the row.
            #expect(scene.admit() == "start 1 -")
            #expect(scene.renew(1, "v") == "v@1")
            #expect(scene.judge(.refused, of: 1) == "again")
            var newest: UInt64 = 1
            for _ in 1..<maximum {
                #expect(scene.admit() == "start \(newest + 1) v")
                #expect(scene.renew(newest + 1, "v") == "v@\(newest + 1)")
                newest += 1
                #expect(scene.judge(.refused, of: newest) == "again")
            }
            for round in 1...3 {
                #expect(scene.admit() == "start \(newest + 1) v")
                #expect(scene.admit() == "join")
                #expect(scene.renew(newest + 1, "v") == "v@\(newest + 1)")
                newest += 1
                #expect(scene.judge(.refused, of: newest) == "loop finder")
                #expect(scene.judge(.refused, of: newest) == "again")
                #expect(scene.state == "failed@\(newest) invalid")
                #expect(scene.machine.status(now: scene.now, waiting: 0).retryIn == .seconds(30))
                #expect(scene.machine.status(now: scene.now, waiting: 0).reason != nil)
                scene.now += .milliseconds(29_999)
                #expect(scene.admit() == "loop", "round \(round)")
                scene.now += .milliseconds(1)
            }
            #expect(scene.admit() == "start \(newest + 1) v")
            #expect(scene.renew(newest + 1, "w") == "w@\(newest + 1)")
            #expect(scene.judge(.accepted, of: newest + 1) == "done")
            // The row is over: the next refusal is the first of another.
            #expect(scene.judge(.refused, of: newest + 1) == "again")
            #expect(scene.admit() == "start \(newest + 2) w")
        }
    }

    @Test("A loop ends when its newest value is accepted after all; expiry does not end it")
    func loopAndAcceptance() {
        var scene = Scene(DependencyPolicy(skew: .zero))
        scene.machine.store("a", lifetime: nil, now: .zero)
        _ = scene.judge(.refused, of: 1)
        #expect(scene.admit() == "start 1 a")
        #expect(scene.renew(1, "b", .seconds(10)) == "b@2")
        #expect(scene.judge(.refused, of: 2) == "loop finder")
        scene.now = .seconds(20)
        #expect(scene.admit() == "loop")
        #expect(scene.judge(.accepted, of: 1) == "done")
        #expect(scene.admit() == "loop")
        #expect(scene.judge(.accepted, of: 2) == "done")
        #expect(scene.state == "ready@2 invalid")
        #expect(scene.admit() == "start 2 b")
    }

    @Test("Renewals of values that expire unused make no row")
    func expiryIsNoLoop() {
        var scene = Scene(DependencyPolicy(skew: .zero))
        for number in 1...5 as ClosedRange<UInt64> {
            #expect(scene.admit().hasPrefix("start \(number)"))
            #expect(scene.renew(number, "v", .seconds(10)) == "v@\(number)")
            scene.now += .seconds(10)
        }
        #expect(scene.admit().hasPrefix("start 6"))
    }

    @Test("A renewal that runs decides, whatever is said of the value before it")
    func loopBesideRenewal() {
        var scene = Scene(DependencyPolicy(skew: .seconds(5)))
        scene.machine.store("a", lifetime: nil, now: .zero)
        _ = scene.judge(.refused, of: 1)
        #expect(scene.admit() == "start 1 a")
        #expect(scene.renew(1, "b", .seconds(10)) == "b@2")
        scene.now = .seconds(6)
        #expect(scene.admit() == "start 2 b")
        #expect(scene.judge(.refused, of: 2) == "again")
        #expect(scene.admit() == "join")
        #expect(scene.renew(2, "c") == "c@3")
        #expect(scene.judge(.refused, of: 3) == "loop finder")
    }

    @Test("A failed refresh fails everybody fast until its time, then exactly one is tried")
    func halfOpen() {
        var scene = Scene(DependencyPolicy(retryFailedAfter: .seconds(30)))
        #expect(scene.admit() == "start 1 -")
        #expect(scene.finish(1, .failed(reason: "no")) == "failed 30 finder")
        #expect(scene.state == "failed@0 invalid")
        scene.now = .seconds(10)
        #expect(scene.admit() == "failed 20")
        scene.now = .milliseconds(29_999)
        #expect(scene.admit() == "failed 0")
        scene.now = .seconds(30)
        #expect(scene.admit() == "start 2 -")
        #expect(scene.admit() == "join")
        #expect(scene.finish(2, .timedOut) == "failed 30 finder")
        #expect(scene.admit() == "failed 30")
        scene.now = .seconds(60)
        #expect(scene.admit() == "start 3 -")
        #expect(scene.renew(3, "a") == "a@1")
        #expect(scene.machine.counts.failures == 2)
        #expect(scene.machine.counts.timeouts == 1)
    }

    @Test("A critical use is told to one finder; everybody fails until an operator acts")
    func criticalUse() {
        for operatorStores in [true, false] {
            var scene = Scene()
            scene.machine.store("a", lifetime: nil, now: .zero)
            #expect(scene.judge(.critical(reason: "x"), of: 1) == "critical x finder")
            #expect(scene.judge(.critical(reason: "y"), of: 1) == "critical x")
            #expect(scene.admit() == "critical x")
            scene.now = .seconds(1_000_000)
            #expect(scene.admit() == "critical x")
            #expect(scene.judge(.accepted, of: 1) == "done")
            #expect(scene.admit() == "critical x")
            if operatorStores {
                scene.machine.store("b", lifetime: nil, now: scene.now)
                #expect(scene.admit() == "b@2")
            } else {
                scene.machine.empty()
                #expect(scene.state == "empty@1 invalid")
                #expect(scene.admit() == "start 1 -")
            }
            // What is said of the old value comes too late.
            #expect(scene.judge(.critical(reason: "z"), of: 1) == "again")
        }
    }

    @Test("A critical refresh is critical; a value that comes in a critical phase is kept")
    func criticalRefresh() {
        var scene = Scene()
        #expect(scene.admit() == "start 1 -")
        #expect(scene.finish(1, .critical(reason: "x")) == "critical x finder")
        #expect(scene.admit() == "critical x")

        scene.machine.store("a", lifetime: nil, now: .zero)
        _ = scene.judge(.refused, of: 1)
        #expect(scene.admit() == "start 2 a")
        #expect(scene.judge(.critical(reason: "y"), of: 1) == "critical y finder")
        #expect(scene.renew(2, "b") == "nothing")
        #expect(scene.state == "critical@2 invalid")
        #expect(scene.admit() == "critical y")
    }

    @Test("An operator's value overtakes a refresh, whose result no longer counts")
    func overtaking() {
        var scene = Scene()
        #expect(scene.admit() == "start 1 -")
        scene.machine.store("mine", lifetime: nil, now: .zero)
        #expect(scene.renew(1, "late") == "nothing")
        #expect(scene.admit() == "mine@1")
        _ = scene.judge(.refused, of: 1)
        #expect(scene.admit() == "start 2 mine")
        scene.machine.empty()
        #expect(scene.admit() == "start 3 -")
        #expect(scene.finish(2, .failed(reason: "late")) == "nothing")
        #expect(scene.renew(3, "b") == "b@2")
    }

    @Test("In the cooldown a value near its expiry is used, and a refused one fails fast")
    func cooldown() {
        var scene = Scene(DependencyPolicy(skew: .seconds(30), cooldown: .seconds(5)))
        #expect(scene.admit() == "start 1 -")
        #expect(scene.renew(1, "a", .seconds(20)) == "a@1")
        scene.now = .seconds(4)
        #expect(scene.admit() == "a@1")
        scene.now = .seconds(5)
        #expect(scene.admit() == "start 2 a")
        #expect(scene.renew(2, "b") == "b@2")
        _ = scene.judge(.accepted, of: 2)
        _ = scene.judge(.refused, of: 2)
        #expect(scene.admit() == "failed 5")
        scene.now = .seconds(10)
        #expect(scene.admit() == "start 3 b")
    }

    @Test("Versions go on from where they are told to, and never back")
    func versions() {
        var machine = DependencyMachine<String>(policy: DependencyPolicy(), version: 41)
        machine.store("a", lifetime: nil, now: .zero)
        #expect(machine.version == 42)
        machine.empty()
        #expect(machine.version == 42)
        machine.store("b", lifetime: nil, now: .zero)
        #expect(machine.version == 43)
    }

    @Test("A request that only ever sees newer versions refused comes to an end")
    func attempts() {
        var scene = Scene()
        scene.machine.store("v", lifetime: nil, now: .zero)
        var request = Request()
        var told = scene.admit(&request)
        var uses = 0
        while told != "loop", uses < 100 {
            uses += 1
            let version = scene.machine.version
            scene.machine.store("v", lifetime: nil, now: .zero)
            _ = scene.judge(.refused, of: version)
            told = scene.admit(&request)
        }
        #expect(uses == 4)
    }
}
