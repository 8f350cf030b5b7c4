import FreshetBase
import Glibc

/// What this machine lacks of an engine's client, and how to get it.
package struct LogLibraryMissing: Error, Equatable, CustomStringConvertible {
    package let description: String
}

/// What is used of libpq, PostgreSQL's own client, which is loaded at run time: nothing of it is needed
/// to build. The signatures are those of its stable interface (libpq-fe.h).
// SAFETY: functions of a library that is never unloaded; each call names the connection that it is on.
struct PQLibrary: @unchecked Sendable {
    typealias Connection = OpaquePointer
    typealias Answer = OpaquePointer
    typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
    typealias Notice = @convention(c) (UnsafeMutableRawPointer?, Answer?) -> Void

    let connect: @convention(c) (Texts, Texts, CInt) -> Connection?
    let finish: @convention(c) (Connection) -> Void
    let status: @convention(c) (Connection) -> CInt
    let socket: @convention(c) (Connection) -> CInt
    let errorMessage: @convention(c) (Connection) -> UnsafePointer<CChar>?
    let setNonblocking: @convention(c) (Connection, CInt) -> CInt
    let onNotice: @convention(c) (Connection, Notice, UnsafeMutableRawPointer?) -> Notice?
    let send:
        @convention(c) (
            Connection, UnsafePointer<CChar>, CInt, UnsafePointer<UInt32>, Texts,
            UnsafePointer<CInt>, UnsafePointer<CInt>, CInt
        ) -> CInt
    let prepare:
        @convention(c) (
            Connection, UnsafePointer<CChar>, UnsafePointer<CChar>, CInt, UnsafePointer<UInt32>
        ) -> CInt
    let sendPrepared:
        @convention(c) (
            Connection, UnsafePointer<CChar>, CInt, Texts, UnsafePointer<CInt>,
            UnsafePointer<CInt>, CInt
        ) -> CInt
    let flush: @convention(c) (Connection) -> CInt
    let consumeInput: @convention(c) (Connection) -> CInt
    let isBusy: @convention(c) (Connection) -> CInt
    let nextAnswer: @convention(c) (Connection) -> Answer?
    let notification: @convention(c) (Connection) -> UnsafeMutableRawPointer?
    let free: @convention(c) (UnsafeMutableRawPointer) -> Void
    let answerStatus: @convention(c) (Answer?) -> CInt
    let errorField: @convention(c) (Answer?, CInt) -> UnsafePointer<CChar>?
    let rowCount: @convention(c) (Answer) -> CInt
    let columnCount: @convention(c) (Answer) -> CInt
    let isNull: @convention(c) (Answer, CInt, CInt) -> CInt
    let length: @convention(c) (Answer, CInt, CInt) -> CInt
    let value: @convention(c) (Answer, CInt, CInt) -> UnsafePointer<CChar>?
    let clear: @convention(c) (Answer) -> Void

    /// `CONNECTION_OK`, `PGRES_COMMAND_OK`, `PGRES_TUPLES_OK`.
    static let isConnected: CInt = 0
    static let isDone: CInt = 1
    static let hasRows: CInt = 2
    /// Fields of an error: its severity in English, its code (SQLSTATE), one sentence.
    static let severity = CInt(UInt8(ascii: "V"))
    static let code = CInt(UInt8(ascii: "C"))
    static let message = CInt(UInt8(ascii: "M"))

    static let names = ["libpq.so.5"]
    static let shared = load()

    /// Opens the first of `names` that there is.
    static func load(_ names: [String] = names) -> Result<PQLibrary, LogLibraryMissing> {
        Result { () throws(LogLibraryMissing) in
            try PQLibrary(SharedLibrary.open(names, orThrow: missing))
        }
    }

    private static func missing(_ reason: String) -> LogLibraryMissing {
        LogLibraryMissing(
            description: "a log on PostgreSQL needs libpq "
                + "(Debian and Ubuntu: apt install libpq5): \(reason)")
    }

    private init(_ handle: UnsafeMutableRawPointer) throws(LogLibraryMissing) {
        func take<Function>(_ name: String) throws(LogLibraryMissing) -> Function {
            guard let found = dlsym(handle, name) else {
                throw Self.missing("the one that is here lacks \(name)")
            }
            // SAFETY: the signature is that of the function of this name.
            return unsafeBitCast(found, to: Function.self)
        }
        connect = try take("PQconnectdbParams")
        finish = try take("PQfinish")
        status = try take("PQstatus")
        socket = try take("PQsocket")
        errorMessage = try take("PQerrorMessage")
        setNonblocking = try take("PQsetnonblocking")
        onNotice = try take("PQsetNoticeReceiver")
        send = try take("PQsendQueryParams")
        prepare = try take("PQsendPrepare")
        sendPrepared = try take("PQsendQueryPrepared")
        flush = try take("PQflush")
        consumeInput = try take("PQconsumeInput")
        isBusy = try take("PQisBusy")
        nextAnswer = try take("PQgetResult")
        notification = try take("PQnotifies")
        free = try take("PQfreemem")
        answerStatus = try take("PQresultStatus")
        errorField = try take("PQresultErrorField")
        rowCount = try take("PQntuples")
        columnCount = try take("PQnfields")
        isNull = try take("PQgetisnull")
        length = try take("PQgetlength")
        value = try take("PQgetvalue")
        clear = try take("PQclear")
    }
}
