import Dispatch
import FreshetBase
import FreshetNet
import Testing

/// Serves every connection by sending back what it gets.
private final class EchoAcceptor: Acceptor {
    func admit(_ remote: SocketAddress) -> Admission { .served }
    func makeHandler(
        for connection: Connection, admission: Admission
    ) -> any ConnectionHandler {
        EchoHandler()
    }
    func withRefusal(on loop: EventLoop, _ body: (UnsafeRawBufferPointer) -> Void) {}
    func acceptFailed(errno: CInt) {}
}

private final class EchoHandler: ConnectionHandler {
    func receive(_ input: UnsafeRawBufferPointer, on connection: Connection) -> Int {
        connection.send(input)
        return input.count
    }
    func inputEnded(on connection: Connection) { connection.close() }
    func outputDrained(on connection: Connection) {}
    func deadlineReached(on connection: Connection) {}
    func closed(_ connection: Connection) {}
}

struct EventLoopTests {
    private func start(loops: Int) throws -> (EventLoopGroup, SocketAddress) {
        let group = try EventLoopGroup(count: loops)
        let address = try group.start(
            address: SocketAddress(host: "127.0.0.1", port: 0), acceptor: EchoAcceptor())
        return (group, address)
    }

    private func stop(_ group: EventLoopGroup) {
        let ended = DispatchSemaphore(value: 0)
        group.whenEnded { ended.signal() }
        group.end()
        ended.wait()
    }

    @Test func `Submitted work of many threads runs on the loop, each thread's in its order`()
        throws
    {
        let (group, _) = try start(loops: 1)
        let loop = group.loops[0]
        let seen = Seen()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<500 {
                loop.submit { seen.add(thread, number, onLoop: loop.isCurrent) }
            }
        }
        let done = DispatchSemaphore(value: 0)
        loop.submit { done.signal() }
        done.wait()
        #expect(seen.total == 4_000)
        #expect(seen.isInOrder)
        stop(group)
    }

    @Test func `A port that is taken is told as such`() throws {
        let (group, address) = try start(loops: 1)
        let other = try EventLoopGroup(count: 1)
        #expect(throws: NetError.addressInUse(address)) {
            try other.start(address: address, acceptor: EchoAcceptor())
        }
        stop(group)
    }

    @Test func `A scheduled closure runs on the loop after its delay`() throws {
        let (group, _) = try start(loops: 1)
        let loop = group.loops[0]
        let fired = DispatchSemaphore(value: 0)
        loop.submit { loop.schedule(after: .milliseconds(5)) { fired.signal() } }
        #expect(fired.wait(timeout: .now() + 10) == .success)
        stop(group)
    }
}

private final class Seen: Sendable {
    private let lock = Lock()
    // SAFETY: only touched under `lock`.
    nonisolated(unsafe) private var last: [Int: Int] = [:]
    // SAFETY: only touched under `lock`.
    nonisolated(unsafe) private var count = 0
    // SAFETY: only touched under `lock`.
    nonisolated(unsafe) private var ordered = true

    func add(_ thread: Int, _ number: Int, onLoop: Bool) {
        lock.withLock {
            if !onLoop || number != last[thread, default: -1] + 1 { ordered = false }
            last[thread] = number
            count += 1
        }
    }

    var total: Int { lock.withLock { count } }
    var isInOrder: Bool { lock.withLock { ordered } }
}
