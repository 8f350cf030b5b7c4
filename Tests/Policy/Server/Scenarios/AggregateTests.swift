import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetServer
import Testing

/// Groups, figures and first entities over HTTP, once and live.
@Suite struct AggregateScenarioTests {
    private static let rows = #"""
        [{"id":1,"k":"a","n":9007199254740993},{"id":2,"k":"b","n":0.1},{"id":3,"k":"a","n":1e30},
         {"id":4,"n":0.2},{"id":5,"k":null},{"id":6,"k":"b","n":"x"}]
        """#

    private func server(_ rows: String = AggregateScenarioTests.rows) throws -> TestServer {
        let server = try TestServer()
        #expect(try server.send("POST", "/v1/t/_set", rows).status == 200)
        return server
    }

    @Test func groupsAndFiguresStandInPlaceOfItems() throws {
        let server = try server()
        let connection = try server.connect()
        for (query, start, meta) in [
            (
                "group=k&fields=id&limit=5",
                #"{"groups":[{"key":"a","items":[{"id":1},{"id":3}]},{"key":"b","items":[{"id":2}]},{"key":null,"items":[{"id":4},{"id":5}]}],"meta":{"#,
                #""count":5,"next":"#
            ),
            ("group=k&limit=0&count=true", #"{"groups":[],"meta":{"#, #""count":0,"total":6"#),
            (
                "group=k&aggregate=count,sum(n)&limit=0&offset=3",
                #"{"aggregates":[{"key":"a","count":2,"sum(n)":1000000000000009007199254740993},{"key":"b","count":2,"sum(n)":0.1},{"key":null,"count":2,"sum(n)":0.2}],"meta":{"#,
                #""count":3,"source""#
            ),
            (
                "aggregate=avg(n),max(n),count&filter=n<1&count=true",
                #"{"aggregates":{"avg(n)":0.15,"max(n)":0.2,"count":2},"meta":{"#,
                #""count":1,"total":2,"#
            ),
            (
                "distinct=k&order=-id&limit=2&count=true&fields=k",
                #"{"items":[{"id":6,"k":"b"},{"id":5,"k":null}],"meta":{"#, #""count":2,"total":3,"#
            ),
            (
                "aggregate=count&ids=1,9", #"{"aggregates":{"count":1},"meta":{"#,
                #""missing":["9"]"#
            ),
        ] {
            let answer = try connection.send("GET", "/v1/t?\(query)")
            #expect(answer.status == 200 && answer.body.hasPrefix(start), "\(answer.body)")
            #expect(answer.body.contains(meta), "\(answer.body)")
            let head = try connection.send("HEAD", "/v1/t?\(query)")
            #expect(head.status == 200 && head.header("Freshet-Total") != nil)
        }
        #expect(try connection.send("HEAD", "/v1/t?distinct=k").header("Freshet-Total") == "3")
        let body =
            #"{"group":"k","aggregate":["count"],"filter":{"property":"n","op":">","value":0}}"#
        let posted = try connection.send("POST", "/v1/t/_search", body)
        #expect(
            posted.body.hasPrefix(#"{"aggregates":[{"key":"a","count":2},{"key":"b","count":1},"#))
    }

    @Test func pagesOfGroupsFollowOneAnother() throws {
        let server = try server()
        let connection = try server.connect()
        var shown: [String] = []
        var target = "/v1/t?group=k&limit=2&order=-id"
        for _ in 0..<3 {
            let root = try JSONValue.parse(try connection.send("GET", target).body)
            for group in root["groups"]?.arrayValue ?? [] {
                shown += group["items"]?.arrayValue?.compactMap { $0["id"]?.text } ?? []
            }
            guard let next = root["meta"]?["next"]?.stringValue else { break }
            target = "/v1/t?group=k&limit=2&order=-id&after=\(next)"
        }
        #expect(shown == ["6", "5", "4", "3", "2", "1"])
    }

    @Test func theEntityTagIsThatOfWhatIsShown() throws {
        let server = try server()
        let connection = try server.connect()
        let target = "/v1/t?group=k&aggregate=count"
        let tag = try #require(try connection.send("GET", target).header("ETag"))
        _ = try connection.send("PATCH", "/v1/t/1", #"{"n":5}"#)
        let known = ["If-None-Match: \(tag)"]
        #expect(try connection.send("GET", target, headers: known).status == 304)
        _ = try connection.send("PATCH", "/v1/t/1", #"{"k":"c"}"#)
        #expect(try connection.send("GET", target, headers: known).status == 200)
    }

    @Test(arguments: [
        ("aggregate=median(n)", "aggregate", "bad-parameter"),
        ("aggregate=sum()", "aggregate", "bad-parameter"),
        ("aggregate=count,count", "aggregate", "bad-parameter"),
        ("aggregate=sum(n)&filter=id==7", "aggregate", "query-too-complex"),
        ("group=", "group", "bad-parameter"), ("group=a,b", "group", "bad-parameter"),
        ("distinct=k&after=AA", "after", "bad-parameter"),
        ("aggregate=count&include=k", "include", "bad-parameter"),
        ("contract=none", "contract", "bad-parameter"),
    ])
    func whatCannotBeAnsweredIsTold(query: String, parameter: String, code: String) throws {
        let server = try server()
        _ = try server.send("PUT", "/v1/t/7", #"{"n":1e9999}"#)
        let answer = try server.send("GET", "/v1/t?\(query)")
        #expect(answer.status == 400 && answer.body.contains(#""code":"\#(code)""#))
        #expect(answer.body.contains(#""parameter":"\#(parameter)""#), "\(answer.body)")
    }

    @Test func aLargeAnswerIsThatOfASmallOneInPieces() throws {
        let text = String(repeating: "x", count: 2_000)
        let rows = (0..<900).map { #"{"id":\#($0),"k":"\#($0 % 7)\#(text)"}"# }
        let server = try server("[\(rows.joined(separator: ","))]")
        let groups = try JSONValue.parse(
            try server.send("GET", "/v1/t?group=k&limit=900").body)["groups"]?.arrayValue
        #expect(groups?.map { $0["key"]?.stringValue?.first } == Array("0123456"))
        var ids: [Int64?] = []
        for group in groups ?? [] {
            ids += group["items"]?.arrayValue?.map { $0["id"]?.int64Value } ?? []
        }
        var expected: [Int64?] = []
        for key in 0..<7 { expected += (0..<900).filter { $0 % 7 == key }.map { Int64($0) } }
        #expect(ids == expected)
        let figures = try JSONValue.parse(
            try server.send("GET", "/v1/t?group=id&aggregate=count,min(k)").body)["aggregates"]
        let keys: [Int64?]? = figures?.arrayValue?.map { $0["key"]?.int64Value }
        #expect(keys == (0..<900).map { Int64($0) })
    }

    // MARK: Live

    @Test func aWatcherOfFiguresHearsOfThemOnlyWhenTheyChange() throws {
        let server = try server()
        let stream = try TestStream(server, "/v1/t?group=k&aggregate=count,sum(n)&filter=k=='b'")
        _ = try stream.next()
        let first = try stream.next()
        #expect(first.data.contains(#""aggregates":[{"key":"b","count":2,"sum(n)":0.1}],"part":0"#))
        // Another revision of the same figures, then another figure.
        _ = try server.send("PATCH", "/v1/t/6", #"{"n":"y"}"#)
        _ = try server.send("PATCH", "/v1/t/6", #"{"n":0.2}"#)
        let second = try stream.next()
        #expect(
            second.data.contains(
                #""why":"update","aggregates":[{"key":"b","count":2,"sum(n)":0.3}]"#))
        let whole = try TestStream(server, "/v1/t?aggregate=count")
        _ = try whole.next()
        #expect(try whole.next().data.contains(#""aggregates":{"count":6},"part":0,"more":false"#))
        let cursor = try #require(first.id)
        _ = try server.send("PATCH", "/v1/t/6", #"{"n":null}"#)
        let back = try TestStream(
            server, "/v1/t?group=k&aggregate=count,sum(n)&filter=k=='b'", lastEventID: cursor)
        _ = try back.next()
        // The figures are again what the client holds, though an entity is another.
        #expect(try back.next().name == "sync")
    }

    @Test func aGroupStandsInOnePart() throws {
        let text = String(repeating: "x", count: 3_000)
        // Groups of 9 KB, and one of 90 KB, which has a part of its own.
        let rows = (0..<90).map { #"{"id":\#($0),"k":\#($0 < 60 ? $0 / 3 : 20),"t":"\#(text)"}"# }
        let server = try server("[\(rows.joined(separator: ","))]")
        let stream = try TestStream(server, "/v1/t?group=k&count=true")
        _ = try stream.next()
        var groups: [String] = []
        var sizes: [Int] = []
        while true {
            let event = try stream.next()
            let data = try JSONValue.parse(event.data)
            let part = try #require(data["groups"]?.arrayValue)
            #expect(event.data.utf8.count <= 64 * 1024 || part.count == 1)
            groups += part.map(\.text)
            #expect(data["part"]?.int64Value == Int64(sizes.count))
            sizes.append(part.count)
            if data["more"]?.boolValue == false { break }
        }
        #expect(sizes == [6, 6, 6, 2, 1])
        let answer = try JSONValue.parse(try server.send("GET", "/v1/t?group=k").body)
        #expect(groups == answer["groups"]?.arrayValue?.map(\.text))
    }

    @Test func aWatcherOfDistinctValuesSeesTheFirstOfEach() throws {
        let server = try server()
        let stream = try TestStream(server, "/v1/t?distinct=k&fields=k&order=-id&limit=2")
        _ = try stream.next()
        #expect(try stream.next().data.contains(#""items":[{"id":6,"k":"b"},{"id":5,"k":null}]"#))
        _ = try server.send("DELETE", "/v1/t/5")
        #expect(try stream.next().data.contains(#""items":[{"id":6,"k":"b"},{"id":4}]"#))
    }
}

@Suite struct ContractScenarioTests {
    private func server() throws -> TestServer {
        let text =
            #"{"contracts":{"card":{"requires":["title"],"where":"status != 'draft'"},"all":{}}}"#
        let types = [try declaredType("article", text)]
        let server = try TestServer { $0.types = types }
        let rows = #"""
            [{"id":1,"title":"a","status":"draft"},{"id":2,"title":"b","status":"live"},
             {"id":3,"status":"live"},{"id":4,"title":null},{"id":5,"title":"c"}]
            """#
        #expect(try server.send("POST", "/v1/article/_set", rows).status == 200)
        return server
    }

    @Test func whatBreaksAContractIsNotThereForWhoeverNamesIt() throws {
        let server = try server()
        let connection = try server.connect()
        for (target, status, text) in [
            ("/v1/article?contract=card&fields=id", 200, #"{"items":[{"id":2},{"id":5}],"#),
            ("/v1/article?contract=card&filter=id<5&aggregate=count", 200, #"{"count":1}"#),
            ("/v1/article?contract=all&count=true&limit=0", 200, #""total":5"#),
            ("/v1/article?contract=none", 400, "'all', 'card'"),
            ("/v1/other?contract=card", 400, #""parameter":"contract""#),
            ("/v1/article/2?contract=card", 200, #"{"id":2,"title":"b","status":"live"}"#),
            ("/v1/article/1?contract=card", 404, #""code":"not-found""#),
            ("/v1/article/1?contract=all", 200, #""id":1"#),
            ("/v1/article/1?contract=none", 400, #""code":"bad-parameter""#),
        ] {
            let answer = try connection.send("GET", target)
            #expect(answer.status == status && answer.body.contains(text), "\(answer.body)")
        }
        let body = #"{"contract":"card","limit":1,"fields":"id"}"#
        let first = try connection.send("POST", "/v1/article/_search", body)
        #expect(first.body.hasPrefix(#"{"items":[{"id":2}],"meta""#))
        // The cursor is of the question with its contract.
        let root = try JSONValue.parse(first.body)
        let next = try #require(root["meta"]?["next"]?.stringValue)
        let page = try connection.send(
            "GET", "/v1/article?contract=card&limit=1&fields=id&after=\(next)")
        #expect(page.body.hasPrefix(#"{"items":[{"id":5}],"#), "\(page.body)")
        #expect(try connection.send("GET", "/v1/article?limit=1&after=\(next)").status == 400)
    }

    @Test func aWatcherNeverSeesWhatBreaksItsContract() throws {
        let server = try server()
        let stream = try TestStream(server, "/v1/article?contract=card&fields=id")
        _ = try stream.next()
        #expect(try stream.next().data.contains(#""items":[{"id":2},{"id":5}]"#))
        _ = try server.send("PATCH", "/v1/article/2", #"{"status":"draft"}"#)
        #expect(try stream.next().data.contains(#""items":[{"id":5}]"#))
        let one = try TestStream(server, "/v1/article/2?contract=card")
        _ = try one.next()
        #expect(try one.next().data.contains(#""items":[]"#))
    }
}
