// The tail of a log on etcd
//
// One thread: it reads what there is from the wanted seq on, tells it with the head, and watches from
// the revision behind that read. So a tail begins the same way at first and after anything that has
// gone wrong, and nothing is left out in between:
//
//     read pages → records, head → watch from revision + 1 → records, heads … → .broken ─┐
//       ↑                                      another node                              │
//       └────────────────────────────────────────────────────────────────────────────────┘
//
// A watch is over when etcd cancels it (compacted, or its node has lost the leader), when its connection
// breaks, and when it is silent: a leader puts a head each second, so three seconds of nothing are a
// node that is cut off, frozen, or a cluster without a leader.

import Dispatch
import FreshetBase
import FreshetHTTPClient
import FreshetJSON
import Glibc

/// A tail of a log on etcd. See the top of this file.
// SAFETY: `isCancelled` and `current` are read and written under `lock`; all else but constants is
// touched by the tail's thread alone.
final class EtcdTail: SharedLogTail, @unchecked Sendable {
    private let nodes: EtcdNodes
    private let reader: EtcdReader
    private let silence: Duration
    private let take: @Sendable (LogEvent) -> Bool
    private let lock = Lock()
    private var isCancelled = false
    /// What the thread waits for, if it waits.
    private var current: AwaitedAnswer?
    /// The first seq that is yet to be told of.
    private var next: UInt64
    private var node: Int

    /// Between two tries while no node answers.
    private static let pause = Duration.milliseconds(200)
    private static let pageKeys = 64

    init(
        from seq: UInt64, _ nodes: EtcdNodes, _ reader: EtcdReader, silence: Duration,
        _ take: @escaping @Sendable (LogEvent) -> Bool
    ) {
        next = seq
        self.nodes = nodes
        self.reader = reader
        self.silence = silence
        self.take = take
        node = nodes.first
        // The block keeps the tail until it is cancelled.
        DispatchQueue(label: "freshet.log.tail").async { self.run() }
    }

    func cancel() {
        let waiting = lock.withLock {
            isCancelled = true
            return current
        }
        waiting?.interrupt()
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
        var isBroken = false
        while !isOver {
            do throws(EtcdFailure) {
                let revision = try catchUp()
                isBroken = false
                guard !isOver else { return }
                try watch(from: max(revision, revision &+ 1))
            } catch {
                guard !isOver else { return }
                let trouble = EtcdFailure(error.kind, "\(nodes.name(node)): \(error.text)").trouble
                if !isBroken, !tell(.broken(trouble)) { return }
                // A second failure of the same cause is no news.
                if isBroken { rest() }
                isBroken = true
                node = (node + 1) % nodes.count
            }
        }
    }

    /// Waits before another try, or until it is cancelled.
    private func rest() {
        let nothing = AwaitedAnswer(isStream: false)
        guard hold(nothing) else { return }
        _ = nothing.wait(until: .now + Self.pause, of: nil)
        release()
    }

    /// Makes `answer` the one that `cancel` interrupts. - Returns: false where it is too late.
    private func hold(_ answer: AwaitedAnswer) -> Bool {
        lock.withLock {
            if !isCancelled { current = answer }
            return !isCancelled
        }
    }

    private func release() { lock.withLock { current = nil } }

    /// Reads and tells what there is.
    ///
    /// - Returns: The revision up to which everything was told.
    private func catchUp() throws(EtcdFailure) -> UInt64 {
        while true {
            let page = try reader.page(from: next, limit: Self.pageKeys) {
                (path, body) throws(EtcdFailure) in try nodes.ask(node, path, body)
            }
            for record in page.records where !tell(record) { return 0 }
            if page.hasMore {
                // Parts that have no record tell nothing, and are not read again.
                if let last = page.records.last { next = max(next, last.seq + 1) }
                continue
            }
            if let head = page.head, !tell(.head(head)) { return 0 }
            return page.revision
        }
    }

