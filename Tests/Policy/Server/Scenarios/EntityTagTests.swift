import FreshetServer
import Testing

/// What HEAD says of a search is what GET says.
@Suite struct EntityTagTests {
    @Test func aHeadOfASearchHasTheTagOfItsGet() throws {
        let server = try TestServer()
        let rows = (0..<30).map { "{\"id\":\($0),\"n\":\($0 % 4),\"next\":\(($0 + 1) % 30)}" }
        let body = "[\(rows.joined(separator: ","))]"
        #expect(try server.send("POST", "/v1/t/_set", body).status == 200)
        var tags: Set<String> = []
        let questions = [
            "", "limit=3", "limit=0", "limit=3&count=true", "filter=n==1", "order=-n&limit=5",
            "offset=28", "ids=3,99", "group=n&limit=9", "distinct=n", "aggregate=count,sum(n)",
            "aggregate=count", "aggregate=count&group=n", "fields=n", "meta=true", "explain=true",
            "filter=n==9", "source=local",
        ]
        for question in questions {
            let target = "/v1/t?\(question)"
            let get = try server.send("GET", target)
            let head = try server.send("HEAD", target)
            let tag = try #require(get.header("ETag"), "\(question)")
            #expect(head.header("ETag") == tag, "\(question)")
            #expect(head.status == 200 && head.header("Freshet-Total") != nil, "\(question)")
            for method in ["GET", "HEAD"] {
                let known = try server.send(method, target, headers: ["If-None-Match: \(tag)"])
                #expect(known.status == 304 && known.header("ETag") == tag, "\(question)")
            }
            tags.insert(tag)
        }
        #expect(tags.count == questions.count)
    }

    /// What was missing has come, while the rows are what they were.
    @Test func aSearchByIDsIsAnotherOnceOneOfThemIsThere() throws {
        let server = try TestServer()
        #expect(try server.send("PUT", "/v1/t/1", #"{"n":1}"#).status == 201)
        let questions = ["ids=1,2&filter=n==1", "ids=1,2&limit=1", "ids=1,2&aggregate=max(n)"]
        let tags = try questions.map { question in
            try #require(server.send("GET", "/v1/t?\(question)").header("ETag"))
        }
        #expect(try server.send("PUT", "/v1/t/2", #"{"n":0}"#).status == 201)
        for (question, tag) in zip(questions, tags) {
            let answer = try server.send(
                "GET", "/v1/t?\(question)", headers: ["If-None-Match: \(tag)"])
            #expect(answer.status == 200, "\(question)")
            #expect(answer.body.contains(#""missing":[]"#), "\(answer.body)")
        }
    }

    /// Metadata moves without a revision, so that nobody is known to have it; a condition is one.
    @Test func aGetWithMetadataKeepsToItsConditions() throws {
        let server = try TestServer()
        let put = try server.send("PUT", "/v1/t/1", #"{"n":1}"#)
        let tag = try #require(put.header("ETag"))
        for target in ["/v1/t/1?meta=true&source=local", "/v1/t/1?source=local"] {
            for (header, status) in [
                (#"If-Match: "999""#, 412), ("If-Match: 1", 400), ("If-Match: \(tag)", 200),
                ("If-None-Match: \(tag)", target.contains("meta") ? 200 : 304),
            ] {
                let answer = try server.send("GET", target, headers: [header])
                #expect(answer.status == status, "\(target) \(header)")
            }
        }
    }

    /// Programs escape a parameter as a whole, people none of it.
    @Test func anOrderByIDsMayBeEscapedAsAWhole() throws {
        let server = try TestServer()
        let rows = #"[{"id":1},{"id":2},{"id":3},{"id":"a,b"}]"#
        #expect(try server.send("POST", "/v1/t/_set", rows).status == 200)
        for (order, first) in [
            ("ids:3,1", #"[{"id":3},{"id":1},{"id":2}"#),
            ("ids%3A3%2C1", #"[{"id":3},{"id":1},{"id":2}"#),
            ("ids:a%2Cb,3", #"[{"id":"a,b"},{"id":3},{"id":1}"#),
            ("ids%3Aa%2Cb,3", #"[{"id":"a,b"},{"id":3},{"id":1}"#),
            ("ids:a%2Cb", #"[{"id":"a,b"},{"id":1},{"id":2}"#),
        ] {
            let answer = try server.send("GET", "/v1/t?order=\(order)&limit=3")
            #expect(answer.body.contains("\"items\":\(first)"), "\(order): \(answer.body)")
        }
    }

    @Test func aKeyIsThatOfThePathHoweverItIsEscaped() throws {
        let server = try TestServer()
        let key = ["Idempotency-Key: k"]
        for id in ["3", "%33"] {
            let put = try server.send("PUT", "/v1/t/\(id)", #"{"n":1}"#, headers: key)
            #expect(put.status == 201, "\(id): \(put.body)")
        }
    }
}
