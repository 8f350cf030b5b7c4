import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetServer
import FreshetStore
import Glibc
import Testing

private func pointers(_ response: TestResponse) throws -> [String] {
    try JSONValue.parse(response.body)["errors"]?.arrayValue?.map { fault in
        (fault["line"]?.numberText).map { "line \($0) " } ?? ""
            + (fault["pointer"]?.stringValue ?? "none")
    } ?? []
}

@Suite("Schemas over a socket")
struct SchemaScenarioTests {
    /// `body` is lazy, so entities of `lazy` are judged by the commit and not before it.
    private static let declared = """
        {"plain":{"properties":{"n":{"type":"integer","maximum":9}}},
         "lazy":{"properties":{"n":{"type":"integer","maximum":9},
                               "body":{"type":"string","lazy":true}}}}
        """

    @Test("A fault in a list names the element, whoever finds it", arguments: ["plain", "lazy"])
    func lists(_ type: String) throws {
        let server = try TestServer { $0.types = (try? declaredTypes(Self.declared)) ?? [] }
        let bad = #"[{"id":1},{"id":2,"n":1},{"id":3,"n":10}]"#
        for headers in [[], ["Idempotency-Key: k1"]] {
            let answer = try server.send("POST", "/v1/\(type)/_set", bad, headers: headers)
            #expect(answer.status == 422)
            #expect(try pointers(answer) == ["/2/n"])
        }
        let lines = try server.send(
            "POST", "/v1/\(type)/_set", "{\"id\":1}\n\n{\"id\":2,\"n\":10}\n",
            headers: ["Content-Type: application/x-ndjson"])
        #expect(lines.status == 422)
        let fault = try JSONValue.parse(lines.body)["errors"]?.arrayValue?.first
        #expect(fault?["line"]?.numberText == "3")
        #expect(fault?["pointer"]?.stringValue == "/n")

        let batch = try server.send(
            "POST", "/v1/_batch",
            """
            {"operations":[{"set":{"type":"\(type)","entity":{"id":1}}},
             {"set":{"type":"\(type)","entity":{"id":2,"n":10}}}]}
            """)
        #expect(try pointers(batch) == ["/operations/1/set/entity/n"])

        let imported = try server.send(
            "POST", "/v1/_import",
            "\n{\"type\":\"\(type)\",\"entity\":{\"id\":1}}\n"
                + "{\"type\":\"\(type)\",\"entity\":{\"id\":2,\"n\":10}}\n"
                + "{\"type\":\"\(type)\",\"entity\":{\"id\":3}}\n",
            headers: ["Content-Type: application/x-ndjson"])
        #expect(imported.status == 422)
        let line = try JSONValue.parse(imported.body)["errors"]?.arrayValue?.first
        #expect(line?["line"]?.numberText == "3")
        #expect(line?["pointer"]?.stringValue == "/n")
        // Nothing of any of these was stored.
        #expect(try server.send("GET", "/v1/\(type)/1").status == 404)
    }

