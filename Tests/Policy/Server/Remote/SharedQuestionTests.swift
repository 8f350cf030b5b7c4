@testable import FreshetConfig
import FreshetCore
import FreshetRemote
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// What one asks of a remote decides nothing about what another is answered.
@Suite struct SharedQuestionTests {
    /// In front of twenty rows, of which a rule or a contract leaves the last ten.
    private func edge(of upstream: TestServer) throws -> TestServer {
        for number in 10..<30 {
            let row = #"{"id":\#(number),"owner":"\#(number < 20 ? "b" : "a")"}"#
            try #require(upstream.send("PUT", "/v1/note/\(number)", row).status < 300)
        }
        var faults: [ConfigurationFault] = []
        let file = ConfigurationFile.read(
            Array(
                #"""
                {"upstreams":{"api":{"base":"http://a"}},
                 "types":{"note":{"contracts":{"mine":{"where":"owner=='a'"}},
                  "remote":{"upstream":"api","get":{"path":"/v1/note/{id}"},
                   "search":{"path":"/v1/note","items":"/items",
                    "query":{"limit":"{limit}","offset":"{offset}"}}}}}}
                """#.utf8), path: "f", faults: &faults)
        try #require(faults == [])
        let base = try #require(UpstreamBase("http://127.0.0.1:\(upstream.port)"))
        return try AccessScene.server(
            #"""
            {"tokens": [
              {"name": "blue", "sha256": "@blue",
               "types": {"note": {"read": "owner=='a'", "level": "remote"}}},
              {"name": "root", "sha256": "@root", "admin": true}]}
            """#
        ) {
            $0.types = file.types
            $0.remotes = file.remotes
            $0.upstreams = [UpstreamSettings(name: "api", base: base)]
        }
    }

    private func ids(_ response: TestResponse) -> [Substring] {
        response.body.matches(of: #/"id":(\d+)/#).map(\.output.1)
    }

    @Test("Of those whose window is another one, who asks first is asked for no one else")
    func windows() async throws {
        try await offPool {
            let upstream = try TestServer()
            let target = "/v1/note?limit=5&source=remote"
            for firstIsRoot in [true, false] {
                let server = try edge(of: upstream)
                for caller in firstIsRoot ? ["root", "blue"] : ["blue", "root"] {
                    let found = ids(try server.ask(caller, "GET", target))
                    #expect(
                        found == (caller == "root" ? 10..<15 : 20..<25).map { "\($0)" },
                        "\(caller), first root: \(firstIsRoot)")
                }
                let mine = ids(try server.ask("root", "GET", target + "&contract=mine"))
                #expect(mine == (20..<25).map { "\($0)" })
            }
        }
    }
}
