import FreshetBase
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore
import Testing

@testable import FreshetCore

/// What entries are, and what several of them come to.
@Suite struct OutboxEntryTests {
    typealias Operation = OutboxEntry.Operation

    static func entry(
        _ operation: Operation, number: UInt64 = 1, body: String? = #"{"id":"1"}"#,
        before: String? = nil
    ) throws -> OutboxEntry {
        OutboxEntry(
            id: try EntityID("e\(number)"), number: number, type: OutboxScene.type,
            entity: try EntityID("1"), operation: operation, revision: number, createdAt: .now,
            body: operation == .remove ? nil : body.map { Array($0.utf8) },
            before: before.map { Array($0.utf8) })
    }

    @Test(
        arguments: [
            (Operation.create, Operation.create, Operation.create),
            (.create, .update, .create), (.create, .remove, nil),
            (.update, .create, .update), (.update, .update, .update), (.update, .remove, .remove),
            (.remove, .create, .update), (.remove, .update, .update), (.remove, .remove, .remove),
        ] as [(Operation, Operation, Operation?)])
    func twoChangesComeToOne(_ first: Operation, _ last: Operation, _ expected: Operation?) throws {
        let first = try Self.entry(first, number: 1, before: #"{"id":"1","n":0}"#)
        let last = try Self.entry(last, number: 2, before: #"{"id":"1","n":1}"#)
        let folded = last.following(first)
        #expect(folded?.operation == expected)
        if let folded {
            #expect(folded.id == last.id)
            #expect(folded.body == last.body)
            #expect(folded.before == first.before)
        }
    }

    @Test func anEntryIsReadAsItWasWritten() throws {
        var entry = try Self.entry(.update, before: #"{"id":"1","n":0}"#)
        entry.state = .dead
        entry.attempts = 9
        entry.isSent = true
        entry.replaced = try EntityID("tmp/ä\"")
        entry.nextAttemptAt = "2026-11-21T00:00:00.000Z"
        entry.fault = .init(code: "upstream-status", detail: "a \"b\"\n", status: 503)
        entry.isBeforeFetched = true
        let read = try #require(OutboxEntry(entry.document))
        #expect(read.document.text == entry.document.text)
        #expect(read.fault == entry.fault)
        #expect(read.body == entry.body && read.before == entry.before)
        #expect(read.replaced == entry.replaced && read.isSent && read.attempts == 9)
    }

    @Test func anEntityAsDeepAsEntitiesMayBeIsKeptWhole() throws {
        var deepest = ""
        for depth in 1...512 {
            let json =
                #"{"id":"1","a":"# + String(repeating: "[", count: depth)
                + String(repeating: "]", count: depth) + "}"
            guard (try? OutboxScene.document(json)) != nil else { break }
            deepest = json
        }
        #expect(!deepest.isEmpty)
        let entry = try Self.entry(.update, body: deepest, before: deepest)
        let read = try #require(OutboxEntry(entry.document))
        #expect(read.body == Array(deepest.utf8))
        #expect(read.before == Array(deepest.utf8))
    }

    @Test func endedEntriesKeepNoBodies() throws {
        let entry = try Self.entry(.update, before: #"{"id":"1"}"#)
        #expect(entry.ended(.done).body == nil)
        #expect(entry.ended(.superseded).before == nil)
        #expect(entry.ended(.rejected).body != nil)
    }

    @Test(arguments: [
        (UpstreamError.shape(endpoint: "e", pointer: "", detail: ""), OutboxTarget.Verdict.done),
        (.tooLarge(limit: 1), .done),
        (.status(400, retryAfter: nil, excerpt: ""), .rejected),
        (.status(404, retryAfter: nil, excerpt: ""), .rejected),
        (.status(409, retryAfter: nil, excerpt: ""), .rejected),
        (.status(301, retryAfter: nil, excerpt: ""), .rejected),
        (.unaddressable(endpoint: "update", name: nil, detail: ""), .rejected),
        (.status(408, retryAfter: nil, excerpt: ""), .again(after: .seconds(1))),
        (.status(425, retryAfter: nil, excerpt: ""), .again(after: .seconds(1))),
        (.status(429, retryAfter: .seconds(90), excerpt: ""), .again(after: .seconds(90))),
        (.status(500, retryAfter: nil, excerpt: ""), .again(after: .seconds(1))),
        (.timeout, .again(after: .seconds(1))),
        (.unreachable(.refused, detail: ""), .again(after: .seconds(1))),
        (.unreachable(.tls, detail: ""), .again(after: .seconds(1))),
        (.saturated(limit: 1), .again(after: .seconds(1))),
        (.auth(code: .refresh, origin: true, detail: ""), .again(after: .seconds(1))),
    ])
    func failuresHaveTheirClass(_ error: UpstreamError, _ expected: OutboxTarget.Verdict) {
        let target = OutboxTarget(
            ScriptedRemote(),
            retry: RetryPolicy(limit: 2, base: .seconds(1), hasJitter: false))
        #expect(target.verdict(on: error, attempts: 1, random: 0) == expected)
        let last = target.verdict(on: error, attempts: 3, random: 0)
        if case .again = expected { #expect(last == .dead) } else { #expect(last == expected) }
    }

    @Test func aRemoteWithoutCreateIsSentUpdates() {
        let target = OutboxTarget(ScriptedRemote(), operations: [.update, .remove])
        #expect(target.sent(.create) == .update)
        #expect(target.sent(.remove) == .remove)
    }
}
