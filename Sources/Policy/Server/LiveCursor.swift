import FreshetStore

/// The `id:` of an event: `<epoch>.<seq>.<digest>`, a complete resume position.
struct LiveCursor: Equatable, Sendable {
    let position: Cursor
    /// Of the rows that the client shows; nil in cursors of writes.
    let digest: UInt64?

    init(position: Cursor, digest: UInt64?) {
        self.position = position
        self.digest = digest
    }

    /// Reads what a client sent; nil where it is none of ours.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3,
            let position = Cursor(parts[0] + "." + parts[1])
        else { return nil }
        self.position = position
        guard parts.count == 3 else {
            digest = nil
            return
        }
        guard let digest = UInt64(parts[2], radix: 16) else { return nil }
        self.digest = digest
    }

    var text: String {
        guard let digest else { return position.description }
        return "\(position).\(String(digest, radix: 16))"
    }
}
