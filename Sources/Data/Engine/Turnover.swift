/// What a table has replaced or removed since it was made; it only grows. The difference of two says
/// what rows as they were at the first cost beside the table as it was at the second.
package struct Turnover: Equatable, Sendable {
    /// About what a row takes beside its JSON: its place in a leaf, and the document's own overhead.
    package static let rowBytes = 120
    /// What one change copies for those who see the table as it was: a leaf.
    private static let leafBytes = 1 << 10

    /// How many documents.
    private var count = 0
    /// Their stored JSON, in bytes.
    private var bytes = 0

    package init() {}

    /// Counts a document of `bytes` JSON that the table has no longer.
    mutating func add(bytes: Int) {
        count += 1
        self.bytes += bytes
    }

    /// Bytes that are kept for whoever keeps `rows` rows as they were, of `bytes` JSON, beside those who
    /// keep them as they are at `next`.
    package func kept(until next: Turnover, rows: Int, bytes: Int) -> Int {
        let (count, replaced) = (next.count - self.count, next.bytes - self.bytes)
        // A table that was made anew shares nothing.
        guard count >= 0, replaced >= 0 else { return bytes + rows * Self.rowBytes }
        return min(bytes, replaced)
            + min(rows * Self.rowBytes, count * (Self.rowBytes + Self.leafBytes))
    }
}
