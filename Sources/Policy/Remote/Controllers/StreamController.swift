import FreshetBase
package import FreshetRefresh
import FreshetQuery

// One stream of an upstream, as a controller of an operation: events through the reducer, outcomes to
// the operation.
//
// An event is handled when what it has changed is stored, and not before. Events that have arrived
// together are stored together: nothing more is read until then, and a connection that breaks meanwhile
// resumes before them. The position is stored in the same commit as the changes. So after whatever break
// the stream goes on behind the newest change that is stored, and an upstream that heeds `Last-Event-ID`
// makes the value exact. What events have changed here that was not stored is forgotten before they are
// read again: an entity that lost its place to a newer one would stay stored for ever otherwise.

/// Follows a stream of events and reduces them into an operation's value.
// SAFETY: all mutable state is read and written under `lock`, or by the one task of the present session.
package final class StreamController: OperationController, @unchecked Sendable {
    private let source: ReducedStream
    private let upstream: Upstream
    private let surroundings: any StreamSurroundings
    private let lock = Lock()
    /// Lent to the session that is on, so that two of them can never change it at once.
    private var reducer: StreamReducer
    private var lastID: String?
    /// The value that there is before the first event is stored.
    private var hasBegun = false
    private var isHalted = false
    /// The newest session; the next one begins behind its end, since what it stores may be under way.
    private var session: Task<Void, Never>?

    /// The bytes of one event; a smaller limit is that of a connection which is read too slowly, and is made again.
    private static let mostEventBytes = 16 << 20

    /// - Parameter mapping: How the operation's entities look at the upstream.
    package init(
        _ source: ReducedStream, mapping: RemoteMapping, maximumEntity: Int, upstream: Upstream,
        surroundings: any StreamSurroundings
    ) {
        self.source = source
        self.upstream = upstream
        self.surroundings = surroundings
        reducer = StreamReducer(source.rules, mapping, maximumEntity: maximumEntity)
    }

    package func control(with controls: OperationControls) throws -> RunSubscription {
        let task = lock.withLock {
            let earlier = session
            let task = Task(executorPreference: PolicyWorkers.streams) {
                await earlier?.value
                await self.follow(controls)
            }
            session = task
            return task
        }
        return RunSubscription { task.cancel() }
    }

    private func follow(_ controls: OperationControls) async {
        lock.withLock { isHalted = false }
        while !Task.isCancelled {
            guard await prepare(controls) else {
                guard await controls.restUnstored() else { return }
                continue
            }
            controls.describe("connecting")
            let client = client()
            var batch = StreamBatch()
            switch await client.run({ await self.handle($0, &batch, controls) }) {
            case .stopped:
                guard !lock.withLock({ isHalted }) else { return }
                // Outcomes were not stored: their events are asked for again.
                guard await controls.restUnstored() else { return }
            case .cancelled, .refused: return
            case .exhausted:
                controls.describe("the stream has ended")
                return controls.halt()
            }
        }
    }

    @inline(never)
    private func client() -> EventStreamClient {
        var settings = EventStreamSettings(UpstreamRequest(path: source.path))
        settings.resumes = source.resumes
        settings.eventLimit = Self.mostEventBytes
        settings.reconnect = source.reconnect
        settings.endsOnRefusal = false
        settings.lastID = source.resumes ? lock.withLock { lastID } ?? "" : ""
        return EventStreamClient(settings, upstream: upstream)
    }

    /// Takes up position and value as they are stored; before the first event the initial value is.
    ///
    /// - Returns: Whether they are, so that the stream is read.
    private func prepare(_ controls: OperationControls) async -> Bool {
        let initial = lock.withLock { () -> ControlledValue? in
            if hasBegun {
                if reducer.isAhead { resume(controls) }
                return nil
            }
            lastID = source.resumes ? surroundings.position(of: controls.operation) : nil
            guard lastID == nil, let initial = source.initial else {
                resume(controls)
                hasBegun = true
                return nil
            }
            reducer.restart(with: initial)
            return ControlledValue(isWhole: true, put: reducer.value)
        }
        guard let initial else { return true }
        if let error = await controls.deliver([initial]) {
            report(error, controls)
            guard error.isPartial else { return false }
        }
        lock.withLock {
            reducer.stored()
            hasBegun = true
        }
        return true
    }

    /// Has the reducer go on with what is stored. Under the lock.
    private func resume(_ controls: OperationControls) {
        reducer.resume(
            with: reducer.isBounded ? surroundings.value(of: controls.operation) : [])
    }

    private func handle(
        _ signal: EventStreamSignal, _ batch: inout StreamBatch, _ controls: OperationControls
    ) async -> EventStreamVerdict {
        switch signal {
        case .opened:
            controls.describe("following")
            controls.note(isFollowing: true)
            return .proceed
        case .interrupted(let error, let pause):
            switch error {
            case .tooLarge(Self.mostEventBytes)?:
                // It is asked for again, and is as large then.
                report(.stream("an event has more than \(Self.mostEventBytes) bytes"), controls)
            case let error? where error.isToldAsFault:
                report(.connection(error.streamSentence), controls)
            default: break
            }
            controls.describe(interruption: error, retryIn: pause)
            return .proceed
        case .caughtUp: return await store(&batch, controls) ? .proceed : .stop
        case .event(let event):
            return await handle(event, &batch, controls) ? .proceed : .stop
        }
    }

    /// - Returns: Whether the stream goes on behind the event.
    private func handle(
        _ event: StreamEvent, _ batch: inout StreamBatch, _ controls: OperationControls
    ) async -> Bool {
        let (outcome, nested) = lock.withLock {
            let outcome = reducer.reduce(event.name, event.data) { id in
                surroundings.stored(id, of: controls.operation)
            }
            return (outcome, reducer.nested)
        }
        defer { batch.lastID = event.id }
        var value: ControlledValue
        switch outcome {
        case .nothing: return true
        case .whole(let entities): value = ControlledValue(isWhole: true, put: entities)
        case .change(let put, let remove):
            value = ControlledValue(isWhole: false, put: put, remove: remove.map(\.text))
        case .reset: value = ControlledValue(isWhole: true, put: beginAnew())
        case .fault, .error, .rerun, .halt:
            // What came before is stored first.
            guard await store(&batch, controls) else { return false }
            return carryOut(outcome, controls)
        }
        value.nested = nested.map { ($0.type.text, Array($0.document.json)) }
        if source.resumes, !event.id.isEmpty { value.position = event.id }
        batch.values.append(value)
        guard outcome == .reset || batch.values.isFull else { return true }
        guard await store(&batch, controls) else { return false }
        if outcome == .reset { controls.reset() }
        return true
    }

    /// - Returns: Whether the stream goes on.
    private func carryOut(_ outcome: StreamOutcome, _ controls: OperationControls) -> Bool {
        switch outcome {
        case .fault(let reason):
            report(.missed(Excerpt(of: reason, masking: upstream.mask).text), controls)
            return true
        case .error(let reason):
            let excerpt = Excerpt(of: reason, masking: upstream.mask)
            controls.report(ControllerError.stream(excerpt.text), fails: true)
        case .rerun: controls.resync()
        case .halt:
            controls.describe("halted by the stream")
            controls.halt()
            lock.withLock { isHalted = true }
        case .nothing, .whole, .change, .reset: break
        }
        surroundings.effect(source.effects)
        return outcome != .halt
    }

    /// Stores what the batch holds. An entity that could not be stored is reported and passed over.
    ///
    /// - Returns: false where the batch as a whole was not stored, so that the stream is read again.
    private func store(_ batch: inout StreamBatch, _ controls: OperationControls) async -> Bool {
        let values = batch.values.takeAll()
        if !values.isEmpty {
            if let error = await controls.deliver(values) {
                let isPartial = error.isPartial
                report(isPartial ? .missed(error.sentence) : error, controls)
                if !isPartial { return false }
            }
            surroundings.effect(source.effects)
        }
        lock.withLock {
            reducer.stored()
            lastID = batch.lastID ?? lastID
        }
        return true
    }

    private func beginAnew() -> [[UInt8]] {
        lock.withLock {
            reducer.restart(with: source.initial)
            return reducer.value
        }
    }

    private func report(_ error: ControllerError, _ controls: OperationControls) {
        guard source.onFault != .ignore else { return }
        controls.report(error, fails: source.onFault == .fail)
    }
}

