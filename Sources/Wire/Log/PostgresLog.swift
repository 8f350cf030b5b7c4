// The shared log on PostgreSQL
//
// Two tables of one schema: `head` has one row, `log` the records. A step is one statement:
//
//     with h as (update head … where value and revision are what I saw last returning revision),
//          r as (insert into log … select … from h)
//     select revision, pg_notify(…) from h
//
// so it is made as a whole or not at all, and of two at once the second waits for the first and finds
// another head. What PostgreSQL does beside etcd has to be known:
//
//  * A commit waits for the standby that `synchronous_standby_names` asks for, and nobody sees it before.
//    If that wait is cancelled it says success with a warning: a warning leaves a step open.
//  * A primary that is cut off from its standby still answers reads. The head is read by a statement that
//    locks its row, which is a commit as well, and so waits for the standby: a head that is read is one
//    that the standby has.
//  * A primary that has restarted shows commits that no standby may have. So a new connection reads the
//    head by that statement before anything else is read: it waits for all commits before its own.
//  * Behind a failover the new primary may lack what the old one had not told its standbys. The head is
//    then before what a replica has applied, or of another chain, and the replica says so.

package import FreshetBase

/// A shared log on PostgreSQL. See the top of this file.
// SAFETY: `connection` belongs to the caller's thread, as all calls but `describe` do; `facts` and `warnings`
// are read and written under `lock`.
package final class PostgresLog: SharedLog, @unchecked Sendable {
    package struct Settings: Sendable {
        package var address: PostgresAddress
        package var user: String?
        package var password: String?
        /// Of one statement, a wait for a standby included.
        package var timeout = Duration.milliseconds(1_500)
        /// No standby is asked for.
        package var isSingle = false
        /// A tail that was told nothing for so long asks.
        package var silence = Duration.seconds(3)

        package init(_ address: PostgresAddress) { self.address = address }
    }

    let settings: Settings
    private let library: PQLibrary
    private let statements: PostgresStatements
    private var connection: PQConnection?
    private let lock = Lock()
    private var facts: [(name: String, value: String)] = []
    private var warnings: [String] = []
    /// That the tables take, when last asked.
    private var bytes: UInt64 = 0

    /// Sends nothing yet.
    package init(_ settings: Settings) throws(LogLibraryMissing) {
        library = try PQLibrary.shared.get()
        self.settings = settings
        statements = PostgresStatements(schema: settings.address.schema)
    }

    /// Does a statement on the connection, which is made where there is none that is whole.
    private func ask(
        _ statement: String, _ values: [PQValue] = [], changes: Bool = false
    ) throws(LogTrouble) -> [PQRow] {
        do throws(PQFailure) {
            return try answer(to: statement, values, changes: changes)
        } catch {
            throw error.trouble
        }
    }

    private func answer(
        to statement: String, _ values: [PQValue] = [], changes: Bool = false
    ) throws(PQFailure) -> [PQRow] {
        if connection?.isWhole != true {
            connection = nil
            connection = try connect()
        }
        guard let connection else { return [] }
        return try connection.ask(
            statement, values, changes: changes, within: settings.timeout)
    }

    /// A connection to a server that keeps what a log needs, and shows what its standby has.
    private func connect() throws(PQFailure) -> PQConnection {
        let connection = try PQConnection(
            library, settings.address, user: settings.user, password: settings.password)
        do throws(PQFailure) {
            try judge(connection.ask(statements.settings, within: settings.timeout).first)
            let size = try connection.ask(statements.size, within: settings.timeout).first
            lock.withLock { bytes = size?.number(0) ?? 0 }
            _ = try connection.ask(statements.head, changes: true, within: settings.timeout)
        } catch {
            switch error.kind {
            // There are no tables yet.
            case .refused("42P01"): break
            // Of what it is wanted for nothing was sent. A refusal says nothing of the server's
            // fitness: a lock that another holds while the standby is away is refused as well.
            case .open, .refused: throw PQFailure(.away, error.text)
            case .away, .unfit: throw error
            }
        }
        return connection
    }

    // MARK: The head

    package func head() throws(LogTrouble) -> LogValue? {
        do throws(PQFailure) {
            return try answer(to: statements.head, changes: true).first.flatMap {
                PostgresStatements.head($0, 0)
            }
        } catch {
            // There are no tables yet.
            if case .refused("42P01") = error.kind { return nil }
            throw error.trouble
        }
    }

    /// A frame ends at 8 MiB of commits, so a record is mostly whole.
    package var recordLimit: Int { 16 << 20 }

    package func append(
        _ record: LogRecord?, head: [UInt8]?, expecting expected: LogValue?
    ) throws(LogTrouble) -> LogValue {
        guard let expected else {
            precondition(record == nil, "a log is made by its head")
            return try make(head ?? [])
        }
        let made = try ask(
            statements.append(record: record != nil, head: head != nil),
            [.bytes(expected.bytes), .number(expected.revision)] + (head.map { [.bytes($0)] } ?? [])
                + (record.map(PostgresStatements.values) ?? []), changes: true)
        guard let revision = made.first?.number(0) else { throw .conflict }
        return head.map { LogValue(bytes: $0, revision: revision) } ?? expected
    }

    /// Makes the tables, where there are none, and the first head.
    private func make(_ head: [UInt8]) throws(LogTrouble) -> LogValue {
        for statement in statements.creation {
            do throws(PQFailure) {
                _ = try answer(to: statement)
            } catch {
                // Of two that make the same at once, PostgreSQL refuses one.
                guard case .refused(let code) = error.kind,
                    ["23505", "42P06", "42P07", "40P01"].contains(code)
                else { throw error.trouble }
            }
        }
        let made = try ask(statements.first, [.bytes(head)], changes: true)
        guard let revision = made.first?.number(0) else { throw .conflict }
        return LogValue(bytes: head, revision: revision)
    }

    // MARK: Records

    package func read(from seq: UInt64, limit: Int) throws(LogTrouble) -> [LogRecord] {
        let rows = try ask(
            statements.read,
            [
                .number(seq), .number(UInt64(max(1, min(limit, Self.mostRecords)))),
                .number(Self.mostBytes),
            ])
        let records = rows.compactMap { PostgresStatements.record($0) }
        guard records.first?.seq != seq else { return records }
        let floor = try ask(statements.floor).first?.number(0)
        if let floor, floor > seq { throw .truncated(floor: floor) }
        return records
    }

    /// Records that are read at once, and the bytes behind which no further one begins.
    private static let mostRecords = 256
    static let mostBytes: UInt64 = 4 << 20

    package func truncate(below seq: UInt64) throws(LogTrouble) {
        _ = try ask(statements.truncation, [.number(seq)])
        // Once a minute, by whoever leads.
        let size = try ask(statements.size).first?.number(0)
        lock.withLock { bytes = size ?? bytes }
    }

    package func tail(
        from seq: UInt64, _ take: @escaping @Sendable (LogEvent) -> Bool
    ) -> any SharedLogTail {
        PostgresTail(
            from: seq, statements: statements, settings: settings, connect: connect, take: take)
    }

    // MARK: The engine

    package func check() throws(LogTrouble) -> [String] {
        // Whether it is fit is judged with each connection.
        _ = try ask("select 1")
        return lock.withLock { warnings }
    }

    /// - Parameter row: The server's settings.
    /// - Throws: What of them a log cannot do with.
    private func judge(_ row: PQRow?) throws(PQFailure) {
        guard let row else { throw PQFailure(.open, "PostgreSQL does not tell its settings") }
        let (version, durability, standbys) = (row.text(0), row.text(1), row.text(2))
        let isSynced = row.text(3) == "on"
        lock.withLock {
            facts = [
                ("kind", "postgresql"), ("version", version), ("synchronous_commit", durability),
                ("synchronous_standby_names", standbys),
            ]
            warnings =
                isSynced
                ? [] : ["PostgreSQL has fsync = off: what it acknowledges is not synced"]
        }
        guard ["on", "remote_apply"].contains(durability) else {
            throw PQFailure(
                .unfit, "PostgreSQL has synchronous_commit = \(durability): a log needs \"on\"")
        }
        guard !standbys.isEmpty || settings.isSingle else {
            throw PQFailure(
                .unfit,
                "PostgreSQL has no synchronous_standby_names, so what it acknowledges is on one "
                    + "machine: name a standby, or say \"single\": true in \"cluster\": {\"log\": …}"
            )
        }
    }

    package func describe() -> [(name: String, value: String)] {
        // Without a connection it says nothing.
        lock.withLock { facts.isEmpty ? [] : facts + [("bytes", "\(bytes)")] }
    }
}

