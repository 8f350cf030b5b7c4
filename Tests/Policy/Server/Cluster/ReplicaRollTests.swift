import FreshetBase
import Testing

@testable import FreshetServer
@testable import FreshetStore

/// What servers of a cluster say of themselves, and what the leader keeps of it.
@Suite struct ReplicaRollTests {
    private func report(
        _ instance: UInt64 = 1, seq: UInt64 = 0, role: String = "follower", isReady: Bool = true
    ) -> ReplicaReport {
        ReplicaReport(
            instance: instance, url: "http://h:1", role: role, isReady: isReady, seq: seq,
            lag: .zero, snapshotSeq: seq / 2, format: 1, digest: "")
    }

    private func record(
        _ roll: inout ReplicaRoll, _ name: String, _ report: ReplicaReport, at seconds: Int
    ) -> Bool {
        roll.record(report, of: name, at: .seconds(seconds), WallTime(milliseconds: 0))
    }

    @Test func whoIsThereAndReadyAndHasAppliedMostLeadsNext() {
        var roll = ReplicaRoll()
        #expect(roll.successor(at: .zero) == nil)
        _ = record(&roll, "a", report(seq: 9), at: 0)
        _ = record(&roll, "b", report(seq: 7), at: 8)
        _ = record(&roll, "c", report(seq: 8), at: 8)
        _ = record(&roll, "d", report(seq: 99, isReady: false), at: 8)
        _ = record(&roll, "e", report(seq: 99, role: "stopped"), at: 8)
        #expect(roll.successor(at: .seconds(10)) == "a")
        // It was silent for more than 10 s.
        #expect(roll.successor(at: .seconds(11)) == "c")
        _ = record(&roll, "b", report(seq: 8), at: 12)
        #expect(roll.successor(at: .seconds(12)) == "b", "of equal ones the first")
        #expect(roll.canLead("c", at: .seconds(12)) && !roll.canLead("e", at: .seconds(12)))
        #expect(roll.successor(at: .seconds(23)) == nil)
    }

    @Test func subscribersCountForFifteenSeconds() {
        var roll = ReplicaRoll()
        var watched = report()
        watched.subscribers = ["todos": 2, "games": 1]
        _ = record(&roll, "a", watched, at: 0)
        watched.subscribers = ["todos": 3]
        _ = record(&roll, "b", watched, at: 10)
        #expect(roll.subscribers(at: .seconds(15)) == ["todos": 5, "games": 1])
        #expect(roll.subscribers(at: .seconds(16)) == ["todos": 3])
        _ = record(&roll, "b", report(), at: 17)
        #expect(roll.subscribers(at: .seconds(17)).isEmpty)
    }

    @Test func ofTooManyTheNewAreRefusedAndTheSilentForgotten() {
        var roll = ReplicaRoll()
        for index in 0..<ReplicaRoll.most {
            #expect(record(&roll, "r\(index)", report(), at: index))
        }
        #expect(!record(&roll, "new", report(), at: 100))
        #expect(record(&roll, "r63", report(seq: 5), at: 100), "one that is known is kept")
        #expect(roll.entries["r63"]?.report.seq == 5)
        // The first was heard 600 s ago.
        #expect(record(&roll, "new", report(), at: 600))
        #expect(roll.entries["r0"] == nil && roll.entries.count == ReplicaRoll.most)
        let posts = roll.posts(at: .seconds(601))
        #expect(posts.first { $0.replica == "r63" }?.age == .seconds(501))
        #expect(posts.first { $0.replica == "r63" }?.snapshot == 2)
    }

    @Test func aRestartIsNoSecondProcessOfTheName() {
        var roll = ReplicaRoll()
        for (instance, second) in [(1, 0), (2, 5), (2, 10), (3, 15)] as [(UInt64, Int)] {
            _ = record(&roll, "a", report(instance), at: second)
            #expect(!roll.isTaken("a", at: .seconds(second)))
        }
        _ = record(&roll, "a", report(2), at: 18)
        #expect(roll.isTaken("a", at: .seconds(18)), "the one before speaks again")
        _ = record(&roll, "a", report(3), at: 20)
        #expect(roll.isTaken("a", at: .seconds(29)) && !roll.isTaken("a", at: .seconds(31)))
    }

    private func read(_ text: String) throws(Problem) -> ReplicaReport {
        let result = Array(text.utf8).withUnsafeBytes { bytes in
            Result { () throws(Problem) in try ReplicaReport(bytes) }
        }
        return try result.get()
    }

    @Test func aReportIsReadAsItWasWritten() throws {
        var own = report(.max, seq: 41)
        own.lag = .milliseconds(2_500)
        own.subscribers = ["orders": 3, "a\"b": 0]
        for lag in [own.lag, nil] {
            own.lag = lag
            var body = ByteBuffer()
            own.encode(into: &body)
            #expect(try read(String(decoding: body.bytes, as: UTF8.self)) == own)
        }
    }

    @Test(arguments: [
        ("", "bad-json", ""), ("[]", "bad-request", ""),
        (#"{"instance":1}"#, "bad-request", "/instance"),
        ("instance=", "bad-request", "/instance"), (#"instance="xyz""#, "bad-request", "/instance"),
        (#"url="h:1""#, "bad-request", "/url"), (#"role="king""#, "bad-request", "/role"),
        ("ready=1", "bad-request", "/ready"), ("seq=-1", "bad-request", "/seq"),
        ("seq=1.5", "bad-request", "/seq"), (#"lagMs="1""#, "bad-request", "/lagMs"),
        ("snapshotSeq=null", "bad-request", "/snapshotSeq"), ("format=", "bad-request", "/format"),
        ("digest=7", "bad-request", "/digest"), ("subscribers=[]", "bad-request", "/subscribers"),
        (#"subscribers={"a":-1}"#, "bad-request", "/subscribers"),
    ])
    func aFaultyReportIsRefusedWithItsPlace(change: String, code: String, pointer: String) {
        var body = ByteBuffer()
        report().encode(into: &body)
        var text = String(decoding: body.bytes, as: UTF8.self)
        let words = change.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if words.count == 2 {
            // A member in place of the one of that name, or none.
            let members = text.dropFirst().dropLast().split(separator: ",").filter {
                !$0.hasPrefix("\"\(words[0])\":")
            }
            let added = words[1].isEmpty ? [] : ["\"\(words[0])\":\(words[1])"]
            text = "{" + (members.map(String.init) + added).joined(separator: ",") + "}"
        } else {
            text = change
        }
        #expect {
            try read(text)
        } throws: { error in
            guard let problem = error as? Problem else { return false }
            return problem.code.rawValue == code
                && (pointer.isEmpty || problem.errors.first?.pointer == pointer)
        }
    }
}
