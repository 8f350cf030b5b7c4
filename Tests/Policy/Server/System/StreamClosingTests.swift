import FreshetJSON
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// `DELETE /v1/_streams/{id}`.
@Suite struct StreamClosingTests {
    /// The numbers of the open streams, by their kind.
    private func streams(_ server: TestServer) throws -> [String: String] {
        let answer = try server.send("GET", "/v1/_streams?order=id")
        let rows = try JSONValue.parse(answer.body)["items"]?.arrayValue ?? []
        return Dictionary(
            rows.map { ($0["kind"]?.stringValue ?? "", $0["id"]?.stringValue ?? "") }
        ) { $1 }
    }

    /// Reads on to the end of a stream.
    private func bye(_ stream: TestStream) throws -> JSONValue {
        while true {
            let event = try stream.next()
            if event.name == "bye" { return try JSONValue.parse(event.data) }
        }
    }

    @Test("A stream is closed for good, and a session with its stream")
    func closing() async throws {
        try await offPool {
            let server = try TestServer()
            let single = try TestStream(server, "/v1/task?live=delta")
            let made = try server.send("POST", "/v1/_live", #"{"queries":{"a":"/v1/task"}}"#)
            let session = try JSONValue.parse(made.body)
            let url = try #require(session["url"]?.stringValue)
            let several = try TestStream(server, url)
            let open = try streams(server)
            for (kind, stream) in [("query", single), ("session", several)] {
                let id = try #require(open[kind], "\(open)")
                #expect(try server.send("DELETE", "/v1/_streams/\(id)").status == 204)
                let told = try bye(stream)
                #expect(told["reason"] == "closed" && told["reconnect"] == false, "\(kind)")
                // A stream that is gone is none.
                while try server.send("GET", "/v1/_streams/\(id)").status == 200 {}
                #expect(try server.send("DELETE", "/v1/_streams/\(id)").status == 404)
            }
            let path = try #require(url.split(separator: "?").first.map(String.init))
            #expect(try server.send("DELETE", path).status == 404)
        }
    }

    @Test("What is no open stream is not there")
    func refusals() throws {
        let server = try TestServer()
        for id in ["1", "0", "-1", "x", "99999999999999999999"] {
            let answer = try server.send("DELETE", "/v1/_streams/\(id)")
            #expect(answer.status == 404 && answer.body.contains("/v1/_streams lists"), "\(id)")
        }
        #expect(try server.send("DELETE", "/v1/_streams/1?all=true").status == 400)
    }
}
