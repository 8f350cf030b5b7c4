import Glibc
import Testing

@testable import FreshetNet

/// One at a time: signals are the process's.
@Suite(.serialized) struct SignalSourceTests {
    @Test("A signal that comes right behind the start of listening is delivered")
    func early() async {
        for _ in 0..<100 {
            let (heard, told) = AsyncStream.makeStream(of: CInt.self)
            let source = SignalSource([SIGUSR1]) { told.yield($0) }
            kill(getpid(), SIGUSR1)
            var each = heard.makeAsyncIterator()
            #expect(await each.next() == SIGUSR1)
            source.cancel()
        }
    }

    @Test(
        "Each signal is told by its number, as often as it came, to the source of that time alone")
    func numbers() async {
        let (heard, told) = AsyncStream.makeStream(of: CInt.self)
        var each = heard.makeAsyncIterator()
        let first = SignalSource([SIGUSR1, SIGUSR2]) { told.yield($0) }
        for signal in [SIGUSR2, SIGUSR1, SIGUSR2] {
            kill(getpid(), signal)
            #expect(await each.next() == signal)
        }
        first.cancel()
        let second = SignalSource([SIGUSR1, SIGUSR2]) { told.yield(-$0) }
        kill(getpid(), SIGUSR1)
        #expect(await each.next() == -SIGUSR1)
        second.cancel()
        told.finish()
        #expect(await each.next() == nil)
    }
}
