import FreshetBase
import FreshetConfig
import FreshetHTTP
import FreshetJSON
import FreshetServer
import FreshetStore
import Glibc

/// `freshet doctor`: looks at everything around a server that can keep it from working, and says what
/// to do. It changes nothing. Exit 0 where nothing is wrong, 1 where something is, 2 where it is the
/// configuration.
enum DoctorCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let server = arguments.value("server", variable: "FRESHET_SERVER")
        var doctor = Doctor()
        let resolution = Configuration.source(arguments).resolve()
        doctor.lookAtConfiguration(resolution, arguments)
        let settings = resolution.settings
        let isServed = doctor.lookAtPort(settings)
        doctor.lookAtDisk(settings, isServed: isServed)
        doctor.lookAtLimits(settings)
        doctor.lookAtClock(settings)
        if server != nil || isServed {
            var arguments = arguments
            if server == nil { arguments.flags["server"] = [Configuration.url(of: settings)] }
            try ServerExamination(arguments).report(to: &doctor)
        } else {
            doctor.add(
                .unknown, "server", "no server was asked: none runs on \(settings.address)",
                "--server URL looks at one, also through its proxy")
        }
        try Terminal.report(arguments, doctor.json, doctor.text)
        if doctor.findings.contains(where: { $0.state == .bad && $0.subject == "configuration" }) {
            return .usage
        }
        return doctor.findings.contains { $0.state == .bad } ? .failed : .done
    }
}

/// What was looked at, and how it is.
struct Doctor {
    enum State: String {
        case good = "ok"
        case doubtful = "warning"
        case bad = "failed"
        case unknown = "skipped"
    }

    struct Finding {
        let state: State
        let subject: String
        let sentence: String
        /// What to do.
        let advice: String?
    }

    private(set) var findings: [Finding] = []

    mutating func add(
        _ state: State, _ subject: String, _ sentence: String, _ advice: String? = nil
    ) {
        findings.append(
            Finding(state: state, subject: subject, sentence: sentence, advice: advice))
    }

    var json: JSONValue {
        [
            "healthy": .bool(!findings.contains { $0.state == .bad }),
            "findings": .array(
                findings.map { finding in
                    [
                        "state": .string(finding.state.rawValue),
                        "subject": .string(finding.subject),
                        "finding": .string(finding.sentence), "advice": .text(finding.advice),
                    ]
                }),
        ]
    }

    var text: String {
        let width = findings.map(\.subject.count).max() ?? 0
        var lines: [String] = []
        for finding in findings {
            let state = finding.state.rawValue
            let subject = finding.subject
            lines.append(
                state + String(repeating: " ", count: 9 - state.count) + subject
                    + String(repeating: " ", count: width - subject.count + 2)
                    + Terminal.line(finding.sentence))
            if let advice = finding.advice {
                lines.append(
                    String(repeating: " ", count: 11 + width) + "→ " + Terminal.line(advice))
            }
        }
        return lines.joined(separator: "\n")
    }

    // MARK: Configuration

    mutating func lookAtConfiguration(
        _ resolution: ConfigurationSource.Resolution, _ arguments: ParsedArguments
    ) {
        let subject = "configuration"
        for fault in resolution.faults { add(.bad, subject, fault.description) }
        let known = Command.variables.union(resolution.variables)
        for warning in UnknownVariables.warnings(Environment.all, known: known) {
            add(.doubtful, subject, warning.sentence)
        }
        if let lack = FreshetServer.lack(of: resolution.settings) { add(.bad, subject, lack) }
        if resolution.faults.isEmpty {
            let file = arguments.value("config", variable: "FRESHET_CONFIG")
            add(.good, subject, "in order (\(file ?? "no file"))")
        }
        let settings = resolution.settings
        if settings.access == nil, settings.isOpen, !SettingText.isLoopback(settings.host) {
            add(
                .doubtful, "access", "everybody who reaches \(settings.address) may do everything",
                "write \"access\" into the configuration; `freshet token new` makes a token")
        }
    }

    // MARK: Port

