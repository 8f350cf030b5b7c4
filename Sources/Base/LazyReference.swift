import Synchronization

/// A reference that is made at most once, by whichever thread needs it first, and then stays.
///
/// As `AtomicLazyReference`, whose functions are the library's own machine code: the thread sanitizer
/// sees none of their ordering and takes a reader of the object for a race with its maker.
package struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    /// One retain is held by what stands here.
    private let storage = Atomic<Unmanaged<Instance>?>(nil)

    package init() {}

    deinit {
        storage.load(ordering: .acquiring)?.release()
    }

    package func load() -> Instance? {
        storage.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// What stands afterwards: `made`, or what another thread has stored before.
    package func storeIfNil(_ made: Instance) -> Instance {
        let retained = Unmanaged.passRetained(made)
        let (exchanged, original) = storage.compareExchange(
            expected: nil, desired: retained, ordering: .acquiringAndReleasing)
        if exchanged { return made }
        retained.release()
        // Nothing but nil fails to be exchanged by what is no nil.
        return original?.takeUnretainedValue() ?? made
    }
}
