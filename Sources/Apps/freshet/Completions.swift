import FreshetJSON
import FreshetQuery

/// `freshet completions SHELL`: scripts made from the command table. Where a type stands they ask the
/// server that the line names, by `freshet completions types`.
enum Completions {
    /// Longest wait of a shell for the names of types.
    private static let patience = Duration.seconds(1)

    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let shell = arguments.positionals[0]
        let script: String
        switch shell {
        case "bash": script = bash
        case "zsh": script = zsh
        case "fish": script = fish
        case "types": return try printTypes(arguments)
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

    /// A name a line.
    private static func printTypes(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let body = try EntityCommands.ask("GET", "/v1", arguments, patience: patience)
        // What is no JSON names no type.
        let types = (try? JSONValue.parse(body))?["types"]?.arrayValue ?? []
        // A shell takes the name of a type for a word and nothing else; another server may say anything.
        let names = types.compactMap { $0["name"]?.stringValue }.filter { TypeName($0) != nil }
        if arguments.has("json") {
            try Terminal.print(JSONValue.array(names.map { .string($0) }).text + "\n")
        } else {
            try Terminal.print(names.map { $0 + "\n" }.joined())
        }
        return .done
    }

    // MARK: What the scripts know

    private static var names: String { Command.all.map(\.name).joined(separator: " ") }

    private static func words(of command: Command) -> String {
        (command.words + command.options.map { "--\($0.name)" } + ["--help"])
            .joined(separator: " ")
    }

    /// Commands whose first argument is a type.
    private static var ofTypes: [String] {
        Command.all.filter { $0.arguments.hasPrefix("TYPE") || $0.arguments.hasPrefix("[TYPE") }
            .map(\.name)
    }

    /// All flags with a value, for scripts that look for the command behind them.
    private static var valued: [String] {
        var seen: Set<String> = []
        return Command.all.flatMap(\.options)
            .filter { $0.placeholder != nil && seen.insert($0.name).inserted }
            .map { "--\($0.name)" }
    }

    /// Flags whose value is one of some words.
    private static var wordy: [(flag: String, words: String)] {
        var seen: Set<String> = []
        return Command.all.flatMap(\.options)
            .filter { !$0.words.isEmpty && seen.insert($0.name).inserted }
            .map { ("--\($0.name)", $0.words.joined(separator: " ")) }
    }

    /// Flags that say which server is asked, and how.
    private static let reach = ["--server", "--cacert", "--token-file"]

    /// Safe between single quotes.
    private static func quoted(_ text: String) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "’")
    }

    // MARK: Scripts

    /// What bash and zsh share: goes through `line`, the words before the cursor, and leaves the
    /// command, how many arguments are behind it, the word before, and how to reach the server.
    ///
    /// - Parameter first: The place of the line's first word: bash counts from 0, zsh from 1.
    private static func walk(first: Int) -> String {
        """
          local command= count=0 previous= place
          local -a reach
          for ((place = \(first + 1); place < LIMIT; place++)); do
            previous="${line[place]}"
            case "$previous" in
              \(reach.joined(separator: "|"))) reach+=("$previous" "${line[place+1]}"); ((place++)) ;;
              \(valued.filter { !reach.contains($0) }.joined(separator: "|"))) ((place++)) ;;
              -*) ;;
              *) if [ -z "$command" ]; then command="$previous"; else ((count++)); fi ;;
            esac
          done
          previous="${line[LIMIT-1]}"
        """.replacing("LIMIT", with: first == 0 ? "line_count" : "CURRENT")
    }

    private static func choices(_ add: (String) -> String) -> String {
        var text = "  case \"$previous\" in\n"
        for (flag, words) in wordy { text += "    \(flag)) \(add(words)); return ;;\n" }
        text += "    \(valued.joined(separator: "|"))) return ;;\n  esac\n"
        text +=
            "  case \"$command\" in\n    \"\") \(add("\(names) --server --help --version")) ;;\n"
        for command in Command.all {
            text += "    \(command.name)) \(add(words(of: command))) ;;\n"
        }
        return text + "  esac\n"
    }

    private static var ask: String {
        "freshet completions types \"${reach[@]}\" 2>/dev/null"
    }

    static var bash: String {
        // The line itself, since bash takes an address at its colons apart.
        """
        _freshet() {
          local current="${COMP_WORDS[COMP_CWORD]}" line_count name
          local -a line
          read -ra line <<< "${COMP_LINE:0:COMP_POINT}"
          line_count=${#line[@]}
          case "${COMP_LINE:0:COMP_POINT}" in
            *[[:space:]]) ;;
            *) ((line_count--)) ;;
          esac
        \(walk(first: 0))
        \(choices { "COMPREPLY=($(compgen -W \"\($0)\" -- \"$current\"))" })\
          case "$command" in
            \(ofTypes.joined(separator: "|")))
              if [ "$count" -eq 0 ]; then
                # A server's words are no text of the shell's.
                while IFS= read -r name; do
                  [[ $name == "$current"* ]] && COMPREPLY+=("$name")
                done < <(\(ask))
              fi ;;
          esac
        }
        complete -o default -F _freshet freshet

        """
    }

    static var zsh: String {
        var commands = ""
        for command in Command.all {
            commands += "    '\(command.name):\(quoted(command.summary))'\n"
        }
        return """
            #compdef freshet
            _freshet() {
              local -a line
                          line=("${words[@]}")
            \(walk(first: 1))
              if [ -z "$command" ]; then
                local -a commands
                commands=(
            \(commands)    )
                _describe command commands
              fi
            \(choices { "compadd -- \($0)" })\
              case "$command" in
                \(ofTypes.joined(separator: "|")))
                  if [ "$count" -eq 0 ]; then compadd -- ${(f)"$(\(ask))"}; fi ;;
              esac
              _files
            }
            compdef _freshet freshet

            """
    }

    static var fish: String {
        var text = """
            function __freshet_reach
                set -l line (commandline -opc)
                for place in (seq (count $line))
                    if contains -- $line[$place] \(reach.joined(separator: " "))
                        echo $line[$place]
                        echo $line[(math $place + 1)]
                    end
                end
            end
            function __freshet_has_no_command
                set -l line (commandline -opc)
                for word in \(names)
                    contains -- $word $line; and return 1
                end
                return 0
            end

            """
        for command in Command.all {
            text +=
                "complete -c freshet -n __freshet_has_no_command -a \(command.name)"
                + " -d '\(quoted(command.summary))'\n"
            let isSeen = "-n '__fish_seen_subcommand_from \(command.name)'"
            if !command.words.isEmpty {
                text +=
                    "complete -c freshet \(isSeen) -a '\(command.words.joined(separator: " "))'\n"
            }
            if ofTypes.contains(command.name) {
                text +=
                    "complete -c freshet \(isSeen)"
                    + " -a '(freshet completions types (__freshet_reach) 2>/dev/null)'\n"
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
}
