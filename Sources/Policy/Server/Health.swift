import Synchronization

/// What `/readyz` says beyond the store's own state. Any thread.
final class Health: Sendable {
    private let draining = Atomic<Bool>(false)
    private let stopping = Atomic<Bool>(false)

    /// Whether the end has been announced; all but `/readyz` goes on as before.
    var isDraining: Bool { draining.load(ordering: .acquiring) }

    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    func beginDraining() {
        draining.store(true, ordering: .releasing)
    }

    func beginStopping() {
        stopping.store(true, ordering: .releasing)
    }
}
