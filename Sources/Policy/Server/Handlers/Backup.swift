import Dispatch
import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetStore
import Synchronization

extension FreshetService {
    /// `GET /v1/_backup`: a store at one commit, as one file (BackupFormat). Writes go on, and none
    /// of them waits for it.
    func backup(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        _ = try call.context.onlyParameters()
        guard let store = core.store.disk else { throw .noFiles }
        try checkGives(call.request)
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let name = reply.caller.flatMap { $0.isNamed ? $0.name : nil }
            guard let backup = backups.begin(by: name) else {
                throw Problem(
                    .overloaded, "\(BackupRecord.most) backups are being taken already",
                    hint: "Wait until one of them is done.")
            }
            let source: BackupSource
            do throws(StoreError) {
                source = try store.backup()
            } catch {
                throw Problem(storeError: error, log)
            }
            exchange.answer(self, reply) { response in
                reply.begin(200, &response)
                response.header("Content-Type", "application/octet-stream")
                response.header("Cache-Control", "no-store")
                response.header("Freshet-Cursor", text: source.cursor.description)
                // A server of the cluster, which proves that it is one, has no rights to lose.
                let stream = BackupStream(
                    source, backup,
                    for: reply.isServer ? nil : StreamAccess(self.access, reply.caller),
                    log: self.log)
                stream.begin(response.startStream(stream))
            }
        }
    }
}

extension FreshetService {
    /// - Throws: Where another server of the cluster asks for what it cannot go on from.
    private func checkGives(_ request: borrowing Request) throws(Problem) {
        guard request.header(.freshetForwarded) != nil, let replica = core.store.replica,
            case .stopped(let stop) = replica.state.role
        else { return }
        throw Problem(
            .replicaBehind, "\(stop.reason), and nobody can join by what is here",
            hint: "ask another server")
    }
}

extension Problem {
    /// What a server in memory says where files are asked for.
    static var noFiles: Problem {
        Problem(
            .notImplemented, "this server keeps everything in memory and has no files",
            hint: "GET /v1/_export gives every entity.")
    }

    /// The problem of something that was asked of the store's files; the details go to the log.
    init(storeError error: StoreError, _ log: Log) {
        log.warning("the store did not do what was asked", ["why": .string("\(error)")])
        switch error {
        case .closed: self = .stopping
        case .noSpace(_, let reason):
            self.init(
                .storageFull, "the disk is full, and no snapshot was made: \(reason)",
                members: [.text("outcome", "not-applied")])
        default:
            self.init(
                .storageFailed, "the store's files cannot be used for this now; the log says why",
                members: [.text("outcome", "not-applied")])
        }
    }
}

/// Reads a backup on a thread of its own and hands it to the client, some pieces ahead at most: a
/// disk that is slow keeps neither the loop nor a worker, and a client that is slow keeps a thread.
///
/// Where a file cannot be read the answer ends without the backup's own end, by which whoever
/// receives it knows that it is not whole.
// SAFETY: `pieces`, `isDone` and `isCancelled` are touched under `lock` alone; `given`, `access` and
// `isRefused` on the loop; `handle` is set once before the thread begins.
private final class BackupStream: StreamSource, @unchecked Sendable {
    private static let pieceBytes = 64 << 10
    /// Pieces that wait for the client at most.
    private static let mostPieces = 8

    private let source: BackupSource
    private let backup: BackupRecord.Backup
    private var access: StreamAccess?
    private let log: Log
    private let lock = Lock()
    /// Begins at 0 and is raised, since one that ends below its first value traps.
    private let room = DispatchSemaphore(value: 0)
    private var pieces: [[UInt8]] = []
    private var isDone = false
    private var isCancelled = false
    /// There is no thread to read it.
    private var isRefused = false
    private var handle: StreamHandle?
    /// Bytes that the client was given.
    private var given = 0

    init(
        _ source: BackupSource, _ backup: BackupRecord.Backup, for access: StreamAccess?, log: Log
    ) {
        self.access = access
        self.source = source
        self.backup = backup
        self.log = log
        for _ in 0..<Self.mostPieces { room.signal() }
    }

    var nextDeadline: MonotonicInstant? { nil }

    func begin(_ handle: StreamHandle) {
        self.handle = handle
        do throws(SystemFault) {
            _ = try WriterThread(isBackground: true) { self.readAll() }
        } catch {
            log.error("a backup could not be begun", ["why": .string("\(error)")])
            source.close()
            isRefused = true
        }
    }

    /// The thread.
    private func readAll() {
        defer { source.close() }
        var buffer = ByteBuffer(capacity: Self.pieceBytes)
        while true {
            room.wait()
            if lock.withLock({ isCancelled }) { return }
            buffer.removeAll()
            do throws(SystemFault) {
                try source.read(into: &buffer, atMost: Self.pieceBytes)
            } catch {
                log.error("a backup could not be read to its end", ["why": .string("\(error)")])
                buffer.removeAll()
            }
            let piece = [UInt8](buffer.bytes)
            lock.withLock {
                if piece.isEmpty { isDone = true } else { pieces.append(piece) }
            }
            handle?.wake()
            if piece.isEmpty { return }
        }
    }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        if access?.administrationEnd() != nil { return .cut }
        if isRefused { return .cut }
        let (piece, isDone, hasMore) = lock.withLock {
            let piece = pieces.isEmpty ? nil : pieces.removeFirst()
            return (piece, self.isDone, !pieces.isEmpty)
        }
        guard let piece else { return isDone ? .finish : .idle }
        body.append(piece)
        given += piece.count
        room.signal()
        return hasMore || isDone ? .more : .idle
    }

    func shutdown() {}

    func ended(_ reason: StreamEnd) {
        let isOver = lock.withLock {
            isCancelled = true
            pieces = []
            return isDone
        }
        var isWhole = given == source.length
        if case .finished = reason {} else { isWhole = false }
        backup.end(seq: source.cursor.seq, bytes: given, isWhole: isWhole)
        if !isOver { room.signal() }
    }
}
