import FreshetRefresh
package import FreshetHTTPClient

/// One upstream of the configuration, checked and complete, secrets read.
package struct UpstreamSettings: Sendable, Equatable {
    /// A header field of every request.
    package struct Header: Sendable, Equatable {
        package var name: String
        package var value: Secret
        /// Whether the value must not be shown; false where it stands in the configuration itself.
        package var isSecret: Bool

        package init(name: String, value: Secret, isSecret: Bool = true) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    /// How the upstream's health is asked for.
    package struct Probe: Sendable, Equatable {
        package var path: String
        package var every = Duration.seconds(10)
        package var timeout = Duration.seconds(2)
        /// Good answers in a row that make it healthy.
        package var rise = 2
        /// Others in a row that make it unhealthy.
        package var fall = 3
        /// The statuses of good answers; empty: any of 200 to 299.
        package var expect: [Int] = []

        package init(path: String) {
            self.path = path
        }
    }

    package var name: String
    package var base: UpstreamBase
    package var route = HTTPRoute()
    /// For one try as a whole, its wait for a place included.
    package var timeout = Duration.seconds(10)
    package var headers: [Header] = []
    package var maxConcurrent = 8
    /// Requests that may wait for a place; further ones are turned away at once.
    package var maxWaiting = 1_000
    package var maxBody = 16 << 20
    /// For reads.
    package var retry = RetryPolicy.standard
    /// For the outbox, where the configuration says anything of repeats.
    package var outboxRetry: RetryPolicy?
    package var fallback = FallbackErrors.standard
    package var probe: Probe?

    package init(name: String, base: UpstreamBase) {
        self.name = name
        self.base = base
    }
}
