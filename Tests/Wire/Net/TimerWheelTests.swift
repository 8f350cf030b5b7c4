import FreshetBase
import Testing

@testable import FreshetNet

/// The wheel alone, with connections that have no socket and a clock that is an argument.
struct TimerWheelTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    private static func milliseconds(_ count: UInt64) -> UInt64 {
        start.nanoseconds + count * 1_000_000
    }

    private func makeLoop() throws -> EventLoop { try EventLoop(index: 0) }

    private func makeConnection(_ loop: EventLoop) throws -> Connection {
        Connection(
            descriptor: -1, remote: try SocketAddress(host: "127.0.0.1", port: 1), loop: loop)
    }

    @Test func `A deadline fires once, at most one tick late`() throws {
        let loop = try makeLoop()
        var wheel = TimerWheel(now: Self.start)
        let connection = try makeConnection(loop)
        wheel.set(connection, deadline: Self.milliseconds(1_000))
        #expect(wheel.popDue(now: Self.milliseconds(999)) == nil)
        #expect(wheel.popDue(now: Self.milliseconds(1_100)) === connection)
        #expect(wheel.popDue(now: Self.milliseconds(2_000)) == nil)
        #expect(wheel.count == 0)
    }

    @Test func `A deadline that moved later does not fire at the old instant`() throws {
        let loop = try makeLoop()
        var wheel = TimerWheel(now: Self.start)
        let connection = try makeConnection(loop)
        wheel.set(connection, deadline: Self.milliseconds(1_000))
        wheel.set(connection, deadline: Self.milliseconds(5_000))
        #expect(wheel.popDue(now: Self.milliseconds(4_000)) == nil)
        #expect(wheel.popDue(now: Self.milliseconds(5_100)) === connection)
    }

    @Test func `A deadline that moved earlier fires at the new instant`() throws {
        let loop = try makeLoop()
        var wheel = TimerWheel(now: Self.start)
        let connection = try makeConnection(loop)
        wheel.set(connection, deadline: Self.milliseconds(75_000))
        wheel.set(connection, deadline: Self.milliseconds(300))
        #expect(wheel.popDue(now: Self.milliseconds(400)) === connection)
    }

    @Test func `A deadline beyond the ring waits for its turn`() throws {
        let loop = try makeLoop()
        var wheel = TimerWheel(now: Self.start)
        let connection = try makeConnection(loop)
        wheel.set(connection, deadline: Self.milliseconds(250_000))
        var now: UInt64 = 0
        while now < 249_000 {
            #expect(wheel.popDue(now: Self.milliseconds(now)) == nil)
            now += 7_000
        }
        #expect(wheel.popDue(now: Self.milliseconds(250_100)) === connection)
    }

    @Test func `A deadline set into the past fires in the next tick, not in this one again`()
        throws
    {
        let loop = try makeLoop()
        var wheel = TimerWheel(now: Self.start)
        let connection = try makeConnection(loop)
        wheel.set(connection, deadline: Self.milliseconds(50))
        #expect(wheel.popDue(now: Self.milliseconds(150)) === connection)
        wheel.set(connection, deadline: Self.milliseconds(50))
        #expect(wheel.popDue(now: Self.milliseconds(150)) == nil)
        #expect(wheel.popDue(now: Self.milliseconds(250)) === connection)
    }

    @Test func `The wait reaches to the next occupied slot`() throws {
        let loop = try makeLoop()
        var wheel = TimerWheel(now: Self.start)
        #expect(wheel.millisecondsToNext(now: Self.start.nanoseconds) == nil)
        let connection = try makeConnection(loop)
        wheel.set(connection, deadline: Self.milliseconds(30_000))
        let wait = wheel.millisecondsToNext(now: Self.start.nanoseconds) ?? 0
        #expect(wait > 29_900 && wait <= 30_101)
        wheel.remove(connection)
        #expect(wheel.millisecondsToNext(now: Self.start.nanoseconds) == nil)
    }

    @Test func `Many random deadlines all fire in their tick`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var state = seed
        func next(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        let loop = try makeLoop()
        var wheel = TimerWheel(now: Self.start)
        var connections: [Connection] = []
        for _ in 0..<500 {
            let connection = try makeConnection(loop)
            wheel.set(connection, deadline: Self.milliseconds(next(200_000)))
            connections.append(connection)
        }
        var fired = 0
        var now: UInt64 = 0
        while now < 201_000 {
            now += next(900) + 1
            if next(4) == 0 {
                let connection = connections[Int(next(500))]
                if connection.wheelTick != 0 {
                    wheel.set(connection, deadline: Self.milliseconds(now + next(50_000)))
                }
            }
            while let connection = wheel.popDue(now: Self.milliseconds(now)) {
                #expect(connection.deadline <= Self.milliseconds(now))
                fired += 1
            }
        }
        while wheel.popDue(now: Self.milliseconds(400_000)) != nil { fired += 1 }
        #expect(fired == 500)
    }
}
