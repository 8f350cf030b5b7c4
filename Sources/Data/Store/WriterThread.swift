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
    /// - Throws: Where the machine, or the process's limits, have no room for another thread.
    package init(
        isBackground: Bool = false, _ run: @escaping @Sendable () -> Void
    ) throws(SystemFault) {
        let body = Body {
            // On Linux of the calling thread alone; where it is refused, all are equal.
            if isBackground { _ = nice(10) }
            run()
        }
        self.body = body
        var thread = pthread_t()
        let given = Unmanaged.passRetained(body)
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                body.run()
                body.ended.give(true)
                return nil
            }, given.toOpaque())
        guard status == 0 else {
            given.release()
            throw SystemFault("pthread_create", "a thread", status)
        }
        pthread_detach(thread)
    }

    /// Threads of which each needs the others: all run, or none.
    static func start(
        _ bodies: [@Sendable () -> Void]
    ) throws(SystemFault) -> [WriterThread] {
        let mayRun = AwaitedValue<Bool>()
        var threads: [WriterThread] = []
        do throws(SystemFault) {
            for body in bodies {
                threads.append(try WriterThread { if mayRun.wait() { body() } })
            }
        } catch {
            mayRun.give(false)
            throw error
        }
        mayRun.give(true)
        return threads
    }

    /// Waits for the end of the body.
    func join() {
        _ = body.ended.wait()
    }
}
