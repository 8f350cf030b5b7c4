import Dispatch
import FreshetBase
import FreshetHTTPServer
import Testing

/// Clients that do everything wrong at the same time.
struct ChaosTests {
    private struct Random {
        var state: UInt64
        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }

    private static let requests = [
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /later HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /forgotten HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /held HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /count?50 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /endless HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /ticks HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /big?300000 HTTP/1.1\r\nHost: a\r\n\r\n",
        "HEAD /count?5 HTTP/1.0\r\nHost: a\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd",
        "POST /pausing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "POST /receive HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
        "POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    ]

    @Test func `Whatever clients do, the server serves others and forgets nobody`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        let test = try TestServer()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = Random(state: seed &+ UInt64(thread) &* 0x9E37_79B9_7F4A_7C15)
            for _ in 0..<60 {
                guard let client = try? test.client() else { continue }
                var text = ""
                for _ in 0...random.next(4) {
                    text += Self.requests[random.next(Self.requests.count)]
                }
                var bytes = Array(text.utf8)
                if random.next(3) == 0 { bytes.removeLast(random.next(bytes.count)) }
                // The server may have closed already: that is what this is about.
                let cut = random.next(bytes.count + 1)
                try? client.send(Array(bytes[..<cut]))
                for handle in test.responder.handles.suffix(3) { handle.wake() }
                try? client.send(Array(bytes[cut...]))
                if random.next(3) == 0 { _ = client.readSome(1 + random.next(2_000)) }
                switch random.next(3) {
                case 0: client.reset()
                case 1: client.endOutput()
                default: client.close()
                }
            }
        }
        test.responder.stopHolding()
        let client = try test.client()
        #expect(try client.get("/fine").text == "/fine")
        test.stop()
        #expect(test.server.metrics.open.value == 0)
        #expect(test.server.metrics.streams.value == 0)
    }
}
