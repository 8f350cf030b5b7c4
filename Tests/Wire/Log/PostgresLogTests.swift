import Dispatch
import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetLogDrivers

/// One PostgreSQL with a standby for the suites: each test has a schema of its own.
enum SharedPostgres {
    static let one = Result { try PostgresServer(hasStandby: true) }
    /// For tests that stop the standby: whoever commits waits for it.
    static let halting = Result { try PostgresServer(hasStandby: true) }

    static func log(
        _ schema: String, on server: Result<PostgresServer, any Error> = one,
        _ change: (inout PostgresLog.Settings) -> Void = { _ in }
    ) throws -> PostgresLog {
        var settings = try PostgresLog.Settings(
            PostgresAddress("\(server.get().url)?schema=\(schema)"))
        settings.timeout = .seconds(120)
        change(&settings)
        return try PostgresLog(settings)
    }

    /// A connection that shows all that the server does.
    static func connection(
        to server: Result<PostgresServer, any Error> = one
    ) throws -> PQConnection {
        try PQConnection(
            PQLibrary.shared.get(), PostgresAddress(server.get().url), user: nil, password: nil)
    }
}

@Suite(
    "A shared log on PostgreSQL", .serialized,
    .enabled(
        if: PostgresServer.programs != nil,
        "PostgreSQL is missing; .ci/run installs it (postgresql)"))
