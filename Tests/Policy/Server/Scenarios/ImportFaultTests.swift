import FreshetBase
import FreshetConfig
import FreshetJSON
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// What an import says whose body does not come to its end.
@Suite("Imports that break off")
struct ImportFaultTests {
    private static let head =
        "POST /v1/_import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
    private static let lines = (0..<5_000).map { #"{"type":"t","entity":{"id":\#($0)}}"# + "\n" }
        .joined()

    @Test(
        "It tells how many entities it has stored, and they are",
        arguments: ["a broken chunk", "the end of input"])
    func brokenOff(how: String) async throws {
        try await offPool {
            let server = try TestServer()
            let connection = try server.connect()
            if how == "a broken chunk" {
                let size = String(Self.lines.utf8.count, radix: 16)
                try connection.write(
                    Self.head + "Transfer-Encoding: chunked\r\n\r\n"
                        + "\(size)\r\n\(Self.lines)\r\nzz\r\n")
            } else {
                try connection.write(Self.head + "Content-Length: 1000000\r\n\r\n" + Self.lines)
                connection.endOutput()
            }
            let answer = try connection.readResponse()
            #expect(answer.status == 400, "\(answer.body)")
            #expect(answer.header("Connection") == "close")
            // One part was whole, and the next one had begun.
            #expect(answer.body.contains(#""imported":4000"#), "\(answer.body)")
            let found = try server.send("GET", "/v1/t?count=true&limit=0").body
            #expect(found.contains(#""total":4000"#), "\(found)")
        }
    }

    @Test("A line that is one too many is named")
    func fullStore() async throws {
        try await offPool {
            let server = try TestServer { $0.limits.entities = 3 }
            let lines = (1...5).map { #"{"type":"t","entity":{"id":\#($0)}}"# }
            let answer = try server.send(
                "POST", "/v1/_import", "\n" + lines.joined(separator: "\n"),
                headers: ["Content-Type: application/x-ndjson"])
            #expect(answer.status == 507, "\(answer.body)")
            #expect(answer.body.contains(#""line":5"#), "\(answer.body)")
            #expect(!answer.body.contains(#""operation""#), "\(answer.body)")
        }
    }
}

/// Answers that are longer than what is made at once.
@Suite("Long answers to writes")
struct LongAnswerTests {
    @Test("They are the same but for their length")
    func items() async throws {
        try await offPool {
            let server = try TestServer()
            let count = 3_000
            let rows = (0..<count).map { #"{"id":\#($0)}"# }.joined(separator: ",")
            let set = try JSONValue.parse(server.send("POST", "/v1/t/_set", "[\(rows)]").body)
            #expect(set["items"]?.arrayValue?.count == count)
            #expect(
                set["items"]?.arrayValue?.last
                    == (try JSONValue.parse(
                        "{\"id\":\(count - 1),\"revision\":1,\"changed\":true}")))
            #expect(
                set["meta"]
                    == (try JSONValue.parse(
                        "{\"count\":\(count),\"changed\":\(count),\"revision\":1}")))
            let operations = (0..<count)
                .map { "{\"remove\":{\"type\":\"t\",\"id\":\($0)}}" }.joined(separator: ",")
            let batch = try JSONValue.parse(
                server.send("POST", "/v1/_batch", "{\"operations\":[\(operations)]}").body)
            #expect(batch["results"]?.arrayValue?.count == count)
            #expect(batch["meta"]?["count"] == .number("\(count)"))
            _ = try server.send("POST", "/v1/t/_set", "[\(rows)]")
            let removed = try JSONValue.parse(
                server.send("DELETE", "/v1/t?all=true").body)
            #expect(removed["removed"]?.arrayValue?.count == count)
        }
    }
}

/// Names and texts of a request may be long, answers that quote them not.
@Suite("What problems quote")
struct QuotedTextTests {
    @Test(
        "Of long texts their beginning and their end",
        arguments: [
            ("POST", "/v1/t/_search", #"{"NAME":1}"#), ("POST", "/v1/_batch", #"{"NAME":1}"#),
            ("POST", "/v1/_specs/evaluate", #"{"spec":{"condition":"NAME"}}"#),
            ("POST", "/v1/t/_search", #"{"filter":{"property":"a","op":"NAME","value":1}}"#),
        ])
    func long(method: String, target: String, body: String) throws {
        let server = try TestServer()
        let name = String(repeating: "n", count: 900_000)
        let answer = try server.send(method, target, body.replacing("NAME", with: name))
        #expect((400..<500).contains(answer.status), "\(answer.status)")
        #expect(answer.body.utf8.count < 40_000, "\(answer.body.utf8.count)")
        #expect(answer.body.contains("nnn … nnn"))
    }

    @Test("A letter may have any number of bytes")
    func letters() {
        var body = ByteBuffer(capacity: 16)
        let letter = "e" + String(repeating: "\u{301}", count: 100_000)
        Problem(.badRequest, letter).encode(requestId: "", into: &body)
        #expect(body.count < 10_000)
        #expect(String(decoding: body.bytes, as: UTF8.self).unicodeScalars.contains("…"))
    }
}