    @Test("A lazy member goes where a write names it with null, and stays where none names it")
    func lazyRemoval() throws {
        let whole = #"{"id":"1","n":1,"body":"text"}"#
        let bare = #"{"id":"1","n":1}"#
        let patch = #"{"n":1,"body":null}"#
        func batch(_ operation: String) -> String { #"{"operations":[\#(operation)]}"# }
        let entity = #"{"id":"1","n":1,"body":null}"#
        for (method, target, body) in [
            ("PATCH", "/v1/lazy/1", patch), ("PUT", "/v1/lazy/1", entity),
            ("POST", "/v1/lazy/_set", "[\(entity)]"),
            ("POST", "/v1/_batch", batch(#"{"set":{"type":"lazy","entity":\#(entity)}}"#)),
            (
                "POST", "/v1/_batch",
                batch(#"{"patch":{"type":"lazy","id":1,"patch":\#(patch)}}"#)
            ),
        ] {
            let server = try TestServer { $0.types = (try? declaredTypes(Self.declared)) ?? [] }
            _ = try server.send("PUT", "/v1/lazy/1", whole)
            for kept in [("PUT", bare), ("PATCH", #"{"n":1}"#)] {
                _ = try server.send(kept.0, "/v1/lazy/1", kept.1)
                #expect(try server.send("GET", "/v1/lazy/1").body == whole + "\n")
            }
            let answer = try server.send(method, target, body)
            #expect(answer.status == 200, "\(answer.body)")
            #expect(try server.send("GET", "/v1/lazy/1").body == bare + "\n", "\(method) \(body)")
        }
    }

    @Test("Every element at fault is named, up to a hundred")
    func everyFault() throws {
        let server = try TestServer { $0.types = (try? declaredTypes(Self.declared)) ?? [] }
        let lines = ["Content-Type: application/x-ndjson"]
        func entities(_ count: Int) -> [String] {
            (0..<count).map { "{\"id\":\"\($0)\",\"n\":\($0 % 3 == 1 ? 10 : 1)}" }
        }
        func ask(_ count: Int) throws -> [(TestResponse, (Int) -> String)] {
            let rows = entities(count)
            let sets = rows.map { "{\"set\":{\"type\":\"plain\",\"entity\":\($0)}}" }
            return [
                (
                    try server.send(
                        "POST", "/v1/plain/_set", "[\(rows.joined(separator: ","))]"),
                    { "/\($0)/n" }
                ),
                (
                    try server.send(
                        "POST", "/v1/plain/_set", rows.joined(separator: "\n"), headers: lines),
                    { "line \($0 + 1) " }
                ),
                (
                    try server.send(
                        "POST", "/v1/_batch",
                        "{\"operations\":[\(sets.joined(separator: ","))]}"),
                    { "/operations/\($0)/set/entity/n" }
                ),
                (
                    try server.send(
                        "POST", "/v1/_import",
                        rows.map { "{\"type\":\"plain\",\"entity\":\($0)}\n" }.joined(),
                        headers: lines),
                    { "line \($0 + 1) " }
                ),
            ]
        }
        for (answer, place) in try ask(8) {
            #expect(answer.status == 422)
            #expect(try pointers(answer) == [1, 4, 7].map(place), "\(answer.body)")
            #expect(answer.body.contains("3 elements have faults"))
        }
        for (answer, place) in try ask(400) {
            #expect(answer.status == 422)
            #expect(try pointers(answer) == (0..<100).map { place($0 * 3 + 1) })
            #expect(answer.body.contains("the first 100 faults are named"))
        }
        let broken = try server.send(
            "POST", "/v1/plain/_set", #"[{"id":1,"n":10},{"id":2},{"id":}]"#)
        #expect(broken.status == 422 && broken.body.contains("bad-json"), "\(broken.body)")
        #expect(try server.send("GET", "/v1/plain").body.contains(#""items":[]"#))
    }

    @Test("Defaults count for the limit of an entity that is configured, and no other")
    func configuredLimit() throws {
        let text = String(repeating: "d", count: 100)
        let declared = #"{"t":{"properties":{"d":{"type":"string","default":"\#(text)"}}}}"#
        for (limit, size, status) in [(4 << 20, 2 << 20, 201), (2_000, 1_950, 422)] {
            let server = try TestServer {
                $0.types = (try? declaredTypes(declared)) ?? []
                $0.limits.documentBytes = limit
            }
            let body = "{\"x\":\"\(String(repeating: "x", count: size))\"}"
            #expect(try server.send("PUT", "/v1/t/1", body).status == status)
        }
    }

    @Test("A patch whose result is too large names the limit of an entity")
    func largePatch() throws {
        let server = try TestServer { $0.limits.documentBytes = 2_000 }
        let half = String(repeating: "x", count: 1_500)
        _ = try server.send("PUT", "/v1/t/1", "{\"a\":\"\(half)\"}")
        let batch = #"{"operations":[{"patch":{"type":"t","id":1,"patch":{"b":"\#(half)"}}}]}"#
        for (method, target, body) in [
            ("PATCH", "/v1/t/1", "{\"b\":\"\(half)\"}"), ("POST", "/v1/_batch", batch),
        ] {
            let answer = try server.send(method, target, body)
            #expect(answer.status == 413)
            #expect(
                answer.body.contains("more than the 2000 bytes")
                    && answer.body.contains("limits.document"), "\(answer.body)")
        }
    }

    @Test("A patch and a condition in a batch name their operation")
    func batches() throws {
        let server = try TestServer { $0.types = (try? declaredTypes(Self.declared)) ?? [] }
        _ = try server.send("PUT", "/v1/plain/1", "{}")
        let patch = try server.send(
            "POST", "/v1/_batch",
            """
            {"operations":[{"set":{"type":"plain","entity":{"id":2}}},
             {"patch":{"type":"plain","id":1,"patch":{"n":10}}}]}
            """)
        #expect(try pointers(patch) == ["/operations/1/patch/patch/n"])
        let condition = try server.send(
            "POST", "/v1/_batch",
            """
            {"operations":[{"set":{"type":"plain","entity":{"id":2}}},
             {"set":{"type":"plain","entity":{"id":1}},"ifNoneMatch":"*"}]}
            """)
        #expect(condition.status == 412)
        #expect(try pointers(condition) == ["/operations/1"])
        #expect(try JSONValue.parse(condition.body)["operation"]?.numberText == "1")
    }

    @Test("A changed configuration is told of in _types, and what is stored stays readable")
    func unfit() throws {
        let server = try TestServer()
        for id in 0..<30 { _ = try server.send("PUT", "/v1/plain/\(id)", "{\"n\":\(id)}") }
        _ = try server.send("PUT", "/v1/other/1", "{}")
        var changed = ServeSettings.standard
        changed.types = try declaredTypes(Self.declared)
        server.server.reload(changed)

        let one = try JSONValue.parse(try server.send("GET", "/v1/_types/plain").body)
        #expect(one["count"]?.numberText == "30")
        #expect(one["unfit"]?.numberText == "20")
        #expect(one["declared"]?.boolValue == true)
        #expect(one["unfitEntities"]?.arrayValue?.count == 20)
        let first = one["unfitEntities"]?.arrayValue?.first
        #expect(first?["id"]?.stringValue == "10")
        #expect(first?["errors"]?.arrayValue?.first?["pointer"]?.stringValue == "/n")
        #expect(first?["errors"]?.arrayValue?.first?["code"]?.stringValue == "maximum")

        let all = try JSONValue.parse(try server.send("GET", "/v1/_types").body)
        let counts = (all["items"]?.arrayValue ?? []).map {
            "\($0["name"]?.stringValue ?? "") \($0["unfit"]?.numberText ?? "")"
        }
        #expect(counts == ["lazy 0", "other 0", "plain 20"])
        #expect(try server.send("GET", "/v1/plain/20").status == 200)
        #expect(try server.send("PUT", "/v1/plain/20", "{\"n\":20}").status == 422)
        #expect(try server.send("PUT", "/v1/plain/20", "{\"n\":2}").status == 200)
        let later = try JSONValue.parse(try server.send("GET", "/v1/_types/plain").body)
        #expect(later["unfit"]?.numberText == "19")
    }
}
