/// The help texts, made from the command table.
enum Help {
    static func overview() -> String {
        var text = """
            Freshet keeps entities, answers searches over HTTP and streams what changes.

            usage: freshet COMMAND [arguments]

            examples:
              freshet serve
              freshet import package packages.ndjson
              curl 'http://127.0.0.1:8080/v1/package?limit=3'

            commands:

            """
        let width = Command.all.map(\.name.count).max() ?? 0
        for command in Command.all {
            text += "  \(padded(command.name, width))  \(command.summary)\n"
        }
        return text + """

            flags of all commands that ask a server, also in front of the command:

            """ + list(Command.shared) + """

                "freshet COMMAND --help" tells more; --version prints the version.
                Exit status: 0 done, 1 failed, 2 wrong use or configuration, 3 server not reachable.

                """
    }

    static func page(of command: Command) -> String {
        var usage = "freshet \(command.name)"
        if !command.options.isEmpty { usage += " [flags]" }
        if !command.arguments.isEmpty { usage += " \(command.arguments)" }
        var text = "\(command.summary)\n\nusage: \(usage)\n\nexamples:\n"
        for example in command.examples { text += "  \(example)\n" }
        text += "\nflags:\n" + list(command.options.filter { !$0.isLimit })
        let limits = command.options.filter(\.isLimit)
        if !limits.isEmpty { text += "\nlimits:\n" + list(limits) }
        return text + "\nA variable in brackets stands in for its flag; the flag wins.\n"
    }

    /// Two lines a flag.
    private static func list(_ options: [Option]) -> String {
        options.reduce(into: "") { text, option in
            let form = "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
            text += "  \(form)\n      \(option.help)"
            text += option.environment.map { " [\($0)]\n" } ?? "\n"
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
