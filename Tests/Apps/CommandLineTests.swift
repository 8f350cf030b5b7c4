import FreshetBase
import FreshetJSON
import Testing

@testable import freshet

@Suite("What a terminal is shown")
struct TerminalTextTests {
    @Test("A line feed in a name forges no line, and a sentence keeps its own")
    func lines() {
        #expect(Terminal.line("a\nb\r\u{1B}c") == "a\\nb\\r\\u{1b}c")
        #expect(Terminal.printable("a\n\u{1B}") == "a\n\\u{1b}")
        #expect(TableText.table(of: [["a\nb": 1]], width: 80) == "a\\nb\n1\n")
    }

    @Test(
        "JSON that steers a terminal is shown with escapes, which mean the same",
        arguments: [
            ("{\"t\":\"a\u{9B}2Jb\u{202E}é\u{7F}\"}\n", "{\"t\":\"a\\u009b2Jb\\u202eé\\u007f\"}\n"),
            ("{}\n\tx\u{1B}[31m", "{}\n\tx\\u001b[31m"),
        ])
    func escapes(text: String, shown: String) throws {
        #expect(Terminal.unsteering(text) == shown)
        if text.hasSuffix("}\n") {
            #expect(
                try JSONValue.parse(shown)["t"]?.stringValue
                    == JSONValue.parse(text)["t"]?.stringValue)
        }
    }
}

struct ArgumentCase: Sendable, CustomTestStringConvertible {
    let command: String
    let arguments: [String]
    /// What comes out, or the sentence (its beginning) that is told.
    let flags: [String: [String]]
    let positionals: [String]
    let sentence: String?

    init(
        _ command: String, _ arguments: [String], flags: [String: [String]] = [:],
        positionals: [String] = [], _ sentence: String? = nil
    ) {
        self.command = command
        self.arguments = arguments
        self.flags = flags
        self.positionals = positionals
        self.sentence = sentence
    }

    var testDescription: String { "\(command) \(arguments)" }

    static let all: [ArgumentCase] = [
        .init("serve", []),
        .init("serve", ["--listen", "a:1"], flags: ["listen": ["a:1"]]),
        .init("serve", ["--listen=a:1", "--open"], flags: ["listen": ["a:1"], "open": ["true"]]),
        .init("serve", ["--open=false"], flags: ["open": ["false"]]),
        .init("serve", ["--data="], flags: ["data": [""]]),
        .init("serve", ["--data", "--open"], flags: ["data": ["--open"]]),
        .init(
            "serve", ["--allow-host", "a", "--allow-host=b"], flags: ["allow-host": ["a", "b"]]),
        .init("serve", ["--listen"], "--listen needs a value: --listen HOST:PORT"),
        .init("serve", ["--open", "--open"], "--open stands there twice"),
        .init("serve", ["--lissten", "a"], "freshet serve has no flag --lissten; did you mean"),
        .init(
            "serve", ["--zzzzzz"], "freshet serve has no flag --zzzzzz; \"freshet serve --help\""),
        .init("serve", ["-x"], "freshet serve has no flag -x"),
        .init("serve", ["-p", "9"], "freshet serve has no flag -p; it is --listen HOST:PORT"),
        .init("search", ["a", "--sort=b"], "freshet search has no flag --sort=b; it is --order"),
        .init(
            "get", ["a", "-5"],
            "freshet get has no flag -5; \"freshet get --help\" lists its flags, and what is none but"
                + " begins so stands behind --"),
        .init("get", ["a", "--sort"], "freshet get has no flag --sort; \"freshet get --help\""),
        .init("serve", ["--open=maybe"], "--open is true or false, not \"maybe\""),
        .init("get", ["a", "1", "--json=1"], "--json is true or false, not \"1\""),
        .init(
            "set", ["a", "1", "{}"],
            "the JSON comes on standard input: echo '…' | freshet set a 1"),
        .init("serve", ["here"], "\"here\" is too much; the form is: freshet serve"),
        .init("import", ["-"], positionals: ["-"]),
        .init(
            "import", ["a", "--server", "http://h", "f"], flags: ["server": ["http://h"]],
            positionals: ["a", "f"]),
        .init("import", ["--", "--f"], positionals: ["--f"]),
        .init(
            "import", [],
            "FILE (or - for a pipe) is missing; the form is: freshet import [TYPE] FILE|-"),
        .init("get", [], "TYPE and ID are missing; the form is: freshet get TYPE ID"),
        .init("remove", ["a"], "ID is missing; the form is: freshet remove TYPE ID..."),
        .init("restore", [], "FILE or DIR is missing; the form is: freshet restore FILE|DIR"),
        .init(
            "token", [],
            "a word is missing: new or check; the form is: freshet token new [NAME] | check"),
        .init(
            "get", ["a", ""],
            "argument 2 is empty (a variable of the shell that is not set?); the form is: freshet"
                + " get TYPE ID"),
        .init("get", ["a"], "ID is missing; the form is: freshet get TYPE ID"),
        .init("remove", ["a", "1", "2"], positionals: ["a", "1", "2"]),
        .init(
            "search", ["a", "--filter", "x==1"], flags: ["filter": ["x==1"]], positionals: ["a"]),
    ]
}

