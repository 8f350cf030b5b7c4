package import FreshetHTTP
package import FreshetNet

/// Every bound of the server's connections. The defaults are those of the contract.
package struct ServerLimits: Sendable {
    /// Bounds of one request: line, headers, body.
    package var http = HTTPLimits()
    /// From the first byte of a request head to its last.
    package var headTimeout: Duration = .seconds(10)
    /// After this span a body must have come with `bodyBytesPerSecond` on average.
    package var bodyGrace: Duration = .seconds(10)
    /// The least rate of a body behind its grace.
    package var bodyBytesPerSecond = 1024
    /// No byte of a body comes for longer than this, or the grace where that is longer.
    var bodySilence: Duration = .seconds(60)
    /// Bytes of bodies that have come in part, over all connections: one that is larger is taken while
    /// it is the only one.
    var bodyMemory = 256 << 20
    /// Output waits for a client that takes nothing no longer than this.
    package var writeTimeout: Duration = .seconds(30)
    /// A connection without a request is closed after this span.
    package var idleTimeout: Duration = .seconds(75)
    /// Open connections, streams not counted. A client above them is told so (503); 256 at a time
    /// are, and those beyond are closed without a word.
    package var connections = 10_000
    /// Connections beyond `connections` that are heard, for one request that the responder serves
    /// even then, if it comes without delay: so an administrator gets in when the service is full.
    package var reservedConnections = 16
    /// Open connections of one client address; loopback is exempt.
    package var connectionsPerAddress = 1_000
    /// Open streams.
    package var streams = 10_000
    /// A connection is given up for a new one only after this span without a request.
    package var sheddableAfter: Duration = .seconds(1)
    /// Unsent output of one connection at which no further pipelined request is begun.
    package var outputBytes = 1 << 20
    /// An unread body up to this size is skipped, so that the connection can go on.
    package var skippedBodyBytes = 64 * 1024
    /// How long a closing connection waits for the client to read the last answer.
    package var lingerTimeout: Duration = .seconds(3)
    /// The kernel's send buffer of an event stream; with the default a stopped reader swallows 3.9 MB.
    package var streamSendBuffer = 64 * 1024
    /// `TCP_NOTSENT_LOWAT` of an event stream.
    package var streamNotSentLowWater = 16 * 1024

    package init() {}

    /// The most input that a connection leaves for later: a head that is one byte short, or what a
    /// body's decoder waits for the end of (a chunk's line, the trailers).
    var largestRest: Int {
        let head = http.requestLine + http.headerBytes + 2 * http.leadingEmptyLines
        // 64 for line ends and the digits of a chunk's size.
        return max(head, http.chunkExtensionBytes + http.trailerBytes) + 64
    }
}

/// Where to listen and with what.
package struct ServerConfiguration: Sendable {
    package var place: ListeningPlace
    /// Event loops; one per CPU is right.
    package var loops: Int
    package var limits: ServerLimits

    package init(
        at place: ListeningPlace, loops: Int = EventLoopGroup.availableCPUs,
        limits: ServerLimits = ServerLimits()
    ) {
        self.place = place
        self.loops = loops
        self.limits = limits
    }
}
