import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetRefresh
import FreshetRemote

extension FreshetService {
    /// `GET /v1/_upstreams`: how each configured upstream can be reached, what it has cost, and what
    /// state its credential is in.
    func listUpstreams(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        if try answersAsSearch(.upstreams, call, &response) { return }
        try call.checkPlainJSON()
        let now = WallTime.now
        let document = UpstreamDocument(upstreams: upstreams, credentials: credentials)
        call.reply.json(&response, isKept: false) { body in
            body.append(items: upstreams.all) { upstream, body in
                body.append("{")
                document.append(membersOf: upstream, at: now, isRow: false, to: &body)
                body.append("}")
            }
        }
    }
}

/// Upstreams as JSON.
struct UpstreamDocument: Sendable {
    let upstreams: RemoteCatalog
    let credentials: CredentialTable

    /// - Parameter isRow: Whether it says of the credential what the plain list does not.
    func append(
        membersOf upstream: Upstream, at now: WallTime, isRow: Bool, to body: inout ByteBuffer
    ) {
        let settings = upstream.settings
        body.member("id", settings.name)
        body.member("base", settings.base.description)
        if let link = upstreams.links[settings.name]?.report(at: now) {
            append(link, of: settings, to: &body)
        }
        let load = upstream.load
        let counters = upstream.counters
        body.member(
            "load",
            [
                ("active", load.active), ("waiting", load.waiting),
                ("places", settings.maxConcurrent),
            ]
        )
        body.member(
            "counters",
            [
                ("calls", counters.calls.value), ("exchanges", counters.exchanges.value),
                ("retries", counters.retries.value), ("failures", counters.failures.value),
                ("cancelled", counters.cancelled.value), ("bytes", counters.bytes.value),
                ("dropped", counters.dropped.value),
            ])
        body.member("credential", credentials[settings.name]?.status.dependency) { status, body in
            body.append("{")
            body.member("state", status.state.rawValue)
            body.member("version", status.version)
            body.member("valid", status.isValid)
            body.member("expiresAt", now.after(status.expiresIn))
            if isRow {
                body.member("retryAt", now.after(status.retryIn))
                body.member("reason", status.reason)
                status.counts.append(to: &body)
            }
            body.append("}")
        }
    }

    private func append(
        _ link: UpstreamLink.Report, of settings: UpstreamSettings, to body: inout ByteBuffer
    ) {
        body.member("link", link.state.name)
        body.member("since", link.since)
        body.member("limitedUntil", link.limitedUntil)
        body.member("nextRecoveryProbe", link.nextRecovery)
        body.member("lastFailure", link.lastFailure) { failure, body in
            body.append("{")
            body.member("code", Problem(failure.error, of: settings.name).code.rawValue)
            body.member("at", failure.at)
            body.append("}")
        }
        body.member("healthy", settings.probe.map { _ in link.isHealthy })
        body.member("probe", settings.probe) { probe, body in
            body.append("{")
            body.member("path", probe.path)
            body.member("good", link.probes.good)
            body.member("bad", link.probes.bad)
            body.append("}")
        }
    }
}

// MARK: Metrics

extension FreshetService {
    /// What there is to count of upstreams, one family after the other as the format wants it.
    func appendUpstreamMetrics(to page: inout MetricsPage) {
        let all = upstreams.all.map {
            (name: $0.settings.name, upstream: $0, link: upstreams.links[$0.settings.name])
        }
        guard !all.isEmpty else { return }
        func family(
            _ name: StaticString, _ kind: MetricsPage.Kind, _ help: StaticString,
            _ value: (Upstream, UpstreamLink?) -> Int?
        ) {
            let values = all.compactMap { one in
                value(one.upstream, one.link).map { (one.name, $0) }
            }
            guard !values.isEmpty else { return }
            page.family(name, kind, help)
            for (upstream, value) in values {
                page.sample(name, ["upstream": upstream], value)
            }
        }
        family(
            "upstream_link", .gauge,
            "How an upstream can be reached: 0 disconnected, 1 limited by it, 2 connected."
        ) { Int($1?.state.rawValue ?? 0) }
        family(
            "upstream_healthy", .gauge,
            "Whether the configured probe of an upstream holds it for healthy: 1 or 0."
        ) { upstream, link in
            upstream.settings.probe == nil ? nil : link?.isHealthy == true ? 1 : 0
        }
        family("upstream_requests_active", .gauge, "Requests to an upstream under way now.") {
            upstream, _ in upstream.load.active
        }
        family(
            "upstream_requests_waiting", .gauge,
            "Requests that wait now, since as many as an upstream may have are under way."
        ) { upstream, _ in upstream.load.waiting }
        family(
            "upstream_calls_total", .counter,
            "Reads and writes of an upstream that were begun; its retries are part of a call."
        ) { upstream, _ in upstream.counters.calls.value }
        family(
            "upstream_exchanges_total", .counter,
            "Requests sent to an upstream, retries and repeats for a credential included."
        ) { upstream, _ in upstream.counters.exchanges.value }
        family(
            "upstream_failures_total", .counter,
            "Calls of an upstream that failed, by its answer or without one."
        ) { upstream, _ in upstream.counters.failures.value }
        family(
            "upstream_received_bytes_total", .counter,
            "Bytes of bodies received from an upstream, decoded."
        ) { upstream, _ in upstream.counters.bytes.value }
        page.family(
            "upstream_duration_seconds", .histogram,
            "Time from a request to an upstream to its whole answer, whatever its status.")
        for one in all {
            page.samples(
                "upstream_duration_seconds", ["upstream": one.name],
                one.upstream.counters.durations.figures)
        }
    }
}
