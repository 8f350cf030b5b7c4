import FreshetBase
import FreshetJSON
import Testing

@testable import FreshetServer
@testable import FreshetStore

/// What servers of a cluster say of themselves, and what the leader keeps of it.
@Suite struct ReplicaRollTests {
    private func report(
        _ instance: UInt64 = 1, seq: UInt64 = 0, role: String = "follower", isReady: Bool = true,
        digest: String = ""
    ) -> ReplicaReport {
        ReplicaReport(
            instance: instance, url: "http://h:1", role: role, isReady: isReady, seq: seq,
            lag: .zero, snapshotSeq: seq / 2, format: 1, digest: digest)
    }

    private func record(
        _ roll: inout ReplicaRoll, _ name: String, _ report: ReplicaReport, at seconds: Int
    ) -> Bool {
        roll.record(report, of: name, at: .seconds(seconds), WallTime(milliseconds: 0))
    }

    @Test func whoIsThereAndReadyAndHasAppliedMostLeadsNext() {
        var roll = ReplicaRoll()
        #expect(roll.successors(at: .zero).isEmpty)
        _ = record(&roll, "a", report(seq: 9), at: 0)
        _ = record(&roll, "b", report(seq: 7), at: 8)
        _ = record(&roll, "c", report(seq: 8), at: 8)
        _ = record(&roll, "d", report(seq: 99, isReady: false), at: 8)
        _ = record(&roll, "e", report(seq: 99, role: "stopped"), at: 8)
        #expect(roll.successors(at: .seconds(10)).first == "a")
        // It was silent for more than 10 s.
        #expect(roll.successors(at: .seconds(11)).first == "c")
        _ = record(&roll, "b", report(seq: 8), at: 12)
        #expect(roll.successors(at: .seconds(12)).first == "b", "of equal ones the first")
        #expect(roll.canLead("c", at: .seconds(12)) && !roll.canLead("e", at: .seconds(12)))
        #expect(roll.successors(at: .seconds(23)).isEmpty)
    }

    @Test func ofThoseThatCanLeadTheConfigurationIsLookedAtFirst() {
        var roll = ReplicaRoll()
        _ = record(&roll, "a", report(seq: 9, digest: "old"), at: 0)
        func next() -> String? {
            roll.successors(at: .zero, digest: "own", older: ["older", "old"]).first
        }
        #expect(next() == "a", "whoever there is")
        _ = record(&roll, "b", report(seq: 8, digest: "new"), at: 0)
        #expect(next() == "b", "one that was left behind would roll it back")
        _ = record(&roll, "c", report(seq: 7, digest: "own"), at: 0)
        #expect(next() == "c")
        _ = record(&roll, "d", report(seq: 8, digest: "own"), at: 0)
        #expect(next() == "d", "of equal ones the one that has applied most")
    }

    /// A new leader knows of whom the old one knew, also where they are away just now.
    @Test func whatTheLeaderBeforeHasToldOfOthersCounts() throws {
        var before = ReplicaRoll()
        _ = before.record(
            report(7, seq: 40, digest: "d"), of: "away", at: .seconds(100),
            WallTime(milliseconds: 100_000))
        _ = before.record(
            report(8, seq: 50), of: "gone", at: .seconds(1), WallTime(milliseconds: 1_000))
        let told = try before.entries.map { name, entry in
            var body = ByteBuffer()
            entry.encode(as: name, at: .seconds(160), into: &body)
            return try JSONValue.parse(Array(body.bytes))
        }
        var roll = ReplicaRoll()
        _ = record(&roll, "here", report(seq: 60), at: 20)
        // By its own clock it is second 20, by the wall's 601.
        roll.seed(told, at: .seconds(20), WallTime(milliseconds: 601_000))
        #expect(roll.entries.keys.sorted() == ["away", "here"], "600 s are over for the other")
        let post = try #require(roll.posts(at: .seconds(20)).first { $0.replica == "away" })
        #expect(post.applied == 40 && post.snapshot == 20 && post.age == .seconds(501))
        #expect(!roll.canLead("away", at: .seconds(20)), "it has not said so itself")
        roll.seed(told, at: .seconds(21), WallTime(milliseconds: 110_000))
        #expect(roll.entries["away"]?.heard == .seconds(-481), "what is known stays")
        _ = record(&roll, "away", report(9, seq: 41), at: 22)
        #expect(roll.canLead("away", at: .seconds(22)) && !roll.isTaken("away", at: .seconds(22)))
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

    @Test func aReportWithMoreOperationsThanFitIsTakenWithThoseThatDo() throws {
        var own = report()
        for number in 0..<20_000 { own.subscribers["operation-\(number)"] = 1 }
        var body = ByteBuffer()
        own.encode(into: &body)
        #expect(body.count <= ReplicaReport.mostBytes)
        let told = try read(String(decoding: body.bytes, as: UTF8.self)).subscribers
        #expect(told.count > 5_000 && told.allSatisfy { own.subscribers[$0.key] == $0.value })
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
