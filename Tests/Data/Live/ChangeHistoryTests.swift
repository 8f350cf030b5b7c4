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
