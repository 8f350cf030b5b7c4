import FreshetBase
import Synchronization

/// How often a token has let somebody in, and when last. Kept over reloads of the configuration, by
/// the token's digest. Any thread; loops that count at a time touch memory of their own.
// SAFETY: `slots` are made in init and freed in deinit, and are atomic.
final class TokenUse: @unchecked Sendable {
    /// A cache line.
    private struct Slot: ~Copyable {
        let count = Atomic<Int>(0)
        /// Nanoseconds of the monotonic clock; 0: never.
        let last = Atomic<UInt64>(0)
        private let room: (Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0)
    }

    private static let slotCount = 8
    /// Both clocks at one time, so that one use is told as the same time again and again.
    private static let anchor = (wall: WallTime.now, monotonic: MonotonicInstant.now)

    private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount)

    init() {
        _ = Self.anchor
        for index in 0..<Self.slotCount { (slots + index).initialize(to: Slot()) }
    }

    deinit {
        slots.deinitialize(count: Self.slotCount)
        slots.deallocate()
    }

    /// Counts a request.
    func record(by loop: Int, at now: MonotonicInstant) {
        let slot = slots + loop % Self.slotCount
        slot.pointee.count.wrappingAdd(1, ordering: .relaxed)
        slot.pointee.last.store(now.nanoseconds, ordering: .relaxed)
    }

    var count: Int {
        (0..<Self.slotCount).reduce(0) { $0 + slots[$1].count.load(ordering: .relaxed) }
    }

    /// nil where nobody has used it since the start.
    var lastAt: WallTime? {
        let last = (0..<Self.slotCount).map { slots[$0].last.load(ordering: .relaxed) }.max() ?? 0
        guard last > 0 else { return nil }
        let passed = Int64(bitPattern: last &- Self.anchor.monotonic.nanoseconds)
        return WallTime(milliseconds: Self.anchor.wall.milliseconds + passed / 1_000_000)
    }
}
