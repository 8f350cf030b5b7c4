import FreshetBase

/// A door that holds everybody who comes until it is opened, and tells how many have come.
// SAFETY: all mutable state is read and written under `lock`.
package final class Gate: @unchecked Sendable {
    private let lock = Lock()
    private var isOpen = false
    private var count = 0
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    package init() {}

    package var arrivals: Int { lock.withLock { count } }

    /// Comes to the gate and waits until it is open, cancelled or not.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let (passes, seen) = lock.withLock {
                count += 1
                if !isOpen { held.append(continuation) }
                let seen = watchers.filter { $0.count <= count }.map(\.continuation)
                watchers.removeAll { $0.count <= count }
                return (isOpen, seen)
            }
            if passes { continuation.resume() }
            for watcher in seen { watcher.resume() }
        }
    }

    /// Waits until `number` have come.
    package func arrived(_ number: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if count < number { watchers.append((number, continuation)) }
                return count >= number
            }
            if isThere { continuation.resume() }
        }
    }

    package func open() {
        let waiting = lock.withLock {
            isOpen = true
            defer { held = [] }
            return held
        }
        for continuation in waiting { continuation.resume() }
    }
}
