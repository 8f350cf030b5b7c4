import CLinux
package import FreshetBase
import Glibc

/// What a connection does with its bytes: the layer above, one object per connection, called on
/// the connection's loop only.
package protocol ConnectionHandler: AnyObject {
    /// New input has come, or the connection was resumed.
    ///
    /// - Parameter input: All input that was not consumed so far, in the loop's buffer or in the
    ///   connection's own, valid during the call.
    /// - Returns: How many bytes are consumed. The rest is kept and comes again with more; a
    ///   handler leaves at most the group's `largestRest` unless it pauses the connection.
    func receive(_ input: UnsafeRawBufferPointer, on connection: Connection) -> Int

    /// The client has shut its sending side: no more input comes. Not called while paused.
    func inputEnded(on connection: Connection)

    /// The client has shut its sending side while the connection was paused; what it sent before is
    /// not read yet.
    func hungUp(on connection: Connection)

    /// All output that was kept back has been sent, or at least enough that less than
    /// `Connection.lowWater` bytes are left. Only called after output was kept back.
    func outputDrained(on connection: Connection)

    /// The deadline has passed; it is unset now.
    func deadlineReached(on connection: Connection)

    /// The connection is gone; the last call.
    func closed(_ connection: Connection)
}

extension ConnectionHandler {
    package func hungUp(on connection: Connection) {}
}

