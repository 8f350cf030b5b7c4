import CLinux
import FreshetBase
import Glibc

/// Decides about new connections and serves them; called on the loop named.
package protocol Acceptor: AnyObject, Sendable {
    /// A connection has come. Called on the listener's loop.
    func admit(_ remote: SocketAddress) -> ConnectionAdmission

    /// Makes the handler of an admitted connection. Called on the connection's own loop.
    ///
    /// - Parameter admission: What `admit` has answered.
    func makeHandler(
        for connection: Connection, admission: ConnectionAdmission
    ) -> any ConnectionHandler

    /// The bytes for a client that cannot have a connection because descriptors have run out.
    func withRefusal(on loop: EventLoop, _ body: (UnsafeRawBufferPointer) -> Void)

    /// `accept` has failed with EMFILE or ENFILE, or the system was short of memory.
    func acceptFailed(errno: CInt)
}

/// What becomes of a new connection.
package enum ConnectionAdmission: Sendable {
    /// It is served.
    case served
    /// It is told that there are too many of it, and closed.
    case refused
    /// It is closed without a word: even refusals have become too many.
    case dropped
}

/// Where a server listens.
package enum ListeningPlace: Sendable {
    case address(SocketAddress)
    /// A descriptor that listens already: it belongs to the server from now on.
    case socket(CInt)
}

/// The one listening socket: accepts in batches and deals connections round-robin to the loops.
///
/// One listener rather than one per loop with SO_REUSEPORT: with that option a second process
/// could bind the same port unseen. Owned by the loop that it was given to.
final class Listener {
    /// Connections accepted in one round before others get their turn.
    private static let batch = 64

    private(set) var descriptor: CInt
    private let acceptor: any Acceptor
    private let loops: [EventLoop]
    private var nextLoop = 0
    /// A descriptor in reserve: given up to accept, refuse and close a client when the process has
    /// no other left, which else would spin on a readable listener for ever.
    private var spare: CInt

    /// Binds and listens, or takes over what listens already.
    ///
    /// - Throws: `.addressInUse`, `.noListener` or `.system`.
    init(
        _ place: ListeningPlace, loops: [EventLoop], acceptor: any Acceptor
    ) throws(NetError) {
        self.acceptor = acceptor
        self.loops = loops
        descriptor =
            switch place {
            case .address(let address): try Self.bind(address)
            case .socket(let descriptor): try Self.adopt(descriptor)
            }
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    private static func adopt(_ descriptor: CInt) throws(NetError) -> CInt {
        func option(_ name: CInt) -> CInt? {
            var value: CInt = 0
            var length = socklen_t(MemoryLayout<CInt>.size)
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
        }
        let family = option(SO_DOMAIN)
        guard option(SO_ACCEPTCONN) == 1, option(SO_TYPE) == CInt(SOCK_STREAM.rawValue),
            family == AF_INET || family == AF_INET6
        else { throw .noListener(descriptor: descriptor) }
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw .system(call: "fcntl", errno: errno) }
        return descriptor
    }

    private static func bind(_ address: SocketAddress) throws(NetError) -> CInt {
        let kind =
            CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
            | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        var one: CInt = 1
        // Lets a restarted server bind although old connections linger in TIME_WAIT.
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
        let bound = address.withSystemAddress { Glibc.bind(descriptor, $0, $1) }
        guard bound == 0, Glibc.listen(descriptor, 4096) == 0 else {
            let number = errno
            Glibc.close(descriptor)
            if number == EADDRINUSE { throw .addressInUse(address) }
            throw .system(call: "bind to \(address)", errno: number)
        }
        return descriptor
    }

    /// Where it listens, with the port that the system has chosen for port 0.
    var address: SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length) == 0 ? SocketAddress(raw: $0) : nil
            }
        }
    }

    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
        if spare >= 0 { Glibc.close(spare) }
        spare = -1
    }

    func acceptBatch(on loop: EventLoop) {
        for _ in 0..<Self.batch {
            var storage = sockaddr_storage()
            var length = UInt32(MemoryLayout<sockaddr_storage>.size)
            let flags = CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
            let accepted = accept4(descriptor, &storage, &length, flags)
            guard accepted >= 0 else {
                switch errno {
                case EINTR, ECONNABORTED, EPROTO: continue
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: refuseAndPause(errno: errno, on: loop)
                default: break
                }
                return
            }
            let remote = withUnsafeBytes(of: &storage) {
                $0.baseAddress.flatMap { SocketAddress(raw: $0) }
            }
            guard let remote else {
                Glibc.close(accepted)
                continue
            }
            deal(accepted, remote, on: loop)
        }
    }

    private func deal(_ accepted: CInt, _ remote: SocketAddress, on loop: EventLoop) {
        let admission = acceptor.admit(remote)
        if case .dropped = admission {
            Glibc.close(accepted)
            return
        }
        var one: CInt = 1
        setsockopt(
            accepted, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
        let target = loops[nextLoop]
        nextLoop = (nextLoop + 1) % loops.count
        let task = AdoptTask(accepted, remote: remote, admission: admission, acceptor: acceptor)
        if target === loop { task.run(on: loop) } else { target.submit(task) }
    }

    /// Descriptors have run out: uses the spare one to tell one client, then leaves the listener
    /// alone for 100 ms, in which connections may end.
    private func refuseAndPause(errno number: CInt, on loop: EventLoop) {
        acceptor.acceptFailed(errno: number)
        if number == EMFILE || number == ENFILE, spare >= 0 {
            Glibc.close(spare)
            let accepted = accept4(descriptor, nil, nil, CInt(SOCK_CLOEXEC.rawValue))
            if accepted >= 0 {
                acceptor.withRefusal(on: loop) {
                    // Nothing can be done for a client that does not take it.
                    _ = send(
                        accepted, $0.baseAddress, $0.count,
                        CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
                }
                Glibc.shutdown(accepted, CInt(SHUT_WR))
                // What the client has sent already is read, so that closing resets nothing.
                _ = recv(
                    accepted, loop.readBuffer, EventLoop.readSize, CInt(MSG_DONTWAIT))
                Glibc.close(accepted)
            }
            spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
        }
        loop.pauseListening()
        loop.schedule(after: .milliseconds(100)) { [weak self, unowned loop] in
            guard let self, self.descriptor >= 0 else { return }
            if self.spare < 0 { self.spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
            loop.resumeListening()
        }
    }
}

// SAFETY: the one variable is read and written by the loop that runs it, or by whoever lets it go last.
private final class AdoptTask: LoopTask, @unchecked Sendable {
    /// -1 once the loop has it.
    private var descriptor: CInt
    private let remote: SocketAddress
    private let admission: ConnectionAdmission
    private let acceptor: any Acceptor

    init(
        _ descriptor: CInt, remote: SocketAddress, admission: ConnectionAdmission,
        acceptor: any Acceptor
    ) {
        self.descriptor = descriptor
        self.remote = remote
        self.admission = admission
        self.acceptor = acceptor
    }

    deinit {
        // A loop that has ended does not take it.
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    func run(on loop: EventLoop) {
        let descriptor = descriptor
        self.descriptor = -1
        loop.adopt(descriptor: descriptor, remote: remote) {
            acceptor.makeHandler(for: $0, admission: admission)
        }
    }
}
