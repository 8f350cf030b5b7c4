import FreshetBase

/// Which queries of a stream of several are to be looked at, as others note it until the stream's
/// loop comes to it.
///
/// A writer changes the query's group and then notes it; the loop takes the note and then asks the
/// group. So it is enough to note a query once, and no change before a note is missed.
final class LiveNotes: Sendable {
    private let lock = Lock()
    // SAFETY: read and written under `lock` only, with `isNoted` of the entries.
    nonisolated(unsafe) private var entries: [LiveEntry] = []
    // SAFETY: as `entries`.
    nonisolated(unsafe) private var hasSourceNews = false
    // SAFETY: as `entries`.
    nonisolated(unsafe) private var isClosed = false

    /// Notes a query. When this returns, whoever takes the notes finds it among them, or took it
    /// after the call had begun.
    func record(_ entry: LiveEntry) {
        lock.withLock {
            guard !entry.isNoted, !isClosed else { return }
            entry.isNoted = true
            entries.append(entry)
        }
    }

    /// Notes that there is something new of a fetch behind some of the queries.
    func noteSources() {
        lock.withLock { hasSourceNews = true }
    }

    /// What was noted since the last call.
    func drain() -> (entries: [LiveEntry], hasSourceNews: Bool) {
        lock.withLock {
            for entry in entries { entry.isNoted = false }
            defer {
                entries = []
                hasSourceNews = false
            }
            return (entries, hasSourceNews)
        }
    }

    /// Nobody takes any more.
    func close() {
        lock.withLock {
            entries = []
            isClosed = true
        }
    }
}
