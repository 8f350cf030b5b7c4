import FreshetHTTP
import Testing

@testable import FreshetServer

/// The documentation that the program serves.
@Suite struct DocumentationTests {
    private func kind(_ server: TestServer, _ target: String, accept: String?) throws -> String? {
        let response = try server.send(
            "GET", target, headers: accept.map { ["Accept: \($0)"] } ?? [])
        #expect(response.status == 200, "\(target)")
        #expect(response.header("Vary") == "Accept", "\(target)")
        return response.header("Content-Type")
    }

    @Test func aPageIsHTMLOrItsSource() throws {
        let server = try TestServer()
        let html = "text/html; charset=utf-8"
        let markdown = "text/markdown; charset=utf-8"
        for target in ["/docs", "/docs/filter"] {
            #expect(try kind(server, target, accept: nil) == html)
            #expect(try kind(server, target, accept: "*/*") == html)
            #expect(try kind(server, target, accept: "text/html,*/*;q=0.8") == html)
            #expect(try kind(server, target, accept: "text/markdown") == markdown)
            #expect(try kind(server, target, accept: "text/html;q=0.5, text/Markdown") == markdown)
            #expect(try kind(server, target, accept: "text/html, text/markdown;q=0.5") == html)
            #expect(try kind(server, target, accept: "text/markdown;q=0") == html)
        }
        let source = try server.send("GET", "/docs/filter.md")
        #expect(source.header("Content-Type") == markdown && source.body.hasPrefix("# "))
        #expect(source.header("ETag") != nil && !source.body.contains("<!--"))
        #expect(
            try server.send("GET", "/docs/filter", headers: ["Accept: text/markdown"]).body
                == source.body)
    }

    @Test func everyPageIsServedAndListed() throws {
        let server = try TestServer()
        let list = try server.send("GET", "/llms.txt").body
        let index = try server.send("GET", "/docs", headers: ["Accept: text/html"]).body
        #expect(DocumentationPages.all.count > 1)
        for page in DocumentationPages.all {
            let response = try server.send("GET", "/docs/\(page.name)")
            #expect(response.status == 200 && response.body.contains("<h1 id="))
            let isIndex = page.name.description == "index"
            #expect(isIndex || list.contains("(/docs/\(page.name).md)"), "\(page.name)")
            #expect(isIndex || index.contains("href=\"/docs/\(page.name)\""), "\(page.name)")
        }
        #expect(DocumentationPages.files.count > 2)
        for file in DocumentationPages.files {
            let response = try server.send("GET", "/docs/\(file.name)")
            let kinds = [
                "json": "application/json", "yaml": "application/yaml", "svg": "image/svg+xml",
            ]
            let suffix = try #require(file.name.description.split(separator: ".").last)
            #expect(response.header("Content-Type") == kinds[String(suffix)], "\(file.name)")
            #expect(response.body.count > 1000 && response.header("ETag") != nil)
        }
        #expect(
            try server.send("GET", "/docs/docs.css").header("Content-Type")?
                .hasPrefix("text/css") == true)
    }

    @Test func aPageThatIsNoneIsNamedWithTheNearest() throws {
        let server = try TestServer()
        for (target, near) in [
            ("/docs/filters", "filter"), ("/docs/filters.md", "filter"),
            ("/docs/alert.yaml", "alerts.yaml"),
        ] {
            let response = try server.send("GET", target)
            #expect(response.status == 404 && response.body.contains(near), "\(response.body)")
        }
        #expect(try server.send("GET", "/docs/filter?x=1").status == 400)
    }

    @Test func theStartPageLeadsToIt() throws {
        let page = try TestServer().send("GET", "/", headers: ["Accept: text/html"])
        #expect(page.body.contains("href=\"/docs\""))
    }
}
