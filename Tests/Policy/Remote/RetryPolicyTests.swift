import FreshetRefresh
import FreshetRemote
import Testing

@Suite("Repeating failed tries")
struct RetryPolicyTests {
    let policy = RetryPolicy(
        limit: 4, base: .seconds(1), longest: .seconds(5), hasJitter: false)
    let failure = UpstreamError.unreachable(.reset, detail: "")

    @Test("Pauses double up to the longest, and end with the limit")
    func doubling() {
        let pauses = (0...4).map { policy.pause(after: failure, repeats: $0, random: 0) }
        #expect(pauses == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), nil])
    }

    @Test("Jitter leaves at least half of a pause")
    func jitter() {
        var policy = policy
        policy.hasJitter = true
        #expect(policy.pause(after: failure, repeats: 1, random: 0) == .seconds(1))
        #expect(policy.pause(after: failure, repeats: 1, random: 1) == .seconds(2))
    }

    @Test("The upstream's own pause holds where it is longer, to half a minute at least")
    func retryAfter() {
        func status(_ span: Duration) -> UpstreamError {
            .status(503, retryAfter: span, excerpt: "")
        }
        #expect(policy.pause(after: status(.seconds(3)), repeats: 0, random: 0) == .seconds(3))
        #expect(policy.pause(after: status(.zero), repeats: 0, random: 0) == .seconds(1))
        #expect(policy.pause(after: status(.seconds(30)), repeats: 0, random: 0) == .seconds(30))
        #expect(policy.pause(after: status(.seconds(31)), repeats: 0, random: 0) == nil)
        let patient = RetryPolicy(limit: 1, longest: .seconds(60))
        #expect(patient.pause(after: status(.seconds(31)), repeats: 0, random: 0) == .seconds(31))
        #expect(patient.pause(after: status(.seconds(61)), repeats: 0, random: 0) == nil)
    }

    @Test(
        "Transport errors, 408, 425, 429 and 5xx are repeated",
        arguments: [
            .unreachable(.dns, detail: ""), .unreachable(.refused, detail: ""), .timeout,
            .status(408, retryAfter: nil, excerpt: ""), .status(425, retryAfter: nil, excerpt: ""),
            .status(429, retryAfter: nil, excerpt: ""), .status(500, retryAfter: nil, excerpt: ""),
            .status(599, retryAfter: nil, excerpt: ""),
        ] as [UpstreamError])
    func repeated(_ error: UpstreamError) {
        #expect(policy.pause(after: error, repeats: 0, random: 0) != nil)
    }

    @Test(
        "Everything else is final",
        arguments: [
            .status(400, retryAfter: nil, excerpt: ""), .status(404, retryAfter: nil, excerpt: ""),
            .tooLarge(limit: 1), .shape(endpoint: "get", pointer: "", detail: ""), .cancelled,
            .auth(code: .loop, origin: false, detail: ""), .saturated(limit: 1),
            .unreachable(.tls, detail: ""),
            .unaddressable(endpoint: "get", name: "id", detail: ""),
        ] as [UpstreamError])
    func final(_ error: UpstreamError) {
        #expect(policy.pause(after: error, repeats: 0, random: 0) == nil)
    }
}
