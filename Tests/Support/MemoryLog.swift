package import FreshetBase

/// The engine of a shared log, in memory: for tests with real threads. Each server has a `MemoryLog`
/// on it.
// SAFETY: all mutable state is read and written under `lock`.
package final class MemoryEngine: @unchecked Sendable {
    private let lock = Lock()
    private var head: LogValue?
    private var revision: UInt64 = 0
    private var records: [LogRecord] = []
    private var tails: [MemoryTail] = []
    private var away = false
    private var withholding = false
    private var losing = false
    /// Seqs of records that cannot be read: at the first node, or at both.
    private var spoilt: [UInt64: Bool] = [:]
    private var onHead: (@Sendable () -> Void)?

    package init() {}

    /// An engine that has what this one has now, as one that is restored from a copy.
    package func copied() -> MemoryEngine {
        let copy = MemoryEngine()
        lock.withLock { (copy.head, copy.revision, copy.records) = (head, revision, records) }
        return copy
    }

    /// The record of `seq` is read with a wrong byte: at the node that is asked first, or everywhere.
    package func spoil(_ seq: UInt64, everywhere: Bool) {
        lock.withLock { spoilt[seq] = everywhere }
    }

    /// The record of `seq` is there no more, and nothing says so.
    package func lose(_ seq: UInt64) {
        lock.withLock { records.removeAll { $0.seq == seq } }
    }

    /// Calls `body` once, when the head was read next and its reader has not gone on.
    package func afterNextHead(_ body: @escaping @Sendable () -> Void) {
        lock.withLock { onHead = body }
    }

    /// Another has put a head, of which no tail is told: the one that stands with some of its text
    /// replaced.
    package func replaceHead(_ old: String, by new: String) {
        lock.withLock {
            guard let head else { return }
            let text = String(decoding: head.bytes, as: UTF8.self)
            let parts = text.split(separator: old, omittingEmptySubsequences: false)
            revision += 1
            self.head = LogValue(
                bytes: Array(parts.joined(separator: new).utf8), revision: revision)
        }
    }

    /// Gives its head, and no record of before, while it is set.
    package var withholdsRecords: Bool {
        get { lock.withLock { withholding } }
        set { lock.withLock { withholding = newValue } }
    }

    /// Makes the next step, gives no answer to it, and is away from then on.
    package func loseNextAnswer() { lock.withLock { losing = true } }

    /// Whether no log was ever made on it.
    package var isEmpty: Bool { lock.withLock { head == nil } }

    /// Gives no answer while it is set.
    package var isAway: Bool {
        get { lock.withLock { away } }
        set {
            lock.withLock {
                away = newValue
                for tail in tails {
                    if newValue {
                        tail.tell(.broken(.away("the engine is away")))
                    } else if let head {
                        tail.tell(.head(head))
                    }
                }
            }
        }
    }

    private func answer<Value>(
        _ body: () throws(LogTrouble) -> Value
    ) throws(LogTrouble) -> Value {
        let result = lock.withLock {
            Result { () throws(LogTrouble) in
                if away { throw LogTrouble.away("the engine is away") }
                return try body()
            }
        }
        return try result.get()
    }

    fileprivate func readHead() throws(LogTrouble) -> LogValue? {
        let found = try answer { () throws(LogTrouble) in head }
        let then = lock.withLock {
            defer { onHead = nil }
            return onHead
        }
        then?()
        return found
    }

    fileprivate func append(
        _ record: LogRecord?, _ bytes: [UInt8]?, _ expected: LogValue?
    ) throws(LogTrouble) -> LogValue {
        try answer { () throws(LogTrouble) in
            guard head == expected else { throw LogTrouble.conflict }
            let isLost = losing && bytes != nil
            defer { if isLost { (losing, away) = (false, true) } }
            revision += 1
            if let record { put(record, isTold: !isLost) }
            guard let bytes else { return expected ?? LogValue(bytes: [], revision: 0) }
            let next = LogValue(bytes: bytes, revision: revision)
            head = next
            for tail in tails where !isLost { tail.tell(.head(next)) }
            if isLost { throw LogTrouble.unknown("the answer is lost") }
            return next
        }
    }

    /// A part counts with its record alone, and stands behind it.
    private func put(_ record: LogRecord, isTold: Bool) {
        if record.part != nil {
            records.append(record)
            return
        }
        let place = records.firstIndex { $0.seq == record.seq } ?? records.count
        records.insert(record, at: place)
        for tail in tails where isTold { tail.tell(.record(record)) }
    }

    /// - Parameter isOther: The second of its two nodes is asked.
    fileprivate func read(
        from seq: UInt64, _ limit: Int, isOther: Bool
    ) throws(LogTrouble) -> [LogRecord] {
        try answer { () throws(LogTrouble) in
            if withholding { throw LogTrouble.away("the records are withheld") }
            // As an engine knows it: by the first one that is left.
            if let first = records.first, seq < first.seq { throw .truncated(floor: first.seq) }
            var found: [LogRecord] = []
            for record in records where record.seq >= seq {
                if found.count >= max(1, limit), found.last?.seq != record.seq { break }
                found.append(isSpoilt(record, isOther) ? Self.spoilt(record) : record)
            }
            return found
        }
    }

    private func isSpoilt(_ record: LogRecord, _ isOther: Bool) -> Bool {
        spoilt[record.seq].map { $0 || !isOther } ?? false
    }

    private static func spoilt(_ record: LogRecord) -> LogRecord {
        var bytes = record.bytes
        bytes[bytes.count - 1] ^= 1
        return LogRecord(seq: record.seq, part: record.part, bytes: bytes)
    }

    fileprivate func truncate(below seq: UInt64) throws(LogTrouble) {
        try answer { () throws(LogTrouble) in
            records.removeAll { $0.seq < seq }
        }
    }

    fileprivate func begin(_ tail: MemoryTail, from seq: UInt64) {
        lock.withLock {
            if away { tail.tell(.broken(.away("the engine is away"))) }
            for record in records where record.seq >= seq && record.part == nil {
                tail.tell(.record(record))
            }
            if let head { tail.tell(.head(head)) }
            tails.append(tail)
        }
    }

    fileprivate func end(_ tail: MemoryTail) {
        lock.withLock { tails.removeAll { $0 === tail } }
    }

    /// How many records it holds.
    package var count: Int { lock.withLock { records.count } }
}

