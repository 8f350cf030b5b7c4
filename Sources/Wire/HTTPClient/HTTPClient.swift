// The outgoing HTTP client
//
// One multi handle of libcurl, driven over an epoll of our own by one thread: a block that runs for
// ever on a serial DispatchQueue. libcurl says which sockets it waits for and until when; a round is:
//
//     wait    epoll_wait, until libcurl's timer
//     ready   curl_multi_socket_action for each socket that epoll names
//     timer   the same without a socket, where the timer is due
//     ends    transfers that libcurl has done with are taken out and told to their receivers
//     inbox   what other threads have submitted: starts, cancellations, resumptions
//
// libcurl is never called from another thread, nor from one of its own callbacks: what a receiver
// wants goes through the inbox, too. Why epoll and not curl_multi_poll: with a thousand open streams
// each of its rounds walks all of them.
//
// There is no queue in here and no limit on transfers: callers bound what they submit. Deadlines are
// the caller's as well, by `HTTPTransfer.cancel(.timeout)`: libcurl's would count pauses.

import CCurl
import CLinux
import Dispatch
import FreshetBase
import Glibc

/// Sends calls over HTTP/1.1, on one thread. See the top of this file.
///
/// It runs from its making to `stop`, which has to be called.
// SAFETY: only the client's thread touches the state below, but for the inbox, which `inboxLock`
// guards; `submit` is the sole door.
package final class HTTPClient: @unchecked Sendable {
    enum Command {
        case start(HTTPTransfer)
        case cancel(HTTPTransfer, HTTPFault)
        case resume(HTTPTransfer)
        case stop
    }

    private let library: CurlLibrary
    private let multi: OpaquePointer
    private let epoll: CInt
    private let wakeUp: CInt

    private let inboxLock = Lock()
    private var inbox: [Command] = []
    private var isClosed = false

    /// What was taken out of the inbox, in the other of two arrays that change places.
    private var taken: [Command] = []
    /// Transfers that libcurl has, each retained once.
    private var running: [OpaquePointer: HTTPTransfer] = [:]
    /// Sockets that epoll watches for libcurl.
    private var watched: Set<CInt> = []
    /// When libcurl wants to be called without a socket; nil: not at all.
    private var timerDue: MonotonicInstant?
    private var isStopping = false
    /// Quiet transfers over TLS for which something has come in this round; empty between rounds.
    private var arrived: [HTTPTransfer] = []
    private var authorities = AuthorityFiles()

    /// Connections that are kept; streams in use count, too.
    private static let keptConnections = 4_096

    /// - Parameters:
    ///   - label: Of the thread's queue.
    ///   - connectionsPerHost: The most at once; further transfers wait for one. 0: as many as are asked
    ///     for.
    /// - Throws: Why there is no libcurl; or that descriptors have run out.
    package init(label: String, connectionsPerHost: Int = 0) throws(CurlMissing) {
        library = try CurlLibrary.shared.get()
        guard let multi = library.table.pointee.multi_init() else {
            throw CurlMissing(description: "libcurl is out of memory")
        }
        self.multi = multi
        epoll = epoll_create1(CInt(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.fd = wakeUp
        guard epoll >= 0, wakeUp >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event) == 0 else {
            throw CurlMissing(
                description: "outgoing HTTP cannot start: \(String(cString: strerror(errno)))")
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = freshet_curl_multi_set_number(
            library.table, multi, CInt(FRESHET_CURLM_MAXCONNECTS), Self.keptConnections)
        _ = freshet_curl_multi_set_number(
            library.table, multi, CInt(FRESHET_CURLM_MAX_HOST_CONNECTIONS), connectionsPerHost)
        _ = freshet_curl_multi_set_watch(library.table, multi, watchSocket, context)
        _ = freshet_curl_multi_set_timer(library.table, multi, setTimer, context)
        // The block keeps the client until it is stopped.
        DispatchQueue(label: label).async { self.run() }
    }

    deinit {
        _ = library.table.pointee.multi_cleanup(multi)
        close(epoll)
        close(wakeUp)
    }

    // MARK: - From any thread

    /// What the library that is here does worse than others, in a sentence.
    package var weakness: String? { library.weakness }

    /// A transfer that is yet to be submitted, for a receiver that has to know it first.
    package func transfer(_ call: HTTPCall, _ receiver: any HTTPReceiver) -> HTTPTransfer {
        HTTPTransfer(call, receiver, self)
    }

    /// Starts `call`; `receiver` is told on the client's thread. After `stop` it ends as cancelled.
    package func submit(_ call: HTTPCall, _ receiver: any HTTPReceiver) -> HTTPTransfer {
        let transfer = transfer(call, receiver)
        transfer.submit()
        return transfer
    }

    /// Ends every transfer as cancelled, then the thread. Does not wait for it.
    package func stop() {
        submit(.stop)
    }

    func submit(_ command: Command) {
        let (isFirst, isLate) = inboxLock.withLock {
            guard !isClosed else { return (false, true) }
            inbox.append(command)
            return (inbox.count == 1, false)
        }
        if isFirst {
            var one: UInt64 = 1
            // A full counter wakes just as well.
            _ = write(wakeUp, &one, 8)
        }
        // Nobody else has this transfer any more, or ever had.
        if isLate, case .start(let transfer) = command { transfer.finish(.cancelled) }
    }

    // MARK: - The round

    private func run() {
        // libcurl leaves SIGPIPE to us, and TLS libraries raise it. Its threads for name look-ups
        // inherit this.
        var pipe = sigset_t()
        var before = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let capacity = 256
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
        defer { events.deallocate() }
        while !isStopping {
            let count = epoll_wait(epoll, events, CInt(capacity), waitMilliseconds())
            for index in 0..<max(0, Int(count)) {
                let descriptor = events[index].data.fd
                if descriptor == wakeUp {
                    var value: UInt64 = 0
                    _ = read(wakeUp, &value, 8)
                } else {
                    act(on: descriptor, Self.selection(events[index].events))
                }
            }
            if let timerDue, timerDue <= .now {
                self.timerDue = nil
                act(on: CInt(FRESHET_CURL_SOCKET_TIMEOUT), 0)
            }
            takeEnds()
            runInbox()
            if !arrived.isEmpty { releaseBuffers() }
        }
        endAll()
    }

    private func waitMilliseconds() -> CInt {
        guard let timerDue else { return -1 }
        let now = MonotonicInstant.now
        guard timerDue > now else { return 0 }
        return CInt(clamping: (timerDue.nanoseconds - now.nanoseconds + 999_999) / 1_000_000)
    }

    private static func selection(_ events: UInt32) -> CInt {
        var selection = 0
        if events & (EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLRDHUP.rawValue) != 0 {
            selection |= FRESHET_CURL_SELECT_IN
        }
        if events & EPOLLOUT.rawValue != 0 { selection |= FRESHET_CURL_SELECT_OUT }
        if events & EPOLLERR.rawValue != 0 { selection |= FRESHET_CURL_SELECT_ERR }
        return CInt(selection)
    }

    private func act(on socket: CInt, _ selection: CInt) {
        var left: CInt = 0
        // Its only errors are of handles that are none, which cannot be.
        _ = library.table.pointee.multi_socket_action(multi, socket, selection, &left)
    }

    /// Notes that something has come for a quiet transfer over TLS.
    func record(arrivalFor transfer: HTTPTransfer) {
        if arrived.last !== transfer { arrived.append(transfer) }
    }

    /// Gives back what OpenSSL holds for what has come: 16 KiB of each connection, since tickets for
    /// later sessions arrive with it, and with each handshake message there is a buffer to answer.
    private func releaseBuffers() {
        defer { arrived.removeAll(keepingCapacity: true) }
        guard let release = library.table.pointee.openssl_free_buffers else { return }
        for transfer in arrived {
            var tls: UnsafePointer<freshet_curl_tls>?
            guard let easy = transfer.easy,
                freshet_curl_get(
                    library.table, easy, CInt(FRESHET_CURL_INFO_TLS_SSL_PTR), &tls) == 0,
                let tls = tls?.pointee, tls.backend == FRESHET_CURL_OPENSSL,
                let connection = tls.internals
            else { continue }
            // It does nothing where something is in them.
            _ = release(connection)
        }
    }

    private func takeEnds() {
        var left: CInt = 0
        while let message = library.table.pointee.multi_info_read(multi, &left) {
            guard message.pointee.message == FRESHET_CURL_MESSAGE_DONE,
                let easy = message.pointee.easy, let transfer = running[easy]
            else { continue }
            // The message lives until the handle is taken out.
            let code = message.pointee.data.result
            if transfer.startsAgain() {
                remove(transfer, easy)
                start(transfer)
            } else {
                end(transfer, easy, transfer.fault(code, library))
            }
        }
    }

    private func remove(_ transfer: HTTPTransfer, _ easy: OpaquePointer) {
        running[easy] = nil
        _ = library.table.pointee.multi_remove_handle(multi, easy)
        transfer.release(library)
    }

    private func end(_ transfer: HTTPTransfer, _ easy: OpaquePointer, _ fault: HTTPFault?) {
        remove(transfer, easy)
        transfer.finish(fault)
    }

    private func runInbox() {
        inboxLock.withLock { swap(&inbox, &taken) }
        defer { taken.removeAll(keepingCapacity: taken.capacity <= 4_096) }
        for command in taken {
            switch command {
            case .start(let transfer): start(transfer)
            case .cancel(let transfer, let fault):
                if let easy = transfer.easy {
                    end(transfer, easy, fault)
                } else {
                    transfer.finish(fault)
                }
            case .resume(let transfer):
                guard transfer.takeResume(), let easy = transfer.easy else { continue }
                // What libcurl holds is handed over in here, and may be too much, or none of its
                // coding.
                let code = library.table.pointee.easy_pause(easy, CInt(FRESHET_CURL_PAUSE_NONE))
                if code != 0 { end(transfer, easy, transfer.fault(code, library)) }
            case .stop: isStopping = true
            }
        }
    }

    private func start(_ transfer: HTTPTransfer) {
        guard !isStopping else { return transfer.finish(.cancelled) }
        let call = transfer.call
        let roots =
            call.needsTLS
            ? (call.route.roots ?? library.authorities).map { authorities.name(of: $0) } : nil
        guard let easy = transfer.start(library, roots: roots) else { return }
        guard library.table.pointee.multi_add_handle(multi, easy) == 0 else {
            transfer.release(library)
            return transfer.finish(.unreachable(.other, detail: "libcurl does not take the call"))
        }
        running[easy] = transfer
    }

    /// Ends what is left. Commands that came meanwhile find nothing to do but starts.
    private func endAll() {
        let late = inboxLock.withLock {
            isClosed = true
            defer { inbox = [] }
            return inbox
        }
        for (easy, transfer) in running { end(transfer, easy, .cancelled) }
        for case .start(let transfer) in late { transfer.finish(.cancelled) }
    }

    // MARK: - Callbacks of libcurl

    fileprivate func watch(_ socket: CInt, for what: CInt) {
        var event = epoll_event()
        event.data.fd = socket
        switch Int(what) {
        case FRESHET_CURL_POLL_IN: event.events = EPOLLIN.rawValue
        case FRESHET_CURL_POLL_OUT: event.events = EPOLLOUT.rawValue
        case FRESHET_CURL_POLL_INOUT: event.events = EPOLLIN.rawValue | EPOLLOUT.rawValue
        default:
            // At a pause, too: a hang-up is told even where nothing is asked for, and would spin.
            watched.remove(socket)
            epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nil)
            return
        }
        let isNew = watched.insert(socket).inserted
        if epoll_ctl(epoll, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event) != 0 {
            // A number that was closed behind our back and given out again, or the reverse.
            epoll_ctl(epoll, isNew ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event)
        }
    }

    fileprivate func set(timer milliseconds: Int) {
        timerDue = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
    }
}

private func client(_ context: UnsafeMutableRawPointer?) -> HTTPClient? {
    context.map { Unmanaged<HTTPClient>.fromOpaque($0).takeUnretainedValue() }
}

private let watchSocket: freshet_curl_watch = { _, socket, what, context, _ in
    client(context)?.watch(socket, for: what)
    return 0
}

private let setTimer: freshet_curl_timer = { _, milliseconds, context in
    client(context)?.set(timer: milliseconds)
    return 0
}
