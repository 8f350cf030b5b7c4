import FreshetConfig
import FreshetHTTP
import FreshetJSON
import Testing

@testable import FreshetServer

/// What pages of other origins can do with a server that the browser reaches.
@Suite struct BrowserBorderTests {
    private static let rebound = ["Host: evil.example:9100", "Origin: http://evil.example:9100"]

    private func open(_ change: (inout ServeSettings) -> Void = { _ in }) throws -> TestServer {
        try TestServer {
            $0.host = "0.0.0.0"
            $0.isOpen = true
            change(&$0)
        }
    }

    @Test func aReboundNameIsRefusedWhateverTheServerIsBoundTo() throws {
        let servers = [
            try TestServer(), try open(), try open { $0.hosts = ["freshet"] },
            // Nobody in particular may read one type, and so may any page.
            try AccessScene.server { $0.host = "0.0.0.0" },
        ]
        for server in servers {
            let put = try server.send("PUT", "/v1/x/1", "{\"pwn\":1}", headers: Self.rebound)
            #expect(put.status == 421 && put.body.contains("evil.example"))
            for target in ["/", "/v1", "/v1/open", "/v1/open?live=1", "/nothing", "/live.js"] {
                let response = try server.send("GET", target, headers: Self.rebound)
                #expect(response.status == 421, "\(target)")
            }
            #expect(try server.send("OPTIONS", "/v1", headers: Self.rebound).status == 421)
            #expect(try server.send("POST", "/livez", "{}", headers: Self.rebound).status == 421)
            // What watches over a server knows its address, or any name of it.
            for target in ["/livez", "/readyz"] {
                for method in ["GET", "HEAD"] {
                    #expect(try server.send(method, target, headers: Self.rebound).status == 200)
                }
            }
        }
        let named = ["Host: freshet:8080"]
        #expect(try servers[2].send("GET", "/v1", headers: named).status == 200)
        #expect(try servers[1].send("GET", "/v1", headers: named).status == 421)
        #expect(try servers[1].send("GET", "/v1", headers: ["Host: 192.0.2.7:80"]).status == 200)
    }

    @Test func whereEveryRightNeedsATokenAnyNameWillDo() throws {
        let text = AccessScene.standard.split(separator: "\n").dropFirst().joined()
        let server = try AccessScene.server("{" + text) { $0.host = "0.0.0.0" }
        let named = ["Host: data.example.org"]
        #expect(try server.ask("root", "GET", "/v1", headers: named).status == 200)
        #expect(try server.ask(nil, "GET", "/v1", headers: named).status == 401)
        // Until the configuration gives somebody without a token a right.
        var changed = ServeSettings.standard
        changed.access = try AccessScene.settings(AccessScene.standard)
        server.server.reload(changed)
        #expect(try server.ask("root", "GET", "/v1", headers: named).status == 421)
    }

    // MARK: Origins

    @Test func everyAnswerVariesByOriginOnceOriginsAreNamed() throws {
        let server = try TestServer { $0.allowedOrigins = ["https://app.test"] }
        let plain = try TestServer()
        _ = try server.send("PUT", "/v1/task/1", "{}")
        let requests: [(String, String)] = [
            ("GET", "/v1/task/1"), ("GET", "/v1/task"), ("GET", "/v1"), ("GET", "/livez"),
            ("GET", "/nothing"), ("GET", "/v1/task?bad=1"), ("OPTIONS", "/v1"), ("GET", "/"),
            ("GET", "/metrics"), ("GET", "/openapi.json"), ("GET", "/problems"),
            ("GET", "/live.js"), ("DELETE", "/v1/task/9"), ("GET", "/v1/task?limit=0&explain=true"),
        ]
        for (method, target) in requests {
            for origin in [nil, "https://app.test", "https://other.test"] {
                let headers = origin.map { ["Origin: \($0)"] } ?? []
                for (server, names) in [(server, true), (plain, false)] {
                    let response = try server.send(method, target, headers: headers)
                    let varies = response.headers.filter { $0.name == "Vary" }.map(\.value)
                    #expect(varies.contains("Origin") == names, "\(method) \(target)")
                    let allowed = response.header("Access-Control-Allow-Origin")
                    #expect(allowed == (names && origin == "https://app.test" ? origin : nil))
                }
            }
        }
        // What is refused before there is a request, too.
        let connection = try server.connect()
        try connection.write("GET / HTTP/1.1\r\nBad Header\r\n\r\n")
        let refused = try connection.readResponse()
        #expect(refused.status == 400 && refused.header("Vary") == "Origin")
        var changed = ServeSettings.standard
        changed.allowedOrigins = []
        server.server.reload(changed)
        #expect(try server.send("GET", "/livez").header("Vary") == nil)
    }