/// The statements of a log in one schema, and what their rows mean.
struct PostgresStatements: Sendable {
    /// Where new heads are told of.
    let channel: String
    /// In order: schema, tables.
    let creation: [String]
    let first: String
    let head: String
    let read: String
    let floor: String
    let truncation: String
    let page: String
    let settings: String
    /// One row: the bytes of both tables with their indexes, 0 where there are none yet.
    let size: String
    private let schema: String

    init(schema: String) {
        self.schema = schema
        channel = "\(schema)_log"
        creation = [
            "create schema if not exists \(schema)",
            """
            create table if not exists \(schema).head (
              one boolean primary key default true check (one),
              value bytea not null, revision bigint not null)
            """,
            """
            create table if not exists \(schema).log (
              seq bigint, record text, part bigint, bytes bytea not null,
              primary key (seq, record, part))
            """,
            // Frames are not pressed again by the server.
            "alter table \(schema).log alter column bytes set storage external",
        ]
        first = """
            insert into \(schema).head (value, revision) values ($1, 1)
            on conflict do nothing returning revision
            """
        head = "select value, revision from \(schema).head for update"
        let isRecord =
            "seq < \(LogRecord.seqLimit) and part >= 0 and (record <> '' or part = 0)"
        read = """
            select seq, record, part, bytes from \(schema).log where seq in
              (select seq from
                (select seq, sum(size) over (order by seq) - size as before from
                  (select seq, sum(octet_length(bytes)) as size from \(schema).log
                   where seq >= $1 and \(isRecord) group by seq
                   order by seq limit $2) as found) as sized
               where before < $3)
            order by seq, record, part
            """
        floor = "select min(seq) from \(schema).log where seq >= 0 and \(isRecord)"
        truncation = "delete from \(schema).log where seq < $1"
        page = """
            select * from (
              select seq, record, part, bytes, null::bytea, null::bigint, count from
                (select *, count(*) over () as count,
                   sum(octet_length(bytes)) over (order by seq) - octet_length(bytes) as before from
                  (select seq, record, part, bytes from \(schema).log
                   where seq >= $1 and \(isRecord) and record = ''
                   order by seq limit $2) as found) as sized
              where before < $3 order by seq) as records
            union all
            select null, null, null, null, value, revision, null from \(schema).head
            """
        size = """
            select (coalesce(pg_total_relation_size(to_regclass('\(schema).log')), 0)
              + coalesce(pg_total_relation_size(to_regclass('\(schema).head')), 0))::bigint
            """
        settings = """
            select current_setting('server_version'), current_setting('synchronous_commit'),
              current_setting('synchronous_standby_names'), current_setting('fsync')
            """
    }

