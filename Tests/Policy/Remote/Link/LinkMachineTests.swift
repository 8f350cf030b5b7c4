import FreshetRefresh
import Testing

@testable import FreshetRemote

@Suite("The rules of a link")
struct LinkMachineTests {
    private static let lost = UpstreamError.unreachable(.refused, detail: "")

    private func machine(_ change: (inout UpstreamSettings.Probe) -> Void) -> LinkMachine {
        var probe = UpstreamSettings.Probe(path: "/healthz")
        change(&probe)
        return LinkMachine(probe: probe, now: .zero)
    }

    private func plain() -> LinkMachine { LinkMachine(probe: nil, now: .zero) }

    @Test("At boot it is connected and not healthy")
    func boot() {
        let machine = plain()
        #expect(machine.state == .connected)
        #expect(!machine.isHealthy)
        #expect(machine.nextWake == nil)
    }

    @Test(
        "A failure disconnects, any answer connects at once", arguments: [200, 304, 404, 500, 503])
    func answers(status: Int) {
        var machine = plain()
        machine.failed(Self.lost, at: .seconds(1))
        #expect(machine.state == .disconnected)
        #expect(machine.since == .seconds(1))
        machine.answered(status: status, retryAfter: nil, at: .seconds(2))
        #expect(machine.state == .connected)
        #expect(machine.since == .seconds(2))
        #expect(machine.lastFailure?.error == Self.lost)
    }

    @Test("429 and 503 with Retry-After limit until then; other answers do not shorten it")
    func limited() {
        for status in [429, 503] {
            var machine = plain()
            machine.answered(status: status, retryAfter: .seconds(30), at: .seconds(10))
            #expect(machine.state == .limited)
            #expect(machine.nextWake == .seconds(40))
            machine.answered(status: 200, retryAfter: nil, at: .seconds(11))
            machine.answered(status: status, retryAfter: .seconds(1), at: .seconds(12))
            #expect(machine.state == .limited)
            _ = machine.wake(at: .seconds(39))
            #expect(machine.state == .limited)
            _ = machine.wake(at: .seconds(40))
            #expect(machine.state == .connected)
            #expect(machine.nextWake == nil)
        }
    }

    @Test("Retry-After of another status, and one of no time, do not limit")
    func unlimited() {
        var machine = plain()
        machine.answered(status: 500, retryAfter: .seconds(30), at: .zero)
        #expect(machine.state == .connected)
        machine.answered(status: 429, retryAfter: .zero, at: .zero)
        #expect(machine.state == .connected)
    }

    @Test("A link that is lost while it is limited comes back limited")
    func lostWhileLimited() {
        var machine = plain()
        machine.answered(status: 429, retryAfter: .seconds(60), at: .zero)
        machine.failed(Self.lost, at: .seconds(1))
        #expect(machine.state == .disconnected)
        machine.answered(status: 200, retryAfter: nil, at: .seconds(2))
        #expect(machine.state == .limited)
        _ = machine.wake(at: .seconds(60))
        #expect(machine.state == .connected)
    }

    @Test("Health needs rise good probes in a row to come and fall others to go")
    func health() {
        var machine = machine {
            $0.every = .seconds(10)
            $0.rise = 2
            $0.fall = 3
            $0.expect = [204]
        }
        var now = Duration.zero
        machine.start(at: now)
        var seen: [Bool] = []
        // + a good answer, - another status, 0 none.
        for letter in "+-++-+--0+-0-++" {
            #expect(machine.nextWake == now)
            #expect(machine.wake(at: now) == .configured)
            #expect(machine.wake(at: now) == nil)
            switch letter {
            case "+": machine.ended(.answered(status: 204, retryAfter: nil), at: now)
            case "-": machine.ended(.answered(status: 200, retryAfter: nil), at: now)
            default: machine.ended(.failed(.timeout), at: now)
            }
            seen.append(machine.isHealthy)
            now += .seconds(10)
        }
        let text = seen.map { $0 ? "T" : "F" }.joined()
        #expect(text == "FFFTTTTTFFFFFFT")
        #expect(machine.counts == .init(good: 7, bad: 8))
    }

    @Test("A probe that was given up says nothing")
    func cancelled() {
        var machine = machine { $0.rise = 1 }
        machine.start(at: .zero)
        #expect(machine.wake(at: .zero) == .configured)
        machine.ended(.cancelled, at: .seconds(1))
        #expect(machine.state == .connected)
        #expect(!machine.isHealthy)
        #expect(machine.counts == .init())
    }

    @Test("Recovery is asked for after 5 s, then twice as long each time, up to 2 min")
    func recovery() {
        var machine = plain()
        machine.care(true, at: .zero)
        #expect(machine.nextWake == nil)
        machine.failed(Self.lost, at: .zero)
        var pauses: [Duration] = []
        var now = Duration.zero
        for _ in 0..<7 {
            let due = machine.nextWake ?? .zero
            pauses.append(due - now)
            now = due
            #expect(machine.wake(at: now) == .recovery)
            // Others' failures meanwhile change nothing.
            machine.failed(Self.lost, at: now)
            machine.ended(.failed(Self.lost), at: now)
        }
        #expect(pauses == [5, 10, 20, 40, 80, 120, 120].map { .seconds($0) })
        _ = machine.wake(at: now + .seconds(120))
        machine.ended(.answered(status: 404, retryAfter: nil), at: now + .seconds(120))
        #expect(machine.state == .connected)
        #expect(machine.nextWake == nil)
        machine.failed(Self.lost, at: .seconds(1_000))
        #expect(machine.nextWake == .seconds(1_005))
    }

    @Test("Nobody asks for recovery where nothing depends on the link")
    func carefree() {
        var machine = plain()
        machine.failed(Self.lost, at: .zero)
        #expect(machine.nextWake == nil)
        machine.care(true, at: .seconds(60))
        #expect(machine.nextWake == .seconds(65))
        machine.care(false, at: .seconds(61))
        #expect(machine.nextWake == nil)
    }

    @Test("Beside a configured probe that is rare, recovery is asked for as well")
    func both() {
        var machine = machine {
            $0.every = .seconds(3_600)
            $0.rise = 1
        }
        machine.care(true, at: .zero)
        machine.start(at: .zero)
        #expect(machine.wake(at: .zero) == .configured)
        machine.ended(.failed(.timeout), at: .seconds(2))
        #expect(machine.state == .disconnected)
        #expect(machine.wake(at: .seconds(7)) == .recovery)
        machine.ended(.answered(status: 200, retryAfter: nil), at: .seconds(7))
        #expect(machine.state == .connected)
        // Health is the configured probe's verdict alone.
        #expect(!machine.isHealthy)
        #expect(machine.nextWake == .seconds(3_602))
    }
}
