import FreshetBase
import FreshetHTTPServer

/// Where `/metrics` finds the counters of the layers below.
struct ServiceMetrics: Sendable {
    let http: ServerMetrics
    let started = MonotonicInstant.now

    init(_ http: ServerMetrics) {
        self.http = http
    }
}
