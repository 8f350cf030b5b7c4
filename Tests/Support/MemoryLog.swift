package import FreshetBase

/// The engine of a shared log, in memory: for tests with real threads. Each server has a `MemoryLog`
/// on it.
// SAFETY: all mutable state is read and written under `lock`.
package final class MemoryEngine: @unchecked Sendable {
    private let lock = Lock()
    private var head: LogValue?
    private var revision: UInt64 = 0
    private var records: [LogRecord] = []
    private var floor: UInt64 = 1
    private var tails: [MemoryTail] = []
    private var away = false

    package init() {}

    /// Gives no answer while it is set.
    package var isAway: Bool {
        get { lock.withLock { away } }
        set {
            lock.withLock {
                away = newValue
                guard newValue else { return }
                for tail in tails { tail.tell(.broken(.away("the engine is away"))) }
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
        try answer { () throws(LogTrouble) in head }
    }

    fileprivate func append(
        _ record: LogRecord?, _ bytes: [UInt8]?, _ expected: LogValue?
    ) throws(LogTrouble) -> LogValue {
        try answer { () throws(LogTrouble) in
            guard head == expected else { throw LogTrouble.conflict }
            revision += 1
            if let record { put(record) }
            guard let bytes else { return expected ?? LogValue(bytes: [], revision: 0) }
            let next = LogValue(bytes: bytes, revision: revision)
            head = next
            for tail in tails { tail.tell(.head(next)) }
            return next
        }
    }

    /// A part counts with its record alone, and stands behind it.
    private func put(_ record: LogRecord) {
        if record.part != nil {
            records.append(record)
            return
        }
        let place = records.firstIndex { $0.seq == record.seq } ?? records.count
        records.insert(record, at: place)
        for tail in tails { tail.tell(.record(record)) }
    }

    fileprivate func read(from seq: UInt64, _ limit: Int) throws(LogTrouble) -> [LogRecord] {
        try answer { () throws(LogTrouble) in
            if seq < floor { throw LogTrouble.truncated(floor: floor) }
            var found: [LogRecord] = []
            for record in records where record.seq >= seq {
                if found.count >= max(1, limit), found.last?.seq != record.seq { break }
                found.append(record)
            }
            return found
        }
    }

    fileprivate func truncate(below seq: UInt64) throws(LogTrouble) {
        try answer { () throws(LogTrouble) in
            records.removeAll { $0.seq < seq }
            floor = max(floor, seq)
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
        try engine.read(from: seq, limit)
    }

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
