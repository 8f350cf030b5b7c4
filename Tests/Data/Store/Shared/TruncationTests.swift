import FreshetBase
import Testing

@testable import FreshetStore

@Suite struct TruncationTests {
    private func post(
        _ applied: UInt64, _ snapshot: UInt64, age: Duration = .zero
    ) -> ReplicaPost {
        ReplicaPost(replica: "r", applied: applied, snapshot: snapshot, age: age)
    }

    private func floor(
        _ posts: ReplicaPost..., isAlone: Bool = false, kept: UInt64 = .max - 1,
        isTight: Bool = false
    ) -> UInt64 {
        TruncationRule.floor(posts, isAlone: isAlone, kept: kept, isTight: isTight)
    }

    @Test func whatTwoReplicasHaveInSnapshotsIsGivenUp() {
        #expect(floor(post(90, 50), post(90, 70), post(90, 60)) == 61, "the second highest")
        #expect(floor(post(90, 50), post(90, 70)) == 51, "of two replicas both have it")
        #expect(floor(post(90, 50), isAlone: true) == 51)
        #expect(floor(post(90, 50)) == 1, "the others are away: one disk would have it")
        #expect(floor(post(90, 50), isTight: true) == 1, "even where the log has too much")
        #expect(floor(post(90, 50), isAlone: true, isTight: true) == 51)
        #expect(floor(post(90, 0), post(90, 0), post(90, 70)) == 1)
        #expect(floor() == 1)
    }

    @Test func whatAReplicaThatWasHeardOfNeedsIsKept() {
        #expect(floor(post(20, 10), post(90, 70), post(90, 60)) == 21)
        let lost = post(20, 10, age: .seconds(601))
        #expect(floor(lost, post(90, 70), post(90, 60)) == 61, "it joins anew")
        #expect(floor(post(20, 10), post(90, 70), post(90, 60), isTight: true) == 61)
        #expect(floor(post(90, 70), post(90, 60), kept: 30) == 31)
    }

    /// Frames are of a newer format once all read it that may come back.
    @Test func aNewerFormatWaitsForAllThatWereHeardOfLately() {
        func post(_ format: UInt16, age: Duration = .zero) -> ReplicaPost {
            ReplicaPost(replica: "r", applied: 1, snapshot: 1, format: format, age: age)
        }
        func format(
            _ posts: ReplicaPost..., used: UInt16 = 1, own: UInt16 = 3, isAlone: Bool = false,
            led: Duration = .seconds(600)
        ) -> UInt16 {
            FormatRule.format(used: used, own: own, posts: posts, isAlone: isAlone, led: led)
        }
        #expect(format(post(3), post(2)) == 2, "the highest that all read")
        #expect(format(post(3), post(4)) == 3, "and that it writes itself")
        #expect(format(post(3), post(1, age: .seconds(601))) == 3, "it joins anew")
        #expect(format(post(3), post(1, age: .seconds(600))) == 1)
        #expect(format(post(3), led: .seconds(599)) == 1, "one that is down may come back")
        #expect(format(isAlone: true, led: .zero) == 3)
        #expect(format(post(1), used: 2) == 2, "what is used stays used")
    }

    @Test func theNewestPartOfTheLogIsKept() {
        let start = MonotonicInstant(nanoseconds: 1_000_000_000)
        var window = LogWindow(seq: 100, at: start)
        for second in 1...10 {
            for part in 0..<10 {
                let at = start + .seconds(second) + .milliseconds(Int64(part * 50))
                window.add(100 + UInt64(second * 10 + part - 9), bytes: 1_000, at: at)
            }
        }
        let now = start + .seconds(11)
        #expect(window.bytes == 100_000)
        #expect(window.last(olderThan: .seconds(100), orBefore: .max, at: now) == 0)
        #expect(window.last(olderThan: .seconds(11), orBefore: .max, at: now) == 100)
        // Of second 5 the last was put at 5.45.
        #expect(window.last(olderThan: .seconds(5), orBefore: .max, at: now) == 150)
        #expect(window.last(olderThan: .seconds(100), orBefore: 30_000, at: now) == 170)
        #expect(window.last(olderThan: .seconds(5), orBefore: 90_000, at: now) == 150)
        window.forget(before: 151)
        #expect(window.bytes == 50_000)
        #expect(window.last(olderThan: .seconds(5), orBefore: .max, at: now) == 150)
    }

    @Test func aMarkStandsForNoMoreThanAMebibyte() {
        let start = MonotonicInstant(nanoseconds: 1_000_000_000)
        var window = LogWindow(seq: 0, at: start)
        for seq in 1...8 { window.add(UInt64(seq), bytes: 512 << 10, at: start) }
        #expect(window.last(olderThan: .seconds(1), orBefore: 2 << 20, at: start) == 4)
    }
}
