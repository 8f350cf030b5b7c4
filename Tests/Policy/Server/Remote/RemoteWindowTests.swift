@testable import FreshetConfig
import FreshetCore
import FreshetRemote
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// Pages of a remote: what is behind them, how many rows there are, and what they say when one is gone.
@Suite struct RemoteWindowTests {
    private static let paged = #""query":{"limit":"{limit}","offset":"{offset}","order":"{order}"}"#

    private func upstream(rows: Int) throws -> TestServer {
        let server = try TestServer()
        let body = (1...rows).map { #"{"id":\#($0),"n":\#($0)}"# }.joined(separator: ",")
        try #require(server.send("POST", "/v1/note/_set", "[\(body)]").status < 300)
        return server
    }

    /// - Parameter search: Members of the search beside its path and its items.
    private func edge(of upstream: TestServer, _ search: String = paged) throws -> TestServer {
        var faults: [ConfigurationFault] = []
        let file = ConfigurationFile.read(
            Array(
                """
                {"upstreams":{"api":{"base":"http://a"}},
                 "types":{"note":{"remote":{"upstream":"api","get":{"path":"/v1/note/{id}"},
                  "remove":{"path":"/v1/note/{id}"},
                  "search":{"path":"/v1/note","items":"/items",\(search)}}}}}
                """.utf8), path: "f", faults: &faults)
        try #require(faults == [])
        let base = try #require(UpstreamBase("http://127.0.0.1:\(upstream.port)"))
        return try TestServer {
            $0.types = file.types
            $0.remotes = file.remotes
            $0.upstreams = [UpstreamSettings(name: "api", base: base)]
        }
    }

    private func ids(_ response: TestResponse) -> [Int] { ids(in: response.body) }

    private func ids(in text: String) -> [Int] {
        text.matches(of: #/"id":(\d+)/#).compactMap { Int($0.output.1) }
    }

    /// The ids of all pages, by `meta.next`.
    private func pages(_ target: String, of server: TestServer) throws -> [Int] {
        var found: [Int] = []
        var page = target
        while true {
            let answer = try server.send("GET", page)
            try #require(answer.status == 200, "\(answer.body)")
            found += ids(answer)
            guard let next = answer.body.firstMatch(of: #/"next":"([^"]+)"/#) else { return found }
            #expect(answer.header("Link") != nil)
            page = "\(target)&after=\(next.output.1)"
        }
    }

    @Test(
        "The pages behind a remote's first one are found by next",
        arguments: [
            paged, paged + #","pageSize":10"#,
            #""total":"/meta/total","query":{"count":"true","limit":"{limit}","offset":"{offset}","#
                + #""order":"{order}"}"#,
        ], ["", "&source=remote", "&source=remote&persist=none"])
    func next(_ search: String, _ context: String) async throws {
        try await offPool {
            for rows in [10, 25] {
                let upstream = try upstream(rows: rows)
                let server = try edge(of: upstream, search)
                let found = try pages("/v1/note?limit=10&order=n\(context)", of: server)
                #expect(found == Array(1...rows))
            }
        }
    }

    @Test("A page that is known here has its next one as well; one of what is here alone has not")
    func nextOfWhatIsHere() async throws {
        try await offPool {
            let upstream = try upstream(rows: 25)
            let server = try edge(of: upstream)
            let target = "/v1/note?limit=10&order=n"
            _ = try server.send("GET", target)
            let known = try server.send("GET", target + "&source=localOrRemote")
            #expect(known.header("Freshet-Source") == "local" && known.body.contains(#""next":"#))
            #expect(try !server.send("GET", target + "&source=local").body.contains(#""next":"#))
        }
    }

    @Test("HEAD tells how many rows the remote has")
    func head() async throws {
        try await offPool {
            let upstream = try upstream(rows: 40)
            for context in ["", "&order=n", "&order=n&source=remote"] {
                let answer = try edge(of: upstream).send(
                    "HEAD", "/v1/note?limit=10\(context)", readsBody: false)
                #expect(answer.header("Freshet-Total") == "40", "\(context)")
            }
        }
    }

    @Test("What is behind a filled page that has no other is not removed by persist=replace")
    func filledPage() async throws {
        try await offPool {
            let upstream = try upstream(rows: 120)
            let server = try edge(of: upstream, #""pageSize":100,"query":{"limit":"100"}"#)
            for id in 1...120 { _ = try server.send("GET", "/v1/note/\(id)") }
            let answer = try server.send("GET", "/v1/note?source=remote&persist=replace")
            #expect(ids(answer) == Array(1...100))
            let here = try server.send("GET", "/v1/note?limit=0&count=true&source=local")
            #expect(here.body.contains(#""total":120"#))
        }
    }

    @Test("A window that has lost a row is asked for anew", arguments: ["&order=n", ""])
    func lostRow(_ order: String) async throws {
        try await offPool {
            let upstream = try upstream(rows: 40)
            let server = try edge(of: upstream)
            let target = "/v1/note?limit=10&source=localOrRemote\(order)"
            _ = try server.send("GET", "/v1/note/39")
            #expect(try ids(server.send("GET", target)) == Array(1...10))
            let removal = try server.send("DELETE", "/v1/note/3?target=remote")
            #expect(removal.status < 300)
            let anew = try server.send("GET", target)
            #expect(anew.header("Freshet-Source") == "remote")
            #expect(ids(anew) == [1, 2] + Array(4...11))
            let known = try server.send("GET", target)
            #expect(known.header("Freshet-Source") == "local")
            #expect(ids(known) == [1, 2] + Array(4...11))
        }
    }

    @Test("A live page shows what its URL answers, whichever read has brought that")
    func livePage() async throws {
        try await offPool {
            let upstream = try upstream(rows: 40)
            let server = try edge(of: upstream)
            let target = "/v1/note?offset=2&limit=3&order=n"
            let stream = try TestStream(server, "\(target)&live=snapshot")
            func shows(_ rows: [Int]) -> ([TestEvent]) -> Bool {
                { $0.contains { $0.name == "snapshot" && ids(in: $0.data) == rows } }
            }
            _ = try stream.next {
                shows([3, 4, 5])($0) && $0.contains { $0.data.contains(#""state":"fresh""#) }
            }
            #expect(try upstream.send("PUT", "/v1/note/100", #"{"n":0}"#).status == 201)
            let all = try server.send("GET", "/v1/note?count=true&source=remote")
            #expect(all.body.contains(#""total":41"#))
            // Before its URL is asked, which would have the remote asked for the page itself.
            _ = try stream.next(until: shows([2, 3, 4]))
            #expect(try ids(server.send("GET", target)) == [2, 3, 4])
        }
    }

    @Test("Of ids that are asked for one by one those that the remote does not have are not here")
    func absentIDs() async throws {
        try await offPool {
            let upstream = try upstream(rows: 5)
            let server = try edge(of: upstream)
            let target = "/v1/note?ids=1,2,3,9"
            #expect(try ids(server.send("GET", "\(target)&source=remote")) == [1, 2, 3])
            #expect(try upstream.send("DELETE", "/v1/note/2").status == 204)
            #expect(try ids(server.send("GET", "\(target)&source=local")) == [1, 2, 3])
            for persist in ["none", "merge", "replace"] {
                let asked = try server.send("GET", "\(target)&source=remote&persist=\(persist)")
                #expect(ids(asked) == [1, 3], "\(persist)")
            }
            #expect(try ids(server.send("GET", "\(target)&source=local")) == [1, 3])
            #expect(try server.send("GET", "/v1/note/2?source=local").status == 404)
        }
    }

    /// Its order is not taken from a list that is too long to be followed.
    @Test("A live page keeps the order of its own fetch beside a long list")
    func livePageBesideALongList() async throws {
        try await offPool {
            let upstream = try upstream(rows: 1_100)
            let server = try edge(
                of: upstream, #""query":{"limit":"{limit}","offset":"{offset}","order":"-n"}"#)
            let stream = try TestStream(server, "/v1/note?limit=3&live=snapshot")
            var shown: [[Int]] = []
            func read(through rows: [Int]) throws {
                while shown.last != rows {
                    let event = try stream.next()
                    if event.name == "snapshot" { shown.append(ids(in: event.data)) }
                }
            }
            try read(through: [1_100, 1_099, 1_098])
            shown = []
            let all = try server.send("GET", "/v1/note?count=true&source=remote")
            #expect(all.body.contains(#""total":1100"#))
            let first = try upstream.send("POST", "/v1/note/_set", #"[{"id":2000,"n":2000}]"#)
            #expect(first.status < 300)
            _ = try server.send("GET", "/v1/note?limit=3&source=remote")
            try read(through: [2_000, 1_100, 1_099])
            #expect(shown.count == 1, "\(shown)")
        }
    }
}
