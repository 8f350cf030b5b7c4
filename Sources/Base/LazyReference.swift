package import Synchronization

/// A reference that is made at most once, by whichever thread needs it first, and then stays.
///
/// As `AtomicLazyReference`, whose functions are the library's own machine code: the thread sanitizer
/// sees none of their ordering and takes a reader of the object for a race with its maker.
// SAFETY: what is stored is the address of an `Instance`, which any thread may use, and is read and set
// atomically.
package struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
    /// Its address; one retain is held by what stands here. No `Unmanaged<Instance>`, whose type each
    /// access looks up at run time.
    @usableFromInline let storage = Atomic<UnsafeRawPointer?>(nil)

    package init() {}

    deinit {
        if let address = storage.load(ordering: .acquiring) {
            Unmanaged<Instance>.fromOpaque(address).release()
        }
    }

    @inlinable package func load() -> Instance? {
        storage.load(ordering: .acquiring).map {
            Unmanaged<Instance>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// What stands afterwards: `made`, or what another thread has stored before.
    package func storeIfNil(_ made: Instance) -> Instance {
        let retained = Unmanaged.passRetained(made)
        let (exchanged, original) = storage.compareExchange(
            expected: nil, desired: UnsafeRawPointer(retained.toOpaque()),
            ordering: .acquiringAndReleasing)
        if exchanged { return made }
        retained.release()
        // Nothing but nil fails to be exchanged by what is no nil.
        return original.map { Unmanaged<Instance>.fromOpaque($0).takeUnretainedValue() } ?? made
    }
}
