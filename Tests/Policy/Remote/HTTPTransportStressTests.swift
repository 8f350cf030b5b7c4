import FreshetBase
import FreshetRefresh
import FreshetRemote
import FreshetTestSupport
import Testing

@Suite("The transport under random leavers")
struct HTTPTransportStressTests {
    /// The session traps where a task is cancelled at the wrong moment of a redirect or a challenge;
    /// so each exchange is cancelled, or runs out of time, at a random one.
    @Test("Whenever an exchange is left, it ends once and nothing traps", arguments: 0..<4)
    func leavers(_ seed: UInt64) async throws {
        print("seed \(seed)")
        let server = ScriptedServer { exchange in
            switch exchange.request.target.split(separator: "/").first {
            case "redirect":
                exchange.answer(302, headers: ["Location: /plain"])
                return .keep
            case "challenge":
                exchange.answer(401, headers: ["WWW-Authenticate: Basic realm=\"a\""])
                return .keep
            case "reset":
                exchange.reset()
                return .close
            case "cut":
                exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
                return .close
            case "large":
                exchange.answer(200, String(repeating: "1", count: 100_000))
                return .keep
            default:
                exchange.answer()
                return .keep
            }
        }
        let clock = ManualOperationClock()
        var random = SplitMix(seed: seed)
        let base = try #require(UpstreamBase(server.base))
        let kinds = ["redirect", "challenge", "reset", "cut", "large", "plain"]
        for _ in 0..<6 {
            let transport = HTTPTransport(base: base, clock: clock)
            var tasks: [Task<Void, Never>] = []
            for index in 0..<40 {
                let kind = kinds[random.next(kinds.count)]
                let request = UpstreamRequest(
                    path: "/\(kind)/\(index)", timeout: .seconds(1 + random.next(3)),
                    maxBody: 50_000)
                let task = Task {
                    // Any end is right; that there is one is what is tested.
                    _ = try? await transport.send(request)
                }
                tasks.append(task)
                for _ in 0..<random.next(60) { await Task.yield() }
                if random.next(2) == 0 { tasks[random.next(tasks.count)].cancel() }
                if random.next(8) == 0 { clock.advance(by: .seconds(1)) }
            }
            for task in tasks { await task.value }
        }
        server.stop()
    }
}
