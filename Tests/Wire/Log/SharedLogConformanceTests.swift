import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetLogDrivers

/// The engines of a shared log that are here: memory always, the others where they are installed.
enum LogEngine: String, CaseIterable, CustomTestStringConvertible {
    case memory, etcd, postgres

    static var here: [LogEngine] {
        allCases.filter { engine in
            switch engine {
            case .memory: true
            case .etcd: EtcdCluster.program != nil
            case .postgres: PostgresServer.programs != nil
            }
        }
    }

    var testDescription: String { rawValue }

    /// Two servers' logs of one name, which nobody has used before.
    func logs(_ name: String) throws -> (any SharedLog, any SharedLog) {
        switch self {
        case .memory:
            let engine = MemoryEngine()
            return (MemoryLog(engine), MemoryLog(engine))
        case .etcd: return try (SharedEtcd.log("seam-\(name)"), SharedEtcd.log("seam-\(name)"))
        case .postgres:
            return try (SharedPostgres.log("seam_\(name)"), SharedPostgres.log("seam_\(name)"))
        }
    }
}

/// What `SharedLog` says of every engine, asked of each through the seam alone. A new driver is fit once
/// it is a case of `LogEngine` and passes.
@Suite("Every engine of a shared log", .serialized)
struct SharedLogConformanceTests {
    @Test(
        "has no head before the first, lets one make it, and shows it to all",
        arguments: LogEngine.here)
    func first(_ engine: LogEngine) async throws {
        try await offPool {
            let (log, other) = try engine.logs("first")
            #expect(try log.head() == nil)
            let made = try log.append(nil, head: bytes("h0"), expecting: nil)
            #expect(try other.read(from: 1, limit: 8) == [])
            #expect(made.bytes == bytes("h0"))
            #expect(try log.head() == made)
            #expect(try other.head() == made)
            #expect(trouble(of: other, nil, "other", expecting: nil) == .conflict)
            #expect(try log.head() == made)
        }
    }