/// The outcomes of events that have arrived together.
private struct StreamBatch {
    var values = ValueBatch()
    /// The id of the newest event that was taken.
    var lastID: String?
}

extension OperationControls {
    /// Says why a connection is over and when the next one is made.
    func describe(interruption error: UpstreamError?, retryIn pause: Duration) {
        note(isFollowing: false)
        describe(error.map { "interrupted: \($0.streamSentence)" } ?? "interrupted", retryIn: pause)
    }

    /// Rests before what the store has not taken is asked for again; false where the task was cancelled.
    func restUnstored() async -> Bool {
        let pause = Duration.seconds(1)
        note(isFollowing: false)
        describe("not stored", retryIn: pause)
        return await clock.rest(until: clock.now + pause)
    }
}

extension UpstreamError {
    /// Whether somebody has to repair something before the stream can go on.
    var isToldAsFault: Bool {
        if case .auth = self { return true }
        return ReconnectRule.isRefusal(self)
    }

    /// What is told of a stream's failure: nothing of the upstream's own words but a short excerpt.
    var streamSentence: String {
        switch self {
        case .unreachable(let reach, let detail):
            "the upstream cannot be reached (\(reach.rawValue): \(detail))"
        case .timeout: "the upstream does not answer in time, or has fallen silent"
        case .tooLarge(let limit): "more than \(limit) bytes came at once"
        case .status(let status, _, _): "the upstream answers the stream with status \(status)"
        case .shape(_, _, let detail): detail.text
        case .auth(_, _, let detail): detail
        case .saturated: "too many requests wait for the upstream"
        case .unaddressable(_, _, let detail): detail
        case .cancelled: "the stream was given up"
        }
    }
}