    /// - Returns: Whether a Freshet server answers there.
    mutating func lookAtPort(_ settings: ServeSettings) -> Bool {
        let subject = "port"
        let address = settings.address
        switch PortCheck.look(host: settings.host, port: settings.port) {
        case .free:
            add(.good, subject, "\(address) is free")
        case .unknown:
            add(
                .bad, subject, "the host \(settings.host) is not known",
                "give --listen an address of this machine")
        case .refused(EACCES):
            add(
                .bad, subject, "this user may not listen on port \(settings.port)",
                "take a port above 1023 with a proxy before it, or let systemd open it: freshet"
                    + " service-unit --socket")
        case .refused(EADDRNOTAVAIL):
            add(
                .bad, subject, "\(settings.host) is no address of this machine",
                "give --listen one that `ip address` shows, or 0.0.0.0 for all")
        case .refused(let number):
            add(
                .bad, subject,
                "nobody can listen on \(address): \(String(cString: strerror(number)))")
        case .taken:
            guard Self.isFreshet(settings) else {
                add(
                    .bad, subject, "another program listens on \(address)",
                    "stop it (`ss -ltnp` names it), or give --listen another port")
                return false
            }
            add(.good, subject, "a Freshet server listens on \(address)")
            return true
        }
        return false
    }

    private static func isFreshet(_ settings: ServeSettings) -> Bool {
        // Whatever goes wrong: it does not answer as a Freshet server does.
        guard
            let address = try? ServerAddress(Configuration.url(of: settings)),
            let client = try? ServerClient(server: address, timeout: .seconds(3)),
            (try? client.send("GET", "/version")) != nil,
            let (_, body) = try? client.receive(limit: 1 << 16, isBounded: true),
            let version = try? JSONValue.parse(body)
        else { return false }
        return version["name"]?.stringValue == "freshet"
    }

    // MARK: Disk

    /// - Parameter isServed: Whether a Freshet server has the configured port.
    mutating func lookAtDisk(_ settings: ServeSettings, isServed: Bool) {
        let subject = "disk"
        guard case .directory(let directory) = settings.storage else {
            add(.good, subject, "nothing is written: everything is in memory")
            return
        }
        guard let place = existingFolder(of: directory) else { return }
        guard access(place, W_OK | X_OK) == 0 else {
            add(
                .bad, subject, "\(place) cannot be written: \(String(cString: strerror(errno)))",
                "give the directory to the user that runs the server: chown, or --data another one")
            return
        }
        var isGood = true
        if StoreDirectory.isForeign(directory) {
            isGood = false
            add(
                .bad, subject, "\(directory) holds something else, and no data of a server",
                "give --data a directory that is empty or does not exist")
        }
        if !isServed, let pid = Self.holder(of: directory) {
            isGood = false
            add(
                .bad, subject, "\(directory) is in use by another process (pid \(pid))",
                "stop that one, or give --data another directory")
        }
        if let kind = POSIXFileSystem().kind(of: place) {
            if kind.isNetwork, !settings.allowsNetworkFiles {
                isGood = false
                add(
                    .bad, subject, "\(place) is on \(kind.name), a file system of a network",
                    "put the data on a local disk; --allow-network-fs takes the risk")
            } else if kind.name == "tmpfs" || kind.name == "ramfs" {
                isGood = false
                add(
                    .doubtful, subject,
                    "\(place) is on \(kind.name), which is memory: it is gone with"
                        + " the machine's next start", "give --data a directory on a disk")
            }
        }
        var space = statvfs()
        guard statvfs(place, &space) == 0 else {
            add(.doubtful, subject, "the free space of \(place) cannot be told")
            return
        }
        let free = FreeSpace(space).free
        let used = Self.bytes(in: directory)
        // A snapshot is written beside what is there.
        let needed = max(256 << 20, used)
        if free < needed {
            isGood = false
            add(
                free < 64 << 20 ? .bad : .doubtful, subject,
                "\(place) has \(Progress.size(free)) free, and the next snapshot may need"
                    + " \(Progress.size(needed))", "make room, or give --data a larger disk")
        }
        if space.f_files > 0, space.f_favail < 100 {
            isGood = false
            add(
                .bad, subject, "\(place) has no room for new files",
                "remove files: inodes are used up")
        }
        if isGood { add(.good, subject, "\(place) can be written, \(Progress.size(free)) free") }
        lookAtMemory(for: used)
    }

