package import Dispatch
import Glibc

/// Delivers signals of the process to a handler on a queue, where everything may be called.
///
/// From the return of `init` on no signal is lost, and none has its default action: the kernel's
/// handler is in place then, and what it has seen waits in a pipe until the queue comes to it.
/// (Dispatch's own signal sources register on another thread some time after they are activated; a
/// signal before that is lost where it is ignored meanwhile, and ends the process where it is not.)
///
/// One source at a time for a signal.
package final class SignalSource {
    private let sources: [any DispatchSourceRead]
    private let signals: [CInt]

    /// Starts to listen.
    ///
    /// - Parameter handler: Called with the signal's number, one call at a time, once for each
    ///   time that the kernel has delivered it.
    package init(
        _ signals: [CInt], queue: DispatchQueue = DispatchQueue(label: "freshet.signals"),
        handler: @escaping @Sendable (CInt) -> Void
    ) {
        self.signals = signals.filter { SignalPipes.open(for: $0) }
        sources = self.signals.map { number in
            let pipe = SignalPipes.readEnd(of: number)
            SignalPipes.drain(pipe)
            let source = DispatchSource.makeReadSource(fileDescriptor: pipe, queue: queue)
            source.setEventHandler {
                for _ in 0..<SignalPipes.drain(pipe) { handler(number) }
            }
            SignalPipes.catchSignal(number)
            source.activate()
            return source
        }
    }

    /// Stops to listen and gives the signals their default action back.
    package func cancel() {
        for number in signals { Glibc.signal(number, SIG_DFL) }
        for source in sources { source.cancel() }
    }

    deinit { cancel() }
}

/// A pipe for each signal that was ever listened to. They stay open: a signal handler may be at work
/// on another thread at any time, and must not write to a descriptor that has become another's.
private enum SignalPipes {
    /// Signals have numbers below this.
    private static let limit = 65

    // SAFETY: a place is written before the handler of its signal is installed, under `lock`, and
    // never changed again; the handler reads aligned words that do not change.
    nonisolated(unsafe) private static let ends: UnsafeMutablePointer<CInt> = {
        let ends = UnsafeMutablePointer<CInt>.allocate(capacity: 2 * limit)
        ends.initialize(repeating: -1, count: 2 * limit)
        return ends
    }()
    private static let lock = DispatchQueue(label: "freshet.signal-pipes")

    /// Makes the signal's pipe where there is none. - Returns: false where none can be made.
    static func open(for signal: CInt) -> Bool {
        guard signal > 0, Int(signal) < limit else { return false }
        return lock.sync {
            let place = ends + 2 * Int(signal)
            if place[0] >= 0 { return true }
            guard pipe(place) == 0 else { return false }
            for end in [place[0], place[1]] {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            return true
        }
    }

    static func readEnd(of signal: CInt) -> CInt { ends[2 * Int(signal)] }

    /// Takes all bytes out of a pipe. - Returns: How many there were.
    @discardableResult static func drain(_ descriptor: CInt) -> Int {
        var sum = 0
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                sum += count
            }
        }
        return sum
    }

    /// Installs the kernel's handler. Nothing but a read of memory and a write happens in it.
    static func catchSignal(_ signal: CInt) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            let before = errno
            var byte: UInt8 = 1
            // A full pipe has told of the signal often enough.
            _ = write(SignalPipes.ends[2 * Int(number) + 1], &byte, 1)
            errno = before
        }
        action.sa_flags = CInt(SA_RESTART)
        sigaction(signal, &action, nil)
    }
}
