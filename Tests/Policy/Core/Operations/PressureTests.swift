import FreshetBase
import FreshetRefresh
import Testing

@testable import FreshetCore

@Suite("Memory pressure")
struct PressureTests {
    @Test("A level begins at its share, and ends a little below it")
    func levels() {
        func level(_ share: Double, after last: PressureLevel) -> PressureLevel {
            MemoryUse(share: share).level(after: last)
        }
        #expect(level(0.84, after: .normal) == .normal)
        #expect(level(0.85, after: .normal) == .warning)
        #expect(level(0.83, after: .warning) == .warning)
        #expect(level(0.81, after: .warning) == .normal)
        #expect(level(0.95, after: .normal) == .critical)
        #expect(level(0.93, after: .critical) == .critical)
        #expect(level(0.93, after: .warning) == .warning)
        #expect(level(0.91, after: .critical) == .warning)
        #expect(level(0.1, after: .critical) == .normal)
    }

    @Test("The share is read of the machine's memory and of a control group's")
    func shares() {
        let machine = "MemTotal:        1000 kB\nMemFree: 10 kB\nMemAvailable:     250 kB\n"
        #expect(MemoryUse.share(ofMachine: machine) == 0.75)
        #expect(MemoryUse.share(ofMachine: "MemTotal: 0 kB\nMemAvailable: 0 kB") == nil)
        #expect(MemoryUse.share(ofMachine: "") == nil)
        let statistics = "anon 300\nfile 500\ninactive_file 400\n"
        #expect(MemoryUse.share(ofGroup: "900\n", "1000\n", statistics) == 0.5)
        #expect(MemoryUse.share(ofGroup: "900\n", "max\n", statistics) == nil)
        #expect(MemoryUse.share(ofGroup: "300\n", "1000\n", statistics) == 0)
        #expect(MemoryUse.share(ofGroup: nil, "1000\n", nil) == nil)
        #expect(MemoryUse.path(ofGroup: "0::/a/b\n") == "/a/b")
        #expect(MemoryUse.path(ofGroup: "1:memory:/a\n0::/\n") == "")
        #expect(MemoryUse.path(ofGroup: "1:memory:/a\n") == nil)
        #expect(MemoryUse.now().map { (0...1.5).contains($0.share) } != false)
    }

    @Test("It is measured while a specification reads it, and turns that")
    func published() async {
        /// What is measured next.
        // SAFETY: the one variable is read and written under `lock`.
        final class Share: @unchecked Sendable {
            private let lock = Lock()
            private var share = 0.9
            var value: Double {
                get { lock.withLock { share } }
                set { lock.withLock { share = newValue } }
            }
        }
        let clock = ManualOperationClock()
        let board = OperationBoard(clock: clock, effects: .inline)
        let share = Share()
        let publisher = PressurePublisher(to: board) { MemoryUse(share: share.value) }
        publisher.begin()
        #expect(!board.isPressureRead && clock.scheduled == 0)
        let (turns, continuation) = AsyncStream.makeStream(of: Bool.self)
        let watch = board.observe(.pressure(atLeast: .warning)) { continuation.yield($0) }
        #expect(board.isPressureRead)
        var turn = turns.makeAsyncIterator()
        #expect(await turn.next() == true)
        share.value = 0.2
        clock.advance(by: PressurePublisher.interval)
        #expect(await turn.next() == false)
        watch.cancel()
        #expect(!board.isPressureRead)
        publisher.stop()
    }
}
