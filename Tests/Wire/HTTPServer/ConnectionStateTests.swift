import FreshetBase
import FreshetHTTPServer
import Testing

/// The decisions about time, with time as an argument.
struct ConnectionStateTests {
    private let timeouts = ConnectionTimeouts(ServerLimits())

    private func seconds(_ count: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: UInt64((1_000 + count) * 1e9))
    }

    @Test func `An idle connection closes after 75 seconds`() {
        var state = ConnectionState(now: seconds(0))
        #expect(state.expired(now: seconds(74.9), timeouts) == .nothing)
        state.enter(.idle, now: seconds(50))
        #expect(state.expired(now: seconds(100), timeouts) == .nothing)
        #expect(state.expired(now: seconds(125), timeouts) == .close)
        #expect(state.idleSpan(now: seconds(60)) == .seconds(10))
    }

    @Test func `A head has 10 seconds in all, however its bytes trickle`() {
        var state = ConnectionState(now: seconds(0))
        for second in 0..<10 { state.enter(.head, now: seconds(20 + Double(second))) }
        #expect(state.deadline(timeouts) == seconds(30).nanoseconds)
        #expect(state.expired(now: seconds(30), timeouts) == .timeout)
        #expect(state.idleSpan(now: seconds(30)) == nil)
    }

    @Test func `A body has 10 seconds and then must come with 1 KB a second`() {
        var state = ConnectionState(now: seconds(0))
        state.enter(.body, now: seconds(0))
        #expect(state.expired(now: seconds(9.9), timeouts) == .nothing)
        state.received(10 * 1024, now: seconds(9.9))
        #expect(state.expired(now: seconds(19.9), timeouts) == .nothing)
        #expect(state.expired(now: seconds(20), timeouts) == .timeout)
    }

    @Test func `A body without an end is judged at the lowest rate, too`() {
        var limits = ServerLimits()
        limits.bodyBytesPerSecond = 0
        let lowest = ConnectionTimeouts(limits)
        var state = ConnectionState(now: seconds(0))
        state.enter(.body, now: seconds(0))
        for second in 1...9 { state.received(1 << 59, now: seconds(Double(second))) }
        #expect(state.expired(now: seconds(68.9), lowest) == .nothing)
        #expect(state.expired(now: seconds(69), lowest) == .timeout)
    }

    @Test func `A fast beginning of a body pays for a minute of silence at most`() {
        var state = ConnectionState(now: seconds(0))
        state.enter(.body, now: seconds(0))
        state.received(16 << 20, now: seconds(1))
        #expect(state.expired(now: seconds(60.9), timeouts) == .nothing)
        #expect(state.expired(now: seconds(61), timeouts) == .timeout)
        state.received(1, now: seconds(60))
        #expect(state.expired(now: seconds(119), timeouts) == .nothing)
        state.setPaused(true, now: seconds(119))
        state.setPaused(false, now: seconds(500))
        #expect(state.expired(now: seconds(559), timeouts) == .nothing)
        #expect(state.expired(now: seconds(560), timeouts) == .timeout)
    }

    @Test func `The time in which the receiver pauses does not count against the client`() {
        var state = ConnectionState(now: seconds(0))
        state.enter(.body, now: seconds(0))
        state.setPaused(true, now: seconds(5))
        #expect(state.deadline(timeouts) == nil)
        #expect(state.expired(now: seconds(500), timeouts) == .nothing)
        state.setPaused(false, now: seconds(105))
        #expect(state.expired(now: seconds(109), timeouts) == .nothing)
        #expect(state.expired(now: seconds(110), timeouts) == .timeout)
    }

    @Test func `Output that nobody takes for 30 seconds ends the connection`() {
        var state = ConnectionState(now: seconds(0))
        state.enter(.streaming, now: seconds(0))
        #expect(state.deadline(timeouts) == nil)
        state.output(sent: 100, waiting: 10, now: seconds(1))
        #expect(state.expired(now: seconds(30.9), timeouts) == .nothing)
        state.output(sent: 101, waiting: 9, now: seconds(30))
        #expect(state.expired(now: seconds(59), timeouts) == .nothing)
        state.output(sent: 101, waiting: 9, now: seconds(59))
        #expect(state.expired(now: seconds(60), timeouts) == .stalled)
        state.output(sent: 110, waiting: 0, now: seconds(60))
        #expect(state.expired(now: seconds(600), timeouts) == .nothing)
    }

    @Test func `A slow reader of the last answer has the write time-out, then the linger time`() {
        var state = ConnectionState(now: seconds(0))
        state.output(sent: 0, waiting: 10, now: seconds(0))
        state.enter(.closing, now: seconds(0))
        #expect(state.expired(now: seconds(20), timeouts) == .nothing)
        state.output(sent: 10, waiting: 0, now: seconds(20))
        state.restart(now: seconds(20))
        #expect(state.expired(now: seconds(22.9), timeouts) == .nothing)
        #expect(state.expired(now: seconds(23), timeouts) == .close)
    }
}
