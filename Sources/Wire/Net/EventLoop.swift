// The event loop
//
// One loop per CPU, each a single block that runs for ever on a serial DispatchQueue of its own.
// (Blocking for ever is safe there; on a global queue it would starve the others.) A round is:
//
//     wait   epoll_wait, for ever, or until the next occupied slot of the timer wheel
//     time   read the monotonic clock once; `now` is that instant for the whole round
//     inbox  run what other threads have submitted
//     ready  for each socket that epoll names: flush, read, hand over (Connection.ready)
//     again  once more those that had more input than their share
//     timers deadlines that have passed
//     bury   drop the connections that were closed in this round
//
// Edges, not levels. A connection is registered once, for input, output and hang-up, edge
// triggered, and never again: no epoll_ctl per request. A read that comes back short has emptied
// the socket, so a request costs one recv and one send. The price is that a connection must
// remember that it is readable while reading is paused (`Connection.isReadable`).
//
// Memory. The read buffer belongs to the loop; input is parsed where it was read. A connection
// owns bytes only for what its handler left (a partial request) and for what its socket did not
// take. An idle connection is two small objects and nothing else.
//
// Ownership. Everything here belongs to the loop's thread, but for the inbox, which a lock guards:
// `submit` is the one door from other threads. It writes the eventfd only if the loop sleeps. Two
// flags decide that without the lock: the submitter sets `hasTasks` and then takes `isAsleep`, the
// loop sets `isAsleep` and then looks at `hasTasks`, all of it sequentially consistent. So no wake-up
// is lost: either the loop sees the task before it sleeps, or the submitter sees that it sleeps.
//
// Closing. epoll_wait may have reported a connection that an earlier event of the same round has
// closed, so the object lives until the end of the round, and its descriptor, which the kernel may
// give to the next accept, is -1 at once. Events name objects, not descriptors, so a stale event
// cannot hit a new connection. To close a descriptor is not enough to hear no more of it: a process that
// is being started has all descriptors of this one for a moment, and what it has stays registered. So
// each is taken out of epoll before it is closed.
//
// Fairness. A connection reads at most four buffers per round; accept takes at most 64 per round;
// the inbox is swapped out whole and run in slices, one a round, before it is swapped again.
//
// Many tasks of one kind. A change that thousands of streams of a loop are told of makes as many
// tasks, whose objects have long left the caches: reading them one after the other waits for memory
// a dozen times a task. So tasks that run soon are asked to fetch ahead (`LoopTask.approach`).

import CLinux
import Dispatch
package import FreshetBase
import Glibc
import Synchronization

/// Something to run on a loop; class-bound, so that submitting it makes no closure.
package protocol LoopTask: AnyObject, Sendable {
    /// Runs on the loop's thread.
    func run(on loop: EventLoop)

    /// Will run soon: brings what `run` reads nearer (`CacheLines`), without touching what is far.
    ///
    /// - Parameter step: From 0 to `EventLoop.approaches - 1`, each a few tasks before the next, so
    ///   that what one step has asked for can be read by the next.
    func approach(_ step: Int)
}

extension LoopTask {
    package func approach(_ step: Int) {}
}

private final class ClosureTask: LoopTask {
    private let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    func run(on loop: EventLoop) { work() }
}

