import FreshetConfig
import FreshetJSON
import FreshetServer
import Glibc

/// `freshet service-unit`: the systemd units of a server, for this binary and the flags that are given.
enum ServiceUnit {
    /// Where the unit's user may write: systemd makes directories below it for it (StateDirectory).
    private static let stateFolder = "/var/lib/"

    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        // A configuration may be made later, and elsewhere, and say who is let in; a flag that cannot
        // be read may not.
        var asked = arguments
        asked.flags["open"] = ["true"]
        // What is set in this shell is not in the unit.
        let resolution = ConfigurationSource(
            flags: asked.flags, environment: [:], path: asked.flags["config"]?.last
        ).resolve()
        let faults = resolution.faults.filter { fault in
            if case .flag = fault.place { return true }
            return false
        }
        guard faults.isEmpty else {
            Configuration.report(faults.map(\.description))
            return .usage
        }
        let settings = resolution.settings
        let isSocket = arguments.has("socket")
        let text =
            isSocket
            ? try socket(settings) : try service(resolution, arguments, program: try program())
        if arguments.has("json") {
            let name = isSocket ? "freshet.socket" : "freshet.service"
            let result: JSONValue = ["name": .string(name), "unit": .string(text)]
            try Terminal.print(result.text + "\n")
        } else {
            try Terminal.print(text)
        }
        return .done
    }

    // MARK: The service

    private static func service(
        _ resolution: ConfigurationSource.Resolution, _ arguments: ParsedArguments,
        program: String
    ) throws(CommandFailure) -> String {
        let settings = resolution.settings
        var words = [program, "serve"]
        if let config = arguments.flags["config"]?.last {
            guard config.hasPrefix("/") else {
                throw .usage("--config: the unit starts in /; give the whole path of \(config)")
            }
            tellHidden(config, "put the configuration elsewhere, as /etc/freshet.json")
            words += ["--config", config]
        }
        if (1..<1024).contains(settings.port) {
            Terminal.complain(
                "the unit's user may not open port \(settings.port) itself: install the socket unit,"
                    + " too (freshet service-unit --socket), or take a port above 1023")
        }
        let state = try stateDirectory(resolution, arguments)
        // What the configuration says holds without a flag.
        if let state, origin(of: .data, in: resolution) != .file {
            words += ["--data", stateFolder + state]
        }
        if origin(of: .drain, in: resolution) == .standard { words += ["--drain", "5s"] }
        for setting in Setting.all where setting.key != .data {
            for value in arguments.flags[setting.flag] ?? [] {
                words += setting.takesValue ? ["--\(setting.flag)", value] : []
                if !setting.takesValue {
                    words.append(
                        value == "true" ? "--\(setting.flag)" : "--\(setting.flag)=\(value)")
                }
            }
        }
        let command = words.map(quoted).joined(separator: " ")
        return """
            # The configuration must be readable by everybody: its secrets come from files or variables.
            [Unit]
            Description=Freshet, a live entity service
            Wants=network-online.target
            After=network-online.target

            [Service]
            Type=notify
            ExecStart=\(command)
            ExecReload=/bin/kill -HUP $MAINPID
            WatchdogSec=60s
            Restart=on-failure
            TimeoutStopSec=30s
            LimitNOFILE=\(descriptors(settings))

            \(hardening(state))

            [Install]
            WantedBy=multi-user.target

            """
    }

    /// A descriptor for each connection and each stream, and a thousand for files and upstreams.
    private static func descriptors(_ settings: ServeSettings) -> Int {
        settings.limits.connections + settings.limits.streams + 1_000
    }

    /// What the program does without: it opens sockets and its own files, and starts nothing.
    private static func hardening(_ state: String?) -> String {
        """
        DynamicUser=yes\(state.map { "\nStateDirectory=\($0)\nStateDirectoryMode=0700" } ?? "")
        UMask=0077
        NoNewPrivileges=yes
        CapabilityBoundingSet=
        ProtectSystem=strict
        ProtectHome=yes
        ProtectProc=invisible
        ProtectClock=yes
        ProtectHostname=yes
        ProtectKernelTunables=yes
        ProtectKernelModules=yes
        ProtectKernelLogs=yes
        ProtectControlGroups=yes
        PrivateTmp=yes
        PrivateDevices=yes
        PrivateUsers=yes
        RemoveIPC=yes
        RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged
        SystemCallErrorNumber=EPERM
        """
    }

    private static func origin(
        of key: Setting.Key, in resolution: ConfigurationSource.Resolution
    ) -> Setting.Origin {
        resolution.effective.first { $0.setting.key == key }?.origin ?? .standard
    }

    /// The directory's name below `/var/lib`; nil for a server that keeps nothing, and for one whose
    /// configuration names another place, which is told.
    private static func stateDirectory(
        _ resolution: ConfigurationSource.Resolution, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> String? {
        guard case .directory(let path) = resolution.settings.storage else { return nil }
        let isOfFile = origin(of: .data, in: resolution) == .file
        guard isOfFile || arguments.flags["data"] != nil else { return "freshet" }
        if let name = stateName(of: path) { return name }
        guard isOfFile else {
            throw .usage(
                "--data: the unit's user may write below \(stateFolder) alone; give"
                    + " \(stateFolder)NAME, not \(path)")
        }
        Terminal.complain(
            "the configuration keeps its data in \(path), and the unit's user may write below"
                + " \(stateFolder) alone: write \(stateFolder)NAME into it, or put User= of a user that"
                + " owns the directory in the place of DynamicUser=yes, and ReadWritePaths= of its whole"
                + " path into the unit")
        return nil
    }

    /// What stands behind `/var/lib/` in the path of a directory there; nil for any other.
    private static func stateName(of path: String) -> String? {
        let name = path.hasPrefix(stateFolder) ? path.dropFirst(stateFolder.count) : ""
        let isPlain = name.utf8.allSatisfy { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return name.isEmpty || !isPlain ? nil : String(name)
    }

    // MARK: The socket

    private static func socket(_ settings: ServeSettings) throws(CommandFailure) -> String {
        let isLocal = settings.host.lowercased() == "localhost"
        let host = isLocal ? "127.0.0.1" : settings.host
        let isAddress = host.contains(":") || host.utf8.allSatisfy { $0 < 0x3A }
        guard isAddress, settings.port > 0 else {
            throw .usage("--listen: a socket unit needs an address and a port, as 127.0.0.1:8080")
        }
        return """
            # The port stays open while freshet.service is started anew: connections wait, none is refused.
            [Unit]
            Description=The port of Freshet

            [Socket]
            ListenStream=\(SettingText.text(host: host, port: settings.port))
            BindIPv6Only=ipv6-only
            Backlog=4096

            [Install]
            WantedBy=sockets.target

            """
    }

    // MARK: Words

    /// The path of this binary.
    private static func program() throws(CommandFailure) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else {
            throw .failed(
                "where this program is cannot be told: \(String(cString: strerror(errno)))")
        }
        let path = String(
            decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        tellHidden(
            path,
            "install \(path) elsewhere, as /usr/local/bin/freshet, and print the unit by that one")
        return path
    }

    /// Says that the program will not see `path`, and what to do, where that is so.
    private static func tellHidden(_ path: String, _ advice: String) {
        for hidden in ["/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/"]
        where path.hasPrefix(hidden) {
            Terminal.complain("the unit hides \(hidden) from its program: \(advice)")
        }
    }

    /// A word of ExecStart (systemd.service(5), "Command lines"): nothing in it is a specifier or a
    /// variable.
    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty && word.utf8.allSatisfy { $0 > 0x20 && !"\"'\\;".utf8.contains($0) }
        var text = isPlain ? "" : "\""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "%": text += "%%"
            case "$": text += "$$"
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\x" + (digits.count == 1 ? "0" : "") + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return isPlain ? text : text + "\""
    }
}