    /// The directory, or the folder in which it will be made: what is not there yet is made in the
    /// folder that is.
    ///
    /// - Returns: nil where there is none, which is a finding.
    private mutating func existingFolder(of directory: String) -> String? {
        let subject = "disk"
        var place = directory
        var status = stat()
        while stat(place, &status) != 0 {
            let fault = errno
            guard fault == ENOENT, place != "/", place != "." else {
                add(
                    .bad, subject,
                    "\(place) cannot be looked at: \(String(cString: strerror(fault)))",
                    "let the user that runs the server in (chmod, chown), or give --data another path"
                )
                return nil
            }
            guard lstat(place, &status) != 0 else {
                add(
                    .bad, subject, "\(place) is a link to what is not there",
                    "make what it leads to, or give --data another path")
                return nil
            }
            let slash = place.lastIndex(of: "/")
            place = slash.map { $0 == place.startIndex ? "/" : String(place[..<$0]) } ?? "."
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            add(.bad, subject, "\(place) is no directory", "give --data another path")
            return nil
        }
        return place
    }

    private mutating func lookAtMemory(for stored: Int) {
        // Without /proc nothing is known of memory.
        guard let bytes = try? InputFile.whole("/proc/meminfo", limit: 1 << 16) else { return }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("MemAvailable:") }),
            let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return }
        let needed = stored / 5 * 8
        if kibibytes << 10 < needed {
            add(
                .doubtful, "memory",
                "\(Progress.size(kibibytes << 10)) are available, and what is stored may need"
                    + " \(Progress.size(needed))", "add memory, or remove what is not needed")
        } else {
            add(.good, "memory", "\(Progress.size(kibibytes << 10)) are available")
        }
    }

    private static func names(in directory: String) -> [String] {
        guard let folder = opendir(directory) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    /// The process that has the data directory for itself, as the kernel lists it.
    private static func holder(of directory: String) -> String? {
        // Without /proc nothing is known of locks.
        guard let file = status("\(directory)/LOCK"),
            let bytes = try? InputFile.whole("/proc/locks", limit: 16 << 20)
        else { return nil }
        func digits(_ number: dev_t) -> String {
            let text = String(number, radix: 16)
            return text.count < 2 ? "0" + text : text
        }
        // The two parts of a device's number (makedev(3)).
        let major = file.st_dev >> 8 & 0xFFF | file.st_dev >> 32 & 0xFFFF_F000
        let minor = file.st_dev & 0xFF | file.st_dev >> 12 & 0xFFFF_FF00
        let device = "\(digits(major)):\(digits(minor))"
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[3] == "WRITE",
                words[5] == "\(device):\(file.st_ino)"
            else { continue }
            return String(words[4])
        }
        return nil
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func bytes(in directory: String) -> Int {
        names(in: directory).reduce(0) { $0 + Int(status("\(directory)/\($1)")?.st_size ?? 0) }
    }

    // MARK: Limits

    mutating func lookAtLimits(_ settings: ServeSettings) {
        let subject = "limits"
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        let descriptors = Int(clamping: files.rlim_max)
        let wanted = settings.limits.connections + 64
        if descriptors < wanted {
            add(
                .doubtful, subject,
                "this user may open \(descriptors) files and sockets, and"
                    + " \(settings.limits.connections) connections need \(wanted)",
                "raise it with ulimit -n or LimitNOFILE=, or lower --limit-connections")
        } else {
            add(.good, subject, "\(descriptors) files and sockets may be open")
        }
        var size = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
        if size.rlim_cur != rlim_t.max {
            add(
                .doubtful, subject,
                "a file may have \(Progress.size(Int(clamping: size.rlim_cur))) at most",
                "raise it with ulimit -f, or a log that reaches it ends all writes")
        }
    }

    // MARK: Clock

    mutating func lookAtClock(_ settings: ServeSettings) {
        let subject = "clock"
        let now = WallTime.now
        // The program is not older than 2026.
        if now < WallTime(milliseconds: 1_767_225_600_000) {
            add(.bad, subject, "it is \(now.rfc3339) here, which has been", "set the clock: chrony")
            return
        }
        if case .directory(let directory) = settings.storage {
            let newest =
                Self.names(in: directory).filter { $0 != "." && $0 != ".." }
                .compactMap { Self.status("\(directory)/\($0)")?.st_mtim.tv_sec }.max() ?? 0
            let ahead = newest - Int(now.milliseconds / 1_000)
            if ahead > 60 {
                add(
                    .doubtful, subject,
                    "files in \(directory) are from \(ahead) s in the future: the clock was set back",
                    "let a time service keep it (chrony); times of commits never go back")
                return
            }
        }
        add(.good, subject, "it is \(now.rfc3339)")
    }
}

