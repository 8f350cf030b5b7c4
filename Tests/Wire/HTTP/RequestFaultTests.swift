import FreshetHTTP
import Testing

/// Bytes that must be refused, and the rule each breaks.
private struct Refused: Sendable {
    var request: String
    var fault: RequestFault

    init(_ request: String, _ fault: RequestFault) {
        self.request = request
        self.fault = fault
    }

    /// A request with these lines behind a Host.
    static func lines(_ lines: String, _ fault: RequestFault) -> Refused {
        Refused("POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n", fault)
    }

    static func line(_ line: String, _ fault: RequestFault) -> Refused {
        Refused("\(line)\r\nHost: a\r\n\r\n", fault)
    }

    static func host(_ host: String) -> Refused {
        Refused("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", .malformedHost)
    }
}

@Suite struct RequestFaultTests {
    private static let table: [Refused] = [
        // Line ends
        Refused("\n", .bareLineFeed),
        Refused("\r\r\n", .bareCarriageReturn),
        Refused("GET / HTTP/1.1\nHost: a\r\n\r\n", .bareLineFeed),
        Refused("GET / HTTP/1.1\rHost: a\r\n\r\n", .bareCarriageReturn),
        Refused("GET / HTTP/1.1\r\nHost: a\n\r\n", .bareLineFeed),
        Refused("GET / HTTP/1.1\r\nHost: a\r\n\n", .bareLineFeed),
        Refused("GET / HTTP/1.1\r\nHost: a\r\n\rX", .bareCarriageReturn),
        Refused("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", .bareCarriageReturn),
        Refused("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", .bareCarriageReturn),
        Refused("GET\n", .bareLineFeed), Refused("GET /\n", .bareLineFeed),
        Refused("GET /?a\n", .bareLineFeed), Refused("GET / HTTP/1.1\r\nHost\n", .bareLineFeed),
        // Request line
        Refused(" GET / HTTP/1.1\r\n", .illegalMethod),
        Refused("\tGET / HTTP/1.1\r\n", .illegalMethod),
        Refused("\u{0}", .illegalMethod), Refused("\u{16}\u{3}\u{1}", .secureHello),
        Refused("GE(T / HTTP/1.1\r\n", .illegalMethod),
        Refused("GET\t/ HTTP/1.1\r\n", .illegalMethod),
        Refused("GET\r\n", .malformedRequestLine),
        Refused("GET /\r\n", .malformedRequestLine),
        Refused("GET /?a\r\n", .malformedRequestLine),
        Refused("GET  / HTTP/1.1\r\n", .malformedRequestLine),
        .line("GET /a b HTTP/1.1", .malformedVersion),
        .line("GET /\ta HTTP/1.1", .malformedTarget),
        .line("GET /\u{1} HTTP/1.1", .malformedTarget),
        .line("GET /\u{7f} HTTP/1.1", .malformedTarget),
        .line("GET /?a\u{0} HTTP/1.1", .malformedTarget),
        .line("GET /#a HTTP/1.1", .fragmentInTarget),
        .line("GET /?a#b HTTP/1.1", .fragmentInTarget),
        .line("GET a HTTP/1.1", .malformedTarget),
        .line("GET ?a HTTP/1.1", .malformedTarget),
        .line("GET \\a HTTP/1.1", .malformedTarget),
        .line("OPTIONS *a HTTP/1.1", .malformedTarget),
        .line("OPTIONS *?a HTTP/1.1", .malformedTarget),
        .line("GET http:// HTTP/1.1", .malformedTarget),
        .line("GET http:///a HTTP/1.1", .malformedTarget),
        .line("GET http://u@a/ HTTP/1.1", .malformedTarget),
        .line("GET http://a:b/ HTTP/1.1", .malformedTarget),
        .line("GET ftp://a/ HTTP/1.1", .malformedTarget),
        .line("CONNECT a:80 HTTP/1.1", .malformedTarget),
        // Version
        .line("GET / HTTP/2.0", .unsupportedVersion),
        .line("PRI * HTTP/2.0", .unsupportedVersion),
        .line("GET / HTTP/0.9", .unsupportedVersion),
        .line("GET / HTTP/1.10", .malformedVersion),
        .line("GET / HTTP/1", .malformedVersion),
        .line("GET / HTTP/11.1", .malformedVersion),
        .line("GET / http/1.1", .malformedVersion),
        .line("GET / HTTP/1.1 ", .malformedVersion),
        .line("GET /  HTTP/1.1", .malformedVersion),
        .line("GET / HTTP/1.x", .malformedVersion),
        .line("GET / XTTP/1.1", .malformedVersion),
        .line("GET / ", .malformedVersion),
        // Header lines
        Refused("GET / HTTP/1.1\r\n Host: a\r\n\r\n", .foldedHeader),
        .lines("A: b\r\n c", .foldedHeader), .lines("A: b\r\n\tc", .foldedHeader),
        .lines("A: b\r\n ", .foldedHeader),
        .lines(": b", .emptyFieldName), .lines("A b: c", .spaceBeforeColon),
        .lines("A : b", .spaceBeforeColon), .lines("A\t: b", .spaceBeforeColon),
        .lines("A", .missingColon), .lines("A[]: b", .illegalFieldName),
        .lines("(A: b", .illegalFieldName), .lines("É: b", .illegalFieldName),
        .lines("A\u{0}: b", .illegalFieldName), .lines("\"A\": b", .illegalFieldName),
        .lines("A: b\u{0}c", .controlInValue), .lines("A: \u{1}", .controlInValue),
        .lines("A: b\u{7f}", .controlInValue), .lines("A: \u{1b}[31m", .controlInValue),
        // Host
        Refused("GET / HTTP/1.1\r\n\r\n", .missingHost),
        Refused("GET http://a/ HTTP/1.1\r\n\r\n", .missingHost),
        .lines("Host: a", .repeatedField), .lines("hOST: b", .repeatedField),
        .host(""), .host("a b"), .host("a/b"), .host("a@b"), .host("a,b"), .host("[::1"),
        .host("[]"), .host("[x]"), .host("[::1]a"), .host("a:b"), .host("a:65536"),
        .host("a:1:2"), .host(":80"), .host("a%2"), .host("a%zz"), .host("é"), .host("a\\b"),
        .host("a?b"), .host("\"a\""), .host("a:+1"),
        Refused("GET / HTTP/1.0\r\nHost: a b\r\n\r\n", .malformedHost),
        // Framing
        .lines("Content-Length:", .malformedLength), .lines("Content-Length: +5", .malformedLength),
        .lines("Content-Length: -5", .malformedLength),
        .lines("Content-Length: 0x5", .malformedLength),
        .lines("Content-Length: 5, 5", .malformedLength),
        .lines("Content-Length: 5 5", .malformedLength),
        .lines("Content-Length: 5.0", .malformedLength),
        .lines("Content-Length: 5a", .malformedLength),
        .lines("Content-Length: ５", .malformedLength),
        .lines("Content-Length: \"5\"", .malformedLength),
        .lines("Content-Length: 9223372036854775808", .malformedLength),
        .lines("Content-Length: 18446744073709551616", .malformedLength),
        .lines("Content-Length: 99999999999999999999999", .malformedLength),
        .lines("Content-Length: 5\r\nContent-Length: 5", .repeatedLength),
        .lines("Content-Length: 5\r\ncontent-length: 6", .repeatedLength),
        .lines("Content-Length: 5\r\nTransfer-Encoding: chunked", .lengthAndTransferEncoding),
        .lines("Transfer-Encoding: chunked\r\nContent-Length: 5", .lengthAndTransferEncoding),
        .lines("Transfer-Encoding: identity\r\nContent-Length: 0", .lengthAndTransferEncoding),
        .lines("Transfer-Encoding: gzip", .unsupportedTransferEncoding),
        .lines("Transfer-Encoding: gzip, chunked", .unsupportedTransferEncoding),
        .lines("Transfer-Encoding: chunked, chunked", .unsupportedTransferEncoding),
        .lines("Transfer-Encoding: chunked,", .unsupportedTransferEncoding),
        .lines("Transfer-Encoding: chunked;a=b", .unsupportedTransferEncoding),
        .lines("Transfer-Encoding: \"chunked\"", .unsupportedTransferEncoding),
        .lines("Transfer-Encoding: xchunked", .unsupportedTransferEncoding),
        .lines("Transfer-Encoding:", .unsupportedTransferEncoding),
        .lines("Transfer-Encoding: identity", .unsupportedTransferEncoding),
        .lines("Transfer-Encoding: \u{b}chunked", .controlInValue),
        .lines("Transfer-Encoding : chunked", .spaceBeforeColon),
        .lines("Transfer-Encoding\r\n : chunked", .missingColon),
        .lines(
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .unsupportedTransferEncoding
        ),
        Refused(
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncodingInHTTP10),
        // Other headers that may stand once
        .lines("Authorization: a\r\nAuthorization: a", .repeatedField),
        .lines("Content-Type: a\r\nContent-Type: b", .repeatedField),
        .lines("Origin: a\r\nOrigin: b", .repeatedField),
        .lines("Idempotency-Key: a\r\nIdempotency-Key: b", .repeatedField),
    ]