    /// Values: what is expected (value, revision), the head, the record, each of the last two where it
    /// is put. One row with the revision, none where the head is another one.
    func append(record: Bool, head: Bool) -> String {
        let step =
            head
            ? """
            update \(schema).head set value = $3, revision = revision + 1
            where value = $1 and revision = $2 returning revision
            """
            : "select revision from \(schema).head where value = $1 and revision = $2 for update"
        let next = head ? 4 : 3
        // Only a part is ever put again, by whoever did not hear of the first time.
        let put = """
            , r as (insert into \(schema).log (seq, record, part, bytes)
              select $\(next), $\(next + 1), $\(next + 2), $\(next + 3) from h
              on conflict (seq, record, part) do update set bytes = excluded.bytes)
            """
        return """
            with h as (\(step))\(record ? put : "")
            select revision\(head ? ", pg_notify('\(channel)', '')" : "") from h
            """
    }

    static func values(_ record: LogRecord) -> [PQValue] {
        [
            .number(record.seq), .text(record.part?.record ?? ""),
            .number(UInt64(record.part?.number ?? 0)), .bytes(record.bytes),
        ]
    }

    /// Of a row that begins with seq, record, part, bytes; nil for one that no log has put.
    static func record(_ row: PQRow) -> LogRecord? {
        guard let seq = row.number(0), seq < LogRecord.seqLimit, let bytes = row.bytes(3),
            let number = row.number(2).flatMap({ Int(exactly: $0) })
        else { return nil }
        let name = row.text(1)
        if name.isEmpty { return number == 0 ? LogRecord(seq: seq, bytes: bytes) : nil }
        return LogRecord(seq: seq, part: .init(record: name, number: number), bytes: bytes)
    }

    /// Of a row with the head's value and revision from `column` on.
    static func head(_ row: PQRow, _ column: Int) -> LogValue? {
        guard let bytes = row.bytes(column), let revision = row.number(column + 1) else {
            return nil
        }
        return LogValue(bytes: bytes, revision: revision)
    }
}
