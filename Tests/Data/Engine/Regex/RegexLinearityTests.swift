import Dispatch
import FreshetQuery
import Synchronization
import Testing

@testable import FreshetEngine

/// Steps are counted, not time: a byte read and a state visited are one each.
@Suite("Regular expressions are linear")
struct RegexLinearityTests {
    static let patterns = [
        "(a+)+$", "(a|aa)+$", "(a|a)*b", "(.*)*x", "(a*)*b", "([a-z]+)*\\d", "^(([a-z])+.)+[A-Z]$",
        "(x+x+)+y", "(a?){30}a{30}b", "((a{1,8}){1,8}){1,8}b", "(.*a){12}b", "\\b(a|a|a)+\\b!",
        ".*.*=.*;", "(?i)(a|A|[aA])+$x", "(a|b|ab)*c", "^(a|b|ab)*bc$", "(\\w+\\s?)+$!",
    ]

    private func work(
        _ pattern: String, _ text: [UInt8], cacheBytes: Int = RegexLimits.cacheBytes
    ) throws -> (work: Int, states: Int) {
        let program = try RegexCompiler.compile(try RegexParser.parse(pattern))
        let automaton = RegexAutomaton(program, cacheBytes: cacheBytes)
        _ = text.withUnsafeBytes { automaton.search($0, from: 0) }
        return (automaton.bytesRead + automaton.visits, program.states.count)
    }

    @Test("The known catastrophes cost a step a byte", arguments: patterns)
    func catastrophes(_ pattern: String) throws {
        for text in ["a", "ab", "x", "aA ", "a=", "é"] {
            func repeated(_ count: Int) -> [UInt8] {
                Array(String(repeating: text, count: count).utf8) + [0x21]
            }
            let long = repeated(20_000)
            let (steps, states) = try work(pattern, long)
            // What is made once is made from at most some hundred sets.
            #expect(steps <= long.count + 1_000 * states, "\(text)")
        }
    }

    @Test("Without a table a byte costs at most a few passes over the program", arguments: patterns)
    func withoutTable(_ pattern: String) throws {
        let text = Array(String(repeating: "ab a=xA1", count: 300).utf8)
        let (steps, states) = try work(pattern, text, cacheBytes: 0)
        #expect(steps <= 4 * (text.count + 1) * (states + 1))
    }

    @Test("A text that never repeats a set is matched without the table")
    func thrashing() throws {
        let program = try RegexCompiler.compile(try RegexParser.parse("[ab]*a[ab]{300}c"))
        let automaton = RegexAutomaton(program)
        let seed = freshSeed("regex thrashing")
        var generator = SeededGenerator(seed: seed)
        let text = (0..<20_000).map { _ in generator.pick(Array("ab".utf8)) }
        let isFound = text.withUnsafeBytes { automaton.search($0, from: 0) }
        #expect(isFound == false)
        #expect(automaton.fallbacks == 1 && automaton.flushes == 1, "seed \(seed)")
        #expect(automaton.visits <= 4 * text.count * program.states.count)
        let other = text + Array("c".utf8)
        #expect(other.withUnsafeBytes { automaton.search($0, from: 0) } == (other[19_699] == 0x61))
    }

    @Test("An expression that costs more than its patience is told from one that does not match")
    func patience() throws {
        let seed = freshSeed("regex patience")
        var generator = SeededGenerator(seed: seed)
        let text = (0..<20_000).map { _ in generator.pick(Array("ab".utf8)) }
        let regex = try Regex("[ab]*a[ab]{300}[cd]")
        func verdict(_ text: [UInt8], of regex: Regex, patience: Int) -> Bool? {
            var patience = patience
            return text.withUnsafeBytes { regex.verdict($0, patience: &patience) }
        }
        #expect(verdict(Array("abc".utf8), of: regex, patience: 100_000) == false)
        #expect(verdict(text, of: regex, patience: 100_000) == nil, "seed \(seed)")
        #expect(verdict(Array("abc".utf8), of: regex, patience: 100_000) == false)
        // What takes a step a byte is never too much.
        let long = [UInt8](repeating: 0x61, count: 1_000_000)
        #expect(try verdict(long, of: Regex("(a+)+$"), patience: 1_000) == true)
    }

    @Test("A search whose expression gives up ends as one out of time, and spoils no other")
    func exhaustion() throws {
        var table = Table()
        _ = table.insert(try document(#"{"id":2,"s":"\#(String(repeating: "a", count: 4_001))c"}"#))
        let before = table.view(seq: 1)
        let seed = freshSeed("regex exhaustion")
        var generator = SeededGenerator(seed: seed)
        let long = String((0..<60_000).map { _ in generator.pick(["a", "b"]) })
        _ = table.insert(try document("{\"id\":1,\"s\":\"\(long)\"}"))
        var query = Query(type: try #require(TypeName("t")))
        query.filter = try Filter(parsing: "s ~= '[ab]*a[ab]{4000}[cd]'")
        let plan = try SearchPlan(query)
        #expect(plan.cost(of: plan.choose(in: table.view(seq: 1))) == .max)
        #expect(throws: EngineError.timeout) { try plan.run(on: table.view(seq: 1)) }
        #expect(try plan.run(on: before).documents.map(\.id.text) == ["2"])
        // Of a single row it is not known, under a `not` neither.
        query.filter = query.filter.map { .not($0) }
        let other = try SearchPlan(query)
        let (good, bad) = (
            before.document(try EntityID("2")), table.view(seq: 1).document(try EntityID("1"))
        )
        for plan in [plan, other] {
            #expect(try plan.matches(#require(bad), patience: 1_000_000) == nil)
        }
        #expect(try other.matches(#require(good)) == false && plan.matches(#require(good)) == true)
    }

    @Test("Rows that take long together are judged one by one")
    func rowsTogether() throws {
        var table = Table()
        let seed = freshSeed("regex rows")
        var generator = SeededGenerator(seed: seed)
        for id in 1...70 {
            let text = String((0..<2_000).map { _ in generator.pick(["a", "b"]) })
            let end = id == 70 ? "a" + String(repeating: "b", count: 300) + "c" : ""
            _ = table.insert(try document("{\"id\":\(id),\"s\":\"\(text)\(end)\"}"))
        }
        let view = table.view(seq: 1)
        var query = Query(type: try #require(TypeName("t")))
        query.filter = try Filter(parsing: "s ~= '[ab]*a[ab]{300}[cd]'")
        let plan = try SearchPlan(query)
        var rows: [Document] = []
        view.forEach { rows.append($0) }
        var patience = 10_000_000
        let together = try rows[..<64].withUnsafeBufferPointer {
            try #require(plan.evaluator).matches(run: $0, patience: &patience)
        }
        #expect(together == nil)
        #expect(try plan.run(on: view).documents.map(\.id.text) == ["70"])
    }

    @Test("Threads share an expression")
    func threads() throws {
        let regex = try Regex("(a|b)*c\\d{2,5}\\b")
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            for round in 0..<2_000 {
                let isThere = (round + worker) % 3 == 0
                let text = Array("\(round) abba\(isThere ? "c" : "d")\(worker)\(worker) é".utf8)
                if text.withUnsafeBytes({ regex.matches($0) }) != isThere {
                    wrong.add(1, ordering: .relaxed)
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }
}
