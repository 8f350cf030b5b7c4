import FreshetBase
import FreshetConfig
import FreshetJSON
import FreshetServer
import FreshetStore

/// `freshet cluster`: how the servers over one log are, who leads, and the beginning of a log.
enum ClusterCommand {
    static let actions = ["status", "step-down", "init", "recover"]

    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let action = arguments.positionals[0]
        if action != "step-down", arguments.flags["to"] != nil {
            throw .usage("--to NAME is of freshet cluster step-down")
        }
        switch action {
        case "status": return try status(arguments)
        case "step-down": return try stepDown(arguments)
        case "init": return try begin(arguments, isRecovery: false)
        case "recover": return try begin(arguments, isRecovery: true)
        default:
            throw .usage(
                "there is no \"freshet cluster \(action)\"; it can"
                    + " \(actions.joined(separator: ", "))")
        }
    }

    // MARK: A running cluster

    /// The servers as a table; exit 1 where none leads.
    private static func status(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let body = try EntityCommands.ask("GET", "/v1/_cluster", arguments)
        guard !arguments.has("curl") else { return .done }
        let client = try ServerConnection.client(arguments)
        guard let state = try? JSONValue.parse(body), let items = state["replicas"]?.arrayValue
        else { throw ServerConnection.strange(client, "which servers its cluster has") }
        let leads = state["leader"]?.objectValue != nil
        if arguments.has("json") || !Terminal.outputIsTerminal {
            try Terminal.write(json: body)
            return leads ? .done : .failed
        }
        let rows: [JSONValue] = items.map { item in
            func member(_ name: String) -> JSONValue { item[name] ?? .null }
            return [
                "id": member("id"), "role": member("role"), "ready": member("ready"),
                "seq": member("seq"), "lag s": member("lagSeconds"),
                "snapshot": member("snapshotSeq"), "seen": member("seenAt"),
                "url": member("url"),
            ]
        }
        try Terminal.print(
            TableText.table(of: rows, width: Terminal.width, advice: "--json shows all"))
        let engine = state["engine"]
        func number(_ name: String) -> String { state[name]?.numberText ?? "?" }
        try Terminal.print(
            "\(leads ? "" : "nobody leads; ")term \(number("term")), head at seq"
                + " \(state["head"]?["seq"]?.numberText ?? "?"), log from seq \(number("floor")),"
                + " engine \(Terminal.line(engine?["state"]?.stringValue ?? "?"))"
                + (engine?["lastError"]?.stringValue.map { ": \(Terminal.line($0))" } ?? "")
                + "\n")
        return leads ? .done : .failed
    }

    private static func stepDown(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let to = arguments.flags["to"]?.last
        let path =
            "/v1/_cluster/step-down" + (to.map { "?to=\(PercentEncoding.segment($0))" } ?? "")
        let body = try EntityCommands.ask("POST", path, arguments)
        guard !arguments.has("curl") else { return .done }
        // What is no JSON has no leader either.
        let answer = (try? JSONValue.parse(body)) ?? .null
        let successor = Terminal.line(answer["successor"]?.stringValue ?? "?")
        try Terminal.answer(
            arguments, answer,
            answer["leader"]?["id"]?.stringValue.map { "\(Terminal.line($0)) leads" }
                ?? "the lead was handed to \(successor), which has not been heard of yet")
        return .done
    }

    // MARK: The beginning of a log

    private static func begin(
        _ arguments: ParsedArguments, isRecovery: Bool
    ) throws(CommandFailure) -> Exit {
        let action = isRecovery ? "recover" : "init"
        guard !arguments.has("curl") else {
            throw .usage(
                "--curl shows requests to a server, and freshet cluster \(action) sends none; leave"
                    + " it out")
        }
        guard let (settings, directory) = try resolve(arguments) else { return .usage }
        var bar = Progress("reading")
        defer { bar.finish() }
        let report: RestoreReport
        do throws(StartFailure) {
            report = try ClusterBeginning.make(
                settings, from: directory, isRecovery: isRecovery, log: Log(level: .warning)
            ) { progress in
                let whole = max(1, progress.bytesTotal)
                bar.update(
                    fraction: Double(progress.bytesRead) / Double(whole),
                    Progress.counted(progress))
            }
        } catch {
            throw .failed(error.sentence)
        }
        try Terminal.report(
            arguments,
            [
                "log": .string(settings.log), "directory": .string(directory),
                "seq": .count(report.seq), "entities": .count(report.entities),
            ],
            "the log \(settings.log) begins behind seq \(report.seq) with"
                + " \(Count.text(report.entities, "entity", "entities")) of \(directory): start this"
                + " server with it first, the others with empty directories"
                + (isRecovery ? " or those that they have" : ""))
        return .done
    }

    /// The cluster and the data directory that flags, variables and the configuration name.
    ///
    /// - Returns: nil where the configuration is faulty, which is told already.
    private static func resolve(
        _ arguments: ParsedArguments
    ) throws(CommandFailure) -> (cluster: ClusterSettings, directory: String)? {
        var flags = arguments.flags.filter { ["cluster-log", "data"].contains($0.key) }
        // Nothing listens here: who would be let in does not matter.
        flags["open"] = ["true"]
        let resolution = ConfigurationSource(
            flags: flags, environment: Environment.all,
            path: arguments.value("config", variable: "FRESHET_CONFIG")
        ).resolve()
        Configuration.warn(of: resolution)
        // The name and the address of a server are of no account before there is one.
        let unneeded: [ConfigurationFault.Place] = [.flag("--replica"), .flag("--advertise")]
        var faults = resolution.faults.filter { !unneeded.contains($0.place) }
            .map(\.description)
        let cluster = resolution.settings.cluster
        if faults.isEmpty, cluster.isOn {
            if let lack = FreshetServer.lack(of: resolution.settings) { faults.append(lack) }
            do throws(StartFailure) {
                // What is to be said of the engine is logged when the log is made.
                _ = try ClusterStore.remarks(on: cluster)
            } catch {
                faults.append(error.sentence)
            }
        }
        guard faults.isEmpty else {
            Configuration.report(faults)
            return nil
        }
        guard cluster.isOn, case .directory(let directory) = resolution.settings.storage else {
            throw .usage("the log is missing: --cluster-log etcd://HOST:2379/freshet")
        }
        return (cluster, directory)
    }
}
