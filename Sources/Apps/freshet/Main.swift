import Glibc

/// The program: finds the command in the table, parses its arguments, runs it.
@main
struct Main {
    static func main() {
        Terminal.holdStreams()
        // A reader that goes away (`freshet export | head`) is an error of write, not a signal.
        signal(SIGPIPE, SIG_IGN)
        let exit = Program.run(arguments: Array(CommandLine.arguments.dropFirst()))
        // The threads of outgoing HTTP go on to the end: what runs at `exit` would take the TLS
        // library from under them.
        fflush(nil)
        _exit(exit.rawValue)
    }
}

/// What the program's exit status says.
enum Exit: CInt, Error {
    case done = 0
    case failed = 1
    /// Wrong use, or a faulty configuration.
    case usage = 2
    case unreachable = 3
}

/// Why a command ends without success: one plain sentence that says what to do.
struct CommandFailure: Error, Equatable {
    let exit: Exit
    let sentence: String
    /// Whether the server may have done what it was asked for, though it gave no answer.
    var mayHaveActed = false

    static func failed(_ sentence: String) -> CommandFailure {
        CommandFailure(exit: .failed, sentence: sentence)
    }
    static func usage(_ sentence: String) -> CommandFailure {
        CommandFailure(exit: .usage, sentence: sentence)
    }
    /// Who read standard output has gone (`freshet export | head`): it has what it wanted, so the
    /// command ends without a word.
    static let readerLeft = CommandFailure(exit: .done, sentence: "")
    /// The request was printed in place of being sent (`--curl`): there is no more to do.
    static let printed = CommandFailure(exit: .done, sentence: "")
    static func unreachable(_ sentence: String) -> CommandFailure {
        CommandFailure(exit: .unreachable, sentence: sentence)
    }
}

enum Program {
    static let version = "0.1.0"

    /// Runs one command line and says how it ended.
    static func run(arguments: [String]) -> Exit {
        do {
            return try dispatch(arguments)
        } catch {
            if !error.sentence.isEmpty { Terminal.complain(error.sentence) }
            return error.exit
        }
    }

    private static func dispatch(_ line: [String]) throws(CommandFailure) -> Exit {
        let arguments = try ArgumentParser.commandFirst(line)
        guard let first = arguments.first else {
            try Terminal.print(Help.overview())
            return .usage
        }
        switch first {
        case "--help", "-h", "help":
            if arguments.count > 1 {
                guard let command = Command.named(arguments[1]) else {
                    throw .usage(Command.unknown(arguments[1]))
                }
                try Terminal.print(Help.page(of: command))
            } else {
                try Terminal.print(Help.overview())
            }
            return .done
        case "--version", "-V", "-v", "version":
            try Terminal.print("freshet \(version)\n")
            return .done
        default: break
        }
        guard let command = Command.named(first) else {
            if first.hasPrefix("-") { throw ArgumentParser.unknown(first) }
            throw .usage(Command.unknown(first))
        }
        let rest = Array(arguments.dropFirst())
        if ArgumentParser.asksForHelp(rest, options: command.options) {
            try Terminal.print(Help.page(of: command))
            return .done
        }
        let parsed = try ArgumentParser.parse(rest, for: command)
        command.warnOfVariables()
        return try command.run(parsed)
    }
}
