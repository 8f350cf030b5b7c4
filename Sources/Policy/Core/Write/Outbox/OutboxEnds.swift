import FreshetQuery

/// What the ends of several entries come to.
enum OutboxEnds {
    /// None of them has ended yet.
    case nothing
    case undelivered(OutboxEntry?, EntityID)
    /// Some have taken too long: the entries tell what becomes of them.
    case late
    /// All were; the last to end.
    case delivered(OutboxEntry)

    mutating func take(_ entry: OutboxEntry?, _ id: EntityID) {
        switch (entry?.state, self) {
        case (_, .undelivered): break
        case (.rejected, _), (.dead, _), (nil, _): self = .undelivered(entry, id)
        case (.pending, _), (.sending, _): self = .late
        case (.done, .late), (.superseded, .late): break
        case (.done, _), (.superseded, _): self = entry.map { .delivered($0) } ?? self
        }
    }
}
