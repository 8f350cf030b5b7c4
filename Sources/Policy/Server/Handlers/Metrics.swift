import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTPServer
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `GET /metrics`: the Prometheus text format, version 0.0.4. Entities are counted by type where
    /// the caller may read all of them.
    func showMetrics(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        var page = MetricsPage()
        appendServerMetrics(to: &page)
        appendTraffic(to: &page)
        appendLiveMetrics(to: &page)
        appendUpstreamMetrics(to: &page)
        appendControllerMetrics(to: &page)
        appendSystemMetrics(to: &page)
        appendStoreMetrics(to: &page)
        cluster?.append(to: &page)
        appendTypes(for: call.reply.rights, to: &page)
        ProcessFigures.append(to: &page)
        call.reply.begin(200, &response)
        response.header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        response.end(bytes: page.text.bytes)
    }

    private func appendSystemMetrics(to page: inout MetricsPage) {
        page.family(
            "system_rows_rendered_total", .counter,
            "Rows of system types that were made, to be searched or watched.")
        for (type, count) in system.made {
            page.sample("system_rows_rendered_total", ["type": type.text], count)
        }
    }

    private func appendServerMetrics(to page: inout MetricsPage) {
        page.family("info", .gauge, "Always 1; the label is the version that runs.")
        page.sample("info", ["version": BuildInfo.current.version], 1)
        page.metric(
            "uptime_seconds", .gauge, "Time since the server was made.",
            Int((MonotonicInstant.now - metrics.started) / .seconds(1)))
        let http = metrics.http
        page.metric(
            "connections_accepted_total", .counter, "Connections of clients that were accepted.",
            http.accepted.value)
        page.metric(
            "connections_open", .gauge, "Connections that are open now, those of streams left out.",
            http.open.value)
        page.metric(
            "connections_refused_total", .counter,
            "Connections that were refused, since there were too many, of all or of one address.",
            http.refused.value)
        page.metric(
            "connections_shed_total", .counter, "Idle connections that were closed to make room.",
            http.shed.value)
        page.metric(
            "accept_failures_total", .counter,
            "Connections that the kernel could not hand over, for want of descriptors or memory.",
            http.acceptFailures.value)
        page.metric(
            "streams_open", .gauge,
            "Answers without an end that are open now: live queries, exports.",
            http.streams.value)
        page.metric(
            "requests_total", .counter, "Requests whose head was read whole.", http.requests.value)
        page.metric(
            "faults_total", .counter,
            "Requests that were refused before a route was looked for: malformed, too large, slow.",
            http.faults.value)
        page.metric(
            "received_bytes_total", .counter, "Bytes received from clients, heads included.",
            http.bytesIn.value)
        page.metric(
            "sent_bytes_total", .counter, "Bytes sent to clients, heads included.",
            http.bytesOut.value)
    }

    private func appendTraffic(to page: inout MetricsPage) {
        let loops = metrics.http.traffic
        page.family(
            "http_request_duration_seconds", .histogram,
            "Time from a request to its answer, or to the head of its stream, by what it is for.")
        for kind in TrafficClass.allCases {
            var figures = Histogram.Figures()
            for loop in loops { figures += loop.durations(of: kind) }
            page.samples("http_request_duration_seconds", ["class": kind.name], figures)
        }
        page.family(
            "http_responses_total", .counter,
            "Answers by what the request was for and by the first digit of their status.")
        for kind in TrafficClass.allCases {
            for digit in 1...5 {
                let count = loops.reduce(0) { $0 + $1.responses(of: kind, digit: digit) }
                page.sample(
                    "http_responses_total", ["class": kind.name, "status": "\(digit)xx"], count)
            }
        }
    }

    private func appendLiveMetrics(to page: inout MetricsPage) {
        let live = core.watcher.live.set.counts
        page.metric(
            "live_groups", .gauge, "Distinct live queries that are kept up to date now.",
            live.groups)
        page.metric(
            "live_subscriptions", .gauge, "Watchers of live queries now.", live.subscriptions)
        page.metric(
            "live_evaluations_total", .counter,
            "Searches made for the first answers of live queries.",
            core.watcher.live.firstEvaluations)
        page.metric(
            "live_lag_seconds",
            "Time from a commit to a delta that tells it, of the newest commit in each delta.",
            core.watcher.live.set.lags.figures)
        let outbox = core.outbox.counts
        page.metric(
            "outbox_pending", .gauge, "Writes that are on their way to upstreams now.",
            outbox.pending)
        page.metric(
            "outbox_dead", .gauge,
            "Writes that have failed in all their tries, and that wait for a person.",
            outbox.dead)
    }

    private func appendStoreMetrics(to page: inout MetricsPage) {
        let store = core.store.metrics
        page.metric("store_seq", .gauge, "The newest commit that readers see.", Int(core.store.seq))
        page.metric("store_commits_total", .counter, "Commits since the start.", store.commits)
        page.metric(
            "store_batches_total", .counter, "Frames of the log; commits that wait share one.",
            store.batches)
        page.metric("store_syncs_total", .counter, "Calls of fdatasync for the log.", store.syncs)
        page.metric(
            "store_sync_duration_seconds", "Time of a call of fdatasync for the log.",
            store.syncDurations)
        page.metric(
            "commit_duration_seconds",
            "Time from a commit's frame to its answer, its sync included; of stores in files.",
            store.commitDurations)
        page.metric(
            "store_largest_batch", .gauge, "Commits of the largest frame since the start.",
            store.largestBatch)
        page.metric(
            "store_log_bytes", .gauge, "Bytes of the log's frames in all of its files.",
            store.logBytes)
        page.metric(
            "store_free_bytes", .gauge,
            "Space that was free beside the data when last looked at; -1 where unknown.",
            store.freeBytes)
        page.metric(
            "store_wanted_bytes", .gauge,
            "Space that must be free beside the data for all writes to be taken; 0 where unknown.",
            store.wantedBytes)
        page.metric(
            "store_queued_writes", .gauge, "Writes that wait for the writer now.", store.queued)
        page.metric(
            "store_snapshots_total", .counter, "Snapshots written since the start.",
            store.snapshots)
        page.metric(
            "store_snapshot_failures_total", .counter, "Snapshots that could not be written.",
            store.snapshotFailures)
        page.metric(
            "store_snapshot_seq", .gauge,
            "The commit of the newest snapshot; 0 where there is none.",
            store.snapshotSeq)
        page.metric(
            "store_snapshot_bytes", .gauge, "Bytes of the newest snapshot.", store.snapshotBytes)
        page.metric(
            "store_snapshot_time_seconds", .gauge,
            "When the newest snapshot was written, in seconds since 1970; 0 before the start.",
            store.snapshotTime / 1_000)
        page.metric(
            "store_snapshot_duration_seconds", .gauge,
            "Time that it took to write the newest snapshot.",
            seconds: Double(store.snapshotNanoseconds) / 1e9)
        page.metric(
            "store_scrubs_total", .counter, "Passes over all files and entities for damage.",
            store.scrubs)
        page.metric(
            "store_scrub_bytes_total", .counter, "Bytes of files that were read for damage.",
            store.scrubBytes)
        page.metric(
            "store_scrub_damages_total", .counter, "Files that were found damaged.",
            store.scrubDamages)
        page.metric(
            "store_scrub_time_seconds", .gauge,
            "When the last pass ended, in seconds since 1970; 0 for none since the start.",
            store.scrubTime / 1_000)
        page.metric(
            "store_scrub_duration_seconds", .gauge, "Time that the last pass took.",
            seconds: Double(store.scrubNanoseconds) / 1e9)
        page.metric(
            "memory_errors_total", .counter,
            "Entities in memory that were found changed by themselves: look after the memory.",
            store.memoryErrors)
        page.metric(
            "store_failed", .gauge, "Whether the disk has failed and writes have stopped: 1 or 0.",
            core.store.status.phase == .failed ? 1 : 0)
    }

    /// Types that have a sample of their own; the others have one together.
    private static let mostTypes = 1_000

    private func appendTypes(for rights: AccessRights?, to page: inout MetricsPage) {
        let types = core.types.counts().types.filter {
            rights?.of($0.name).read ?? .all == .all
        }
        if !types.isEmpty {
            page.family(
                "entities", .gauge,
                "Entities that are stored now, by type; beyond 1,000 types together, as _others.")
        }
        let shown = types.prefix(Self.mostTypes)
        for type in shown { page.sample("entities", ["type": type.name.text], type.count) }
        if shown.count < types.count {
            // A type comes with anybody's write; no type begins with the sign.
            let others = types.dropFirst(Self.mostTypes).reduce(0) { $0 + $1.count }
            page.sample("entities", ["type": "_others"], others)
        }
        let indexes = shown.flatMap { type in
            core.store.indexStatus(type.name).map { (type: type.name.text, index: $0) }
        }
        guard !indexes.isEmpty else { return }
        page.family(
            "index_bytes", .gauge, "Memory of an index; 0 while it is being built.")
        for (type, index) in indexes {
            page.sample(
                "index_bytes", ["type": type, "index": index.definition.description], index.bytes)
        }
    }
}
