import FreshetStore
import Dispatch
import FreshetBase
import FreshetJSON
import FreshetQuery
import Synchronization
import Testing

@testable import FreshetCore

@Suite("Patterns of schemas")
struct SchemaPatternTests {
    /// A set of states at every byte that was never met before: the worst that a text can do.
    private static let pattern = #"[ab]*a[ab]{900}c"#

    /// `count` letters a and b without an end, as a generator with a fixed seed makes them.
    private static func hostile(_ count: Int) -> String {
        var state: UInt64 = 0x5EED
        var text = ""
        for _ in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            text += state >> 63 == 0 ? "a" : "b"
        }
        // The pattern's last letter, or the literal alone would decide.
        return text + "c!"
    }

    @Test("A text that is too much for its pattern is a fault of its own, and spoils nothing")
    func hostile() throws {
        let schema = try schema(p: #"{"type":"string","pattern":"\#(Self.pattern)"}"#)
        let good = String(repeating: "a", count: 901) + "c"
        #expect(schema.faults(#"{"id":1,"p":"\#(good)"}"#) == [])
        for _ in 0..<2 {
            let faults = schema.faults(#"{"id":1,"p":"\#(Self.hostile(60_000))"}"#)
            #expect(faults.map { "\($0.pointer) \($0.code)" } == ["/p pattern-effort"])
            #expect(faults.first?.detail.contains("takes too long") == true)
            // The next one is judged as if nothing had been.
            #expect(schema.faults(#"{"id":1,"p":"\#(good)"}"#) == [])
            #expect(schema.faults(#"{"id":1,"p":"ab"}"#).map(\.code) == ["pattern"])
        }
    }

    @Test("The strings of one entity share what may be spent on patterns")
    func shared() throws {
        let schema = try schema(
            p: #"{"type":"array","items":{"type":"string","pattern":"\#(Self.pattern)"}}"#)
        let strings = (0..<40).map { "\"" + Self.hostile(3_000 + $0) + "\"" }
        let list = strings.joined(separator: ",")
        let codes = schema.faults("{\"id\":1,\"p\":[\(list)]}").map(\.code)
        #expect(codes.contains("pattern-effort"))
    }

    @Test("Writers on several threads do not disturb one another")
    func threads() throws {
        let schema = try schema(p: #"{"type":"string","pattern":"\#(Self.pattern)"}"#)
        let good =
            #"{"id":1,"p":"\#(String(repeating: "b", count: 9))a\#(String(repeating: "b", count: 900))c"}"#
        let hostile = #"{"id":1,"p":"\#(Self.hostile(20_000))"}"#
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            for _ in 0..<2 {
                let faults = schema.faults(index.isMultiple(of: 2) ? good : hostile)
                let isRight = index.isMultiple(of: 2) ? faults.isEmpty : !faults.isEmpty
                if !isRight { wrong.add(1, ordering: .relaxed) }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }
}
