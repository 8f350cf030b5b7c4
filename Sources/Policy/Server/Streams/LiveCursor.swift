import FreshetLive
package import FreshetStore

/// The `id:` of an event: a complete resume position.
///
///     <epoch>.<seq>              of a write, or of several queries in one URL
///     <epoch>.<seq>.s<server>    of several queries in one URL, some told of more, by a process of a cluster
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
    /// The process of a cluster that has told more than the position says, of several queries in one
    /// URL: newer rows, which that process alone has shown as they came and went.
    let teller: UInt32?

    package init(
        position: Cursor, digest: UInt64? = nil, generation: Generation? = nil,
        isSpoilt: Bool = false, teller: UInt32? = nil
    ) {
        self.position = position
        self.digest = digest
        self.generation = generation
        self.isSpoilt = isSpoilt
        self.teller = teller
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
        if parts[2].first == "s", let teller = UInt32(parts[2].dropFirst(), radix: 16) {
            self.init(position: position, teller: teller)
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
        if let teller { return "\(position).s\(String(teller, radix: 16))" }
        guard let digest else { return position.description }
        return "\(position).\(String(digest, radix: 16))"
    }
}

extension EntityStore {
    /// What cursors of several queries in one URL say of this process; nil on a server alone, since
    /// nobody else would be asked.
    var teller: UInt32? { replica.map { UInt32(truncatingIfNeeded: $0.instance) } }
}

extension LiveResume {
    /// What a client of several queries holds that was told of a cut at `seq`.
    ///
    /// - Parameter ofOther: It may hold rows of later commits, too, and another server told of them:
    ///   that one could name those that went meanwhile; here they may have come and gone within one
    ///   step, so all is told anew.
    static func atCut(_ seq: UInt64, ofOther: Bool) -> LiveResume {
        ofOther ? .shown(digest: nil, else: .retention) : .cut(seq: seq)
    }
}
