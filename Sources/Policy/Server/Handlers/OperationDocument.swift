import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetOperations

/// Operations as JSON (operations.md section 2).
enum OperationDocument {
    /// The state document.
    static func append(_ operation: RemoteOperation, to body: inout ByteBuffer) {
        append(operation.store.state, of: operation, to: &body)
    }

    static func append(
        _ state: OperationState, of operation: RemoteOperation, to body: inout ByteBuffer
    ) {
        let levels = operation.levels
        body.append("{\"id\":")
        body.append(jsonString: operation.id)
        text("kind", operation.kind.rawValue, &body)
        text("status", state.status.rawValue, &body)
        body.append(",\"isLoading\":")
        body.append(jsonBool: state.isLoading)
        body.append(",\"isStale\":")
        body.append(jsonBool: levels.stale || state.isInvalidated || !state.hasValue)
        body.append(",\"valueVersion\":")
        body.append(decimal: state.valueVersion)
        body.append(",\"valueUpdatedAt\":")
        append(time: state.valueUpdatedAt, to: &body)
        body.append(",\"count\":")
        if let count = state.count { body.append(decimal: count) } else { body.append("null") }
        body.append(",\"error\":")
        if let error = state.error {
            append(error, of: operation, to: &body)
        } else {
            body.append("null")
        }
        body.append(",\"errorUpdatedAt\":")
        append(time: state.errorUpdatedAt, to: &body)
        body.append(",\"failures\":")
        body.append(decimal: state.failures)
        body.append(",\"automatic\":")
        body.append(jsonBool: levels.gate)
        body.append(",\"subscribers\":")
        body.append(decimal: state.subscribers)
        body.append(",\"run\":")
        if let run = state.run { append(run, to: &body) } else { body.append("null") }
        body.append(",\"lastRun\":")
        if let run = state.lastRun {
            append(run, nil, of: operation, to: &body)
        } else {
            body.append("null")
        }
        body.append(",\"edges\":")
        append(operation.counters, to: &body)
        append(controllersOf: operation, to: &body)
        body.append("}")
    }

    /// An event of the operation's stream.
    static func event(
        _ event: OperationEvent, of operation: RemoteOperation
    ) -> EventFeed.Event {
        var data = ByteBuffer(capacity: 512)
        let name: StaticString
        switch event {
        case .state(let state):
            name = "state"
            append(state, of: operation, to: &data)
        case .runStarted(let run):
            name = "run-started"
            append(run, to: &data)
        case .result(let run, let version, let count, let isFinal):
            name = "result"
            data.append("{\"run\":")
            if let run { append(number: run, to: &data) } else { data.append("null") }
            data.append(",\"valueVersion\":")
            data.append(decimal: version)
            data.append(",\"count\":")
            if let count { data.append(decimal: count) } else { data.append("null") }
            data.append(",\"final\":")
            data.append(jsonBool: isFinal)
            data.append("}")
        case .runEnded(let run, let error):
            name = "run-ended"
            append(run, error, of: operation, to: &data)
        }
        return EventFeed.Event(name: name, data: [UInt8](data.bytes))
    }

    private static func append(_ run: OperationState.Run, to body: inout ByteBuffer) {
        body.append("{\"id\":")
        append(number: run.number, to: &body)
        text("origin", run.origin.rawValue, &body)
        body.append(",\"attempts\":")
        body.append(decimal: run.attempts)
        body.append(",\"startedAt\":")
        append(time: run.startedAt, to: &body)
        body.append("}")
    }

    private static func append(
        _ run: OperationState.Ended, _ error: (any Error)?, of operation: RemoteOperation,
        to body: inout ByteBuffer
    ) {
        body.append("{\"id\":")
        append(number: run.number, to: &body)
        text("origin", run.origin.rawValue, &body)
        text("outcome", run.outcome.rawValue, &body)
        body.append(",\"attempts\":")
        body.append(decimal: run.attempts)
        body.append(",\"startedAt\":")
        append(time: run.startedAt, to: &body)
        body.append(",\"durationMs\":")
        body.append(decimal: Int(run.duration / .milliseconds(1)))
        if let error {
            body.append(",\"error\":")
            append(error, of: operation, to: &body)
        }
        body.append("}")
    }

    private static func append(number: UInt64, to body: inout ByteBuffer) {
        body.append(jsonString: "r-\(number)")
    }

    private static func append(
        _ error: any Error, of operation: RemoteOperation, to body: inout ByteBuffer
    ) {
        if let error = error as? ControllerError {
            return Problem(error, of: operation.upstreamName).encodeAsMember(into: &body)
        }
        Problem(FetchFailure(error, name: operation.upstreamName)).encodeAsMember(into: &body)
    }

    private static func append(_ counters: EdgeCounters, to body: inout ByteBuffer) {
        body.append("{\"rises\":")
        body.append(decimal: counters.rises)
        body.append(",\"falls\":")
        body.append(decimal: counters.falls)
        body.append(",\"runs\":")
        body.append(decimal: counters.runs)
        body.append(",\"skipped\":{\"gate\":")
        body.append(decimal: counters.skippedByGate)
        body.append(",\"fresh\":")
        body.append(decimal: counters.skippedFresh)
        body.append(",\"subscribers\":")
        body.append(decimal: counters.skippedWithoutSubscribers)
        body.append("}}")
    }

    // MARK: Specifications

    /// `{"id","question","automatic","stale","when","admit","edges","nextRun"}`; a slot has
    /// `satisfied`, `nextChange`, `trace`, and is null where the operation is not on the board.
    static func append(
        specificationsOf operation: RemoteOperation, to body: inout ByteBuffer
    ) {
        let report = operation.report
        body.append("{\"id\":")
        body.append(jsonString: operation.id)
        text("question", operation.question, &body)
        append("automatic", report?.automatic, to: &body)
        append("stale", report?.stale, to: &body)
        append("when", report?.when, to: &body)
        append("admit", report?.admit, to: &body)
        body.append(",\"edges\":")
        append(operation.counters, to: &body)
        body.append(",\"nextRun\":")
        append(time: report?.nextRun.map { Int64($0 / .milliseconds(1)) }, to: &body)
        body.append("}")
    }

    private static func append(
        _ name: StaticString, _ evaluation: SpecEvaluation?, to body: inout ByteBuffer
    ) {
        body.append(",\"")
        body.append(name)
        body.append("\":")
        guard let evaluation else { return body.append("null") }
        SpecDocument.append(evaluation, to: &body)
    }

    // MARK: Values

    private static func text(
        _ name: StaticString, _ value: String, _ body: inout ByteBuffer
    ) {
        body.append(",\"")
        body.append(name)
        body.append("\":")
        body.append(jsonString: value)
    }

    /// - Parameter time: Milliseconds since 1970.
    static func append(time: Int64?, to body: inout ByteBuffer) {
        guard let time else { return body.append("null") }
        body.append(jsonString: WallTime(milliseconds: time).rfc3339)
    }
}
