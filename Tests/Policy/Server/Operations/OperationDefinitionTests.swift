import FreshetBase
@testable import FreshetConfig
import FreshetJSON
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// What an operation is, what its specifications look at, what conditions would change, and a probe
/// that is asked for.
@Suite struct OperationDefinitionTests {
    private static let text = """
        {"conditions":{"online":{"initial":true},"maintenance":{}},
         "upstreams":{"api":{"base":"http://127.0.0.1:9","retry":{"limit":4},
          "probe":{"path":"/healthz","every":"1h","timeout":"1s"}}},
         "specs":{"open":{"and":[{"condition":"online"},{"not":{"condition":"maintenance"}}]}},
         "types":{"todo":{"remote":{"upstream":"api","get":{"path":"/todo/{id}"},"search":{"path":"/todo"}}}},
         "operations":{
          "todos":{"type":"todo","query":{"filter":"n>1 && s=='a b'"},"automatic":{"spec":"open"},"stale":[{"age":"60s"}],
           "refetch":{"when":{"not":{"condition":"online"}},"requireSubscribers":false}},
          "create":{"kind":"mutation","type":"todo","write":"create"}}}
        """

    private func server() throws -> TestServer {
        let file = try TemporaryFile(Self.text)
        let settings = try ConfigurationSource(
            flags: ["memory": ["true"], "listen": ["127.0.0.1:0"]], environment: [:],
            path: file.path
        ).load()
        return try TestServer { $0 = settings }
    }

    private func json(
        _ server: TestServer, _ method: String, _ target: String, _ body: String? = nil,
        status: Int = 200
    ) throws -> JSONValue {
        let answer = try server.send(method, target, body)
        #expect(answer.status == status, "\(answer.body)")
        return try JSONValue.parse(answer.body)
    }

    @Test func aDefinitionIsWholeAndInTheWordsOfTheConfiguration() throws {
        let server = try server()
        let found = try json(server, "GET", "/v1/_operations/todos/definition")
        #expect(
            found.objectValue?.map(\.name) == [
                "id", "kind", "configured", "type", "upstream", "endpoint", "query", "write",
                "automatic", "stale", "refetch", "admit", "retry", "deadline", "linger", "evict",
                "controllers", "defaults",
            ])
        #expect(found["id"] == "todos" && found["kind"] == "query" && found["configured"] == true)
        #expect(found["upstream"] == "api" && found["endpoint"] == .null)
        #expect(found["write"] == .null)
        let query = try #require(found["query"]?.stringValue)
        #expect(query.hasPrefix("/v1/todo?filter="))
        #expect(try server.send("GET", query + "&source=local").status == 200)
        #expect(found["automatic"]?.text == #"{"spec":"open"}"#)
        #expect(found["retry"]?["limit"] == .integer(4))
        #expect(found["defaults"]?.arrayValue?.contains("retry") == true)
        #expect(found["defaults"]?.arrayValue?.contains("automatic") == false)
        let create = try json(server, "GET", "/v1/_operations/create/definition")
        #expect(create["query"] == .null && create["write"] == "create")
        #expect(create["automatic"] == false)
        #expect(try server.send("GET", "/v1/_operations/none/definition").status == 404)
        #expect(try server.send("GET", "/v1/_operations/todos/definition?a=1").status == 400)
    }

    @Test func aQueryOfAClientHasADefinitionToo() async throws {
        try await offPool {
            let server = try server()
            _ = try server.send("GET", "/v1/todo?filter=n%3E5&source=remote")
            let rows = try json(server, "GET", "/v1/_operations?prefix=todo:")["items"]?.arrayValue
            let id = try #require(rows?.first?["id"]?.stringValue)
            let found = try json(server, "GET", "/v1/_operations/\(id)/definition")
            #expect(found["configured"] == false && found["query"] == "/v1/todo?filter=n+>+5")
            #expect(found["stale"] == .null && found["retry"]?["limit"] == .integer(4))
        }
    }

    @Test func tracesSayWhatLeavesLookAtWhereThatIsAsked() throws {
        let server = try server()
        let plain = try json(server, "GET", "/v1/_operations/todos/specs")
        #expect(
            plain["automatic"]?["trace"]?.arrayValue?.first?.text
                == #"{"pointer":"/automatic","value":true}"#)
        let found = try json(server, "GET", "/v1/_operations/todos/specs?values=true")
        #expect(
            found["automatic"]?["trace"]?.arrayValue?.map(\.text) == [
                #"{"pointer":"/automatic","value":true,"text":"spec open"}"#,
                #"{"pointer":"/specs/open","value":true,"text":"and"}"#,
                #"{"pointer":"/specs/open/and/0","value":true,"text":"condition online","current":true,"since":null,"next":null}"#,
                #"{"pointer":"/specs/open/and/1","value":true,"text":"not"}"#,
                #"{"pointer":"/specs/open/and/1/not","value":false,"text":"condition maintenance","current":false,"since":null,"next":null}"#,
            ])
        #expect(
            found["stale"]?["trace"]?.arrayValue?.last?.text
                == #"{"pointer":"/stale/0","value":true,"text":"age > 1m","current":null,"since":null,"next":null}"#
        )
        #expect(try server.send("GET", "/v1/_operations/todos/specs?values=yes").status == 400)
        let evaluated = try json(
            server, "POST", "/v1/_specs/evaluate",
            #"{"spec":{"connected":"api"},"values":true}"#)
        #expect(evaluated["trace"]?.arrayValue?.first?["current"]?.stringValue != nil)
        #expect(
            try server.send(
                "POST", "/v1/_specs/evaluate", #"{"spec":true,"values":1}"#
            ).status == 422)
    }

    @Test func aForecastChangesNothing() throws {
        let server = try server()
        let forecast = try json(
            server, "POST", "/v1/_conditions/_forecast", #"{"online":false,"maintenance":true}"#)
        #expect(
            forecast.text
                == #"{"conditions":[{"name":"maintenance","from":false,"to":true},{"name":"online","from":true,"to":false}],"#
                + #""specs":[{"name":"open","from":true,"to":false}],"#
                + #""operations":[{"id":"todos","automatic":{"from":true,"to":false},"when":{"from":false,"to":true},"#
                + #""runs":false,"because":"gate","cancels":false}]}"#)
        #expect(
            try json(server, "POST", "/v1/_conditions/_forecast", #"{"online":true}"#).text
                == #"{"conditions":[],"specs":[],"operations":[]}"#)
        let row = try json(server, "GET", "/v1/_conditions/online")
        #expect(row["value"] == true && row["revision"] == .integer(0))
        #expect(
            try server.send("POST", "/v1/_conditions/_forecast", #"{"nope":true}"#).status == 404)
        #expect(
            try server.send("POST", "/v1/_conditions/_forecast", #"{"online":1}"#).status == 400)
        #expect(try server.send("POST", "/v1/_conditions/_forecast", "[]").status == 400)
    }

    @Test func aProbeThatIsAskedForSaysWhatItHasMet() async throws {
        try await offPool {
            let server = try server()
            let met = try json(server, "POST", "/v1/_upstreams/api/probe")
            #expect(met["ok"] == false && met["status"] == .null)
            #expect(met["link"] == "disconnected" && met["healthy"] == false)
            #expect(met["problem"]?["code"] == "upstream-unreachable")
            let row = try json(server, "GET", "/v1/_upstreams/api?fields=link")
            #expect(row["link"] == "disconnected")
            #expect(try server.send("POST", "/v1/_upstreams/none/probe").status == 404)
            #expect(try server.send("POST", "/v1/_upstreams/api/probe?a=1").status == 400)
        }
    }
}
