/// What streams are about to send: the memory that slow readers cost.
///
/// A stream amid a large snapshot or delta keeps it as it was. Many readers who are slow at different
/// moments, or whose queries differ, would keep as many of them, so their bytes have a bound, and past
/// it those who have sent longest are ended; they come back for what there is then. What their queries
/// still show has the larger bound: it is mostly read at once, and others may come for it.
struct PinnedSnapshots {
    /// Bytes that nothing but streams holds.
    static let mostBytes = 256 << 20
    /// Bytes in all; two of the largest snapshots have room.
    private let mostSent: Int
    /// Bytes that may come between two looks.
    private static let lookedOver = 16 << 20

    struct Pin {
        let object: any AnyObject & Sendable
        let bytes: Int
        /// Whether it is held beside the streams that send it.
        let isCurrent: @Sendable () -> Bool
        /// Grows with time; set where it is added.
        var order = 0
    }

    private var pins: [Int: [Pin]] = [:]
    /// How many streams send an object, and all objects' bytes.
    private var counts: [ObjectIdentifier: Int] = [:]
    private var bytes = 0
    /// Beyond it those who send are looked at: some bytes behind the last look, since there may be much
    /// that is current.
    private var nextLook = mostBytes
    private var lastOrder = 0

    /// - Parameter largest: Bytes of the largest snapshot.
    init(largest: Int) {
        mostSent = max(512 << 20, 2 * largest)
    }

    /// Counts what the stream with the number `stream` begins to send.
    ///
    /// - Returns: What is being sent, where it is time to look at it: whoever asks what of it is current
    ///   does so off every lock.
    /// - Complexity: O(1); O(n) in what is being sent at each look.
    mutating func add(_ pin: Pin, by stream: Int) -> Sent? {
        lastOrder += 1
        var pin = pin
        pin.order = lastOrder
        pins[stream, default: []].append(pin)
        let id = ObjectIdentifier(pin.object)
        counts[id, default: 0] += 1
        if counts[id] == 1 { bytes += pin.bytes }
        guard bytes > nextLook else { return nil }
        nextLook = bytes + Self.lookedOver
        return Sent(
            pins: pins.flatMap { stream, pins in pins.map { (stream, $0) } }, most: mostSent)
    }

    /// The stream has sent `object`.
    mutating func remove(_ object: AnyObject, by stream: Int) {
        guard let index = pins[stream]?.firstIndex(where: { $0.object === object }),
            let pin = pins[stream]?.remove(at: index)
        else { return }
        if pins[stream]?.isEmpty == true { pins[stream] = nil }
        release(pin)
    }

    /// The stream has ended.
    mutating func removeAll(by stream: Int) {
        for pin in pins.removeValue(forKey: stream) ?? [] { release(pin) }
    }

    private mutating func release(_ pin: Pin) {
        let id = ObjectIdentifier(pin.object)
        let count = (counts[id] ?? 1) - 1
        counts[id] = count == 0 ? nil : count
        if count == 0 { bytes -= pin.bytes }
        nextLook = max(Self.mostBytes, min(nextLook, bytes + Self.lookedOver))
    }

    /// What was being sent at a look.
    struct Sent {
        fileprivate let pins: [(stream: Int, pin: Pin)]
        fileprivate let most: Int

        /// The streams that have sent longest, as many as make room for the others; they are to end.
        /// O(n log n) in what is sent. Asks each object whether it is current.
        var surplus: [Int] {
            // From the newest on, until there is no more room.
            var fits: [ObjectIdentifier: Bool] = [:]
            var (all, own) = (0, 0)
            var streams: Set<Int> = []
            for (stream, pin) in pins.sorted(by: { $0.pin.order > $1.pin.order }) {
                let id = ObjectIdentifier(pin.object)
                if fits[id] == nil {
                    all += pin.bytes
                    let isCurrent = pin.isCurrent()
                    if !isCurrent { own += pin.bytes }
                    fits[id] = all <= most && (isCurrent || own <= PinnedSnapshots.mostBytes)
                }
                if fits[id] == false { streams.insert(stream) }
            }
            return streams.sorted()
        }
    }
}