    // MARK: Pages

    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
        worker-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
        frame-ancestors 'none'
        """

    /// Whatever is answered as HTML bears the policy, and keeps to it.
    @Test func everyPageIsUnderThePolicy() throws {
        let server = try TestServer()
        _ = try server.send("PUT", "/v1/task/1", #"{"title":"<script>alert(1)</script>"}"#)
        var pages = 0
        for route in RouteTable.routes where route.method == .get {
            let path = route.pattern.description.split(separator: "/").map {
                ["{type}": "task", "{id}": "1", "{code}": "forbidden", "{page}": "filter"][$0] ?? $0
            }
            let target = "/" + path.joined(separator: "/")
            let response = try server.send(
                "GET", target, headers: ["Accept: text/html"], readsBody: target != "/v1/_live")
            guard response.header("Content-Type")?.hasPrefix("text/html") == true else { continue }
            pages += 1
            #expect(response.header("Content-Security-Policy") == Self.policy, "\(target)")
            #expect(response.header("Referrer-Policy") == "no-referrer", "\(target)")
            #expect(response.header("Cross-Origin-Opener-Policy") == "same-origin", "\(target)")
            #expect(response.header("X-Content-Type-Options") == "nosniff", "\(target)")
            #expect(response.header("Cross-Origin-Resource-Policy") == "same-origin")
            #expect(response.body.contains("<link rel=\"icon\" href=\"/favicon.svg\">"))
            let body = response.body.lowercased()
            for inline in ["<style", " style=", "javascript:", " onclick", " onload", "<base"] {
                #expect(!body.contains(inline), "\(inline) in \(target)")
            }
            for part in body.components(behind: "<script") {
                #expect(part.contains("src=\"/") && part.contains("></script>"), "\(target)")
            }
            for name in ["src=\"", "href=\""] {
                for address in body.components(behind: name) {
                    // What begins with # is a place of the same page.
                    #expect(
                        address.hasPrefix("#")
                            || address.hasPrefix("/") && !address.hasPrefix("//"), "\(target)")
                }
            }
        }
        #expect(pages >= 4)
    }

    @Test func browserFilesAreAskedForAgainAndNotSentAgain() throws {
        let server = try TestServer()
        for target in [
            "/json.js", "/live.js", "/reducer.js", "/session.js", "/freshet.js", "/freshet.d.ts",
            "/console/main.js", "/console.css", "/favicon.svg", "/problems", "/problems/forbidden",
            "/", "/docs", "/docs/filter", "/docs/filter.md", "/docs/docs.css", "/llms.txt",
        ] {
            let html = ["Accept: text/html"]
            let first = try server.send("GET", target, headers: html)
            let tag = try #require(first.header("ETag"), "\(target)")
            #expect(first.status == 200 && tag.hasPrefix("\"") && !first.body.isEmpty)
            #expect(first.header("Cache-Control") == "no-cache", "\(target)")
            for known in [tag, "\"other\", W/\(tag)", "*"] {
                let again = try server.send(
                    "GET", target, headers: html + ["If-None-Match: \(known)"])
                #expect(again.status == 304 && again.body.isEmpty, "\(target)")
                #expect(again.header("ETag") == tag)
            }
            let other = try server.send("GET", target, headers: html + ["If-None-Match: \"x\""])
            #expect(other.status == 200)
            let head = try server.send("HEAD", target, headers: html)
            #expect(head.status == 200 && head.header("ETag") == tag)
            if target.hasSuffix(".js") {
                #expect(
                    first.header("Content-Security-Policy")
                        == "default-src 'none'; script-src 'self'; connect-src 'self'")
            }
        }
        let icon = try server.send("GET", "/favicon.ico")
        #expect(icon.status == 308 && icon.header("Location") == "/favicon.svg")
        let old = try server.send("GET", "/live.html")
        #expect(old.status == 308 && old.header("Location") == "/")
        #expect(try server.send("GET", "/console/nothing.js").status == 404)
        let plain = try server.send("GET", "/problems/forbidden")
        let page = try server.send("GET", "/problems/forbidden", headers: ["Accept: text/html"])
        #expect(plain.header("ETag") != page.header("ETag") && plain.header("Vary") == "Accept")
        // What a start page shows moves its tag.
        let before = try server.send("GET", "/", headers: ["Accept: text/html"]).header("ETag")
        _ = try server.send("PUT", "/v1/task/1", "{}")
        let after = try server.send("GET", "/", headers: ["Accept: text/html"]).header("ETag")
        #expect(before != after)
    }

    /// The modules load one another, so that one that is not served is a page that shows nothing.
    @Test func everyBrowserFileIsServedAtItsAddress() throws {
        let server = try TestServer()
        #expect(BrowserFiles.all.count > 10)
        for file in BrowserFiles.all where file.address != "/" {
            let answer = try server.send("GET", file.address)
            #expect(answer.status == 200 && Array(answer.body.utf8) == file.bytes)
            #expect(answer.header("Content-Type") == file.kind.type.description)
            #expect(answer.header("ETag").map { Array($0.utf8) } == file.tag)
        }
    }

    @Test("Browser files are sent compressed to who takes that, each form under a tag of its own")
    func browserFilesAreCompressed() throws {
        let server = try TestServer()
        for address in ["/live.js", "/console.css", "/console/main.js", "/docs/docs.css"] {
            let file = try #require(BrowserFiles.byAddress[address])
            let packed = try #require(file.packed)
            #expect(packed.count < file.bytes.count && packed.starts(with: [0x1F, 0x8B, 8]))
            let plainTag = String(decoding: file.tag, as: UTF8.self)
            let packedTag = String(decoding: file.packedTag, as: UTF8.self)
            #expect(packedTag == plainTag.dropLast() + "-gzip\"")
            for accepted in [
                "gzip", "x-gzip", "GZIP", "br, gzip;q=0.5", "*", "gzip;q=0.001, identity;q=0",
            ] {
                let headers = ["Accept-Encoding: \(accepted)"]
                let head = try server.send("HEAD", address, headers: headers)
                #expect(head.status == 200 && head.header("ETag") == packedTag, "\(accepted)")
                #expect(head.header("Content-Encoding") == "gzip")
                #expect(head.header("Content-Length") == "\(packed.count)")
                #expect(head.header("Vary") == "Accept-Encoding")
                let again = try server.send(
                    "GET", address, headers: headers + ["If-None-Match: \(packedTag)"])
                #expect(again.status == 304 && again.header("ETag") == packedTag)
                #expect(again.header("Vary") == "Accept-Encoding")
                #expect(again.header("Content-Encoding") == nil)
            }
            for accepted in [
                [], ["Accept-Encoding: identity"], ["Accept-Encoding: gzip;q=0"],
                ["Accept-Encoding:"], ["Accept-Encoding: gzip;q=0, *"], ["Accept-Encoding: br"],
                ["Accept-Encoding: gzip;q=0.5, identity"], ["Accept-Encoding: gzip;q=2"],
            ] {
                let plain = try server.send("GET", address, headers: accepted)
                #expect(plain.status == 200 && plain.header("ETag") == plainTag, "\(accepted)")
                #expect(plain.header("Content-Encoding") == nil)
                #expect(plain.header("Vary") == "Accept-Encoding")
                #expect(Array(plain.body.utf8) == file.bytes)
                let again = try server.send(
                    "GET", address, headers: accepted + ["If-None-Match: \(plainTag)"])
                #expect(again.status == 304 && again.header("ETag") == plainTag)
                // The other form is another state.
                let other = try server.send(
                    "HEAD", address, headers: accepted + ["If-None-Match: \(packedTag)"])
                #expect(other.status == 200)
            }
        }
        let shell = try server.send(
            "GET", "/", headers: ["Accept: text/html", "Accept-Encoding: gzip"])
        #expect(shell.header("Content-Encoding") == nil && shell.header("Vary") == "Accept")
    }

    /// What a browser without script shows is what its caller may see.
    @Test func thePartWithoutScriptListsTheTypesOfItsCaller() throws {
        let server = try TestServer()
        for number in 1...201 {
            _ = try server.send("PUT", "/v1/type-\(number + 1000)/1", "{}")
        }
        let page = try server.send(
            "GET", "/", headers: ["Accept: text/html", "Host: localhost:9"])
        let part = try #require(
            page.body.components(behind: "<noscript>").first?
                .split(separator: "</noscript>").first)
        #expect(part.contains(#"<a href="/v1/type-1200?limit=20">type-1200</a></td><td>1</td>"#))
        #expect(!part.contains("type-1201") && part.contains("and 1 more types"))
        #expect(part.contains("curl http://localhost:9/v1/type-1001?limit=20"))
        // The links of `GET /v1`.
        let root = try JSONValue.parse(try server.send("GET", "/v1").body)
        let links = try #require(root["links"]?.objectValue)
        #expect(links.count > 20)
        for link in links {
            let address = try #require(link.value.stringValue)
            #expect(part.contains("<a href=\"\(address)\">"), "\(link.name)")
        }
        #expect(page.header("Vary") == "Accept")
    }

    @Test("A slash behind a page's address leads to the page; other addresses name the right one")
    func slashBehindPage() throws {
        let server = try TestServer()
        for page in ["/docs", "/docs/tour", "/problems", "/problems/forbidden", "/openapi.json"] {
            for method in ["GET", "HEAD"] {
                let answer = try server.send(method, page + "/")
                #expect(answer.status == 308 && answer.header("Location") == page, "\(page)")
            }
        }
        for (method, path) in [
            ("GET", "//"), ("GET", "//docs/"), ("GET", "/v1/"), ("GET", "/livez/"),
            ("GET", "/docs/tour/1/"), ("POST", "/docs/"),
        ] {
            #expect(try server.send(method, path).status == 404, "\(method) \(path)")
        }
    }

    // MARK: Tickets

    private func ticket(_ server: TestServer, _ headers: [String]) throws -> String {
        let made = try server.send(
            "POST", "/v1/_live", #"{"queries":{"a":"/v1/task"}}"#, headers: headers)
        #expect(made.status == 201)
        let parts = made.body.split(separator: "\"")
        let name = try #require(parts.firstIndex(of: "url"))
        return String(parts[name + 2])
    }

    /// Browsers name no origin to a page's own server, and say `same-origin`.
    @Test(
        arguments: [
            (["Origin: https://app.test"], ["Origin: https://app.test"], true),
            (["Origin: https://app.test"], ["Origin: https://other.test"], false),
            (["Origin: https://app.test"], ["Origin: null"], false),
            (["Origin: https://app.test"], [], false),
            (["Origin: https://app.test"], ["Sec-Fetch-Site: cross-site"], false),
            (["Origin: https://app.test"], ["Sec-Fetch-Site: same-origin"], true),
            (["Origin: http://localhost"], [], true),
            (["Origin: http://localhost"], ["Origin: http://localhost"], true),
            (["Origin: http://localhost"], ["Origin: https://app.test"], false),
            // A program asked, and hands it to a page.
            ([], [], true), ([], ["Origin: https://app.test"], true),
        ] as [([String], [String], Bool)])
    func aTicketIsBoundToTheOriginThatAskedForIt(
        asked: [String], presented: [String], isAdmitted: Bool
    ) throws {
        let server = try TestServer {
            $0.allowedOrigins = ["https://app.test", "https://other.test"]
        }
        let url = try ticket(server, asked)
        let response = try server.send("GET", url, headers: presented, readsBody: false)
        #expect(response.status == (isAdmitted ? 200 : 404))
        if isAdmitted { return }
        // The one that it is bound to has lost nothing.
        let own = try server.send("GET", url, headers: asked, readsBody: false)
        #expect(own.status == 200)
    }
}

extension String {
    /// What stands behind each `mark`.
    fileprivate func components(behind mark: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let place = rest.firstRange(of: mark) {
            rest = rest[place.upperBound...]
            parts.append(String(rest))
        }
        return parts
    }
}
