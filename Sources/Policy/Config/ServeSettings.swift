package import FreshetBase
package import FreshetCore
package import FreshetJSON
package import FreshetRemote
package import FreshetStore

/// Everything that `freshet serve` needs to know, checked and complete.
package struct ServeSettings: Sendable {
    package enum Storage: Sendable, Equatable {
        case memory
        case directory(String)
    }

    /// A name or an address, an IPv6 address without brackets.
    package var host = ""
    /// 0 takes a free one.
    package var port: UInt16 = 0
    package var storage = Storage.memory
    package var durability = Durability.memory
    package var snapshots = SnapshotSettings(after: 0, rate: 0, retain: 0)
    /// Bytes a second that the store is checked with; 0: never.
    package var scrubRate = 0
    /// The data directory may lie on a network file system.
    package var allowsNetworkFiles = false
    /// Everybody may connect and do everything where there is no `access`; without either only a
    /// loopback host is taken.
    package var isOpen = false
    /// Everybody may do everything, and nobody has said that others may connect.
    package var isUnguarded: Bool { access == nil && !isOpen }
    /// Declared types only.
    package var isStrict = false
    /// The declared types in the order of the file.
    package var types: [TypeSchema] = []
    /// Who may do what; nil: everybody may do everything.
    package var access: AccessSettings?
    /// The services that entities come from, in the order of the file.
    package var upstreams: [UpstreamSettings] = []
    /// How the entities of the types that have a remote are had.
    package var remotes: [RemoteMapping] = []
    /// The credentials of upstreams, by the upstream's name.
    package var credentials: [String: OAuth2Configuration] = [:]
    /// Operations that controllers drive.
    package var controlled: [ControlledDefinition] = []
    /// Conditions, run specifications, and what runs by them.
    package var operations = OperationsConfiguration()
    /// Hexadecimal, of the file's `types` and `access`: what a query means depends on them. "" without
    /// either.
    package var digest = ""
    /// Further names that the header `Host` may have, with or without a port.
    package var hosts: [String] = []
    /// Origins whose pages may read and write, exactly as browsers send them.
    package var allowedOrigins: [String] = []
    /// The servers that have the same data.
    package var cluster = ClusterSettings()
    /// How long a server that is told to end goes on, so that what spreads requests learns of it
    /// first.
    package var drain = Duration.zero
    package var logLevel = Log.Level.info
    package var logFormat = Log.Format.text
    package var limits = Limits()
    /// Every setting with what gave it its value.
    package var effective: [ConfigurationSource.Effective] = []
    /// The members of the file that are no settings, without their secrets.
    package var sections = JSONValue.object([])
    /// Hides the file's secrets.
    package var mask = ConfigurationMask([])
    /// Where all this came from; `source.load()` reads it anew.
    package var source: ConfigurationSource

    /// What the fields have before `Setting.all` fills them holds nowhere.
    init(source: ConfigurationSource) { self.source = source }

    /// `127.0.0.1:8080`, as people write it.
    package var address: String { SettingText.text(host: host, port: port) }

    /// The defaults for tests: memory, a free port of the loopback address.
    package static let standard: ServeSettings = {
        let source = ConfigurationSource(
            flags: ["memory": ["true"], "listen": ["127.0.0.1:0"]], environment: [:], path: nil)
        return source.resolve().settings
    }()
}

/// When the log is made short again, and how.
package struct SnapshotSettings: Sendable, Equatable {
    /// A snapshot is due when the log behind the last one has more bytes than this and than the
    /// entities.
    package var after: Int
    /// Bytes a second; 0 is no limit.
    package var rate: Int
    /// Generations that are kept, 1 or 2.
    package var retain: Int
}

/// The bounds of everything that a client can make large, many or slow.
package struct Limits: Sendable, Equatable {
    package var documentBytes = 1 << 20
    package var bodyBytes = 16 << 20
    /// Bytes of a body that is one entity, which may be spaced out to four times what may be stored of it.
    package var entityBodyBytes: Int { min(bodyBytes, 4 * documentBytes) }
    package var lineBytes = 8 << 10
    package var headerBytes = 32 << 10
    package var headerCount = 100
    package var headTimeout = Duration.seconds(10)
    package var bodyGrace = Duration.seconds(10)
    /// Bytes a second.
    package var bodyRate = 1 << 10
    package var writeTimeout = Duration.seconds(30)
    package var idleTimeout = Duration.seconds(75)
    package var connections = 10_000
    package var connectionsPerAddress = 1_000
    package var streams = 10_000
    /// The highest `limit` of a search.
    package var searchLimit = 10_000
    package var queryTimeout = Duration.seconds(5)
    /// `Int.max` where there is none.
    package var entities = Int.max
    package var overloadAfter = Duration.seconds(2)
    package var stopTimeout = Duration.seconds(10)
    package var heartbeat = Duration.seconds(15)
    package var streamLifetime = Duration.seconds(1800)
    /// Changes that are kept for live clients that come back.
    package var history = 100_000
    package var historyBytes = 8 << 20
    /// Live queries of one caller.
    package var liveGroups = 100_000
    /// Live queries that no index finds.
    package var residualGroups = 10_000
    /// The largest answer of a live query.
    package var snapshotBytes = 64 << 20

    package init() {}
}
