package import FreshetBase

/// What the server counts; each number may be read at any time from any thread.
package struct ServerMetrics: Sendable {
    /// Connections accepted since the start.
    package let accepted = Counter()
    /// Open connections, streams not counted.
    package let open = Counter()
    /// Those of them that have a place of the reserve.
    package let reserved = Counter()
    /// Open streams.
    package let streams = Counter()
    /// Bytes of bodies that have come in part.
    package let bodyBytes = Counter()
    /// Requests whose head was read whole.
    package let requests = Counter()
    package let bytesIn = Counter()
    package let bytesOut = Counter()
    /// Requests that the driver itself has refused: malformed, too large, too slow.
    package let faults = Counter()
    /// Idle connections closed to make room.
    package let shed = Counter()
    /// Connections refused because there were too many.
    package let refused = Counter()
    /// Calls of accept that failed for want of descriptors or memory.
    package let acceptFailures = Counter()
    /// By loop.
    package let traffic: [LoopTraffic]

    package init(loops: Int) {
        traffic = (0..<loops).map { _ in LoopTraffic() }
    }
}
