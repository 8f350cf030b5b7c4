import Glibc
import Synchronization

/// Threads for work that is cut into parts beforehand: loading, building.
enum Workers {
    private final class Place: Sendable {
        let next = Atomic<Int>(0)
    }

    /// As many as the machine has cores, at most 8.
    static var standard: Int { min(8, max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))) }

    /// Runs `body` once with each number of `0..<count`, and returns when all are done.
    ///
    /// - Parameters:
    ///   - threads: At most so many at once, the caller's included; 1 runs all in order. Where the
    ///     machine has no room for more threads there are fewer.
    ///   - each: Called on the caller's thread after each part that it ran itself.
    static func run(
        _ count: Int, threads: Int, each: () -> Void = {}, _ body: @escaping @Sendable (Int) -> Void
    ) {
        let place = Place()
        @Sendable func part() -> Bool {
            let index = place.next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard index < count else { return false }
            body(index)
            return true
        }
        let others = (0..<max(0, min(threads, count) - 1)).compactMap { _ in
            try? WriterThread { while part() {} }
        }
        while part() { each() }
        for other in others { other.join() }
    }
}

/// Places that parts of a work put their results into, one each.
// SAFETY: each place is written by the one thread that runs its part, and read after all have been
// joined.
final class ResultSlots<Value>: @unchecked Sendable {
    private let slots: UnsafeMutablePointer<Value?>
    let count: Int

    init(count: Int) {
        self.count = count
        slots = .allocate(capacity: max(1, count))
        slots.initialize(repeating: nil, count: count)
    }

    deinit {
        slots.deinitialize(count: count)
        slots.deallocate()
    }

    subscript(index: Int) -> Value? {
        get {
            precondition(index >= 0 && index < count, "a slot of another work")
            return slots[index]
        }
        set {
            precondition(index >= 0 && index < count, "a slot of another work")
            slots[index] = newValue
        }
    }
}
