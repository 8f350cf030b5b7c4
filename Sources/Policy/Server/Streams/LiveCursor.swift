import FreshetLive
package import FreshetStore

/// The `id:` of an event: a complete resume position.
///
///     <epoch>.<seq>              of a write, or of several queries in one URL
///     <epoch>.<seq>.s<seq>       of several queries in one URL, some told of more, by a server of a cluster
///     <epoch>.<seq>.<digest>     of a single query
///     <epoch>.<seq>.g<generation>-<session>   of a session
///     <epoch>.<seq>.x            of a connection that has lost a query: good for nothing
package struct LiveCursor: Equatable, Sendable {
    /// Which queries of which session were exact at the position.
    package struct Generation: Equatable, Sendable {
        let number: Int
        /// Random, so that no cursor of another session is taken for one of this.
        let session: UInt32
    }

    let position: Cursor
    /// A digest of the rows that the client shows; nil in cursors of writes and of several queries.
    let digest: UInt64?
    let generation: Generation?
    /// A query has ended that the client asks for again, and whose state it may have kept.
    let isSpoilt: Bool
    /// The newest commit that a client of several queries in one URL may know of, behind the position; nil
    /// where it is that, or where no other server would be asked.
    let told: UInt64?

    package init(
        position: Cursor, digest: UInt64? = nil, generation: Generation? = nil,
        isSpoilt: Bool = false, told: UInt64? = nil
    ) {
        self.position = position
        self.digest = digest
        self.generation = generation
        self.isSpoilt = isSpoilt
        self.told = told
    }

    /// Reads what a client sent; nil where it is none of ours, or good for nothing.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3,
            let position = Cursor(parts[0] + "." + parts[1])
        else { return nil }
        guard parts.count == 3 else {
            self.init(position: position)
            return
        }
        if let digest = UInt64(parts[2], radix: 16) {
            self.init(position: position, digest: digest)
            return
        }
        if parts[2].first == "s" {
            // An earlier version has said who told it, not how much.
            self.init(position: position, told: UInt64(parts[2].dropFirst()) ?? .max)
            return
        }
        let mark = parts[2].dropFirst().split(separator: "-")
        guard parts[2].first == "g", mark.count == 2, let number = Int(mark[0]),
            let session = UInt32(mark[1], radix: 16)
        else { return nil }
        self.init(
            position: position, generation: Generation(number: number, session: session))
    }

    package var text: String {
        if isSpoilt { return "\(position).x" }
        if let generation {
            let session = String(generation.session, radix: 16)
            return "\(position).g\(generation.number)-\(session)"
        }
        if let told { return "\(position).s\(told)" }
        guard let digest else { return position.description }
        return "\(position).\(String(digest, radix: 16))"
    }
}
