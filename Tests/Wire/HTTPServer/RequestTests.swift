import Dispatch
import FreshetBase
import FreshetHTTP
import FreshetHTTPServer
import Testing

/// Whole requests over real sockets: framing, order, bodies, limits.
struct RequestTests {
    @Test func `A connection serves one request after the other`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        for number in 0..<5 {
            let response = try client.get("/a\(number)")
            #expect(response.status == 200)
            #expect(response.text == "/a\(number)")
            #expect(response.header("Connection") == nil)
            #expect(response.header("Date") != nil)
        }
        #expect(test.server.metrics.accepted.value == 1)
    }

    @Test func `Pipelined requests are answered in their order, detached ones too`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        var text = ""
        for number in 0..<200 {
            let path = number % 3 == 0 ? "/later" : number % 7 == 0 ? "/count?3" : "/n\(number)"
            text += "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
        }
        try client.send(text)
        for number in 0..<200 {
            let expected = number % 3 == 0 ? "later" : number % 7 == 0 ? "0\n1\n2\n" : "/n\(number)"
            #expect(try client.readResponse().text == expected)
        }
    }

    @Test func `A flood of 10,000 pipelined requests is answered whole with little memory`()
        throws
    {
        let test = try TestServer { $0.outputBytes = 64 * 1024 }
        defer { test.stop() }
        let client = try test.client()
        let request = "GET /big?1000 HTTP/1.1\r\nHost: a\r\n\r\n"
        let writer = try test.client()
        #expect(try writer.get("/x").status == 200)
        // Sent without reading: the server has to stop and go on with its parsing.
        try client.send(String(repeating: request, count: 2_000))
        for _ in 0..<2_000 { #expect(try client.readResponse().body.count == 1_000) }
        for _ in 0..<8 {
            try client.send(String(repeating: request, count: 1_000))
            for _ in 0..<1_000 { #expect(try client.readResponse().body.count == 1_000) }
        }
        #expect(test.server.metrics.requests.value == 10_001)
    }

    @Test func `A request may come byte by byte`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        let text =
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
            + "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
        for byte in text.utf8 { try client.send([byte]) }
        #expect(try client.readResponse().text == "hello")
        #expect(try client.readResponse().text == "abcde")
    }

    @Test func `The largest head that can be allowed is read, and a larger one is told`() throws {
        let test = try TestServer {
            $0.http.requestLine = 64 * 1024
            $0.http.headerBytes = 256 * 1024
        }
        defer { test.stop() }
        func head(of headerBytes: Int) -> String {
            let line = "GET /" + String(repeating: "a", count: 64 * 1024 - 14) + " HTTP/1.1\r\n"
            let host = "Host: a\r\n"
            let value = String(repeating: "b", count: headerBytes - host.utf8.count - 5)
            return line + host + "X: " + value + "\r\n\r\n"
        }
        let client = try test.client()
        let largest = Array(head(of: 256 * 1024).utf8)
        try client.send(Array(largest[..<(largest.count - 1)]))
        let other = try test.client()
        // By now the loop has seen most of what was sent before.
        #expect(try other.get("/x").status == 200)
        try client.send(Array(largest[(largest.count - 1)...]))
        #expect(try client.readResponse().status == 200)
        try client.send(head(of: 256 * 1024 + 1))
        #expect(try client.readResponse().status == 431)
    }

    @Test func `Big bodies go both ways`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        let body = [UInt8](repeating: 7, count: 5 << 20)
        try client.send(
            "POST /size HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
        try client.send(body)
        #expect(try client.readResponse().text == "\(5 << 20)")
        let response = try client.get("/big?5000000")
        #expect(response.body.count == 5_000_000)
        #expect(response.body[4_999_999] == UInt8(truncatingIfNeeded: 4_999_999))
        #expect(try client.get("/after").text == "/after")
    }

    @Test func `HEAD gets the headers alone`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send("HEAD /big?1234 HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = try client.readResponse(isHead: true)
        #expect(response.header("Content-Length") == "1234")
        try client.send("HEAD /count?3 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse(isHead: true).status == 200)
        #expect(try client.get("/x").text == "/x")
        test.responder.streamEnded.wait()
        #expect(test.responder.streamEnds == [.finished])
    }

    @Test func `HTTP 1.0 closes unless asked to go on`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let first = try client.readResponse()
        #expect(first.header("Connection") == "keep-alive")
        try client.send("GET /count?3 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let second = try client.readResponse()
        #expect(second.header("Transfer-Encoding") == nil)
        #expect(second.text == "0\n1\n2\n")
        #expect(try client.isAtEnd())
    }

    @Test func `Connection close is honoured`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try client.readResponse().header("Connection") == "close")
        #expect(try client.isAtEnd())
    }

    @Test func `A client that has shut its sending side is answered`() throws {
        let test = try TestServer()
        defer { test.stop() }
        for path in ["/a", "/later", "/count?3", "/big?3000000"] {
            let client = try test.client()
            try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            client.endOutput()
            #expect(try client.readResponse().status == 200)
            #expect(try client.isAtEnd())
        }
    }

    @Test func `A request that ends early is told so`() throws {
        let test = try TestServer()
        defer { test.stop() }
        for text in [
            "GET / HTTP/1.1\r\nHo",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab",
            "POST /receive HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab",
        ] {
            let client = try test.client()
            try client.send(text)
            client.endOutput()
            #expect(try client.readResponse().status == 400)
            #expect(try client.isAtEnd())
        }
    }

    @Test func `The client is told to send a body that the server wants`() throws {
        let test = try TestServer()
        defer { test.stop() }
        for path in ["/echo", "/receive"] {
            let client = try test.client()
            try client.send(
                "POST \(path) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 5\r\n\r\n")
            #expect(try client.readResponse().status == 100)
            try client.send("hello")
            #expect(try client.readResponse().status == 200)
            #expect(try client.get("/x").text == "/x")
        }
    }

    @Test func `A refused body is answered without 100 and the connection closes`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send(
            "POST /refuse HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                + "Content-Length: 5\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.status == 404)
        #expect(response.header("Connection") == "close")
        #expect(try client.isAtEnd())
    }

    @Test func `An unknown expectation is 417`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n")
        #expect(try client.readResponse().status == 417)
        #expect(try client.isAtEnd())
    }

    @Test func `A small unread body is skipped and the connection goes on`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send("POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
        #expect(try client.readResponse().text == "unread")
        try client.send("lo")
        #expect(try client.get("/x").text == "/x")
    }

    @Test func `A body past its limit is 413, also where the client has sent all of it`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send(
            "POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"
                + String(repeating: "x", count: 1_000_000))
        #expect(try client.readResponse().status == 413)
        #expect(try client.isAtEnd())
        let chunked = try test.client()
        try chunked.send(
            "POST /small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "8\r\n01234567\r\n8\r\n01234567\r\n0\r\n\r\n")
        #expect(try chunked.readResponse().status == 413)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n", 400),
        ("nonsense\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            400
        ),
        ("POST /receive HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n", 431),
    ])
    func `A malformed request gets its status and the connection closes`(
        text: String, status: Int
    ) throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        try client.send(text)
        let response = try client.readResponse()
        #expect(response.status == status)
        #expect(response.header("Connection") == "close")
        #expect(try client.isAtEnd())
        let other = try test.client()
        #expect(try other.get("/x").status == 200)
    }

    @Test func `A responder that does not answer is a 500`() throws {
        let test = try TestServer()
        defer { test.stop() }
        let client = try test.client()
        #expect(try client.get("/nothing").status == 500)
        #expect(try client.isAtEnd())
    }

    @Test func `A head that does not come whole in time is 408`() throws {
        let test = try TestServer { $0.headTimeout = .milliseconds(100) }
        defer { test.stop() }
        let client = try test.client()
        try client.send("GET / HT")
        #expect(try client.readResponse().status == 408)
        #expect(try client.isAtEnd())
    }

    @Test func `A body that comes too slowly is 408`() throws {
        let test = try TestServer { $0.bodyGrace = .milliseconds(100) }
        defer { test.stop() }
        for path in ["/echo", "/receive"] {
            let client = try test.client()
            try client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nx")
            #expect(try client.readResponse().status == 408)
            #expect(try client.isAtEnd())
        }
        // Who receives a body has answered, and hears nothing else.
        #expect(test.responder.streamEnds == [])
    }

    @Test func `An idle connection is closed after its time`() throws {
        let test = try TestServer { $0.idleTimeout = .milliseconds(100) }
        defer { test.stop() }
        let client = try test.client()
        #expect(try client.get("/x").status == 200)
        #expect(try client.isAtEnd())
    }
}
