import FreshetBase
import Testing

/// One object for all threads, and its members are seen by all of them.
@Suite struct LazyReferenceTests {
    private final class Text: Sendable {
        let bytes: [UInt8]
        init(_ number: Int) { bytes = Array("number \(number)".utf8) }
    }

    private final class Shared: Sendable {
        let first = LazyReference<Text>()
    }

    @Test func whatIsStoredFirstStays() {
        let shared = Shared()
        #expect(shared.first.load() == nil)
        let made = Text(1)
        #expect(shared.first.storeIfNil(made) === made)
        #expect(shared.first.storeIfNil(Text(2)) === made)
        #expect(shared.first.load() === made)
    }

    @Test func itHoldsItsObjectAndLetsItGo() {
        weak var left: Text?
        do {
            let shared = Shared()
            left = shared.first.storeIfNil(Text(1))
            #expect(left != nil)
            withExtendedLifetime(shared) {}
        }
        #expect(left == nil)
    }

    /// Under the thread sanitizer this is where an ordering that it cannot see shows itself.
    @Test func whoeverLoadsSeesTheWholeObject() async {
        for round in 0..<50 {
            let shared = Shared()
            async let loaded = {
                while true {
                    if let text = shared.first.load() { return text.bytes }
                    await Task.yield()
                }
            }()
            let stored = shared.first.storeIfNil(Text(round)).bytes
            #expect(await loaded == stored)
        }
    }
}