/// One thread that waits for sockets and serves them. See the top of this file.
// SAFETY: only the loop's thread touches the state below, but for the inbox, which `inboxLock`
// guards, and two atomics; `submit` is the sole door. Before `start` the maker's thread has it alone.
package final class EventLoop: @unchecked Sendable {
    /// One read takes at most this much.
    static let readSize = 64 * 1024
    /// Input that handlers may leave where nobody says otherwise.
    static let usualRest = 192 * 1024

    /// Room for the largest rest that a handler leaves, and one read.
    let readBufferSize: Int
    /// Which loop of its group it is, from 0.
    package let index: Int
    let epoll: CInt
    private let wakeUp: CInt
    private let queue: DispatchQueue

    private let inboxLock = Lock()
    private var inbox: [(any LoopTask)?] = []
    /// It has ended, and takes no task any more. Under `inboxLock`.
    private var isOver = false
    /// Whether the inbox has tasks, so that a round without any takes no lock. Set under
    /// `inboxLock`; read without it, too.
    private let hasTasks = Atomic<Bool>(false)
    /// The loop waits, or is about to, for as long as no event comes.
    private let isAsleep = Atomic<Bool>(false)
    private let thread = Atomic<UInt>(0)

    // Unchecked, as in a connection: what each round changes.

    /// The loop's clock: read once per round. Loop only.
    package var now: MonotonicInstant { roundBegan }
    @exclusivity(unchecked) private var roundBegan = MonotonicInstant.now

    /// Input is read here and parsed here.
    let readBuffer: UnsafeMutableRawPointer

    /// Bytes moved since `takeByteCounts` was last called. Loop only.
    @exclusivity(unchecked) var bytesIn = 0
    @exclusivity(unchecked) var bytesOut = 0

    /// Tasks that were taken out of the inbox; those before `runningStart` have run and are nil.
    private var running: [(any LoopTask)?] = []
    private var runningStart = 0
    /// Tasks of one round.
    private static let slice = 256
    @exclusivity(unchecked) private var wheel: TimerWheel
    private var first: Unmanaged<Connection>?
    /// Open connections of this loop. Loop only.
    package private(set) var connectionCount = 0
    @exclusivity(unchecked) private var buried: [Unmanaged<Connection>] = []
    private var dying: [Connection] = []
    @exclusivity(unchecked) private var again: [Connection] = []
    private var listener: Listener?
    @exclusivity(unchecked) private var timers: [(due: UInt64, work: () -> Void)] = []
    private var isStopping = false
    /// Called at the end of each round with the bytes moved in it. Loop only.
    package var onRoundEnd: ((_ bytesIn: Int, _ bytesOut: Int) -> Void)?

    /// Makes a loop that does not run yet.
    ///
    /// - Parameter largestRest: Bytes of input that a handler may leave while it is not paused.
    /// - Throws: `.system` if the process has no descriptors left.
    init(index: Int, largestRest: Int = EventLoop.usualRest) throws(NetError) {
        self.index = index
        readBufferSize = max(largestRest, Self.usualRest) + Self.readSize
        readBuffer = .allocate(byteCount: readBufferSize, alignment: 64)
        queue = DispatchQueue(label: "freshet.loop.\(index)")
        epoll = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .system(call: "epoll_create1", errno: errno) }
        wakeUp = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard wakeUp >= 0 else {
            let number = errno
            Glibc.close(epoll)
            throw .system(call: "eventfd", errno: number)
        }
        wheel = TimerWheel(now: .now)
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = Token.inbox
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event) == 0 else {
            throw .system(call: "epoll_ctl", errno: errno)
        }
    }

    deinit {
        Glibc.close(epoll)
        Glibc.close(wakeUp)
        readBuffer.deallocate()
    }

    /// What an event is about; every other value is the address of a connection.
    private enum Token {
        static let inbox: UInt64 = 0
        static let listener: UInt64 = 1
    }

    // MARK: - From any thread

    /// Runs `work` on the loop, in the order of submission, soon. Any thread.
    ///
    /// - Returns: false where the loop has ended: then `work` is let go.
    @discardableResult
    package func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        submit(ClosureTask(work))
    }

    /// Runs `task` on the loop, in the order of submission, soon. Any thread.
    ///
    /// - Complexity: One append under a lock; one system call if the loop sleeps.
    /// - Returns: false where the loop has ended: then `task` is let go.
    @discardableResult
    package func submit(_ task: any LoopTask) -> Bool {
        let isTaken = inboxLock.withLock {
            guard !isOver else { return false }
            inbox.append(task)
            hasTasks.store(true, ordering: .sequentiallyConsistent)
            return true
        }
        guard isTaken else { return false }
        if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { wake() }
        return true
    }

    private func wake() {
        var one: UInt64 = 1
        // A full eventfd counter wakes just as well.
        _ = write(wakeUp, &one, 8)
    }

    /// Whether the caller runs on this loop's thread.
    package var isCurrent: Bool {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    /// Starts the loop's thread.
    ///
    /// - Parameter done: Called on a background queue when the loop has ended.
    func start(done: @escaping @Sendable () -> Void) {
        queue.async {
            self.run()
            done()
        }
    }

    // MARK: - The round

    private func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        let capacity = 256
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
        defer { events.deallocate() }
        while !isStopping {
            let count = epoll_wait(epoll, events, CInt(capacity), sleepTime())
            roundBegan = .now
            runInbox()
            var position = 0
            while position < Int(count) {
                dispatch(events[position])
                position += 1
            }
            if !again.isEmpty { readOnceMore() }
            runTimers()
            endRound()
        }
        closeAll()
        thread.store(0, ordering: .relaxed)
    }

    /// Milliseconds for epoll_wait: 0 with work at hand, −1 for ever.
    private func sleepTime() -> CInt {
        guard again.isEmpty, running.isEmpty else { return 0 }
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        if hasTasks.load(ordering: .sequentiallyConsistent) { return 0 }
        var wait = wheel.millisecondsToNext(now: now.nanoseconds) ?? -1
        for timer in timers {
            let left =
                timer.due <= now.nanoseconds
                ? 0 : Int((timer.due - now.nanoseconds) / 1_000_000) + 1
            wait = wait < 0 ? left : min(wait, left)
        }
        return CInt(clamping: wait)
    }

    private func runInbox() {
        isAsleep.store(false, ordering: .relaxed)
        if running.isEmpty {
            guard hasTasks.load(ordering: .acquiring) else { return }
            inboxLock.withLock {
                hasTasks.store(false, ordering: .sequentiallyConsistent)
                swap(&inbox, &running)
            }
        }
        // Nothing that a task calls comes back here.
        var tasks: [(any LoopTask)?] = []
        swap(&tasks, &running)
        let start = runningStart
        let end = min(tasks.count, start + Self.slice)
        tasks.withUnsafeMutableBufferPointer { tasks in
            for index in start..<end {
                if index + 2 < end { approach(index, end, tasks) }
                tasks[index]?.run(on: self)
                // Let go now, while it is near.
                tasks[index] = nil
            }
        }
        if end < tasks.count {
            runningStart = end
        } else {
            runningStart = 0
            tasks.removeAll(keepingCapacity: tasks.capacity <= 4096)
        }
        swap(&tasks, &running)
    }

    /// Tells the tasks behind `index` that they come nearer, the farthest one not at all: its
    /// lines are asked for.
    @inline(__always)
    private func approach(
        _ index: Int, _ end: Int, _ tasks: UnsafeMutableBufferPointer<(any LoopTask)?>
    ) {
        if index + 6 < end, let base = tasks.baseAddress {
            // A reference to an object begins with its address. Taking the object out of the array
            // would count a reference, in the line that is not there yet.
            let object = UnsafeRawPointer(base + (index + 6)).load(as: UnsafeRawPointer?.self)
            if let object { CacheLines.fetch(object, 2) }
        }
        if index + 4 < end { tasks[index + 4]?.approach(0) }
        tasks[index + 2]?.approach(1)
    }

    private func dispatch(_ event: epoll_event) {
        switch event.data.u64 {
        case Token.inbox:
            var value: UInt64 = 0
            _ = read(wakeUp, &value, 8)
        case Token.listener:
            listener?.acceptBatch(on: self)
        default:
            guard let address = UnsafeRawPointer(bitPattern: UInt(event.data.u64)) else { return }
            // SAFETY: the address was registered by `adopt`, whose reference is given up only at
            // the end of the round in which the connection was closed.
            let connection = Unmanaged<Connection>.fromOpaque(address)
            connection._withUnsafeGuaranteedRef {
                if !$0.isClosed { $0.ready(event.events) }
            }
        }
    }

    private func readOnceMore() {
        var list: [Connection] = []
        swap(&list, &again)
        for connection in list {
            connection.isInAgainList = false
            if !connection.isClosed { connection.readRound() }
        }
    }

    private func runTimers() {
        while let connection = wheel.popDue(now: now.nanoseconds) { connection.deadlinePassed() }
        guard !timers.isEmpty else { return }
        let due = timers.filter { $0.due <= now.nanoseconds }
        guard !due.isEmpty else { return }
        timers.removeAll { $0.due <= now.nanoseconds }
        for timer in due { timer.work() }
    }

    private func endRound() {
        while let connection = dying.popLast() { connection.close() }
        if bytesIn | bytesOut != 0 {
            onRoundEnd?(bytesIn, bytesOut)
            bytesIn = 0
            bytesOut = 0
        }
        guard !buried.isEmpty else { return }
        for connection in buried { connection.release() }
        buried.removeAll(keepingCapacity: buried.count <= 4096)
    }

    // MARK: - Loop only

    /// Calls `work` on the loop once `delay` has passed (up to a millisecond late). For few, rare
    /// things: connections have deadlines. Loop only.
    package func schedule(after delay: Duration, _ work: @escaping () -> Void) {
        timers.append(((now + delay).nanoseconds, work))
    }

    /// Takes over an accepted socket. Loop only.
    ///
    /// - Parameter makeHandler: Makes the handler; it may send already.
    func adopt(
        descriptor: CInt, remote: SocketAddress,
        makeHandler: (Connection) -> any ConnectionHandler
    ) {
        let connection = Connection(descriptor: descriptor, remote: remote, loop: self)
        let reference = Unmanaged.passRetained(connection)
        var event = epoll_event()
        event.events =
            EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        event.data.u64 = UInt64(UInt(bitPattern: reference.toOpaque()))
        connection.listNext = first
        first?._withUnsafeGuaranteedRef { $0.listPrevious = reference }
        first = reference
        connectionCount += 1
        let handler = makeHandler(connection)
        // It has closed it before it could be told so.
        guard !connection.isClosed else { return handler.closed(connection) }
        connection.handler = handler
        if epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) != 0 { connection.close() }
    }

    /// Lets go of a connection whose `descriptor` is about to be closed.
    func forget(_ connection: Connection, _ descriptor: CInt) {
        var none = epoll_event()
        // It is not there yet where its handler closes it at once.
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &none)
        wheel.remove(connection)
        let next = connection.listNext
        let previous = connection.listPrevious
        if let previous {
            previous._withUnsafeGuaranteedRef { $0.listNext = next }
        } else {
            first = next
        }
        next?._withUnsafeGuaranteedRef { $0.listPrevious = previous }
        connection.listNext = nil
        connection.listPrevious = nil
        connectionCount -= 1
        buried.append(Unmanaged.passUnretained(connection))
    }

    /// Closes a connection at the end of the round.
    func closeSoon(_ connection: Connection) { dying.append(connection) }

    func readAgain(_ connection: Connection) {
        guard !connection.isInAgainList else { return }
        connection.isInAgainList = true
        again.append(connection)
    }

    func setDeadline(of connection: Connection, _ deadline: UInt64) {
        wheel.set(connection, deadline: deadline)
    }

    /// Calls `body` with every open connection; it may close any of them. Loop only.
    package func forEachConnection(_ body: (Connection) -> Void) {
        var all: [Connection] = []
        all.reserveCapacity(connectionCount)
        var position = first
        while let reference = position {
            let connection = reference.takeUnretainedValue()
            all.append(connection)
            position = connection.listNext
        }
        for connection in all where !connection.isClosed { body(connection) }
    }

    /// Accepts from `listener` on this loop.
    ///
    /// - Returns: false where the kernel has no room for it.
    func listen(with listener: Listener) -> Bool {
        self.listener = listener
        return control(listener, EPOLL_CTL_ADD, events: EPOLLIN.rawValue)
    }

    /// Leaves the listener alone for a while; it stays where it is, so that it surely goes on.
    func pauseListening() {
        if let listener { _ = control(listener, EPOLL_CTL_MOD, events: 0) }
    }

    func resumeListening() {
        if let listener { _ = control(listener, EPOLL_CTL_MOD, events: EPOLLIN.rawValue) }
    }

    private func control(_ listener: Listener, _ order: CInt, events: UInt32) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.u64 = Token.listener
        return epoll_ctl(epoll, order, listener.descriptor, &event) == 0
    }

    /// Takes the listener off; connections stay.
    func stopListening() {
        if let listener { _ = control(listener, EPOLL_CTL_DEL, events: 0) }
        listener?.close()
        listener = nil
    }

    /// Ends the loop behind this round; open connections are closed. Loop only.
    package func end() { isStopping = true }

    private func closeAll() {
        stopListening()
        // Sockets that were dealt to this loop and not yet taken over are closed with the others.
        var isLast = false
        while !isLast {
            repeat { runInbox() } while !running.isEmpty
            forEachConnection { $0.close() }
            endRound()
            isLast = inboxLock.withLock {
                isOver = inbox.isEmpty
                return isOver
            }
        }
        timers = []
    }
}
