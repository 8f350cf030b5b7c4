import FreshetBase
import FreshetJSON
import FreshetQuery

func benchmarkJSON(_ samples: Samples) {
    var scanner = JSONScanner()
    measure(
        "json validate and index", operations: samples.lines.count, bytes: samples.bytes.count
    ) {
        samples.forEach { line in keep(try? scanner.scan(line)) }
    }
    for (name, text) in worstCases {
        let bytes = Array(text.utf8)
        measure("json worst \(name)", operations: 1, bytes: bytes.count) {
            bytes.withUnsafeBytes { bytes in
                // A refusal is a measurement, too: what counts is the time until the verdict.
                keep(try? scanner.scan(bytes))
            }
        }
    }
    var builder = DocumentBuilder()
    measure("document built", operations: samples.lines.count, bytes: samples.bytes.count) {
        samples.forEach { line in keep(try? builder.build(json: line, id: .fromBody)) }
    }
    let spaced = Array("{ \"id\": \"a\", \"b\": [1, 2, 3], \"c\": \"caf\\u00e9\" }".utf8)
    measure("document built from spaced text", operations: 10_000) {
        spaced.withUnsafeBytes { bytes in
            for _ in 0..<10_000 { keep(try? builder.build(json: bytes, id: .fromBody)) }
        }
    }
}

/// About a megabyte each.
private var worstCases: [(String, String)] {
    [
        (
            "deep nesting",
            String(
                repeating: String(repeating: "[", count: 63)
                    + String(repeating: "]", count: 63) + ",", count: 8_000
            ).wrapped
        ),
        ("empty objects", String(repeating: "{},", count: 350_000).wrapped),
        ("escapes", "[\"" + String(repeating: "\\u00e9\\n", count: 130_000) + "\"]"),
        ("short names", String(repeating: "{\"a\":1,\"b\":2,\"c\":3},", count: 50_000).wrapped),
        ("long numbers", "[" + String(repeating: "1234567890", count: 100_000) + "]"),
        (
            "100,000 members",
            "{" + (0..<100_000).map { "\"m\($0)\":1" }.joined(separator: ",") + "}"
        ),
        ("two-byte text", "[\"" + String(repeating: "é", count: 500_000) + "\"]"),
    ]
}

extension String {
    /// As the elements of an array: the trailing comma becomes the last element `0`.
    fileprivate var wrapped: String { "[" + self + "0]" }
}