struct PostgresLogTests {
    @Test("There is no head before the first, one alone makes it, and a step needs the last one")
    func steps() async throws {
        try await offPool {
            let log = try SharedPostgres.log("steps")
            #expect(
                try log.check() == [
                    "PostgreSQL has fsync = off: what it acknowledges is not synced"
                ])
            #expect(try log.head() == nil)
            let zero = try log.append(nil, head: bytes("h0"), expecting: nil)
            #expect(try log.head() == zero)
            #expect(
                trouble { () throws(LogTrouble) in
                    try log.append(nil, head: bytes("h0"), expecting: nil)
                } == .conflict)
            let one = try log.append(record(1, "a"), head: bytes("h1"), expecting: zero)
            #expect(one.revision > zero.revision)
            for stale in [
                zero, LogValue(bytes: bytes("h2"), revision: one.revision),
                LogValue(bytes: one.bytes, revision: one.revision + 1),
            ] {
                #expect(
                    trouble { () throws(LogTrouble) in
                        try log.append(record(2, "x"), head: bytes("hx"), expecting: stale)
                    } == .conflict)
            }
            #expect(try log.head() == one)
            let again = try log.append(nil, head: bytes("h1"), expecting: one)
            #expect(again.bytes == one.bytes && again.revision > one.revision)
            #expect(try log.read(from: 1, limit: 10) == [record(1, "a")])
        }
    }

    @Test("Large records come a few at once, and all of them")
    func pages() async throws {
        try await offPool {
            let log = try SharedPostgres.log("pages")
            var head = try log.append(nil, head: bytes("h0"), expecting: nil)
            let large = [UInt8](repeating: 0xA5, count: 1 << 20)
            for seq in UInt64(1)...9 {
                head = try log.append(
                    LogRecord(seq: seq, bytes: large), head: bytes("h\(seq)"), expecting: head)
            }
            #expect(try log.read(from: 1, limit: 100).map(\.seq) == [1, 2, 3, 4])
            #expect(try log.read(from: 9, limit: 100).map(\.seq) == [9])
            let events = TailEvents()
            let tail = log.tail(from: 1, events.take)
            #expect(events.wait(forHead: bytes("h9")).records.map(\.seq) == Array(1...9))
            tail.cancel()
        }
    }

    @Test(
        "Records come in order with all their parts, as many as are asked for, up to a truncation")
    func records() async throws {
        try await offPool {
            let log = try SharedPostgres.log("records")
            var head = try log.append(nil, head: bytes("h0"), expecting: nil)
            for name in ["dead", "live"] {
                for number in 1...11 {
                    let part = LogRecord(
                        seq: 2, part: .init(record: name, number: number), bytes: [UInt8(number)])
                    #expect(try log.append(part, head: nil, expecting: head) == head)
                    // Whoever did not hear of it puts it again.
                    #expect(try log.append(part, head: nil, expecting: head) == head)
                }
            }
            for seq in UInt64(1)...20 {
                head = try log.append(
                    record(seq, "\(seq)"), head: bytes("h\(seq)"), expecting: head)
            }
            #expect(try log.read(from: 3, limit: 4).map(\.seq) == [3, 4, 5, 6])
            #expect(try log.read(from: 21, limit: 4) == [])
            let whole = try log.read(from: 2, limit: 1)
            #expect(whole.count == 23 && whole.allSatisfy { $0.seq == 2 })
            #expect(whole.first == record(2, "2"))
            #expect(
                whole.filter { $0.part?.record == "live" }.map(\.bytes) == (1...11).map { [$0] })
            try log.truncate(below: 17)
            let truncated = trouble { () throws(LogTrouble) in try log.read(from: 16, limit: 1) }
            #expect(truncated == .truncated(floor: 17))
            #expect(try log.read(from: 17, limit: 3).map(\.seq) == [17, 18, 19])
            let bytes = log.describe().first { $0.name == "bytes" }.flatMap { Int($0.value) }
            #expect(bytes ?? 0 >= 8_192, "a page of each table at least: \(log.describe())")
        }
    }

    @Test("A record of any bytes, as large as it may be, comes as it went")
    func large() async throws {
        try await offPool {
            let log = try SharedPostgres.log("large")
            let head = try log.append(nil, head: bytes("h0"), expecting: nil)
            let large = LogRecord(
                seq: 1,
                bytes: (0..<log.recordLimit).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
            _ = try log.append(large, head: [0, 255, 0], expecting: head)
            #expect(try log.read(from: 1, limit: 1) == [large])
            #expect(try log.head()?.bytes == [0, 255, 0])
        }
    }

    @Test("A tail tells of what is there and of what comes, in order, heads with it")
    func tail() async throws {
        try await offPool {
            let log = try SharedPostgres.log("tail")
            let events = TailEvents()
            // It begins before there is a log at all.
            let tail = log.tail(from: 3, events.take)
            defer { tail.cancel() }
            var head = try log.append(nil, head: bytes("h0"), expecting: nil)
            for seq in UInt64(1)...30 {
                head = try log.append(
                    record(seq, "\(seq)"), head: bytes("h\(seq)"), expecting: head)
            }
            let told = events.wait(forHead: bytes("h30"))
            #expect(told.records.map(\.seq) == Array(3...30))
            _ = try log.append(nil, head: bytes("beat"), expecting: head)
            events.wait(forHead: bytes("beat"))
            #expect(events.all.troubles.isEmpty)
        }
    }

    @Test("Of two at once one is made")
    func races() async throws {
        try await offPool {
            let logs = try (0..<2).map { _ in try SharedPostgres.log("races") }
            var head = try logs[0].append(nil, head: bytes("h"), expecting: nil)
            for round in UInt64(1)...20 {
                let made = Race.run(logs, behind: head, round)
                #expect(made.count == 1)
                head = try #require(made.first)
            }
            #expect(try logs[1].read(from: 1, limit: 8).count == 8)
        }
    }

    @Test("While the standby is away a step is open and no head is read, and then it is made")
    func standby() async throws {
        try await offPool {
            let log = try SharedPostgres.log("standby", on: SharedPostgres.halting) {
                $0.timeout = .milliseconds(500)
            }
            let server = try SharedPostgres.halting.get()
            let head = try SharedPostgres.log("standby", on: SharedPostgres.halting)
                .append(nil, head: bytes("h0"), expecting: nil)
            #expect(try log.head() == head)
            server.freezeStandby(true)
            let open = trouble { () throws(LogTrouble) in
                try log.append(record(1, "a"), head: bytes("h1"), expecting: head)
            }
            guard case .unknown = open else {
                server.freezeStandby(false)
                Issue.record("\(open.map(\.text) ?? "made")")
                return
            }
            // Another connection is told nothing as long as the standby may not have it.
            let other = try SharedPostgres.log("standby", on: SharedPostgres.halting) {
                $0.timeout = .milliseconds(500)
            }
            let read = trouble { () throws(LogTrouble) in try other.head() }
            #expect(read != nil)
            let records = trouble { () throws(LogTrouble) in try other.read(from: 1, limit: 1) }
            #expect(records != nil)
            server.freezeStandby(false)
            while (try? log.head())?.bytes != bytes("h1") {}
            #expect(
                try SharedPostgres.log("standby", on: SharedPostgres.halting).read(
                    from: 1, limit: 1) == [record(1, "a")])
        }
    }

    @Test("What the primary shows and the standby lacks is not told of on a new connection")
    func unreplicated() async throws {
        try await offPool {
            let server = try SharedPostgres.halting.get()
            let log = try SharedPostgres.log("unreplicated", on: SharedPostgres.halting) {
                $0.timeout = .milliseconds(500)
            }
            let head = try SharedPostgres.log("unreplicated", on: SharedPostgres.halting)
                .append(nil, head: bytes("h0"), expecting: nil)
            #expect(try log.head() == head)
            let raw = try SharedPostgres.connection(to: SharedPostgres.halting)
            server.freezeStandby(true)
            let open = trouble { () throws(LogTrouble) in
                try log.append(record(1, "a"), head: bytes("h1"), expecting: head)
            }
            // As a restart of the primary does, this leaves the commit with the primary alone.
            let count = "select 1::bigint from unreplicated.log"
            while try raw.ask(count, within: .seconds(20)).isEmpty {
                _ = try raw.ask(
                    """
                    select pg_cancel_backend(pid)::text from pg_stat_activity
                    where wait_event = 'SyncRep'
                    """, within: .seconds(20))
            }
            let other = try SharedPostgres.log("unreplicated", on: SharedPostgres.halting) {
                $0.timeout = .milliseconds(500)
            }
            let read = trouble { () throws(LogTrouble) in try other.read(from: 1, limit: 1) }
            let events = TailEvents()
            let tail = other.tail(from: 1, events.take)
            events.wait { !$0.troubles.isEmpty }
            let told = events.all
            server.freezeStandby(false)
            guard case .unknown = open, case .away = read else {
                Issue.record("\(String(describing: open)) \(String(describing: read))")
                return
            }
            #expect(told.records.isEmpty && told.heads.isEmpty)
            #expect(events.wait(forHead: bytes("h1")).records == [record(1, "a")])
            tail.cancel()
        }
    }

    @Test("Rows that no log has put are passed by")
    func strays() async throws {
        try await offPool {
            let log = try SharedPostgres.log("strays")
            var head = try log.append(nil, head: bytes("h0"), expecting: nil)
            _ = try SharedPostgres.connection().ask(
                """
                insert into strays.log values (-3, '', 0, 'x'), (1, '', 7, 'x'), (2, 'x', -1, 'x'),
                  (\(LogRecord.seqLimit), '', 0, 'x'), (9223372036854775807, '', 0, 'x')
                """, within: .seconds(20))
            #expect(try log.read(from: 1, limit: 8) == [])
            for seq in UInt64(1)...3 {
                head = try log.append(
                    record(seq, "\(seq)"), head: bytes("h\(seq)"), expecting: head)
            }
            let records = (UInt64(1)...3).map { record($0, "\($0)") }
            #expect(try log.read(from: 1, limit: 8) == records)
            let events = TailEvents()
            let tail = log.tail(from: 1, events.take)
            #expect(events.wait(forHead: bytes("h3")).records == records)
            tail.cancel()
        }
    }

    @Test("While another holds the head's lock a start is not refused: away")
    func locked() async throws {
        try await offPool {
            _ = try SharedPostgres.log("locked").append(nil, head: bytes("h0"), expecting: nil)
            let raw = try SharedPostgres.connection()
            _ = try raw.ask("begin", within: .seconds(20))
            _ = try raw.ask("select 1 from locked.head for update", within: .seconds(20))
            let log = try SharedPostgres.log("locked")
            guard case .away = trouble({ () throws(LogTrouble) in try log.check() }) else {
                Issue.record("not away")
                return
            }
            _ = try raw.ask("rollback", within: .seconds(20))
            #expect(try log.check().count == 1)
        }
    }

    @Test("Where nobody listens nothing was sent: away")
    func away() async throws {
        try await offPool {
            let address = try PostgresAddress(
                "postgres://postgres@127.0.0.1:\(ServerPort.free())/postgres")
            let log = try PostgresLog(PostgresLog.Settings(address))
            guard case .away(let text) = trouble({ () throws(LogTrouble) in try log.head() }) else {
                Issue.record("not away")
                return
            }
            #expect(text.contains("Connection refused"), "\(text)")
        }
    }

    @Test("One machine alone is refused, unless that is said to be meant")
    func single() async throws {
        try await offPool {
            let server = try PostgresServer(hasStandby: false)
            var settings = try PostgresLog.Settings(
                PostgresAddress(server.url + "?connect_timeout=120"))
            settings.timeout = .seconds(120)
            let refused = trouble { () throws(LogTrouble) in
                do { return try PostgresLog(settings).check() } catch let error as LogTrouble {
                    throw error
                } catch { throw .away("\(error)") }
            }
            guard case .refused(let text) = refused else {
                Issue.record("not refused: \(String(describing: refused))")
                return
            }
            #expect(text.contains("synchronous_standby_names"), "\(text)")
            // One that was away at the start is judged when it is there.
            let late = try PostgresLog(settings)
            #expect(trouble { () throws(LogTrouble) in try late.head() } == refused)
            let events = TailEvents()
            let tail = late.tail(from: 1, events.take)
            events.wait { !$0.troubles.isEmpty }
            tail.cancel()
            #expect(events.all.troubles.first == refused)
            settings.isSingle = true
            #expect(try PostgresLog(settings).check().count == 1)
        }
    }
}