    @Test func everyRuleRefusesHoweverTheBytesAreSplit() {
        for refused in Self.table {
            #expect(
                parseEverySplit(refused.request) == .failed(refused.fault),
                "\(refused.request.debugDescription)")
        }
    }

    @Test func everyRuleRefusesBehindAnotherRequest() {
        let first = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        for refused in Self.table {
            var parser = RequestParser()
            var head = RequestHead()
            withBytes(first + refused.request) { bytes in
                let limits = HTTPLimits()
                let result = parser.parse(bytes, into: &head, limits: limits)
                #expect(result == .complete(consumed: first.utf8.count))
                let rest = UnsafeRawBufferPointer(rebasing: bytes[first.utf8.count...])
                #expect(
                    parser.parse(rest, into: &head, limits: limits) == .failed(refused.fault),
                    "\(refused.request.debugDescription)")
            }
        }
    }

    @Test func anyPrefixOfAGoodRequestIsIncomplete() {
        let request = Array("GET /a?b HTTP/1.1\r\nHost: a\r\nB: c\r\n\r\n".utf8)
        for length in 0..<request.count {
            #expect(parseEverySplit(Array(request[0..<length])) == .incomplete)
        }
    }

    @Test func everyFaultHasAStatusAndAReason() {
        for fault in RequestFault.allCases {
            #expect((400...599).contains(fault.status.code))
            #expect(fault.reason.utf8CodeUnitCount > 10)
        }
    }
}
