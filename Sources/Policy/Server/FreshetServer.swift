package import FreshetBase
package import FreshetConfig
package import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetLive
import FreshetNet
package import FreshetRefresh
import FreshetQuery
import FreshetRemote
package import FreshetStore
import Glibc

/// One running server: a store, the core over it, and the HTTP server before it.
package final class FreshetServer: Sendable {
    /// Where it listens, a free port resolved.
    package let url: String
    /// Whether others than this machine reach it, by whatever address they know.
    let isOnEveryAddress: Bool
    /// Where other machines reach it, nil where they do not; until the end.
    private let exposed: String?
    package let store: any EntityStore
    let service: FreshetService
    private let catalog: TypeCatalog
    private let http: HTTPServer
    private let log: Log
    private let settings: ServeSettings
    /// What the board is told of upstreams.
    private let links: LinkPublisher
    private let memory: PressurePublisher
    private let memoryReturn = MemoryReturn()
    /// Logs what is wrong with specifications of the embedding program.
    private let specFaults: RunSubscription
    /// What drives operations from outside.
    package var controllers: ControllerSet { service.controllers }

    /// Standard streams, log, lock, the loops' own and the listener's take some 15; fewer than
    /// this leave nothing for clients.
    static let leastDescriptors = 32

    /// Listens, opens the store, then answers. While a log is replayed, health checks are answered
    /// and everything else is told to come again.
    ///
    /// - Parameters:
    ///   - board: What decides when operations run, with the embedding program's specifications.
    ///   - socket: What listens already, in place of the settings' address.
    ///   - joining: How it takes the place of a server that its cluster's log has left behind, and gives its
    ///     own.
    ///   - progress: Called now and then while a log is replayed.
    package init(
        _ settings: ServeSettings, log: Log, board: OperationBoard? = nil, socket: CInt? = nil,
        joining: JoiningAnew = JoiningAnew(),
        progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StartFailure) {
        try Self.checkMachine(settings, log)
        Self.keepSecrets(of: settings)
        let entrance = Entrance()
        let door = try Self.listen(settings, on: socket, for: entrance, log: log)
        http = door.http
        url = "http://\(door.address.reachable)"
        isOnEveryAddress = door.address.isUnspecified
        exposed = door.address.isLoopback ? nil : door.address.description
        catalog = TypeCatalog(
            settings.types, isStrict: settings.isStrict,
            maximumEntity: settings.limits.documentBytes)
        let live = LiveQueries(
            history: ChangeHistory.Limits(
                entries: settings.limits.history, bytes: settings.limits.historyBytes))
        let cluster: Cluster?
        do {
            (store, cluster) = try Self.openStore(
                settings, joining: joining, catalog: catalog, live: live, log: log
            ) {
                entrance.show($0)
                progress($0)
            }
        } catch {
            http.stop(grace: .zero)
            throw error
        }
        self.log = log
        self.settings = settings
        service = Self.makeService(
            settings, over: store, catalog: catalog, live: live, board: board, cluster: cluster,
            behind: door, joinsAnew: joining.begin, log: log)
        links = LinkPublisher(service.upstreams, to: service.core.operations.board) {
            [credentials = service.credentials] in credentials[$0]?.status.dependency
        }
        memory = PressurePublisher(to: service.core.operations.board)
        specFaults = service.core.operations.board.observeFaults { operation, fault in
            log.warning(
                "a run specification is at fault",
                ["operation": .string(operation ?? ""), "reason": .string(fault)])
        }
        publish()
        entrance.open(to: service)
    }

    // MARK: The start

    /// What listens.
    private struct Door {
        let http: HTTPServer
        /// A free port resolved.
        let address: SocketAddress
        /// Event loops.
        let loops: Int
    }

    private static func checkMachine(
        _ settings: ServeSettings, _ log: Log
    ) throws(StartFailure) {
        let descriptors = raiseDescriptorLimit()
        guard descriptors >= leastDescriptors else {
            throw StartFailure(
                sentence: "this process may open \(descriptors) files and sockets and needs "
                    + "\(leastDescriptors) at least: raise the limit with ulimit -n")
        }
        if let lack = lack(of: settings) { throw StartFailure(sentence: lack) }
        if sendsOut(settings), let weakness = OutgoingHTTP.weakness {
            log.warning("a newer libcurl is recommended", ["reason": .string(weakness)])
        }
    }

    /// Listens; what comes is `entrance`'s.
    ///
    /// - Parameter socket: What listens already, in place of the settings' address.
    private static func listen(
        _ settings: ServeSettings, on socket: CInt?, for entrance: Entrance, log: Log
    ) throws(StartFailure) -> Door {
        let door: Door
        do throws(NetError) {
            let place: ListeningPlace =
                if let socket {
                    .socket(socket)
                } else {
                    .address(try SocketAddress(host: settings.host, port: settings.port))
                }
            let configuration = ServerConfiguration(
                at: place, limits: ServerLimits(settings.limits))
            let http = HTTPServer(configuration, responder: entrance, log: log)
            door = Door(http: http, address: try http.start(), loops: configuration.loops)
        } catch {
            throw StartFailure(sentence: sentence(error, settings))
        }
        // The settings do not know the address of a socket that was handed over.
        guard socket == nil || door.address.isLoopback || !settings.isUnguarded else {
            door.http.stop(grace: .zero)
            throw StartFailure(
                sentence: ConfigurationSource.exposure(of: door.address.description))
        }
        return door
    }

    /// The core over the open store, what it sends to, and the handlers in front of it.
    private static func makeService(
        _ settings: ServeSettings, over store: any EntityStore, catalog: TypeCatalog,
        live: LiveQueries, board: OperationBoard?, cluster: Cluster?, behind door: Door,
        joinsAnew: (@Sendable (JoiningAnew.Order) -> Void)?, log: Log
    ) -> FreshetService {
        let upstreams = RemoteCatalog(
            settings.upstreams, settings.remotes, maximumEntity: settings.limits.documentBytes,
            userAgent: "freshet/\(BuildInfo.current.version)", log: log,
            permission: permission(store))
        let credentials = credentials(settings, of: upstreams, log)
        let core = CoreManager(
            store: store, catalog: catalog, limits: CoreLimits(settings.limits), live: live,
            digest: settings.digest, board: board, leadership: cluster?.leadership,
            sources: upstreams.sources, targets: targets(settings, upstreams.sources))
        let sessions = LiveSessions(snapshotBytes: settings.limits.snapshotBytes) {
            cluster?.streamProblem
        }
        let controllers = ControllerSet(
            core, upstreams: upstreams, mappings: settings.remotes,
            maximumEntity: settings.limits.documentBytes, log: log)
        let access = AccessControl(settings.access)
        let record = ConfigurationRecord(
            settings, address: "\(door.address)", loops: door.loops)
        return FreshetService(
            core: core, controllers: controllers,
            StandardHandlers(), requestGuard: requestGuard(settings, at: settings.host),
            access: access, credentials: credentials, upstreams: upstreams, sessions: sessions,
            system: SystemTypes(
                core,
                [
                    TypeRows(core), OperationRows(core, controllers), SpecRows(core, record),
                    ConditionRows(core, record),
                    UpstreamRows(
                        core, UpstreamDocument(upstreams: upstreams, credentials: credentials)),
                    StreamRows(sessions), TokenRows(access, record),
                ]),
            record, cluster: cluster, joinsAnew: joinsAnew, http: door.http.metrics, log: log)
    }

    /// Declares what runs by itself, begins to tell the board of the world, and to lead, where no other
    /// server does.
    private func publish() {
        service.declare(settings.operations)
        // The publisher holds the table of credentials.
        service.credentials.observe { [weak links] in links?.tokenChanged(of: $0) }
        links.begin()
        memory.begin()
        memoryReturn.start()
        controllers.declare(settings.controlled + Self.controlled(settings.operations))
        noteStranded()
        guard let cluster = service.cluster else { return service.beginLeading() }
        cluster.leadership.add(
            Leadership.Duties(
                begin: { [service] in service.beginLeading() },
                end: { [service] in service.endLeading() }))
        cluster.leadership.start(with: cluster.replica)
        cluster.posts.count(service.core.operations)
        // Sessions have the cluster.
        cluster.posts.outlived = { [weak sessions = service.sessions] in
            guard let sessions else { return }
            Cluster.move(sessions.streams, within: .seconds(1))
        }
    }

    /// Says which entries of the outbox nobody sends, since their type has no remote any more.
    private func noteStranded() {
        for (type, count) in service.core.outbox.stranded where count > 0 {
            log.warning(
                "entries of the outbox have no remote to go to",
                [
                    "type": .string(type.text), "entries": .integer(count),
                    "do": .string(
                        "name types.\(type.text).remote again, or give them up: "
                            + "DELETE /v1/_outbox/ID"),
                ])
        }
    }

    /// Whether this server sends requests to upstreams: of several with the same data, the leader.
    private static func permission(_ store: any EntityStore) -> SendPermission {
        guard let replica = store.replica else { return Upstream.always }
        return {
            guard replica.state.role == .leader else { return .never }
            return replica.mayStart ? .now : .later
        }
    }

    /// The configured operations that controllers drive.
    private static func controlled(_ operations: OperationsConfiguration) -> [ControlledDefinition]
    {
        operations.operations.compactMap { operation in
            operation.query.map { ControlledDefinition(operation.id, $0, operation.controlled) }
        }
    }

    /// The remotes that changes go to, by type.
    private static func targets(
        _ settings: ServeSettings, _ sources: [TypeName: any RemoteSource]
    ) -> [TypeName: OutboxTarget] {
        var targets: [TypeName: OutboxTarget] = [:]
        for mapping in settings.remotes {
            guard let source = sources[mapping.type] else { continue }
            var operations: Set<OutboxEntry.Operation> = []
            if mapping.create != nil { operations.insert(.create) }
            if mapping.update != nil { operations.insert(.update) }
            if mapping.remove != nil { operations.insert(.remove) }
            let upstream = settings.upstreams.first { $0.name == mapping.upstream }
            targets[mapping.type] = OutboxTarget(
                source, operations: operations, endpoints: mapping.writeEndpoints,
                revertsRejected: mapping.rejected == .revert,
                retry: upstream?.outboxRetry ?? OutboxTarget.standardRetry)
        }
        return targets
    }

    /// The data, for the program that this server runs in.
    package var core: CoreManager { service.core }

    /// Calls `done` once every event loop and the writer have had a turn; may wait itself.
    func whenAllAnswer(_ done: @escaping @Sendable () -> Void) {
        http.whenAllAnswer { [store] in
            // Without the right to commit the store is closed, and its writer at its end.
            if !store.withCommitRight({ _ in done() }) { done() }
        }
    }

    /// Announces the end: `/readyz` is 503 from now on, and everything else goes on; in a cluster the
    /// clients of streams go on at other servers meanwhile.
    ///
    /// - Parameter limit: When the end comes.
    package func drain(within limit: Duration) {
        service.health.beginDraining()
        guard service.cluster != nil else { return }
        // The last ones leave before the end does it.
        Cluster.move(service.sessions.movable, within: limit * 0.9)
    }

    /// How long `handOver` takes at most.
    var handOverLimit: Duration {
        service.cluster == nil ? .zero : Cluster.handOverLimit
    }

    /// Has another server lead, where this one does and there is another. Before `drain`: what comes
    /// meanwhile is sent on.
    package func handOver() {
        guard let cluster = service.cluster else { return }
        cluster.posts.beginEnding()
        guard cluster.leads else { return }
        let successors: [(name: String, url: String)]
        do throws(Problem) {
            successors = try cluster.posts.successors(
                named: nil, older: service.core.types.olderDigests)
        } catch {
            return log.warning("nobody takes the lead over", ["reason": .string(error.detail)])
        }
        let isOver = AwaitedValue<Bool>()
        cluster.handOver(to: successors) { [log] end in
            switch end {
            case .done(let name, .some):
                log.info("handed the lead over", ["to": .string(name)])
            case .done(let name, nil):
                log.warning("handed the lead over, and it was not taken yet", ["to": .string(name)])
            case .nobody, .notLeader, .failed, .unknown:
                let asked = successors.map(\.name).joined(separator: " ")
                log.warning("the lead was not handed over", ["asked": .string(asked)])
            }
            isOver.give(true)
        }
        _ = isOver.wait(until: .now + handOverLimit)
    }

    /// Stops as SIGTERM does behind its drain: no new connections, `bye` to streams, requests
    /// finished, log synced.
    package func stop() {
        service.health.beginStopping()
        // Long polls end by it, as streams do by `http.stop`.
        service.access.notifyListeners()
        service.cluster?.stopLeading()
        // A remote that does not answer holds nothing up.
        controllers.stop()
        service.upstreams.links.stop()
        memory.stop()
        memoryReturn.stop()
        service.core.operations.stop()
        service.core.outbox.close()
        // What is left of the time-out is for the log's last sync.
        http.stop(grace: settings.limits.stopTimeout * 0.8)
        service.cluster?.stopForwarding()
        store.close()
        service.system.stop()
        service.core.watcher.live.detach()
        service.core.operations.forgetNames()
        service.cluster?.leadership.forget()
    }

    /// Takes over of `changed` what can change while the server runs: log level, host names,
    /// origins, types and strictness, access. Says in the log what has to wait for the next start.
    package func reload(_ changed: ServeSettings) {
        var changed = changed
        var waiting = changed.keep(
            whatIsNamedBy: settings, from: service.configuration.current.settings)
        Self.keepSecrets(of: changed)
        log.level = changed.logLevel
        // What it listens on stays until the next start.
        service.replace(Self.requestGuard(changed, at: settings.host))
        let access = service.access
        service.cluster?.posts.digest = changed.digest
        service.core.types.reconfigure(changed.digest) {
            catalog.replace(changed.types, isStrict: changed.isStrict)
            access.replace(changed.access)
        } completion: {
            // The change has its place among the commits by now, so that streams step over it.
            access.notifyListeners()
        }
        service.core.types.declareIndexes()
        service.declare(changed.operations)
        // What streams tell of may be gone.
        access.notifyListeners()
        service.credentials.replace(changed.credentials)
        for (old, new) in zip(settings.effective, changed.effective)
        where old.value != new.value && !new.setting.changesAtOnce {
            waiting.append(new.setting.key.rawValue)
        }
        let (old, new) = (settings.cluster, changed.cluster)
        if old.secret != new.secret { waiting.append("cluster.secret") }
        if old.user != new.user || old.password != new.password || old.tls != new.tls {
            waiting.append("cluster.log")
        }
        if changed.upstreams != settings.upstreams { waiting.append("upstreams") }
        if changed.remotes != settings.remotes { waiting.append("types.*.remote") }
        let controllers = [settings, changed].map { settings in
            settings.operations.operations.filter { $0.controllers != nil }
                .map { "\($0.id) \(String(describing: $0.controllers))" }
        }
        if controllers[0] != controllers[1] { waiting.append("operations.*.controllers") }
        waiting += movedTypes(changed, \.memoryTypes).map { "types.\($0.text).store" }
        waiting += movedTypes(changed, \.syncedTypes).map { "types.\($0.text).durability" }
        service.configuration.replace(changed, waits: waiting)
        log.info(
            "configuration read anew",
            waiting.isEmpty
                ? [:] : ["waitsForTheNextStart": .string(waiting.joined(separator: " "))])
    }

    /// Why it cannot go on with `changed`, in a sentence.
    func obstacle(to changed: ServeSettings) -> String? {
        if let lack = Self.lack(of: changed) { return lack }
        // It listens where it does until the next start, whatever these say.
        if let exposed, changed.isUnguarded {
            return ConfigurationSource.exposure(of: exposed)
        }
        guard changed.cluster.isOn else { return nil }
        if changed.access != nil, settings.cluster.secret == nil {
            return "\"access\" of a cluster takes a restart of its servers, which prove themselves"
                + " to each other by the \"cluster.secret\" of their start"
        }
        do throws(StartFailure) { _ = try ClusterStore.engine(changed.cluster) } catch {
            return error.sentence
        }
        return nil
    }

    /// A dump of this process would hold them.
    private static func keepSecrets(of settings: ServeSettings) {
        if settings.mask.hasSecrets { forbidCoreDumps() }
    }

    /// Notes why a changed configuration is not taken over.
    func refuse(_ faults: [ConfigurationFault]) { service.configuration.refuse(faults) }

    /// The types that `changed` keeps in another way than this server does, which had to open its
    /// store by the settings of its start.
    private func movedTypes(
        _ changed: ServeSettings, _ kept: (TypeCatalog) -> Set<TypeName>
    ) -> [TypeName] {
        guard store.disk != nil else { return [] }
        let now = kept(TypeCatalog(settings.types))
        let then = kept(TypeCatalog(changed.types))
        return now.symmetricDifference(then).sorted { $0 < $1 }
    }

    /// How many entities there are.
    package var entityCount: Int {
        service.core.types.counts().types.reduce(0) { $0 + $1.count }
    }

    private static func requestGuard(
        _ settings: ServeSettings, at boundHost: String
    ) -> RequestGuard {
        RequestGuard(
            boundHost: boundHost, hosts: settings.hosts,
            allowedOrigins: settings.allowedOrigins,
            needsToken: settings.access?.anonymous.isEmpty ?? false)
    }

    /// What this machine lacks for `settings`, in a sentence: libcurl, which is loaded where an
    /// upstream, a credential or a cluster is named, and not before.
    package static func lack(of settings: ServeSettings) -> String? {
        sendsOut(settings) ? OutgoingHTTP.lack : nil
    }

    private static func sendsOut(_ settings: ServeSettings) -> Bool {
        !settings.upstreams.isEmpty || !settings.credentials.isEmpty || settings.cluster.isOn
    }

    private static func credentials(
        _ settings: ServeSettings, of upstreams: RemoteCatalog, _ log: Log
    ) -> CredentialTable {
        var directory: String?
        if case .directory(let path) = settings.storage { directory = path }
        let credentials = CredentialTable(
            of: upstreams.upstreams, directory: directory, log: log
        ) {
            HTTPTransport(base: $0, route: $1)
        }
        credentials.replace(settings.credentials)
        return credentials
    }

    private static func openStore(
        _ settings: ServeSettings, joining: JoiningAnew, catalog: TypeCatalog, live: LiveQueries,
        log: Log,
        _ progress: (RecoveryProgress) -> Void
    ) throws(StartFailure) -> (any EntityStore, Cluster?) {
        guard case .directory(let directory) = settings.storage, settings.durability != .memory
        else {
            return (
                MemoryStore(
                    rules: catalog, observer: live, maximumEntity: settings.limits.documentBytes,
                    maximumEntities: settings.limits.entities), nil
            )
        }
        var options = FileStoreOptions(directory: directory)
        options.durability = settings.durability
        options.memoryTypes = AnswerBook.withOwn(catalog.memoryTypes)
        options.syncedTypes = catalog.syncedTypes
        options.writerVersion = BuildInfo.current.version
        options.maximumEntity = settings.limits.documentBytes
        options.maximumEntities = settings.limits.entities
        options.overloadAfter = settings.limits.overloadAfter
        options.snapshotMinimum = settings.snapshots.after
        options.snapshotRate = settings.snapshots.rate
        options.retain = settings.snapshots.retain
        options.scrubRate = settings.scrubRate
        options.allowsNetwork = settings.allowsNetworkFiles
        if settings.cluster.isOn {
            let opened = try ClusterStore(
                settings, options, joining: joining, catalog: catalog, live: live, log: log,
                progress: progress)
            return (opened.replica, opened.cluster)
        }
        do {
            let store = try FileStore.open(
                options, rules: catalog, observer: live, log: log, progress: progress)
            return (store, nil)
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
        case .noListener:
            "the service manager hands over a socket that is no listening TCP socket: give the"
                + " .socket unit ListenStream=ADDRESS:PORT, and Accept=no"
        case .system(let call, let number):
            "cannot listen on \(settings.address): \(call): \(String(cString: strerror(number)))"
        }
    }
}

extension FreshetService {
    /// Begins what asks upstreams by itself, beside operations and the outbox.
    fileprivate func beginLeading() {
        credentials.begin()
        upstreams.links.start()
        controllers.begin()
    }

    fileprivate func endLeading() {
        credentials.pause()
        upstreams.links.stop()
        controllers.pause()
        // Whoever watches rows of the leader is told that they move.
        access.notifyListeners()
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

extension CoreLimits {
    fileprivate init(_ limits: Limits) {
        self.init()
        documentBytes = limits.documentBytes
        searchLimit = limits.searchLimit
        queryTimeout = limits.queryTimeout
        liveGroups = limits.liveGroups
        residualGroups = limits.residualGroups
        snapshotBytes = limits.snapshotBytes
    }
}
