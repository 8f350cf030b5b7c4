import FreshetBase
import FreshetHTTP
import Glibc
import Testing

@Suite struct HTTPDateTests {
    @Test(arguments: [
        (Int64(0), "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (-1, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func momentsAreWritten(seconds: Int64, expected: String) {
        let date = HTTPDate(epochSeconds: seconds)
        #expect(date.text == expected)
        var buffer = ByteBuffer(capacity: 16)
        buffer.append("<")
        date.append(to: &buffer)
        buffer.append(">")
        #expect(text(buffer.bytes) == "<\(expected)>")
    }

    @Test func randomMomentsAgreeWithTheSystem() {
        let seed = UInt64.random(in: .min ... .max)
        print("dates: seed \(seed)")
        var random = SeededGenerator(state: seed)
        for _ in 0..<20_000 {
            let seconds = Int64.random(in: 0...253_402_300_799, using: &random)
            var time = time_t(seconds)
            var parts = tm()
            gmtime_r(&time, &parts)
            var room = [CChar](repeating: 0, count: 64)
            let length = strftime(&room, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            let expected = String(
                decoding: room[0..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            #expect(HTTPDate(epochSeconds: seconds).text == expected, "seed \(seed)")
        }
    }
}
