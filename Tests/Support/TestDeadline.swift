import FreshetBase
import Synchronization

/// The time by which something must have happened, so that a test fails where it would hang.
///
/// A machine that is busy may take a minute for one look: so many are granted in any case.
package final class TestDeadline: Sendable {
    /// What has not happened in time.
    package struct Missed: Error, CustomStringConvertible {
        package let description: String
    }

    private static let leastLooks = 20

    private let expectation: String
    private let end = MonotonicInstant.now + .seconds(60)
    private let looks = Atomic(0)

    /// - Parameter expectation: What must happen, as a sentence without a full stop.
    package init(_ expectation: String) {
        self.expectation = expectation
    }

    /// To be called on each way round a loop that waits.
    package func check() throws {
        let (_, count) = looks.add(1, ordering: .relaxed)
        guard MonotonicInstant.now < end || count < Self.leastLooks else {
            throw Missed(description: "not within a minute: \(expectation)")
        }
    }
}
