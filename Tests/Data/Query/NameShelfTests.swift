import Testing

@testable import FreshetQuery

@Suite struct NameShelfTests {
    @Test func filtersOfOnePropertyHaveOnePath() throws {
        let texts = ["author.name == 'a'", "n > 1 and author.name != 'b'"]
        let paths = try texts.map { text in
            guard case .compare(let path, _, _) = try last(Filter(parsing: text)) else {
                return nil as PropertyPath?
            }
            return path
        }
        let first = try #require(paths[0])
        let second = try #require(paths[1])
        #expect(first == second && first.description == "author.name")
        #expect(
            first.names.withUnsafeBufferPointer(\.baseAddress)
                == second.names.withUnsafeBufferPointer(\.baseAddress))
    }

    private func last(_ filter: Filter) -> Filter {
        guard case .and(let parts) = filter else { return filter }
        return parts.first {
            if case .compare(let path, _, _) = $0 { path.count == 2 } else { false }
        } ?? filter
    }

    @Test func textsThatLookAlikeAreTwoNames() throws {
        let composed = try PropertyPath(parsing: "`\u{E9}`")
        let decomposed = try PropertyPath(parsing: "`e\u{301}`")
        #expect(composed != decomposed && composed.names[0].bytes.count == 2)
    }

    @Test func aFullShelfForgetsAndGoesOn() {
        let made = Made()
        let shelf = NameShelf<Int, String> {
            made.add(); return "\($0)"
        }
        let capacity = NameShelf<Int, String>.capacity
        for number in 0..<capacity { #expect(shelf(number) == "\(number)") }
        #expect(shelf(0) == "0" && made.count == capacity)
        // One more than it keeps.
        #expect(shelf(capacity) == "\(capacity)")
        #expect(shelf(0) == "0" && made.count == capacity + 2)
    }
}

private final class Made: @unchecked Sendable {
    // SAFETY: touched by one test's thread.
    private(set) var count = 0
    func add() { count += 1 }
}
