import Dispatch
import FreshetBase
import FreshetHTTP
import FreshetHTTPServer
import Glibc
import Testing

/// Answers that come later, streamed bodies, streams, limits and the end of the server.
struct ExchangeTests {
    @Test func `A detached request is answered from another thread`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        for _ in 0..<50 { #expect(try client.get("/later").text == "later") }
    }

    @Test func `Only the first answer counts`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
        test.responder.held.wait()
        for exchange in test.responder.takeExchanges() {
            exchange.complete { response in
                response.begin(.accepted)
                response.end()
            }
            exchange.complete { response in
                response.begin(.ok)
                response.end()
            }
        }
        #expect(try client.readResponse().status == 202)
        #expect(try client.get("/x").text == "/x")
    }

    @Test func `A forgotten request is a 500`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        #expect(try client.get("/forgotten").status == 500)
        #expect(try client.isAtEnd())
    }

    @Test func `A request that is detached again is a 500, and the server goes on`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        #expect(try client.get("/again").status == 500)
        #expect(try client.isAtEnd())
        let other = try test.client()
        #expect(try other.get("/both").text == "first")
        let late = try other.get("/begun")
        #expect(late.status == 202 && late.text == "begun anew")
        #expect(late.header("Content-Type") == nil)
    }

    @Test func `A postponed request comes again as it was, with what it waited for`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        for _ in 0..<20 { #expect(try client.get("/postponed").text == "waited for ") }
        // The body in one piece with its head, in pieces, and with a request behind it.
        let head = "POST /postponed HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"
        try client.send(head + "whole")
        #expect(try client.readResponse().text == "waited for whole")
        try client.send(head + "pie")
        try client.send("ce")
        #expect(try client.readResponse().text == "waited for piece")
        try client.send(head + "first" + head + "other" + "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse().text == "waited for first")
        #expect(try client.readResponse().text == "waited for other")
        #expect(try client.readResponse().status == 200)
    }

    @Test func `A request is postponed as often as it takes, or answered in its place`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        #expect(try client.get("/postponed-twice").text == "the third time")
        let answered = try client.get("/postponed-answered")
        #expect(answered.status == 202 && answered.text == "waited in vain")
        #expect(try client.get("/later").text == "later")
    }

    @Test func `A client that goes away cancels its request`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
        test.responder.held.wait()
        client.reset()
        test.responder.cancelled.wait()
        for exchange in test.responder.takeExchanges() {
            #expect(exchange.isCancelled)
            exchange.complete { _ in Issue.record("answered a client that has gone") }
        }
    }

    @Test(arguments: ["before", "behind", "watched late", "1.0"])
    func `A client that shuts its sending side gets its answer`(_ when: String) throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        let version = when == "1.0" ? "1.0" : "1.1"
        let path = when == "watched late" ? "/unwatched" : "/held"
        try client.send("GET \(path) HTTP/\(version)\r\nHost: a\r\n\r\n")
        if when != "behind" { client.endOutput() }
        test.responder.held.wait()
        if when == "behind" { client.endOutput() }
        let exchanges = test.responder.takeExchanges()
        if when == "watched late" { exchanges[0].onCancel {} }
        // It is asked whether it is still there, which HTTP/1.0 has no words for.
        if version == "1.1" {
            let interim = try client.readHead()
            #expect(interim.status == 100 && interim.head == "HTTP/1.1 100 Continue")
        }
        for exchange in exchanges {
            exchange.complete { response in
                response.begin(.ok)
                response.end("here")
            }
        }
        #expect(try client.readResponse().text == "here")
        #expect(try client.isAtEnd())
    }

    @Test func `A client that closes behind its request is seen to have gone`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
        client.close()
        test.responder.cancelled.wait()
        for exchange in test.responder.takeExchanges() { #expect(exchange.isCancelled) }
    }

    @Test func `A streamed body reaches its receiver whole, with and without pauses`() throws {
        let test = try TestServer()
        defer { test.stop() }
        for path in ["/receive", "/pausing"] {
            let client = try test.client()
            let size = 20 << 20
            try client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
            try client.send([UInt8](repeating: 1, count: size))
            #expect(try client.readResponse().text == "\(size)")
            try client.send(
                "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "4\r\nabcd\r\n6\r\nefghij\r\n0\r\n\r\n")
            #expect(try client.readResponse().text == "10")
        }
    }

    @Test func `A stream comes in chunks and the connection goes on behind it`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        let response = try client.get("/count?2000")
        #expect(response.header("Transfer-Encoding") == "chunked")
        #expect(response.text == (0..<2_000).map { "\($0)\n" }.joined())
        #expect(try client.get("/x").text == "/x")
        #expect(test.responder.streamEnds == [.finished])
    }

    @Test func `A woken stream speaks, and says goodbye when the server stops`() throws {
        let test = try TestServer()
        let client = try test.client()
        try client.send("GET /ticks HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readHead().status == 200)
        #expect(try client.readChunk() == Array("hello\n".utf8))
        #expect(test.server.metrics.streams.value == 1)
        for _ in 0..<3 {
            for handle in test.responder.handles { handle.wake() }
            #expect(try client.readChunk() == Array("tick\n".utf8))
        }
        test.server.stop(grace: .seconds(5)) {}
        #expect(try client.readChunk() == Array("bye\n".utf8))
        #expect(try client.readChunk() == [])
        #expect(try client.isAtEnd())
        client.close()
        test.stop()
        #expect(test.responder.streamEnds == [.shutdown])
        #expect(test.server.metrics.streams.value == 0)
        #expect(test.server.metrics.open.value == 0)
    }

    @Test func `A reader that stops costs little and is closed`() throws {
        let test = try TestServer {
            $0.writeTimeout = .milliseconds(300)
            $0.streamSendBuffer = 16 * 1024
        }
        defer { test.stop() }
        let client = try test.client(receiveBuffer: 8 * 1024)
        try client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
        test.responder.streamEnded.wait()
        #expect(test.responder.streamEnds == [.stalled])
        #expect(test.responder.produced.value < 1 << 20)
        let other = try test.client()
        #expect(try other.get("/x").status == 200)
    }

    @Test func `A stream whose client resets ends`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send("GET /ticks HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readHead().status == 200)
        client.reset()
        test.responder.streamEnded.wait()
        #expect(test.responder.streamEnds == [.clientGone])
    }

    @Test(arguments: ["", "GET /after HTTP/1.1\r\nHost: a\r\n\r\n"])
    func `A stream that says nothing ends when its client closes`(pipelined: String) throws {
        let test = try TestServer()
        defer { test.stop() }
        for comesAtOnce in [false, true] where !comesAtOnce || !pipelined.isEmpty {
            let client = try test.client()
            let stream = "GET /ticks HTTP/1.1\r\nHost: a\r\n\r\n"
            try client.send(stream + (comesAtOnce ? pipelined : ""))
            #expect(try client.readHead().status == 200)
            #expect(try client.readChunk() == Array("hello\n".utf8))
            if !comesAtOnce { try client.send(pipelined) }
            client.close()
            test.responder.streamEnded.wait()
        }
        #expect(test.responder.streamEnds.allSatisfy { $0 == .clientGone })
        #expect(test.server.metrics.streams.value == 0)
    }

    @Test func `Who sends a stream's request and closes at once is found to be gone`() throws {
        let test = try TestServer()
        defer { test.stop() }
        for pipelined in ["", "GET /after HTTP/1.1\r\nHost: a\r\n\r\n"] {
            let client = try test.client()
            try client.send("GET /ticks HTTP/1.1\r\nHost: a\r\n\r\n" + pipelined)
            client.close()
            test.responder.streamEnded.wait()
        }
        #expect(test.responder.streamEnds.allSatisfy { $0 == .clientGone })
    }

    @Test func `A stream speaks at its deadlines, on to a client that sends no more`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send("GET /beats HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readHead().status == 200)
        for _ in 0..<3 { #expect(try client.readChunk() == Array("beat\n".utf8)) }
        client.endOutput()
        // A comment answers it, among the others.
        while try client.readChunk() != Array(":\n\n".utf8) {}
        for _ in 0..<3 { #expect(try client.readChunk() == Array("beat\n".utf8)) }
    }

    @Test func `A streamed body whose client resets is aborted`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send(
            "POST /receive HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                + "Content-Length: 5\r\n\r\n")
        #expect(try client.readResponse().status == 100)
        client.reset()
        test.responder.streamEnded.wait()
        #expect(test.responder.streamEnds == [.clientGone])
    }

    @Test func `Streams past their limit are refused`() throws {
        let test = try TestServer { $0.streams = 1 }
        defer { test.stop() }
        let first = try test.client()
        try first.send("GET /ticks HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try first.readHead().status == 200)
        let second = try test.client()
        #expect(try second.get("/ticks").status == 503)
    }

    @Test func `Connections past the limit are refused, or take the place of idle ones`() throws {
        let test = try TestServer(loops: 1) {
            $0.connections = 2
            $0.reservedConnections = 0
            $0.sheddableAfter = .seconds(3600)
        }
        defer { test.stop() }
        let first = try test.client()
        let second = try test.client()
        #expect(try first.get("/x").status == 200)
        #expect(try second.get("/x").status == 200)
        let third = try test.client()
        #expect(try third.readResponse().status == 503)
        #expect(try third.isAtEnd())
        let shedding = try TestServer(loops: 1) {
            $0.connections = 1
            $0.reservedConnections = 0
            $0.sheddableAfter = .zero
        }
        defer { shedding.stop() }
        let idle = try shedding.client()
        #expect(try idle.get("/x").status == 200)
        let next = try shedding.client()
        #expect(try next.get("/x").status == 200)
        #expect(try idle.isAtEnd())
        #expect(shedding.server.metrics.shed.value == 1)
    }

    @Test func `A full server has a reserve for administrators, whatever else comes`() throws {
        let test = try TestServer(loops: 1) {
            $0.connections = 1
            $0.reservedConnections = 2
            $0.sheddableAfter = .seconds(3600)
        }
        defer { test.stop() }
        let metrics = test.server.metrics
        let first = try test.client()
        #expect(try first.get("/x").status == 200)
        // More than the reserve has places: each is given back with the answer.
        var others: [Client] = []
        for request in ["GET /x", "POST /receive", "GET /x"] {
            let refused = try test.client()
            try refused.send("\(request) HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
            #expect(try refused.readResponse().status == 503)
            others.append(refused)
        }
        for _ in 0..<3 {
            let administrator = try test.client()
            let answer = try administrator.get("/admin")
            #expect(answer.status == 200)
            #expect(answer.header("Connection") == "close")
            #expect(try administrator.isAtEnd())
            others.append(administrator)
        }
        #expect(metrics.refused.value == 3)
        // The reserve has an end, too.
        let silent = try test.client()
        let administrator = try test.client()
        others += [administrator, try test.client()]
        #expect(try others[7].readResponse().status == 503)
        #expect(metrics.reserved.value == 2)
        #expect(try administrator.get("/admin").status == 200)
        #expect(try first.get("/x").status == 200)
        // Who waited in it has a place as any once there is room.
        first.close()
        for client in others { client.close() }
        while metrics.open.value > 1 { usleep(1_000) }
        for _ in 0..<2 { #expect(try silent.get("/x").status == 200) }
        #expect(metrics.reserved.value == 0)
    }

    @Test func `Stopping answers what is at work and closes what is idle`() throws {
        let test = try TestServer()
        let idle = try test.client()
        #expect(try idle.get("/x").status == 200)
        let busy = try test.client()
        try busy.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
        test.responder.held.wait()
        let ended = DispatchSemaphore(value: 0)
        test.server.stop(grace: .seconds(8)) { ended.signal() }
        #expect(try idle.isAtEnd())
        for exchange in test.responder.takeExchanges() {
            exchange.complete { response in
                response.begin(.ok)
                response.end("done")
            }
        }
        let response = try busy.readResponse()
        #expect(response.text == "done")
        #expect(response.header("Connection") == "close")
        busy.close()
        ended.wait()
        #expect(test.server.metrics.open.value == 0)
        #expect(throws: (any Error).self) { try test.client() }
    }

    @Test func `Stopping ends after its grace whatever hangs`() throws {
        let test = try TestServer()
        let busy = try test.client()
        try busy.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
        test.responder.held.wait()
        test.server.stop(grace: .milliseconds(50))
        test.responder.cancelled.wait()
        #expect(test.server.metrics.open.value == 0)
    }
}
