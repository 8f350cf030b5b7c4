import Dispatch
package import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetNet
package import FreshetStore
import Glibc

/// Why the server could not start: one sentence for the person at the terminal.
package struct StartFailure: Error {
    package let sentence: String
}

/// One running server: a store, the core over it, and the HTTP server before it.
package final class FreshetServer: Sendable {
    /// Where it listens, a free port resolved.
    package let url: String
    package let store: any EntityStore
    private let service: FreshetService
    private let http: HTTPServer
    private let stopTimeout: Duration

    /// Opens the store, then listens.
    ///
    /// - Parameter progress: Called now and then while a log is replayed.
    package init(
        _ settings: ServeSettings, log: Log, progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StartFailure) {
        let catalog = TypeCatalog(settings.types, isStrict: settings.isStrict)
        let live = LiveQueries()
        let store = try Self.openStore(settings, catalog, live, log, progress)
        var limits = CoreManager.Limits()
        limits.documentBytes = settings.limits.documentBytes
        limits.searchLimit = settings.limits.searchLimit
        limits.queryTimeout = settings.limits.queryTimeout
        let core = CoreManager(store: store, catalog: catalog, limits: limits, live: live)
        do throws(NetError) {
            let address = try SocketAddress(host: settings.host, port: settings.port)
            let configuration = ServerConfiguration(
                address: address, limits: ServerLimits(settings.limits))
            let metrics = ServiceMetrics()
            service = FreshetService(
                core: core,
                requestGuard: RequestGuard(
                    boundHost: settings.host, isLoopback: address.isLoopback,
                    hosts: settings.hosts, allowedOrigins: settings.allowedOrigins),
                limits: settings.limits, health: Health(), metrics: metrics, build: .current,
                loops: configuration.loops, log: log)
            http = HTTPServer(configuration, responder: service, log: log)
            metrics.attach(http.metrics)
            url = "http://\(try http.start())"
        } catch {
            store.close()
            throw StartFailure(sentence: Self.sentence(error, settings))
        }
        self.store = store
        stopTimeout = settings.limits.stopTimeout
    }

    /// Stops as SIGTERM does: no new connections, `bye` to streams, requests finished, log synced.
    package func stop() {
        service.health.beginStopping()
        http.stop(grace: stopTimeout)
        store.close()
        service.core.live.detach()
    }

    /// How many entities there are.
    package var entityCount: Int {
        service.core.typeCounts().types.reduce(0) { $0 + $1.count }
    }

    private static func openStore(
        _ settings: ServeSettings, _ catalog: TypeCatalog, _ live: LiveQueries, _ log: Log,
        _ progress: (RecoveryProgress) -> Void
    ) throws(StartFailure) -> any EntityStore {
        guard case .directory(let directory) = settings.storage, settings.durability != .memory
        else {
            return MemoryStore(
                rules: catalog, observer: live, maximumEntity: settings.limits.documentBytes,
                maximumEntities: settings.limits.entities)
        }
        var options = FileStoreOptions(directory: directory)
        options.durability = settings.durability
        options.memoryTypes = catalog.memoryTypes
        options.writerVersion = BuildInfo.current.version
        options.maximumEntity = settings.limits.documentBytes
        options.maximumEntities = settings.limits.entities
        options.overloadAfter = settings.limits.overloadAfter
        do {
            return try FileStore.open(
                options, rules: catalog, observer: live, log: log, progress: progress)
        } catch {
            throw StartFailure(sentence: error.description)
        }
    }

    private static func sentence(_ error: NetError, _ settings: ServeSettings) -> String {
        switch error {
        case .resolution(let host):
            "the address \(host) is not known; give --listen HOST:PORT"
        case .addressInUse:
            "\(settings.address) is in use already; stop the other program or give --listen "
                + "another port (0 takes a free one)"
        case .system(let call, let number):
            "cannot listen on \(settings.address): \(call): \(String(cString: strerror(number)))"
        }
    }
}

extension ServerLimits {
    init(_ limits: Limits) {
        self.init()
        http.requestLine = limits.lineBytes
        http.headerBytes = limits.headerBytes
        http.headerFields = limits.headerCount
        http.body = limits.bodyBytes
        headTimeout = limits.headTimeout
        bodyGrace = limits.bodyGrace
        bodyBytesPerSecond = limits.bodyRate
        writeTimeout = limits.writeTimeout
        idleTimeout = limits.idleTimeout
        connections = limits.connections
        connectionsPerAddress = limits.connectionsPerAddress
        streams = limits.streams
    }
}

/// `freshet serve`: from settings to exit code.
package enum ServerProgram {
    /// Runs a server until a signal ends it.
    ///
    /// - Returns: 0 after a graceful stop, 1 where it could not start (said on standard error).
    package static func run(settings: ServeSettings) -> Int32 {
        let log = Log(level: settings.logLevel, format: settings.logFormat)
        let stop = DispatchSemaphore(value: 0)
        // Before anything is opened, so that a signal during a long replay is not lost.
        let signals = watchSignals(settings, log, stop)
        defer { signals.cancel() }
        let server: FreshetServer
        do {
            server = try FreshetServer(settings, log: log, progress: RecoveryBar().show)
        } catch {
            complain(error.sentence)
            return 1
        }
        announce(server, settings)
        stop.wait()
        log.info("stopping")
        server.stop()
        log.info("stopped")
        return 0
    }

    private static func watchSignals(
        _ settings: ServeSettings, _ log: Log, _ stop: DispatchSemaphore
    ) -> SignalSource {
        let received = Counter()
        return SignalSource(
            [SIGTERM, SIGINT, SIGHUP], queue: DispatchQueue(label: "freshet.signals")
        ) { signal in
            if signal == SIGHUP {
                do throws(ConfigurationError) {
                    _ = try settings.source.load()
                    log.info("configuration read anew; what changed is used from the next start")
                } catch {
                    log.error(
                        "the changed configuration is faulty and the old one is kept",
                        ["fault": .string("\(error.faults.first?.description ?? "")")])
                }
                return
            }
            received.add()
            if received.value > 1 { exit(1) }
            stop.signal()
        }
    }

    /// The ready line of cli.md, and on a terminal what to do next.
    private static func announce(_ server: FreshetServer, _ settings: ServeSettings) {
        let place: String
        if case .directory(let directory) = settings.storage, settings.durability != .memory {
            place = directory
        } else {
            place = "memory"
        }
        print(
            "freshet \(BuildInfo.current.version) listening on \(server.url) "
                + "(data: \(place), \(server.entityCount) entities at seq \(server.store.seq))")
        fflush(nil)
        if isatty(STDERR_FILENO) == 1 {
            complain("open \(server.url)/ or try:")
            complain("  curl -X PUT --json '{\"title\":\"first\"}' \(server.url)/v1/task/1")
        }
    }

    private static func complain(_ sentence: String) {
        StandardError.write(sentence + "\n")
    }
}

/// Shows the replay of a log on a terminal; silent elsewhere.
private struct RecoveryBar {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    func show(_ progress: RecoveryProgress) {
        guard isTerminal, progress.bytesTotal > 0 else { return }
        let percent = progress.bytesRead * 100 / progress.bytesTotal
        let isDone = progress.bytesRead >= progress.bytesTotal
        StandardError.write(
            "\rreading the log: \(percent) %, \(progress.commits) commits" + (isDone ? "\n" : ""))
    }
}

private enum StandardError {
    static func write(_ text: String) {
        var text = text
        // A sentence that cannot be written has nowhere else to go.
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