/// Two steps at once behind one head.
// SAFETY: `made` is written under `lock`.
private final class Race: @unchecked Sendable {
    private let lock = Lock()
    private var made: [LogValue] = []

    /// - Returns: The heads of those that were made.
    static func run(_ logs: [PostgresLog], behind head: LogValue, _ seq: UInt64) -> [LogValue] {
        let race = Race()
        DispatchQueue.concurrentPerform(iterations: logs.count) { index in
            let made = try? logs[index].append(
                record(seq, "\(index)"), head: bytes("\(index) \(seq)"), expecting: head)
            if let made { race.lock.withLock { race.made.append(made) } }
        }
        return race.made
    }
}

@Suite("The URL of a log on PostgreSQL")
struct PostgresAddressTests {
    @Test("It is libpq's own, but for the schema")
    func parts() throws {
        let plain = try PostgresAddress("postgres://h/db")
        #expect(plain.url == "postgres://h/db" && plain.schema == "freshet")
        let full = try PostgresAddress(
            "postgresql://me@h1:1,h2:2/db?sslmode=require&schema=s_1&connect_timeout=3")
        #expect(full.url == "postgresql://me@h1:1,h2:2/db?sslmode=require&connect_timeout=3")
        #expect(full.schema == "s_1")
    }

    @Test(
        "What is wrong with it is said",
        arguments: [
            ("mysql://h/db", "begins with postgres://"),
            ("postgres://me:secret@h/db", "password stands beside"),
            ("postgres://h/db?password=x", "password stands beside"),
            ("postgres://me:a/b@h/db", "password stands beside"),
            ("postgres://me:a?b@h/db", "password stands beside"),
            ("postgres://h/db?sslmode=require&sslpassword=x", "password stands beside"),
            ("postgres://h/db?pass%77ord=x", "without escapes"),
            ("postgres://h/db?schema=A", "the schema \"A\""),
            ("postgres://h/db?schema=1a", "the schema \"1a\""),
            ("postgres://h/db?schema=", "the schema \"\""),
        ])
    func faults(text: String, words: String) {
        let fault = #expect(throws: LogAddressFault.self) { try PostgresAddress(text) }
        #expect(fault?.description.contains(words) == true, "\(fault?.description ?? "")")
    }
}
