package import FreshetRemote

/// How a server shares its data with others (replication.md section 10).
package struct ClusterSettings: Sendable, Equatable {
    /// The URL of the log that the servers share; "" for a server alone.
    package var log = ""
    /// The name of this server among them.
    package var replica = ""
    /// The URL at which the others reach it.
    package var advertise = ""
    /// The URLs of others that are asked for a backup, beside the leader.
    package var peers: [String] = []
    /// The proof of requests between them; nil: such a request is judged as any other.
    package var secret: Secret?
    /// A user of the log's engine.
    package var user: String?
    package var password: Secret?
    /// Authorities and a certificate for the engine.
    package var tls = Files()
    /// Nothing heard of a leader for so long, and another server tries to lead.
    package var takeover = Duration.zero
    /// The longest that a write waits for a leader.
    package var leaderWait = Duration.zero
    /// The longest that a read waits for a commit.
    package var minWait = Duration.zero
    /// A read is refused where what is here may be older; zero: none is.
    package var maxLag = Duration.zero
    /// How long this server answers reads though the cluster's log has noted another configuration.
    package var configGrace = Duration.seconds(600)
    /// The longest that a write waits for the log.
    package var writeTimeout = Duration.zero
    /// What was put so lately stays in the log.
    package var keep = Duration.zero
    /// Where the log has more bytes, servers that lag are left behind.
    package var keepMost = 0
    /// The engine's history is given up though it holds keys of others.
    package var compacts = false
    /// PostgreSQL's log may be on one machine alone.
    package var isSingle = false

    /// Files in PEM.
    package struct Files: Sendable, Equatable {
        package var roots: String?
        package var certificate: String?
        package var key: String?

        package init() {}
    }

    package var isOn: Bool { !log.isEmpty }
}
