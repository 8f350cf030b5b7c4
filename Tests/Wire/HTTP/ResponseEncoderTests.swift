import FreshetBase
import FreshetHTTP
import Testing

@Suite struct ResponseEncoderTests {
    private let date = HTTPDate(epochSeconds: 784_111_777)
    private let fixed =
        "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nX-Content-Type-Options: nosniff\r\n"
        + "Cross-Origin-Resource-Policy: same-origin\r\n"

    private func begin(
        _ status: Status, isHead: Bool = false, minorVersion: UInt8 = 1, keepAlive: Bool = true,
        into buffer: inout ByteBuffer
    ) -> ResponseEncoder {
        ResponseEncoder(
            status, date: date, isHead: isHead, minorVersion: minorVersion, keepAlive: keepAlive,
            into: &buffer)
    }

    @Test func aHeadIsExactToTheByte() {
        var buffer = ByteBuffer(capacity: 16)
        var response = begin(.created, into: &buffer)
        response.header("Content-Type", "application/json", into: &buffer)
        response.header("ETag", quotedDecimal: 1042, into: &buffer)
        response.header("Freshet-Total", decimal: 0, into: &buffer)
        #expect(response.header("Location", text: "/v1/t/%C3%A9", into: &buffer))
        response.endHead(length: 2, into: &buffer)
        #expect(response.bodyStart == buffer.count)
        #expect(!response.suppressesBody && !response.isChunked && !response.closesConnection)
        buffer.append("{}")
        #expect(
            text(buffer.bytes) == "HTTP/1.1 201 Created\r\n" + fixed
                + "Content-Type: application/json\r\nETag: \"1042\"\r\nFreshet-Total: 0\r\n"
                + "Location: /v1/t/%C3%A9\r\nContent-Length: 2\r\n\r\n{}")
    }

    @Test func numbersOfEveryLengthAreWritten() {
        var value: UInt64 = 1
        var values: [UInt64] = [0, .max, .max - 1, 10_000_000_000_000_000_000]
        for _ in 0..<19 {
            values += [value, value - 1, value + 1]
            value *= 10
        }
        for value in values {
            var buffer = ByteBuffer(capacity: 16)
            let response = begin(.ok, into: &buffer)
            response.header("N", decimal: value, into: &buffer)
            response.header("Q", quotedDecimal: value, into: &buffer)
            #expect(text(buffer.bytes).hasSuffix("\r\nN: \(value)\r\nQ: \"\(value)\"\r\n"))
        }
    }

    @Test func everyStatusHasItsLine() {
        for status in Status.allCases {
            var buffer = ByteBuffer()
            var response = begin(status, into: &buffer)
            response.endHeadWithoutBody(into: &buffer)
            let length = status.allowsBody ? "Content-Length: 0\r\n" : ""
            #expect(
                text(buffer.bytes)
                    == "HTTP/1.1 \(status.code) \(status.reason)\r\n\(fixed)\(length)\r\n")
        }
    }

    @Test(arguments: [
        (UInt8(1), true, ""), (1, false, "Connection: close\r\n"),
        (0, true, "Connection: keep-alive\r\n"), (0, false, "Connection: close\r\n"),
    ])
    func theConnectionsFateIsTold(minorVersion: UInt8, keepAlive: Bool, line: String) {
        var buffer = ByteBuffer()
        var response = begin(.ok, minorVersion: minorVersion, keepAlive: keepAlive, into: &buffer)
        response.endHead(length: 0, into: &buffer)
        #expect(
            text(buffer.bytes) == "HTTP/1.1 200 OK\r\n\(fixed)\(line)Content-Length: 0\r\n\r\n")
        #expect(response.closesConnection == !keepAlive)
    }

    @Test func aValueThatCouldSplitTheResponseIsNotWritten() {
        for byte in UInt8.min...UInt8.max {
            for place in 0...2 {
                var value = Array("ab".utf8)
                value.insert(byte, at: place)
                var buffer = ByteBuffer()
                let response = begin(.ok, into: &buffer)
                let before = buffer.count
                let isWritten = value.withUnsafeBytes {
                    response.header("Location", $0, into: &buffer)
                }
                let isSafe = byte == 0x09 || byte >= 0x20 && byte != 0x7f
                #expect(isWritten == isSafe, "\(byte)")
                #expect(buffer.count - before == (isSafe ? 15 : 0))
            }
        }
        var buffer = ByteBuffer()
        let response = begin(.ok, into: &buffer)
        let before = buffer.count
        #expect(!response.header("Location", text: "/a\r\nSet-Cookie: b=c", into: &buffer))
        #expect(buffer.count == before)
    }

    @Test(arguments: [0, 1, 9, 10, 99, 100, 999, 1_000, 12_345, 1_000_000])
    func aLengthIsFilledInAfterTheBodyWithoutBlanks(length: Int) {
        for expectedDigits in [1, 3, 6, 20] {
            var buffer = ByteBuffer(capacity: 16)
            buffer.append("earlier")
            var response = begin(.ok, into: &buffer)
            response.endHeadForBody(expectedDigits: expectedDigits, into: &buffer)
            buffer.append((0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) })
            let body = Array(buffer.bytes[response.bodyStart...])
            response.finishBody(in: &buffer)
            let head = "earlierHTTP/1.1 200 OK\r\n\(fixed)Content-Length: \(length)\r\n\r\n"
            #expect(Array(buffer.bytes) == Array(head.utf8) + body)
            #expect(response.bodyStart == head.utf8.count)
            #expect(response.lengthDigits == String(length).count)
        }
    }

    @Test func headAnswersTellTheLengthOfTheBodyTheyLack() {
        var buffer = ByteBuffer()
        var response = begin(.ok, isHead: true, into: &buffer)
        response.endHeadForBody(into: &buffer)
        buffer.append("hello")
        response.finishBody(in: &buffer)
        #expect(response.suppressesBody)
        #expect(
            text(buffer.bytes) == "HTTP/1.1 200 OK\r\n\(fixed)Content-Length: 5\r\n\r\n")
    }

    @Test(arguments: [(Status.noContent, "No Content"), (.notModified, "Not Modified")])
    func someStatusesNeverHaveABodyOrItsLength(status: Status, reason: String) {
        for mode in 0..<4 {
            var buffer = ByteBuffer()
            var response = begin(status, into: &buffer)
            switch mode {
            case 0: response.endHead(length: 5, into: &buffer)
            case 1: response.endHeadWithoutBody(into: &buffer)
            case 2: response.endHeadForChunks(into: &buffer)
            default:
                response.endHeadForBody(into: &buffer)
                buffer.append("hello")
                response.finishBody(in: &buffer)
            }
            #expect(response.suppressesBody && !response.isChunked)
            #expect(text(buffer.bytes) == "HTTP/1.1 \(status.code) \(reason)\r\n\(fixed)\r\n")
        }
    }

    @Test func aBodyOfUnknownLengthComesInChunks() {
        var buffer = ByteBuffer(capacity: 16)
        var response = begin(.ok, into: &buffer)
        response.endHeadForChunks(into: &buffer)
        #expect(response.isChunked && !response.closesConnection)
        let head = "HTTP/1.1 200 OK\r\n\(fixed)Transfer-Encoding: chunked\r\n\r\n"
        #expect(text(buffer.bytes) == head)
        buffer.removeAll()
        for payload in ["hello", "", String(repeating: "x", count: 0xabc)] {
            let mark = ChunkEncoder.open(in: &buffer)
            buffer.append(text: payload)
            ChunkEncoder.close(mark, in: &buffer)
        }
        ChunkEncoder.end(in: &buffer)
        let long = String(repeating: "x", count: 0xabc)
        #expect(
            text(buffer.bytes) == "00000005\r\nhello\r\n00000abc\r\n\(long)\r\n0\r\n\r\n")
        let decoded = decode(Array(buffer.bytes), .chunked, piece: 7)
        #expect(decoded.content == "hello" + long)
        #expect(decoded.isDone)
    }

    @Test func http10GetsABodyUpToTheEndOfTheConnection() {
        var buffer = ByteBuffer()
        var response = begin(.ok, minorVersion: 0, keepAlive: false, into: &buffer)
        response.endHeadForChunks(into: &buffer)
        #expect(!response.isChunked && response.closesConnection)
        #expect(
            text(buffer.bytes) == "HTTP/1.1 200 OK\r\n\(fixed)Connection: close\r\n\r\n")
        var other = begin(.ok, minorVersion: 0, keepAlive: true, into: &buffer)
        other.endHeadForChunks(into: &buffer)
        #expect(other.closesConnection)
    }

    @Test func aHeadAnswerOfUnknownLengthHasNoChunks() {
        var buffer = ByteBuffer()
        var response = begin(.ok, isHead: true, into: &buffer)
        response.endHeadForChunks(into: &buffer)
        #expect(response.suppressesBody && !response.isChunked)
        #expect(text(buffer.bytes).hasSuffix("Transfer-Encoding: chunked\r\n\r\n"))
    }

    @Test func continueIsAnInterimResponse() {
        var buffer = ByteBuffer()
        ResponseEncoder.appendContinue(to: &buffer)
        #expect(text(buffer.bytes) == "HTTP/1.1 100 Continue\r\n\r\n")
    }
}
