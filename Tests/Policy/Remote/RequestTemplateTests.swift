import Testing

@testable import FreshetRemote

@Suite("Paths with placeholders")
struct RequestTemplateTests {
    private func expand(
        _ path: String, _ query: [(String, String)] = [], _ values: [String: String] = [:]
    ) throws -> String {
        let template = try #require(
            RequestTemplate(path: path, query: query.map { (name: $0.0, value: $0.1) }))
        return try template.expand { values[$0] }
    }

    @Test(
        "A value never changes the path around it",
        arguments: [
            ("7", "/todos/7"), ("a/b", "/todos/a%2Fb"), ("a?b=c", "/todos/a%3Fb%3Dc"),
            ("a#b", "/todos/a%23b"), ("../x", "/todos/..%2Fx"), ("a%2Fb", "/todos/a%252Fb"),
            ("%2e%2e", "/todos/%252e%252e"), ("ä b", "/todos/%C3%A4%20b"), ("...", "/todos/..."),
            ("a;b=1,2:@", "/todos/a%3Bb%3D1%2C2%3A%40"), ("~a-b._", "/todos/~a-b._"),
            ("a\\b", "/todos/a%5Cb"), ("{id}", "/todos/%7Bid%7D"),
        ])
    func values(_ value: String, _ path: String) throws {
        #expect(try expand("/todos/{id}", [], ["id": value]) == path)
    }

    @Test("A segment that would be dots or nothing is refused", arguments: ["", ".", ".."])
    func dots(_ value: String) {
        #expect(throws: RequestTemplate.Fault.segment("id")) {
            try expand("/todos/{id}", [], ["id": value])
        }
        #expect(throws: RequestTemplate.Fault.segment("id")) {
            try expand("/todos/{id}/comments", [], ["id": value])
        }
    }

    @Test("Dots that the template completes are refused, too")
    func completedDots() throws {
        #expect(throws: RequestTemplate.Fault.segment("id")) {
            try expand("/a/.{id}", [], ["id": "."])
        }
        #expect(throws: RequestTemplate.Fault.segment("id")) {
            try expand("/a/%2E{id}", [], ["id": "."])
        }
        #expect(try expand("/a/x{id}", [], ["id": "."]) == "/a/x.")
    }

    @Test("A query item without a value is left out; others are encoded")
    func query() throws {
        let query = [("status", "{filter.status}"), ("page", "{page}"), ("q r", "a&b"), ("v", "1")]
        #expect(
            try expand("/todos", query, ["filter.status": "open & shut+", "other": "x"])
                == "/todos?status=open%20%26%20shut%2B&q%20r=a%26b&v=1")
        #expect(try expand("/todos", [("a", "{x}-{y}")], ["x": "1"]) == "/todos")
        #expect(try expand("/todos", [("a", "{x}-{y}")], ["x": "1", "y": ""]) == "/todos?a=1-")
    }

    @Test("A path without a value for its placeholder is none")
    func missing() {
        #expect(throws: RequestTemplate.Fault.missing("id")) { try expand("/todos/{id}") }
    }

    @Test(
        "What is no path is refused when it is read",
        arguments: [
            "", "todos", "/a//b", "//", "/a/../b", "/a/%2e%2e/b", "/.", "/a?b=1", "/a#b", "/a b",
            "/a/{id", "/a/id}", "/a/{}", "/a/{a b}", "/%zz", "/%2", "/ä", "/a\\b",
        ])
    func noPath(_ text: String) {
        #expect(RequestTemplate(path: text) == nil)
    }

    @Test("Paths are kept as they are", arguments: ["/", "/a", "/a/", "/a/b%20c/", "/a;b=1/@x"])
    func plainPaths(_ text: String) throws {
        #expect(try expand(text) == text)
    }
}

@Suite("Base addresses")
struct UpstreamBaseTests {
    @Test(
        "What is a base is told by scheme, host, port and path",
        arguments: [
            ("http://a.test", "http://a.test", "http://a.test"),
            (
                "HTTPS://API.Example.test:443/v2/", "https://api.example.test/v2",
                "https://api.example.test"
            ),
            ("http://127.0.0.1:8080/a/b", "http://127.0.0.1:8080/a/b", "http://127.0.0.1:8080"),
            ("http://[::1]:9/x", "http://[::1]:9/x", "http://[::1]:9"),
        ])
    func bases(_ text: String, _ whole: String, _ origin: String) throws {
        let base = try #require(UpstreamBase(text))
        #expect(base.description == whole)
        #expect(base.origin == origin)
    }

    @Test(
        "What is none",
        arguments: [
            "", "a.test", "ftp://a.test", "file:///etc/passwd", "http://", "http:///a",
            "http://user:secret@a.test", "http://a.test?x=1", "http://a.test/#b", "http://a b",
            "http://a.test:0", "http://a.test:99999", "http://a.test:x", "http://a.test/a//b",
            "http://a.test/../b", "http://a.test/%2e%2e/b", "http://[::1", "http://a.test/%zz",
            "http://ä.test",
        ])
    func noBase(_ text: String) {
        #expect(UpstreamBase(text) == nil)
    }

    @Test("Link-local addresses are told")
    func linkLocal() {
        for (text, isLinkLocal) in [
            ("http://169.254.169.254", true), ("http://[fe80::1]", true),
            ("http://[febf::1]", true),
            ("http://[fec0::1]", false), ("http://10.0.0.1", false), ("http://fe80.test", false),
        ] {
            #expect(UpstreamBase(text)?.isLinkLocal == isLinkLocal, "\(text)")
        }
    }

    @Test(
        "A redirect leads to a path of the same origin or nowhere",
        arguments: [
            ("/c", "/c"), ("/c?d=1#e", "/c?d=1"), ("c", "/a/c"), ("?x=1", "/a/b?x=1"),
            ("./c", "/a/c"), ("../c?d", "/c?d"), ("../../..", "/"), ("x/../y/.", "/a/y/"),
            ("http://a.test:80/z?q", "/z?q"), ("http://A.test", "/"),
            ("http://a.test?q=1", "/?q=1"), ("//a.test/z", "/z"),
            ("https://a.test/c", nil), ("http://b.test/c", nil), ("//b.test/c", nil),
            ("http://a.test:81/c", nil), ("http://a.test@b.test/c", nil), ("file:///c", nil),
            ("javascript:1", nil), ("", nil), ("/a b", nil), ("http://a.test\\@b.test/c", nil),
            ("\\\\b.test/c", nil), ("http:/b.test", nil),
        ] as [(String, String?)])
    func redirects(_ location: String, _ path: String?) throws {
        let base = try #require(UpstreamBase("http://a.test"))
        #expect(base.redirect(from: "/a/b?c=d", to: location) == path)
    }
}
