import FreshetBase
import Glibc

/// Why a statement has no result.
struct PQFailure: Error, Equatable {
    enum Kind: Equatable {
        /// Nothing was sent.
        case away
        /// It was sent, and may be done or be done yet.
        case open
        /// The server has judged it and done nothing; its code (SQLSTATE).
        case refused(String)
        /// The server is not one that a log can be kept in.
        case unfit
    }

    let kind: Kind
    let text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    var trouble: LogTrouble {
        switch kind {
        case .away: .away(text)
        case .open: .unknown(text)
        // disk_full: the statement was undone.
        case .refused("53100"): .full(text)
        case .refused, .unfit: .refused(text)
        }
    }
}

/// A value of a statement, which goes over the wire as it is.
enum PQValue {
    case number(UInt64)
    case text(String)
    case bytes([UInt8]?)

    /// The server's number of the type: int8, text, bytea.
    var type: UInt32 {
        switch self {
        case .number: 20
        case .text: 25
        case .bytes: 17
        }
    }

    var wire: [UInt8]? {
        switch self {
        // Seqs stay far below 2⁶³.
        case .number(let number):
            withUnsafeBytes(of: Int64(clamping: number).bigEndian, Array.init)
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }
}

/// A row of an answer; nil is null.
struct PQRow {
    let values: [[UInt8]?]

    /// nil where the answer has no such column, too.
    func bytes(_ column: Int) -> [UInt8]? { values.indices ~= column ? values[column] : nil }

    func number(_ column: Int) -> UInt64? {
        guard let bytes = bytes(column), bytes.count == 8 else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    func text(_ column: Int) -> String { String(decoding: bytes(column) ?? [], as: UTF8.self) }
}

/// A connection to PostgreSQL. A statement that has no answer in its time stays under way: it is waited
/// for before the next one is sent, since to give it up could show what no standby has yet, and a new
/// connection for each try would fill the server with those that wait. Used by one thread at a time.
final class PQConnection {
    /// What the server says beside its answers.
    private final class Notices {
        let library: PQLibrary
        var warning: String?

        init(_ library: PQLibrary) { self.library = library }
    }

    private let library: PQLibrary
    private let connection: OpaquePointer
    private let notices: Notices
    /// Since when a statement waits that was left.
    private var leftAt: MonotonicInstant?
    /// Names of the statements that the server has read and planned, and how many were sent to it.
    private var prepared: [String: String] = [:]
    private var preparations = 0

    /// A connection whose statement has no answer for so long is taken for dead: its server is frozen, or
    /// waits for a standby.
    private static let patience = Duration.seconds(10)

    /// Waits until the server takes statements, or for the URL's `connect_timeout` (2 s for each host,
    /// where it does not say).
    init(
        _ library: PQLibrary, _ address: PostgresAddress, user: String?, password: String?
    ) throws(PQFailure) {
        // What the URL says itself comes behind the usual, but for where to write.
        var words = [
            ("connect_timeout", "2"), ("application_name", "freshet"),
            ("options", "-c lock_timeout=1000 -c synchronous_commit=on"), ("dbname", address.url),
            ("target_session_attrs", "read-write"),
        ]
        if let user { words.append(("user", user)) }
        if let password { words.append(("password", password)) }
        let names = words.map { strdup($0.0) }
        let values = words.map { strdup($0.1) }
        defer { for text in names + values { free(text) } }
        let pointer = library.connect(
            names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        guard let pointer else { throw PQFailure(.away, "libpq has no memory") }
        guard library.status(pointer) == PQLibrary.isConnected,
            library.setNonblocking(pointer, 1) == 0
        else {
            let text = Self.words(library.errorMessage(pointer))
            library.finish(pointer)
            throw PQFailure(.away, text)
        }
        self.library = library
        connection = pointer
        notices = Notices(library)
        _ = library.onNotice(
            pointer,
            { context, answer in
                guard let context else { return }
                let notices = Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
                let library = notices.library
                guard let severity = library.errorField(answer, PQLibrary.severity),
                    String(cString: severity) == "WARNING"
                else { return }
                notices.warning = PQConnection.words(
                    library.errorField(answer, PQLibrary.message))
            }, Unmanaged.passUnretained(notices).toOpaque())
    }

    deinit { library.finish(connection) }

    private static func words(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "it gives no reason" }
        let lines = String(cString: text).split(whereSeparator: \.isNewline)
        return lines.map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: "; ")
    }

