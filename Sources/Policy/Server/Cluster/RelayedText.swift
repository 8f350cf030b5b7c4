/// The text of an event stream on its way, which is cut between events where it can be.
struct RelayedText {
    private var waiting: [UInt8] = []
    /// The client has the beginning of an event, and not its end.
    private(set) var isWithinEvent = false

    /// What is sent at once.
    static let piece = 64 << 10

    /// Bytes that wait.
    var count: Int { waiting.count }

    mutating func add(_ bytes: UnsafeRawBufferPointer) { waiting.append(contentsOf: bytes) }

    /// What the client is sent next: whole events, or a piece of one that is too large; empty where no
    /// event is whole yet.
    mutating func next() -> [UInt8] {
        let part = waiting.prefix(Self.piece)
        if let end = part.indices.last(where: { endsEvent(at: $0) }) {
            isWithinEvent = false
            return cut(end + 1)
        }
        guard part.count == Self.piece else { return [] }
        isWithinEvent = true
        // The line feed that ends an event with the one before it is seen beside that one.
        return cut(part.last == UInt8(ascii: "\n") ? part.count - 1 : part.count)
    }

    /// What has to be sent still so that the client has whole events alone; the rest is dropped, and
    /// resumed from elsewhere.
    mutating func last() -> [UInt8] {
        guard isWithinEvent else {
            waiting = []
            return []
        }
        guard let end = waiting.indices.first(where: { endsEvent(at: $0) }) else {
            return cut(waiting.last == UInt8(ascii: "\n") ? waiting.count - 1 : waiting.count)
        }
        isWithinEvent = false
        let piece = cut(end + 1)
        waiting = []
        return piece
    }

    private func endsEvent(at index: Int) -> Bool {
        let feed = UInt8(ascii: "\n")
        return index > 0 && waiting[index] == feed && waiting[index - 1] == feed
    }

    private mutating func cut(_ count: Int) -> [UInt8] {
        let piece = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        return piece
    }
}
