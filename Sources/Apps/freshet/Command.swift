import FreshetBase
import FreshetConfig
import FreshetServer

/// A flag of one command. Those of `serve` and `check` are made from the table of settings.
struct Option {
    /// The flag without dashes.
    let name: String
    /// What help shows for the value; nil for a flag without one.
    let placeholder: String?
    let help: String
    /// Whether the flag may be repeated.
    let isList: Bool
    /// Words that the value can be, for completion.
    let words: [String]
    /// Whether completion offers file names.
    let isPath: Bool
    /// The variable that stands in for the flag; nil for those that ask for an action.
    let environment: String?

    /// Whether it is one of the many limits, which help shows behind all else.
    var isLimit: Bool { name.hasPrefix("limit-") }

    init(
        _ name: String, _ placeholder: String? = nil, _ help: String, isList: Bool = false,
        words: [String] = [], isPath: Bool = false, hasVariable: Bool = true
    ) {
        self.name = name
        self.placeholder = placeholder
        self.help = help
        self.isList = isList
        self.words = words
        self.isPath = isPath
        environment = hasVariable ? Setting.environment(ofFlag: name) : nil
    }

    init(_ setting: Setting) {
        var words: [String] = []
        if case .words(let all) = setting.form { words = all }
        self.init(
            setting.flag, setting.takesValue ? setting.placeholder : nil,
            setting.help + Self.note(on: setting), isList: setting.isList, words: words,
            isPath: setting.key == .data)
    }

    private static func note(on setting: Setting) -> String {
        switch setting.standard {
        case .flag, .list, .text(""): ""
        default: " (default \(setting.text(of: setting.standard)))"
        }
    }
}

/// One command of the program: everything that help, completion and parsing need to know of it.
struct Command {
    let name: String
    let summary: String
    /// What stands behind the command's name in the usage line.
    let arguments: String
    let positionals: ClosedRange<Int>
    let options: [Option]
    /// Lines that work as they stand.
    let examples: [String]
    /// Words that the first argument can be, for completion.
    let words: [String]
    let run: @Sendable (ParsedArguments) throws(CommandFailure) -> Exit

    init(
        _ name: String, _ summary: String, arguments: String = "",
        positionals: ClosedRange<Int> = 0...0, options: [Option] = [], examples: [String],
        words: [String] = [],
        run: @escaping @Sendable (ParsedArguments) throws(CommandFailure) -> Exit
    ) {
        self.name = name
        self.summary = summary
        self.arguments = arguments
        self.positionals = positionals
        self.options = options + [Self.json]
        self.examples = examples
        self.words = words
        self.run = run
    }

    static func named(_ name: String) -> Command? {
        all.first { $0.name == name }
    }

    /// Says on standard error which variables look like one of the program's and are none: for
    /// commands without a configuration those that are near to one, since what is meant for a
    /// server's configuration may stand beside them.
    func warnOfVariables() {
        guard !options.contains(where: { $0.name == "config" }) else { return }
        for warning in UnknownVariables.warnings(Environment.all, known: Self.variables)
        where warning.isNear {
            Terminal.complain(warning.sentence)
        }
    }

    /// Flags that may stand in front of the command, too: those of all commands that ask a server.
    static let shared = connection + [json]

    /// How it is called.
    var form: String { "freshet \(name)" + (arguments.isEmpty ? "" : " \(arguments)") }

    /// Whether it asks a running server.
    var asksServer: Bool { options.contains { $0.name == Self.server.name } }

    /// The variables that some command reads.
    static var variables: Set<String> {
        Set(all.flatMap { $0.options.compactMap(\.environment) }).union(["FRESHET_TOKEN"])
    }

    static func unknown(_ name: String) -> String {
        if let near = NearestWord.of(name, among: all.map(\.name)) {
            return "there is no command \"\(name)\"; did you mean \"freshet \(near)\"?"
        }
        return "there is no command \"\(name)\"; \"freshet --help\" lists the commands"
    }
}

extension Command {
    private static let config = Option(
        "config", "FILE", "configuration file (JSON)", isPath: true)
    private static let server = Option(
        "server", "URL",
        "the running server: http://, https:// or unix:/PATH (default http://127.0.0.1:8080)")
    /// The flag of every command.
    private static let json = Option(
        "json", nil, "answer as JSON, also on a terminal", hasVariable: false)
    private static let dataDirectory = Option(
        "data", "DIR", "the data directory (default ./freshet-data)", isPath: true)
    private static let network = Option(
        "allow-network-fs", nil, "accept a directory on NFS, SMB or the like", hasVariable: false)
    private static let timeout = Option(
        "timeout", "TIME",
        "longest wait for an answer; for streams and long results, for each part (default 60s, of "
            + "watch 70s)")
    private static let authorities = Option(
        "cacert", "FILE", "authorities to trust for https in place of the system's, PEM",
        isPath: true)
    private static let tokenFile = Option(
        "token-file", "FILE", "file of the token to show (default: the token in FRESHET_TOKEN)",
        isPath: true)
    private static let curl = Option(
        "curl", nil, "print the requests as curl commands in place of sending them",
        hasVariable: false)
    /// The flags of every command that asks a server.
    private static let reach = [server, timeout, authorities, tokenFile]
    /// The flags of commands whose requests can be shown before they are sent.
    private static let connection = reach + [curl]
    private static let settings = Setting.all.map { Option($0) }

