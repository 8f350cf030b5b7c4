import FreshetBase
import FreshetCore
import FreshetQuery
import Testing

@testable import FreshetServer

/// What is asked over and over is read and planned once, and answered anew each time. All on one
/// connection, whose event loop keeps what was asked.
@Suite struct RepeatedSearchTests {
    private func rows(_ count: Int) -> String {
        let rows = (0..<count).map { "{\"id\":\($0),\"n\":\($0 % 3),\"x\":\($0)}" }
        return "[\(rows.joined(separator: ","))]"
    }

    @Test func anAnswerSeesWhatWasWrittenSinceTheLast() throws {
        let server = try TestServer()
        let link = try server.connect()
        #expect(try link.send("POST", "/v1/t/_set", rows(9)).status == 200)
        let target = "/v1/t?filter=n==1&order=-x&limit=2&count=true&fields=x"
        for next in 0..<6 {
            let expected = [7 + 3 * next, 4 + 3 * next].map { "{\"id\":\($0),\"x\":\($0)}" }
            let answer = try link.send("GET", target)
            #expect(answer.body.hasPrefix("{\"items\":[\(expected.joined(separator: ","))]"))
            #expect(answer.body.contains("\"total\":\(3 + next)"))
            let id = 10 + 3 * next
            let row = #"{"id":\#(id),"n":1,"x":\#(id)}"#
            #expect(try link.send("PUT", "/v1/t/\(id)", row).status == 201)
        }
    }

    @Test func pagesAndTagsAreTheSameEachTime() throws {
        let server = try TestServer()
        let link = try server.connect()
        #expect(try link.send("POST", "/v1/t/_set", rows(30)).status == 200)
        for question in ["limit=7", "order=n,-x&limit=7", "filter=n<2&limit=7", "group=n&limit=7"] {
            var asked = question
            for _ in 0..<3 {
                let first = try link.send("GET", "/v1/t?\(asked)")
                for _ in 0..<3 {
                    let again = try link.send("GET", "/v1/t?\(asked)")
                    #expect(again.body == first.body, "\(asked)")
                    #expect(again.header("ETag") == first.header("ETag"), "\(asked)")
                    // HEAD counts, which the same text by GET does not.
                    let head = try link.send("HEAD", "/v1/t?\(asked)", readsBody: false)
                    #expect(head.header("Freshet-Total") != nil && !first.body.contains("total"))
                }
                guard let next = first.body.firstMatch(of: /"next":"([^"]+)"/)?.1 else { break }
                asked = "\(question)&after=\(next)"
            }
        }
    }

    @Test func typesAreAskedApart() throws {
        let server = try TestServer()
        let link = try server.connect()
        #expect(try link.send("PUT", "/v1/a/1", #"{"n":1}"#).status == 201)
        #expect(try link.send("PUT", "/v1/b/2", #"{"n":1}"#).status == 201)
        for _ in 0..<4 {
            #expect(try link.send("GET", "/v1/a?filter=n==1").body.contains(#"[{"id":"1","n":1}]"#))
            #expect(try link.send("GET", "/v1/b?filter=n==1").body.contains(#"[{"id":"2","n":1}]"#))
        }
    }

    @Test func aRowRuleHoldsWhoeverHasAskedBefore() throws {
        let server = try AccessScene.server()
        let link = try server.connect()
        func ask(_ name: String, _ method: String, _ target: String, _ body: String? = nil) throws
            -> TestResponse
        {
            try link.send(method, target, body, headers: [AccessScene.bearer(name)])
        }
        #expect(try ask("root", "PUT", "/v1/task/1", #"{"team":"blue"}"#).status == 201)
        #expect(try ask("root", "PUT", "/v1/task/2", #"{"team":"red"}"#).status == 201)
        for target in ["/v1/task", "/v1/task?order=team", "/v1/task?filter=exists(team)&limit=1"] {
            for _ in 0..<4 {
                #expect(try !ask("blue", "GET", target).body.contains(#""red""#))
                let all = try ask("root", "GET", target).body
                #expect(all.contains(#""red""#) || all.contains(#""next""#))
                #expect(try ask("reader", "GET", target).body.contains(#""blue""#))
                #expect(try ask("mute", "GET", target).status == 403)
            }
        }
    }

    @Test func aStreamMayHaveTheTextOfASearch() throws {
        let server = try TestServer()
        let link = try server.connect()
        #expect(try link.send("PUT", "/v1/t/1", #"{"n":1}"#).status == 201)
        for _ in 0..<3 { #expect(try link.send("GET", "/v1/t?filter=n==1").status == 200) }
        let stream = try link.send(
            "GET", "/v1/t?filter=n==1", headers: ["Accept: text/event-stream"], readsBody: false)
        #expect(stream.header("Content-Type") == "text/event-stream")
    }

    /// What the text alone does not say is read each time.
    @Test func whatMayChangeWhileItsTextDoesNotIsNotKept() throws {
        let type = try #require(TypeName("t"))
        func asked(_ parameters: (String, String)...) throws -> AskedQuery {
            let contracts = ["c": try Filter(parsing: "x > 1")]
            var parser = QueryParser(type: type, contracts: contracts)
            for (name, value) in parameters { try parser.take(name: name, value: value) }
            return AskedQuery(try parser.finish())
        }
        #expect(try asked(("filter", "n == 1"), ("order", "-x")).isLasting)
        #expect(try asked().isLasting)
        #expect(try !asked(("ids", "1,2")).isLasting)
        #expect(try !asked(("order", "ids:1,2")).isLasting)
        #expect(try !asked(("contract", "c")).isLasting)
        #expect(try !asked(("filter", "n ~= 'a+'")).isLasting, "its automatons take room")
        #expect(try !asked(("include", "x")).isLasting)
        #expect(try !asked(("source", "local")).isLasting)
        let many = (0..<20).map { "p\($0) == 1" }.joined(separator: " or ")
        #expect(try !asked(("filter", many)).isLasting)
        let long = (0..<1_000).map { "\"value \($0)\"" }.joined(separator: ",")
        #expect(try !asked(("filter", "n in (\(long))")).isLasting, "it would take much memory")
    }

    @Test func onlyWhatComesTwiceIsKept() throws {
        let type = try #require(TypeName("t"))
        let other = try #require(TypeName("u"))
        var cache = QueryCache()
        func find(_ type: TypeName, _ text: String) -> AskedQuery? {
            Array(text.utf8).withUnsafeBytes { cache.find(type, $0) }
        }
        func remember(_ type: TypeName, _ text: String, _ asked: AskedQuery) {
            Array(text.utf8).withUnsafeBytes { cache.remember(type, $0, asked) }
        }
        let asked = AskedQuery(Query(type: type))
        remember(type, "limit=1", asked)
        #expect(find(type, "limit=1") == nil)
        remember(type, "limit=1", asked)
        #expect(find(type, "limit=1") === asked)
        #expect(find(other, "limit=1") == nil && find(type, "limit=2") == nil)
        let long = "limit=1&" + String(repeating: "&", count: 2_000)
        for _ in 0..<2 { remember(type, long, asked) }
        #expect(find(type, long) == nil)
        // What changes while its text does not is known not to be kept.
        var byID = Query(type: type)
        byID.ids = []
        for _ in 0..<3 { remember(type, "ids=", AskedQuery(byID)) }
        #expect(find(type, "ids=") == nil)
        // However many come, few stay.
        for number in 0..<5_000 {
            for _ in 0..<2 { remember(type, "offset=\(number)", asked) }
        }
        let kept = (0..<5_000).count { find(type, "offset=\($0)") != nil }
        #expect((1...256).contains(kept))
    }
}
