import FreshetBase
import FreshetConfig
import FreshetJSON
import Testing

@testable import FreshetServer

/// Whose session it is, and what its queries may show.
@Suite struct LiveSessionAccessTests {
    private func session(
        _ server: TestServer, _ caller: String?, _ queries: String
    ) throws -> (path: String, url: String) {
        let answer = try server.ask(caller, "POST", "/v1/_live", #"{"queries":\#(queries)}"#)
        #expect(answer.status == 201, "\(answer.body)")
        let value = try JSONValue.parse(Array(answer.body.utf8))
        return (
            try #require(answer.header("Location")), try #require(value["url"]?.stringValue)
        )
    }

    private func events(_ stream: TestStream, through name: String) throws -> [TestEvent] {
        var all: [TestEvent] = []
        repeat { all.append(try stream.next()) } while all.last?.name != name
        return all
    }

    private func write(_ server: TestServer) throws {
        for (id, team) in [(1, "blue"), (2, "red")] {
            let body = #"{"team":"\#(team)","rank":1}"#
            #expect(try server.ask("root", "PUT", "/v1/task/\(id)", body).status == 201)
        }
    }

    private func reload(_ server: TestServer, _ access: String) throws {
        var settings = ServeSettings.standard
        settings.logLevel = .error
        settings.access = try AccessScene.settings(access)
        server.server.reload(settings)
    }

    @Test func aQueryThatTheCallerMayNotReadRefusesAll() throws {
        let server = try AccessScene.server()
        let body = #"{"queries":{"a":"/v1/task","b":"/v1/other"}}"#
        let refused = try server.ask("blue", "POST", "/v1/_live", body)
        #expect(refused.status == 403 && refused.body.contains(#""q":"b""#))
        let url = "/v1/_live?q.a=/v1/task&q.b=/v1/other"
        #expect(try server.ask("blue", "GET", url).status == 403)
        #expect(try server.ask("reader", "HEAD", url).status == 200)
        // Nobody in particular may read the type "open".
        #expect(try server.ask(nil, "GET", url).status == 401)
        #expect(try server.ask(nil, "HEAD", "/v1/_live?q.a=/v1/open").status == 200)
        #expect(try server.ask("reader", "GET", "/v1/_live").status == 403)
        #expect(try server.ask(nil, "GET", "/v1/_live").status == 401)
        #expect(try server.ask("root", "GET", "/v1/_live").status == 200)
    }

    @Test func aTicketShowsWhatItsMakerMayRead() throws {
        let server = try AccessScene.server()
        try write(server)
        let (_, url) = try session(server, "blue", #"{"a":"/v1/task?order=id"}"#)
        #expect(!url.contains(AccessScene.token("blue")))
        // Without a header; a wrong one is no matter.
        for headers in [[], ["Authorization: Bearer wrong"]] {
            let stream = try TestStream(server, url, headers: headers)
            let shown = try events(stream, through: "sync")
            #expect(shown[1].data.contains("blue") && !shown[1].data.contains("red"))
        }
    }

    @Test func theSessionOfAnotherIsNotThere() throws {
        let server = try AccessScene.server()
        let (path, url) = try session(server, "blue", #"{"a":"/v1/task"}"#)
        let unknown = "/v1/_live/" + String(repeating: "0", count: 32)
        for caller in ["reader", "root", nil] {
            for method in ["GET", "PATCH", "DELETE"] {
                let body = method == "PATCH" ? #"{"queries":{}}"# : nil
                let of = try server.ask(caller, method, path, body)
                #expect(of.status == 404)
                #expect(
                    of.tellingParts == (try server.ask(caller, method, unknown, body)).tellingParts)
            }
        }
        #expect(try server.ask("blue", "HEAD", path).status == 200)
        #expect(try server.ask("blue", "PATCH", path, #"{"queries":{}}"#).status == 200)
        #expect(try server.ask("blue", "DELETE", path).status == 204)
        #expect(try server.send("GET", url).status == 404)
        // Nobody in particular needs the ticket even for a session of its own.
        let (own, _) = try session(server, nil, #"{"a":"/v1/open"}"#)
        #expect(try server.ask(nil, "GET", own).status == 404)
    }

    @Test func aLostRightEndsItsQueryAndTheOthersGoOn() throws {
        let server = try AccessScene.server()
        try write(server)
        let (_, url) = try session(server, "blue", #"{"a":"/v1/task","b":"/v1/note"}"#)
        let stream = try TestStream(server, url)
        _ = try events(stream, through: "sync")
        let less =
            #"{"tokens":[{"name":"blue","sha256":"@blue","types":{"task":{"read":true}}}]}"#
        try reload(server, less)
        let changed = try events(stream, through: "sync")
        let fault = try #require(changed.first { $0.name == "fault" })
        #expect(fault.data.contains(#""code":"forbidden""#))
        #expect(fault.data.contains(#""q":"b","final":true"#))
        #expect(changed.contains { $0.name == "snapshot" && $0.data.contains("red") })
        // Who comes again is shown what is left.
        let again = try events(try TestStream(server, url), through: "sync")
        #expect(again.map(\.name) == ["hello", "snapshot", "sync"])
        try reload(server, #"{"tokens":[]}"#)
        #expect(try server.send("GET", url).status == 401)
    }

    @Test func aSessionOfForbiddenQueriesEndsHoweverOftenItsClientComesBack() throws {
        let server = try AccessScene.server()
        try write(server)
        let (_, url) = try session(server, "blue", #"{"a":"/v1/task","b":"/v1/note"}"#)
        let stream = try TestStream(server, url)
        _ = try events(stream, through: "sync")
        let nothing =
            #"{"tokens":[{"name":"blue","sha256":"@blue","types":{"other":{"read":true}}}]}"#
        try reload(server, nothing)
        let end = #"{"reason":"access","reconnect":false,"after":0}"#
        #expect(try events(stream, through: "bye").last?.data == end)
        for _ in 1...2 {
            #expect(try events(try TestStream(server, url), through: "bye").last?.data == end)
        }
        // With the rights the queries are there again.
        try reload(server, AccessScene.standard)
        let again = try events(try TestStream(server, url), through: "sync")
        #expect(again.filter { $0.name == "snapshot" }.count == 2)
    }

    @Test func aRevokedTokenEndsItsSession() throws {
        let server = try AccessScene.server()
        let (_, url) = try session(server, "blue", #"{"a":"/v1/task"}"#)
        let stream = try TestStream(server, url)
        _ = try events(stream, through: "sync")
        try reload(server, #"{"tokens":[]}"#)
        let bye = try events(stream, through: "bye")
        #expect(bye.last?.data.contains(#""reason":"access","reconnect":false"#) == true)
    }
}
