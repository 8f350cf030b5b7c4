import FreshetBase
import Glibc

/// What stood on the command line of one command.
struct ParsedArguments: Equatable, Sendable {
    /// Values by flag without dashes; a flag without a value has `"true"` or `"false"`.
    var flags: [String: [String]] = [:]
    var positionals: [String] = []

    func has(_ name: String) -> Bool { flags[name]?.last == "true" }

    /// The flag's value, else that of its variable, else nil.
    func value(_ name: String, variable: String? = nil) -> String? {
        if let value = flags[name]?.last { return value }
        guard let variable, let value = Environment.value(variable), !value.isEmpty else {
            return nil
        }
        return value
    }
}

/// Flags as people write them: `--name value`, `--name=value`, `--` ends them. Flags and other
/// arguments may stand in any order.
enum ArgumentParser {
    static func parse(
        _ arguments: [String], for command: Command
    ) throws(CommandFailure) -> ParsedArguments {
        var parsed = ParsedArguments()
        var index = 0
        var onlyPositionals = false
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            if onlyPositionals || !argument.hasPrefix("-") || argument == "-" {
                parsed.positionals.append(argument)
                continue
            }
            if argument == "--" {
                onlyPositionals = true
                continue
            }
            let (name, inline) = split(argument)
            guard argument.hasPrefix("--"),
                let option = command.options.first(where: { $0.name == name })
            else { throw unknown(argument, of: command) }
            if option.placeholder == nil, let inline, inline != "true", inline != "false" {
                throw .usage("--\(name) is true or false, not \"\(inline)\"")
            }
            var value = inline ?? "true"
            if option.placeholder != nil, inline == nil {
                guard index < arguments.count else {
                    throw .usage("--\(name) needs a value: --\(name) \(option.placeholder ?? "")")
                }
                value = arguments[index]
                index += 1
            }
            if parsed.flags[name] != nil && !option.isList {
                throw .usage("--\(name) stands there twice; give it once")
            }
            parsed.flags[name, default: []].append(value)
        }
        if let empty = parsed.positionals.firstIndex(of: "") {
            throw .usage(
                "argument \(empty + 1) is empty (a variable of the shell that is not set?); the form"
                    + " is: \(command.form)")
        }
        guard command.positionals.contains(parsed.positionals.count) else {
            let problem =
                parsed.positionals.count < command.positionals.lowerBound
                ? missing(parsed.positionals.count, of: command)
                : "\"\(parsed.positionals[command.positionals.upperBound])\" is too much"
            let extra = parsed.positionals.dropFirst(command.positionals.upperBound).first
            if command.name == "set", let extra, extra.hasPrefix("{") {
                throw .usage(
                    "the JSON comes on standard input: echo '…' | freshet set"
                        + " \(parsed.positionals.dropLast().joined(separator: " "))")
            }
            throw .usage("\(problem); the form is: \(command.form)")
        }
        return parsed
    }

    /// `TYPE and ID are missing`: what the command's form demands behind its first `count` words.
    private static func missing(_ count: Int, of command: Command) -> String {
        if count == 0, !command.words.isEmpty {
            return "a word is missing: \(command.words.joined(separator: " or "))"
        }
        let demanded = command.arguments.split(separator: " ").filter { !$0.hasPrefix("[") }
        let names = demanded.dropFirst(count).map { name in
            name.replacing("...", with: "").replacing("|-", with: " (or - for a pipe)")
                .replacing("|", with: " or ")
        }
        return names.joined(separator: " and ") + (names.count == 1 ? " is" : " are") + " missing"
    }

    /// The command line with the flags in front of the command (`freshet --server URL get …`) behind
    /// it, where the command reads them.
    static func commandFirst(_ arguments: [String]) throws(CommandFailure) -> [String] {
        let own = ["help", "version"]
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("--") {
            let argument = arguments[index]
            let (name, inline) = split(argument)
            guard !own.contains(name) else { break }
            guard let option = Command.shared.first(where: { $0.name == name }) else {
                if Command.all.contains(where: { $0.options.contains { $0.name == name } }) {
                    throw .usage("\(argument) stands behind the command: freshet COMMAND --\(name)")
                }
                throw unknown(argument)
            }
            index += option.placeholder != nil && inline == nil ? 2 : 1
        }
        guard index > 0 else { return arguments }
        guard index < arguments.count else {
            throw .usage("a command is missing behind the flags; \"freshet --help\" lists them")
        }
        return [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
    }

    /// The failure of a flag in front of the command, or without one.
    static func unknown(_ argument: String) -> CommandFailure {
        let known = Command.shared.map(\.name) + ["help", "version"]
        if let near = NearestWord.of(split(argument).name, among: known) {
            return .usage("there is no flag \(argument); did you mean --\(near)?")
        }
        return .usage(
            "there is no flag \(argument); \"freshet --help\" lists the commands, and"
                + " \"freshet COMMAND --help\" the flags of one")
    }

    /// Whether `--help` stands among the arguments, not as the value of a flag.
    static func asksForHelp(_ arguments: [String], options: [Option]) -> Bool {
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            if argument == "--" { return false }
            if argument == "--help" || argument == "-h" { return true }
            let (name, inline) = split(argument)
            let takesValue = options.contains { $0.name == name && $0.placeholder != nil }
            index += argument.hasPrefix("--") && takesValue && inline == nil ? 2 : 1
        }
        return false
    }

    /// `--name=value` as its two parts, the name without dashes.
    private static func split(_ argument: String) -> (name: String, value: String?) {
        let text = argument.drop { $0 == "-" }
        guard let equals = text.firstIndex(of: "=") else { return (String(text), nil) }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    /// What other programs call our flags.
    private static let synonyms = [
        "p": "listen", "port": "listen", "host": "listen", "bind": "listen", "address": "listen",
        "dir": "data", "data-dir": "data", "c": "config", "conf": "config", "v": "log-level",
        "verbose": "log-level", "debug": "log-level", "url": "server", "s": "server",
        "token": "token-file", "where": "filter", "q": "filter", "query": "filter",
        "sort": "order", "n": "limit", "select": "fields", "o": "order", "f": "filter",
    ]

    private static func unknown(_ argument: String, of command: Command) -> CommandFailure {
        let name = split(argument).name
        if let meant = synonyms[name],
            let option = command.options.first(where: { $0.name == meant })
        {
            return .usage(
                "freshet \(command.name) has no flag \(argument); it is --\(meant)"
                    + (option.placeholder.map { " \($0)" } ?? ""))
        }
        if let near = NearestWord.of(name, among: command.options.map(\.name)) {
            return .usage(
                "freshet \(command.name) has no flag \(argument); did you mean --\(near)?")
        }
        // An id may begin so.
        let isWord = command.positionals.upperBound > 0 && !argument.hasPrefix("--")
        return .usage(
            "freshet \(command.name) has no flag \(argument);"
                + " \"freshet \(command.name) --help\" lists its flags"
                + (isWord ? ", and what is none but begins so stands behind --" : ""))
    }
}

enum Environment {
    static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The variables that can be settings.
    static var all: [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text)
            if let equals = line.firstIndex(of: "=") {
                result[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            entry += 1
        }
        return result
    }
}
