import FreshetBase
import FreshetJSON
import FreshetQuery
import Glibc

/// The entities that are measured on: one block of NDJSON and the range of each line.
struct Samples {
    let bytes: [UInt8]
    let lines: [Range<Int>]

    /// Reads a file of entities, one a line.
    init?(path: String) {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = fread(&block, 1, block.count, file)
            if count <= 0 { break }
            bytes.append(contentsOf: block[..<count])
        }
        self.init(bytes)
    }

    /// Makes up entities of about 300 bytes.
    init(madeUp count: Int) {
        var text = ""
        for number in 0..<count {
            text +=
                "{\"id\":\"entity-\(number)\",\"section\":\"s\(number % 50)\","
                + "\"installedSize\":\(number * 7919 % 100_000),\"essential\":false,"
                + "\"maintainer\":\"person-\(number % 1000)@lists.example.org\","
                + "\"tags\":[\"role::program\",\"interface::x11\",\"use::viewing\"],"
                + "\"depends\":[\"libc6\",\"libstdc++6\",\"zlib1g\"],\"summary\":"
                + "\"An entity that was made up for a measurement, number \(number)\"}\n"
        }
        self.init(Array(text.utf8))
    }

    /// `count` entities with the ids `e0`, `e1` and so on: these, one after the other and again, cut
    /// to about 300 bytes, the arrays of their `depends` by elements.
    func repeated(_ count: Int) -> Samples {
        let kept = [
            "version", "section", "priority", "architecture", "installedSize", "size",
            "maintainer", "source", "summary",
        ].map { Array($0.utf8) }
        var builder = DocumentBuilder()
        var bodies: [[UInt8]] = []
        forEach { line in
            guard let document = try? builder.build(json: line, id: .fromBody) else { return }
            var body = ByteBuffer(capacity: 320)
            for name in kept {
                guard let value = name.withUnsafeBytes({ document.member(named: $0) }) else {
                    continue
                }
                body.append(",\"")
                body.append(name)
                body.append("\":")
                body.append(value.bytes)
            }
            body.append(",\"depends\":[")
            var isFirst = true
            if let depends = document.member(named: "depends") {
                for element in depends.elements where body.count + element.bytes.count <= 275 {
                    if !isFirst { body.append(",") }
                    body.append(element.bytes)
                    isFirst = false
                }
            }
            body.append("]}\n")
            bodies.append(Array(body.bytes))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 320)
        for number in 0..<count where !bodies.isEmpty {
            bytes += "{\"id\":\"e\(number)\"".utf8
            bytes += bodies[number % bodies.count]
        }
        return Samples(bytes)
    }

    private init(_ bytes: [UInt8]) {
        var lines: [Range<Int>] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == 0x0A {
            if index > start { lines.append(start..<index) }
            start = index + 1
        }
        self.bytes = bytes
        self.lines = lines
    }

    /// Calls `body` with each entity's bytes.
    func forEach(_ body: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { all in
            for line in lines { body(UnsafeRawBufferPointer(rebasing: all[line])) }
        }
    }
}
