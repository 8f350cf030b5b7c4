import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetServer
import Testing

/// Articles with authors and comments, over HTTP.
@Suite struct IncludeTests {
    private let server: TestServer

    init() throws {
        let declarations = [
            (
                "article",
                """
                {"identifier":"integer","relationships":{"author":{"type":"person","association":"one"},\
                "comments":{"type":"comment","by":"article"}}}
                """
            ),
            ("comment", #"{"relationships":{"author":{"type":"person","association":"one"}}}"#),
            (
                "person",
                """
                {"identifier":"integer","relationships":{"friends":{"type":"person","association":"many"}}}
                """
            ),
        ]
        var types: [TypeSchema] = []
        for (name, text) in declarations {
            types.append(try declaredType(name, text))
        }
        server = try TestServer { $0.types = types }
        for (path, body) in [
            ("article/1", #"{"author":7}"#), ("article/2", #"{"author":9}"#),
            ("comment/c1", #"{"article":1,"author":8}"#),
            ("comment/c2", #"{"article":1,"author":9}"#),
            ("person/7", #"{"friends":[8,"7"]}"#), ("person/8", #"{"friends":[7]}"#),
        ] {
            #expect(try server.send("PUT", "/v1/\(path)", body).status == 201)
        }
    }

    /// The answer from `included` on, without what differs from server to server.
    private func tail(_ target: String) throws -> String {
        let response = try server.send("GET", target)
        #expect(response.status == 200, "\(target): \(response.body)")
        let start = try #require(response.body.firstRange(of: "],\"included\":"))
        return String(response.body[start.upperBound...])
    }

    @Test("A tree of paths brings each entity once, and names what dangles")
    func tree() throws {
        let answer = try tail("/v1/article?include=author,comments.author")
        #expect(
            answer.hasPrefix(
                #"{"comment":{"c1":{"id":"c1","article":1,"author":8},"#
                    + #""c2":{"id":"c2","article":1,"author":9}},"#
                    + #""person":{"7":{"id":7,"friends":[8,"7"]},"8":{"id":8,"friends":[7]}}},"meta":"#
            ), "\(answer)")
        #expect(
            answer.contains(
                #""count":2,"missing":["person:9"],"include":{"author":"partial","#
                    + #""comments":"ok","comments.author":"partial"},"source":"local"}"#),
            "\(answer)")
    }

    @Test("Items are not repeated, and cycles end")
    func cycles() throws {
        let one = try tail("/v1/person/7?include=friends.friends.friends")
        #expect(one.hasPrefix(#"{"person":{"8":{"id":8,"friends":[7]}}},"meta":"#), "\(one)")
        #expect(try tail("/v1/person?include=*&depth=10").hasPrefix(#"{},"meta":"#))
    }

    @Test("One entity with an include stands in items; none is 404; failed is told")
    func get() throws {
        let one = try server.send("GET", "/v1/article/2?include=author")
        #expect(one.body.hasPrefix(#"{"items":[{"id":2,"author":9}],"included":{},"meta":"#))
        #expect(one.body.contains(#""missing":["person:9"],"include":{"author":"failed"}"#))
        #expect(try server.send("GET", "/v1/article/5?include=author").status == 404)
        let ids = try tail("/v1/article?ids=1,5&include=author")
        #expect(ids.contains(#""missing":["article:5"],"include":{"author":"ok"}"#), "\(ids)")
    }

    @Test("A star follows every relationship, as many levels as depth says")
    func star() throws {
        let one = try tail("/v1/article/1?include=*")
        #expect(one.contains(#""include":{"author":"ok","comments":"ok"}"#), "\(one)")
        #expect(!one.contains(#""8":"#))
        let two = try tail("/v1/article/1?include=*&depth=2")
        #expect(two.contains(#""8":{"id":8"#) && two.contains(#""missing":["person:9"]"#))
    }

    @Test("A body asks for the same, as a text or a list")
    func body() throws {
        let connection = try server.connect()
        for include in [#""author,comments""#, #"["author","comments"]"#] {
            let response = try connection.send(
                "POST", "/v1/article/_search", #"{"include":\#(include)}"#)
            #expect(response.status == 200)
            #expect(response.body.contains(#""include":{"author":"partial","comments":"ok"}"#))
        }
    }

    @Test("The entity tag changes with what is included")
    func tag() throws {
        let target = "/v1/article/1?include=author"
        let tag = try #require(try server.send("GET", target).header("ETag"))
        let known = ["If-None-Match: \(tag)"]
        #expect(try server.send("GET", target, headers: known).status == 304)
        #expect(try server.send("PUT", "/v1/person/7", #"{"name":"x"}"#).status == 200)
        #expect(try server.send("GET", target, headers: known).status == 200)
    }

    @Test("A watcher with an include is told of every entity that it shows, and of no other")
    func live() throws {
        let connection = try server.connect()
        let target = "/v1/article/1?include=author,comments.author"
        let stream = try TestStream(server, target)
        #expect(try stream.next().name == "hello")
        let first = try stream.next().data
        #expect(first.contains(#""items":[{"id":1,"author":7}],"included":{"comment":{"c1":"#))
        let steps = [
            // One that is shown, one that was missing, one that begins to point here, one that
            // ends, one that the newcomer names, one that is removed.
            ("PUT", "person/7", #"{"n":"shown"}"#, "shown"),
            ("PUT", "person/9", #"{"n":"found"}"#, "found"),
            ("PUT", "comment/c3", #"{"article":1,"author":10}"#, #""c3""#),
            (
                "PUT", "comment/c2", #"{"article":2}"#,
                #"{"c1":{"id":"c1","article":1,"author":8},"c3""#
            ),
            ("PUT", "person/10", #"{"n":"tenth"}"#, "tenth"),
            (
                "DELETE", "comment/c3", nil,
                #""c1":{"id":"c1","article":1,"author":8}},"person":{"7":"#
            ),
        ]
        for (method, path, body, text) in steps {
            // Nobody that is shown here: what follows would otherwise be the answer to it.
            _ = try connection.send("PUT", "/v1/person/77", #"{"n":"\#(path)"}"#)
            _ = try connection.send(method, "/v1/\(path)", body)
            let event = try stream.next()
            #expect(event.name == "snapshot" && event.data.contains(text), "\(event.data)")
        }
        let again = try TestStream(server, target, lastEventID: nil)
        _ = try again.next()
        let state = try again.next()
        let resumed = try TestStream(server, target, lastEventID: state.id)
        _ = try resumed.next()
        #expect(try resumed.next().name == "sync")
        #expect(try connection.send("PUT", "/v1/person/8", #"{"n":"eighth"}"#).status == 200)
        let behind = try TestStream(server, target, lastEventID: state.id)
        _ = try behind.next()
        #expect(try behind.next().data.contains("eighth"))
    }

    @Test("A watcher of deltas is told which included entities came, changed and went")
    func deltas() throws {
        let connection = try server.connect()
        let target = "/v1/article/1?include=author,comments.author&live=delta"
        let stream = try TestStream(server, target)
        #expect(try stream.next().data.contains(#""mode":"delta""#))
        let first = try stream.next()
        #expect(first.name == "snapshot")
        let newcomers = #"{"comment":{"c3":{"id":"c3","article":1,"author":10}},"person":"#
        let steps: [(method: String, path: String, body: String?, text: String?)] = [
            // One that is shown, one that begins to point here, one that it named and another
            // names now, two that end with the one that pointed here.
            (
                "PUT", "person/7", #"{"n":"x"}"#,
                #""put":[],"included":{"person":{"7":{"id":7,"n":"x"}}},"commits":1}"#
            ),
            ("PUT", "person/10", #"{"n":"tenth"}"#, nil),
            (
                "PUT", "comment/c3", #"{"article":1,"author":10}"#,
                #""included":\#(newcomers){"10":{"id":10,"n":"tenth"}}},"commits":1}"#
            ),
            (
                "PUT", "article/1", #"{"author":10}"#,
                #""put":[{"id":1,"author":10}],"dropped":{"person":["7"]},"commits":1}"#
            ),
            ("DELETE", "comment/c3", nil, #""put":[],"dropped":{"comment":["c3"]},"commits":1}"#),
        ]
        for (method, path, body, text) in steps {
            _ = try connection.send(method, "/v1/\(path)", body)
            guard let text else { continue }
            let event = try stream.next()
            #expect(event.name == "delta" && event.data.hasSuffix(text), "\(event.data)")
        }
        let resumed = try TestStream(server, target, lastEventID: first.id)
        _ = try resumed.next()
        let net = try resumed.next()
        #expect(net.name == "delta" && net.data.contains(#""dropped":{"person":["7"]}"#))
    }

    @Test("A large answer is streamed with its included entities whole")
    func large() throws {
        let connection = try server.connect()
        let text = String(repeating: "x", count: 100_000)
        for id in 100..<110 {
            let put = try connection.send("PUT", "/v1/person/\(id)", #"{"text":"\#(text)"}"#)
            #expect(put.status == 201)
        }
        let ids = (100..<110).map(String.init).joined(separator: ",")
        let put = try connection.send("PUT", "/v1/person/1", #"{"friends":[\#(ids)]}"#)
        #expect(put.status == 201)
        let response = try connection.send("GET", "/v1/person/1?include=friends")
        let value = try JSONValue.parse(response.body)
        #expect(value["included"]?["person"]?["109"]?["text"] == .string(text))
    }

    @Test(
        "What is asked wrongly is told",
        arguments: [
            ("article?include=nosuch", 400, "'author', 'comments'"),
            ("article?include=comments.nosuch", 400, "'comment' has no relationship"),
            ("other?include=author", 400, "no relationship of 'other' is declared"),
            ("article?include=", 400, "bad-parameter"),
            ("article?include=author&depth=2", 400, "depth"),
            ("article?include=*&depth=0", 400, "depth"),
            ("article?depth=2", 400, "depth"),
            ("article?include=*&depth=11", 422, "query-too-complex"),
            (
                "person?include=" + Array(repeating: "friends", count: 11).joined(separator: "."),
                422, "at most 10 levels"
            ),
        ])
    func faults(target: String, status: Int, text: String) throws {
        let response = try server.send("GET", "/v1/\(target)")
        #expect(response.status == status, "\(target): \(response.body)")
        #expect(response.body.contains(text), "\(target): \(response.body)")
    }
}
