import Dispatch
import FreshetBase
package import FreshetConfig
import FreshetJSON
import FreshetNet
import FreshetRefresh
import FreshetQuery
import FreshetStore
import Glibc

/// `freshet serve`: from settings to exit code.
package enum ServerProgram {
    /// Runs a server until a signal ends it.
    ///
    /// - Parameters:
    ///   - announcesJSON: Whether the ready line is a JSON object.
    ///   - greeting: What is printed in place of the ready line, once the server answers.
    /// - Returns: 0 after a graceful stop, 1 where it could not start (said on standard error).
    package static func run(
        settings: ServeSettings, announcesJSON: Bool = false,
        greeting: ((FreshetServer) -> String)? = nil
    ) -> Int32 {
        let manager = ServiceManager(settings.source.environment)
        let log = Log(
            level: settings.logLevel, format: settings.logFormat,
            isJournal: Log.isJournal(settings.source.environment["JOURNAL_STREAM"]))
        if let fault = manager.fault {
            log.warning(
                "the service manager cannot be told of this server", ["reason": .string(fault)])
        }
        guard manager.listening <= 1 else {
            complain(
                "the service manager hands over \(manager.listening) sockets and this server listens"
                    + " on one: leave one ListenStream in the .socket unit")
            return 1
        }
        let end = ProgramEnd()
        // Before anything is opened, so that a signal during a long replay is not lost.
        signal(SIGXFSZ, SIG_IGN)
        let signals = watchSignals(settings, log: log, manager: manager, end)
        defer { for source in signals { source.cancel() } }
        // Beside all servers of this process: nobody else answers while one takes the other's place.
        let watchdog = manager.watchdogInterval.map { interval in
            Watchdog(
                every: interval,
                question: { answered in
                    guard let server = end.server else { return answered() }
                    server.whenAllAnswer(answered)
                }, alive: manager.isAlive)
        }
        defer { watchdog?.stop() }
        var settings = settings
        while true {
            let code = serve(
                &settings, announcesJSON: announcesJSON, greeting: greeting, manager: manager,
                log: log, until: end)
            if let code { return code }
        }
    }

    /// Runs one server to its end.
    ///
    /// - Parameter settings: Afterwards those of the server that is to take its place.
    /// - Returns: The exit code; nil where another server is to take its place.
    private static func serve(
        _ settings: inout ServeSettings, announcesJSON: Bool,
        greeting: ((FreshetServer) -> String)?, manager: ServiceManager, log: Log,
        until end: ProgramEnd
    ) -> Int32? {
        let server: FreshetServer
        let bar = RecoveryBar()
        var joining = end.joining
        joining.begin = { [number = joining.count] in end.joinAnew(number, $0) }
        do {
            server = try FreshetServer(
                settings, log: log,
                // A server closes what it listens on, and there may be another one after it.
                socket: manager.listening == 1
                    ? fcntl(ServiceManager.firstSocket, F_DUPFD_CLOEXEC, 0) : nil,
                joining: joining
            ) {
                bar.show($0)
                manager.starting(RecoveryBar.text($0))
            }
        } catch {
            // What reads lines of JSON reads this one, too.
            if log.format == .json {
                log.error("the server cannot start", ["reason": .string(error.sentence)])
            } else {
                complain(error.sentence)
            }
            return 1
        }
        switch end.begin(server) {
        case .over:
            // The process ends on another thread.
            end.wait()
            return 0
        case .serves(let mustReload):
            // What was read before a long replay is not what is asked for now.
            if mustReload { kill(getpid(), SIGHUP) }
        }
        reportRecovery(of: server.store, log)
        if let greeting {
            print(greeting(server))
            fflush(nil)
        } else {
            announce(server, settings, asJSON: announcesJSON)
        }
        manager.ready("listening on \(server.url)")
        end.wait()
        if end.joinsAnew {
            return joinAnew(server, &settings, manager: manager, log: log, end: end)
        }
        // A person who presses Ctrl-C waits for the end; no load balancer has to learn of it first.
        let isDrained = end.isTerminated && settings.drain > .zero
        // A second above what it takes: an end in time is no end too late.
        manager.stopping(
            within: server.handOverLimit + (isDrained ? settings.drain : .zero)
                + settings.limits.stopTimeout + .seconds(1),
            isDrained ? "draining" : "stopping")
        server.handOver()
        if isDrained {
            log.info("draining", ["milliseconds": .integer(settings.drain.wholeMilliseconds)])
            server.drain(within: settings.drain)
            // Nobody signals again: a second signal ends the process.
            end.wait(at: settings.drain)
        }
        log.info("stopping")
        server.stop()
        // What a failed last sync has lost must not look like a good end.
        let isSound = server.store.status.phase != .failed
        log.info("stopped")
        return isSound ? 0 : 1
    }

    /// Stops a server that follows its log no more: the next one joins, at the same address, with the
    /// configuration as it is now.
    private static func joinAnew(
        _ server: FreshetServer, _ settings: inout ServeSettings, manager: ServiceManager,
        log: Log, end: ProgramEnd
    ) -> Int32? {
        log.warning("stops, and joins its cluster anew")
        manager.starting("joining anew")
        server.stop()
        guard end.isOver() else { return 0 }
        let host = settings.host
        switch changes(for: server, from: settings.source) {
        case .success(let changed): settings = changed
        case .failure(let refused):
            // As a reload keeps what holds, and not what the process began with.
            settings = server.service.configuration.current.settings
            report(refused.faults, log)
        }
        settings.host = host
        if let port = server.url.split(separator: ":").last.flatMap({ UInt16($0) }) {
            settings.port = port
        }
        return nil
    }

    private static func watchSignals(
        _ settings: ServeSettings, log: Log, manager: ServiceManager, _ end: ProgramEnd
    ) -> [SignalSource] {
        // A file that is not to be had, on a mount that is away, must not keep the others from ending it.
        let reloads = SignalSource([SIGHUP]) { _ in
            guard let server = end.serverForReload() else { return }
            manager.reloading()
            reload(server, settings.source, log: log)
            manager.ready("listening on \(server.url)")
        }
        let ends = SignalSource([SIGTERM, SIGINT]) { signal in
            // A start changes nothing that the next one needs, so nothing has to be waited for.
            switch end.signalled(isTermination: signal == SIGTERM) {
            case .again: _exit(1)
            case .beforeStart:
                log.info("stopped before the start was done")
                _exit(0)
            case .first: break
            }
        }
        return [reloads, ends]
    }

    /// Reads the configuration anew; a faulty one is reported whole and the old one kept.
    private static func reload(
        _ server: FreshetServer, _ source: ConfigurationSource, log: Log
    ) {
        switch changes(for: server, from: source) {
        case .success(let changed): server.reload(changed)
        case .failure(let refused):
            server.refuse(refused.faults)
            report(refused.faults, log)
        }
    }

    /// What `server` can go on with of the configuration as it is now.
    private static func changes(
        for server: FreshetServer, from source: ConfigurationSource
    ) -> Result<ServeSettings, ConfigurationError> {
        let changed: ServeSettings
        do { changed = try source.load() } catch { return .failure(error) }
        guard let obstacle = server.obstacle(to: changed) else { return .success(changed) }
        let place = ConfigurationFault.Place.file(source.path ?? "configuration", pointer: "")
        return .failure(
            ConfigurationError(faults: [ConfigurationFault(place: place, expected: obstacle)]))
    }

    private static func report(_ faults: [ConfigurationFault], _ log: Log) {
        for fault in faults.map(\.description) {
            log.error(
                "the changed configuration is faulty and the old one is kept",
                ["fault": .string(fault)])
        }
    }

    /// What the start has found (storage.md section 8).
    private static func reportRecovery(of store: any EntityStore, _ log: Log) {
        guard let report = store.disk?.recovery, !report.isNew else { return }
        for left in report.leftInLog {
            log.warning(
                "a type is kept in memory now, and its entities in the log are not loaded",
                [
                    "type": .string(left.type.text), "entities": .integer(left.entities),
                    "hint": .string("they stay there, and come back when its store is file again"),
                ])
        }
        for damage in report.fallback {
            log.error(
                "a file of the data directory was damaged; the older generation told the same",
                [
                    "file": .string(damage.file), "offset": .integer(damage.offset),
                    "finding": .string(damage.finding),
                    "hint": .string("look after the disk; a new snapshot is written now"),
                ])
        }
        let milliseconds = Log.Value.integer(report.duration.wholeMilliseconds)
        guard let torn = report.torn else {
            log.info(
                "recovered",
                [
                    "entities": .integer(report.entities), "commits": .integer(report.commits),
                    "snapshot": .integer(Int(report.snapshotSeq ?? 0)),
                    "milliseconds": milliseconds,
                ])
            return
        }
        log.warning(
            "recovered; bytes behind the last commit were never acknowledged and are set aside",
            [
                "entities": .integer(report.entities), "commits": .integer(report.commits),
                "milliseconds": milliseconds, "file": .string(torn.file),
                "offset": .integer(torn.offset), "bytes": .integer(torn.count),
                "aside": .string(report.aside ?? ""),
            ])
    }

    /// The ready line of cli.md, and on a terminal what to do next.
    private static func announce(
        _ server: FreshetServer, _ settings: ServeSettings, asJSON: Bool
    ) {
        let place: String
        if case .directory(let directory) = settings.storage, settings.durability != .memory {
            place = directory
        } else {
            place = "memory"
        }
        if asJSON {
            let result: JSONValue = [
                "version": .string(BuildInfo.current.version), "url": .string(server.url),
                "data": .string(place), "entities": .number(String(server.entityCount)),
                "seq": .number(String(server.store.seq)),
            ]
            print(result.text)
        } else {
            print(
                "freshet \(BuildInfo.current.version) listening on \(server.url) (data: \(place),"
                    + " \(server.entityCount) entities at seq \(server.store.seq))"
                    + (server.isOnEveryAddress ? " on every address" : ""))
        }
        fflush(nil)
        if isatty(STDERR_FILENO) == 1 {
            StandardError.write(
                "open \(server.url)/ or try:\n"
                    + "  curl -X PUT --json '{\"title\":\"first\"}' \(server.url)/v1/task/1\n")
        }
    }

    /// Says why there is no server, as the program says all its failures.
    private static func complain(_ sentence: String) {
        StandardError.write("freshet: \(sentence)\n")
    }
}

