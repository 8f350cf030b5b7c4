import FreshetJSON
import FreshetServer
import Testing

/// `GET /v1/_types/{type}/infer`.
@Suite struct InferTests {
    private func infer(
        _ server: TestServer, _ target: String, by caller: String? = nil
    ) throws -> JSONValue {
        let answer = try server.ask(caller, "GET", "/v1/_types/\(target)")
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.header("Cache-Control") == "no-store")
        return try JSONValue.parse(answer.body)
    }

    private func fill(_ server: TestServer, by caller: String? = nil, count: Int = 300) throws {
        let rows = (0..<count).map {
            "{\"id\":\($0),\"team\":\"\($0 % 3 == 0 ? "blue" : "red")\",\"n\":\($0)}"
        }
        let body = "[\(rows.joined(separator: ","))]"
        #expect(try server.ask(caller, "POST", "/v1/task/_set", body).status == 200)
    }

    @Test("The properties of a type are told, with a schema for the configuration")
    func answers() throws {
        let server = try TestServer()
        try fill(server)
        #expect(
            try infer(server, "task/infer")
                == JSONValue.parse(
                    #"""
                    {"type":"task","sampled":300,"properties":[
                     {"name":"team","seen":300,"kinds":{"string":300},"distinct":2,
                      "most":[["red",200],["blue",100]],"min":"blue","max":"red","maxLength":4,
                      "format":null},
                     {"name":"n","seen":300,"kinds":{"number":300},"distinct":null,
                      "most":[[0,1],[1,1],[2,1],[3,1],[4,1]],"min":0,"max":299,"maxLength":null,
                      "format":null}],
                     "schema":{"identifier":"integer","properties":{
                      "team":{"type":"string"},"n":{"type":"integer"}}}}
                    """#))
        let ten = try infer(server, "task/infer?sample=10")
        #expect(ten["sampled"] == 10)
        // Each thirtieth.
        #expect(ten["properties"]?.arrayValue?.last?["max"] == 270)
    }

    @Test("What is no sample, no type or no parameter is refused")
    func refusals() throws {
        let server = try TestServer()
        try fill(server)
        for sample in ["0", "10001", "-1", "", "ten", "1.5"] {
            let answer = try server.send("GET", "/v1/_types/task/infer?sample=\(sample)")
            #expect(answer.status == 400 && answer.body.contains("1 to 10000"), "\(sample)")
        }
        #expect(try server.send("GET", "/v1/_types/task/infer?limit=1").status == 400)
        #expect(try server.send("GET", "/v1/_types/task/infer?sample=1&sample=2").status == 400)
        for type in ["tasks", "_x", "9"] {
            let answer = try server.send("GET", "/v1/_types/\(type)/infer")
            #expect(answer.status == 404 && answer.body.contains(#""code":"unknown-type""#))
        }
        let events = ["Accept: text/event-stream"]
        #expect(
            try server.send("GET", "/v1/_types/task/infer", headers: events).status == 406)
        #expect(try server.send("POST", "/v1/_types/task/infer", "{}").status == 405)
    }

    @Test("Only rows that the caller may read are looked at, evenly")
    func rights() throws {
        let server = try AccessScene.server()
        try fill(server, by: "root")
        let all = try infer(server, "task/infer", by: "reader")
        #expect(all["sampled"] == 300)
        let blue = try infer(server, "task/infer", by: "blue")
        #expect(blue["sampled"] == 100)
        #expect(blue["properties"]?.arrayValue?.first?["most"] == [["blue", 100]])
        let few = try infer(server, "task/infer?sample=10", by: "blue")
        #expect(few["sampled"] == 10)
        #expect(few["properties"]?.arrayValue?.last?["max"] == 270)
        // A type of which nothing is to be seen is not there, as in the list of types.
        for (caller, status) in [("mute", 403), (nil, 404)] as [(String?, Int)] {
            #expect(
                try server.ask(caller, "GET", "/v1/_types/task/infer").status == status)
        }
        _ = try server.ask("root", "DELETE", "/v1/task?filter=team=='blue'")
        #expect(try server.ask("blue", "GET", "/v1/_types/task/infer").status == 404)
    }
}
