import Testing

/// Rules that hold line by line.
enum SourceRules {
    /// `async` as an effect and `await` in a hot folder; a method named `async` of a queue is none.
    static func concurrency(in file: SourceTree.File) -> [String] {
        numbered(file) { line in
            // Most lines have neither word, and an expression is tried slowly in a debug build.
            (line.contains("async") && line.contains(/(^|[^.\w])async\b/))
                || (line.contains("await") && line.contains(/\bawait\b/))
        }.map { "\(file.path):\($0) uses async or await" }
    }

    /// Unsafe claims without a comment that says `SAFETY:` directly above. A declaration that spans
    /// lines has the comment above its first one.
    static func unprovenClaims(in file: SourceTree.File) -> [String] {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
        return numbered(file) { line in
            (line.contains("@unchecked") && line.contains(/@unchecked\s+Sendable/))
                || line.contains("nonisolated(unsafe)")
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

    /// Comments that begin without their noun, so that a reader has to look for it above: "The same,
    /// but sorted", "Of these the last".
    static func nounless(in file: SourceTree.File) -> [String] {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
        return lines.indices.filter { index in
            guard lines[index].hasPrefix("//"), index == 0 || !lines[index - 1].hasPrefix("//")
            else { return false }
            let text = lines[index].drop { $0 == "/" || $0 == " " }
            return ["The same", "Of ", "Those ", "That of ", "These ", "As `", "As above"]
                .contains { text.hasPrefix($0) }
        }.map { "\(file.path):\($0 + 1) begins without a noun" }
    }

    /// The pages of the contract, which stand beside the repository.
    static let contract: Set<String> = [
        "architecture.md", "changes.md", "cli.md", "console.md", "http-api.md", "live.md",
        "operations.md", "outgoing.md", "replication.md", "robustness.md", "storage.md",
    ]

    /// Files named in comments that are none of `paths`, by their whole path or the end of it. A
    /// path that begins with a slash is an address of the server; headers (.h) may be the system's.
    static func deadNames(in file: SourceTree.File, paths: [String]) -> [String] {
        let isScript = !["swift", "c", "h", "js", "go"].contains {
            file.path.hasSuffix("." + $0)
        }
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { number, line -> [String] in
            guard line.contains(isScript ? "#" : "//") || line.contains("* "),
                let comment = isScript
                    ? line.firstMatch(of: /(?:^|\s)#[^!].*/)?.output
                    : line.firstMatch(of: /(?:^|\s)(?:\/\/|\/?\*\s).*/)?.output
            else { return [] }
            return comment.matches(of: /[A-Za-z0-9_+.\/-]*\w\.(?:swift|py|md|c|js|html)\b/)
                .map { "\($0.output)" }
                .filter { name in
                    !name.hasPrefix("/") && !contract.contains(name)
                        && !paths.contains { $0 == name || $0.hasSuffix("/" + name) }
                }
                .map { "\(file.path):\(number + 1) names \($0), which does not exist" }
        }
    }

    /// Assertions and lines of code. A `preconditionFailure` says what cannot be otherwise, too.
    static func assertions(in files: [SourceTree.File]) -> (count: Int, lines: Int) {
        let lines = files.flatMap { codeLines(of: $0.text) }.filter {
            $0.contains { !$0.isWhitespace }
        }
        let count = lines.reduce(0) { count, line in
            line.contains("precondition") || line.contains("assert")
                ? count + line.matches(of: /\b(precondition|assert)(Failure|ionFailure)?\(/).count
                : count
        }
        return (count, lines.count)
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

    @Test("What orders threads is code that the thread sanitizer sees: LazyReference, of Base")
    func lazyReferences() throws {
        let files = try SourceTree.files(under: "Sources")
        #expect(files.filter { $0.text.contains("AtomicLazyReference<") }.map(\.path) == [])
    }

    @Test("Whoever waits for a value waits for a promise")
    func continuations() throws {
        let files = try SourceTree.files(under: "Sources")
        #expect(
            files.filter { $0.text.contains("withCheckedContinuation") }.map(\.path) == [
                "Sources/Policy/Refresh/Promise.swift"
            ])
    }

    @Test("Nothing is marked as unfinished")
    func unfinished() throws {
        let files = try ["Sources", "Tests", "Docker"].flatMap {
            try SourceTree.files(under: $0, extensions: ["swift", "h", "py", "c", "go", "lua", ""])
        }
        let documents =
            try SourceTree.files(under: "Sources", extensions: ["md"])
            + [SourceTree.File(path: "README.md", text: try SourceTree.text("README.md"))]
        #expect((files + documents).flatMap(SourceRules.unfinished(in:)) == [])
    }

    @Test(
        "A comment begins with its noun",
        arguments: ["Sources/Policy", "Sources/Apps"])
    func nouns(_ folder: String) throws {
        let files = try SourceTree.files(under: folder)
        #expect(files.count > 10)
        #expect(files.flatMap(SourceRules.nounless(in:)) == [])
    }

    @Test("A comment without its noun is found, and a line in its middle is not")
    func missingNoun() {
        let text = """
            /// The same, sorted.
            let a = 1
            /// A list of lists
            /// Of these.
            let b = 2
                // Of the last only its name.
            let c = 3  // The same.
            """
        #expect(
            SourceRules.nounless(in: .init(path: "a.swift", text: text)) == [
                "a.swift:1 begins without a noun", "a.swift:6 begins without a noun",
            ])
    }

    @Test("A mark of unfinished work is found")
    func unfinishedSample() {
        let sample = SourceTree.File(path: "a", text: "let a = 1\n// TO" + "DO: more\n")
        #expect(SourceRules.unfinished(in: sample) == ["a:2 is marked as unfinished"])
    }

    @Test(
        "What must hold is asserted: three times in 1,000 lines",
        arguments: ["Sources/Data/Store", "Sources/Data/Live", "Sources/Policy/Refresh"])
    func assertions(_ folder: String) throws {
        let (count, lines) = SourceRules.assertions(in: try SourceTree.files(under: folder))
        #expect(lines > 1_000)
        #expect(count * 1_000 >= 3 * lines, "\(count) assertions in \(lines) lines")
    }

    @Test("Assertions are counted, and not what comments and names say of them")
    func assertionSample() {
        let text = """
            // assert(this)
            precondition(a == b, "precondition(c)")

            assertionFailure(); preconditionFailure("x")
            let preconditions = assert
            assert(
                a)
            """
        let found = SourceRules.assertions(in: [.init(path: "a", text: text)])
        #expect(found == (4, 5))
    }

    @Test("Every file that a comment names exists")
    func namedFiles() throws {
        let kinds: Set<String> = ["swift", "py", "md", "c", "h", "js", "html", "go", "lua", ""]
        let files = try ["Sources", "Tests", "Docker", "OpenAPI"].flatMap {
            try SourceTree.files(under: $0, extensions: kinds)
        }
        let paths = files.map(\.path) + ["Package.swift", "README.md"]
        // The house's own samples name files that do not exist.
        let read = files.filter { !$0.path.hasPrefix("Tests/House/") }
        #expect(read.flatMap { SourceRules.deadNames(in: $0, paths: paths) } == [])
    }

    @Test("A comment's file that does not exist is found, in each kind of comment")
    func namedFileSample() {
        let code = """
            /// See Here.swift and Sources/Here.swift, live.md, and /live.js of the server.
            let a = 1  // Gone.swift tells.
             * Gone.c
            let b = "Gone.js"
            #include <gone.h>
            """
        let script = """
            # Tests/gone.py
            import gone.py
            """
        let faults = [("a.c", code), ("a", script)].flatMap {
            SourceRules.deadNames(in: .init(path: $0, text: $1), paths: ["Sources/Here.swift"])
        }
        #expect(
            faults.map { $0.split(separator: ",")[0] } == [
                "a.c:2 names Gone.swift", "a.c:3 names Gone.c", "a:1 names Tests/gone.py",
            ])
    }

    @Test("Blanking leaves code alone and keeps the lines")
    func blanking() {
        let text = "let a = \"x // y\" // z\n/* one\ntwo */let b = #\"\"\"\nthree\n\"\"\"#\nend"
        #expect(codeLines(of: text) == ["let a =  ", "", "let b = ", "", "", "end"])
    }
}
