import FreshetBase
@testable import FreshetConfig
import FreshetJSON
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// `_operations`, `_specs`, `_conditions` and `_upstreams`: what is fetched, when, and why not.
@Suite struct OperationRowsTests {
    private static let text = """
        {"conditions":{"online":{"initial":true},"maintenance":{}},
         "upstreams":{"api":{"base":"http://127.0.0.1:9"}},
         "specs":{"open":{"and":[{"condition":"online"},{"not":{"condition":"maintenance"}}]}},
         "types":{"todo":{"remote":{"upstream":"api","get":{"path":"/todo/{id}"},"search":{"path":"/todo"}}}},
         "operations":{
          "todos":{"type":"todo","automatic":{"spec":"open"},"stale":[{"age":{"gt":"60s"}}]},
          "nightly":{"type":"todo","query":{"filter":"n>1"},"admit":{"when":{"failures":{"lt":0}}}}}}
        """

    private func server() throws -> TestServer {
        let file = try TemporaryFile(Self.text)
        let settings = try ConfigurationSource(
            flags: ["memory": ["true"], "listen": ["127.0.0.1:0"]], environment: [:],
            path: file.path
        ).load()
        return try TestServer { $0 = settings }
    }

    private func rows(_ server: TestServer, _ target: String) throws -> [JSONValue] {
        let answer = try server.send("GET", target)
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.header("Cache-Control") == "no-store")
        return try #require(try JSONValue.parse(answer.body)["items"]?.arrayValue)
    }

    @Test func anOperationSaysWhichLeafHoldsIt() throws {
        let server = try server()
        var row = try #require(try rows(server, "/v1/_operations?ids=todos").first)
        #expect(row["heldBy"] == .null && row["type"] == "todo" && row["upstream"] == "api")
        #expect(row["configured"] == true && row["active"] == true && row["invalidated"] == false)
        #expect(row["staleAt"] == .null && row["evaluated"] == 0)
        #expect(
            try server.send("PUT", "/v1/_conditions/maintenance", #"{"value":true}"#).status == 200)
        row = try #require(try rows(server, "/v1/_operations?filter=id=='todos'").first)
        #expect(
            row["heldBy"]?.text
                == #"{"slot":"automatic","pointer":"/specs/open/and/1/not","text":"condition maintenance"}"#
        )
        #expect(row["automatic"] == false && row["evaluated"] == 1)
        // One that may not run at all.
        let nightly = try #require(try rows(server, "/v1/_operations?ids=nightly").first)
        #expect(
            nightly["heldBy"]?.text
                == #"{"slot":"admit","pointer":"/admit/when","text":"failures < 0"}"#)
        #expect(try rows(server, "/v1/_operations?order=-id&limit=1").first?["id"] == "todos")
    }

    @Test func theListIsAsEver() throws {
        let server = try server()
        let plain = try rows(server, "/v1/_operations")
        #expect(plain.map { $0["id"] } == ["nightly", "todos"])
        #expect(plain.allSatisfy { $0["heldBy"] == nil && $0["type"] == nil })
        #expect(try rows(server, "/v1/_operations?prefix=to").count == 1)
        #expect(try server.send("GET", "/v1/_operations?prefix=to&limit=1").status == 400)
        #expect(try rows(server, "/v1/_conditions").first?["readers"] == nil)
        #expect(try rows(server, "/v1/_upstreams").first?["latency"] == nil)
        #expect(try server.send("GET", "/v1/_conditions?live=2").status == 400)
        let own = try TestStream(server, "/v1/_conditions?live=1")
        #expect(try own.next().name == "conditions")
        let operation = try TestStream(server, "/v1/_operations/todos?live=1")
        #expect(try operation.next().name == "state")
    }

    @Test func specificationsAndConditionsNameTheirReaders() throws {
        let server = try server()
        let spec = try #require(try rows(server, "/v1/_specs").first)
        #expect(
            spec.text
                == #"{"id":"open","spec":{"and":[{"condition":"online"},{"not":{"condition":"maintenance"}}]},"#
                + #""satisfied":true,"nextChange":null,"evaluated":0,"#
                + #""readers":[{"operation":"todos","slot":"automatic"},{"operation":"todos","slot":"when"}]}"#
        )
        #expect(
            try server.send("GET", "/v1/_specs/open?fields=satisfied").body
                == #"{"id":"open","satisfied":true}"# + "\n")
        #expect(try server.send("GET", "/v1/_specs/none").status == 404)
        let condition = try #require(
            try rows(server, "/v1/_conditions?filter=name=='online'").first)
        #expect(condition["id"] == "online" && condition["value"] == true)
        #expect(condition["readers"]?.text == #"[{"spec":"open"}]"#)
        #expect(
            try server.send("GET", "/v1/_conditions/online?fields=value").body
                == #"{"id":"online","value":true}"# + "\n")
    }

    @Test func anUpstreamSaysWhoseItIsAndHowFast() throws {
        let server = try server()
        let answer = try server.send("GET", "/v1/_upstreams/api")
        let row = try JSONValue.parse(answer.body)
        #expect(answer.status == 200 && row["id"] == "api", "\(answer.body)")
        #expect(row["types"]?.text == #"["todo"]"#)
        #expect(row["operations"]?.text == #"["nightly","todos"]"#)
        #expect(row["latency"]?["count"] == 0 && row["latency"]?["p50Ms"] == .null)
        #expect(row["latency"]?["buckets"]?.arrayValue?.count == 14)
        #expect(try server.send("GET", "/v1/_upstreams/none").status == 404)
    }

    @Test func whoWatchesSeesAConditionTurn() throws {
        let server = try server()
        #expect(
            try server.send("GET", "/metrics").body
                .contains(#"freshet_system_rows_rendered_total{type="_operations"} 0"#))
        let stream = try TestStream(server, "/v1/_operations?live=delta&fields=heldBy&ids=todos")
        while try stream.next().name != "snapshot" {}
        #expect(try server.send("PUT", "/v1/_conditions/online", #"{"value":false}"#).status == 200)
        var event = try stream.next()
        while event.name != "delta" { event = try stream.next() }
        #expect(event.data.contains(#""text":"condition online""#))
        #expect(try rows(server, "/v1/_operations?filter=heldBy.slot=='automatic'").count == 1)
    }
}
