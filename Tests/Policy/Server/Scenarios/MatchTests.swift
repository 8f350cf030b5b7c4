import FreshetJSON
import FreshetServer
import Testing

/// `GET /v1/{type}/{id}?matches=FILTER`.
@Suite struct MatchTests {
    @Test("The parts of a filter are told, as they are of the stored entity")
    func answers() throws {
        let server = try TestServer()
        let stored = try server.send(
            "PUT", "/v1/task/1", #"{"done":false,"priority":"3","tags":[]}"#)
        let answer = try server.send(
            "GET", "/v1/task/1?matches=done==false+and+priority%3E2+and+!exists(owner)")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json")
        #expect(answer.header("Vary") == "Accept" && answer.header("ETag") == nil)
        #expect(stored.header("ETag") == "\"1\"")
        #expect(
            try JSONValue.parse(answer.body)
                == JSONValue.parse(
                    #"""
                    {"matches":false,
                     "filter":"done == false and priority > 2 and !exists(owner)","revision":1,
                     "nodes":[
                      {"pointer":"","text":"and","value":false},
                      {"pointer":"/and/0","text":"done == false","value":true,"actual":false},
                      {"pointer":"/and/1","text":"priority > 2","value":false,"actual":"3",
                       "note":"a string is compared with a number"},
                      {"pointer":"/and/2","text":"not","value":true},
                      {"pointer":"/and/2/not","text":"exists(owner)","value":false,
                       "absent":true}]}
                    """#), "\(answer.body)")
        // The same question by a search has the same answer.
        for filter in ["tags==[]", "done", "!done", "priority%3E'2'", "id==1", "true", "x==null"] {
            let told = try JSONValue.parse(
                try server.send("GET", "/v1/task/1?matches=\(filter)").body)
            let found = try JSONValue.parse(
                try server.send("GET", "/v1/task?filter=\(filter)&limit=0&count=true").body)
            #expect(told["matches"] == .bool(found["meta"]?["total"] == 1), "\(filter)")
        }
    }

    @Test("It stands alone, and is refused as a filter is")
    func refusals() throws {
        let server = try TestServer()
        _ = try server.send("PUT", "/v1/task/1", #"{"done":false}"#)
        for (target, parts) in [
            ("matches=done&fields=id", ["bad-parameter", "stands alone"]),
            ("live=1&matches=done", ["bad-parameter", "stands alone"]),
            ("matches=done&matches=done", ["bad-parameter", "twice"]),
            ("matches=", ["bad-filter", #""parameter":"matches""#]),
            (
                "matches=done=1",
                ["bad-filter", #""offset":4"#, "write matches="]
            ),
            ("matches=done~='('", ["bad-filter", #""parameter":"matches""#]),
            ("match=done", ["bad-parameter", "did you mean 'matches'?"]),
        ] {
            let answer = try server.send("GET", "/v1/task/1?\(target)")
            #expect(answer.status == 400, "\(target)")
            for part in parts { #expect(answer.body.contains(part), "\(answer.body)") }
        }
        #expect(try server.send("GET", "/v1/task/2?matches=done").status == 404)
        let events = ["Accept: text/event-stream"]
        #expect(
            try server.send("GET", "/v1/task/1?matches=done", headers: events).status == 406)
        #expect(try server.send("HEAD", "/v1/task/1?matches=done").status == 200)
        let deep = String(repeating: "(", count: 65) + "done" + String(repeating: ")", count: 65)
        let answer = try server.send("GET", "/v1/task/1?matches=\(deep)")
        #expect(answer.status == 400 && answer.body.contains("query-too-complex"))
        // A search does not have it.
        #expect(try server.send("GET", "/v1/task?matches=done").status == 400)
    }

    @Test("What the caller may not read is not there")
    func rights() throws {
        let server = try AccessScene.server()
        for (id, team) in [(1, "blue"), (2, "red")] {
            _ = try server.ask("root", "PUT", "/v1/task/\(id)", "{\"team\":\"\(team)\"}")
        }
        for (caller, id, status) in [
            ("blue", 1, 200), ("blue", 2, 404), ("reader", 2, 200), ("mute", 1, 403), (nil, 1, 401),
        ] as [(String?, Int, Int)] {
            let answer = try server.ask(caller, "GET", "/v1/task/\(id)?matches=team=='blue'")
            #expect(answer.status == status, "\(caller ?? "nobody"), \(id)")
        }
    }
}
