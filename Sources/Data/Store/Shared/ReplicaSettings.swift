/// How a replica takes part in its cluster.
package struct ReplicaSettings: Sendable {
    /// The name of this replica, and where it takes requests.
    package var replica: String
    package var url = ""
    /// Others are known to take part.
    package var hasPeers = false
    /// Nothing heard for so long, and this replica tries to lead.
    package var takeover = Duration.seconds(3)
    /// A leader puts a head at least as often.
    package var beat = Duration.seconds(1)
    /// A step that is not settled by then gets an answer that says so.
    package var writeTimeout = Duration.seconds(5)
    /// The longest that a read waits for a commit to come here.
    package var minWait = Duration.seconds(2)
    /// A read is refused where nothing was heard of the log for longer.
    package var maxLag: Duration?
    /// What is here is read for so long though the log has noted another configuration.
    package var configurationGrace = Duration.seconds(600)
    /// What was put so lately stays in the log, but no more bytes than these.
    package var keep = Duration.seconds(900)
    package var keepBytes = 256 << 20
    /// Where the log has more, replicas that lag are left behind: they join anew.
    package var keepMost = 1 << 30
    /// Between two tries to settle.
    package var retry = Duration.milliseconds(50)
    /// A leader that has had no answer for so long starts nothing before it has put a beat.
    package var staleness: Duration { takeover / 2 }

    /// A leader gives nothing up before it has heard so long of the others: six times what is between
    /// two posts, and less only where so little is kept.
    package var hearing: Duration { min(.seconds(30), max(keep, .seconds(6))) }

    package init(replica: String) {
        self.replica = replica
    }
}
