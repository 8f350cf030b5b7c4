import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetEngine

@Suite struct FilterTraceTests {
    private func trace(_ filter: String, _ json: String) throws -> FilterTrace {
        try FilterTrace(try Filter(parsing: filter), of: try document(json))
    }

    /// A node on a line: pointer, text, truth, and what it looked at.
    private func lines(_ trace: FilterTrace) -> [String] {
        trace.nodes.map { node in
            var line = "\(node.pointer) \(node.text): \(node.value)"
            if let actual = node.actual { line += ", \(String(decoding: actual, as: UTF8.self))" }
            if node.isAbsent { line += ", absent" }
            if node.isCut { line += ", cut" }
            if let note = node.note { line += " (\(note))" }
            return line
        }
    }

    @Test("Each part is told with its place, its truth and what is there")
    func parts() throws {
        let trace = try trace(
            "done == false and (priority > 2 or !exists(owner)) and !(tags has 'a')",
            #"{"id":7,"done":false,"priority":"3","tags":["a","b"]}"#)
        #expect(!trace.matches)
        #expect(
            lines(trace) == [
                " and: false",
                "/and/0 done == false: true, false",
                "/and/1 or: true",
                #"/and/1/or/0 priority > 2: false, "3" (a string is compared with a number)"#,
                "/and/1/or/1 not: true",
                "/and/1/or/1/not exists(owner): false, absent",
                "/and/2 not: false",
                #"/and/2/not tags has "a": true, ["a","b"]"#,
            ])
    }

    @Test(
        "What is there is told as it is stored, and why its kind does not fit",
        arguments: [
            ("n == 1", #""n":1.0"#, " n == 1: true, 1.0"),
            ("n == 1", #""n":null"#, " n == 1: false, null"),
            ("n != 1", #""n":"1""#, #" n != 1: true, "1" (a string is compared with a number)"#),
            ("n == null", #""n":"1""#, #" n == null: false, "1""#),
            (
                "n in [1, 'a']", #""n":true"#,
                " n in [1,\"a\"]: false, true"
                    + " (a Boolean is compared with a number or a string)"
            ),
            ("n ~= 'a'", #""n":3"#, " n ~= \"a\": false, 3 (a number is not a string)"),
            ("size(n) > 1", #""n":"ab""#, #" size(n) > 1: false, "ab" (a string is not an array)"#),
            ("n", #""n":1"#, " n: false, 1 (a number is not a Boolean)"),
            ("a.b == 1", #""a":{"b":9007199254740993}"#, " a.b == 1: false, 9007199254740993"),
            ("a.b == 1", #""a":[1]"#, " a.b == 1: false, absent"),
            ("isNull(a)", #""b":1"#, " isNull(a): true, absent"),
            ("id == '7'", #""b":1"#, #" id == "7": true, 7"#),
            ("true", #""b":1"#, " true: true"),
        ])
    func tests(filter: String, members: String, line: String) throws {
        #expect(lines(try trace(filter, "{\"id\":7,\(members)}")) == [line])
    }

    @Test("A long value is told by its beginning, whole characters of it")
    func longValues() throws {
        let text = String(repeating: "é", count: 600)
        for (value, beginning) in [
            ("\"\(text)\"", String(repeating: "é", count: 512)),
            ("[\"\(text)\"]", "[\"" + String(repeating: "é", count: 511)),
        ] {
            let node = try trace("exists(x)", "{\"id\":1,\"x\":\(value)}").nodes[0]
            #expect(node.isCut)
            #expect(node.actual == JSONValue.string(beginning).bytes)
        }
        let short = JSONValue.string(String(repeating: "é", count: 511)).text
        let node = try trace("exists(x)", "{\"id\":1,\"x\":\(short)}").nodes[0]
        #expect(!node.isCut && node.actual == Array(short.utf8))
    }

    @Test("What cannot be compiled or judged is an error, not false")
    func failures() throws {
        #expect(throws: EngineError.self) { try trace("x ~= '('", #"{"id":1,"x":"a"}"#) }
        // Each alone is within the limits.
        #expect(throws: EngineError.self) {
            try trace("x ~= 'a{9000}' and y ~= 'b{9000}'", #"{"id":1,"x":"a","y":"b"}"#)
        }
    }

    @Test("The whole is what the evaluator finds, and each node what its part is")
    func model() throws {
        let seed = freshSeed("filter trace")
        var world = FilterWorld(random: SeededGenerator(seed: seed))
        for id in FuzzRounds(2_000) {
            let filter = world.filter()
            let (document, root) = try world.document(id)
            let trace = try FilterTrace(filter, of: document)
            #expect(
                trace.matches == ReferenceFilter.holds(filter, root),
                "seed \(seed): \(filter) of \(root.text)")
            for node in trace.nodes {
                let part = try #require(Self.part(of: filter, node.pointer.tokens[...]))
                #expect(node.value == ReferenceFilter.holds(part, root), "seed \(seed): \(part)")
                guard let (path, _) = part.subject else { continue }
                let there = ReferenceFilter.value(path, root)
                #expect(node.isAbsent == (there == nil), "seed \(seed): \(part)")
                if !node.isCut {
                    #expect(node.actual == there?.bytes, "seed \(seed): \(part) of \(root.text)")
                }
            }
        }
    }

    /// The part of a filter that a pointer into its JSON form leads to.
    private static func part(of filter: Filter, _ tokens: ArraySlice<String>) -> Filter? {
        guard let first = tokens.first else { return filter }
        switch (filter, first) {
        case (.not(let part), "not"): return self.part(of: part, tokens.dropFirst())
        case (.and(let parts), "and"), (.or(let parts), "or"):
            guard let index = tokens.dropFirst().first.flatMap({ Int($0) }),
                parts.indices.contains(index)
            else { return nil }
            return part(of: parts[index], tokens.dropFirst(2))
        default: return nil
        }
    }
}
