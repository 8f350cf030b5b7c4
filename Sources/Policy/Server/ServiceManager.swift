import FreshetBase
import FreshetRefresh
import Glibc
import Synchronization

/// The service manager that has started this process (systemd), as far as variables name it: what it is
/// told of the process's life (sd_notify(3)), what it wants to hear to believe in it
/// (sd_watchdog_enabled(3)), and the socket that it has opened for it (sd_listen_fds(3)).
///
/// Without these variables nothing is told to anybody. Any thread: a message is one system call.
final class ServiceManager: Sendable {
    /// Connected to `NOTIFY_SOCKET`; -1 where there is none.
    private let descriptor: CInt
    /// Why messages reach nobody although they are wanted.
    let fault: String?
    /// Time between two signs of life: half of what the manager waits for. nil: it wants none.
    let watchdogInterval: Duration?
    /// Sockets that the manager has opened, from descriptor 3 on.
    let listening: Int
    /// Nanoseconds of the process's clock; 0: none was told yet.
    private let progressAt = Atomic<UInt64>(0)

    /// The first descriptor of sockets that are handed over.
    static let firstSocket: CInt = 3
    /// How much longer a start may take after each sign of progress.
    private static let patience = Duration.seconds(60)

    init(_ environment: [String: String], process: CInt = getpid()) {
        let place = environment["NOTIFY_SOCKET"] ?? ""
        if place.isEmpty {
            (descriptor, fault) = (-1, nil)
        } else {
            descriptor = Self.connect(place)
            fault =
                descriptor >= 0
                ? nil : "the socket \(place) takes no messages: \(String(cString: strerror(errno)))"
        }
        // What is meant for another process stays with it.
        func isMeant(_ variable: String, otherwise: Bool) -> Bool {
            environment[variable].map { $0 == String(process) } ?? otherwise
        }
        let wanted = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval =
            descriptor >= 0 && wanted > 0 && isMeant("WATCHDOG_PID", otherwise: true)
            ? .microseconds(max(1, wanted / 2)) : nil
        listening =
            isMeant("LISTEN_PID", otherwise: false)
            ? max(0, environment["LISTEN_FDS"].flatMap { Int($0) } ?? 0) : 0
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Parameter place: A path, or `@` and a name of the abstract kind.
    private static func connect(_ place: String) -> CInt {
        let bytes = Array(place.utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@"),
            bytes.count > 1, bytes.count < room
        else {
            errno = EINVAL
            return -1
        }
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: bytes)
            if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        }
        // An abstract name ends with the length, a path with its zero, too.
        let length = MemoryLayout<sa_family_t>.size + bytes.count
        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return -1 }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(length))
            }
        }
        guard connected == 0 else {
            let number = errno
            close(descriptor)
            errno = number
            return -1
        }
        return descriptor
    }

    // MARK: Messages

    /// The server answers.
    func ready(_ status: String) { send("READY=1", status: status) }

    /// A start reads what is stored; at most once a second.
    func starting(_ status: @autoclosure () -> String, at now: MonotonicInstant = .now) {
        guard descriptor >= 0 else { return }
        let last = progressAt.load(ordering: .relaxed)
        guard last == 0 || now - MonotonicInstant(nanoseconds: last) >= .seconds(1) else { return }
        // A thread that is a moment later has nothing to add.
        let (isFirst, _) = progressAt.compareExchange(
            expected: last, desired: now.nanoseconds, ordering: .relaxed)
        if isFirst { send(Self.extension(by: Self.patience), status: status()) }
    }

    /// The configuration is read anew; `ready` says that it is done.
    func reloading(at now: MonotonicInstant = .now) {
        // One message, so that the time is that of this reload.
        send(
            "RELOADING=1\nMONOTONIC_USEC=\(now.nanoseconds / 1_000)",
            status: "reading the configuration")
    }

    /// - Parameter time: What the end takes at most.
    func stopping(within time: Duration, _ status: String) {
        send("STOPPING=1\n" + Self.extension(by: time), status: status)
    }

    func isAlive() { send("WATCHDOG=1", status: nil) }

    private static func `extension`(by time: Duration) -> String {
        "EXTEND_TIMEOUT_USEC=\(Int64(time / .microseconds(1)))"
    }

    private func send(_ message: String, status: String?) {
        guard descriptor >= 0 else { return }
        // A line feed would begin another assignment.
        let status = status.map { "\nSTATUS=" + String($0.map { $0.isNewline ? " " : $0 }) } ?? ""
        var text = message + status
        text.withUTF8 { bytes in
            // A manager that is gone or does not read has no use for it.
            _ = Glibc.send(
                descriptor, bytes.baseAddress, bytes.count,
                CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        }
    }
}

/// Tells the service manager that the process is alive, as long as everything answers that a request
/// may need: each time that `question` was answered, and the next one a while later. It is asked on the
/// policy executor, which has to be alive, too.
// SAFETY: `rhythm` is set once, by `init`.
final class Watchdog: @unchecked Sendable {
    private let question: @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void
    private let alive: @Sendable () -> Void
    private let isWaiting = Atomic<Bool>(false)
    private var rhythm: Rhythm?

    /// - Parameters:
    ///   - question: Calls what it is given once everything has answered; never, where something
    ///     does not. Any thread.
    ///   - alive: Called on any thread.
    init(
        every interval: Duration,
        question: @escaping @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void,
        alive: @escaping @Sendable () -> Void
    ) {
        self.question = question
        self.alive = alive
        ask()
        rhythm = Rhythm(every: interval, on: SystemOperationClock()) { [weak self] in
            self?.ask()
            return true
        }
    }

    private func ask() {
        guard !isWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // What asks may have to wait itself: the policy executor goes on all the same.
        PolicyWorkers.performAlone { [self] in
            question { [self] in
                alive()
                isWaiting.store(false, ordering: .releasing)
            }
        }
    }

    func stop() { rhythm?.cancel() }
}
