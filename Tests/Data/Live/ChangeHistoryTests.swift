import FreshetEngine
import FreshetQuery
import Testing

@testable import FreshetLive

/// How much of the past is looked at for one client that comes back.
@Suite struct ChangeHistoryTests {
    private let type = TypeName("task")!

    private func history(_ count: UInt64, textBytes: Int) throws -> ChangeHistory {
        let history = ChangeHistory()
        history.begin(after: 0, ChangeHistory.Limits(entries: 1_000, bytes: 1 << 30))
        let text = String(repeating: "x", count: textBytes)
        for seq in 1...count {
            var builder = DocumentBuilder()
            let document = try Array(#"{"id":\#(seq),"text":"\#(text)"}"#.utf8).withUnsafeBytes {
                try builder.build(json: $0, id: .fromBody)
            }
            document.seal(revision: seq)
            history.record([Change(seq: seq, type: type, old: nil, new: document)])
        }
        return history
    }

    private func count(
        _ history: ChangeHistory, after seq: UInt64, _ changes: Int, _ bytes: Int
    ) -> Int? {
        history.changes(
            of: [type], after: seq, through: .max, within: .init(changes: changes, bytes: bytes))?
            .count
    }

    @Test func changesAndTheirBytesAreBounded() throws {
        let short = try history(100, textBytes: 1)
        #expect(count(short, after: 0, 100, 1 << 20) == 100)
        #expect(count(short, after: 0, 99, 1 << 20) == nil)
        #expect(count(short, after: 1, 99, 1 << 20) == 99)
        let long = try history(10, textBytes: 10_000)
        #expect(count(long, after: 0, 100, 200_000) == 10)
        #expect(count(long, after: 0, 100, 90_000) == nil)
        #expect(count(long, after: 5, 100, 90_000) == 5)
    }

    /// What is kept are the newest, nearly as many as the limit says and never more; what is told is either
    /// all that there was since a seq or nothing.
    @Test(arguments: [1, 3, 64, 100, 1_000])
    func theOldestAreForgottenFirst(limit: Int) throws {
        let history = ChangeHistory()
        history.begin(after: 10, ChangeHistory.Limits(entries: limit, bytes: 1 << 30))
        for seq in 11...UInt64(10 + 3 * limit) {
            history.record([Change(seq: seq, type: type, old: nil, new: nil)])
            guard seq % UInt64(limit / 3 + 1) == 0 else { continue }
            let kept = (0...seq).reversed().prefix {
                count(history, after: $0, .max, .max) == Int(seq - $0)
            }
            #expect(kept.count - 1 <= limit)
            #expect(kept.count - 1 >= min(Int(seq) - 10, limit - limit / 64))
            // Beyond it nothing is told, rather than a part.
            #expect(count(history, after: seq - UInt64(kept.count), .max, .max) == nil)
        }
    }

    /// Large ones leave by their bytes, one that is larger than the limit at once.
    @Test func theLargestLeaveByTheirBytes() throws {
        let history = ChangeHistory()
        history.begin(after: 0, ChangeHistory.Limits(entries: 1_000, bytes: 100_000))
        let documents = try [1, 40_000, 200_000].map { length in
            var builder = DocumentBuilder()
            let text = String(repeating: "x", count: length)
            return try Array(#"{"id":1,"text":"\#(text)"}"#.utf8).withUnsafeBytes {
                try builder.build(json: $0, id: .fromBody)
            }
        }
        func record(_ seq: UInt64, _ document: Int) {
            history.record([Change(seq: seq, type: type, old: documents[document], new: nil)])
        }
        record(1, 0)
        record(2, 1)
        record(3, 1)
        #expect(count(history, after: 0, .max, .max) == 3)
        record(4, 1)
        #expect(count(history, after: 0, .max, .max) == nil)
        #expect(count(history, after: 2, .max, .max) == 2)
        record(5, 2)
        #expect(count(history, after: 4, .max, .max) == nil)
        #expect(count(history, after: 5, .max, .max) == 0)
        record(6, 0)
        #expect(count(history, after: 5, .max, .max) == 1)
    }

    /// A filter that is compiled to much is asked of fewer changes.
    @Test func whatIsLookedAtShrinksWithTheFilter() throws {
        func bounds(_ filter: String) throws -> ChangeHistory.Bounds {
            let set = LiveSet(mostRows: .max)
            var query = Query(type: type)
            query.filter = try Filter(parsing: filter)
            final class Nobody: LiveSubscriber { func liveResultChanged() {} }
            return try set.join(LiveRequest(query, .delta), Nobody()).membership.group.historyBounds
        }
        #expect(try bounds("a == 1").changes == 20_000)
        let many = (0..<400).map { "t\($0) ~= 'a\($0)|b+'" }.joined(separator: " or ")
        #expect(try bounds(many).changes < 2_000)
    }
}