    /// All commands in the order of help.
    static let all: [Command] = [
        Command(
            "serve", "run the server",
            options: [config] + settings + [
                Option(
                    "probe", nil,
                    "ask the server on the configured address: exit 0 ready, 1 not ready, 3 not"
                        + " reachable", hasVariable: false)
            ],
            examples: [
                "freshet serve",
                "freshet serve --listen 127.0.0.1:9000 --data ./data --log-format json",
            ],
            run: ServeCommand.run),
        Command(
            "demo", "run a server in memory with sample data that changes",
            options: [
                Option(
                    "listen", "HOST:PORT",
                    "address of loopback (default 127.0.0.1:8080, or a free port where that is taken)",
                    hasVariable: false),
                Option(
                    "pace", "TIME", "from one change to the next (default 500ms)",
                    hasVariable: false),
            ],
            examples: ["freshet demo", "freshet demo --listen 127.0.0.1:0 --pace 100ms"],
            run: DemoCommand.run),
        Command(
            "doctor",
            "look for what keeps a server from working: ports, disk, limits, clock, configuration, proxy",
            options: [config] + reach + settings,
            examples: [
                "freshet doctor --config /etc/freshet.json",
                "freshet doctor --server https://db.example.org",
            ],
            run: DoctorCommand.run),
        Command(
            "check", "check a configuration, and with --data what is stored, without starting",
            options: [
                config,
                Option(
                    "effective", nil, "show every setting with its value and where it came from",
                    hasVariable: false),
                Option(
                    "print-schema", nil, "print the JSON Schema of the configuration file",
                    hasVariable: false),
            ] + settings,
            examples: [
                "freshet check --config freshet.json", "freshet check --effective",
                "freshet check --config freshet.json --data ./freshet-data",
            ],
            run: CheckCommand.run),
        Command(
            "get", "get one entity", arguments: "TYPE ID", positionals: 2...2,
            options: connection, examples: ["freshet get package bash"],
            run: EntityCommands.get),
        Command(
            "search", "search a type", arguments: "TYPE", positionals: 1...1,
            options: SearchOptions.all + connection,
            examples: [
                "freshet search package --filter 'section == \"admin\"' --order -size --limit 5",
                "freshet search package --limit 5 --curl",
            ],
            run: EntityCommands.search),
        Command(
            "set", "create or replace an entity; JSON on standard input, with its id or a new one",
            arguments: "TYPE [ID]",
            positionals: 1...2, options: connection,
            examples: ["echo '{\"title\":\"write\"}' | freshet set task 1"],
            run: EntityCommands.set),
        Command(
            "remove", "remove entities", arguments: "TYPE ID...", positionals: 2...10_000,
            options: connection, examples: ["freshet remove task 1 2 3"],
            run: EntityCommands.remove),
        Command(
            "watch", "follow a live query: redraws on a terminal, a line an event elsewhere",
            arguments: "TYPE [ID]", positionals: 1...2,
            options: SearchOptions.all + connection,
            examples: [
                "freshet watch task --filter 'done == false' --order -priority",
                "freshet watch task 7 | jq .data.put",
            ],
            run: WatchCommand.run),
        Command(
            "status", "how a server is: whether it is ready, what it holds, who is connected",
            options: connection, examples: ["freshet status", "freshet status --json | jq .ready"],
            run: StatusCommand.run),
        Command(
            "ops", "list operations, show one, or run, cancel, invalidate or reset it",
            arguments: "[run|cancel|invalidate|reset] [ID]", positionals: 0...2,
            options: connection,
            examples: ["freshet ops", "freshet ops todos", "freshet ops run todos"],
            words: OperationsCommand.actions, run: OperationsCommand.run),
        Command(
            "cluster", "the servers over one log: show them, change who leads, begin a log",
            arguments: "status|step-down|init|recover", positionals: 1...1,
            options: [
                Option("to", "NAME", "the server that is to lead (step-down)", hasVariable: false),
                dataDirectory,
                Option("cluster-log", "URL", "the log that is to be made (init, recover)"), config,
            ] + connection,
            examples: [
                "freshet cluster status", "freshet cluster step-down --to b",
                "freshet cluster init --cluster-log etcd://h1,h2,h3/freshet --data ./freshet-data",
                "freshet cluster recover --cluster-log etcd://h1,h2,h3/freshet --data ./freshet-data",
            ],
            words: ClusterCommand.actions, run: ClusterCommand.run),
        Command(
            "conditions", "list conditions, show one, or set it", arguments: "[NAME [true|false]]",
            positionals: 0...2,
            options: [
                Option(
                    "ttl", "TIME", "set it for so long; then it has its initial value again",
                    hasVariable: false)
            ] + connection,
            examples: [
                "freshet conditions", "freshet conditions maintenance true --ttl 10m",
            ],
            run: ConditionsCommand.run),
        Command(
            "import", "send entities of a file, NDJSON or one JSON array, to a server",
            arguments: "[TYPE] FILE|-", positionals: 1...2,
            options: connection + [
                Option(
                    "verbatim", nil,
                    "store what was exported as it is, whatever its declaration"
                        + " says now", hasVariable: false)
            ],
            examples: [
                "freshet import package packages.ndjson",
                "zcat packages.ndjson.gz | freshet import package -",
                "freshet import everything.ndjson",
                "freshet import --verbatim everything.ndjson",
            ],
            run: ImportCommand.run),
        Command(
            "export", "write entities of a server as NDJSON to standard output",
            arguments: "[TYPE]", positionals: 0...1, options: connection,
            examples: [
                "freshet export > everything.ndjson", "freshet export package > packages.ndjson",
            ],
            run: ExportCommand.run),
        Command(
            "verify", "read every record of a data directory, or of a backup, and report damage",
            arguments: "[FILE]", positionals: 0...1, options: [dataDirectory],
            examples: ["freshet verify --data ./freshet-data", "freshet verify freshet.backup"],
            run: VerifyCommand.run),
        Command(
            "compact", "write a snapshot of a data directory, and delete the log before it",
            options: [
                dataDirectory,
                Option(
                    "retain", "N", "generations to keep, 1 or 2 (default 2)", hasVariable: false),
                network,
            ],
            examples: [
                "freshet compact --data ./freshet-data",
                "freshet compact --data ./freshet-data --retain 1",
            ],
            run: CompactCommand.run),
        Command(
            "backup", "write a consistent copy of a running server, verified and synced",
            arguments: "FILE|-", positionals: 1...1,
            options: [
                Option("force", nil, "replace a FILE that is there", hasVariable: false)
            ] + connection,
            examples: [
                "freshet backup freshet.backup", "freshet backup - | zstd > freshet.backup.zst",
                "freshet backup --server http://127.0.0.1:9000 /backups/monday.backup",
            ],
            run: BackupCommand.run),
        Command(
            "restore", "make a data directory from a backup, or from another as it was",
            arguments: "FILE|DIR", positionals: 1...1,
            options: [
                Option("data", "DIR", "the data directory to make", isPath: true),
                Option(
                    "to-seq", "SEQ", "up to this commit (default: everything)", hasVariable: false),
                Option(
                    "to-time", "TIME", "up to this time, as 2026-07-01T12:00:00Z",
                    hasVariable: false), network,
            ],
            examples: [
                "freshet restore freshet.backup --data ./restored",
                "freshet restore ./freshet-data --data ./before --to-seq 1041",
            ],
            run: RestoreCommand.run),
        Command(
            "checkpoint", "make a second data directory at once, of hard links; a server may run",
            arguments: "TARGET", positionals: 1...1, options: [dataDirectory, network],
            examples: ["freshet checkpoint --data ./freshet-data ./before-the-upgrade"],
            run: CheckpointCommand.run),
        Command(
            "salvage", "take what a damaged data directory proves into a new one",
            arguments: "TARGET", positionals: 1...1, options: [dataDirectory, network],
            examples: ["freshet salvage --data ./freshet-data ./salvaged"],
            run: SalvageCommand.run),
        Command(
            "token", "make a token with the configuration's line for it, or check one",
            arguments: "new [NAME] | check", positionals: 1...2,
            options: [
                Option("name", "NAME", "what the log calls its bearer (new)", hasVariable: false),
                Option(
                    "config", "FILE", "judge by this configuration in place of a server (check)",
                    isPath: true, hasVariable: false),
            ] + connection,
            examples: [
                "freshet token new ci", "freshet token check --token-file ./token",
                "freshet token check --config freshet.json < token",
            ], words: ["new", "check"],
            run: TokenCommand.run),
        Command(
            "service-unit", "print a systemd unit that runs the server with these flags",
            options: [
                Option(
                    "socket", nil,
                    "print the .socket unit in place of the .service: it keeps the port over restarts",
                    hasVariable: false), config,
            ] + settings,
            examples: [
                "freshet service-unit --config /etc/freshet.json > /etc/systemd/system/freshet.service",
                "freshet service-unit --socket > /etc/systemd/system/freshet.socket",
            ],
            run: ServiceUnit.run),
        Command(
            "man", "print the manual page",
            examples: [
                "freshet man | man -l -", "freshet man > /usr/local/share/man/man1/freshet.1",
            ],
            run: ManualPage.run),
        Command(
            "completions", "print shell completions, which ask the server for types",
            arguments: "bash|zsh|fish|types", positionals: 1...1, options: connection,
            examples: [
                "source <(freshet completions bash)",
                "freshet completions fish > ~/.config/fish/completions/freshet.fish",
            ],
            words: ["bash", "zsh", "fish", "types"], run: Completions.run),
    ]
}
