import FreshetJSON

/// `freshet completions SHELL`: scripts made from the command table.
enum Completions {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let shell = arguments.positionals[0]
        let script: String
        switch shell {
        case "bash": script = bash
        case "zsh": script = zsh
        case "fish": script = fish
        default:
            throw .usage("there are completions for bash, zsh and fish, not for \"\(shell)\"")
        }
        if arguments.has("json") {
            let result: JSONValue = ["shell": .string(shell), "script": .string(script)]
            try Terminal.print(result.text + "\n")
        } else {
            try Terminal.print(script)
        }
        return .done
    }

    private static var names: String { Command.all.map(\.name).joined(separator: " ") }

    private static func words(of command: Command) -> String {
        (command.words + command.options.map { "--\($0.name)" } + ["--help"])
            .joined(separator: " ")
    }

    static var bash: String {
        var cases = ""
        for command in Command.all {
            cases += "    \(command.name)) words=\"\(words(of: command))\" ;;\n"
        }
        return """
            _freshet() {
              local current="${COMP_WORDS[COMP_CWORD]}" words
              if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY=($(compgen -W "\(names) --help --version" -- "$current"))
                return
              fi
              case "${COMP_WORDS[1]}" in
            \(cases)    *) words="" ;;
              esac
              COMPREPLY=($(compgen -W "$words" -- "$current"))
            }
            complete -o default -F _freshet freshet

            """
    }

    static var zsh: String {
        var commands = ""
        var cases = ""
        for command in Command.all {
            commands += "    '\(command.name):\(quoted(command.summary))'\n"
            cases += "      \(command.name)) compadd -- \(words(of: command)) ;;\n"
        }
        return """
            #compdef freshet
            _freshet() {
              local -a commands
              commands=(
            \(commands)  )
              if (( CURRENT == 2 )); then
                _describe command commands
              else
                case "$words[2]" in
            \(cases)    esac
                _files
              fi
            }
            compdef _freshet freshet

            """
    }

    static var fish: String {
        var text = ""
        for command in Command.all {
            text +=
                "complete -c freshet -n __fish_use_subcommand -a \(command.name)"
                + " -d '\(quoted(command.summary))'\n"
            let isSeen = "-n '__fish_seen_subcommand_from \(command.name)'"
            if !command.words.isEmpty {
                text +=
                    "complete -c freshet \(isSeen) -a '\(command.words.joined(separator: " "))'\n"
            }
            for option in command.options {
                text += "complete -c freshet \(isSeen) -l \(option.name)"
                if option.placeholder != nil { text += option.isPath ? " -r -F" : " -r" }
                if !option.words.isEmpty {
                    text += " -a '\(option.words.joined(separator: " "))'"
                }
                text += " -d '\(quoted(option.help))'\n"
            }
        }
        return text
    }

    /// Safe between single quotes.
    private static func quoted(_ text: String) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "’")
    }
}