    private var failure: String { Self.words(library.errorMessage(connection)) }

    /// Statements can be sent on it, as far as is known: what its server has closed while nothing was
    /// asked is found out here, without waiting, and not by the next statement.
    var isWhole: Bool {
        if let leftAt, .now - leftAt >= Self.patience { return false }
        // A server that closes says why first: one read takes its words, the next one meets the end.
        return (0..<2).allSatisfy { _ in
            library.consumeInput(connection) == 1
                && library.status(connection) == PQLibrary.isConnected
        }
    }

    /// What a poll waits on.
    var descriptor: CInt { library.socket(connection) }

    /// Does a statement and waits for its rows. One that takes values is prepared at its first use.
    ///
    /// - Parameter changes: Whatever the server warns of leaves its outcome open: it says success behind
    ///   a wait for a standby that was cancelled.
    func ask(
        _ statement: String, _ values: [PQValue] = [], changes: Bool = false,
        within limit: Duration
    ) throws(PQFailure) -> [PQRow] {
        let deadline = MonotonicInstant.now + limit
        if leftAt != nil {
            let isOver = try takeAnswers(by: deadline, .away) { library.clear($0) }
            guard isOver else {
                throw PQFailure(.away, "the statement before has no answer yet")
            }
            leftAt = nil
        }
        notices.warning = nil
        let name = values.isEmpty ? nil : try prepare(statement, values, by: deadline)
        guard send(statement, as: name, values) else { throw PQFailure(.away, failure) }
        guard let rows = try rows(by: deadline, .open) else {
            throw PQFailure(.open, "no answer within \(limit)")
        }
        if changes, let warning = notices.warning { throw PQFailure(.open, warning) }
        return rows
    }

    /// Has the server read and plan `statement`, unless it has done so before.
    ///
    /// - Returns: The name that it has on this connection.
    private func prepare(
        _ statement: String, _ values: [PQValue], by deadline: MonotonicInstant
    ) throws(PQFailure) -> String {
        if let name = prepared[statement] { return name }
        // A name whose try was left may be taken.
        preparations += 1
        let name = "freshet\(preparations)"
        let isSent = library.prepare(
            connection, name, statement, CInt(values.count), values.map(\.type))
        guard isSent == 1 else { throw PQFailure(.away, failure) }
        let isDone: Bool
        do throws(PQFailure) {
            isDone = try rows(by: deadline, .away) != nil
        } catch {
            // Nothing of the statement itself was sent.
            throw error.kind == .open ? PQFailure(.away, error.text) : error
        }
        guard isDone else { throw PQFailure(.away, "a statement was not prepared in time") }
        prepared[statement] = name
        return name
    }

    private func send(_ statement: String, as name: String?, _ values: [PQValue]) -> Bool {
        let wires = values.map(\.wire)
        let pointers = wires.map { wire -> UnsafeMutablePointer<CChar>? in
            guard let wire else { return nil }
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: max(1, wire.count))
            for (index, byte) in wire.enumerated() { copy[index] = CChar(bitPattern: byte) }
            return copy
        }
        defer { for pointer in pointers { pointer?.deallocate() } }
        let (texts, lengths) = (
            pointers.map { UnsafePointer($0) }, wires.map { CInt($0?.count ?? 0) }
        )
        let formats = values.map { _ in CInt(1) }
        if let name {
            return library.sendPrepared(
                connection, name, CInt(values.count), texts, lengths, formats, 1) == 1
        }
        return library.send(
            connection, statement, CInt(values.count), values.map(\.type), texts, lengths, formats,
            1) == 1
    }

