import FreshetJSON
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// What `GET /v1` leads to.
@Suite struct LinkTests {
    @Test("GET /v1 links every path of the service's own that needs no name, and each is there")
    func links() async throws {
        try await offPool {
            let server = try TestServer()
            let body = try JSONValue.parse(server.send("GET", "/v1").body)
            let links = try #require(body["links"]?.objectValue)
            let paths = links.compactMap(\.value.stringValue)
            #expect(paths.count == links.count)
            #expect(Set(links.map(\.name)).count == links.count)
            for route in RouteTable.routes {
                let path = route.pattern.description
                if path.hasPrefix("/v1/_"), !path.contains("{") {
                    // This server stands alone.
                    #expect(paths.contains(path) != path.hasPrefix("/v1/_cluster"), "\(path)")
                }
            }
            for path in paths {
                #expect(try server.send("OPTIONS", path).header("Allow") != nil, "\(path)")
            }
            for name in [
                "types", "operations", "outbox", "service/active", "health", "openapi", "access",
                "console", "docs", "documentation",
            ] {
                let path = try #require(body["links"]?[name]?.stringValue)
                #expect(try server.send("GET", path).status == 200, "\(path)")
            }
        }
    }
}
