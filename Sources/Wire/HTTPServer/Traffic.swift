package import FreshetBase
package import FreshetHTTP
import Glibc

/// What requests are for, as the metrics tell them apart.
package enum TrafficClass: UInt8, CaseIterable, Sendable {
    /// One entity, and the types.
    case read
    case search
    case write
    /// Live queries: streams, sessions, long polls.
    case live
    /// What operators and their tools ask for.
    case operate
    /// Pages, scripts and documents; and what has no route.
    case page

    package var name: String { "\(self)" }
}

/// What one loop has answered. The loop writes, any thread reads.
package final class LoopTraffic: Sendable {
    private static let statusClasses = 5

    /// By class.
    private let durations = TrafficClass.allCases.map { _ in Histogram() }
    /// By class and first digit of the status.
    private let responses = (0..<TrafficClass.allCases.count * statusClasses).map { _ in Counter() }

    init() {}

    func count(_ kind: TrafficClass, status: Int) {
        let digit = status / 100 - 1
        guard (0..<Self.statusClasses).contains(digit) else { return }
        responses[Int(kind.rawValue) * Self.statusClasses + digit].add()
    }

    func record(_ kind: TrafficClass, nanoseconds: UInt64, times: Int = 1) {
        durations[Int(kind.rawValue)].record(nanoseconds, times: times)
    }

    /// Time from a request's last byte to its answer, or to the head of a stream.
    package func durations(of kind: TrafficClass) -> Histogram.Figures {
        durations[Int(kind.rawValue)].figures
    }

    /// - Parameter digit: The first of the status, 1...5.
    package func responses(of kind: TrafficClass, digit: Int) -> Int {
        responses[Int(kind.rawValue) * Self.statusClasses + digit - 1].value
    }
}

/// One answered request, for a log line. Lent for the duration of a call.
package struct AnswerSummary {
    package let method: FreshetHTTP.Method
    /// Path and query as they came, 256 bytes at most.
    package let target: UnsafeRawBufferPointer
    package let kind: TrafficClass
    package let status: Int
    /// From the request's last byte to the answer's.
    package let duration: Duration
    /// Of the answer, its head included; of a stream none.
    package let bytes: Int
    /// The request's id, as the answer bears it; empty where it bears none.
    package let requestID: UnsafeRawBufferPointer
    /// The request's `traceparent`; empty where it has none.
    package let trace: UnsafeRawBufferPointer
}

/// The beginning of a request's target, kept by value while its answer is under way.
struct TargetCopy {
    private static let capacity = 256
    private var bytes = InlineArray<256, UInt8>(repeating: 0)
    private var count = 0

    init() {}

    /// - Parameter target: What the head's path and query stand in.
    init(_ head: borrowing RequestHead, in source: UnsafeRawBufferPointer) {
        add(head.path.bytes(in: source))
        let query = head.query.bytes(in: source)
        guard !query.isEmpty else { return }
        withUnsafeBytes(of: UInt8(ascii: "?")) { add($0) }
        add(query)
    }

    private mutating func add(_ part: UnsafeRawBufferPointer) {
        let taken = min(part.count, Self.capacity - count)
        guard taken > 0, let source = part.baseAddress else { return }
        let start = count
        Swift.withUnsafeMutableBytes(of: &bytes) { target in
            if let base = target.baseAddress { memcpy(base + start, source, taken) }
        }
        count += taken
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: bytes) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}

/// A request's `traceparent` up to its flags, kept by value while its answer is under way.
struct TraceCopy {
    private var bytes: InlineArray<55, UInt8>

    /// - Parameter source: What the head's values stand in.
    /// - Returns: nil where the request has none, or one that is not to be taken over.
    init?(_ head: borrowing RequestHead, in source: UnsafeRawBufferPointer) {
        guard let value = head.value(.traceparent, in: source), Correlation.isTraceparent(value)
        else { return nil }
        bytes = InlineArray { value[$0] }
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: bytes, body)
    }
}
