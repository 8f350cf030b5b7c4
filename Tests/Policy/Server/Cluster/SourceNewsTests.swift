import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetRemote
import Testing

@testable import FreshetServer

/// What servers of a cluster tell each other of the fetch behind a live query.
@Suite struct SourceNewsTests {
    private func text(_ news: SourceNews) -> String {
        var body = ByteBuffer()
        body.append("{")
        news.encodeMembers(into: &body)
        body.append("}")
        return String(decoding: body.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        SourceNews(state: .gated, gate: "auto\"matic", since: WallTime(milliseconds: 7)),
        SourceNews(
            state: .failed, since: WallTime(milliseconds: 1_700_000_000_123),
            next: WallTime(milliseconds: 1_700_000_001_000),
            problem: .here(.upstream(.timeout, name: "api"))),
        SourceNews(
            state: .fresh, since: WallTime(milliseconds: 0),
            problem: .gaps(AnswerGaps(leftOut: 2, isCut: true))),
    ])
    func newsIsReadAsItWasWritten(news: SourceNews) throws {
        let told = try #require(SourceNews(told: JSONValue.parse(text(news))))
        #expect(text(told) == text(news))
    }

    @Test(arguments: [
        #"{"state":"sleeping","since":"2026-11-24T00:00:00.000Z"}"#, #"{"state":"fresh"}"#,
        #"{"state":"fresh","since":"yesterday"}"#, "[]", "7",
    ])
    func newsOfALaterVersionIsNone(text: String) throws {
        #expect(SourceNews(told: try JSONValue.parse(text)) == nil)
    }
}
