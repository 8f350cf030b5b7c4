import Dispatch
import FreshetBase
import Testing

@Suite("What threads that hold a lock wait for")
struct LockConditionTests {
    /// A door with threads before it.
    // SAFETY: all mutable state is read and written under `lock`.
    private final class Door: @unchecked Sendable {
        let lock = Lock()
        let opened = LockCondition()
        private let counted = LockCondition()
        private var waiting = 0
        private var passed = 0
        private var isOpen = false

        /// Starts a thread that waits until the door is open.
        func startThread() {
            DispatchQueue(label: "test.door").async { [self] in
                lock.withLock {
                    waiting += 1
                    counted.signal()
                    while !isOpen { opened.wait(lock) }
                    passed += 1
                    counted.signal()
                }
            }
        }

        /// Opens the door once `count` threads sleep before it, which `wake` is to end.
        ///
        /// - Returns: Whether all of them have passed in time.
        func open(to count: Int, by wake: () -> Void) -> Bool {
            let deadline = MonotonicInstant.now + .seconds(60)
            return lock.withLock {
                while waiting < count {
                    guard counted.wait(lock, until: deadline) else { return false }
                }
                isOpen = true
                wake()
                while passed < count {
                    guard counted.wait(lock, until: deadline) else { return false }
                }
                return true
            }
        }
    }

    @Test("A wait ends at its deadline, and the lock is held again")
    func deadline() {
        let lock = Lock()
        let condition = LockCondition()
        let start = MonotonicInstant.now
        let woken = lock.withLock {
            // The second deadline has passed when the wait begins.
            [start + .milliseconds(1), start].map { condition.wait(lock, until: $0) }
        }
        #expect(woken == [false, false] && MonotonicInstant.now >= start + .milliseconds(1))
        #expect(lock.withLock { true })
    }

    @Test("A signal wakes a thread that waits")
    func signal() {
        let door = Door()
        door.startThread()
        #expect(door.open(to: 1) { door.opened.signal() })
    }

    @Test("A broadcast wakes each thread that waits")
    func broadcast() {
        let door = Door()
        for _ in 0..<4 { door.startThread() }
        #expect(door.open(to: 4) { door.opened.broadcast() })
    }
}
