import FreshetHTTP
import FreshetTestSupport
import Testing

@Suite struct ParserFuzzTests {
    private static let seeds: [String] = [
        "GET /v1/tasks?filter=done==false+and+priority>2 HTTP/1.1\r\nHost: localhost:8080\r\n"
            + "Accept: text/event-stream\r\nConnection: keep-alive\r\n\r\n",
        "\r\nPOST /v1/tasks HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: 12\r\n"
            + "Content-Type: application/json\r\nExpect: 100-continue\r\n\r\n{\"id\":7}",
        "PUT http://a/v1/t/7 HTTP/1.0\r\nTransfer-Encoding: chunked\r\nPrefer: return=minimal\r\n"
            + "prefer: x\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ]
    private static let pieces: [String] = [
        "\r\n", "\n", "\r", ":", " ", "\t", "HTTP/1.1", "Host: a\r\n", "\r\n ", "\u{0}", "\u{7f}",
        "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "é", "#", "?", "GET ", "/",
    ]

    @Test func mutatedHeadsGiveOneResultHoweverTheyAreSplit() {
        let seed = UInt64.random(in: .min ... .max)
        print("mutated heads: seed \(seed)")
        var random = SeededGenerator(state: seed)
        for round in FuzzRounds(1_500) {
            let bytes = mutate(&random)
            let whole = parse(bytes, cuts: [])
            #expect(parse(bytes, cuts: 0..<bytes.count) == whole, "seed \(seed) round \(round)")
            for _ in 0..<8 {
                let cuts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    Int.random(in: 0...bytes.count, using: &random)
                }
                #expect(parse(bytes, cuts: cuts.sorted()) == whole, "seed \(seed) round \(round)")
            }
        }
    }

    @Test func mutatedHeadsUnderSmallLimitsGiveOneResult() {
        let seed = UInt64.random(in: .min ... .max)
        print("mutated heads, small limits: seed \(seed)")
        var random = SeededGenerator(state: seed)
        for round in 0..<1_500 {
            var limits = HTTPLimits()
            limits.requestLine = Int.random(in: 0...60, using: &random)
            limits.headerBytes = Int.random(in: 0...90, using: &random)
            limits.headerFields = Int.random(in: 1...4, using: &random)
            let bytes = mutate(&random)
            let whole = parse(bytes, cuts: [], limits: limits)
            let pieces = parse(bytes, cuts: 0..<bytes.count, limits: limits)
            #expect(pieces == whole, "seed \(seed) round \(round)")
        }
    }

    @Test func mutatedChunksGiveOneResultHoweverTheyAreSplit() {
        let seed = UInt64.random(in: .min ... .max)
        print("mutated chunks: seed \(seed)")
        var random = SeededGenerator(state: seed)
        let body = Array(
            "5;a=b\r\nhello\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\nX: y\r\n\r\nG".utf8)
        for round in FuzzRounds(3_000) {
            var bytes = body
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            }
            let whole = decode(bytes, .chunked, piece: bytes.count)
            #expect(decode(bytes, .chunked, piece: 1) == whole, "seed \(seed) round \(round)")
            #expect(decode(bytes, .chunked, piece: 3) == whole, "seed \(seed) round \(round)")
        }
    }

    private func mutate(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)].utf8)
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...3, using: &random))
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes.removeSubrange(place..<end)
            case 1:
                let piece = Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)]
                bytes.insert(contentsOf: Array(piece.utf8), at: place)
            default:
                if place < bytes.count {
                    bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                }
            }
        }
        return bytes
    }
}
