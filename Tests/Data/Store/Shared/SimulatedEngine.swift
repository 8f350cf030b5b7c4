import FreshetBase
import FreshetQuery

@testable import FreshetStore

/// An engine that a simulation steps: one head, records, and everything that was ever put, in order.
/// Each server speaks to it by a `SimulatedLog` of its own.
final class SimulatedEngine: @unchecked Sendable {
    // SAFETY: touched by whoever has the baton of the simulation alone.

    /// A step that was sent, and has not been made yet.
    struct Request {
        let record: LogRecord?
        let head: [UInt8]?
        let expected: LogValue?
    }

    private(set) var head: LogValue?
    /// In their order, each before its parts.
    private(set) var records: [LogRecord] = []
    /// What tails hear.
    private(set) var events: [LogEvent] = []
    private(set) var revision: UInt64 = 0
    /// Counts the restores, each of which ends all tails of before.
    private(set) var generation = 0
    /// The first record that is left.
    private(set) var floor: UInt64 = 1
    var isAway = false
    /// A larger record comes in parts.
    var recordLimit = Int.max
    /// Makes a fault that the checks must find: takes steps whatever head they expect.
    var ignoresExpectations = false

    func make(_ request: Request) -> Result<LogValue, LogTrouble> {
        guard ignoresExpectations || head == request.expected else { return .failure(.conflict) }
        revision += 1
        if let record = request.record {
            records.removeAll { $0.seq == record.seq && $0.part == record.part }
            let place = records.firstIndex { Self.isBefore(record, $0) } ?? records.count
            records.insert(record, at: place)
            // A part counts with its record alone.
            if record.part == nil { events.append(.record(record)) }
        }
        guard let bytes = request.head else {
            return .success(head ?? .init(bytes: [], revision: 0))
        }
        let value = LogValue(bytes: bytes, revision: revision)
        head = value
        events.append(.head(value))
        return .success(value)
    }

    func read(from seq: UInt64, limit: Int) -> Result<[LogRecord], LogTrouble> {
        // As an engine knows it: by the first one that is left.
        if let first = records.first, seq < first.seq {
            return .failure(.truncated(floor: first.seq))
        }
        return .success(found(from: seq, limit: limit))
    }

    private func found(from seq: UInt64, limit: Int) -> [LogRecord] {
        var found: [LogRecord] = []
        for record in records where record.seq >= seq {
            if found.count >= max(1, limit), found.last?.seq != record.seq { break }
            found.append(record)
        }
        return found
    }

    private static func isBefore(_ record: LogRecord, _ other: LogRecord) -> Bool {
        let (a, b) = (record.part, other.part)
        return (record.seq, a?.record ?? "", a?.number ?? 0)
            < (other.seq, b?.record ?? "", b?.number ?? 0)
    }

    func truncate(below seq: UInt64) {
        floor = max(floor, seq)
        records.removeAll { $0.seq < floor }
    }

    /// Goes back to what it was `commits` commits ago, as a restore of an old copy does.
    func rewind(commits: UInt64) {
        let end = head.flatMap { LogHead($0.bytes) }?.seq ?? 0
        let last = events.lastIndex { event in
            guard case .head(let value) = event, let head = LogHead(value.bytes) else {
                return false
            }
            return head.seq + commits <= end
        }
        guard let last, case .head(let old) = events[last] else { return }
        events.removeSubrange((last + 1)...)
        // The revision comes again, too.
        revision = old.revision
        head = old
        let kept = LogHead(old.bytes)?.seq ?? 0
        records.removeAll { $0.seq > kept }
        generation += 1
    }
}

/// What a call of a server asks for, while its thread waits.
enum LogCall {
    case head
    case append(SimulatedEngine.Request)
    case read(from: UInt64, limit: Int)
    case truncate(below: UInt64)
}

/// The log as one server's thread calls it: each call gives the baton back, and the simulation says
/// what comes of it.
final class SimulatedLog: SharedLog, @unchecked Sendable {
    // SAFETY: touched by whoever has the baton of the simulation alone.

    let engine: SimulatedEngine
    private let baton: () -> Baton?
    /// What the thread waits for, and what came of it.
    var call: LogCall?
    var answer: LogAnswer?
    private(set) var tails: [SimulatedTail] = []

    enum LogAnswer {
        case value(LogValue?)
        case records([LogRecord])
        case trouble(LogTrouble)
    }

    init(_ engine: SimulatedEngine, baton: @escaping () -> Baton?) {
        self.engine = engine
        self.baton = baton
    }

    var recordLimit: Int { engine.recordLimit }

    private func ask(_ call: LogCall) throws(LogTrouble) -> LogAnswer {
        self.call = call
        baton()?.yield()
        defer { answer = nil }
        switch answer {
        case .trouble(let trouble): throw trouble
        case .some(let answer): return answer
        case nil: throw .away("the server was killed")
        }
    }

    func head() throws(LogTrouble) -> LogValue? {
        guard case .value(let value) = try ask(.head) else { return nil }
        return value
    }

    func append(
        _ record: LogRecord?, head: [UInt8]?, expecting expected: LogValue?
    ) throws(LogTrouble) -> LogValue {
        let request = SimulatedEngine.Request(record: record, head: head, expected: expected)
        guard case .value(let value?) = try ask(.append(request)) else {
            throw .unknown("no value")
        }
        return value
    }

    func read(from seq: UInt64, limit: Int) throws(LogTrouble) -> [LogRecord] {
        guard case .records(let records) = try ask(.read(from: seq, limit: limit)) else {
            return []
        }
        return records
    }

    func tail(
        from seq: UInt64, _ take: @escaping @Sendable (LogEvent) -> Bool
    ) -> any SharedLogTail {
        let tail = SimulatedTail(engine, from: seq, take)
        tails = tails.filter { !$0.isCancelled } + [tail]
        return tail
    }

    func truncate(below seq: UInt64) throws(LogTrouble) {
        _ = try ask(.truncate(below: seq))
    }

    func describe() -> [(name: String, value: String)] { [] }
}

/// A tail that the simulation moves.
final class SimulatedTail: SharedLogTail, @unchecked Sendable {
    // SAFETY: touched by whoever has the baton of the simulation alone.

    private let engine: SimulatedEngine
    private let take: @Sendable (LogEvent) -> Bool
    private let seq: UInt64
    /// The next event.
    private var place = 0
    private var generation: Int
    private(set) var isCancelled = false

    init(
        _ engine: SimulatedEngine, from seq: UInt64, _ take: @escaping @Sendable (LogEvent) -> Bool
    ) {
        self.engine = engine
        self.seq = seq
        self.take = take
        generation = engine.generation
        // What came before is not told again, but for the head.
        place =
            engine.events.firstIndex {
                if case .record(let record) = $0 { record.seq >= seq } else { false }
            } ?? max(0, engine.events.count - 1)
    }

    func cancel() { isCancelled = true }

    /// Delivers the next event. - Returns: Was there one?
    func advance() -> Bool {
        if generation != engine.generation {
            generation = engine.generation
            place = engine.events.count
            _ = take(.broken(.unknown("the watch was cancelled")))
            if let head = engine.head { _ = take(.head(head)) }
            return true
        }
        while place < engine.events.count, !isCancelled {
            let event = engine.events[place]
            place += 1
            if case .record(let record) = event, record.seq < seq { continue }
            if !take(event) { isCancelled = true }
            return true
        }
        return false
    }
}
