import Dispatch
import FreshetBase
import Glibc

/// A tail of a log on PostgreSQL. One thread: it listens, reads what there is from the wanted seq on, each
/// page with the head of the same moment, and reads again when it is told of a new head or has heard
/// nothing for a while.
// SAFETY: `isCancelled` and `wake` are read and written under `lock`; all else but constants is touched by
// the tail's thread alone.
final class PostgresTail: SharedLogTail, @unchecked Sendable {
    private let statements: PostgresStatements
    private let settings: PostgresLog.Settings
    private let connect: () throws(PQFailure) -> PQConnection
    private let take: @Sendable (LogEvent) -> Bool
    private let lock = Lock()
    private var isCancelled = false
    /// A pipe, by which the thread is woken; -1 where there is none any more.
    private var wake: (out: CInt, in: CInt) = (-1, -1)
    /// The first seq that is yet to be told of, and the head that was told last.
    private var next: UInt64
    private var told: LogValue?

    /// Between two tries while the server gives no answer.
    private static let pause = Duration.milliseconds(200)
    /// Of a page: few enough to be taken before the next ones come, since a tail whose events are
    /// not taken ends, and another one costs a connection and a lock of the head.
    private static let pageRecords = 32

    init(
        from seq: UInt64, statements: PostgresStatements, settings: PostgresLog.Settings,
        connect: @escaping () throws(PQFailure) -> PQConnection,
        take: @escaping @Sendable (LogEvent) -> Bool
    ) {
        next = seq
        self.statements = statements
        self.settings = settings
        self.connect = connect
        self.take = take
        var ends: [CInt] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            wake = (ends[0], ends[1])
        }
        // The block keeps the tail until it is cancelled.
        DispatchQueue(label: "freshet.log.tail").async { self.run() }
    }

    func cancel() {
        lock.withLock {
            isCancelled = true
            var byte: UInt8 = 1
            if wake.in >= 0 { _ = write(wake.in, &byte, 1) }
        }
    }

    private var isOver: Bool { lock.withLock { isCancelled } }

    /// - Returns: false where the tail is over.
    private func tell(_ event: LogEvent) -> Bool {
        guard !isOver else { return false }
        if take(event) { return true }
        lock.withLock { isCancelled = true }
        return false
    }

    // MARK: The thread

    private func run() {
        defer {
            lock.withLock {
                close(wake.out)
                close(wake.in)
                wake = (-1, -1)
            }
        }
        var isBroken = false
        while !isOver {
            do throws(PQFailure) {
                let connection = try connect()
                _ = try connection.ask(
                    "listen \(statements.channel)", within: settings.timeout)
                // Whoever was told that something is broken is told where it goes on.
                told = nil
                while try catchUp(connection) {
                    isBroken = false
                    // What came beside the answer may be of a later head.
                    if try connection.takeNotifications() { continue }
                    wait(on: connection.descriptor, for: settings.silence)
                    _ = try connection.takeNotifications()
                }
            } catch {
                let trouble = error.trouble
                if !isBroken, !tell(.broken(trouble)) { return }
                isBroken = true
                wait(on: -1, for: Self.pause)
            }
        }
    }

    /// Waits until the server says something, the tail is cancelled, or for `limit`.
    private func wait(on descriptor: CInt, for limit: Duration) {
        var places = [
            pollfd(fd: wake.out, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&places, 2, CInt(clamping: limit.wholeMilliseconds))
    }

    /// Reads and tells what there is. - Returns: false where the tail is over.
    private func catchUp(_ connection: PQConnection) throws(PQFailure) -> Bool {
        while true {
            let rows: [PQRow]
            do throws(PQFailure) {
                rows = try connection.ask(
                    statements.page,
                    [
                        .number(next), .number(UInt64(Self.pageRecords)),
                        .number(PostgresLog.mostBytes),
                    ], within: settings.timeout)
            } catch {
                // The log is not made yet.
                if case .refused("42P01") = error.kind { return !isOver }
                throw error
            }
            let records = rows.compactMap(PostgresStatements.record)
            for record in records {
                next = record.seq + 1
                guard tell(.record(record)) else { return false }
            }
            // Of so many found, so many fit the page.
            let found = rows.lazy.compactMap { $0.number(6) }.first.map(Int.init(clamping:)) ?? 0
            if found > records.count || found == Self.pageRecords { continue }
            if let head = rows.lazy.compactMap({ PostgresStatements.head($0, 4) }).first,
                head != told
            {
                guard tell(.head(head)) else { return false }
                told = head
            }
            return !isOver
        }
    }
}
