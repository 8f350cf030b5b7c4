import FreshetBase
import FreshetStore

extension Cluster {
    /// Appends the metrics of a server of a cluster.
    func append(to page: inout MetricsPage) {
        let figures = replica.replicaFigures
        let state = replica.state
        appendLog(figures, state, to: &page)
        page.metric(
            "log_lag_seconds", .gauge,
            "How old what this server shows may be: 0 while it hears of the log, -1 before it has.",
            lagSeconds)
        page.metric(
            "cluster_forwarded_total", .counter,
            "Requests that were sent on to the server that leads.", forwards.requests.value)
        page.metric(
            "cluster_forward_errors_total", .counter,
            "Of those, the ones without an answer of that server.", forwards.errors.value)
        page.metric(
            "cluster_joins_total", .counter,
            "Backups of other servers that this one was made from at its start.", joins)
        page.metric(
            "cluster_takeovers_total", .counter, "Terms in which this server leads or has led.",
            figures.takeovers)
        page.metric(
            "min_seq_wait_seconds",
            "Time that a read waits until the commit is here that it asks for.",
            figures.minSeqWaits)
    }

    private var lagSeconds: Int {
        switch replica.lag {
        case nil: 0
        case .known(let lag): Int(lag / .seconds(1))
        case .unknown: -1
        }
    }

    private func appendLog(
        _ figures: ReplicaFigures, _ state: ReplicaState, to page: inout MetricsPage
    ) {
        page.metric(
            "log_appends_total", .counter, "Frames that this server has put into the shared log.",
            figures.appends)
        page.metric(
            "log_append_seconds",
            "Time from a frame to the answer of the log's engine that it is kept.",
            figures.appendDurations)
        page.metric(
            "log_commits_total", .counter, "Commits in those frames.", figures.commits)
        page.metric("log_bytes_total", .counter, "Bytes of those frames.", figures.bytes)
        page.metric(
            "log_conflicts_total", .counter,
            "Steps that the log has refused, since another server has written there.",
            figures.conflicts)
        page.metric(
            "log_unknown_total", .counter,
            "Steps whose outcome was not known at once.", figures.unknown)
        page.metric(
            "log_settled_total", .counter, "Of those, the ones whose outcome is known now.",
            figures.settled)
        page.metric(
            "log_errors_total", .counter, "Calls of the log's engine that have failed.",
            figures.errors)
        page.metric(
            "log_reconnects_total", .counter,
            "Times that hearing of the log was broken and began anew.", figures.reconnects)
        page.metric(
            "log_head_seq", .gauge, "The newest commit of the log that is known here.",
            Int(clamping: state.headSeq))
        page.metric(
            "log_applied_seq", .gauge, "The newest commit of the log that is applied here.",
            Int(clamping: figures.applied))
        page.metric(
            "log_floor_seq", .gauge, "The first commit that the log still has.",
            Int(clamping: state.floor))
        page.metric(
            "log_term", .gauge, "Counts the changes of the lead.", Int(clamping: state.term))
        page.metric(
            "log_is_leader", .gauge, "Whether this server leads: 1 or 0.",
            state.role == .leader ? 1 : 0)
        page.metric(
            "log_kept_bytes", .gauge,
            "Bytes of the log's frames, as far as this server has seen them.", figures.keptBytes)
    }
}
