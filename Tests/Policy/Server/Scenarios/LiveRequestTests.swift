import FreshetBase
import FreshetConfig
import FreshetJSON
import Testing

@testable import FreshetServer

/// How live queries are asked for (live.md, sections 2 and 3).
@Suite struct LiveRequestTests {
    private func server() throws -> TestServer {
        let server = try TestServer()
        for id in 1...2 {
            let body = #"{"id":\#(id),"n":\#(id)}"#
            #expect(try server.send("PUT", "/v1/t/\(id)", body).status == 201)
        }
        return server
    }

    // MARK: In a body

    @Test func aBodyMayAskForAStream() throws {
        let server = try server()
        let stream = try TestStream(
            server, "/v1/t/_search", headers: ["Accept: */*"],
            post: #"{"filter":"n == 1","live":"delta","heartbeat":7,"old":true}"#)
        let hello = try stream.next()
        #expect(hello.data.contains(#""heartbeat":7"#) && hello.data.contains(#""mode":"delta""#))
        let snapshot = try stream.next()
        #expect(snapshot.data.contains(#""items":[{"id":1,"n":1}]"#), "\(snapshot.data)")
        _ = try server.send("DELETE", "/v1/t/1")
        #expect(try stream.next().data.contains(#""old":{"1":{"id":1,"n":1}}"#))
        let cursor = try #require(snapshot.id)
        let again = try TestStream(
            server, "/v1/t/_search",
            post: #"{"filter":"n == 1","live":"delta","since":"\#(cursor)"}"#)
        _ = try again.next()
        #expect(try again.next().data.contains(#""remove":{"1":"deleted"}"#))
    }

    @Test(arguments: ["POST", "QUERY"])
    func aBodyMayAskForALongPoll(method: String) throws {
        let server = try server()
        let target = method == "POST" ? "/v1/t/_search" : "/v1/t"
        let first = try server.send(method, target, #"{"limit":1,"wait":25}"#)
        #expect(first.status == 200 && first.body.contains(#""snapshot":{"#), "\(first.body)")
        let cursor = try #require(
            JSONValue.parse(Array(first.body.utf8))["cursor"]?.stringValue)
        func since(_ wait: Int) -> String {
            #"{"limit":1,"since":"\#(cursor)","wait":\#(wait)}"#
        }
        #expect(try server.send(method, target, since(0)).status == 204)
        _ = try server.send("PUT", "/v1/t/1", #"{"id":1,"n":7}"#)
        let second = try server.send(method, target, since(25))
        #expect(second.body.contains(#""put":[{"id":1,"n":7}]"#), "\(second.body)")
    }

    @Test(
        arguments: [
            ("/v1/t/_search", #"{"live":"often"}"#, "live"),
            ("/v1/t/_search", #"{"live":["delta"]}"#, "live"),
            ("/v1/t/_search", #"{"wait":"long"}"#, "wait"),
            ("/v1/t/_search?live=delta", #"{"live":"delta"}"#, "live"),
            ("/v1/t/_search", #"{"live":1,"after":"AA"}"#, "after"),
            ("/v1/t/_remove", #"{"ids":[1],"live":1}"#, "live"),
        ])
    func faultsOfABodyNameTheMember(target: String, body: String, name: String) throws {
        let answer = try server().send("POST", target, body)
        #expect(answer.status == 400 && answer.body.contains(#""parameter":"\#(name)""#))
    }

    @Test func aPageIsNotWatchedAndTheHintNamesTheOffset() throws {
        let server = try server()
        for id in 1...2 { _ = try server.send("PUT", "/v1/t/\(id)", "{}") }
        let page = try JSONValue.parse(try server.send("GET", "/v1/t?limit=1").body)
        let next = try #require(page["meta"]?["next"]?.stringValue)
        for target in ["/v1/t?after=\(next)&live=1", "/v1/_live?q.a=%2Fv1%2Ft%3Fafter=\(next)"] {
            let answer = try server.send("GET", target)
            #expect(answer.status == 400 && answer.body.contains("offset=N"), "\(answer.body)")
        }
    }

    // MARK: Names of queries

    @Test func aNameIsShortAndOfPlainCharacters() throws {
        let server = try server()
        let longest = String(repeating: "a", count: 32)
        for (name, isGood) in [
            ("a", true), ("A-z_09", true), (longest, true), (longest + "a", false), ("", false),
            ("a b", false), ("a.b", false), ("ä", false), ("a\\nid: 7", false),
        ] {
            let answer = try server.send(
                "POST", "/v1/_live", "{\"queries\":{\"\(name)\":\"/v1/t\"}}")
            #expect(answer.status == (isGood ? 201 : 400), "'\(name)'")
        }
        let answer = try server.send("GET", "/v1/_live?q.a%0Aid=%2Fv1%2Ft")
        #expect(answer.status == 400 && answer.body.contains("letters, digits"))
    }

    // MARK: The first event

    @Test(arguments: ["/v1/t", "/v1/_live?q.a=/v1/t", "/v1/_conditions"])
    func theTimeToComeBackTravelsWithAnEvent(target: String) throws {
        let server = try server()
        let connection = try server.connect()
        try connection.write(
            "GET \(target) HTTP/1.0\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        _ = try connection.read(until: "\r\n\r\n")
        let block = try connection.read(until: "\n\n")
        #expect(block.hasPrefix("retry: ") && block.contains("\nevent: "), "\(block)")
        #expect(block.contains("\ndata: {"))
    }

    // MARK: Cursors

    @Test(arguments: ["/v1/t?live=delta", "/v1/_live?q.a=/v1/t"])
    func anEmptyLastEventIDLetsSinceCount(target: String) throws {
        let server = try server()
        let stream = try TestStream(server, target)
        var cursor: String?
        while cursor == nil { cursor = try stream.next().id }
        let since = "\(target)&since=\(try #require(cursor))"
        let again = try TestStream(server, since, headers: ["Last-Event-ID:"])
        #expect(try again.next().name == "hello")
        #expect(try again.next().name == "sync")
        // One that says something wins.
        let other = try TestStream(server, since, lastEventID: "nonsense")
        #expect(try other.next().name == "hello")
        #expect(try other.next().data.contains(#""why":"epoch""#))
    }

    // MARK: Faults

    @Test(
        arguments: [
            ("live=true", "live"), ("live=0", "live"), ("live=", "live"), ("live=1&max=0", "max"),
            ("live=1&max=-1", "max"), ("live=1&heartbeat=x", "heartbeat"),
            ("live=1&heartbeat=-1", "heartbeat"), ("live=1&heartbeat=%2B5", "heartbeat"),
            ("live=1&throttle=0.5", "throttle"), ("live=1&wait=", "wait"),
            ("live=1&old=1", "old"),
        ])
    func valuesThatMeanNothingAreRefused(query: String, name: String) throws {
        let answer = try server().send("GET", "/v1/t?\(query)")
        #expect(answer.status == 400 && answer.body.contains(#""parameter":"\#(name)""#))
    }

    @Test(arguments: ["0", "4294967296", "99999999999999999999999999"])
    func numbersAreHeldToTheirRangesHoweverLargeTheyAre(number: String) throws {
        let server = try server()
        let stream = try TestStream(
            server, "/v1/t?live=1&heartbeat=\(number)&throttle=\(number)&max=1\(number)")
        let hello = try stream.next()
        #expect(hello.data.contains(#""heartbeat":\#(number == "0" ? 5 : 60)"#))
        let refused = try server.send("GET", "/v1/t?live=1&heartbeat=x")
        #expect(refused.body.contains("a whole number of seconds, and is held to 5...60"))
    }

    @Test func aStreamIsForWhoTakesEventsOrJSON() throws {
        let server = try server()
        let made = try server.send("POST", "/v1/_live", #"{"queries":{"a":"/v1/t"}}"#)
        let url = try #require(JSONValue.parse(Array(made.body.utf8))["url"]?.stringValue)
        for target in ["/v1/t?live=1", "/v1/_live?q.a=/v1/t", url] {
            for (accept, status) in [
                ("image/png", 406), ("text/event-stream;q=0, text/plain", 406), ("text/*", 200),
                ("application/json", 200), ("*/*", 200), ("text/event-stream", 200),
            ] {
                let answer = try server.send("HEAD", target, headers: ["Accept: \(accept)"])
                #expect(answer.status == status, "\(target) \(accept)")
            }
        }
        // Without queries it is JSON for operators.
        #expect(try server.send("GET", "/v1/_live", headers: ["Accept: text/*"]).status == 406)
    }
}
