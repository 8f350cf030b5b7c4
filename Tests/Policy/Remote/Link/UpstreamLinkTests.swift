import Foundation
import FreshetBase
import FreshetRefresh
import Testing

@testable import FreshetRemote

@Suite("The link of an upstream")
struct UpstreamLinkTests {
    private let clock = ManualOperationClock()
    private let news = Arrivals<LinkNews>()

    private func link(
        _ transport: ScriptedTransport, _ change: (inout UpstreamSettings) -> Void = { _ in }
    ) throws -> UpstreamLink {
        var settings = UpstreamSettings(
            name: "api", base: try #require(UpstreamBase("http://api.example.test")))
        settings.retry = .none
        settings.headers = [.init(name: "X-Key", value: Secret("k"))]
        change(&settings)
        let upstream = Upstream(settings, transport: transport, clock: clock, random: { 0 })
        let link = UpstreamLink(upstream, clock: clock)
        link.observe { [news] in news.append($0) }
        return link
    }

    private func ask(_ link: UpstreamLink) async -> UpstreamError? {
        do throws(UpstreamError) {
            _ = try await link.upstream.perform(UpstreamRequest(path: "/a"))
            return nil
        } catch {
            return error
        }
    }

    @Test("Requests tell the link: what was refused lowers it, an answer raises it")
    func requests() async throws {
        let transport = ScriptedTransport([
            failing(.unreachable(.refused, detail: "")), ScriptedTransport.status(500),
            ScriptedTransport.status(429, [("Retry-After", "7")]),
        ])
        let link = try link(transport)
        _ = await ask(link)
        #expect(link.state == .disconnected)
        _ = await ask(link)
        #expect(link.state == .connected)
        link.start()
        _ = await ask(link)
        #expect(link.state == .limited)
        clock.advance(by: .seconds(7))
        #expect(
            news.all == [
                .link(.disconnected), .link(.connected), .link(.limited), .link(.connected),
            ])
        link.stop()
        #expect(clock.scheduled == 0)
    }

    @Test("The log says which way is lost and which is back, some times a second of one that flaps")
    func log() async throws {
        let flapping = (0..<7).flatMap { _ in [failing(.timeout), ScriptedTransport.status(200)] }
        let transport = ScriptedTransport(
            [
                failing(.unreachable(.refused, detail: "no door")), ScriptedTransport.status(200),
                failing(.timeout), ScriptedTransport.status(429, [("Retry-After", "7")]),
            ] + flapping)
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let written = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let log = Log(level: .info, descriptor: ends[1])
        var settings = UpstreamSettings(
            name: "api", base: try #require(UpstreamBase("http://api.example.test")))
        settings.retry = .none
        let upstream = Upstream(settings, transport: transport, clock: clock, random: { 0 })
        let links = UpstreamLinks(["api": upstream], clock: clock, log: log)
        let link = try #require(links["api"])
        for pause in [3, 4, 61, 9] + Array(repeating: 0, count: flapping.count) {
            _ = await ask(link)
            clock.advance(by: .seconds(pause))
        }
        close(ends[1])
        let lines = String(decoding: written.availableData, as: UTF8.self)
            .split(separator: "\n").map { $0.drop { $0 != " " }.dropFirst() }
        #expect(lines.count == 4 + 2 * 5, "\(lines)")
        #expect(
            lines.prefix(4) == [
                "warning an upstream gives no answer upstream=api reason=\"refused: no door\"",
                "info an upstream answers again upstream=api seconds=3",
                "warning an upstream gives no answer upstream=api reason=timeout",
                "info an upstream answers again upstream=api seconds=61",
            ])
    }

    @Test("Only the last try of a run lowers the link")
    func lastTry() async throws {
        let transport = ScriptedTransport([failing(.timeout)])
        let link = try link(transport) {
            $0.retry = RetryPolicy(limit: 1, base: .seconds(1), hasJitter: false)
        }
        let task = Task { await ask(link) }
        // The pause before the second try.
        await clock.scheduled(atLeast: 1)
        #expect(link.state == .connected)
        clock.advance(by: .seconds(1))
        await transport.arrived(2)
        transport.release(failing(.timeout))
        #expect(await task.value == .timeout)
        #expect(link.state == .disconnected)
    }

    @Test("The probe asks in its rhythm, with the configured header fields, one at a time")
    func probe() async throws {
        let transport = ScriptedTransport([])
        let link = try link(transport) {
            var probe = UpstreamSettings.Probe(path: "/healthz")
            probe.every = .seconds(10)
            probe.rise = 2
            probe.fall = 1
            $0.probe = probe
            // Whatever else is under way, the probe does not wait for a place.
            $0.maxConcurrent = 1
        }
        let busy = Task { await ask(link) }
        await transport.arrived(1)
        link.start()
        await transport.arrived(2)
        let sent = try #require(transport.requests.last)
        #expect(sent.path == "/healthz")
        #expect(sent.timeout == .seconds(2))
        #expect(sent.headers.contains { $0 == ("X-Key", "k") })
        clock.advance(by: .seconds(60))
        #expect(transport.requests.count == 2)
        transport.release(ScriptedTransport.status(200))
        _ = await busy.value
        transport.release(ScriptedTransport.status(200))
        try await probeAgain(transport, 3, ScriptedTransport.status(204))
        await news.reached(1)
        #expect(news.all == [.health(true)])
        try await probeAgain(transport, 4, failing(.unreachable(.reset, detail: "")))
        await news.reached(3)
        #expect(Set(news.all.dropFirst().map { "\($0)" }).count == 2)
        #expect(link.state == .disconnected)
        #expect(!link.isHealthy)
        let report = link.report(at: WallTime(milliseconds: 1_000_000))
        #expect(report.probes == .init(good: 2, bad: 1))
        #expect(report.lastFailure?.at == WallTime(milliseconds: 1_000_000))
        link.stop()
    }

