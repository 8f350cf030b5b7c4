// The shared log on etcd
//
// etcd (3.4 and later) keeps keys in one order of revisions that a quorum has agreed on and synced.
// What a log needs of it is one kind of transaction, through its JSON gateway:
//
//     if the head's value and revision are what I saw last: put the record, put the head
//
// What comes of such a step is told apart with care, since the caller repeats what was not made and
// must never take what may have been made for lost:
//
//     answer                                      means
//     succeeded                                   made
//     not succeeded                               .conflict: the head is another one
//     nothing was sent, "no leader"               another node is asked, and behind the last .away
//     etcd's refusal (size, password, overload)   .refused: it was judged before it was made
//     "space exceeded"                            taken, or .full: the head says which
//     time-out, broken connection, all else       .unknown
//
// The revision alone would not do, since it comes again after a restore; the value alone would, since
// no two heads are equal, and costs nothing to be compared beside it.

package import FreshetBase
package import FreshetHTTPClient
import FreshetJSON

/// A shared log on etcd. See the top of this file.
package final class EtcdLog: SharedLog {
    package struct Settings: Sendable {
        package var address: EtcdAddress
        /// Files in PEM: authorities in place of the system's, and the certificate with its key.
        package var roots: String?
        package var certificate: String?
        package var key: String?
        package var user: String?
        package var password: String?
        /// Of one request to one node; longer than etcd takes under load, and as short as a frozen
        /// node is to be noticed.
        package var timeout = Duration.milliseconds(1_500)
        /// The history of all keys is given up behind a truncation, though etcd holds keys of others.
        package var compacts = false
        /// Who reads from an old revision has so long.
        package var historyAge = Duration.seconds(300)
        /// A tail that has heard nothing for so long asks another node: three beats of a leader.
        package var silence = Duration.seconds(3)

        package init(_ address: EtcdAddress) { self.address = address }
    }

    let nodes: EtcdNodes
    let settings: Settings
    private let reader: EtcdReader
    private let history = EtcdHistory()
    var keys: EtcdKeys { reader.keys }

    /// Sends nothing yet.
    package init(_ settings: Settings) throws(CurlMissing) {
        self.settings = settings
        nodes = try EtcdNodes(settings)
        reader = EtcdReader(keys: EtcdKeys(prefix: settings.address.prefix))
    }

    // MARK: The head

    package func head() throws(LogTrouble) -> LogValue? {
        do throws(EtcdFailure) { return try reader.head(nodes) } catch { throw error.trouble }
    }

    /// Of one record; a request may have 1.5 MiB, the head included.
    package var recordLimit: Int { 1 << 20 }

    package func append(
        _ record: LogRecord?, head: [UInt8]?, expecting expected: LogValue?
    ) throws(LogTrouble) -> LogValue {
        let request = EtcdText.make { text in
            text.add("compare", list: { expect(expected, in: &$0) })
            text.add(
                "success",
                list: { list in
                    if let record { Self.put(keys.key(record), record.bytes, in: &list) }
                    if let head { Self.put(keys.head, head, in: &list) }
                })
        }
        let made: (succeeded: Bool, revision: UInt64)?
        do throws(EtcdFailure) {
            made = JSONView.read(try nodes.change("/v3/kv/txn", request), EtcdReader.outcome)
        } catch {
            guard error.kind == .full else { throw error.trouble }
            return try settle(head, expected, error.text)
        }
        guard let made else { throw .unknown("etcd's answer to a step cannot be read") }
        guard made.succeeded else { throw .conflict }
        guard let head else { return expected ?? LogValue(bytes: [], revision: 0) }
        return LogValue(bytes: head, revision: made.revision)
    }

    /// Finds out what has come of a step that etcd said to have no space for: it may be the last that
    /// it took. Either way it is decided by now.
    private func settle(
        _ head: [UInt8]?, _ expected: LogValue?, _ text: String
    ) throws(LogTrouble) -> LogValue {
        let now: LogValue?
        do throws(LogTrouble) { now = try self.head() } catch { throw .unknown(text) }
        if now == expected { throw .full(text) }
        guard let now, let head, now.bytes == head else { throw .unknown(text) }
        return now
    }

    private func expect(_ expected: LogValue?, in list: inout EtcdText) {
        list.object { compare in
            compare.add("key", bytes: keys.head)
            compare.add("result", word: "EQUAL")
            compare.add("target", word: expected == nil ? "CREATE" : "VALUE")
            if let expected {
                compare.add("value", bytes: expected.bytes)
            } else {
                compare.add("create_revision", number: 0)
            }
        }
        guard let expected else { return }
        list.object { compare in
            compare.add("key", bytes: keys.head)
            compare.add("result", word: "EQUAL")
            compare.add("target", word: "MOD")
            compare.add("mod_revision", number: expected.revision)
        }
    }

    private static func put(_ key: [UInt8], _ value: [UInt8], in list: inout EtcdText) {
        list.object { operation in
            operation.add(
                "request_put",
                object: { put in
                    put.add("key", bytes: key)
                    put.add("value", bytes: value)
                })
        }
    }

    // MARK: Records

    package func read(from seq: UInt64, limit: Int) throws(LogTrouble) -> [LogRecord] {
        let page: EtcdReader.Page
        do throws(EtcdFailure) {
            page = try reader.page(from: seq, limit: limit, nodes.read)
        } catch {
            throw error.trouble
        }
        if let floor = page.floor, floor > seq { throw .truncated(floor: floor) }
        return page.records
    }

    package func turnAway() { nodes.avoid(nodes.first) }

    /// Deletes the records before `seq`, and gives up the history that is older than `historyAge`: a
    /// deleted key takes space in etcd until then.
    package func truncate(below seq: UInt64) throws(LogTrouble) {
        let request = EtcdText.make { text in
            text.add("key", bytes: keys.allRecords.from)
            text.add("range_end", bytes: keys.record(seq))
        }
        do throws(EtcdFailure) {
            let answer = try nodes.change("/v3/kv/deleterange", request)
            guard let made = JSONView.read(answer, EtcdReader.outcome) else { return }
            let old = history.add(made.revision, age: settings.historyAge)
            guard let old else { return }
            let mayCompact = settings.compacts ? true : try otherKeys() == 0
            if mayCompact { try compact(at: old) }
        } catch {
            throw error.trouble
        }
    }

    /// A node makes its files anew by some ten MB a second on a slow disk.
    private static let defragmentLimit = Duration.seconds(120)

    /// Gives up all history, unless etcd holds keys of others, and has each node in turn give free
    /// space back: it answers nothing meanwhile.
    package func makeRoom(while goesOn: () -> Bool) throws(LogTrouble) {
        do throws(EtcdFailure) {
            let mayCompact = settings.compacts ? true : try otherKeys() == 0
            if mayCompact {
                // The head may be older than what was deleted last.
                let request = EtcdText.make { text in
                    text.add("key", bytes: keys.head)
                    text.add("count_only", true)
                }
                let answer = try nodes.read("/v3/kv/range", request)
                if let now = JSONView.read(answer, EtcdReader.outcome) {
                    try compact(at: now.revision)
                }
            }
            // One after the other, so that a majority goes on; one that is down or refuses is passed by.
            var last: EtcdFailure?
            for node in 0..<nodes.count where goesOn() {
                do throws(EtcdFailure) {
                    _ = try nodes.ask(
                        node, "/v3/maintenance/defragment", Array("{}".utf8),
                        within: Self.defragmentLimit)
                } catch {
                    last = error
                    // Neither has begun anything.
                    guard error.kind == .unsent || error.kind == .refused else { break }
                }
            }
            if let last { throw last }
        } catch {
            throw error.trouble
        }
    }

    /// Gives up the history before `revision`, which nobody may watch from any more.
    func compact(at revision: UInt64) throws(EtcdFailure) {
        do throws(EtcdFailure) {
            _ = try nodes.change(
                "/v3/kv/compaction", EtcdText.make { $0.add("revision", number: revision) })
        } catch {
            // Another has done it.
            guard error.text.contains("has been compacted") else { throw error }
        }
    }

    package func tail(
        from seq: UInt64, _ take: @escaping @Sendable (LogEvent) -> Bool
    ) -> any SharedLogTail {
        EtcdTail(from: seq, nodes, reader, silence: settings.silence, take)
    }
}

/// Revisions of etcd and when they were its newest.
// SAFETY: mutable state is read and written under `lock`.
private final class EtcdHistory: @unchecked Sendable {
    private let lock = Lock()
    private var marks: [(at: MonotonicInstant, revision: UInt64)] = []

    /// Notes the revision of now.
    ///
    /// - Returns: The newest one that is at least of that age, once.
    func add(_ revision: UInt64, age: Duration) -> UInt64? {
        let now = MonotonicInstant.now
        return lock.withLock {
            marks.append((now, revision))
            guard let last = marks.lastIndex(where: { now - $0.at >= age }) else { return nil }
            defer { marks.removeSubrange(...last) }
            return marks[last].revision
        }
    }
}
