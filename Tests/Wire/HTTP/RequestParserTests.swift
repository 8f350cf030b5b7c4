import FreshetHTTP
import Testing

@Suite struct RequestParserTests {
    @Test func aWholeRequestIsReadIntoItsParts() throws {
        let request =
            "PUT /v1/tasks/7?meta=true HTTP/1.1\r\nHost: localhost:8080\r\n"
            + "content-TYPE:  application/json \t\r\nContent-Length: 12\r\nIf-Match: \"3\"\r\n"
            + "X-Other:\r\n\r\n{\"id\":7}"
        let head = try #require(parseEverySplit(request)?.head)
        #expect(head.method == .put)
        #expect(head.methodText == "PUT")
        #expect(head.target == "/v1/tasks/7?meta=true")
        #expect(head.path == "/v1/tasks/7")
        #expect(head.query == "meta=true")
        #expect(head.authority == "localhost:8080")
        #expect(head.framing == .length(12))
        #expect(head.keepAlive)
        #expect(
            head.fields == [
                "Host=localhost:8080", "content-TYPE=application/json", "Content-Length=12",
                "If-Match=\"3\"", "X-Other=",
            ])
        #expect(
            head.known == [
                "host=localhost:8080", "content-length=12", "content-type=application/json",
                "if-match=\"3\"",
            ])
        #expect(head.consumed == request.utf8.count - 8)
    }

    @Test(arguments: [
        ("GET", Method.get), ("HEAD", .head), ("POST", .post), ("PUT", .put), ("PATCH", .patch),
        ("DELETE", .delete), ("OPTIONS", .options), ("QUERY", .query), ("get", .other),
        ("PURGE", .other), ("M-SEARCH", .other), ("G", .other), ("GETT", .other),
    ])
    func methodsAreKnownByTheirExactToken(token: String, method: Method) {
        let head = parseEverySplit("\(token) / HTTP/1.1\r\nHost: a\r\n\r\n")?.head
        #expect(head?.method == method)
        #expect(head?.methodText == token)
    }

    @Test func theTableOfMethodsAgreesWithItself() {
        for method in Method.allCases where method != .other {
            let head = parseEverySplit("\(method.name) / HTTP/1.1\r\nHost: a\r\n\r\n")?.head
            #expect(head?.method == method)
        }
    }

    @Test func everyKnownHeaderIsKnownInAnyCase() throws {
        for header in KnownHeader.allCases {
            let name = "\(header.name)"
            for spelling in [name, name.uppercased()] {
                let value =
                    header == .contentLength ? "5" : header == .transferEncoding ? "chunked" : "v"
                let host = header == .host ? "" : "Host: a\r\n"
                let request = "GET / HTTP/1.1\r\n\(host)\(spelling): \(value)\r\n\r\n"
                let head = try #require(parseEverySplit(request)?.head, "\(name)")
                #expect(head.known.contains("\(name)=\(value)"), "\(name)")
            }
            // A name that differs in one character is another header.
            for index in name.indices where header != .host {
                var other = name
                other.replaceSubrange(index...index, with: name[index] == "~" ? "!" : "~")
                let request = "GET / HTTP/1.1\r\nHost: a\r\n\(other): v\r\n\r\n"
                let head = try #require(parse(Array(request.utf8), cuts: []).head)
                #expect(head.known == ["host=a"], "\(other)")
            }
        }
    }

    @Test func emptyLinesBeforeARequestAreSkippedWithinTheirLimit() {
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(parseEverySplit("\r\n" + request)?.head?.consumed == request.utf8.count + 2)
        #expect(parseEverySplit("\r\n\r\n\r\n\r\n" + request)?.head != nil)
        #expect(
            parseEverySplit("\r\n\r\n\r\n\r\n\r\n" + request) == .failed(.tooManyEmptyLines))
    }

    @Test func aRequestBeginsWithItsFirstOwnByte() {
        var parser = RequestParser()
        var head = RequestHead()
        #expect(!parser.hasBegun)
        let limits = HTTPLimits()
        withBytes("\r\nG") { bytes in
            let empty = UnsafeRawBufferPointer(rebasing: bytes[0..<2])
            #expect(parser.parse(empty, into: &head, limits: limits) == .incomplete)
            #expect(!parser.hasBegun)
            #expect(parser.parse(bytes, into: &head, limits: limits) == .incomplete)
            #expect(parser.hasBegun)
        }
        parser.reset()
        #expect(!parser.hasBegun)
    }

    @Test func pipelinedRequestsFollowEachOther() {
        let first = "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: x\r\n\r\n"
        let second = "POST /b?c HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n"
        var parser = RequestParser()
        var head = RequestHead()
        let limits = HTTPLimits()
        withBytes(first + second) { bytes in
            #expect(
                parser.parse(bytes, into: &head, limits: limits)
                    == .complete(consumed: first.utf8.count))
            let one = ParsedHead(head, bytes, consumed: 0)
            #expect(one.path == "/a")
            #expect(!one.keepAlive)
            #expect(one.hasUnknownExpectation)
            let rest = UnsafeRawBufferPointer(rebasing: bytes[first.utf8.count...])
            #expect(
                parser.parse(rest, into: &head, limits: limits)
                    == .complete(consumed: second.utf8.count))
            let two = ParsedHead(head, rest, consumed: 0)
            #expect(two.path == "/b")
            #expect(two.query == "c")
            #expect(two.framing == .chunked)
            #expect(two.keepAlive)
            #expect(!two.hasUnknownExpectation)
        }
    }

    @Test(arguments: [
        ("/", "/", "", "a"), ("/?", "/", "", "a"), ("/x?y?z=/", "/x", "y?z=/", "a"),
        (
            "/v1/t?filter=a<b>c|d^e{f}[g]\"h\"`i`\\é", "/v1/t", "filter=a<b>c|d^e{f}[g]\"h\"`i`\\é",
            "a"
        ),
        ("/v1/é%2Fx", "/v1/é%2Fx", "", "a"), ("//x", "//x", "", "a"),
        ("http://b:81/x?y", "/x", "y", "b:81"), ("HTTPS://B", "", "", "B"),
        ("http://[::1]:80?q", "", "q", "[::1]:80"),
    ])
    func targetsAreSplit(target: String, path: String, query: String, authority: String) {
        let head = parseEverySplit("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")?.head
        #expect(head?.target == target)
        #expect(head?.path == path)
        #expect(head?.query == query)
        #expect(head?.authority == authority)
    }

    @Test func theAsteriskBelongsToOptions() {
        let head = parseEverySplit("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")?.head
        #expect(head?.isAsteriskForm == true)
        #expect(head?.path == "*")
        #expect(parseEverySplit("GET * HTTP/1.1\r\nHost: a\r\n\r\n") == .failed(.malformedTarget))
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
        ("HTTP/1.1", "Connection: keep-alive, CLOSE\r\n", false),
        ("HTTP/1.1", "Connection: upgrade\r\nConnection: close\r\n", false),
        ("HTTP/1.1", "Connection: upgrade\r\n", true), ("HTTP/1.0", "", false),
        ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
        ("HTTP/1.0", "Connection: keep-alive\r\nConnection: close\r\n", false),
        ("HTTP/1.2", "", true),
    ])
    func theConnectionGoesOnAsAsked(version: String, lines: String, keepAlive: Bool) {
        let head = parseEverySplit("GET / \(version)\r\nHost: a\r\n\(lines)\r\n")?.head
        #expect(head?.keepAlive == keepAlive)
        #expect(head?.minorVersion == (version == "HTTP/1.0" ? 0 : 1))
    }

    @Test(arguments: [
        ("HTTP/1.1", "Expect: 100-Continue\r\nContent-Length: 3\r\n", true, false),
        ("HTTP/1.1", "Expect: 100-continue\r\n", false, false),
        ("HTTP/1.1", "Expect: magic\r\nContent-Length: 3\r\n", false, true),
        ("HTTP/1.0", "Expect: 100-continue\r\nContent-Length: 3\r\n", false, false),
    ])
    func expectationsAreTold(version: String, lines: String, continues: Bool, unknown: Bool) {
        let head = parseEverySplit("PUT / \(version)\r\nHost: a\r\n\(lines)\r\n")?.head
        #expect(head?.expectsContinue == continues)
        #expect(head?.hasUnknownExpectation == unknown)
    }

    @Test(arguments: [
        ("", BodyFraming.none), ("Content-Length: 0\r\n", .none),
        ("Content-Length: 007\r\n", .length(7)),
        ("Content-Length: 9223372036854775807\r\n", .length(Int.max)),
        ("Transfer-Encoding: chunked\r\n", .chunked), ("Transfer-Encoding: Chunked\r\n", .chunked),
    ])
    func theBodyIsFramed(lines: String, framing: BodyFraming) {
        let head = parseEverySplit("POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")?.head
        #expect(head?.framing == framing)
    }

    @Test func listHeadersGiveEveryLine() {
        let request = "GET / HTTP/1.1\r\nHost: a\r\nPrefer: b\r\nX: y\r\nprefer: c\r\n\r\n"
        var parser = RequestParser()
        var head = RequestHead()
        withBytes(request) { bytes in
            _ = parser.parse(bytes, into: &head, limits: HTTPLimits())
            let isRepeated = head.isRepeated(.prefer)
            #expect(isRepeated)
            var values: [String] = []
            head.forEachValue(of: .prefer, in: bytes) { values.append(text($0)) }
            #expect(values == ["b", "c"])
            head.forEachValue(of: .host, in: bytes) { values.append(text($0)) }
            head.forEachValue(of: .accept, in: bytes) { values.append(text($0)) }
            #expect(values == ["b", "c", "a"])
            let hasAccept = head.value(.accept, in: bytes) != nil
            #expect(!hasAccept)
        }
    }

    @Test(arguments: [
        "a", "a:80", "a:", "localhost:8080", "127.0.0.1", "[::1]", "[::1]:8080",
        "[::ffff:1.2.3.4]:1", "xn--e1a.example", "a_b", "a%20b", "a:65535",
    ])
    func hostsAreAccepted(host: String) {
        let head = parseEverySplit("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")?.head
        #expect(head?.authority == host)
    }

    @Test func http10NeedsNoHost() {
        let head = parseEverySplit("GET / HTTP/1.0\r\n\r\n")?.head
        #expect(head?.authority == "")
        #expect(head?.keepAlive == false)
    }

    @Test func aHeadOfThe8190ByteLineAnd100HeadersIsRead() {
        var request =
            "GET /" + String(repeating: "a", count: 8_192 - 14) + " HTTP/1.1\r\nHost: a\r\n"
        #expect(request.utf8.count == 8_194 + 9)
        for index in 1..<100 { request += "h\(index): v\r\n" }
        let bytes = Array((request + "\r\n").utf8)
        let whole = parse(bytes, cuts: [])
        #expect(whole.head?.fields.count == 100)
        #expect(parse(bytes, cuts: 0..<bytes.count) == whole)
    }

    @Test func limitsHoldToTheByte() {
        var limits = HTTPLimits()
        limits.requestLine = 20
        limits.headerBytes = 14
        limits.headerFields = 2
        func outcome(_ target: String, _ lines: String) -> Outcome? {
            parseEverySplit("GET \(target) HTTP/1.1\r\n\(lines)\r\n", limits: limits)
        }
        #expect(outcome("/234567", "Host: a\r\n")?.head != nil)
        #expect(outcome("/2345678", "Host: a\r\n") == .failed(.requestLineTooLong))
        #expect(
            outcome("/" + String(repeating: "?", count: 90), "") == .failed(.requestLineTooLong))
        #expect(outcome("/", "Host: a\r\nb:c\r\n")?.head?.fields.count == 2)
        #expect(outcome("/", "Host: a\r\nb:cd\r\n") == .failed(.headersTooLarge))
        #expect(outcome("/", "Host: a\r\nb:\r\nc:\r\n") == .failed(.tooManyFields))
        #expect(outcome("/", "a:\r\nb:\r\nc:\r\n") == .failed(.tooManyFields))
        #expect(
            parseEverySplit(String(repeating: "A", count: 40), limits: limits)
                == .failed(.requestLineTooLong))
        #expect(
            parseEverySplit(
                "GET / HTTP/1.1\r\n" + String(repeating: "A", count: 40), limits: limits)
                == .failed(.headersTooLarge))
        #expect(RequestFault.requestLineTooLong.status == .uriTooLong)
        #expect(RequestFault.headersTooLarge.status == .headersTooLarge)
        #expect(RequestFault.tooManyFields.status == .headersTooLarge)
    }

    @Test func aLimitIsReachedAtTheFirstByteThatNothingCanMend() {
        var limits = HTTPLimits()
        limits.requestLine = 20
        limits.headerBytes = 14
        // The limit and the CRLF behind it: with so many bytes and no end, no end can come in time.
        for (prefix, limit, fault) in [
            ("", 20, RequestFault.requestLineTooLong),
            ("GET / HTTP/1.1\r\n", 14, .headersTooLarge),
            ("GET / HTTP/1.1\r\na:", 12, .headersTooLarge),
        ] {
            let full = prefix + String(repeating: "A", count: limit + 2)
            #expect(parseEverySplit(full, limits: limits) == .failed(fault))
            #expect(parseEverySplit(String(full.dropLast()), limits: limits) == .incomplete)
        }
    }

    @Test func theDefaultLimitsAreThoseOfTheContract() {
        let line = Array("GET /\(String(repeating: "a", count: 8_300)) HTTP/1.1\r\n".utf8)
        #expect(parse(line, cuts: []) == .failed(.requestLineTooLong))
        let fields = (0..<101).map { "h\($0): v\r\n" }.joined()
        #expect(
            parse(Array("GET / HTTP/1.1\r\nHost: a\r\n\(fields)".utf8), cuts: [])
                == .failed(.tooManyFields))
        let long = Array(
            "GET / HTTP/1.1\r\nHost: a\r\nb: \(String(repeating: "a", count: 33_000))\r\n".utf8)
        #expect(parse(long, cuts: []) == .failed(.headersTooLarge))
        #expect(parse(long, cuts: 0..<long.count) == .failed(.headersTooLarge))
    }

    @Test func everyByteOfAValueIsJudgedWhereverItStands() {
        for byte in UInt8.min...UInt8.max {
            for offset in 0..<17 {
                let prefix = Array("GET / HTTP/1.1\r\nHost: a\r\nb: ".utf8)
                let value = [UInt8](repeating: UInt8(ascii: "x"), count: offset) + [byte]
                let rest = [UInt8](repeating: UInt8(ascii: "y"), count: 16 - offset)
                let bytes = prefix + value + rest + Array("\r\n\r\n".utf8)
                let outcome = parse(bytes, cuts: [])
                switch byte {
                case 0x0a: #expect(outcome == .failed(.bareLineFeed))
                case 0x0d: #expect(outcome == .failed(.bareCarriageReturn))
                case 0x09, 0x20...0x7e, 0x80...0xff: #expect(outcome.head != nil)
                default: #expect(outcome == .failed(.controlInValue))
                }
            }
        }
    }

    @Test func everyByteOfANameMethodAndTargetIsJudged() {
        let marks = Array("!#$%&'*+-.^_`|~".utf8)
        for byte in UInt8.min...UInt8.max {
            let isAlphanumeric =
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
                || (0x61...0x7a).contains(byte)
            let isToken = isAlphanumeric || marks.contains(byte)
            let end = Array(": v\r\nHost: a\r\n\r\n".utf8)
            let name = Array("GET / HTTP/1.1\r\nx".utf8) + [byte] + end
            #expect((parse(name, cuts: []).head != nil) == (isToken || byte == 0x3a))
            let method = Array("G".utf8) + [byte] + Array("T / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            #expect((parse(method, cuts: []).head != nil) == isToken, "\(byte)")
            let target = Array("GET /".utf8) + [byte] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            let isTarget = byte > 0x20 && byte != 0x7f && byte != 0x23
            #expect((parse(target, cuts: []).head != nil) == isTarget, "\(byte)")
            let query = Array("GET /?".utf8) + [byte] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            #expect((parse(query, cuts: []).head != nil) == isTarget, "\(byte)")
        }
    }
}
