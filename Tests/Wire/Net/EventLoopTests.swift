import Dispatch
import FreshetBase
import Glibc
import Testing

@testable import FreshetNet

/// Serves every connection by sending back what it gets.
private final class EchoAcceptor: Acceptor {
    func admit(_ remote: SocketAddress) -> ConnectionAdmission { .served }
    func makeHandler(
        for connection: Connection, admission: ConnectionAdmission
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
            at: .address(SocketAddress(host: "127.0.0.1", port: 0)), acceptor: EchoAcceptor())
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

    @Test func `What is closed is heard of no more, though another process has it open`() throws {
        let group = try EventLoopGroup(count: 1)
        let acceptor = KeepingAcceptor()
        let address = try group.start(
            at: .address(SocketAddress(host: "127.0.0.1", port: 0)), acceptor: acceptor)
        let before = try registered(in: group.loops[0])
        let client = try BlockingSocket(address)
        try client.send([1])
        let copy = acceptor.wait()
        // The loop has closed it, and the kernel has not.
        let done = DispatchSemaphore(value: 0)
        group.loops[0].submit { done.signal() }
        done.wait()
        #expect(try registered(in: group.loops[0]) == before)
        try client.send([2])
        #expect(fcntl(copy, F_GETFD) >= 0)
        close(copy)
        stop(group)
    }

    @Test func `A loop that has ended takes nothing, and keeps nobody waiting`() throws {
        let (group, _) = try start(loops: 2)
        let ended = group.loops[1]
        ended.submit { ended.end() }
        while ended.submit({}) { usleep(1_000) }
        let answered = DispatchSemaphore(value: 0)
        group.whenAllAnswer { answered.signal() }
        answered.wait()
        stop(group)
    }

    @Test func `A handler is told of a connection that it closes as it is made`() throws {
        let group = try EventLoopGroup(count: 1)
        let acceptor = ClosingAcceptor()
        let address = try group.start(
            at: .address(SocketAddress(host: "127.0.0.1", port: 0)), acceptor: acceptor)
        let client = try BlockingSocket(address)
        acceptor.closed.wait()
        withExtendedLifetime(client) {}
        stop(group)
    }

    /// How many descriptors the loop hears of.
    private func registered(in loop: EventLoop) throws -> Int {
        let file = try #require(fopen("/proc/self/fdinfo/\(loop.epoll)", "r"))
        defer { fclose(file) }
        var (line, count) = ([CChar](repeating: 0, count: 512), 0)
        while fgets(&line, CInt(line.count), file) != nil {
            if strncmp(line, "tfd:", 4) == 0 { count += 1 }
        }
        return count
    }

    @Test func `Who asks whether all loops answer hears nothing before each has had a turn`() throws
    {
        let (group, _) = try start(loops: 3)
        let seen = Seen()
        let done = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        for loop in group.loops {
            loop.submit {
                gate.wait()
                seen.add(0, seen.total, onLoop: loop.isCurrent)
                gate.signal()
            }
        }
        group.whenAllAnswer {
            seen.add(0, seen.total, onLoop: seen.total == 3)
            done.signal()
        }
        gate.signal()
        done.wait()
        #expect(seen.total == 4 && seen.isInOrder)
        stop(group)
    }

