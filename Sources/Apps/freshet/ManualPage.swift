import FreshetConfig
import FreshetJSON
import FreshetServer

/// `freshet man`: the manual page in man(7), made of what help is made of.
enum ManualPage {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        if arguments.has("json") {
            let result: JSONValue = ["name": "freshet.1", "page": .string(text)]
            try Terminal.print(result.text + "\n")
        } else {
            try Terminal.print(text)
        }
        return .done
    }

    static var text: String {
        var page = """
            .TH FRESHET 1 "" "freshet \(Program.version)" "User Commands"
            .SH NAME
            freshet \\- store JSON, query it with a URL, and watch the answer change
            .SH SYNOPSIS
            .B freshet
            .I COMMAND
            .RI [ flags ]
            .RI [ arguments ]
            .SH DESCRIPTION
            Freshet keeps entities, which are JSON documents with an id, answers searches over HTTP and
            streams what changes. One program is the server and its client.
            .SH EXAMPLES

            """
        page += examples(["freshet serve", "curl 'http://127.0.0.1:8080/v1/package?limit=3'"])
        page += ".SH COMMANDS\n"
        for command in Command.all {
            let own = command.options.filter { option in
                !command.asksServer || !Command.shared.contains { $0.name == option.name }
            }
            page += ".SS freshet \(escaped(command.name)) \(escaped(command.arguments))\n"
            page += line("\(command.summary.prefix(1).uppercased())\(command.summary.dropFirst()).")
            page += examples(command.examples)
            // The flags of `serve` stand once.
            let isServe = command.name == "serve"
            let known = Set(Setting.all.map(\.flag))
            let listed = own.filter { (isServe || !known.contains($0.name)) && !$0.isLimit }
            page += flags(listed)
            if !isServe, own.contains(where: { $0.isLimit }) {
                page += ".PP\n" + line("It takes the flags of serve, too.")
            }
        }
        page +=
            ".SH FLAGS OF COMMANDS THAT ASK A SERVER\nThey may stand in front of the command, too.\n"
        page += flags(Command.shared)
        page += ".SH LIMITS\nFlags of\n.BR \"freshet serve\" .\n"
        page += flags(Command.named("serve")?.options.filter(\.isLimit) ?? [])
        return page + """
            .SH EXIT STATUS
            0 done, 1 failed, 2 wrong use or configuration, 3 server not reachable.
            .SH ENVIRONMENT
            A variable in brackets stands in for its flag; the flag wins, and the configuration file comes
            behind both.
            .TP
            .B FRESHET_TOKEN
            The token to show a server.
            .TP
            .B NO_COLOR
            No colours on a terminal.
            .SH SIGNALS
            SIGTERM and SIGINT stop the server, a second one at once. SIGHUP reads configuration and tokens
            anew.
            .SH SEE ALSO
            The server has its documentation under
            .IR /docs .

            """
    }

    private static func flags(_ options: [Option]) -> String {
        options.reduce(into: "") { text, option in
            text += ".TP\n\\fB\\-\\-\(escaped(option.name))\\fR"
            if let placeholder = option.placeholder { text += " \\fI\(escaped(placeholder))\\fR" }
            text += "\n" + line(option.help + (option.environment.map { " [\($0)]" } ?? ""))
        }
    }

    private static func examples(_ lines: [String]) -> String {
        ".PP\n.RS 4\n.nf\n" + lines.map(line).joined() + ".fi\n.RE\n"
    }

    /// A line of text, whatever it begins with.
    private static func line(_ text: String) -> String {
        let isRequest = text.hasPrefix(".") || text.hasPrefix("'")
        return (isRequest ? "\\&" : "") + escaped(text) + "\n"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            default: result.append(character)
            }
        }
    }
}
