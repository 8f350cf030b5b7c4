import FreshetConfig
import FreshetServer
import Testing

/// The limits of an entity are its own: what stands around it in a body or an answer has its own
/// levels on top.
@Suite("An entity's limits, whatever is around it")
struct EntityLimitTests {
    /// An entity that nests `depth` levels deep, itself the first.
    static func nested(_ depth: Int, id: String = "1") -> String {
        "{\"id\":\"\(id)\",\"a\":" + String(repeating: "[", count: depth - 1)
            + String(repeating: "]", count: depth - 1) + "}"
    }

    /// The same at `depth` levels, as an entity and as a patch.
    private static func writes(_ depth: Int) -> [(String, String, String, [String])] {
        let lines = ["Content-Type: application/x-ndjson"]
        let entity = nested(depth)
        return [
            ("PUT", "/v1/t/1", entity, []),
            ("POST", "/v1/t", entity, []),
            ("PATCH", "/v1/t/0", nested(depth, id: "0"), []),
            ("POST", "/v1/t/_set", "[\(entity)]", []),
            ("POST", "/v1/t/_set", entity, lines),
            ("POST", "/v1/_import", "{\"type\":\"t\",\"entity\":\(entity)}", lines),
            (
                "POST", "/v1/_batch",
                "{\"operations\":[{\"set\":{\"type\":\"t\",\"entity\":\(entity)}}]}", []
            ),
            (
                "POST", "/v1/_batch",
                "{\"operations\":[{\"patch\":{\"type\":\"t\",\"id\":0,\"patch\":"
                    + nested(depth, id: "0") + "}}]}", []
            ),
        ]
    }

    @Test("64 levels are taken everywhere, and shown everywhere")
    func deepest() throws {
        for (method, target, body, headers) in Self.writes(64) {
            let server = try TestServer()
            _ = try server.send("PUT", "/v1/t/0", "{}")
            let answer = try server.send(method, target, body, headers: headers)
            #expect((200..<300).contains(answer.status), "\(method) \(target) \(answer.body)")
            let id = body.contains("\"id\":\"0\"") ? "0" : "1"
            let entity = Self.nested(64, id: id)
            #expect(try server.send("GET", "/v1/t/\(id)").body == entity + "\n")
            #expect(try server.send("GET", "/v1/t").body.contains(entity))
            #expect(try server.send("GET", "/v1/t?order=-a").body.contains(entity))
            let batch = try server.send(
                "POST", "/v1/_batch",
                "{\"operations\":[{\"patch\":{\"type\":\"t\",\"id\":\"\(id)\",\"patch\":{\"b\":1}}}]}"
            )
            #expect(batch.status == 200, "\(batch.body)")
        }
    }

    @Test("65 levels are refused everywhere")
    func tooDeep() throws {
        for (method, target, body, headers) in Self.writes(65) {
            let server = try TestServer()
            _ = try server.send("PUT", "/v1/t/0", "{}")
            let answer = try server.send(method, target, body, headers: headers)
            #expect(answer.status == 400, "\(method) \(target) \(answer.body)")
            #expect(answer.body.contains("\"code\":\"bad-json\""), "\(method) \(target)")
            #expect(try server.send("GET", "/v1/t/1").status == 404)
            #expect(try server.send("GET", "/v1/t/0").body == "{\"id\":\"0\"}\n")
        }
    }

    @Test("A filter as deep as a filter may be is taken by search and removal alike")
    func filters() throws {
        var filter = "{\"property\":\"a\",\"op\":\"==\",\"value\":1}"
        for _ in 0..<60 { filter = "{\"and\":[\(filter)]}" }
        let server = try TestServer()
        _ = try server.send("PUT", "/v1/t/1", "{\"a\":1}")
        let found = try server.send("POST", "/v1/t/_search", "{\"filter\":\(filter)}")
        #expect(found.body.contains("{\"id\":\"1\",\"a\":1}"), "\(found.body)")
        let removed = try server.send("POST", "/v1/t/_remove", "{\"filter\":\(filter)}")
        #expect(removed.body.contains("\"removed\":[\"1\"]"), "\(removed.body)")
    }

    @Test("A line may be spaced out and spelled as widely as the body of a PUT")
    func wideLines() throws {
        let server = try TestServer { $0.limits.documentBytes = 100_000 }
        let text = String(repeating: "\\u00e9", count: 45_000)
        let entity = "{\"id\":\"1\",\"a\":\"\(text)\"}"
        #expect(try server.send("PUT", "/v1/t/1", entity).status == 201)
        #expect(try server.send("POST", "/v1/t/_set", "[\(entity)]").status == 200)
        let imported = try server.send(
            "POST", "/v1/_import", "{\"type\":\"t\",\"entity\":\(entity)}",
            headers: ["Content-Type: application/x-ndjson"])
        #expect(imported.status == 200, "\(imported.body)")
    }
}
