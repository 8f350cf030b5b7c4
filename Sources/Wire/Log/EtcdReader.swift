import FreshetBase
import FreshetJSON

/// Reads a log's keys. A page is one transaction without a condition, so all that it has is of one
/// revision: records from a key on, the first record of all, and the head.
struct EtcdReader {
    let keys: EtcdKeys

    struct Page {
        var records: [LogRecord]
        /// Of the last key; from behind it the next page begins.
        var lastKey: [UInt8]
        /// There are more records behind.
        var hasMore: Bool
        /// The first seq that the log has at all.
        let floor: UInt64?
        let head: LogValue?
        let revision: UInt64
    }

    /// Records that are asked for at first. Their bytes cannot be bounded, so that as many are asked
    /// for as the answer has room for: 4 MiB, which two records and one part are always less than.
    private static let mostKeys = 256

    func head(_ nodes: EtcdNodes) throws(EtcdFailure) -> LogValue? {
        let request = EtcdText.make { [keys] in $0.add("key", bytes: keys.head) }
        let answer = try nodes.read("/v3/kv/range", request)
        guard let entries = JSONView.read(answer, Self.entries) else { throw Self.unreadable }
        return entries.first.map { LogValue(bytes: $0.value, revision: $0.modRevision) }
    }

    /// Records from the one at `seq` on, at least one where there is one, each with all its parts.
    ///
    /// - Parameters:
    ///   - limit: Records and parts at most, unless one record has more.
    ///   - ask: Makes a request to a node.
    func page(
        from seq: UInt64, limit: Int, _ ask: (String, [UInt8]) throws(EtcdFailure) -> [UInt8]
    ) throws(EtcdFailure) -> Page {
        // One more than wanted, to see where the last one ends.
        var count = min(max(1, limit), Self.mostKeys) + 1
        var page = try part(from: keys.record(seq), &count, ask)
        while page.hasMore {
            // The last one may have more parts; where there is none, all keys were of others.
            let last = page.records.last?.seq
            if let end = page.records.firstIndex(where: { $0.seq == last }), end > 0 {
                page.records.removeSubrange(end...)
                break
            }
            let next = try part(from: page.lastKey + [0], &count, ask)
            page.records += next.records
            page.lastKey = next.lastKey
            page.hasMore = next.hasMore
        }
        return page
    }

    /// - Parameter count: Keys at most; less where the answer has no room for them.
    private func part(
        from key: [UInt8], _ count: inout Int,
        _ ask: (String, [UInt8]) throws(EtcdFailure) -> [UInt8]
    ) throws(EtcdFailure) -> Page {
        while true {
            do throws(EtcdFailure) {
                let answer = try ask("/v3/kv/txn", request(from: key, count))
                guard let page = JSONView.read(answer, page) else { throw Self.unreadable }
                return page
            } catch {
                guard error.kind == .tooLarge, count > 2 else { throw error }
                count = max(2, count / 4)
            }
        }
    }

    private func request(from key: [UInt8], _ count: Int) -> [UInt8] {
        EtcdText.make { text in
            text.add(
                "success",
                list: { list in
                    Self.range(in: &list) {
                        $0.add("key", bytes: key)
                        $0.add("range_end", bytes: keys.allRecords.to)
                        $0.add("limit", number: UInt64(count))
                    }
                    Self.range(in: &list) {
                        $0.add("key", bytes: keys.allRecords.from)
                        $0.add("range_end", bytes: keys.allRecords.to)
                        // A key of somebody's may stand before it.
                        $0.add("limit", number: 8)
                        $0.add("keys_only", true)
                    }
                    Self.range(in: &list) { $0.add("key", bytes: keys.head) }
                })
        }
    }

    private static func range(in list: inout EtcdText, _ body: (inout EtcdText) -> Void) {
        list.object { $0.add("request_range", object: body) }
    }

    private static var unreadable: EtcdFailure {
        EtcdFailure(.open, "its answer cannot be read")
    }

    // MARK: Answers

    /// Nil for what is no answer of etcd's.
    private func page(_ view: JSONView) -> Page? {
        guard let revision = Self.revision(view), let responses = view.member(named: "responses")
        else { return nil }
        let ranges = Array(responses.elements).compactMap { $0.member(named: "response_range") }
        guard ranges.count == 3, let found = Self.entries(ranges[0]),
            let first = Self.entries(ranges[1]), let heads = Self.entries(ranges[2])
        else { return nil }
        return Page(
            records: found.compactMap(record), lastKey: found.last?.key ?? [],
            hasMore: ranges[0].member(named: "more")?.bool == true,
            floor: first.lazy.compactMap { keys.parse($0.key)?.seq }.first,
            head: heads.first.map { LogValue(bytes: $0.value, revision: $0.modRevision) },
            revision: revision)
    }

    func record(_ entry: EtcdEntry) -> LogRecord? {
        keys.parse(entry.key).map { LogRecord(seq: $0.seq, part: $0.part, bytes: entry.value) }
    }

    /// The keys of an answer to a range; nil for what is none.
    static func entries(_ view: JSONView) -> [EtcdEntry]? {
        guard view.kind == .object else { return nil }
        guard let list = view.member(named: "kvs") else { return [] }
        let found = list.elements.map { EtcdEntry($0) }
        return found.contains { $0 == nil } ? nil : found.compactMap(\.self)
    }

    private static func revision(_ view: JSONView) -> UInt64? {
        view.member(named: "header")?.member(named: "revision")?.etcdNumber
    }

    /// What a transaction has come to; nil for what is no answer to one.
    static func outcome(_ view: JSONView) -> (succeeded: Bool, revision: UInt64)? {
        revision(view).map { (view.member(named: "succeeded")?.bool == true, $0) }
    }
}
