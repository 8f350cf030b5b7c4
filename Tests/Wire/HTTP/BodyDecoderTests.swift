import FreshetBase
import FreshetHTTP
import Testing

/// What a body decoded to, or how it failed.
struct DecodedBody: Equatable {
    var content = ""
    var consumed = 0
    var isDone = false
    var fault: RequestFault?
}

/// Feeds `bytes` in pieces of `piece` bytes; a fault hides how far it came.
func decode(
    _ bytes: [UInt8], _ framing: BodyFraming, piece: Int, limits: HTTPLimits = HTTPLimits()
) -> DecodedBody {
    var decoder = BodyDecoder(framing, limits: limits)
    var content: [UInt8] = []
    var consumed = 0
    do {
        while consumed < bytes.count, !decoder.isDone {
            let input = Array(bytes[consumed..<min(bytes.count, consumed + max(piece, 1))])
            let step = try input.withUnsafeBytes { buffer in
                let step = try decoder.decode(buffer)
                content.append(contentsOf: step.payload.bytes(in: buffer))
                return step
            }
            consumed += step.consumed
        }
    } catch {
        return DecodedBody(fault: error as? RequestFault)
    }
    return DecodedBody(
        content: String(decoding: content, as: UTF8.self), consumed: consumed,
        isDone: decoder.isDone)
}

@Suite struct BodyDecoderTests {
    private func everySplit(
        _ text: String, _ framing: BodyFraming = .chunked, limits: HTTPLimits = HTTPLimits()
    ) -> DecodedBody? {
        let bytes = Array(text.utf8)
        let whole = decode(bytes, framing, piece: bytes.count, limits: limits)
        for piece in 1...max(bytes.count, 1)
        where decode(bytes, framing, piece: piece, limits: limits) != whole {
            return nil
        }
        return whole
    }

    @Test func aLengthEndsTheBody() {
        #expect(
            everySplit("hello world", .length(5))
                == DecodedBody(content: "hello", consumed: 5, isDone: true))
        #expect(
            everySplit("hel", .length(5)) == DecodedBody(content: "hel", consumed: 3))
        #expect(everySplit("GET", .none) == DecodedBody(isDone: true))
        #expect(BodyDecoder(.none).isDone)
        #expect(BodyDecoder(.length(0)).isDone)
    }

    @Test(arguments: [
        ("0\r\n\r\n", "", 5), ("5\r\nhello\r\n0\r\n\r\nGET", "hello", 15),
        ("00005\r\nhello\r\n1\r\n!\r\n000\r\n\r\n", "hello!", 27),
        ("a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789", 35),
        ("5;a\r\nhello\r\n0;b=\"c;d\"\r\n\r\n", "hello", 25),
        ("5 ;a=b\r\nhello\r\n0\t ;c\r\n\r\n", "hello", 24),
        ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n", 12),
        ("0\r\nX-Sum: 1\r\nEmpty:\r\n\r\n", "", 23),
    ])
    func chunksAreJoined(text: String, content: String, consumed: Int) {
        #expect(
            everySplit(text) == DecodedBody(content: content, consumed: consumed, isDone: true))
    }

    @Test(arguments: [
        ("+5\r\n", RequestFault.malformedChunkSize), ("-5\r\n", .malformedChunkSize),
        ("0x5\r\n", .malformedChunkSize), (" 5\r\n", .malformedChunkSize),
        ("5 \r\n", .malformedChunkSize), ("5\ta\r\n", .malformedChunkSize),
        ("\r\n", .malformedChunkSize), (";a\r\n", .malformedChunkSize),
        ("g\r\n", .malformedChunkSize), ("5_0\r\n", .malformedChunkSize),
        ("5\nhello", .bareLineFeed), ("5;a\nhello", .bareLineFeed),
        ("5\rhello", .bareCarriageReturn), ("5;a\u{0}\r\n", .malformedChunkSize),
        ("FFFFFFFFFFFFFFFF\r\n", .chunkTooLarge), ("10000000000000000\r\n", .chunkTooLarge),
        ("0000000000000005\r\n", .chunkTooLarge),
        ("5\r\nhelloX", .malformedChunkEnd), ("5\r\nhello\n", .malformedChunkEnd),
        ("5\r\nhello\rX", .malformedChunkEnd), ("3\r\nhello\r\n", .malformedChunkEnd),
        ("0\r\n\n", .bareLineFeed), ("0\r\n\rX", .bareCarriageReturn),
        ("0\r\n a: b\r\n", .foldedHeader), ("0\r\na: b\r\n c\r\n", .foldedHeader),
        ("0\r\n: b\r\n", .emptyFieldName), ("0\r\na : b\r\n", .spaceBeforeColon),
        ("0\r\na\r\n", .missingColon), ("0\r\na\n", .bareLineFeed),
        ("0\r\na: b\n", .bareLineFeed), ("0\r\na: b\rc", .bareCarriageReturn),
        ("0\r\na: \u{0}", .controlInValue), ("0\r\na[: b\r\n", .illegalFieldName),
        ("0\r\n(: b\r\n", .illegalFieldName), ("0\r\nGET / HTTP/1.1\r\n", .spaceBeforeColon),
    ])
    func malformedChunksAreRefused(text: String, fault: RequestFault) {
        #expect(everySplit(text) == DecodedBody(fault: fault), "\(text.debugDescription)")
    }

    @Test func extensionsAndTrailersHaveLimits() {
        var limits = HTTPLimits()
        limits.chunkExtensionBytes = 4
        limits.trailerBytes = 6
        #expect(everySplit("1;ab\r\nx\r\n0;\r\n\r\n", limits: limits)?.isDone == true)
        #expect(
            everySplit("1;ab\r\nx\r\n0;a\r\n\r\n", limits: limits)
                == DecodedBody(fault: .chunkExtensionsTooLarge))
        #expect(everySplit("0\r\na:bc\r\n\r\n", limits: limits)?.isDone == true)
        #expect(
            everySplit("0\r\na:bcd\r\n\r\n", limits: limits)
                == DecodedBody(fault: .trailersTooLarge))
        let long = "1;" + String(repeating: "a", count: 1_024) + "\r\n"
        #expect(
            decode(Array(long.utf8), .chunked, piece: 2_000).fault == .chunkExtensionsTooLarge)
    }

    @Test func aCollectedBodyHasItsLimit() throws {
        var limits = HTTPLimits()
        limits.body = 6
        func collect(_ text: String, _ framing: BodyFraming) throws -> String {
            var decoder = BodyDecoder(framing, limits: limits)
            var buffer = ByteBuffer()
            let bytes = Array(text.utf8)
            _ = try bytes.withUnsafeBytes { input in
                try decoder.decode(input, appendingTo: &buffer)
            }
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
        #expect(try collect("hello!", .length(6)) == "hello!")
        #expect(try collect("5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", .chunked) == "hello!")
        #expect(throws: RequestFault.bodyTooLarge) { try collect("h", .length(7)) }
        #expect(throws: RequestFault.bodyTooLarge) { try collect("7\r\nh", .chunked) }
        #expect(throws: RequestFault.bodyTooLarge) { try collect("5\r\nhello\r\n2\r\n!", .chunked) }
        #expect(RequestFault.bodyTooLarge.status == .contentTooLarge)
    }
}
