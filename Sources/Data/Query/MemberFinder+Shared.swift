import FreshetBase

// A finder remembers places for 64 shapes, half a KiB. A search has its own, which no other thread
// writes to; a hundred thousand standing filters ask for the same few properties and share them,
// which saves most of their memory and keeps what they read for a change in the caches.

/// The finders that are shared.
// SAFETY: `lock` guards `finders`.
private final class Shelf: @unchecked Sendable {
    /// Paths that are kept; beyond, all are forgotten, and who has a finder keeps it.
    private static let capacity = 1024

    private let lock = Lock()
    private var finders: [PropertyPath: MemberFinder] = [:]

    func finder(_ path: PropertyPath) -> MemberFinder {
        lock.withLock {
            if let known = finders[path] { return known }
            if finders.count == Self.capacity { finders.removeAll() }
            let made = MemberFinder(path)
            finders[path] = made
            return made
        }
    }
}

extension MemberFinder {
    private static let shelf = Shelf()

    /// A finder of `path` that others have, too. Any thread.
    package static func shared(_ path: PropertyPath) -> MemberFinder { shelf.finder(path) }
}
