import FreshetBase
import FreshetConfig
import FreshetHTTPClient
import FreshetRefresh
import FreshetStore
import Glibc

/// Makes the directory of a server from the backup of another one of its cluster, before it is opened.
struct ReplicaJoin {
    let directory: String
    let settings: ClusterSettings
    let client: HTTPClient
    let writerVersion: String

    /// Where the backup is kept until it is read. A name that an opening passes over, and that the
    /// making of a directory removes.
    private static let fileName = "tmp-join.backup"
    /// The longest silence of a server that sends its backup.
    private static let silence = Duration.seconds(30)

    /// Asks one after the other for a backup, and makes the directory of the first that is whole.
    ///
    /// - Parameters:
    ///   - leader: Is asked behind the peers of the configuration.
    ///   - floor: The first commit that the log still has: the backup has all before it.
    ///   - prepare: Called once a backup is here, before the directory is made of it.
    /// - Returns: Who has given it.
    /// - Throws: Why nobody has.
    func restore(
        asking leader: String, behind floor: Cursor, progress: (RecoveryProgress) -> Void,
        prepare: () throws(StartFailure) -> Void = { () throws(StartFailure) in }
    ) throws(StartFailure) -> String {
        var reasons: [String] = []
        var isPrepared = false
        let path = "\(directory)/\(Self.fileName)"
        if mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw StartFailure(
                sentence: "\(directory) cannot be made: \(String(cString: strerror(errno)))")
        }
        for peer in givers(leader) {
            defer { unlink(path) }
            if let reason = fetch(from: peer, behind: floor, to: path) {
                reasons.append("\(peer): \(reason)")
                continue
            }
            if !isPrepared { try prepare() }
            isPrepared = true
            do throws(StoreError) {
                _ = try ReplicaDirectory.restore(
                    path, into: directory, writerVersion: writerVersion, progress: progress)
                return peer
            } catch {
                guard case .backup(_, let reason) = error else {
                    throw StartFailure(sentence: error.description)
                }
                reasons.append("\(peer): its backup is not whole: \(reason)")
            }
        }
        throw StartFailure(
            sentence: "the cluster's log no longer has what this server needs, and no other server"
                + " gives a backup: "
                + (reasons.isEmpty
                    ? "none is known; name them in cluster.peers" : reasons.joined(separator: "; "))
        )
    }

    /// Whether anybody would give a backup now that has all before `floor`. Waits for what they say.
    ///
    /// - Parameter leader: Is asked behind the peers of the configuration.
    func isOffered(asking leader: String, behind floor: Cursor) -> Bool {
        givers(leader).contains { peer in
            let answer = BackupAnswer(nil, behind: floor)
            ask(peer, answer)
            return answer.isOffered
        }
    }

    /// Where the other servers take requests, each once.
    private func givers(_ leader: String) -> [String] {
        var known: Set = ["", settings.advertise]
        return (settings.peers + [leader]).filter { known.insert($0).inserted }
    }

    /// - Returns: Why there is no file; nil where it is there.
    private func fetch(from peer: String, behind floor: Cursor, to path: String) -> String? {
        // Whoever has the backup has everything.
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return "\(path): \(String(cString: strerror(errno)))" }
        defer { close(file) }
        let answer = BackupAnswer(file, behind: floor)
        ask(peer, answer)
        return answer.reason
    }

    /// Has `peer` give its backup to `answer`, and waits for its end.
    private func ask(_ peer: String, _ answer: BackupAnswer) {
        var base = peer[...]
        while base.last == "/" { base.removeLast() }
        var call = HTTPCall(url: base + "/v1/_backup", fields: [settings.proof])
        call.takesCoding = false
        call.route.connectMilliseconds = 2_000
        let transfer = client.transfer(call, answer)
        transfer.submit()
        var seen = -1
        while !answer.isOver(within: Self.silence) {
            let received = answer.received.value
            if received == seen { transfer.cancel(.timeout) }
            seen = received
        }
        if answer.reason != nil { transfer.cancel() }
    }
}

/// Writes an answer's body to a file, which is closed once there is a reason against it. Without a file
/// an answer that would be taken is reason enough.
// SAFETY: `file`, `status` and `refusal` belong to the client's thread.
private final class BackupAnswer: HTTPReceiver, @unchecked Sendable {
    private let file: CInt?
    private let floor: Cursor
    private var status = 0
    /// The body of an answer that is no backup.
    private var refusal: [UInt8] = []
    /// Why there is no backup; nil where there is one.
    private let end = AwaitedValue<String?>()
    /// Bytes.
    let received = Counter()
    private static let offer = "it was only asked whether it has one"

    init(_ file: CInt?, behind floor: Cursor) {
        self.file = file
        self.floor = floor
    }

    /// Why there is no backup.
    var reason: String? { end.value ?? nil }

    /// It would have been taken.
    var isOffered: Bool { reason == Self.offer }

    func isOver(within limit: Duration) -> Bool { end.wait(until: .now + limit) != nil }

    func head(_ head: HTTPHead) {
        status = head.status
        guard status == 200 else { return }
        let text = head.fields.last { $0.name.lowercased() == "freshet-cursor" }?.value ?? ""
        let cursor = Cursor(text[...])
        // What a server has that has stopped following may be too old to go on from.
        if let cursor,
            cursor.epoch != floor.epoch
                || cursor.seq < floor.seq && floor.seq - cursor.seq > 1
        {
            end.give("its backup ends at \(text), and the log begins at \(floor)")
        } else if file == nil {
            end.give(Self.offer)
        }
    }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        received.add(bytes.count)
        guard status == 200 else {
            refusal.append(contentsOf: bytes.prefix(max(0, 1_000 - refusal.count)))
            return true
        }
        var rest = bytes
        while let file, !rest.isEmpty, reason == nil {
            let count = write(file, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                end.give("it cannot be written: \(String(cString: strerror(errno)))")
                break
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    func finish(_ fault: HTTPFault?) {
        switch fault {
        case nil where status != 200:
            end.give("it answers \(status): \(String(decoding: refusal, as: UTF8.self))")
        case nil: end.give(nil)
        case .unreachable(_, let detail): end.give(detail)
        case .timeout: end.give("it sends nothing")
        case let fault?: end.give("\(fault)")
        }
    }
}