@Suite("The command line")
struct CommandLineTests {
    @Test("Arguments are read as people write them", arguments: ArgumentCase.all)
    func arguments(_ item: ArgumentCase) throws {
        let command = try #require(Command.named(item.command))
        do {
            let parsed = try ArgumentParser.parse(item.arguments, for: command)
            #expect(item.sentence == nil)
            #expect(parsed == ParsedArguments(flags: item.flags, positionals: item.positionals))
        } catch {
            #expect(error.exit == .usage)
            #expect(error.sentence.hasPrefix(item.sentence ?? "no fault"), "\(error.sentence)")
        }
    }

    @Test("Help asks for itself anywhere but as a flag's value")
    func help() throws {
        let options = try #require(Command.named("serve")).options
        #expect(ArgumentParser.asksForHelp(["--open", "--help"], options: options))
        #expect(ArgumentParser.asksForHelp(["-h"], options: options))
        #expect(!ArgumentParser.asksForHelp(["--data", "--help"], options: options))
        #expect(ArgumentParser.asksForHelp(["--data=x", "--help"], options: options))
        #expect(!ArgumentParser.asksForHelp(["--", "--help"], options: options))
    }

    @Test("Every command of the contract is there, and its help has an example and every flag")
    func pages() {
        let contract = [
            "serve", "demo", "doctor", "check", "get", "search", "set", "remove", "watch", "status",
            "ops", "cluster",
            "conditions", "import", "export",
            "verify", "compact", "backup", "restore", "checkpoint", "salvage", "token",
            "service-unit", "man", "completions",
        ]
        #expect(Set(Command.all.map(\.name)) == Set(contract))
        let overview = Help.overview()
        for command in Command.all {
            let page = Help.page(of: command)
            #expect(!command.examples.isEmpty)
            for example in command.examples {
                #expect(example.contains("freshet \(command.name)"))
                #expect(page.contains("  \(example)\n"))
            }
            for option in command.options { #expect(page.contains("--\(option.name)")) }
            #expect(Set(command.options.map(\.name)).count == command.options.count)
            #expect(overview.contains("  \(command.name) "))
        }
    }

    @Test("Completions of each shell know every command and flag")
    func completions() {
        for command in Command.all {
            for script in [Completions.bash, Completions.zsh, Completions.fish] {
                #expect(script.contains(command.name))
            }
            for option in command.options {
                #expect(Completions.bash.contains("--\(option.name)"))
                #expect(Completions.zsh.contains("--\(option.name)"))
                #expect(Completions.fish.contains("-l \(option.name)"))
            }
        }
    }

    @Test("Servers are addresses of http and https, or sockets")
    func addresses() throws {
        let address = try ServerAddress("http://[::1]:81/a/")
        #expect(address.origin == "http://[::1]:81" && address.prefix == "/a")
        #expect(address.text == "http://[::1]:81/a")
        #expect(try ServerAddress("h").text == "http://h:80")
        for text in ["localhost", "http://localhost", "localhost/v1", "http://localhost/v1/"] {
            #expect(try ServerAddress(text).text == "http://localhost:8080", "\(text)")
        }
        #expect(try ServerAddress("[::1]").text == "http://[::1]:8080")
        #expect(try ServerAddress("localhost:80").text == "http://localhost:80")
        #expect(try ServerAddress("http://h:9/a/v1").text == "http://h:9/a")
        #expect(try ServerAddress("http://h:9/v1").text == "http://h:9")
        #expect(try ServerAddress("http://h:9/av1").text == "http://h:9/av1")
        #expect(try ServerAddress("http://h:9/").text == "http://h:9")
        #expect(try ServerAddress("https://h/a").text == "https://h:443/a")
        #expect(try ServerAddress("HTTPS://localhost").text == "https://localhost:443")
        let socket = try ServerAddress("unix:/run/f.sock")
        #expect(socket.unixSocket == "/run/f.sock" && socket.text == "unix:/run/f.sock")
        for text in [
            "", "http://", "https://", "unix:f.sock", "http://u@h", "http://h:x", "http://h:99999",
            "http://a b/", "http://h/#", "http://h#", "http://h?a=b", "http://h/#/v1/order",
            "http://::1", "http://[::1", "http://h:80:80", "http://127.0.0.1:+80", "http://[h]",
            "http://[::1]x", "http://h:",
        ] {
            #expect(throws: CommandFailure.self, "\(text)") { try ServerAddress(text) }
        }
        for text in ["http://me:secret@h", "http://me:sec/ret@h"] {
            let failure = #expect(throws: CommandFailure.self) { try ServerAddress(text) }
            #expect(failure?.exit == .usage && failure?.sentence.contains("sec") == false)
        }
        #expect(PercentEncoding.segment("a/b é") == "a%2Fb%20%C3%A9")
        #expect(PercentEncoding.segment("..") == "%2E%2E")
    }

    @Test("A program line ends with the exit status of the contract")
    func exits() {
        #expect(Program.run(arguments: ["--version"]) == .done)
        #expect(Program.run(arguments: ["serve", "--help"]) == .done)
        #expect(Program.run(arguments: ["completions", "bash"]) == .done)
        #expect(Program.run(arguments: ["nothing"]) == .usage)
        #expect(Program.run(arguments: ["help", "nothing"]) == .usage)
        #expect(Program.run(arguments: ["serve", "--nothing"]) == .usage)
        #expect(Program.run(arguments: ["serve", "--listen", "0.0.0.0:0"]) == .usage)
        #expect(Program.run(arguments: ["check", "--data", "/nowhere/data"]) == .failed)
        #expect(Program.run(arguments: ["check", "--config", "/nowhere"]) == .usage)
        #expect(Program.run(arguments: ["backup", "/nowhere/a"]) == .failed)
        #expect(Program.run(arguments: ["restore", "a", "--to-seq", "x"]) == .usage)
        #expect(Program.run(arguments: ["restore", "a", "--to-time", "noon"]) == .usage)
        let before = ["restore", "a", "--to-time", "1969-12-31T23:59:59Z"]
        #expect(Program.run(arguments: before) == .usage)
        for flags in [["--curl"], ["--config", "/nowhere"], ["--cluster-log", "bogus://x"]] {
            #expect(Program.run(arguments: ["cluster", "init"] + flags) == .usage, "\(flags)")
        }
        #expect(Program.run(arguments: ["restore", "/nowhere/a", "--data", "/no/b"]) == .failed)
        #expect(Program.run(arguments: ["salvage", "b", "--data", "/nowhere/a"]) == .failed)
        #expect(Program.run(arguments: ["checkpoint", "b", "--data", "/nowhere/a"]) == .failed)
        #expect(Program.run(arguments: ["import", "/nowhere/f"]) == .failed)
        #expect(
            Program.run(arguments: ["get", "a", "1", "--server", "http://127.0.0.1:1"])
                == .unreachable)
    }
}

