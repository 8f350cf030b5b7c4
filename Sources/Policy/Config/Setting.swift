import FreshetBase
import FreshetStore

/// One setting of `freshet serve`: its flag, environment variable, configuration member, form,
/// default, help, and the field that it fills, in one row.
///
/// Parsing, help, completions, `check --effective` and the JSON Schema all read `Setting.all`, so
/// they cannot disagree.
package struct Setting: Sendable {
    /// What a value looks like, in the file and as text.
    package enum Form: Sendable {
        case flag
        /// `placeholder` is what help shows, such as `DIR`.
        case text(placeholder: String)
        /// A text that may be empty, which means that there is none.
        case optionalText(placeholder: String)
        case address
        case words([String])
        /// A size such as `16MiB`, within the bounds.
        case bytes(ClosedRange<Int>)
        /// A time such as `10s`, within the bounds in milliseconds.
        case time(ClosedRange<Int>)
        case count(ClosedRange<Int>)
        /// Several texts: the flag may be repeated, the variable has commas.
        case list(placeholder: String, check: ListCheck)
    }

    package enum ListCheck: Sendable { case host, origin }

    package enum Value: Sendable, Equatable {
        case flag(Bool)
        case text(String)
        case address(host: String, port: UInt16)
        case bytes(Int)
        case milliseconds(Int)
        case count(Int)
        case list([String])
    }

    /// Where a value came from; a later case wins over an earlier one.
    package enum Origin: Int, Sendable, Comparable {
        case standard, file, environment, flag

        /// `flag`, `environment`, `file` or `default`.
        package var name: String {
            switch self {
            case .standard: "default"
            case .file: "file"
            case .environment: "environment"
            case .flag: "flag"
            }
        }

        package static func < (left: Origin, right: Origin) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    package let key: Key
    package let form: Form
    package let standard: Value
    package let help: String
    /// Puts a value of the form into its field.
    let fill: @Sendable (inout ServeSettings, Value) -> Void

    init(
        _ key: Key, _ form: Form, _ standard: Value, _ help: String,
        fill: @escaping @Sendable (inout ServeSettings, Value) -> Void
    ) {
        self.key = key
        self.form = form
        self.standard = standard
        self.help = help
        self.fill = fill
    }

    init<Field: SettingField>(
        _ key: Key, _ form: Form, _ standard: Value, _ help: String,
        to field: any WritableKeyPath<ServeSettings, Field> & Sendable
    ) {
        self.init(key, form, standard, help) { settings, value in
            if let value = Field(value) { settings[keyPath: field] = value }
        }
    }

    /// The settings' names: the configuration member with dots.
    package enum Key: String, CaseIterable, Sendable {
        case listen, data, memory, durability, open, strict, hosts, allowOrigins, drain
        case logLevel = "log.level"
        case logFormat = "log.format"
        case snapshotAfter = "snapshot.after"
        case snapshotRate = "snapshot.rate"
        case snapshotRetain = "snapshot.retain"
        case scrubRate = "scrub.rate"
        case allowNetworkFs, format
        case document = "limits.document"
        case body = "limits.body"
        case line = "limits.line"
        case headers = "limits.headers"
        case headerCount = "limits.headerCount"
        case headTimeout = "limits.headTimeout"
        case bodyGrace = "limits.bodyGrace"
        case bodyRate = "limits.bodyRate"
        case writeTimeout = "limits.writeTimeout"
        case idleTimeout = "limits.idleTimeout"
        case connections = "limits.connections"
        case connectionsPerAddress = "limits.connectionsPerAddress"
        case streams = "limits.streams"
        case results = "limits.results"
        case queryTimeout = "limits.queryTimeout"
        case entities = "limits.entities"
        case overloadAfter = "limits.overloadAfter"
        case stopTimeout = "limits.stopTimeout"
        case heartbeat = "limits.heartbeat"
        case streamLifetime = "limits.streamLifetime"
        case history = "limits.history"
        case historyBytes = "limits.historyBytes"
        case liveGroups = "limits.liveGroups"
        case residualGroups = "limits.residualGroups"
        case snapshot = "limits.snapshot"
        case clusterLog = "cluster.log.url"
        case replica = "cluster.replica"
        case advertise = "cluster.advertise"
        case clusterPeers = "cluster.peers"
        case takeover = "cluster.takeover"
        case leaderWait = "cluster.leaderWait"
        case minWait = "cluster.minWait"
        case maxLag = "cluster.maxLag"
        case configGrace = "cluster.configGrace"
        case clusterWriteTimeout = "cluster.log.writeTimeout"
        case clusterKeep = "cluster.log.keep"
        case clusterKeepMost = "cluster.log.keepMost"
        case clusterCompact = "cluster.log.compact"
        case clusterSingle = "cluster.log.single"
    }

    /// The member's path in the configuration file.
    package var path: [String] { key.rawValue.split(separator: ".").map(String.init) }

    /// The objects of the file that settings stand in, and what they are about.
    static let groups: [(name: String, text: String)] = [
        ("log", "how the log is written"), ("snapshot", "how the log is made short"),
        ("scrub", "how damage is looked for"),
        ("limits", "how much of everything; past a limit the answer names it"),
        ("cluster", "several servers that have the same data"),
        ("cluster.log", "what they share it by"),
    ]

    /// Other places in the file that mean the same.
    package var aliases: [[String]] {
        key == .allowOrigins ? [["cors", "origins"]] : []
    }

    /// The flag without dashes: `limit-head-timeout`.
    package var flag: String {
        switch key {
        case .hosts: return "allow-host"
        case .allowOrigins: return "allow-origin"
        case .clusterLog: return "cluster-log"
        case .replica: return "replica"
        case .advertise: return "advertise"
        default: break
        }
        var flag = ""
        for scalar in key.rawValue.unicodeScalars {
            switch scalar {
            case ".": flag += "-"
            case "A"..."Z": flag += "-" + String(scalar).lowercased()
            default: flag.unicodeScalars.append(scalar)
            }
        }
        return flag.hasPrefix("limits-") ? "limit-" + flag.dropFirst("limits-".count) : flag
    }

    package var environment: String { Self.environment(ofFlag: flag) }

    /// Every flag's variable: `--log-level` is `FRESHET_LOG_LEVEL`.
    package static func environment(ofFlag flag: String) -> String {
        "FRESHET_" + flag.uppercased().split(separator: "-").joined(separator: "_")
    }

    /// Whether a changed value holds as soon as the configuration is read anew; the others wait for the
    /// next start.
    package var changesAtOnce: Bool {
        switch key {
        case .strict, .hosts, .allowOrigins, .logLevel: true
        default: false
        }
    }

    package var takesValue: Bool {
        if case .flag = form { return false }
        return true
    }

    package var isList: Bool {
        if case .list = form { return true }
        return false
    }

    /// What help shows behind the flag; empty for one without a value.
    package var placeholder: String {
        switch form {
        case .flag: ""
        case .text(let placeholder), .optionalText(let placeholder), .list(let placeholder, _):
            placeholder
        case .address: "HOST:PORT"
        case .words(let words): words.joined(separator: "|")
        case .bytes: "SIZE"
        case .time: "TIME"
        case .count: "N"
        }
    }

    package static func setting(_ key: Key) -> Setting {
        // Every key has a row: a test walks Key.allCases.
        all.first { $0.key == key } ?? all[0]
    }
}

extension Setting {
    private static let kibibyte = 1024
    private static let mebibyte = 1024 * 1024
    private static let second = 1000
    private static let day = 86_400_000

    /// For what `ConfigurationSource` puts together, of several settings and their origins.
    private static let together: @Sendable (inout ServeSettings, Value) -> Void = { _, _ in }

    /// All settings in the order of help.
    package static let all: [Setting] = [
        Setting(
            .listen, .address, .address(host: "127.0.0.1", port: 8080),
            "address and port to listen on; port 0 takes a free one"
        ) {
            if case .address(let host, let port) = $1 { ($0.host, $0.port) = (host, port) }
        },
        Setting(
            .data, .text(placeholder: "DIR"), .text("./freshet-data"),
            "directory of the data; made where it does not exist", fill: together),
        Setting(
            .memory, .flag, .flag(false), "keep everything in memory and write no file",
            fill: together),
        Setting(
            .durability, .words(["full", "relaxed", "memory"]), .text("full"),
            "when a write is answered: synced to disk, written, or in memory"
        ) {
            $0.durability = $1 == .text("relaxed") ? .relaxed : .full
        },
        Setting(
            .open, .flag, .flag(false), "let everybody in where others can connect", to: \.isOpen),
        Setting(.strict, .flag, .flag(false), "accept declared types only", to: \.isStrict),
        Setting(
            .hosts, .list(placeholder: "HOST", check: .host), .list([]),
            "a host name to answer under beside localhost and addresses; may be repeated",
            to: \.hosts),
        Setting(
            .allowOrigins, .list(placeholder: "ORIGIN", check: .origin), .list([]),
            "an origin whose pages may use the service; may be repeated", to: \.allowedOrigins),
        Setting(
            .drain, .time(0...day), .milliseconds(0),
            "time after SIGTERM in which /readyz says 503 and all else goes on", to: \.drain),
        Setting(
            .logLevel, .words(Log.Level.allCases.map(\.name)), .text("info"),
            "least level of log lines", to: \.logLevel),
        Setting(
            .logFormat, .words(["text", "json"]), .text("text"), "form of log lines",
            to: \.logFormat),
        Setting(
            .snapshotAfter, .bytes(kibibyte...1_048_576 * mebibyte), .bytes(64 * mebibyte),
            "least log before a snapshot makes it short again", to: \.snapshots.after),
        Setting(
            .snapshotRate, .bytes(0...65_536 * mebibyte), .bytes(64 * mebibyte),
            "bytes a second of a snapshot; 0 is no limit", to: \.snapshots.rate),
        Setting(
            .snapshotRetain, .count(1...2), .count(2),
            "snapshots to keep; 1 saves space, 2 survive a damaged one", to: \.snapshots.retain),
        Setting(
            .scrubRate, .bytes(0...65_536 * mebibyte), .bytes(4 * mebibyte),
            "bytes a second to look for damage with; 0 is never", to: \.scrubRate),
        Setting(
            .allowNetworkFs, .flag, .flag(false),
            "accept a data directory on NFS, SMB or the like", to: \.allowsNetworkFiles),
        Setting(
            .format, .words(["1.0"]), .text("1.0"),
            "newest format of files to write, so that an older version can follow"
        ) { _, _ in },
        Setting(
            .document, .bytes(kibibyte...64 * mebibyte), .bytes(mebibyte),
            "largest entity", to: \.limits.documentBytes),
        Setting(
            .body, .bytes(kibibyte...1024 * mebibyte), .bytes(16 * mebibyte),
            "largest request body", to: \.limits.bodyBytes),
        Setting(
            .line, .bytes(256...64 * kibibyte), .bytes(8 * kibibyte), "longest request line",
            to: \.limits.lineBytes),
        Setting(
            .headers, .bytes(kibibyte...256 * kibibyte), .bytes(32 * kibibyte),
            "largest header section", to: \.limits.headerBytes),
        Setting(
            .headerCount, .count(10...1000), .count(100), "most headers of a request",
            to: \.limits.headerCount),
        Setting(
            .headTimeout, .time(100...day), .milliseconds(10 * second),
            "time to send a request head", to: \.limits.headTimeout),
        Setting(
            .bodyGrace, .time(100...day), .milliseconds(10 * second),
            "time before a body's rate is checked", to: \.limits.bodyGrace),
        Setting(
            .bodyRate, .bytes(0...1024 * mebibyte), .bytes(kibibyte),
            "least bytes a second of a body", to: \.limits.bodyRate),
        Setting(
            .writeTimeout, .time(100...day), .milliseconds(30 * second),
            "time without progress before a reader is dropped", to: \.limits.writeTimeout),
        Setting(
            .idleTimeout, .time(100...day), .milliseconds(75 * second),
            "time that an idle connection is kept", to: \.limits.idleTimeout),
        Setting(
            .connections, .count(1...1_000_000), .count(10_000), "most connections",
            to: \.limits.connections),
        Setting(
            .connectionsPerAddress, .count(1...1_000_000), .count(1_000),
            "most connections of one address; loopback is exempt",
            to: \.limits.connectionsPerAddress),
        Setting(
            .streams, .count(1...1_000_000), .count(10_000), "most live streams",
            to: \.limits.streams),
        Setting(
            .results, .count(1...1_000_000), .count(10_000), "highest limit of a search",
            to: \.limits.searchLimit),
        Setting(
            .queryTimeout, .time(10...day), .milliseconds(5 * second),
            "longest time of a query", to: \.limits.queryTimeout),
        Setting(.entities, .count(0...Int.max), .count(0), "most entities; 0 is no limit") {
            if let most = Int($1) { $0.limits.entities = most == 0 ? .max : most }
        },
        Setting(
            .overloadAfter, .time(10...day), .milliseconds(2 * second),
            "longest wait of a write before it is refused", to: \.limits.overloadAfter),
        Setting(
            .stopTimeout, .time(0...day), .milliseconds(10 * second),
            "time to finish requests when stopping", to: \.limits.stopTimeout),
        Setting(
            .heartbeat, .time(5 * second...60 * second), .milliseconds(15 * second),
            "time between heartbeats of a live stream", to: \.limits.heartbeat),
        Setting(
            .streamLifetime, .time(second...day), .milliseconds(1800 * second),
            "longest life of a live stream before it reconnects", to: \.limits.streamLifetime),
        Setting(
            .history, .count(0...10_000_000), .count(100_000),
            "latest changes kept for live clients that come back", to: \.limits.history),
        Setting(
            .historyBytes, .bytes(0...65_536 * mebibyte), .bytes(8 * mebibyte),
            "most memory for what those changes replaced", to: \.limits.historyBytes),
        Setting(
            .liveGroups, .count(1...10_000_000), .count(100_000),
            "most live queries of one caller; equal ones count once", to: \.limits.liveGroups),
        Setting(
            .residualGroups, .count(0...10_000_000), .count(10_000),
            "most live queries that are asked about every change", to: \.limits.residualGroups),
        Setting(
            .snapshot, .bytes(kibibyte...65_536 * mebibyte), .bytes(64 * mebibyte),
            "largest snapshot of a live query", to: \.limits.snapshotBytes),
        Setting(
            .clusterLog, .optionalText(placeholder: "URL"), .text(""),
            "the log that several servers share, on etcd (etcd://h1,h2,h3/freshet) or postgres://",
            to: \.cluster.log),
        Setting(
            .replica, .optionalText(placeholder: "NAME"), .text(""),
            "the name of this server in its cluster", to: \.cluster.replica),
        Setting(
            .advertise, .optionalText(placeholder: "URL"), .text(""),
            "where the other servers of the cluster reach this one", to: \.cluster.advertise),
        Setting(
            .clusterPeers, .list(placeholder: "URL", check: .origin), .list([]),
            "a server of the cluster to be asked for a backup beside the leader; may be repeated",
            to: \.cluster.peers),
        Setting(
            .takeover, .time(2_000...600_000), .milliseconds(3_000),
            "silence of the leader after which another server of the cluster leads",
            to: \.cluster.takeover),
        Setting(
            .leaderWait, .time(0...60_000), .milliseconds(2_000),
            "longest time that a request waits for a leader of the cluster",
            to: \.cluster.leaderWait),
        Setting(
            .minWait, .time(0...60_000), .milliseconds(2_000),
            "longest time that a read waits for the commit of its cursor", to: \.cluster.minWait),
        Setting(
            .maxLag, .time(0...86_400_000), .milliseconds(0),
            "longest silence of the cluster's log after which reads are still answered; 0: any",
            to: \.cluster.maxLag),
        Setting(
            .configGrace, .time(0...86_400_000), .milliseconds(600_000),
            "how long this server answers reads though the cluster has another configuration",
            to: \.cluster.configGrace),
        Setting(
            .clusterWriteTimeout, .time(1_000...600_000), .milliseconds(5_000),
            "longest time that a write waits for the cluster's log",
            to: \.cluster.writeTimeout),
        Setting(
            .clusterKeep, .time(1_000...86_400_000), .milliseconds(900_000),
            "how long commits stay in the cluster's log, though snapshots have them",
            to: \.cluster.keep),
        Setting(
            .clusterKeepMost, .bytes(mebibyte...1_048_576 * mebibyte), .bytes(1_024 * mebibyte),
            "size of the cluster's log beyond which servers that lag are left behind",
            to: \.cluster.keepMost),
        Setting(
            .clusterCompact, .flag, .flag(false),
            "compact etcd's history though it holds keys of others", to: \.cluster.compacts),
        Setting(
            .clusterSingle, .flag, .flag(false),
            "take PostgreSQL as the cluster's log though it waits for no standby",
            to: \.cluster.isSingle),
    ]
}

/// A field that a setting's value can be put into.
protocol SettingField: Sendable {
    /// nil where the value has another form; the table gives each field one.
    init?(_ value: Setting.Value)
}

extension Bool: SettingField {
    init?(_ value: Setting.Value) {
        guard case .flag(let flag) = value else { return nil }
        self = flag
    }
}

extension Int: SettingField {
    init?(_ value: Setting.Value) {
        switch value {
        case .bytes(let number), .count(let number): self = number
        default: return nil
        }
    }
}

extension Duration: SettingField {
    init?(_ value: Setting.Value) {
        guard case .milliseconds(let time) = value else { return nil }
        self = .milliseconds(time)
    }
}

extension String: SettingField {
    init?(_ value: Setting.Value) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension [String]: SettingField {
    init?(_ value: Setting.Value) {
        guard case .list(let list) = value else { return nil }
        self = list
    }
}

extension Log.Level: SettingField {
    init?(_ value: Setting.Value) {
        guard case .text(let text) = value else { return nil }
        self.init(name: text)
    }
}

extension Log.Format: SettingField {
    init?(_ value: Setting.Value) {
        guard case .text(let text) = value else { return nil }
        self.init(rawValue: text)
    }
}
