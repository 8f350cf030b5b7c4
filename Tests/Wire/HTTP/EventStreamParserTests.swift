import FreshetBase
import FreshetHTTP
import FreshetTestSupport
import Testing

@Suite struct EventStreamParserTests {
    private struct Reading: Equatable {
        var events: [EventStreamParser.Event] = []
        var lastID = ""
        var retry: Int?
    }

    /// Reads `text` in pieces of `size` bytes.
    private func read(
        _ text: String, in size: Int = .max, after lastID: String = ""
    ) throws -> Reading {
        var parser = EventStreamParser(lastID: lastID)
        var reading = Reading()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            try piece.withUnsafeBytes { bytes in
                try parser.take(bytes) { reading.events.append($0) }
            }
        }
        reading.lastID = parser.lastID
        reading.retry = parser.retry
        return reading
    }

    private func event(_ name: String, _ data: String, id: String) -> EventStreamParser.Event {
        .init(name: name, data: Array(data.utf8), lastID: id)
    }

    private static let streams = [
        "retry: 1500\n\nevent: hello\ndata: {}\n\n: hb\nid: e.5\n\nid: e.6\nevent: delta\ndata:{\"a\":1}\n\n",
        "data: one\ndata\ndata:  two\n\ndata\n\ndata:\n\n",
        "\u{FEFF}data: x\rid: 7\r\revent: y\r\ndata: z\r\n\r\nevent: lost\ndata: cut",
        "id: a\u{0}b\ndata: 1\n\nid\ndata: 2\n\nunknown: field\nretry: 1a\n:comment\n\n\n",
    ]

    @Test(arguments: streams) func aStreamReadsTheSameHoweverItIsCut(_ text: String) throws {
        let whole = try read(text)
        for size in 1...text.utf8.count { #expect(try read(text, in: size) == whole) }
    }

    @Test func eventsAreWhatTheStandardSays() throws {
        let first = try read(Self.streams[0])
        #expect(
            first.events == [event("hello", "{}", id: ""), event("delta", "{\"a\":1}", id: "e.6")])
        #expect(first.retry == 1500)
        #expect(first.lastID == "e.6")
        #expect(
            try read(Self.streams[1]).events == [
                event("message", "one\n\n two", id: ""), event("message", "", id: ""),
                event("message", "", id: ""),
            ])
        let third = try read(Self.streams[2])
        #expect(third.events == [event("message", "x", id: "7"), event("y", "z", id: "7")])
        let fourth = try read(Self.streams[3], after: "old")
        #expect(fourth.events.map(\.lastID) == ["old", ""])
        #expect(fourth.retry == nil)
    }

    @Test func theIdOfAnEventThatWasCutIsOfNoAccount() throws {
        #expect(try read("id: 1\ndata: x\n\nid: 2\ndata: y\n").lastID == "1")
    }

    @Test func whatTheEncoderWritesIsRead() throws {
        var buffer = ByteBuffer()
        withBytes("e.9") { id in
            withBytes("{\"q\":1}") { data in
                EventStreamEncoder.retry(milliseconds: 20, into: &buffer)
                EventStreamEncoder.event("snapshot", id: id, data: data, into: &buffer)
                EventStreamEncoder.heartbeat(id: id, into: &buffer)
            }
        }
        let reading = try read(text(buffer.bytes))
        #expect(reading.events == [event("snapshot", "{\"q\":1}", id: "e.9")])
        #expect(reading.retry == 20)
    }

    @Test func randomStreamsReadAsAPlainReaderReadsThemHoweverTheyAreCut() {
        let seed = UInt64.random(in: .min ... .max)
        print("event streams: seed \(seed)")
        var random = SeededGenerator(state: seed)
        let pieces = [
            "\n", "\r", "\r\n", "\n\n", "data", "data:", "data: ", "event: a", "event:", "id: 7",
            "id", "id: \u{0}", "retry: 20", "retry:x", ":", " ", "x", "é", "\u{FEFF}", "datax: y",
        ]
        for round in FuzzRounds(2_000) {
            let count = Int.random(in: 0...40, using: &random)
            var bytes: [UInt8] = []
            for _ in 0..<count {
                bytes += (pieces.randomElement(using: &random) ?? "").utf8
            }
            let expected = Self.plainReading(bytes)
            for _ in 0..<4 {
                var parser = EventStreamParser()
                var reading = Reading()
                var rest = bytes[...]
                while !rest.isEmpty {
                    let piece = Array(rest.prefix(Int.random(in: 1...9, using: &random)))
                    rest = rest.dropFirst(piece.count)
                    piece.withUnsafeBytes { bytes in
                        #expect(throws: Never.self) {
                            try parser.take(bytes) { reading.events.append($0) }
                        }
                    }
                }
                reading.lastID = parser.lastID
                reading.retry = parser.retry
                #expect(reading == expected, "seed \(seed) round \(round)")
            }
        }
    }

    /// The algorithm of the standard, word by word, over the whole stream.
    private static func plainReading(_ bytes: [UInt8]) -> Reading {
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        while let byte = bytes.popFirst() {
            guard byte == 0x0A || byte == 0x0D else {
                line.append(byte)
                continue
            }
            if byte == 0x0D, bytes.first == 0x0A { bytes.removeFirst() }
            lines.append(line)
            line = []
        }
        var reading = Reading()
        var (name, data, id) = ("", [UInt8](), "")
        for line in lines {
            if line.isEmpty {
                reading.lastID = id
                if !data.isEmpty {
                    reading.events.append(
                        .init(
                            name: name.isEmpty ? "message" : name, data: data.dropLast(),
                            lastID: id))
                }
                (name, data) = ("", [])
                continue
            }
            let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? parts[1] : []
            if value.first == 0x20 { value = value.dropFirst() }
            switch String(decoding: parts[0], as: UTF8.self) {
            case "event": name = String(decoding: value, as: UTF8.self)
            case "data": data += value + [0x0A]
            case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
            case "retry":
                if !value.isEmpty, value.allSatisfy({ $0 &- 0x30 < 10 }) {
                    reading.retry = Int(String(decoding: value, as: UTF8.self))
                }
            default: break
            }
        }
        return reading
    }

    @Test func anEventOverTheLimitIsAFault() {
        var parser = EventStreamParser(limit: 100)
        let line = Array(("data: " + String(repeating: "x", count: 60) + "\n").utf8)
        line.withUnsafeBytes { line in
            #expect(throws: Never.self) { try parser.take(line) { _ in } }
            #expect(throws: EventStreamParser.Fault.tooLarge) { try parser.take(line) { _ in } }
        }
    }
}
