import Testing

/// Rules that hold line by line.
enum SourceRules {
    /// `async` as an effect and `await` in a hot folder; a method named `async` of a queue is none.
    static func concurrency(in file: SourceTree.File) -> [String] {
        numbered(file) { line in
            line.contains(/(^|[^.\w])async\b/) || line.contains(/\bawait\b/)
        }.map { "\(file.path):\($0) uses async or await" }
    }

    /// Unsafe claims without a comment that says `SAFETY:` directly above. A declaration that spans
    /// lines has the comment above its first one.
    static func unprovenClaims(in file: SourceTree.File) -> [String] {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
        return numbered(file) { line in
            line.contains(/@unchecked\s+Sendable/) || line.contains(/nonisolated\(unsafe\)/)
        }.filter { number in
            var above = number - 2
            while above >= 0, number - above < 6, !lines[above].isEmpty,
                !lines[above].hasPrefix("//")
            {
                above -= 1
            }
            while above >= 0, lines[above].hasPrefix("//") {
                if lines[above].contains("SAFETY:") { return false }
                above -= 1
            }
            return true
        }.map { "\(file.path):\($0) makes an unsafe claim without a proof" }
    }

    /// Marks of unfinished work.
    static func unfinished(in file: SourceTree.File) -> [String] {
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
        return file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { _, line in marks.contains { line.contains($0) } }
            .map { "\(file.path):\($0.offset + 1) is marked as unfinished" }
    }

    private static func numbered(
        _ file: SourceTree.File, where isFault: (String) -> Bool
    ) -> [Int] {
        codeLines(of: file.text).enumerated().filter { isFault($0.element) }.map { $0.offset + 1 }
    }
}

@Suite("Source rules")
struct SourceRuleTests {
    @Test("Base, Wire and Data have no async and no await")
    func hotFolders() throws {
        let files = try ["Sources/Base", "Sources/Wire", "Sources/Data"].flatMap {
            try SourceTree.files(under: $0)
        }
        #expect(files.count > 10)
        #expect(files.flatMap(SourceRules.concurrency(in:)) == [])
    }

    @Test("async and await are found, queue.async and words in comments are not")
    func concurrencySample() {
        let text = """
            func bad() async throws {}
            let value = try await bad()
            queue.async { }  // await nothing
            let text = "async"
            """
        let faults = SourceRules.concurrency(in: .init(path: "a", text: text))
        #expect(faults == ["a:1 uses async or await", "a:2 uses async or await"])
    }

    @Test("Every unsafe claim has its proof on the line above")
    func claims() throws {
        let files = try SourceTree.files(under: "Sources")
        #expect(files.flatMap(SourceRules.unprovenClaims(in:)) == [])
    }

    @Test("A claim without a proof is found, one with a proof is not")
    func claimSample() {
        let text = """
            // SAFETY: the lock guards every member.
            final class Good: @unchecked Sendable {}

            /// A box.
            final class Bad: @unchecked Sendable {}
            // SAFETY: written once before the threads start.
            nonisolated(unsafe) var good = 1

            nonisolated(unsafe) var bad = 1
            """
        let faults = SourceRules.unprovenClaims(in: .init(path: "a", text: text))
        #expect(faults.map { $0.prefix(3) } == ["a:5", "a:9"])
    }

    @Test("Nothing is marked as unfinished")
    func unfinished() throws {
        let files = try ["Sources", "Tests", "Docker"].flatMap {
            try SourceTree.files(under: $0, extensions: ["swift", "h", "py", "c", "go", "lua", ""])
        }
        let readme = SourceTree.File(path: "README.md", text: try SourceTree.text("README.md"))
        #expect((files + [readme]).flatMap(SourceRules.unfinished(in:)) == [])
    }

    @Test("A mark of unfinished work is found")
    func unfinishedSample() {
        let sample = SourceTree.File(path: "a", text: "let a = 1\n// TO" + "DO: more\n")
        #expect(SourceRules.unfinished(in: sample) == ["a:2 is marked as unfinished"])
    }

    @Test("Blanking leaves code alone and keeps the lines")
    func blanking() {
        let text = "let a = \"x // y\" // z\n/* one\ntwo */let b = #\"\"\"\nthree\n\"\"\"#\nend"
        #expect(codeLines(of: text) == ["let a =  ", "", "let b = ", "", "", "end"])
    }
}
