import FreshetBase
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import Testing

@testable import FreshetRemote

/// A source over a scripted transport.
struct SourceBench {
    let transport: ScriptedTransport
    let source: RESTSource

    init(
        _ transport: ScriptedTransport, maximumEntity: Int = 1 << 20,
        _ change: (inout RemoteMapping) throws -> Void = { _ in }
    ) throws {
        var mapping = RemoteMapping(type: try #require(TypeName("todo")), upstream: "api")
        mapping.get = .init(method: "GET", request: try template("/todos/{id}"))
        mapping.search = .init(request: try template("/todos"))
        try change(&mapping)
        var settings = UpstreamSettings(
            name: "api", base: try #require(UpstreamBase("http://a.test")))
        settings.retry = .none
        self.transport = transport
        source = RESTSource(
            mapping,
            upstream: Upstream(settings, transport: transport, clock: ManualOperationClock()),
            maximumEntity: maximumEntity, log: Log(level: .error))
    }

    func get(
        _ id: String, conditions: RemoteValidators? = nil, call: RemoteCall = RemoteCall()
    ) async throws(UpstreamError) -> RemoteAnswer {
        guard let id = try? EntityID(id) else { throw .cancelled }
        return try await source.get(id, conditions: conditions, call: call)
    }

    func search(
        _ filter: String? = nil, endpoint: String? = nil, parameters: [String: String] = [:],
        isTrusted: Bool = false, conditions: RemoteValidators? = nil,
        _ change: (inout Query) -> Void = { _ in }
    ) async throws -> RemoteAnswer {
        var query = Query(type: try #require(TypeName("todo")))
        query.filter = try filter.map { try Filter(parsing: $0) }
        change(&query)
        return try await source.search(
            RemoteSearch(
                query: query, endpoint: endpoint, parameters: parameters, isTrusted: isTrusted),
            conditions: conditions, call: RemoteCall())
    }
}

func template(
    _ path: String, _ query: KeyValuePairs<String, String> = [:]
) throws -> RequestTemplate {
    try #require(RequestTemplate(path: path, query: query.map { (name: $0.key, value: $0.value) }))
}

extension [RemoteEntity] {
    var texts: [String] { map { String(decoding: $0.document.json, as: UTF8.self) } }
    var ids: [String] { map(\.id.text) }
}

@Suite("Entities of a REST upstream")
struct RESTSourceTests {
    @Test("One entity by its id, digits and members as they were sent")
    func get() async throws {
        let text = "{\"id\":7,\"n\":12345678901234567890.10,\"a\":{\"b\":[1]}}"
        let bench = try SourceBench(
            ScriptedTransport([ScriptedTransport.json(text, headers: [("ETag", "\"x\"")])]))
        let answer = try await bench.get("7", call: RemoteCall(startSeq: 41))
        #expect(answer.entities.texts == [text])
        #expect(answer.validators == RemoteValidators(etag: "\"x\""))
        #expect(answer.startSeq == 41)
        #expect(bench.transport.paths == ["/todos/7"])
    }

    @Test("404 and 410 to a get are answers; other 4xx are errors")
    func absent() async throws {
        for status in [404, 410] {
            let bench = try SourceBench(ScriptedTransport([ScriptedTransport.status(status)]))
            #expect(try await bench.get("7").isAbsent)
        }
        let bench = try SourceBench(ScriptedTransport([ScriptedTransport.status(403)]))
        await #expect(throws: UpstreamError.status(403, retryAfter: nil, excerpt: "")) {
            try await bench.get("7")
        }
    }

    @Test("Another entity than the one asked for is a lie")
    func wrongID() async throws {
        let bench = try SourceBench(ScriptedTransport([ScriptedTransport.json("{\"id\":8}")]))
        await #expect(
            throws: UpstreamError.shape(
                endpoint: "get", pointer: "/id", detail: "the id 7 that was asked for")
        ) { try await bench.get("7") }
    }

    @Test("An id that cannot be a segment is never sent")
    func unaddressable() async throws {
        let bench = try SourceBench(ScriptedTransport())
        await #expect {
            try await bench.get("..")
        } throws: {
            if case .unaddressable("get", "id", _) = $0 as? UpstreamError { true } else { false }
        }
        #expect(bench.transport.requests.isEmpty)
    }