/// Looks at a server that runs, and at what stands before it.
private struct ServerExamination {
    private static let subject = "server"
    /// The least time between signs of life that a server grants.
    private static let heartbeat = 5
    /// How long a stream is asked to last: longer than one sign of life, shorter than two.
    private static let seconds = 8

    private let client: ServerClient

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        client = try ServerConnection.client(arguments, patience: .seconds(20))
    }

    func report(to doctor: inout Doctor) throws(CommandFailure) {
        let readiness: Readiness
        do throws(CommandFailure) {
            readiness = try Readiness.ask(client)
        } catch {
            doctor.add(.bad, Self.subject, error.sentence)
            return
        }
        if let reason = readiness.reason {
            doctor.add(.bad, Self.subject, "not ready: \(reason)", "look at its log")
            return
        }
        doctor.add(.good, Self.subject, "\(client.serverText) is ready")
        compareClocks(readiness.head, &doctor)
        try watch(&doctor)
    }

    private func compareClocks(_ head: ResponseHead, _ doctor: inout Doctor) {
        guard let date = head.header("date").flatMap(HTTPDate.wallTime) else { return }
        let off = (date.milliseconds - WallTime.now.milliseconds) / 1_000
        if abs(off) > 5 {
            doctor.add(
                .doubtful, "clock",
                "the server's clock is \(abs(off)) s \(off > 0 ? "ahead of" : "behind") this one's",
                "let a time service keep both (chrony): tokens and conditions expire by the clock")
        }
    }

    /// Opens a live query for some seconds: its sign of life has to come by itself, long before its
    /// end. The first events say little: a proxy that buffers gives on at once what comes with the head.
    private func watch(_ doctor: inout Doctor) throws(CommandFailure) {
        let subject = "streams"
        try client.send("GET", "/v1")
        let (list, body) = try client.receive(limit: 64 << 20, isBounded: true)
        // Without a list of types any name will do.
        let types = list.status == 200 ? (try? JSONValue.parse(body))?["types"]?.arrayValue : nil
        let type = types?.first?["name"]?.stringValue ?? "doctor"
        var progress = Progress("looking at a live query")
        progress.update(fraction: nil, "\(Self.seconds) s")
        defer { progress.finish() }
        let began = MonotonicInstant.now
        var first: Duration?
        var latest = Duration.zero
        var gaps = 0
        var refusal: [UInt8] = []
        let head: ResponseHead
        do throws(CommandFailure) {
            try client.send(
                "GET",
                "/v1/\(PercentEncoding.segment(type))?limit=1&live=1&heartbeat=\(Self.heartbeat)&max=\(Self.seconds)",
                headers: [("Accept", "text/event-stream")])
            head = try client.receive { head, bytes throws(CommandFailure) in
                if head.status != 200, refusal.count < 1 << 16 { refusal += bytes }
                let now = MonotonicInstant.now - began
                if first == nil { first = now }
                if now - latest > .milliseconds(500) { gaps += 1 }
                latest = now
            }
        } catch {
            doctor.add(
                .bad, subject, "a live query is lost: \(error.sentence)",
                "a proxy before the server must not time streams out within 75 s, nor buffer them")
            return
        }
        guard head.status == 200 else {
            let isForbidden = head.status == 401 || head.status == 403
            doctor.add(
                isForbidden ? .unknown : .bad, subject,
                ServerConnection.sentence(status: head.status, body: refusal),
                isForbidden ? "--token-file FILE gives a token that may read" : nil)
            return
        }
        let kind = head.header("content-type") ?? "nothing"
        guard kind.hasPrefix("text/event-stream") else {
            doctor.add(
                .bad, subject, "a live query is answered with \(kind) in place of events",
                "something before the server changes its answers")
            return
        }
        // A sign of life, and the end, seconds apart: what came in one piece was held back.
        guard let first, gaps > 1 else {
            doctor.add(
                .bad, subject,
                "events come in lumps: something before the server buffers"
                    + (head.header("via").map { " (\($0))" } ?? ""),
                "nginx: proxy_buffering off, proxy_http_version 1.1, proxy_read_timeout 75s;"
                    + " /docs/proxies has whole examples")
            return
        }
        doctor.add(
            .good, subject,
            "the first event came after \(first.wholeMilliseconds) ms, unbuffered")
    }
}