/// One TCP connection of one loop: readiness in, batches of bytes to the handler and back.
///
/// While it is idle it owns no buffer: input is read into the loop's buffer and only what the
/// handler leaves is copied here; output goes straight to the socket and only what the socket does
/// not take is copied here.
package final class Connection {
    /// Below this much unsent output, the handler is told that it may produce again.
    package static let lowWater = 64 * 1024

    /// The loop that owns this connection; everything here belongs to its thread.
    package var loop: EventLoop { owner.takeUnretainedValue() }
    // The loop outlives its connections. What each request asks goes by this reference, which counts
    // nothing: a count is an atomic operation.
    private let owner: Unmanaged<EventLoop>
    package let remote: SocketAddress
    private(set) var descriptor: CInt
    /// Who serves the connection; nil once it is closed.
    @exclusivity(unchecked) package internal(set) var handler: (any ConnectionHandler)?

    // What each round changes is not checked for overlapping access at run time: only the loop's thread
    // has it, and nothing that is called within a change comes back here. A check is 100 instructions.

    // Links of the loop's list and of its timer wheel; see the safety note in TimerWheel.
    var listNext: Unmanaged<Connection>?
    var listPrevious: Unmanaged<Connection>?
    var wheelNext: Unmanaged<Connection>?
    var wheelPrevious: Unmanaged<Connection>?
    /// The tick in whose slot the connection stands; 0 is none.
    var wheelTick: UInt64 = 0
    @exclusivity(unchecked) var deadline: UInt64 = .max

    /// Input that the handler has left, in memory of its own: `keptCount` bytes from `keptStart`.
    /// Neither grows with how often the rest is offered: the handler gets it where it stands.
    private var kept: UnsafeMutableRawPointer?
    private var keptStart: UInt32 = 0
    @exclusivity(unchecked) private var keptCount: UInt32 = 0
    private var keptCapacity: UInt32 = 0

    /// Output that the socket has not taken yet: `unsent[unsentStart..<unsentEnd]`.
    private var unsent: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var unsentStart = 0
    @exclusivity(unchecked) private var unsentEnd = 0
    private var unsentCapacity = 0

    /// The loop's clock.
    package var now: MonotonicInstant { owner._withUnsafeGuaranteedRef { $0.now } }

    /// Which loop of its group owns it.
    package var loopIndex: Int { owner._withUnsafeGuaranteedRef { $0.index } }

    /// Bytes that the socket has taken so far.
    package var sentBytes: UInt64 { taken }
    @exclusivity(unchecked) private var taken: UInt64 = 0

    /// The socket may have input: an edge was seen and no read has come back empty since.
    @exclusivity(unchecked) private var isReadable = false
    /// The client has shut its sending side; what it sent before may not be read yet.
    @exclusivity(unchecked) package private(set) var sawHangUp = false
    private var isPaused = false
    private var inputHasEnded = false
    private var endWasTold = false
    var isInAgainList = false

    init(descriptor: CInt, remote: SocketAddress, loop: EventLoop) {
        self.descriptor = descriptor
        self.remote = remote
        owner = .passUnretained(loop)
    }

    deinit {
        kept?.deallocate()
        unsent?.deallocate()
    }

    // MARK: - For the handler

    package var isClosed: Bool { descriptor < 0 }

    /// Output bytes that wait for the socket.
    package var unsentBytes: Int { unsentEnd - unsentStart }

    /// Whether the client has shut its sending side and all that it sent has been read.
    package var hasInputEnded: Bool { inputHasEnded }

    /// Sets the instant at which `deadlineReached` is called, nil for never. Moving it later is
    /// free; it fires up to 100 ms late.
    package func setDeadline(_ instant: MonotonicInstant?) {
        guard !isClosed else { return }
        owner._withUnsafeGuaranteedRef {
            $0.setDeadline(of: self, instant?.nanoseconds ?? .max)
        }
    }

    /// Sends bytes: to the socket at once, what that does not take is copied and follows.
    package func send(_ bytes: UnsafeRawBufferPointer) {
        guard !isClosed, let start = bytes.baseAddress, bytes.count > 0 else { return }
        var sent = 0
        if unsentBytes == 0 {
            while sent < bytes.count {
                let count = Glibc.send(
                    descriptor, start + sent, bytes.count - sent, CInt(MSG_NOSIGNAL))
                if count >= 0 {
                    sent += count
                    taken += UInt64(count)
                    owner._withUnsafeGuaranteedRef { $0.bytesOut += count }
                    continue
                }
                if errno == EINTR { continue }
                if errno == EAGAIN { break }
                // The reset is an event of its own; closing here would pull the ground from under
                // the handler that is sending.
                loop.closeSoon(self)
                return
            }
        }
        if sent < bytes.count { keepOutput(UnsafeRawBufferPointer(rebasing: bytes[sent...])) }
    }

    private func keepOutput(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        if unsentCapacity - unsentEnd < bytes.count {
            let wanted = unsentBytes + bytes.count
            if let old = unsent, wanted <= unsentCapacity, unsentStart >= unsentCapacity / 2 {
                old.copyMemory(from: old + unsentStart, byteCount: unsentBytes)
            } else {
                let capacity = max(wanted + wanted / 4, 4096)
                let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
                if let old = unsent {
                    larger.copyMemory(from: old + unsentStart, byteCount: unsentBytes)
                    old.deallocate()
                }
                unsent = larger
                unsentCapacity = capacity
            }
            unsentEnd -= unsentStart
            unsentStart = 0
        }
        unsent?.advanced(by: unsentEnd).copyMemory(from: source, byteCount: bytes.count)
        unsentEnd += bytes.count
    }

    /// Stops reading. What the client sends then waits in the kernel, which slows the client.
    package func pause() { isPaused = true }

    package var isReadingPaused: Bool { isPaused }

    /// Reads again: kept input is offered to the handler at once, then the socket's.
    /// Not from inside `receive`.
    package func resume() {
        guard isPaused, !isClosed else { return }
        isPaused = false
        offerKept()
        if inputHasEnded, !isPaused, !isClosed { tellEnd() }
        if !isClosed, !isPaused { readRound() }
    }

    /// Shuts the sending side; the client sees the end of the data after what was sent before.
    /// Only after all output has left (`unsentBytes == 0`).
    package func shutdownOutput() {
        guard !isClosed else { return }
        Glibc.shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Closes at once; unsent output is lost. The handler gets `closed` before this returns.
    package func close() {
        guard !isClosed else { return }
        let old = descriptor
        descriptor = -1
        loop.forget(self, old)
        Glibc.close(old)
        let last = handler
        handler = nil
        last?.closed(self)
    }

    /// The same, and the peer is told that something is wrong: what it has read is not whole.
    package func reset() {
        guard !isClosed else { return }
        var last = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &last, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Makes the kernel hold little for a stream: a reader that has stopped then costs a bounded
    /// amount of kernel memory and is noticed.
    ///
    /// - Parameter timeout: After this long without an acknowledgement the kernel gives up.
    package func useStreamOptions(sendBuffer: Int, notSentLowWater: Int, timeout: Duration) {
        guard !isClosed else { return }
        setOption(SOL_SOCKET, SO_SNDBUF, to: CInt(clamping: sendBuffer))
        setOption(CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, to: CInt(clamping: notSentLowWater))
        let milliseconds = CInt(clamping: max(0, timeout.wholeMilliseconds))
        setOption(CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, to: milliseconds)
    }

    private func setOption(_ level: CInt, _ name: CInt, to value: CInt) {
        var value = value
        // Each of these is an improvement only; without it the deadlines still bound the stream.
        _ = setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    // MARK: - For the loop

    /// Acts on what epoll has reported.
    func ready(_ events: UInt32) {
        if events & EPOLLERR.rawValue != 0
            || events & EPOLLHUP.rawValue != 0 && events & EPOLLIN.rawValue == 0
        {
            close()
            return
        }
        if events & EPOLLOUT.rawValue != 0, unsentBytes > 0 {
            flush()
            if isClosed { return }
        }
        if events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLHUP.rawValue) != 0 {
            isReadable = true
            let isNew = !sawHangUp
            if events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue) != 0 { sawHangUp = true }
            if !isPaused {
                readRound()
            } else if isNew, sawHangUp {
                handler?.hungUp(on: self)
            }
        }
    }

    private func flush() {
        guard let start = unsent else { return }
        while unsentStart < unsentEnd {
            let count = Glibc.send(
                descriptor, start + unsentStart, unsentEnd - unsentStart,
                CInt(MSG_NOSIGNAL))
            if count >= 0 {
                unsentStart += count
                taken += UInt64(count)
                loop.bytesOut += count
                continue
            }
            if errno == EINTR { continue }
            if errno == EAGAIN { break }
            close()
            return
        }
        if unsentStart == unsentEnd {
            start.deallocate()
            unsent = nil
            unsentStart = 0
            unsentEnd = 0
            unsentCapacity = 0
        }
        if unsentBytes < Self.lowWater { handler?.outputDrained(on: self) }
    }

    /// Reads until the socket is empty, the handler pauses, or this connection has had its share
    /// of the round; then the loop comes back to it after the others.
    func readRound() {
        var turns = 0
        while isReadable, !isPaused, !isClosed {
            if turns == 4 {
                loop.readAgain(self)
                return
            }
            turns += 1
            let buffer = loop.readBuffer
            let before = Int(keptCount)
            let room = min(EventLoop.readSize, loop.readBufferSize - before)
            guard room > 0 else {
                // The handler has left more than it may; there is no way on.
                close()
                return
            }
            let count = recv(descriptor, buffer + before, room, 0)
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    isReadable = false
                    return
                }
                close()
                return
            }
            if count == 0 {
                isReadable = false
                inputHasEnded = true
                tellEnd()
                return
            }
            loop.bytesIn += count
            // A short read has emptied the socket: the next byte or the end is a new edge, unless
            // the end was reported already.
            if count < room, !sawHangUp { isReadable = false }
            if before == 0 {
                offer(UnsafeRawBufferPointer(start: buffer, count: count))
            } else if count < before {
                // A drip behind a long rest: the shorter one moves.
                appendToKept(UnsafeRawBufferPointer(start: buffer + before, count: count))
                offerKept()
            } else {
                if let kept { buffer.copyMemory(from: kept + Int(keptStart), byteCount: before) }
                offer(UnsafeRawBufferPointer(start: buffer, count: before + count))
            }
        }
    }

    private func offer(_ input: UnsafeRawBufferPointer) {
        guard let handler else { return }
        let consumed = handler.receive(input, on: self)
        guard !isClosed else { return }
        keep(UnsafeRawBufferPointer(rebasing: input[consumed...]))
    }

    /// Offers the kept input where it stands. A handler is never called from within itself, so
    /// nothing moves the bytes while it looks at them.
    private func offerKept() {
        guard keptCount > 0, let kept, let handler else { return }
        let input = UnsafeRawBufferPointer(start: kept + Int(keptStart), count: Int(keptCount))
        let consumed = handler.receive(input, on: self)
        guard !isClosed else { return }
        keptStart += UInt32(consumed)
        keptCount -= UInt32(consumed)
        if keptCount == 0 {
            freeKept()
        } else if !isPaused, keptCapacity > 4096, keptCapacity / 8 > keptCount {
            // The rest waits for the client, for who knows how long.
            moveKept(to: 2 * Int(keptCount))
        }
    }

    private func tellEnd() {
        guard !endWasTold, !isPaused else { return }
        endWasTold = true
        handler?.inputEnded(on: self)
    }

    /// Keeps the rest of what was offered in the loop's buffer, in place of what was kept.
    @inline(__always)
    private func keep(_ rest: UnsafeRawBufferPointer) {
        if keptCapacity > 0 {
            keptStart = 0
            keptCount = 0
            if rest.isEmpty || rest.count > Int(keptCapacity) { freeKept() }
        }
        if !rest.isEmpty { appendToKept(rest) }
    }

    private func appendToKept(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        let count = Int(keptCount) + bytes.count
        if Int(keptStart) + count > Int(keptCapacity) {
            // Of a kept rest that grows, twice as much, so that a drip is not copied again and
            // again.
            moveKept(to: keptCount == 0 ? count : 2 * count)
        }
        kept?.advanced(by: Int(keptStart) + Int(keptCount)).copyMemory(
            from: source, byteCount: bytes.count)
        keptCount = UInt32(count)
    }

    private func moveKept(to capacity: Int) {
        let block = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        if let kept {
            block.copyMemory(from: kept + Int(keptStart), byteCount: Int(keptCount))
            kept.deallocate()
        }
        kept = block
        keptStart = 0
        keptCapacity = UInt32(capacity)
    }

    private func freeKept() {
        kept?.deallocate()
        kept = nil
        keptStart = 0
        keptCount = 0
        keptCapacity = 0
    }

    /// Called by the loop when the deadline has passed.
    func deadlinePassed() {
        deadline = .max
        handler?.deadlineReached(on: self)
    }
}
