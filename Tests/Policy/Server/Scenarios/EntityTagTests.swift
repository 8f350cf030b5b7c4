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
}
