import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTPServer
import FreshetJSON
import FreshetLive
import FreshetStore

/// Where `/metrics` finds the counters of the layers below.
struct ServiceMetrics: Sendable {
    let http: ServerMetrics
    let started = MonotonicInstant.now

    init(_ http: ServerMetrics) {
        self.http = http
    }
}

extension FreshetService {
    /// `GET /metrics`: the Prometheus text format, version 0.0.4. Entities are counted by type where
    /// the caller may read all of them.
    func showMetrics(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        reply.begin(200, &response)
        response.header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        response.beginBody()
        appendMetrics(for: reply.rights, to: &response.body)
        response.endBody()
    }

    private func appendMetrics(for rights: AccessRights?, to page: inout ByteBuffer) {
        page.metric("info", .gauge, "The running version.", 1, label: "version", build.version)
        page.metric(
            "uptime_seconds", .gauge, "Since the server was made.",
            Int((MonotonicInstant.now - metrics.started) / .seconds(1)))
        let http = metrics.http
        page.metric("connections_accepted_total", .counter, "Accepted.", http.accepted.value)
        page.metric("connections_open", .gauge, "Open now.", http.open.value)
        page.metric("connections_refused_total", .counter, "Over a limit.", http.refused.value)
        page.metric("connections_shed_total", .counter, "Idle ones closed.", http.shed.value)
        page.metric(
            "accept_failures_total", .counter, "accept(2) failed.", http.acceptFailures.value)
        page.metric("streams_open", .gauge, "Answers without end.", http.streams.value)
        page.metric("requests_total", .counter, "Requests read.", http.requests.value)
        page.metric("faults_total", .counter, "Malformed requests.", http.faults.value)
        page.metric("received_bytes_total", .counter, "From clients.", http.bytesIn.value)
        page.metric("sent_bytes_total", .counter, "To clients.", http.bytesOut.value)
        let live = core.live.set.counts
        page.metric("live_groups", .gauge, "Distinct live queries.", live.groups)
        page.metric("live_subscriptions", .gauge, "Watchers of them.", live.subscriptions)
        page.metric(
            "live_evaluations_total", .counter, "First answers of live queries searched.",
            core.live.firstEvaluations)
        let outbox = core.outbox.counts
        page.metric("outbox_pending", .gauge, "Changes on their way to remotes.", outbox.pending)
        page.metric("outbox_dead", .gauge, "Changes that wait for a person.", outbox.dead)
        appendUpstreamMetrics(to: &page)
        let store = core.store.metrics
        page.metric("store_seq", .gauge, "Newest commit.", Int(core.store.seq))
        page.metric("store_commits_total", .counter, "Commits.", store.commits)
        page.metric("store_batches_total", .counter, "Group commits.", store.batches)
        page.metric("store_syncs_total", .counter, "fdatasync calls.", store.syncs)
        page.metric(
            "store_sync_nanoseconds_total", .counter, "Time in them.", store.syncNanoseconds)
        page.metric("store_largest_batch", .gauge, "Commits in one sync.", store.largestBatch)
        page.metric("store_log_bytes", .gauge, "Bytes of the log.", store.logBytes)
        page.metric("store_free_bytes", .gauge, "Free space beside it.", store.freeBytes)
        page.metric("store_queued_writes", .gauge, "Waiting for the writer.", store.queued)
        page.metric("store_snapshots_total", .counter, "Snapshots written.", store.snapshots)
        page.metric(
            "store_snapshot_failures_total", .counter, "Snapshots that could not be written.",
            store.snapshotFailures)
        page.metric(
            "store_snapshot_seq", .gauge, "Commit of the newest snapshot.", store.snapshotSeq)
        page.metric("store_snapshot_bytes", .gauge, "Its bytes.", store.snapshotBytes)
        page.metric(
            "store_snapshot_time_seconds", .gauge, "When it was written, 0: before the start.",
            store.snapshotTime / 1_000)
        page.metric(
            "store_snapshot_duration_milliseconds", .gauge, "How long that took.",
            store.snapshotNanoseconds / 1_000_000)
        page.metric(
            "store_scrubs_total", .counter, "Passes over all files and entities.", store.scrubs)
        page.metric(
            "store_scrub_bytes_total", .counter, "Bytes of files read by them.", store.scrubBytes)
        page.metric(
            "store_scrub_damages_total", .counter, "Files found damaged.", store.scrubDamages)
        page.metric(
            "store_scrub_time_seconds", .gauge, "When the last one ended, 0: none since the start.",
            store.scrubTime / 1_000)
        page.metric(
            "store_scrub_duration_milliseconds", .gauge, "How long it took.",
            store.scrubNanoseconds / 1_000_000)
        page.metric(
            "memory_errors_total", .counter, "Entities in memory that had changed by themselves.",
            store.memoryErrors)
        page.metric(
            "store_failed", .gauge, "1: writes have stopped.",
            core.store.status.phase == .failed ? 1 : 0)
        let types = core.typeCounts().types.filter {
            rights?.of($0.name).read ?? .all == .all
        }
        page.append("# HELP freshet_entities Entities by type.\n# TYPE freshet_entities gauge\n")
        for type in types {
            page.append(text: "freshet_entities{type=\"\(type.name)\"} \(type.count)\n")
        }
        let indexes = types.flatMap { type in
            core.store.indexStatus(type.name).map { (type: type.name, index: $0) }
        }
        guard !indexes.isEmpty else { return }
        page.append("# HELP freshet_index_bytes Bytes of an index, 0 while it is being built.\n")
        page.append("# TYPE freshet_index_bytes gauge\n")
        for (type, index) in indexes {
            // A label's value escapes as a JSON string does, but for control characters.
            page.append(text: "freshet_index_bytes{type=\"\(type)\",index=")
            page.append(jsonString: index.definition.description)
            page.append(text: "} \(index.bytes)\n")
        }
    }
}

extension ByteBuffer {
    fileprivate enum MetricKind: String {
        case counter, gauge
    }

    /// One metric with its two comment lines.
    fileprivate mutating func metric(
        _ name: StaticString, _ kind: MetricKind, _ help: StaticString, _ value: Int,
        label: StaticString? = nil, _ labelValue: String = ""
    ) {
        append(text: "# HELP freshet_\(name) \(help)\n# TYPE freshet_\(name) \(kind.rawValue)\n")
        append(text: "freshet_\(name)")
        if let label { append(text: "{\(label)=\"\(labelValue)\"}") }
        append(text: " \(value)\n")
    }
}
