import FreshetBase
package import FreshetRefresh

// Cuts that have arrived together are stored together. A cut that cannot be read, or has an entity that
// cannot, is not stored, and nothing behind it is taken: the origin is asked for the whole answer. Where
// that cannot be read either, the operation has failed, keeps what it has, and asks again and again, as
// often as `reconnect` allows.

/// Follows a live query of another Freshet and keeps its rows here, one commit per cut.
package final class FollowController: OperationController {
    private let source: FollowedQuery
    private let upstream: Upstream
    private let surroundings: any StreamSurroundings

    package init(
        _ source: FollowedQuery, upstream: Upstream, surroundings: any StreamSurroundings
    ) {
        self.source = source
        self.upstream = upstream
        self.surroundings = surroundings
    }

    package func control(with controls: OperationControls) throws -> RunSubscription {
        let task = Task(executorPreference: PolicyWorkers.streams) {
            [source, upstream, surroundings] in
            await FollowSession(
                source, upstream: upstream, surroundings: surroundings, controls: controls
            ).follow()
        }
        return RunSubscription { task.cancel() }
    }
}

/// What one task follows, until it is cancelled.
private final class FollowSession {
    private let source: FollowedQuery
    private let upstream: Upstream
    private let surroundings: any StreamSurroundings
    private let controls: OperationControls
    private var machine = FollowMachine()
    /// The whole answer was asked for since something could not be read.
    private var asksAnew = false

    init(
        _ source: FollowedQuery, upstream: Upstream, surroundings: any StreamSurroundings,
        controls: OperationControls
    ) {
        self.source = source
        self.upstream = upstream
        self.surroundings = surroundings
        self.controls = controls
    }

    private var path: String {
        let mark = source.query.contains("?") ? "&" : "?"
        return "\(source.query)\(mark)live=\(source.mode.rawValue)"
    }

    /// Connects again and again, each time behind the newest cut that is stored.
    func follow() async {
        while !Task.isCancelled {
            machine = FollowMachine()
            var settings = EventStreamSettings(UpstreamRequest(path: path))
            settings.lastID = surroundings.position(of: controls.operation) ?? ""
            settings.eventLimit = 64 << 20
            settings.reconnect = source.reconnect
            settings.endsOnRefusal = false
            controls.describe("connecting")
            let client = EventStreamClient(settings, upstream: upstream)
            var batch = ValueBatch()
            switch await client.run({ await self.handle($0, &batch) }) {
            case .cancelled, .refused: return
            case .stopped:
                guard await controls.restUnstored() else { return }
            case .exhausted:
                controls.report(
                    ControllerError.stream("the followed query is gone for ever"), fails: true)
                return controls.halt()
            }
        }
    }

    private func handle(
        _ signal: EventStreamSignal, _ batch: inout ValueBatch
    ) async -> EventStreamVerdict {
        switch signal {
        case .opened:
            machine.connected()
            controls.describe("following")
            controls.note(isFollowing: true)
            return .proceed
        case .interrupted(let error, let pause):
            controls.describe(interruption: error, retryIn: pause)
            switch error {
            case .tooLarge?: return askAnew("an event of the followed query is too large")
            case let error? where error.isToldAsFault:
                controls.report(ControllerError.connection(error.streamSentence), fails: true)
            default: break
            }
            return .proceed
        case .caughtUp: return await store(&batch)
        case .event(let event):
            let outcome = machine.reduce(event.name, event.data, id: event.id)
            if case .nothing = outcome { return .proceed }
            if case .cut(let value) = outcome {
                batch.append(value)
                return batch.isFull ? await store(&batch) : .proceed
            }
            // What came before is stored first.
            let verdict = await store(&batch)
            return verdict == .proceed ? carryOut(outcome) : verdict
        }
    }

    private func carryOut(
        _ outcome: FollowMachine.Outcome
    ) -> EventStreamVerdict {
        switch outcome {
        case .nothing, .cut: return .proceed
        case .unreadable(let reason): return askAnew(reason)
        case .fault(let reason, let isFinal):
            let excerpt = Excerpt(of: reason, masking: upstream.mask)
            controls.report(ControllerError.stream(excerpt.text), fails: isFinal)
            return isFinal ? .reconnect(after: nil) : .proceed
        case .bye(let after?): return .reconnect(after: .milliseconds(after))
        case .bye(nil):
            controls.report(
                ControllerError.stream("the followed server has ended the query"), fails: true)
            return .reconnect(after: nil)
        }
    }

    private func store(
        _ batch: inout ValueBatch
    ) async -> EventStreamVerdict {
        let values = batch.takeAll()
        guard !values.isEmpty else { return .proceed }
        switch await controls.deliver(values) {
        case nil:
            asksAnew = false
            return .proceed
        case .unreadable(let reason): return askAnew(reason)
        case let error?:
            controls.report(error, fails: false)
            return .stop
        }
    }

    /// Asks for the whole answer; where it is what cannot be read, the operation has failed.
    private func askAnew(_ reason: String) -> EventStreamVerdict {
        controls.report(ControllerError.unreadable(reason), fails: asksAnew)
        asksAnew = true
        return .restart
    }
}
