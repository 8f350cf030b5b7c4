import FreshetConfig
import FreshetJSON
import FreshetRemote
import Testing

@testable import FreshetServer

@Suite("Upstreams over HTTP")
struct UpstreamListTests {
    @Test("Each upstream is listed in the configuration's order, with link, health and credential")
    func list() throws {
        let base = try #require(UpstreamBase("http://127.0.0.1:9/v2"))
        let token = try #require(OAuth2Configuration.TokenURL("http://127.0.0.1:9/token"))
        let server = try TestServer {
            var second = UpstreamSettings(name: "second", base: base)
            second.maxConcurrent = 3
            $0.upstreams = [UpstreamSettings(name: "zero", base: base), second]
            $0.credentials = [
                "second": OAuth2Configuration(
                    tokenURL: token, clientID: "me", grant: .refreshToken)
            ]
        }
        let response = try server.send("GET", "/v1/_upstreams")
        #expect(response.status == 200)
        let items = try #require(try JSONValue.parse(response.body)["items"]?.arrayValue)
        #expect(items.map { $0["id"] } == ["zero", "second"])
        let first = try #require(items.first)
        #expect(first["link"] == "connected")
        #expect(first["base"] == "http://127.0.0.1:9/v2")
        #expect(first["healthy"] == .null)
        #expect(first["probe"] == .null)
        #expect(first["credential"] == .null)
        #expect(first["lastFailure"] == .null)
        #expect(items.last?["credential"]?["state"] == "empty")
        #expect(items.last?["load"]?["places"] == 3)
        let page = try server.send("GET", "/metrics").body
        #expect(page.contains("freshet_upstream_link{upstream=\"zero\"} 2\n"))
        #expect(page.contains("freshet_upstream_calls_total{upstream=\"second\"} 0\n"))
    }

    @Test("Without upstreams the list is empty")
    func none() throws {
        let server = try TestServer()
        #expect(try server.send("GET", "/v1/_upstreams").body == "{\"items\":[]}\n")
        #expect(try server.send("GET", "/v1/_upstreams?a=1").status == 400)
        #expect(!(try server.send("GET", "/metrics").body.contains("upstream_link")))
    }
}