    @Test func `What listens already is taken over, and what does not is refused`() throws {
        let (first, address) = try start(loops: 1)
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #expect(throws: NetError.noListener(descriptor: descriptor)) {
            try first.start(at: .socket(descriptor), acceptor: EchoAcceptor())
        }
        #expect(throws: NetError.noListener(descriptor: 10_000)) {
            try first.start(at: .socket(10_000), acceptor: EchoAcceptor())
        }
        #expect(Glibc.listen(descriptor, 8) == 0)
        let second = try EventLoopGroup(count: 1)
        let other = try second.start(at: .socket(descriptor), acceptor: EchoAcceptor())
        #expect(other.port > 0 && other.port != address.port && other.isUnspecified)
        stop(first)
        stop(second)
    }

    @Test func `A port that is taken is told as such`() throws {
        let (group, address) = try start(loops: 1)
        let other = try EventLoopGroup(count: 1)
        #expect(throws: NetError.addressInUse(address)) {
            try other.start(at: .address(address), acceptor: EchoAcceptor())
        }
        stop(group)
    }

    @Test func `What a handler leaves is offered again where it stands`() throws {
        let group = try EventLoopGroup(count: 1)
        let acceptor = SippingAcceptor()
        let address = try group.start(
            at: .address(SocketAddress(host: "127.0.0.1", port: 0)), acceptor: acceptor)
        defer { stop(group) }
        let sent = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
        let client = try BlockingSocket(address)
        try client.send(sent)
        acceptor.done.wait()
        let sips = acceptor.sips
        #expect(sips.flatMap(\.bytes) == sent)
        // Between two arrivals the rest does not move.
        let moves = zip(sips, sips.dropFirst()).filter { $0.end != $1.start }
        #expect(sips.count == 400 && moves.count < 20)
    }

    @Test func `A scheduled closure runs on the loop after its delay`() throws {
        let (group, _) = try start(loops: 1)
        let loop = group.loops[0]
        let fired = DispatchSemaphore(value: 0)
        loop.submit { loop.schedule(after: .milliseconds(5)) { fired.signal() } }
        #expect(fired.wait(timeout: .now() + 120) == .success)
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

/// Takes 100 bytes at a time, pauses, and goes on a round later.
private final class SippingAcceptor: Acceptor {
    struct Sip {
        let start: UInt
        let end: UInt
        let bytes: [UInt8]
    }

    let done = DispatchSemaphore(value: 0)
    private let lock = Lock()
    // SAFETY: only touched under `lock`.
    nonisolated(unsafe) private var taken: [Sip] = []

    var sips: [Sip] { lock.withLock { taken } }

    func note(_ bytes: UnsafeRawBufferPointer) {
        let start = UInt(bitPattern: bytes.baseAddress)
        let sip = Sip(start: start, end: start + UInt(bytes.count), bytes: Array(bytes))
        let count = lock.withLock {
            taken.append(sip)
            return taken.count
        }
        if count == 400 { done.signal() }
    }

    func admit(_ remote: SocketAddress) -> ConnectionAdmission { .served }
    func makeHandler(
        for connection: Connection, admission: ConnectionAdmission
    ) -> any ConnectionHandler {
        SippingHandler(self)
    }
    func withRefusal(on loop: EventLoop, _ body: (UnsafeRawBufferPointer) -> Void) {}
    func acceptFailed(errno: CInt) {}
}

private final class SippingHandler: ConnectionHandler {
    private let acceptor: SippingAcceptor

    init(_ acceptor: SippingAcceptor) { self.acceptor = acceptor }

    func receive(_ input: UnsafeRawBufferPointer, on connection: Connection) -> Int {
        guard input.count >= 100 else { return 0 }
        acceptor.note(UnsafeRawBufferPointer(rebasing: input[..<100]))
        connection.pause()
        // SAFETY: used on the connection's loop alone, which keeps it until it is closed.
        nonisolated(unsafe) let connection = connection
        connection.loop.submit { connection.resume() }
        return 100
    }
    func inputEnded(on connection: Connection) { connection.close() }
    func outputDrained(on connection: Connection) {}
    func deadlineReached(on connection: Connection) {}
    func closed(_ connection: Connection) {}
}

/// Closes each connection at once.
private final class ClosingAcceptor: Acceptor {
    let closed = DispatchSemaphore(value: 0)

    func admit(_ remote: SocketAddress) -> ConnectionAdmission { .served }
    func makeHandler(
        for connection: Connection, admission: ConnectionAdmission
    ) -> any ConnectionHandler {
        connection.close()
        return ClosingHandler(closed)
    }
    func withRefusal(on loop: EventLoop, _ body: (UnsafeRawBufferPointer) -> Void) {}
    func acceptFailed(errno: CInt) {}
}

private final class ClosingHandler: ConnectionHandler {
    private let toldClosed: DispatchSemaphore

    init(_ toldClosed: DispatchSemaphore) { self.toldClosed = toldClosed }

    func receive(_ input: UnsafeRawBufferPointer, on connection: Connection) -> Int { input.count }
    func inputEnded(on connection: Connection) {}
    func outputDrained(on connection: Connection) {}
    func deadlineReached(on connection: Connection) {}
    func closed(_ connection: Connection) { toldClosed.signal() }
}

/// Closes each connection that sends anything, and keeps a copy of its descriptor, as a process does that
/// is being started at that moment.
private final class KeepingAcceptor: Acceptor, @unchecked Sendable {
    private let closed = DispatchSemaphore(value: 0)
    // SAFETY: written before `closed` is signalled, and read behind that.
    private var copy: CInt = -1

    func wait() -> CInt {
        closed.wait()
        return copy
    }

    func keep(_ descriptor: CInt) { copy = dup(descriptor) }
    func hasClosed() { closed.signal() }

    func admit(_ remote: SocketAddress) -> ConnectionAdmission { .served }
    func makeHandler(
        for connection: Connection, admission: ConnectionAdmission
    ) -> any ConnectionHandler {
        KeepingHandler(self)
    }
    func withRefusal(on loop: EventLoop, _ body: (UnsafeRawBufferPointer) -> Void) {}
    func acceptFailed(errno: CInt) {}
}

private final class KeepingHandler: ConnectionHandler {
    private let acceptor: KeepingAcceptor

    init(_ acceptor: KeepingAcceptor) { self.acceptor = acceptor }

    func receive(_ input: UnsafeRawBufferPointer, on connection: Connection) -> Int {
        acceptor.keep(connection.descriptor)
        connection.close()
        return input.count
    }
    func inputEnded(on connection: Connection) { connection.close() }
    func outputDrained(on connection: Connection) {}
    func deadlineReached(on connection: Connection) {}
    func closed(_ connection: Connection) { acceptor.hasClosed() }
}

/// Connects and sends, no more.
private final class BlockingSocket {
    struct Failure: Error {}

    private let descriptor: CInt

    init(_ address: SocketAddress) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        let status = address.withSystemAddress { connect(descriptor, $0, $1) }
        guard status == 0 else { throw Failure() }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        let count = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        guard count == bytes.count else { throw Failure() }
    }
}