    /// Waits until the next probe is planned, lets it come and answers it.
    private func probeAgain(
        _ transport: ScriptedTransport, _ number: Int, _ answer: ScriptedTransport.Answer
    ) async throws {
        await clock.scheduled(atLeast: 1)
        clock.advance(by: .seconds(10))
        await transport.arrived(number)
        transport.release(answer)
    }

    @Test("A probe that is asked for is one for all who ask, and counts as the configured one does")
    func askedFor() async throws {
        let transport = ScriptedTransport([])
        let link = try link(transport) {
            var probe = UpstreamSettings.Probe(path: "/healthz")
            (probe.rise, probe.fall) = (1, 1)
            $0.probe = probe
        }
        let outcomes = Arrivals<UpstreamLink.ProbeOutcome>()
        link.start()
        await transport.arrived(1)
        link.probe { outcomes.append($0) }
        link.probe { outcomes.append($0) }
        #expect(transport.requests.count == 1)
        clock.advance(by: .milliseconds(12))
        transport.release(ScriptedTransport.status(204))
        await outcomes.reached(2)
        for outcome in outcomes.all {
            #expect(outcome.isGood && outcome.status == 204 && outcome.error == nil)
            #expect(outcome.duration == .milliseconds(12))
            #expect(outcome.link == .connected && outcome.isHealthy == true)
        }
        link.probe { outcomes.append($0) }
        await transport.arrived(2)
        transport.release(ScriptedTransport.status(500))
        await outcomes.reached(3)
        #expect(outcomes.all[2].isGood == false && outcomes.all[2].status == 500)
        #expect(outcomes.all[2].link == .connected && outcomes.all[2].isHealthy == false)
        #expect(link.report().probes == .init(good: 1, bad: 1))
        link.stop()
    }

    @Test("Without a configured probe the base is asked, and the rhythm of recovery stays")
    func askedForWithoutProbe() async throws {
        let transport = ScriptedTransport([
            failing(.unreachable(.refused, detail: "")),
            failing(.unreachable(.refused, detail: "")), ScriptedTransport.status(404),
        ])
        let link = try link(transport)
        link.start()
        link.care(true)
        _ = await ask(link)
        let planned = link.report(at: WallTime(milliseconds: 0)).nextRecovery
        let outcomes = Arrivals<UpstreamLink.ProbeOutcome>()
        link.probe { outcomes.append($0) }
        await outcomes.reached(1)
        #expect(transport.requests.last?.path == "")
        #expect(outcomes.all[0].error == .unreachable(.refused, detail: ""))
        #expect(outcomes.all[0].isGood == false && outcomes.all[0].isHealthy == nil)
        #expect(outcomes.all[0].link == .disconnected)
        #expect(link.report(at: WallTime(milliseconds: 0)).nextRecovery == planned)
        #expect(link.report().probes == .init())
        link.probe { outcomes.append($0) }
        await outcomes.reached(2)
        #expect(outcomes.all[1].isGood && outcomes.all[1].status == 404)
        #expect(outcomes.all[1].link == .connected)
        link.stop()
    }

    @Test("A lost link that is cared for asks for the base until it answers")
    func recovery() async throws {
        let transport = ScriptedTransport([
            failing(.unreachable(.refused, detail: "")),
            failing(.unreachable(.refused, detail: "")), ScriptedTransport.status(404),
        ])
        let link = try link(transport)
        link.start()
        link.care(true)
        _ = await ask(link)
        #expect(link.state == .disconnected)
        clock.advance(by: .seconds(5))
        await transport.arrived(2)
        await clock.scheduled(atLeast: 1)
        clock.advance(by: .seconds(10))
        await transport.arrived(3)
        await news.reached(2)
        #expect(link.state == .connected)
        #expect(transport.paths == ["/a", "", ""])
        #expect(link.report().probes.recoveries == 2)
        #expect(clock.scheduled == 0)
    }

    @Test("Once stopped, nothing is asked any more")
    func stopped() async throws {
        let transport = ScriptedTransport([])
        let link = try link(transport) { $0.probe = .init(path: "/healthz") }
        link.start()
        await transport.arrived(1)
        link.stop()
        await transport.letGo()
        clock.advance(by: .seconds(100))
        #expect(transport.requests.count == 1)
        #expect(clock.scheduled == 0)
        #expect(news.all == [])
    }
}

/// What was told, in order.
// SAFETY: all mutable state is read and written under `lock`.
private final class Arrivals<Element: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var elements: [Element] = []
    private var waits: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    var all: [Element] { lock.withLock { elements } }

    func append(_ one: Element) {
        lock.withLock { elements.append(one) }
        wake()
    }

    func reached(_ count: Int) async {
        await withCheckedContinuation { continuation in
            lock.withLock { waits.append((count, continuation)) }
            wake()
        }
    }

    private func wake() {
        let due = lock.withLock {
            let due = waits.filter { $0.count <= elements.count }
            waits.removeAll { $0.count <= elements.count }
            return due
        }
        for wait in due { wait.continuation.resume() }
    }
}
