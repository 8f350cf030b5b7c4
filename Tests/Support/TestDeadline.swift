import FreshetBase

/// The time by which something must have happened, so that a test fails where it would hang.
package struct TestDeadline: Sendable {
    /// What has not happened in time.
    package struct Missed: Error, CustomStringConvertible {
        package let description: String
    }

    private let expectation: String
    private let end = MonotonicInstant.now + .seconds(60)

    /// - Parameter expectation: What must happen, as a sentence without a full stop.
    package init(_ expectation: String) {
        self.expectation = expectation
    }

    /// To be called on each way round a loop that waits.
    package func check() throws {
        guard MonotonicInstant.now < end else {
            throw Missed(description: "not within a minute: \(expectation)")
        }
    }
}
