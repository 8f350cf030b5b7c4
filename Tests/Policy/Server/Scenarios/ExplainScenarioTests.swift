import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetServer
import Testing

/// Searches through declared indexes, over HTTP.
@Suite struct ExplainScenarioTests {
    private let server: TestServer

    init() throws {
        let declarations = [
            (
                "task",
                """
                {"indexes":["tags","owner",["status","-at"]],"relationships":{\
                "owner":{"type":"person","association":"one"}}}
                """
            ),
            ("person", #"{"relationships":{"tasks":{"type":"task","by":"owner"}}}"#),
        ]
        var types: [TypeSchema] = []
        for (name, text) in declarations {
            var faults: [SchemaFault] = []
            let type = try #require(TypeName(name))
            let schema = SchemaReader.type(
                type, try JSONValue.parse(text), at: JSONPointer(), faults: &faults)
            types.append(try #require(schema, "\(faults)"))
        }
        server = try TestServer { $0.types = types }
        let tasks = (0..<600).map { id in
            """
            {"id":\(id),"status":"\(id % 3 == 0 ? "open" : "done")","at":\(id),"owner":\(id % 50),\
            "tags":["t\(id % 7)","t\(id % 11)"]}
            """
        }
        let people = (0..<50).map { "{\"id\":\($0)}" }
        for (type, bodies) in [("task", tasks), ("person", people)] {
            let body = "[\(bodies.joined(separator: ","))]"
            #expect(try server.send("POST", "/v1/\(type)/_set", body).status == 200)
        }
    }

    private func plan(_ response: TestResponse) throws -> JSONValue {
        try #require(try JSONValue.parse(response.body)["meta"]?["plan"], "\(response.body)")
    }

    @Test func aPlanIsShownWhereItIsAskedFor() throws {
        let question = "filter=status=='open'&order=-at&limit=5&count=true"
        let plain = try server.send("GET", "/v1/task?\(question)")
        let explained = try server.send("GET", "/v1/task?\(question)&explain=true")
        #expect(!plain.body.contains("\"plan\""))
        #expect(plain.body.contains("\"total\":200"))
        #expect(explained.body.hasPrefix(String(plain.body.prefix { $0 != "]" })))
        let plan = try plan(explained)
        #expect(plan["index"] == "status,-at")
        #expect(plan["orderFromIndex"] == true && plan["countFromIndex"] == true)
        #expect(plan["ranges"] == [#"status: "open""#])
        #expect(plan["rowsReturned"] == 5 && plan["rowsExamined"] == 6)
        let posted = try server.send(
            "POST", "/v1/task/_search",
            #"{"filter":"status=='open'","order":["-at"],"limit":5,"count":true,"explain":true}"#)
        #expect(try self.plan(posted) == plan)
    }

    @Test func pagesThroughAnIndexBeginAtTheirMark() throws {
        var target = "/v1/task?filter=status=='open'&order=-at&limit=30&explain=true&fields=id"
        var seen: [Int64] = []
        let start = target
        while true {
            let body = try JSONValue.parse(try server.send("GET", target).body)
            seen += (body["items"]?.arrayValue ?? []).compactMap { $0["id"]?.int64Value }
            #expect(body["meta"]?["plan"]?["rowsExamined"]?.int64Value ?? 99 <= 31)
            guard let next = body["meta"]?["next"]?.stringValue else { break }
            target = start + "&after=\(next)"
        }
        #expect(seen == (0..<200).map { Int64(597 - 3 * $0) })
    }

    @Test func arraysAreFoundByTheirElements() throws {
        let response = try server.send(
            "GET", "/v1/task?filter=tags+has+'t10'&limit=0&count=true&explain=true")
        #expect(response.body.contains("\"total\":54"))
        let plan = try plan(response)
        #expect(plan["index"] == "tags" && plan["kind"] == "count" && plan["rowsExamined"] == 0)
    }

    @Test func whatPointsBackIsFoundByItsIndex() throws {
        let response = try server.send("GET", "/v1/person?ids=7&include=tasks")
        let tasks = try JSONValue.parse(response.body)["included"]?["task"]?.objectValue ?? []
        #expect(tasks.map(\.name) == (0..<12).map { "\(7 + 50 * $0)" })
    }

    @Test func indexesFollowWhatAFilterRemoves() throws {
        let removed = try server.send("DELETE", "/v1/task?filter=status=='open'+and+at+%3E=300")
        #expect(removed.status == 200)
        let left = try server.send("GET", "/v1/task?filter=status=='open'&limit=0&count=true")
        #expect(left.body.contains("\"total\":100"))
    }
}
