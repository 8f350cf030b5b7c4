@testable import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetRemote
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// What a remote's answer does to what is stored, with an include: over real sockets, in front of a
/// second server.
@Suite struct PersistTests {
    private static let types = #"""
        {"person":{"remote":{"upstream":"api","get":{"path":"/v1/person/{id}"},
           "search":{"path":"/v1/person","items":"/items","query":{"ids":"{ids}"}}},
           "relationships":{"boss":{"type":"person","association":"one"}}},
         "publisher":{},
         "book":{"remote":{"upstream":"api","get":{"path":"/v1/book/{id}"},
           "search":{"path":"/v1/book","items":"/items"},
           "extract":{"publisher":{"type":"publisher","at":"/publisher"}}},
           "relationships":{"author":{"type":"person","association":"one"},
             "publisher":{"type":"publisher","association":"one"}}}}
        """#

    private func edge(of upstream: TestServer) throws -> TestServer {
        for (path, body) in [
            ("book/1", #"{"id":1,"author":7,"publisher":{"id":"p","name":"P"}}"#),
            ("person/7", #"{"id":7,"boss":8}"#), ("person/8", #"{"id":8}"#),
        ] {
            try #require(upstream.send("PUT", "/v1/\(path)", body).status == 201)
        }
        var faults: [ConfigurationFault] = []
        let file = ConfigurationFile.read(
            Array(#"{"upstreams":{"api":{"base":"http://a"}},"types":\#(Self.types)}"#.utf8),
            path: "f", faults: &faults)
        try #require(faults == [])
        let base = try #require(UpstreamBase("http://127.0.0.1:\(upstream.port)"))
        return try TestServer {
            $0.types = file.types
            $0.remotes = file.remotes
            $0.upstreams = [UpstreamSettings(name: "api", base: base)]
        }
    }

    @Test(arguments: ["/v1/book", "/v1/book/1", "/v1/book?ids=1", "/v1/person?ids=7"])
    func noneStoresNothing(target: String) async throws {
        try await offPool {
            let upstream = try TestServer()
            let server = try edge(of: upstream)
            // With the revision that every commit raises.
            let before = try server.send("GET", "/v1/book?source=local").body
            let isBook = target.contains("book")
            let include = isBook ? "include=author.boss,publisher" : "include=boss"
            let mark = target.contains("?") ? "&" : "?"
            let answer = try server.send(
                "GET", "\(target)\(mark)source=remote&persist=none&\(include)")
            #expect(answer.status == 200, "\(answer.body)")
            let included = try JSONValue.parse(answer.body)["included"]
            #expect(included?["person"]?["8"] == .object([.init(name: "id", value: .number("8"))]))
            if isBook {
                #expect(included?["person"]?["7"]?["boss"] == .number("8"), "\(answer.body)")
                #expect(included?["publisher"]?["p"]?["name"] == .string("P"), "\(answer.body)")
            }
            #expect(!answer.body.contains(#""missing":[""#), "\(answer.body)")
            #expect(try server.send("GET", "/v1/_export").body == "")
            #expect(before.contains(#""revision":0"#))
            #expect(try server.send("GET", "/v1/book?source=local").body == before)
            // With what is stored the include is the same.
            let stored = try server.send("GET", "\(target)\(mark)source=remote&\(include)")
            #expect(try JSONValue.parse(stored.body)["included"] == included, "\(stored.body)")
            #expect(try server.send("GET", "/v1/person/8?source=local").status == 200)
        }
    }
}