    // MARK: Conditions

    @Test("Validators are sent, and a 304 keeps what was")
    func conditions() async throws {
        let bench = try SourceBench(
            ScriptedTransport([ScriptedTransport.status(304), ScriptedTransport.status(304)]))
        let known = RemoteValidators(etag: "W/\"a\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
        let answer = try await bench.get("7", conditions: known)
        #expect(answer.isNotModified && answer.entities.isEmpty && answer.validators == known)
        let sent = bench.transport.requests[0].headers
        #expect(sent.contains { $0 == ("If-None-Match", "W/\"a\"") })
        #expect(
            sent.contains { $0 == ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT") })
        let list = try await bench.search(conditions: known)
        #expect(list.isNotModified && list.pushdown != nil)
    }

    @Test("A 304 that nobody asked for is a wrong answer")
    func unasked304() async throws {
        let bench = try SourceBench(ScriptedTransport([ScriptedTransport.status(304)]))
        await #expect {
            try await bench.get("7")
        } throws: {
            if case .shape("get", "", _) = $0 as? UpstreamError { true } else { false }
        }
    }

    // MARK: Lists

    @Test("A list in the upstream's order; each id once; bad elements are left out and counted")
    func lenient() async throws {
        let body = """
            {"data": {"list": [{"id":2,"a":1}, {"id":"x\\u0079"}, 5, null, {"a":1}, {"id":true},
              {"id":2,"a":3}, {"id":1.5}, [], {"id":"\(String(repeating: "i", count: 300))"},
              {"id":9,"big":"\(String(repeating: "b", count: 200))"}, {"id":1}]}}
            """
        let bench = try SourceBench(
            ScriptedTransport([ScriptedTransport.json(body)]), maximumEntity: 100
        ) { $0.search?.items = try #require(JSONPointer("/data/list")) }
        let answer = try await bench.search()
        #expect(answer.entities.texts == ["{\"id\":2,\"a\":1}", "{\"id\":\"xy\"}", "{\"id\":1}"])
        #expect(answer.dropped == 8)
        #expect(answer.isComplete)
        #expect(bench.source.upstream.counters.dropped.value == 8)
    }

    @Test("An element with a name twice, half a character or too deep costs only itself")
    func faultyElements() async throws {
        let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        for bad in [
            "{\"id\":1,\"id\":2}", "{\"id\":3,\"a\":\"\\ud800\"}", "{\"id\":4,\"a\":\(deep)}",
            "{\"id\":3,\"a\":{\"b\":1,\"b\":\"],}\"}}",
        ] {
            let bench = try SourceBench(
                ScriptedTransport([
                    ScriptedTransport.json(
                        "{\"n\":[{}], \"items\": [ {\"id\":5} , \(bad),{\"id\":6}]}")
                ])
            ) { $0.search?.items = try #require(JSONPointer("/items")) }
            let answer = try await bench.search()
            #expect(answer.entities.ids == ["5", "6"], "\(bad)")
            #expect(answer.dropped == 1, "\(bad)")
        }
    }

    @Test("An entity's levels are its own: those around it do not count")
    func deepElements() async throws {
        func nested(_ depth: Int, id: Int) -> String {
            "{\"id\":\(id),\"a\":" + String(repeating: "[", count: depth - 1)
                + String(repeating: "]", count: depth - 1) + "}"
        }
        let bench = try SourceBench(
            ScriptedTransport([
                ScriptedTransport.json(
                    "{\"data\":{\"list\":[\(nested(64, id: 1)),\(nested(65, id: 2))]}}"),
                ScriptedTransport.json("{\"data\":\(nested(64, id: 7))}"),
            ])
        ) {
            $0.search?.items = try #require(JSONPointer("/data/list"))
            $0.get?.item = try #require(JSONPointer("/data"))
        }
        let list = try await bench.search()
        #expect(list.entities.texts == [nested(64, id: 1)])
        #expect(list.dropped == 1)
        #expect(try await bench.get("7").entities.texts == [nested(64, id: 7)])
    }

    @Test(
        "A frame that is wrong is no answer at all",
        arguments: [
            ("<html><body>Sign in</body></html>", ""), ("", ""), ("[{\"id\":1},{\"id\":2}", ""),
            ("[{\"id\":1,\"a\":NaN}]", ""), ("[{\"id\":1}] trailing", ""),
            ("{\"items\":5}", "/items"),
            ("{\"other\":[]}", "/items"), ("[{\"id\":1}]", "/items"), ("null", "/items"),
            ("{\"items\":[{\"id\":1},{\"id\":Infinity}]}", ""), ("{\"items\":[{\"id\":1}", ""),
            ("{\"items\":[{\"id\":1},]}", ""), ("{\"items\":[],\"items\":[]}", ""),
            ("{'items':[]}", ""), ("\u{FEFF}{\"items\":{}}", "/items"),
        ])
    func wrongFrame(_ body: String, _ pointer: String) async throws {
        let bench = try SourceBench(ScriptedTransport([ScriptedTransport.json(body)])) {
            $0.endpoints["popular"] = .init(request: try template("/popular"))
            $0.endpoints["popular"]?.items = try #require(JSONPointer("/items"))
        }
        await #expect {
            try await bench.search(endpoint: "popular")
        } throws: {
            if case .shape("popular", pointer, _) = $0 as? UpstreamError { true } else { false }
        }
    }

    @Test("HTML that says so is no JSON, whatever it holds")
    func html() async throws {
        let bench = try SourceBench(
            ScriptedTransport([
                .success(
                    UpstreamResponse(
                        status: 200, headers: [("content-type", "text/html; charset=utf-8")],
                        body: Array("[]".utf8)))
            ]))
        await #expect(
            throws: UpstreamError.shape(
                endpoint: "search", pointer: "", detail: "JSON, not HTML")
        ) { try await bench.search() }
    }

    // MARK: Our form

    @Test("Members are renamed, the id is found, nested entities are taken out")
    func form() async throws {
        let body = """
            [{"_id":"a","userId":7,"id":"old","title":"t",
              "author":{"key":{"n":5},"full_name":"Ann"},
              "tags":[{"id":1,"t":"x"},2,{"t":"no id"},null,{"id":1,"t":"y"}],
              "meta":{"editor":{"id":9}}}]
            """
        let bench = try SourceBench(ScriptedTransport([ScriptedTransport.json(body)])) {
            $0.id = try #require(JSONPointer("/_id"))
            $0.rename = [.init(remote: "userId", local: "owner")]
            let person = try #require(TypeName("person"))
            var author = RemoteMapping.Extraction(
                member: "writer", type: person, pointer: try #require(JSONPointer("/author")))
            author.id = try #require(JSONPointer("/key/n"))
            author.rename = [.init(remote: "full_name", local: "name")]
            let tags = RemoteMapping.Extraction(
                member: "tags", type: try #require(TypeName("tag")),
                pointer: try #require(JSONPointer("/tags")))
            let editor = RemoteMapping.Extraction(
                member: "editor", type: person, pointer: try #require(JSONPointer("/meta/editor")))
            $0.extract = [author, tags, editor]
        }
        let answer = try await bench.search()
        #expect(
            answer.entities.texts == [
                "{\"id\":\"a\",\"owner\":7,\"title\":\"t\",\"writer\":5,\"tags\":[1,2,1],"
                    + "\"meta\":{\"editor\":9},\"editor\":9}"
            ])
        #expect(
            answer.extracted.texts == [
                "{\"id\":5,\"key\":{\"n\":5},\"name\":\"Ann\"}", "{\"id\":1,\"t\":\"y\"}",
                "{\"id\":9}",
            ])
        #expect(answer.extracted.map(\.type.text) == ["person", "tag", "person"])
        #expect(answer.dropped == 1)
    }

    // MARK: Single flight

    @Test("A hundred equal reads are one request, and each has documents of its own")
    func singleFlight() async throws {
        let bench = try SourceBench(ScriptedTransport())
        let tasks = (0..<100).map { index in
            Task { try await bench.get("7", call: RemoteCall(startSeq: UInt64(index + 1))) }
        }
        await bench.transport.arrived(1)
        while bench.source.flights.waiting < 100 { await Task.yield() }
        bench.transport.release(ScriptedTransport.json("{\"id\":7}"))
        var identities: Set<ObjectIdentifier> = []
        var starts: Set<UInt64> = []
        var answers: [RemoteAnswer] = []
        for task in tasks { answers.append(try await task.value) }
        for answer in answers {
            starts.insert(answer.startSeq)
            identities.insert(try #require(answer.entities.first).document.identity)
        }
        #expect(bench.transport.requests.count == 1)
        #expect(identities.count == 100)
        #expect(starts.count == 1)
    }

    @Test("Searches whose first page is the same are one only where their window is")
    func flightsOfWindows() async throws {
        let bench = try SourceBench(ScriptedTransport()) {
            $0.search = .init(
                request: try template("/t", ["offset": "{offset}", "limit": "{limit}"]))
            $0.search?.pageSize = 10
        }
        let limits = [25, 35, nil, 25]
        let tasks = limits.map { limit in
            Task { try await bench.search { $0.limit = limit } }
        }
        while bench.source.flights.waiting < limits.count { await Task.yield() }
        try #require(bench.source.flights.count == 3)
        // Of 45 rows: three pages, four, and five of which the last is short.
        for released in 0..<12 {
            await bench.transport.arrived(max(3, released + 1))
            while bench.transport.heldCount < bench.transport.requests.count - released {
                await Task.yield()
            }
            let path = bench.transport.paths[released]
            let offset = try #require(
                path.split(separator: "&").first?.split(separator: "=").last.flatMap { Int($0) })
            let rows = (offset..<min(offset + 10, 45)).map { "{\"id\":\($0)}" }
            bench.transport.release(
                ScriptedTransport.json("[\(rows.joined(separator: ","))]"))
        }
        for (limit, task) in zip(limits, tasks) {
            let answer = try await task.value
            #expect(answer.pushdown?.window?.limit == limit)
            #expect(answer.entities.count == limit.map { ($0 + 9) / 10 * 10 } ?? 45)
            #expect(answer.isComplete == (limit == nil))
        }
    }

    @Test("The upstream request is aborted when the last of its callers has left")
    func abort() async throws {
        let bench = try SourceBench(ScriptedTransport())
        let tasks = (0..<3).map { _ in Task { try await bench.get("7") } }
        await bench.transport.arrived(1)
        while bench.source.flights.waiting < 3 { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks {
            await #expect(throws: UpstreamError.cancelled) { try await task.value }
        }
        while bench.source.upstream.load != (0, 0) { await Task.yield() }
        #expect(bench.transport.heldCount == 0)
    }

    // MARK: Writes

    private func document(_ text: String) throws -> Document {
        var builder = DocumentBuilder()
        return try Array(text.utf8).withUnsafeBytes {
            try builder.build(json: $0, id: .fromBody)
        }
    }

    private func writing(_ mapping: inout RemoteMapping) throws {
        mapping.create = .init(method: "POST", request: try template("/todos"))
        mapping.update = .init(method: "PUT", request: try template("/todos/{id}"))
        mapping.remove = .init(method: "DELETE", request: try template("/todos/{id}"))
    }

    @Test("A create sends the upstream's form and learns the upstream's id")
    func create() async throws {
        let bench = try SourceBench(
            ScriptedTransport([
                ScriptedTransport.json("{\"_id\":42,\"userId\":1}", status: 201)
            ])
        ) {
            try writing(&$0)
            $0.id = try #require(JSONPointer("/_id"))
            $0.rename = [.init(remote: "userId", local: "owner")]
        }
        let answer = try await bench.source.write(
            RemoteWrite(
                .create(try document("{\"id\":\"tmp\",\"owner\":1}")), idempotencyKey: "k1"),
            call: RemoteCall())
        #expect(answer.status == 201)
        #expect(answer.id?.text == "42")
        #expect(answer.entity.map { [$0].texts } == [["{\"id\":42,\"owner\":1}"]].first)
        let sent = bench.transport.requests[0]
        #expect(sent.method == "POST" && sent.path == "/todos")
        #expect(sent.body == Array("{\"_id\":\"tmp\",\"userId\":1}".utf8))
        #expect(sent.headers.contains { $0 == ("Idempotency-Key", "k1") })
        // The service may not know such keys: the connection is not to repeat it by itself.
        #expect(!sent.isRepeatable)
        #expect(sent.headers.contains { $0 == ("Content-Type", "application/json") })
    }

    @Test("Without a body the id comes from Location; an unreadable body is no failure")
    func location() async throws {
        for answer in [
            ScriptedTransport.status(201, [("Location", "http://a.test/todos/a%2Fb?x")]),
            .success(
                UpstreamResponse(
                    status: 200, headers: [("Location", "/todos/a%2Fb")],
                    body: Array("<p>done".utf8))),
        ] {
            let bench = try SourceBench(ScriptedTransport([answer]), writing)
            let result = try await bench.source.write(
                RemoteWrite(.create(try document("{\"id\":1}"))), call: RemoteCall())
            #expect(result.id?.text == "a/b")
            #expect(result.entity == nil)
        }
    }

    @Test(
        "The id of a Location is its last segment, where that is text, whatever marks are in it",
        arguments: [
            ("/todos/a%2Fb/", "a/b"), ("/todos/\u{301}x?y", "\u{301}x"),
            ("/todos/x?\u{301}/y", "x"),
            ("/todos/%C3%A9#f", "é"), ("/todos/%+5", nil), ("/todos/%5", nil), ("/todos/%FF", nil),
            ("/todos/%00", nil), ("/", nil), ("", nil),
        ])
    func lastSegment(location: String, id: String?) async throws {
        let bench = try SourceBench(
            ScriptedTransport([ScriptedTransport.status(201, [("Location", location)])]), writing)
        let result = try await bench.source.write(
            RemoteWrite(.create(try document("{\"id\":1}"))), call: RemoteCall())
        #expect(result.id?.text == id)
    }

    @Test("Removing what is gone is done; a refusal is thrown with its status")
    func remove() async throws {
        let bench = try SourceBench(
            ScriptedTransport([ScriptedTransport.status(404), ScriptedTransport.status(409)]),
            writing)
        let id = try EntityID("a/b")
        let answer = try await bench.source.write(RemoteWrite(.remove(id)), call: RemoteCall())
        #expect(answer.status == 404)
        #expect(bench.transport.paths == ["/todos/a%2Fb"])
        await #expect(throws: UpstreamError.status(409, retryAfter: nil, excerpt: "")) {
            try await bench.source.write(
                RemoteWrite(.update(id, try document("{\"id\":\"a/b\"}"))), call: RemoteCall())
        }
    }

    @Test("A merge patch has null for what is no more there, at any depth, and each name once")
    func patch() async throws {
        let bench = try SourceBench(ScriptedTransport([ScriptedTransport.status(204)])) {
            $0.update = .init(method: "PATCH", request: try template("/todos/{id}"))
            $0.rename = [.init(remote: "userId", local: "author")]
        }
        let old = try document(#"{"id":1,"author":5,"gone":1,"deep":{"a":1,"b":2},"list":{"a":1}}"#)
        let new = try document(#"{"id":1,"userId":9,"author":6,"deep":{"b":3},"list":[1]}"#)
        _ = try await bench.source.write(
            RemoteWrite(.update(old.id, new), from: old), call: RemoteCall())
        #expect(
            bench.transport.requests.first?.body.map { String(decoding: $0, as: UTF8.self) }
                == #"{"id":1,"userId":6,"deep":{"b":3,"a":null},"list":[1],"gone":null}"#)
    }

    @Test("A merge patch of what the upstream has leaves out what is in both")
    func patchOfFetched() async throws {
        let bench = try SourceBench(ScriptedTransport([ScriptedTransport.status(204)])) {
            $0.update = .init(method: "PATCH", request: try template("/todos/{id}"))
        }
        let old = try document(#"{"id":1,"price":1,"gone":1,"deep":{"a":1,"b":{"c":2}}}"#)
        old.markFetched()
        let new = try document(#"{"id":1,"price":1,"title":"t","deep":{"a":2,"b":{"c":2}}}"#)
        _ = try await bench.source.write(
            RemoteWrite(.update(old.id, new), from: old), call: RemoteCall())
        #expect(
            bench.transport.requests.first?.body.map { String(decoding: $0, as: UTF8.self) }
                == #"{"id":1,"title":"t","deep":{"a":2},"gone":null}"#)
    }

    @Test(
        "What was taken out of an entity is put back where it is sent", arguments: ["PUT", "PATCH"])
    func putBack(method: String) async throws {
        let start =
            #"{"_id":1,"user":{"key":9,"name":"A"},"meta":{"owner":{"id":8}},"#
            + #""tags":[{"id":"x"},"y"],"n":"#
        let bench = try SourceBench(
            ScriptedTransport([ScriptedTransport.json("\(start)1}"), ScriptedTransport.status(204)])
        ) {
            $0.update = .init(method: method, request: try template("/todos/{id}"))
            $0.id = try #require(JSONPointer("/_id"))
            let person = try #require(TypeName("person"))
            var user = RemoteMapping.Extraction(
                member: "author", type: person, pointer: try #require(JSONPointer("/user")))
            user.id = try #require(JSONPointer("/key"))
            user.rename = [.init(remote: "name", local: "title")]
            $0.extract = [
                user,
                .init(
                    member: "owner", type: person,
                    pointer: try #require(JSONPointer("/meta/owner"))),
                .init(member: "tags", type: person, pointer: try #require(JSONPointer("/tags"))),
            ]
        }
        let answer = try await bench.get("1")
        let people = answer.extracted
        let old = try #require(answer.entities.first?.document)
        old.markFetched()
        #expect(
            String(decoding: old.json, as: UTF8.self)
                == #"{"id":1,"author":9,"meta":{"owner":8},"tags":["x","y"],"n":1,"owner":8}"#)
        let new = try document(
            #"{"id":1,"author":9,"meta":{"owner":8},"tags":["x","y"],"n":2,"owner":8}"#)
        var write = RemoteWrite(.update(old.id, new), from: old)
        write.nested = { type, id in people.first { $0.type == type && $0.id == id }?.document }
        _ = try await bench.source.write(write, call: RemoteCall())
        let body = try #require(bench.transport.requests.last?.body)
        let text = String(decoding: body, as: UTF8.self)
        #expect(text == (method == "PUT" ? "\(start)2}" : #"{"_id":1,"n":2}"#))
    }

    @Test("Elements with a fault of their own are left out, however many there are")
    func manyFaultyElements() async throws {
        let faulty = (0..<40).map { #"{"id":\#($0),"b":1,"b":2}"# } + [#"{"id":98,"s":"\ud800"}"#]
        var body = Array("[{\"id\":1},\(faulty.joined(separator: ",")),\"".utf8)
        body += [0xFF] + Array("\",{\"id\":2,\"s\":\"".utf8)
        body += [0xC3] + Array("\"},{\"id\":3}]".utf8)
        let text = body
        let bench = try SourceBench(
            ScriptedTransport { _ in
                .success(
                    UpstreamResponse(
                        status: 200, headers: [("Content-Type", "application/json")], body: text))
            }
        ) { $0.search = .init(request: try template("/todos")) }
        let answer = try await bench.search()
        #expect(answer.entities.map(\.id) == [EntityID(1), EntityID(3)])
        #expect(answer.dropped == 43)
    }

    @Test("A create without a key is never repeated")
    func unsafeRepeat() async throws {
        let bench = try SourceBench(
            ScriptedTransport { _ in failing(.unreachable(.reset, detail: "")) }, writing)
        var call = RemoteCall()
        call.retry = RetryPolicy(limit: 5, base: .zero, longest: .zero)
        let write = RemoteWrite(.create(try document("{\"id\":1}")))
        await #expect(throws: UpstreamError.unreachable(.reset, detail: "")) {
            try await bench.source.write(write, call: call)
        }
        #expect(bench.transport.requests.count == 1)
    }
}
