import FreshetBase
import FreshetJSON
import Testing

@testable import FreshetServer

func encoded(_ problem: Problem, requestId: String = "") -> String {
    var output = ByteBuffer()
    problem.encode(requestId: requestId, into: &output)
    return String(decoding: output.bytes, as: UTF8.self)
}

@Suite("Problems")
struct ProblemTests {
    @Test("A problem is encoded member by member in the contract's order")
    func exact() {
        var problem = Problem(
            .invalidEntity, "2 members do not fit",
            errors: [
                .init(pointer: "/a~1b", code: "type", detail: "expected \"x\""),
                .init(parameter: "filter", offset: 7, code: "syntax", detail: "d"),
                .init(line: 3, code: "c", detail: "e"),
            ],
            members: [
                .json("current", Array(#"{"id":1}"#.utf8)), .text("outcome", "not-applied"),
                .number("upstreamStatus", 503),
            ])
        problem.causes = [Problem(.notFound, "cause", hint: "h")]
        #expect(
            encoded(problem, requestId: "r-1")
                == #"{"type":"/problems/invalid-entity","#
                + #""title":"The entity does not fit the schema of its type.","status":422,"#
                + #""code":"invalid-entity","detail":"2 members do not fit","#
                + #""hint":"Correct the members that the errors name.","requestId":"r-1","#
                + #""errors":[{"pointer":"/a~1b","code":"type","detail":"expected \"x\""},"#
                + #"{"parameter":"filter","offset":7,"code":"syntax","detail":"d"},"#
                + #"{"line":3,"code":"c","detail":"e"}],"#
                + #""causes":[{"type":"/problems/not-found","#
                + #""title":"There is nothing at this address.","status":404,"#
                + #""code":"not-found","detail":"cause","hint":"h"}],"#
                + #""current":{"id":1},"outcome":"not-applied","upstreamStatus":503}"# + "\n")
    }

    @Test("What a client sent cannot break the JSON around it")
    func escaping() throws {
        let text = encoded(Problem(.badParameter, "\"\\\n\u{2028}é"))
        #expect(try JSONValue.parse(text)["detail"]?.stringValue == "\"\\\n\u{2028}é")
        #expect(text.utf8.filter { $0 == 0x0A }.count == 1)
    }

    @Test("Whoever waits a moment is told to, unless a person must act first")
    func soon() {
        for code in [ProblemCode.overloaded, .logAway, .storageFull] {
            #expect(Problem(code, "d").endsSoon, "\(code)")
        }
        for code in [ProblemCode.authCritical, .notFound, .internal] {
            #expect(!Problem(code, "d").endsSoon, "\(code)")
        }
    }

    @Test("A chain of causes ends by itself")
    func causes() throws {
        var problem = Problem(.gated, "0")
        for level in 1..<50 {
            var outer = Problem(.gated, "\(level)")
            outer.causes = [problem]
            problem = outer
        }
        #expect(encoded(problem).utf8.count < 3000)
    }

    @Test("Every code of the contract is there with its status")
    func statuses() {
        let contract: [(String, Int)] = [
            ("bad-request", 400), ("bad-json", 400), ("bad-parameter", 400), ("bad-filter", 400),
            ("query-too-complex", 400), ("id-mismatch", 422), ("not-found", 404),
            ("unknown-type", 404), ("method-not-allowed", 405), ("unsupported-media-type", 415),
            ("not-acceptable", 406), ("payload-too-large", 413), ("uri-too-long", 414),
            ("headers-too-large", 431), ("precondition-failed", 412), ("exists", 409),
            ("invalid-entity", 422), ("query-timeout", 503), ("not-implemented", 501),
            ("unauthenticated", 401), ("forbidden", 403), ("rate-limited", 429),
            ("origin-not-allowed", 403), ("host-not-allowed", 421), ("storage-full", 507),
            ("storage-failed", 503), ("upstream-timeout", 504), ("upstream-status", 502),
            ("gated", 503), ("overloaded", 503), ("internal", 500),
            ("idempotency-in-progress", 409), ("idempotency-mismatch", 422),
        ]
        for (code, status) in contract {
            #expect(ProblemCode(rawValue: code)?.status == status, "\(code)")
        }
        for code in [
            "read-only", "too-many-entities", "upstream-unreachable", "upstream-shape",
            "upstream-too-large", "auth-refresh", "auth-loop", "auth-critical", "shutting-down",
        ] {
            #expect(ProblemCode(rawValue: code) != nil, "\(code)")
        }
    }

    @Test("Each code has texts of its own and a page", arguments: ProblemCode.allCases)
    func pages(_ code: ProblemCode) {
        let twins = ProblemCode.allCases.filter {
            $0 != code && $0.title.description == code.title.description
        }
        #expect(twins.isEmpty)
        #expect(code.title.description.hasSuffix("."))
        #expect(code.hint.description.hasSuffix("."))
        let text = String(decoding: ProblemPage.text(code), as: UTF8.self)
        #expect(text.hasPrefix("\(code.rawValue) (\(code.status))\n"))
        #expect(ProblemPage.paragraphs(of: code).count >= 1)
        let html = String(decoding: ProblemPage.html(code), as: UTF8.self)
        #expect(html.hasPrefix("<!doctype html>"))
        #expect(html.contains("<h1>\(code.rawValue)"))
        #expect(!html.contains("<script"))
        let index = String(decoding: ProblemPage.index(), as: UTF8.self)
        #expect(index.contains("href=\"/problems/\(code.rawValue)\""))
    }

    @Test("Each code's page leads to a place of the documentation", arguments: ProblemCode.allCases)
    func documentation(_ code: ProblemCode) throws {
        let place = code.documentation.description
        let html = String(decoding: ProblemPage.html(code), as: UTF8.self)
        #expect(html.contains("href=\"\(place)\""))
        #expect(String(decoding: ProblemPage.text(code), as: UTF8.self).contains(place))
        let parts = place.split(separator: "/").last?.split(separator: "#") ?? []
        let name = try #require(parts.first)
        let page = try #require(
            DocumentationPages.all.first { $0.name.description == name }, "\(place)")
        let heading = parts.count > 1 ? parts[1] : ""
        #expect(heading.isEmpty || page.html.description.contains("<h2 id=\"\(heading)\">"))
    }
}
