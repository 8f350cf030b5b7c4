import FreshetBase

/// Deadlines of the connections of one loop: a ring of slots, each a list of connections.
///
/// A connection stands in at most one slot. Moving its deadline *later* touches nothing but the
/// deadline itself: when the slot comes round and the deadline is not due, the connection moves to
/// the slot of its new deadline. So a keep-alive connection that answers 100,000 requests a second
/// costs one move per idle time, not one per request. Deadlines fire up to one tick late.
struct TimerWheel: ~Copyable {
    /// The span of one slot.
    static let tick: UInt64 = 100_000_000
    /// 1024 slots of 100 ms reach 102 s ahead; later deadlines wait in the farthest slot.
    static let slots: UInt64 = 1024

    // SAFETY (of the unowned links in Connection): a connection leaves the wheel before the loop
    // gives up its reference, so no slot names a dead one.
    private let heads: UnsafeMutablePointer<Unmanaged<Connection>?>
    /// One bit per slot that is not empty.
    private let occupied: UnsafeMutablePointer<UInt64>
    /// The next tick to be visited.
    private var nextTick: UInt64
    /// The tick up to which `popDue` was last asked. Nothing is linked there or before, so that a
    /// deadline that is set into the past again and again fires once a tick, not for ever.
    private var reachedTick: UInt64
    private(set) var count = 0

    init(now: MonotonicInstant) {
        heads = .allocate(capacity: Int(Self.slots))
        heads.initialize(repeating: nil, count: Int(Self.slots))
        occupied = .allocate(capacity: Int(Self.slots / 64))
        occupied.initialize(repeating: 0, count: Int(Self.slots / 64))
        nextTick = now.nanoseconds / Self.tick
        reachedTick = nextTick
    }

    deinit {
        heads.deallocate()
        occupied.deallocate()
    }

    /// Sets the deadline; `UInt64.max` is none.
    mutating func set(_ connection: Connection, deadline: UInt64) {
        connection.deadline = deadline
        guard deadline != .max else { return }
        let due = deadline / Self.tick + 1
        if connection.wheelTick == 0 {
            link(connection, due: due)
        } else if due < connection.wheelTick {
            remove(connection)
            link(connection, due: due)
        }
    }

    private mutating func link(_ connection: Connection, due: UInt64) {
        let tick = min(max(due, nextTick, reachedTick + 1), nextTick + Self.slots - 1)
        let slot = Int(tick % Self.slots)
        connection.wheelTick = tick
        connection.wheelPrevious = nil
        let head = heads[slot]
        connection.wheelNext = head
        head?._withUnsafeGuaranteedRef { $0.wheelPrevious = Unmanaged.passUnretained(connection) }
        heads[slot] = Unmanaged.passUnretained(connection)
        occupied[slot >> 6] |= 1 << (UInt64(slot) & 63)
        count += 1
    }

    /// Takes a connection out, if it is in.
    mutating func remove(_ connection: Connection) {
        guard connection.wheelTick != 0 else { return }
        let slot = Int(connection.wheelTick % Self.slots)
        let next = connection.wheelNext
        let previous = connection.wheelPrevious
        if let previous {
            previous._withUnsafeGuaranteedRef { $0.wheelNext = next }
        } else {
            heads[slot] = next
            if next == nil { occupied[slot >> 6] &= ~(1 << (UInt64(slot) & 63)) }
        }
        next?._withUnsafeGuaranteedRef { $0.wheelPrevious = previous }
        connection.wheelNext = nil
        connection.wheelPrevious = nil
        connection.wheelTick = 0
        count -= 1
    }

    /// Takes the next connection whose deadline is due, moving those whose deadline has moved.
    ///
    /// - Returns: nil when all slots up to `now` are done; call until then.
    mutating func popDue(now: UInt64) -> Connection? {
        let currentTick = now / Self.tick
        reachedTick = currentTick
        if count == 0 {
            nextTick = max(nextTick, currentTick)
            return nil
        }
        while nextTick <= currentTick {
            let slot = Int(nextTick % Self.slots)
            while let head = heads[slot] {
                let connection = head.takeUnretainedValue()
                remove(connection)
                if connection.deadline <= now { return connection }
                if connection.deadline != .max {
                    // Never into the slot that is being emptied.
                    link(connection, due: max(connection.deadline / Self.tick + 1, nextTick + 1))
                }
            }
            nextTick += 1
        }
        return nil
    }

    /// Milliseconds until the next slot that holds anything; nil when none does.
    func millisecondsToNext(now: UInt64) -> Int? {
        guard count > 0 else { return nil }
        var distance: UInt64 = 0
        while distance < Self.slots {
            let slot = (nextTick + distance) % Self.slots
            let rest = occupied[Int(slot >> 6)] >> (slot & 63)
            if rest != 0 {
                distance += UInt64(rest.trailingZeroBitCount)
                break
            }
            distance += 64 - (slot & 63)
        }
        let due = (nextTick + distance) * Self.tick
        return due <= now ? 0 : Int((due - now) / 1_000_000) + 1
    }
}