    /// Tells of a record, unless it is one of before, or a part, which counts with its record alone.
    private func tell(_ record: LogRecord) -> Bool {
        guard record.seq >= next, record.part == nil else { return true }
        next = record.seq + 1
        return tell(.record(record))
    }

    // MARK: The watch

    /// Tells what is put from `revision` on, until that ends.
    private func watch(from revision: UInt64) throws(EtcdFailure) {
        let request = EtcdText.make { text in
            text.add(
                "create_request",
                object: { create in
                    create.add("key", bytes: reader.keys.everything.from)
                    create.add("range_end", bytes: reader.keys.everything.to)
                    create.add("start_revision", number: revision)
                    create.add("fragment", true)
                    create.add("filters", list: { $0.add(word: "NODELETE") })
                })
        }
        let answer = AwaitedAnswer(isStream: true)
        guard hold(answer) else { return }
        defer { release() }
        let transfer = try nodes.open(node, path: "/v3/watch", body: request, answer: answer)
        defer { transfer.cancel() }
        var lines = LineSplitter()
        while !isOver {
            guard let arrival = answer.wait(until: .now + silence, of: transfer) else {
                throw EtcdFailure(.open, "nothing was heard of the log for \(silence)")
            }
            guard arrival.status == 200 || arrival.status == 0 else {
                throw EtcdFailure(status: arrival.status, body: arrival.bytes)
            }
            lines.add(arrival.bytes)
            while let line = lines.next() {
                guard try tell(events: line) else { return }
            }
            switch arrival.end {
            case nil: break
            case .whole: throw EtcdFailure(.open, "the watch has ended")
            case .failed(let fault): throw EtcdFailure(.open, fault.words(silence))
            }
        }
    }

    /// Tells the events of one line: `{"result":{"events":[{"kv":{…}}]}}`.
    ///
    /// - Returns: false where the tail is over.
    private func tell(events line: ArraySlice<UInt8>) throws(EtcdFailure) -> Bool {
        let read = JSONView.read(line) { view -> Result<Bool, EtcdFailure> in
            guard let result = view.member(named: "result") else {
                return .failure(Self.failure(view.member(named: "error")))
            }
            if result.member(named: "canceled")?.bool == true {
                let reason = result.member(named: "cancel_reason")?.string
                return .failure(EtcdFailure(.open, reason ?? "the watch was cancelled"))
            }
            guard let events = result.member(named: "events") else { return .success(true) }
            for event in events.elements {
                guard let entry = event.member(named: "kv").flatMap(EtcdEntry.init) else {
                    return .failure(EtcdFailure(.open, "an event of the watch cannot be read"))
                }
                guard tell(entry) else { return .success(false) }
            }
            return .success(true)
        }
        guard let read else { throw EtcdFailure(.open, "an event of the watch cannot be read") }
        return try read.get()
    }

    private func tell(_ entry: EtcdEntry) -> Bool {
        if entry.key == reader.keys.head {
            return tell(.head(LogValue(bytes: entry.value, revision: entry.modRevision)))
        }
        // Anything else under the prefix is not the log's.
        return reader.record(entry).map { tell($0) } ?? true
    }

    private static func failure(_ view: JSONView?) -> EtcdFailure {
        let code = view?.member(named: "grpc_code")?.int64 ?? view?.member(named: "code")?.int64
        return EtcdFailure(
            code: code.map { Int($0) } ?? 2,
            view?.member(named: "message")?.string ?? "the watch has failed")
    }
}

/// Lines of a stream of bytes, without their ends.
struct LineSplitter {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Looked through before.
    private var seen = 0

    mutating func add(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            seen -= start
            start = 0
        }
        bytes += more
    }

    /// The next whole line.
    mutating func next() -> ArraySlice<UInt8>? {
        let from = seen
        let end = bytes.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, from < bytes.count else { return nil }
            return memchr(base + from, CInt(UInt8(ascii: "\n")), bytes.count - from)
                .map { UnsafeRawPointer($0) - base }
        }
        guard let end else {
            seen = bytes.count
            return nil
        }
        defer {
            start = end + 1
            seen = start
        }
        return bytes[start..<end]
    }
}
