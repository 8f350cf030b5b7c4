import FreshetBase
import Synchronization

/// A lock that some groups share: a hundred thousand of their own were a twentieth of their memory.
///
/// Nothing that is done under it asks another group, which might have the same one. In a debug build
/// all groups have the same one, so that any test that does it ends (see `Lock`).
final class LiveGroupLock: Sendable {
    #if DEBUG
        private static let count = 1
    #else
        /// So many that two threads which are at work on two groups hardly meet.
        private static let count = 1_024
    #endif
    private static let all = (0..<count).map { _ in LiveGroupLock() }
    private static let turn = Atomic<Int>(0)

    private let lock = Lock()

    /// The lock of the next group that is made.
    static func next() -> LiveGroupLock {
        let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return all[turn & (count - 1)]
    }

    @inline(__always)
    func withLock<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}
