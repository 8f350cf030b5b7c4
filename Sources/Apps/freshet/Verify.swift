/// `freshet verify --data DIR`: reads every record and reports damage; changes nothing.
enum VerifyCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let directory = arguments.value("data", variable: "FRESHET_DATA") ?? "./freshet-data"
        throw .failed("\(directory) cannot be verified: this build has no store")
    }
}