/// The log of a `MemoryEngine` as one server has it.
package final class MemoryLog: SharedLog {
    private let engine: MemoryEngine

    /// A larger record comes in parts.
    package let recordLimit: Int
    private let hasTurned = Counter()

    package init(_ engine: MemoryEngine, recordLimit: Int = .max) {
        self.engine = engine
        self.recordLimit = recordLimit
    }

    package func head() throws(LogTrouble) -> LogValue? { try engine.readHead() }

    package func append(
        _ record: LogRecord?, head: [UInt8]?, expecting expected: LogValue?
    ) throws(LogTrouble) -> LogValue {
        try engine.append(record, head, expected)
    }

    package func read(from seq: UInt64, limit: Int) throws(LogTrouble) -> [LogRecord] {
        try engine.read(from: seq, limit, isOther: hasTurned.value > 0)
    }

    package func turnAway() { hasTurned.set(1) }

    package func tail(
        from seq: UInt64, _ take: @escaping @Sendable (LogEvent) -> Bool
    ) -> any SharedLogTail {
        let tail = MemoryTail(engine, take)
        engine.begin(tail, from: seq)
        return tail
    }

    package func truncate(below seq: UInt64) throws(LogTrouble) { try engine.truncate(below: seq) }

    package func describe() -> [(name: String, value: String)] { [("kind", "memory")] }
}

/// Tells from whatever thread puts something. Those who take hand over and return.
// SAFETY: `hasEnded` is touched under the engine's lock alone.
private final class MemoryTail: SharedLogTail, @unchecked Sendable {
    private let engine: MemoryEngine
    private let take: @Sendable (LogEvent) -> Bool
    private var hasEnded = false

    init(_ engine: MemoryEngine, _ take: @escaping @Sendable (LogEvent) -> Bool) {
        self.engine = engine
        self.take = take
    }

    func tell(_ event: LogEvent) {
        if !hasEnded, !take(event) { hasEnded = true }
    }

    func cancel() { engine.end(self) }
}
