import FreshetBase
import Glibc

/// A thread that runs one body, and can be waited for by anyone, any number of times.
package final class WriterThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        let ended = AwaitedValue<Bool>()

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private let body: Body

    /// - Parameter isBackground: It gives way to the threads that answer, where all want a core.
    package init(isBackground: Bool = false, _ run: @escaping @Sendable () -> Void) {
        let body = Body {
            // On Linux of the calling thread alone; where it is refused, all are equal.
            if isBackground { _ = nice(10) }
            run()
        }
        self.body = body
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                body.run()
                body.ended.give(true)
                return nil
            }, Unmanaged.passRetained(body).toOpaque())
        precondition(status == 0, "the writer thread could not be started: \(status)")
        pthread_detach(thread)
    }

    /// Waits for the end of the body.
    func join() {
        _ = body.ended.wait()
    }
}

/// One value from one thread to others that wait for it.
final class AwaitedValue<Value: Sendable>: Sendable {
    private let lock = Lock()
    private let given = LockCondition()
    // SAFETY: read and written under `lock` alone.
    nonisolated(unsafe) private var value: Value?

    func give(_ value: Value) {
        lock.withLock {
            self.value = value
            given.broadcast()
        }
    }

    func wait() -> Value {
        lock.withLock {
            while true {
                if let value { return value }
                given.wait(lock)
            }
        }
    }
}
