import FreshetBase
import Glibc
import Testing

@Suite("A log and whoever reads it")
struct LogReaderTests {
    @Test("A reader that has stopped holds up nobody who logs, and is told what it has missed")
    func stoppedReader() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let log = Log(level: .info, format: .json, descriptor: ends[1])
        // Far more than a pipe has room for.
        let text = String(repeating: "x", count: 1_000)
        for _ in 0..<200 { log.info("a line", ["text": .string(text)]) }
        var before = try read(from: ends[0])
        #expect(before.count > 10 && before.count < 200)
        #expect(before.allSatisfy { $0.contains("a line") })
        log.info("behind the gap")
        let after = try read(from: ends[0])
        before.append(contentsOf: after)
        #expect(after.count == 2)
        #expect(after.first?.contains("\"lines\":\(200 - before.count + 2)") == true)
        #expect(after.last?.contains("behind the gap") == true)
        log.info("again")
        #expect(try read(from: ends[0]).count == 1)
    }

    @Test("A terminal that nobody reads holds up nobody, though it says that it has room")
    func stoppedTerminal() throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(master >= 0)
        defer { close(master) }
        var (locked, number): (CInt, CInt) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN, which are what unlockpt(3) and ptsname(3) do.
        try #require(ioctl(master, 0x4004_5431, &locked) == 0)
        try #require(ioctl(master, 0x8004_5430, &number) == 0)
        let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        let log = Log(level: .info, format: .json, descriptor: terminal)
        let text = String(repeating: "x", count: 300)
        for _ in 0..<2_000 { log.info("a line", ["text": .string(text)]) }
        // What was written comes to the other side by and by.
        var shown = ""
        for _ in 0..<100 where !shown.contains("behind the gap") {
            shown += try drained(master)
            log.info("behind the gap")
            shown += try drained(master)
        }
        let lines = shown.split(whereSeparator: \.isNewline)
        #expect(lines.count > 3 && lines.count < 2_000)
        #expect(lines.contains { $0.contains("lines of the log were dropped") })
        #expect(lines.contains { $0.contains("behind the gap") })
        #expect(lines.allSatisfy { $0.hasPrefix("{") }, "each begins a line of its own")
    }

    /// What a terminal gives until nothing has come for a moment.
    private func drained(_ master: CInt) throws -> String {
        var bytes: [UInt8] = []
        var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&ready, 1, 50) > 0 {
            var part = [UInt8](repeating: 0, count: 65_536)
            let count = Glibc.read(master, &part, part.count)
            try #require(count > 0)
            bytes += part[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A line that is longer than a pipe takes at once is whole")
    func longLine() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let log = Log(level: .info, format: .json, descriptor: ends[1])
        log.info("a line", ["text": .string(String(repeating: "y", count: 20_000))])
        let lines = try read(from: ends[0])
        #expect(lines.count == 1 && lines.first?.hasSuffix("y\"}") == true)
        #expect(lines.first?.utf8.count ?? 0 > 20_000)
    }

    /// The lines that a pipe has now.
    private func read(from descriptor: CInt) throws -> [Substring] {
        var held: CInt = 0
        try #require(ioctl(descriptor, UInt(FIONREAD), &held) == 0)
        var bytes = [UInt8](repeating: 0, count: Int(held))
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count)
            }
            try #require(part > 0)
            count += part
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
