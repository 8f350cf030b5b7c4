import FreshetBase
import FreshetConfig
import FreshetJSON
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// What is answered before a body has come to its end.
@Suite("Refused bodies")
struct RefusedBodyTests {
    private static let origin = "http://app.example"

    /// By its length, in chunks, and before the body is even asked for.
    @Test(
        "Their answers bear the request's id, and a page of an origin that is let in can read them",
        arguments: [
            ("Content-Length: 400000", "", 413),
            ("Transfer-Encoding: chunked", "10\r\n0123456789abcdef\r\nfffffff\r\n", 413),
            ("Transfer-Encoding: chunked", "zz\r\n", 400), ("Expect: wonders", "", 417),
        ])
    func told(field: String, body: String, status: Int) async throws {
        try await offPool {
            let server = try TestServer {
                $0.limits.bodyBytes = 100_000
                $0.limits.documentBytes = 10_000
                $0.allowedOrigins = [Self.origin]
            }
            let connection = try server.connect()
            try connection.write(
                "PUT /v1/t/1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "X-Request-Id: abc-1\r\nOrigin: \(Self.origin)\r\n\(field)\r\n\r\n\(body)")
            let answer = try connection.readResponse()
            #expect(answer.status == status, "\(answer.body)")
            #expect(answer.header("X-Request-Id") == "abc-1")
            #expect(answer.header("Access-Control-Allow-Origin") == Self.origin)
            #expect(try JSONValue.parse(answer.body)["requestId"]?.stringValue == "abc-1")
        }
    }

    /// Each `{}` becomes an entity of a hundred bytes.
    @Test("What one commit cannot have is refused while it is read", arguments: [true, false])
    func commits(isArray: Bool) async throws {
        try await offPool {
            let server = try TestServer()
            let count = 1_000_000
            let answer = try server.send(
                "POST", "/v1/t/_set",
                isArray
                    ? "[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]"
                    : String(repeating: "{}\n", count: count),
                headers: [
                    "Content-Type: application/\(isArray ? "json" : "x-ndjson")"
                ])
            #expect(answer.status == 413, "\(answer.body.prefix(500))")
            #expect(answer.body.contains("one commit may have 64 MiB"), "\(answer.body)")
            #expect(try server.send("GET", "/v1/t?count=true").body.contains(#""total":0"#))
        }
    }

    @Test("HEAD of a page that is streamed has the head of GET")
    func heads() async throws {
        try await offPool {
            let server = try TestServer()
            for id in 1...2 {
                let text = String(repeating: "x", count: 400_000)
                let set = try server.send("PUT", "/v1/t/\(id)", #"{"text":"\#(text)"}"#)
                #expect(set.status == 201)
            }
            let connection = try server.connect()
            let got = try connection.send("GET", "/v1/t")
            let head = try connection.send("HEAD", "/v1/t")
            for name in ["Transfer-Encoding", "Content-Length", "Content-Type", "ETag"] {
                #expect(head.header(name) == got.header(name), "\(name)")
            }
            #expect(head.status == 200 && head.body.isEmpty && got.body.utf8.count > 800_000)
            // Nothing is left on the connection.
            #expect(try connection.send("GET", "/v1/t/3").status == 404)
        }
    }

    @Test(
        "Numbers of a search's body mean as much as those of its URL",
        arguments: ["99999999999999999999", "1e30", "9223372036854775807"])
    func numbers(number: String) async throws {
        try await offPool {
            let server = try TestServer()
            _ = try server.send("PUT", "/v1/t/1", #"{"n":1}"#)
            let page = try server.send("POST", "/v1/t/_search", #"{"offset":\#(number)}"#)
            #expect(page.status == 200 && page.body.contains(#""items":[]"#), "\(page.body)")
            let refused = try server.send("POST", "/v1/t/_search", #"{"limit":\#(number)}"#)
            #expect(refused.status == 400 && refused.body.contains("at most"), "\(refused.body)")
        }
    }

    @Test(
        "A line of an import is read however its names are spelled, and says what is wrong with it",
        arguments: [
            (#"{"type":"t\u0061sks","entity":{"id":1}}"#, 200, #""count":1"#),
            (#"{"\u0074ype":"tasks","\u0065ntity":{"id":1}}"#, 200, #""count":1"#),
            (#"{"type":"my tasks","entity":{"id":1}}"#, 400, "'my tasks' is no type name: a type"),
            (#"{"type":5,"entity":{}}"#, 400, "a line is {"),
            (#"{"entity":{}}"#, 400, "a line is {"),
            (#"{"type":"t","entity":{},"more":1}"#, 400, "and no others"),
        ])
    func lines(line: String, status: Int, part: String) async throws {
        try await offPool {
            let server = try TestServer()
            let answer = try server.send(
                "POST", "/v1/_import", line, headers: ["Content-Type: application/x-ndjson"])
            #expect(answer.status == status && answer.body.contains(part), "\(answer.body)")
        }
    }
}
