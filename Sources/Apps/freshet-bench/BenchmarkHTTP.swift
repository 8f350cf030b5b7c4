import FreshetBase
import FreshetHTTP

func benchmarkHTTP(_ samples: Samples) {
    let small = Array(
        "GET /v1/package/apt HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n".utf8)
    let large = Array(
        ("GET /v1/package?filter=section==games&order=-installedSize&limit=20 HTTP/1.1\r\n"
            + "Host: localhost:8080\r\nConnection: keep-alive\r\nCache-Control: max-age=0\r\n"
            + "sec-ch-ua: \"Chromium\";v=\"124\", \"Not-A.Brand\";v=\"99\"\r\n"
            + "sec-ch-ua-mobile: ?0\r\nsec-ch-ua-platform: \"Linux\"\r\n"
            + "Upgrade-Insecure-Requests: 1\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) "
            + "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36\r\n"
            + "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
            + "Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"
            + "Accept-Encoding: gzip, deflate, br\r\nAccept-Language: en-GB,en;q=0.9\r\n\r\n")
            .utf8)
    let limits = HTTPLimits()
    var head = RequestHead(limits: limits)
    var parser = RequestParser()
    for (name, bytes) in [("small", small), ("browser", large)] {
        measure("http head \(name) (\(bytes.count) bytes)", operations: 10_000) {
            bytes.withUnsafeBytes { bytes in
                for _ in 0..<10_000 { keep(parser.parse(bytes, into: &head, limits: limits)) }
            }
        }
    }
    var output = ByteBuffer(capacity: 4096)
    let date = HTTPDate(epochSeconds: 1_795_230_000)
    measure("http response head", operations: 10_000) {
        for _ in 0..<10_000 {
            output.removeAll()
            var encoder = ResponseEncoder(
                .ok, date: date, isHead: false, minorVersion: 1, keepAlive: true, into: &output)
            encoder.header("Content-Type", "application/json", into: &output)
            encoder.header("ETag", quotedDecimal: 1042, into: &output)
            encoder.endHead(length: 300, into: &output)
        }
    }
    keep(output.count)
}
