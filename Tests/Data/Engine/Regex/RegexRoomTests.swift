import FreshetTestSupport
import Testing

@testable import FreshetEngine

@Suite("What automatons keep")
struct RegexRoomTests {
    /// A text that needs many states of `(a|b)*a(a|b){6}c`.
    private static let text: [UInt8] = {
        var random = SplitMix(seed: 7)
        return (0..<4_000).map { _ in random.next(2) == 0 ? 97 : 98 }
    }()

    @Test("All together stay within the room, and give it back")
    func bound() throws {
        let room = RegexRoom(bytes: 300_000)
        var largest = 0
        do {
            var expressions: [Regex] = []
            for number in 0..<20 {
                let regex = try Regex("\(number)|(a|b)*a(a|b){6}c", room: room)
                expressions.append(regex)
                for end in ["", "c"] {
                    let text = Self.text.dropLast(8) + Array("abbbbbb\(end)".utf8)
                    let isFound = Array(text).withUnsafeBytes { regex.matches($0) }
                    #expect(isFound == (end == "c"), "\(number)")
                }
                #expect(room.taken <= 300_000)
                largest = max(largest, room.taken)
            }
            // Those that have no room find what the others find.
            for regex in expressions {
                #expect(Array("aaaaaaaaaaaac".utf8).withUnsafeBytes { regex.matches($0) })
            }
            #expect(room.taken <= 300_000)
        }
        #expect(largest > 100_000, "some are kept")
        #expect(room.taken == 0)
    }
}
