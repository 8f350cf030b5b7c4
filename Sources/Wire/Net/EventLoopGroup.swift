import CLinux
import Dispatch
import FreshetBase
import Glibc

/// The loops of a server and their listener.
package final class EventLoopGroup: Sendable {
    /// At least one.
    package let loops: [EventLoop]
    private let running = DispatchGroup()

    /// Makes `count` loops that do not run yet. SIGPIPE is ignored from now on.
    ///
    /// - Parameter largestRest: Bytes of input that a handler may leave while it is not paused.
    /// - Throws: `.system` if the process has no descriptors left.
    package init(
        count: Int, largestRest: Int = EventLoop.usualRest
    ) throws(NetError) {
        Glibc.signal(SIGPIPE, SIG_IGN)
        var loops: [EventLoop] = []
        for index in 0..<max(1, count) {
            loops.append(try EventLoop(index: index, largestRest: largestRest))
        }
        self.loops = loops
    }

    /// How many CPUs this process may run on.
    package static var availableCPUs: Int {
        var set = cpu_set_t()
        guard sched_getaffinity(0, UInt(MemoryLayout<cpu_set_t>.size), &set) >= 0 else { return 1 }
        return withUnsafeBytes(of: &set) { max(1, $0.reduce(0) { $0 + $1.nonzeroBitCount }) }
    }

    /// Listens and starts the loops.
    ///
    /// - Returns: Where it listens; port 0 is resolved.
    /// - Throws: `.addressInUse`, `.noListener` or `.system`; nothing runs then.
    package func start(
        at place: ListeningPlace, acceptor: any Acceptor
    ) throws(NetError) -> SocketAddress {
        let listener = try Listener(place, loops: loops, acceptor: acceptor)
        guard let bound = listener.address else {
            listener.close()
            throw .system(call: "getsockname", errno: errno)
        }
        // No thread runs yet, so this one may act for the first loop.
        guard loops[0].listen(with: listener) else {
            let number = errno
            listener.close()
            throw .system(call: "epoll_ctl", errno: number)
        }
        for loop in loops {
            running.enter()
            loop.start { [running] in running.leave() }
        }
        return bound
    }

    /// Calls `done` on a background queue once every loop has had a turn, or has ended.
    package func whenAllAnswer(_ done: @escaping @Sendable () -> Void) {
        let turns = DispatchGroup()
        for loop in loops {
            turns.enter()
            if !loop.submit({ turns.leave() }) { turns.leave() }
        }
        turns.notify(queue: .global(), execute: done)
    }

    /// Closes the listener; connections stay. Any thread.
    package func stopListening() {
        let first = loops[0]
        first.submit { first.stopListening() }
    }

    /// Ends the loops; open connections are closed. Any thread.
    package func end() {
        for loop in loops { loop.submit { loop.end() } }
    }

    /// Calls `done` on a background queue when all loops have ended.
    package func whenEnded(_ done: @escaping @Sendable () -> Void) {
        running.notify(queue: .global(), execute: done)
    }
}
