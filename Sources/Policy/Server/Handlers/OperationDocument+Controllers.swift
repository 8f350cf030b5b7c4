import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetRefresh

extension OperationDocument {
    /// How a controller stands.
    static func append(_ report: ControllerReport, to body: inout ByteBuffer) {
        body.append("{")
        body.member("kind", report.kind)
        body.member("state", report.state.rawValue)
        body.member("activity", report.activity)
        body.member("nextTry", milliseconds: report.nextTry.map { Int64($0.wholeMilliseconds) })
        body.member("lastError", report.lastError)
        let counts = report.counts
        body.member(
            "counts",
            [
                ("starts", counts.starts), ("values", counts.values), ("replaced", counts.replaced),
                ("refused", counts.refused), ("errors", counts.errors), ("reruns", counts.reruns),
                ("refusedReruns", counts.refusedReruns), ("thrown", counts.thrown),
                ("hangs", counts.hangs), ("floods", counts.floods), ("late", counts.late),
            ])
        body.append("}")
    }

}

extension Problem {
    /// What a controller's error is called.
    ///
    /// - Parameter name: The upstream's, as the configuration calls it; empty where the operation has
    ///   none of its own.
    init(_ error: ControllerError, of name: String) {
        switch error {
        case .stream, .connection, .unreadable, .missed:
            self.init(
                .upstreamShape, error.sentence,
                members: name.isEmpty ? [] : [.text("upstream", name)])
        case .badValue where !name.isEmpty:
            self.init(.upstreamShape, error.sentence, members: [.text("upstream", name)])
        case .reported, .badValue, .threw, .hung, .flooded:
            self.init(.controllerFailed, error.sentence)
        case .notStored, .ended:
            self.init(.internal, error.sentence)
        }
    }
}

// MARK: Metrics

extension FreshetService {
    /// What there is to count of controllers, one family after the other.
    func appendControllerMetrics(to page: inout MetricsPage) {
        let all = core.operations.list(prefix: "").flatMap { operation in
            controllers.reports(of: operation.id).enumerated().map {
                (operation.id, $0.offset, $0.element)
            }
        }
        guard !all.isEmpty else { return }
        func family(
            _ name: StaticString, _ kind: MetricsPage.Kind, _ help: StaticString,
            _ value: (ControllerReport) -> Int
        ) {
            page.family(name, kind, help)
            for (operation, index, report) in all {
                page.sample(
                    name, ["operation": operation, "controller": String(index)], value(report))
            }
        }
        family(
            "controller_running", .gauge,
            "Whether a controller drives its operation now: 1 or 0."
        ) { $0.state == .running ? 1 : 0 }
        family(
            "controller_values_total", .counter, "Values that a controller has stored."
        ) { $0.counts.values }
        family(
            "controller_errors_total", .counter, "Errors that a controller has reported."
        ) { $0.counts.errors }
        family(
            "controller_reruns_total", .counter,
            "Runs of its operation that a controller has asked for."
        ) { $0.counts.reruns }
        family(
            "controller_faults_total", .counter,
            "Times that a controller was stopped: it threw, hung or flooded."
        ) { $0.counts.thrown + $0.counts.hangs + $0.counts.floods }
    }
}