/// Shows how far a start is on a terminal; silent elsewhere.
private struct RecoveryBar {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    func show(_ progress: RecoveryProgress) {
        guard isTerminal, progress.bytesTotal > 0 else { return }
        let isDone = progress.bytesRead >= progress.bytesTotal
        StandardError.write("\r" + Self.text(progress) + (isDone ? "\n" : ""))
    }

    static func text(_ progress: RecoveryProgress) -> String {
        let percent = progress.bytesRead * 100 / max(1, progress.bytesTotal)
        return switch progress.phase {
        case .snapshot: "reading the snapshot: \(percent) %"
        case .log: "reading the log: \(percent) %, \(progress.commits) commits"
        case .backup, .segments: "reading: \(percent) %"
        case .indexes: "building indexes: \(percent) %"
        }
    }
}

private enum StandardError {
    static func write(_ text: String) {
        var text = text
        // A sentence that cannot be written has nowhere else to go.
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// The server, once there is one, and why it is to end: by signals and orders, which come whenever they
/// like.
private final class ProgramEnd: Sendable {
    enum Beginning {
        /// The configuration is to be read again, if that was asked for meanwhile.
        case serves(mustReload: Bool)
        /// It was ended before; the server must not be used.
        case over
    }

    enum Signal {
        case first
        /// No server was there: none will be.
        case beforeStart
        case again
    }

    private struct State {
        var server: FreshetServer?
        var hasEnded = false
        /// A reload was asked for while there was no server.
        var mustReload = false
        var isTerminated = false
        /// Another server is to take the present one's place, on this word.
        var order: JoiningAnew.Order?
        /// How the present one has come to its place.
        var joining = JoiningAnew()
    }

    private let state = Shared(State())
    private let called = DispatchSemaphore(value: 0)

    var server: FreshetServer? { state.value.server }
    /// A service manager or an operator has ended it, and not a person at a terminal.
    var isTerminated: Bool { state.value.isTerminated }
    /// Another server is to take this one's place, and no signal has come.
    var joinsAnew: Bool { state.update { $0.order != nil && !$0.hasEnded } }

    /// How the present server has come to its place.
    var joining: JoiningAnew { state.value.joining }

    func begin(_ server: FreshetServer) -> Beginning {
        state.update { state in
            if !state.hasEnded || state.server != nil { state.server = server }
            guard state.server != nil else { return .over }
            defer { state.mustReload = false }
            return .serves(mustReload: state.mustReload)
        }
    }

    /// The server that is to read its configuration anew; where there is none yet, the next one will.
    func serverForReload() -> FreshetServer? {
        state.update {
            if $0.server == nil { $0.mustReload = true }
            return $0.server
        }
    }

    /// The server has stopped for another one.
    ///
    /// - Returns: false where a signal has come meanwhile: there is to be none.
    func isOver() -> Bool {
        state.update {
            $0.server = nil
            $0.joining.order = $0.order.take()
            $0.joining.count += 1
            return !$0.hasEnded
        }
    }

    /// Takes note of a signal that ends the program.
    func signalled(isTermination: Bool) -> Signal {
        let (signal, wakes) = state.update { state -> (Signal, Bool) in
            if isTermination { state.isTerminated = true }
            if state.hasEnded { return (.again, false) }
            state.hasEnded = true
            return state.server == nil ? (.beforeStart, false) : (.first, state.order == nil)
        }
        if wakes { called.signal() }
        return signal
    }

    /// Has another server take the place of the one of that number, where it is the present one.
    func joinAnew(_ number: Int, _ order: JoiningAnew.Order) {
        let isFirst = state.update { state in
            guard state.joining.count == number, state.order == nil, !state.hasEnded else {
                return false
            }
            state.order = order
            return true
        }
        if isFirst { called.signal() }
    }

    /// Waits for what ends the server.
    func wait() { called.wait() }

    /// Waits for at most `limit`.
    func wait(at limit: Duration) {
        _ = called.wait(timeout: .now() + .milliseconds(limit.wholeMilliseconds))
    }
}