    @Test(
        "makes a step only behind the head that was seen last, record and head at once",
        arguments: LogEngine.here)
    func conflicts(_ engine: LogEngine) async throws {
        try await offPool {
            let (log, other) = try engine.logs("conflicts")
            let zero = try log.append(nil, head: bytes("h0"), expecting: nil)
            let one = try other.append(record(1, "a"), head: bytes("h1"), expecting: zero)
            for stale in [
                zero, LogValue(bytes: bytes("h2"), revision: one.revision),
                LogValue(bytes: one.bytes, revision: one.revision + 1),
            ] {
                #expect(
                    trouble(of: log, record(2, "x"), "hx", expecting: stale) == .conflict)
            }
            #expect(try log.head() == one)
            #expect(try log.read(from: 1, limit: 8) == [record(1, "a")])
            // The value of before is another head: who has seen the first one is late.
            let again = try log.append(nil, head: bytes("h1"), expecting: one)
            #expect(again.bytes == one.bytes && again != one)
            #expect(trouble(of: other, record(2, "x"), "h2", expecting: one) == .conflict)
            _ = try other.append(record(2, "b"), head: bytes("h2"), expecting: again)
            #expect(try log.read(from: 1, limit: 8) == [record(1, "a"), record(2, "b")])
        }
    }

    @Test(
        "gives records in order, from the one that is asked for, as many as are asked for",
        arguments: LogEngine.here)
    func reads(_ engine: LogEngine) async throws {
        try await offPool {
            let (log, other) = try engine.logs("reads")
            try fill(log, [1, 2, 9, 10, 16, 255, 256, 1 << 40])
            #expect(try other.read(from: 1, limit: 4).map(\.seq) == [1, 2, 9, 10])
            #expect(try other.read(from: 9, limit: 3) == [9, 10, 16].map { record($0, "r\($0)") })
            #expect(try other.read(from: 11, limit: 1).map(\.seq) == [16])
            #expect(try other.read(from: 1 << 40, limit: 8).map(\.seq) == [1 << 40])
            #expect(try other.read(from: 1 << 41, limit: 8) == [])
        }
    }

    @Test(
        "keeps parts behind the head that they expect, and gives them behind their record",
        arguments: LogEngine.here)
    func parts(_ engine: LogEngine) async throws {
        try await offPool {
            let (log, other) = try engine.logs("parts")
            let head = try log.append(nil, head: bytes("h0"), expecting: nil)
            for (name, number) in [("dead", 1), ("live", 1), ("live", 2)] {
                let part = LogRecord(
                    seq: 1, part: .init(record: name, number: number), bytes: [UInt8(number)])
                #expect(try log.append(part, head: nil, expecting: head) == head)
            }
            #expect(try other.head() == head)
            let next = try log.append(record(1, "1"), head: bytes("h1"), expecting: head)
            let late = LogRecord(seq: 2, part: .init(record: "late", number: 1), bytes: [1])
            #expect(trouble(of: log, late, nil, expecting: head) == .conflict)
            _ = try log.append(record(2, "2"), head: bytes("h2"), expecting: next)
            // Whatever the limit, a record has all of its parts.
            let read = try other.read(from: 1, limit: 1).filter { $0.seq == 1 }
            #expect(read.first == record(1, "1"))
            #expect(read.filter { $0.part?.record == "live" }.map(\.bytes) == [[1], [2]])
        }
    }

    @Test(
        "says what is truncated, with the first seq that is left, and gives nothing where none is",
        arguments: LogEngine.here)
    func truncation(_ engine: LogEngine) async throws {
        try await offPool {
            let (log, other) = try engine.logs("truncation")
            let head = try fill(log, 1...20)
            try log.truncate(below: 17)
            for from: UInt64 in [1, 16] {
                #expect(trouble(of: other, readingFrom: from) == .truncated(floor: 17))
            }
            #expect(try other.read(from: 17, limit: 8).map(\.seq) == [17, 18, 19, 20])
            #expect(try other.head() == head)
            // A leader with an older view does no harm.
            try log.truncate(below: 5)
            #expect(try other.read(from: 17, limit: 1).map(\.seq) == [17])
            try log.truncate(below: 21)
            // An engine without any record does not know where the log begins: the head says it.
            for from: UInt64 in [1, 20] { #expect(try other.read(from: from, limit: 8) == []) }
            #expect(try other.read(from: 21, limit: 8) == [])
            #expect(try other.head() == head)
            _ = try other.append(record(21, "r21"), head: bytes("h21"), expecting: head)
            #expect(try log.read(from: 21, limit: 8) == [record(21, "r21")])
            #expect(trouble(of: log, readingFrom: 20) == .truncated(floor: 21))
        }
    }

    @Test(
        "tells of what is there and of what comes, in order, until it is cancelled",
        arguments: LogEngine.here)
    func tail(_ engine: LogEngine) async throws {
        try await offPool {
            let (log, other) = try engine.logs("tail")
            var head = try fill(log, 1...4)
            let events = TailEvents()
            let tail = other.tail(from: 3, events.take)
            events.wait(forHead: bytes("h4"))
            for seq in UInt64(5)...12 {
                head = try log.append(
                    record(seq, "r\(seq)"), head: bytes("h\(seq)"), expecting: head)
            }
            let told = events.wait(forHead: bytes("h12"))
            #expect(told.records == (3...12).map { record($0, "r\($0)") })
            // A beat is a head alone.
            head = try log.append(nil, head: bytes("beat"), expecting: head)
            #expect(events.wait(forHead: bytes("beat")).records.count == 10)
            #expect(events.all.troubles == [])
            tail.cancel()
            let count = events.all.count
            let second = TailEvents()
            let next = log.tail(from: 13, second.take)
            _ = try log.append(record(13, "r13"), head: bytes("h13"), expecting: head)
            #expect(second.wait(forHead: bytes("h13")).records == [record(13, "r13")])
            #expect(events.all.count == count)
            next.cancel()
        }
    }

    @Test(
        "ends a tail whose events are taken no more, and says of what kind it is",
        arguments: LogEngine.here)
    func refusedTail(_ engine: LogEngine) async throws {
        try await offPool {
            let (log, other) = try engine.logs("refused")
            try fill(log, 1...6)
            #expect(log.describe().contains { $0.name == "kind" })
            let few = TailEvents(limit: 2)
            let all = TailEvents()
            let tails = [other.tail(from: 1, few.take), log.tail(from: 1, all.take)]
            all.wait(forHead: bytes("h6"))
            few.wait { $0.count == 2 }
            #expect(few.all.records == [record(1, "r1"), record(2, "r2")])
            tails.forEach { $0.cancel() }
        }
    }
}

/// What a step throws; nil where it is made.
private func trouble(
    of log: any SharedLog, _ record: LogRecord?, _ head: String?, expecting expected: LogValue?
) -> LogTrouble? {
    trouble { () throws(LogTrouble) in
        try log.append(record, head: head.map(bytes), expecting: expected)
    }
}

/// What a read throws; nil where there is none.
private func trouble(of log: any SharedLog, readingFrom seq: UInt64) -> LogTrouble? {
    trouble { () throws(LogTrouble) in try log.read(from: seq, limit: 8) }
}

/// Puts records of these seqs; the head's value is `h` and the last of them.
@discardableResult
private func fill(_ log: any SharedLog, _ seqs: some Collection<UInt64>) throws -> LogValue {
    var head = try log.append(nil, head: bytes("h0"), expecting: nil)
    for seq in seqs {
        head = try log.append(record(seq, "r\(seq)"), head: bytes("h\(seq)"), expecting: head)
    }
    return head
}