@Suite("Import and export")
struct TransferTests {
    /// Has `chunker` cut `text`, which comes in blocks of `step` bytes.
    private func cut(
        _ text: [UInt8], by step: Int, _ chunker: some ImportChunker
    ) throws -> [ImportChunk] {
        var chunker = chunker
        var chunks: [ImportChunk] = []
        for start in stride(from: 0, to: text.count, by: step) {
            let block = Array(text[start..<min(start + step, text.count)])
            var place = 0
            while let chunk = try chunker.next(of: block, from: &place) { chunks.append(chunk) }
            #expect(place == block.count)
        }
        if let chunk = try chunker.finish() { chunks.append(chunk) }
        return chunks
    }

    @Test("Lines are cut into bodies and keep their numbers, however the bytes come")
    func chunks() throws {
        let text = Array("{\"a\":1}\n\n  \r\n{\"b\":2}\r\n{\"c\":3}\n{\"d\":4}".utf8)
        for step in [1, 3, 7, text.count] {
            let chunks = try cut(text, by: step, LineChunker(target: 16))
            #expect(chunks.map(\.lines) == [[1, 4], [5, 6]])
            #expect(
                chunks.map { String(decoding: $0.body, as: UTF8.self) } == [
                    "{\"a\":1}\n{\"b\":2}\n", "{\"c\":3}\n{\"d\":4}\n",
                ])
        }
        #expect(try cut(Array("\n\n".utf8), by: 2, LineChunker()).isEmpty)
    }

    @Test("A line that does not end is refused, and is not kept")
    func longLine() throws {
        let line = Array("{}\n".utf8) + [UInt8](repeating: 0x20, count: 3 << 20)
        for step in [1_000, line.count] {
            let failure = #expect(throws: CommandFailure.self) {
                try cut(line, by: step, LineChunker(longest: 2 << 20))
            }
            #expect(failure?.sentence.hasPrefix("line 2: the line has more than 2 MiB") == true)
        }
        #expect(try cut(line, by: 1_000, LineChunker(longest: 3 << 20)).map(\.lines) == [[1]])
    }

    @Test("An array is cut into lines of one element, however the bytes come")
    func arrays() throws {
        let text = Array("\n[ {\"a\":\"]},\\\"\"} ,\n{\n\"b\":[1,\r\n2]},3\n]\n".utf8)
        for step in [1, 3, text.count] {
            let chunks = try cut(text, by: step, ArrayChunker(target: 1 << 20))
            #expect(chunks.map(\.lines) == [[2, 3, 5]])
            #expect(
                chunks.map { String(decoding: $0.body, as: UTF8.self) } == [
                    "{\"a\":\"]},\\\"\"}\n{ \"b\":[1,  2]}\n3\n"
                ])
        }
        for text in ["[", "[1", "[\"]", "[1,]", "[,1]", "[1,,2]", "[1]2", "x", ""] {
            #expect(throws: CommandFailure.self, "\(text)") {
                try cut(Array(text.utf8), by: 2, ArrayChunker())
            }
        }
    }

    @Test("A refused line is found by the problem's line or pointer")
    func lines() {
        let find = { (errors: String) in
            ImportCommand.line(
                ofProblem: Array("{\"errors\":\(errors)}".utf8), in: [10, 12, 13])
        }
        #expect(find(#"[{"line":2}]"#) == 12)
        #expect(find(#"[{"pointer":"/2/title"}]"#) == 13)
        #expect(find(#"[{"pointer":"/0"}]"#) == 10)
        #expect(find(#"[{"line":4}]"#) == nil)
        #expect(find(#"[{"line":-9223372036854775808}]"#) == nil)
        #expect(find(#"[{"pointer":"/title"}]"#) == nil)
        #expect(find("[]") == nil)
        #expect(ImportCommand.line(ofProblem: Array("no".utf8), in: [1]) == nil)
    }

    @Test("Counts are read from the answer's meta alone")
    func counts() {
        let find = { (text: String) in ImportCommand.counts(ofAnswer: Array(text.utf8)) }
        let counts = find(#"{"items":[{"id":"meta"}],"meta": {"count":3,"changed":1}}"#)
        #expect(counts?.count == 3 && counts?.changed == 1)
        #expect(find("[]") == nil && find("{") == nil && find(#"{"meta":{"count":1}}"#) == nil)
    }

    @Test("An export of one type has the entities alone, however the bytes come")
    func export() {
        let text = Array(
            "{\"type\":\"a\",\"entity\":{\"id\":1}}\n{\"type\":\"a\",\"entity\":{}}\n".utf8)
        for step in [1, 5, text.count] {
            var wrapped = ExportLines(type: nil)
            var bare = ExportLines(type: "a")
            var both: ([UInt8], [UInt8]) = ([], [])
            for start in stride(from: 0, to: text.count, by: step) {
                let part = Array(text[start..<min(start + step, text.count)])
                part.withUnsafeBytes { both.0 += wrapped.take($0) }
                part.withUnsafeBytes { both.1 += bare.take($0) }
            }
            #expect(both.0 == text)
            #expect(String(decoding: both.1, as: UTF8.self) == "{\"id\":1}\n{}\n")
            #expect(wrapped.count == 2 && wrapped.isComplete && bare.isComplete)
        }
        var torn = ExportLines(type: nil)
        Array("{}\n{".utf8).withUnsafeBytes { _ = torn.take($0) }
        #expect(!torn.isComplete)
    }

    @Test("Problems become one sentence, other answers their status")
    func sentences() {
        let body = Array(
            #"{"detail":"d","hint":"h","errors":[{"pointer":"/a","detail":"e"}]}"#.utf8)
        #expect(ServerConnection.sentence(status: 422, body: body) == "d; /a: e (h)")
        #expect(
            ServerConnection.sentence(status: 401, body: body)
                == "d; /a: e (--token-file FILE or FRESHET_TOKEN shows one)")
        #expect(
            ServerConnection.sentence(status: 502, body: Array("<html>".utf8))
                == "the answer has status 502 and does not say why; check --server, and the"
                + " proxy where one stands before it")
    }

    @Test("The bar and the tables are plain text without control characters")
    func shapes() throws {
        #expect(Progress.grouped(63666) == "63,666")
        #expect(Progress.grouped(-100) == "-100")
        #expect(Progress.line("importing", fraction: 2, "1 entity").contains("100 %"))
        let items: [JSONValue] = [["id": 1, "t": "a\u{1B}[2J\nb"], ["id": 2, "u": [1]]]
        let table = TableText.table(of: items, width: 80)
        #expect(table == "id  t             u\n1   a\\u{1b}[2J b  \n2                 [1]\n")
        #expect(TableText.table(of: [], width: 80) == "no items\n")
        #expect(
            TableText.table(of: items, width: 6)
                == "id\n1\n2\n… and t, u (--fields chooses, --json shows all)\n")
        #expect(Progress.size(1023) == "1023 B" && Progress.size(640 << 10) == "640 KiB")
        #expect(Progress.size((12 << 20) + (1 << 19)) == "12.5 MiB")
        #expect(Progress.size(3 << 30) == "3.0 GiB")
        #expect(Progress.size(.max) == "8,589,934,591.9 GiB")
    }

    @Test("A new token is long, new each time, and let in by the digest that is shown beside it")
    func tokens() throws {
        let token = TokenCommand.make()
        #expect(token.hasPrefix("fr_") && token.utf8.count == 46)
        #expect(TokenCommand.make() != token)
        let entry = try JSONValue.parse(Array(TokenCommand.snippet("a\"b", token).utf8))
        #expect(entry["name"]?.stringValue == "a\"b")
        #expect(entry["sha256"]?.stringValue == SHA256Digest(of: token).hexadecimal)
        for arguments in [["old"], ["new", "a", "b"]] {
            let command = try #require(Command.named("token"))
            #expect(throws: CommandFailure.self) {
                try command.run(try ArgumentParser.parse(arguments, for: command))
            }
        }
    }
}
