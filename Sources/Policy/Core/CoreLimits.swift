/// What one request, and one caller, may cost.
package struct CoreLimits: Sendable {
    /// Bytes of one entity's JSON as received.
    package var documentBytes = 1 << 20
    /// Most rows of one search window.
    package var searchLimit = 10_000
    /// A search that takes longer ends with a time-out.
    package var queryTimeout: Duration = .seconds(5)
    /// Rows × filter nodes that a caller's thread may spend: about 200 µs.
    var inlineCost = 4_000
    /// Most live queries of one caller; equal ones count once.
    package var liveGroups = 100_000
    /// Most live queries that no index finds.
    package var residualGroups = 10_000
    /// Largest snapshot of a live query.
    package var snapshotBytes = 64 << 20

    package init() {}
}