    /// Sends what is to be sent and waits until the next answer is whole, or all are over.
    ///
    /// - Returns: false: not in time.
    private func hasAnswer(
        by deadline: MonotonicInstant, _ kind: PQFailure.Kind
    ) throws(PQFailure) -> Bool {
        while true {
            let left = library.flush(connection)
            guard left >= 0, library.consumeInput(connection) == 1 else {
                throw PQFailure(kind, failure)
            }
            if left == 0, library.isBusy(connection) == 0 { return true }
            guard wait(isWriting: left == 1, until: deadline) else { return false }
        }
    }

    private func wait(isWriting: Bool, until deadline: MonotonicInstant) -> Bool {
        let left = deadline - .now
        guard left > .zero else { return false }
        var place = pollfd(
            fd: descriptor, events: Int16(isWriting ? POLLIN | POLLOUT : POLLIN), revents: 0)
        _ = poll(&place, 1, CInt(clamping: left.wholeMilliseconds + 1))
        return true
    }

    /// Takes the answers of a statement to their end, each once it is whole: libpq would wait for the end
    /// without a limit, and a server says it behind an answer.
    ///
    /// - Parameter take: Has to clear each.
    /// - Returns: false: they were not over in time.
    private func takeAnswers(
        by deadline: MonotonicInstant, _ kind: PQFailure.Kind, _ take: (OpaquePointer) -> Void
    ) throws(PQFailure) -> Bool {
        while try hasAnswer(by: deadline, kind) {
            guard let answer = library.nextAnswer(connection) else { return true }
            take(answer)
        }
        return false
    }

    /// The rows of the statement's answers, of which it has one; nil where they were not over in time, and
    /// the connection is left to take the rest.
    private func rows(
        by deadline: MonotonicInstant, _ kind: PQFailure.Kind
    ) throws(PQFailure) -> [PQRow]? {
        var rows: [PQRow] = []
        var fault: PQFailure?
        let isOver = try takeAnswers(by: deadline, kind) { answer in
            defer { library.clear(answer) }
            switch library.answerStatus(answer) {
            case PQLibrary.isDone: break
            case PQLibrary.hasRows: rows += read(answer)
            default: fault = failure(of: answer)
            }
        }
        guard isOver else {
            leftAt = .now
            return nil
        }
        if let fault { throw fault }
        return rows
    }

    private func failure(of answer: OpaquePointer) -> PQFailure {
        let text = library.errorField(answer, PQLibrary.message).map { Self.words($0) } ?? failure
        let code = library.errorField(answer, PQLibrary.code).map { String(cString: $0) } ?? ""
        // A server that stops or has broken off the connection may have committed before.
        let isOpen =
            code.isEmpty || code == "40003"
            || ["08", "57", "58", "XX"].contains(String(code.prefix(2)))
        return PQFailure(isOpen ? .open : .refused(code), text)
    }

    private func read(_ answer: OpaquePointer) -> [PQRow] {
        let columns = library.columnCount(answer)
        return (0..<library.rowCount(answer)).map { row in
            PQRow(
                values: (0..<columns).map { column in
                    guard library.isNull(answer, row, column) == 0 else { return nil }
                    let bytes = UnsafeRawBufferPointer(
                        start: library.value(answer, row, column),
                        count: Int(library.length(answer, row, column)))
                    return Array(bytes)
                })
        }
    }

    // MARK: Notifications

    /// Takes what the server has told beside answers.
    ///
    /// - Returns: Was there anything?
    func takeNotifications() throws(PQFailure) -> Bool {
        guard library.consumeInput(connection) == 1 else { throw PQFailure(.open, failure) }
        var hasAny = false
        while let notification = library.notification(connection) {
            library.free(notification)
            hasAny = true
        }
        return hasAny
    }
}
