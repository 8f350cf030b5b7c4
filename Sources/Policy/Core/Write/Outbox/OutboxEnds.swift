import FreshetBase
import FreshetQuery

/// Gathers the ends of several entries.
// SAFETY: all mutable state is read and written under `lock`.
final class OutboxEnds: @unchecked Sendable {
    enum End {
        case undelivered(OutboxEntry?, EntityID)
        /// Some have taken too long: the entries tell what becomes of them.
        case late
        /// All were; the last to end.
        case delivered(OutboxEntry)
    }

    private let lock = Lock()
    private var left: Int
    private var end: End?
    private let completion: @Sendable (End) -> Void

    init(_ count: Int, _ completion: @escaping @Sendable (End) -> Void) {
        left = count
        self.completion = completion
    }

    func take(_ entry: OutboxEntry?, _ id: EntityID) {
        let end = lock.withLock {
            switch (entry?.state, self.end) {
            case (_, .undelivered): break
            case (.rejected, _), (.dead, _), (nil, _): self.end = .undelivered(entry, id)
            case (.pending, _), (.sending, _): self.end = .late
            case (.done, .late), (.superseded, .late): break
            case (.done, _), (.superseded, _): self.end = entry.map { .delivered($0) }
            }
            left -= 1
            return left == 0 ? self.end : nil
        }
        if let end { completion(end) }
    }
}
