import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetRefresh

/// Operations as JSON (operations.md section 2).
enum OperationDocument {
    /// The state document.
    static func append(
        _ operation: RemoteOperation, _ controllers: ControllerSet, to body: inout ByteBuffer
    ) {
        append(operation.state, of: operation, controllers, to: &body)
    }

    static func append(
        _ state: OperationState, of operation: RemoteOperation, _ controllers: ControllerSet,
        to body: inout ByteBuffer
    ) {
        body.append("{")
        append(membersOf: state, of: operation, controllers, to: &body)
        body.append("}")
    }

    static func append(
        membersOf state: OperationState, of operation: RemoteOperation,
        _ controllers: ControllerSet, to body: inout ByteBuffer
    ) {
        let levels = operation.levels
        body.member("id", operation.id)
        body.member("kind", operation.kind.rawValue)
        body.member("status", state.status.rawValue)
        body.member("isLoading", state.isLoading)
        body.member("isStale", levels.stale || state.isInvalidated || !state.hasValue)
        body.member("valueVersion", state.valueVersion)
        body.member("valueUpdatedAt", milliseconds: state.valueUpdatedAt)
        body.member("count", state.count)
        body.member("error", state.error) { append($0, of: operation, to: &$1) }
        body.member("errorUpdatedAt", milliseconds: state.errorUpdatedAt)
        body.member("failures", state.failures)
        body.member("automatic", levels.gate)
        body.member("subscribers", state.subscribers + operation.subscribersElsewhere)
        body.member("run", state.run) { append($0, to: &$1) }
        body.member("lastRun", state.lastRun) { append($0, nil, of: operation, to: &$1) }
        body.member("edges")
        append(operation.counters, to: &body)
        body.member("controllers", each: controllers.reports(of: operation.id)) {
            append($0, to: &$1)
        }
    }

    /// An event of the operation's stream.
    static func event(
        _ event: OperationEvent, of operation: RemoteOperation, _ controllers: ControllerSet
    ) -> EventFeed.Event {
        var data = ByteBuffer(capacity: 512)
        let name: StaticString
        switch event {
        case .state(let state):
            name = "state"
            append(state, of: operation, controllers, to: &data)
        case .runStarted(let run):
            name = "run-started"
            append(run, to: &data)
        case .result(let run, let version, let count, let isFinal):
            name = "result"
            data.append("{")
            data.member("run", run) { append(number: $0, to: &$1) }
            data.member("valueVersion", version)
            data.member("count", count)
            data.member("final", isFinal)
            data.append("}")
        case .runEnded(let run, let error):
            name = "run-ended"
            append(run, error, of: operation, to: &data)
        }
        return EventFeed.Event(name: name, data: [UInt8](data.bytes))
    }

    private static func append(_ run: OperationState.Run, to body: inout ByteBuffer) {
        body.append("{")
        body.member("id", "r-\(run.number)")
        body.member("origin", run.origin.rawValue)
        body.member("attempts", run.attempts)
        body.member("startedAt", milliseconds: run.startedAt)
        body.append("}")
    }

    private static func append(
        _ run: OperationState.Ended, _ error: (any Error)?, of operation: RemoteOperation,
        to body: inout ByteBuffer
    ) {
        body.append("{")
        body.member("id", "r-\(run.number)")
        body.member("origin", run.origin.rawValue)
        body.member("outcome", run.outcome.rawValue)
        body.member("attempts", run.attempts)
        body.member("startedAt", milliseconds: run.startedAt)
        body.member("durationMs", run.duration.wholeMilliseconds)
        if let error {
            body.member("error")
            append(error, of: operation, to: &body)
        }
        body.append("}")
    }

    private static func append(number: UInt64, to body: inout ByteBuffer) {
        body.append(jsonString: "r-\(number)")
    }

    /// A run of the history; `outcome` and `durationMs` of the run under way are null.
    static func append(
        _ report: RunReport, of operation: RemoteOperation, to body: inout ByteBuffer
    ) {
        body.append("{")
        body.member("id", "r-\(report.run.number)")
        body.member("origin", report.run.origin.rawValue)
        body.member("outcome", report.ended?.outcome.rawValue)
        body.member("attempts", report.run.attempts)
        body.member("startedAt", milliseconds: report.run.startedAt)
        body.member("durationMs", report.ended.map { $0.duration.wholeMilliseconds })
        body.member("results", report.results)
        body.member("count", report.count)
        body.member("error", report.error) { append($0, of: operation, to: &$1) }
        body.append("}")
    }

    private static func append(
        _ error: any Error, of operation: RemoteOperation, to body: inout ByteBuffer
    ) {
        if let error = error as? ControllerError {
            return Problem(error, of: operation.upstreamName).encodeAsMember(into: &body)
        }
        let failure = FetchFailure(
            error, name: operation.upstreamName, operation: operation.id)
        Problem(failure).encodeAsMember(into: &body)
    }

    private static func append(_ counters: EdgeCounters, to body: inout ByteBuffer) {
        body.append("{")
        body.member("rises", counters.rises)
        body.member("falls", counters.falls)
        body.member("runs", counters.runs)
        body.member(
            "skipped",
            [
                ("gate", counters.skippedByGate), ("fresh", counters.skippedFresh),
                ("subscribers", counters.skippedWithoutSubscribers),
            ])
        body.append("}")
    }

    // MARK: Specifications

    /// `{"id","question","active","automatic","stale","when","admit","edges","nextRun"}`; a slot has
    /// `satisfied`, `nextChange`, `trace`, and is null where the operation is not on the board.
    ///
    /// - Parameter wantsValues: Whether they tell what their leaves look at.
    static func append(
        specificationsOf operation: RemoteOperation, wantsValues: Bool, to body: inout ByteBuffer
    ) {
        let report = operation.report(wantsValues: wantsValues)
        let slots: [(name: StaticString, evaluation: SpecEvaluation?)] = [
            ("automatic", report?.automatic), ("stale", report?.stale), ("when", report?.when),
            ("admit", report?.admit),
        ]
        body.append("{")
        body.member("id", operation.id)
        body.member("question", operation.question)
        body.member("active", operation.state.isActive)
        for slot in slots {
            body.member(slot.name, slot.evaluation) {
                SpecDocument.append($0, wantsValues: wantsValues, to: &$1)
            }
        }
        body.member("edges")
        append(operation.counters, to: &body)
        body.member("nextRun", milliseconds: report?.nextRun.map { Int64($0.wholeMilliseconds) })
        body.append("}")
    }
}
