import Dispatch
import FreshetBase
package import FreshetConfig
import FreshetCore
import FreshetHTTPClient
import FreshetLive
import FreshetLogDrivers
import FreshetRefresh
import FreshetRemote
import FreshetStore
import Glibc

/// The store of a server that shares its log, and the way to the others.
package struct ClusterStore {
    let replica: ReplicaStore
    let cluster: Cluster

    /// Opens the log and waits until this server has all of it that there was.
    init(
        _ settings: ServeSettings, _ options: FileStoreOptions, joining: JoiningAnew,
        catalog: TypeCatalog, live: LiveQueries, log: Log, progress: (RecoveryProgress) -> Void
    ) throws(StartFailure) {
        let cluster = settings.cluster
        let watch = LeaderWatch()
        let leadership = Leadership()
        let driver = try Self.engine(cluster)
        if try !Self.look(at: driver, log) { Self.lookAgain(cluster, for: leadership, log) }
        var clients: [HTTPClient] = []
        // Threads have them until they are told to stop.
        func giveUp() {
            for client in clients { client.stop() }
            leadership.stop()
        }
        do {
            clients.append(try HTTPClient(label: "freshet.cluster"))
            clients.append(
                try HTTPClient(label: "freshet.forwards", connectionsPerHost: Cluster.mostForwards))
        } catch {
            giveUp()
            throw StartFailure(sentence: "\(error)")
        }
        let (client, forwarder) = (clients[0], clients[1])
        var replica = ReplicaSettings(replica: cluster.replica)
        replica.url = cluster.advertise
        replica.hasPeers = cluster.peers.contains { $0 != cluster.advertise }
        replica.takeover = cluster.takeover
        replica.minWait = cluster.minWait
        replica.writeTimeout = cluster.writeTimeout
        replica.maxLag = cluster.maxLag > .zero ? cluster.maxLag : nil
        replica.configurationGrace = cluster.configGrace
        replica.keep = cluster.keep
        replica.keepMost = cluster.keepMost
        let noted = StateNote(log)
        let poster = LazyReference<ReplicaPosts>()
        let join = ReplicaJoin(
            directory: options.directory, settings: cluster, client: client,
            writerVersion: options.writerVersion)
        let leader: @Sendable () -> String? = { ReplicaStore.leader(of: driver) }
        let start = ReplicaStart(
            join: join, log: log, order: joining.order,
            need: { () throws(StoreError) in try ReplicaStore.lack(of: driver) }, leader: leader
        ) { [replica] epoch throws(StoreError) in
            try LogRenewal.renew(driver, of: epoch, for: replica)
        }
        do throws(StartFailure) {
            self.replica = try start.run(progress) { () throws(StoreError) in
                try ReplicaStore.open(
                    options, replica, log: driver, rules: catalog, observer: live, logger: log,
                    progress: progress,
                    onChange: { state in
                        leadership.changed()
                        watch.changed(to: state)
                        noted.changed(to: state)
                        poster.load()?.changed()
                    })
            }
        } catch {
            giveUp()
            throw error
        }
        let posts = ReplicaPosts(
            self.replica, cluster, digest: settings.digest, client, log, watch: watch)
        _ = poster.storeIfNil(posts)
        posts.introduce()
        posts.start()
        let store = self.replica
        self.cluster = Cluster(
            store, cluster, watch: watch, leadership: leadership, client: client,
            forwarder: forwarder, posts: posts, joins: start.joins.value,
            returning: joining.begin.map {
                ReplicaReturn(store, join, after: joining.count, leader: leader, begin: $0)
            })
    }

    /// The driver of the engine that `settings` name, which nobody has asked anything yet.
    static func engine(_ settings: ClusterSettings) throws(StartFailure) -> any LogEngine {
        do {
            return try driver(settings)
        } catch {
            throw StartFailure(sentence: "\(error)")
        }
    }

    private static func driver(_ settings: ClusterSettings) throws -> any LogEngine {
        let password = settings.password?.reveal()
        if PostgresAddress.isOne(settings.log) {
            var postgres = PostgresLog.Settings(try PostgresAddress(settings.log))
            postgres.user = settings.user
            postgres.password = password
            postgres.isSingle = settings.isSingle
            return try PostgresLog(postgres)
        }
        var etcd = EtcdLog.Settings(try EtcdAddress(settings.log))
        etcd.roots = settings.tls.roots
        etcd.certificate = settings.tls.certificate
        etcd.key = settings.tls.key
        etcd.user = settings.user
        etcd.password = password
        etcd.compacts = settings.compacts
        return try EtcdLog(etcd)
    }

    /// Says what is to be said of the engine.
    ///
    /// - Returns: false where it gives no answer.
    @discardableResult
    static func look(at driver: any LogEngine, _ log: Log) throws(StartFailure) -> Bool {
        do throws(LogTrouble) {
            for warning in try driver.check() {
                log.warning("the cluster's log", ["reason": .string(warning)])
            }
            return true
        } catch {
            try refuse(error)
            return false
        }
    }

    /// - Throws: Why the engine cannot be used, where it has said so.
    private static func refuse(_ trouble: LogTrouble) throws(StartFailure) {
        guard case .refused(let reason) = trouble else { return }
        throw StartFailure(sentence: "the cluster's log cannot be used: \(reason)")
    }

    /// `freshet check`: what is to be said of the engine that `settings` name, a sentence each. That it
    /// gives no answer is no fault of the configuration.
    ///
    /// - Throws: Why it cannot be used.
    package static func remarks(on settings: ClusterSettings) throws(StartFailure) -> [String] {
        let driver = try engine(settings)
        do throws(LogTrouble) {
            return try driver.check().map { "the cluster's log: \($0)" }
        } catch {
            try refuse(error)
            return ["the cluster's log was not looked at: \(error.text)"]
        }
    }

    /// Looks at an engine that was away until it gives an answer or this server stops, on a thread and by a
    /// driver of its own.
    private static func lookAgain(
        _ settings: ClusterSettings, for leadership: Leadership, _ log: Log
    ) {
        // Without a thread it is not looked at: what is wrong with it shows by its use.
        _ = try? WriterThread(isBackground: true) {
            guard let driver = try? engine(settings) else { return }
            do throws(StartFailure) {
                while !leadership.isStopped {
                    if try look(at: driver, log) { return }
                    sleep(5)
                }
            } catch {
                log.error("the cluster's log", ["reason": .string(error.sentence)])
            }
        }
    }
}

/// Says in the log what becomes of this server in its cluster.
private final class StateNote: Sendable {
    private let log: Log
    private let last = Shared("")

    init(_ log: Log) { self.log = log }

    func changed(to state: ReplicaState) {
        let text = "\(state.role.name) \(state.term) \(state.leader?.name ?? "")"
        guard last.set(text) != text else { return }
        log.info(
            "cluster",
            [
                "role": .string(state.role.name), "term": .integer(Int(clamping: state.term)),
                "leader": state.leader.map { .string($0.name) } ?? .absent,
            ])
    }
}
