import FreshetBase
package import FreshetOperations

/// Follows a live query of another Freshet and keeps its rows here, one commit per cut.
// SAFETY: all mutable state is read and written under `lock`.
package final class FollowController: OperationController, @unchecked Sendable {
    private let source: FollowedQuery
    private let upstream: Upstream
    private let surroundings: any StreamSurroundings
    private let lock = Lock()
    private var machine = FollowMachine()

    /// Before a cut that could not be stored is asked for again.
    private static let notStoredPause = Duration.seconds(1)
    /// Before what was refused for good is asked for again.
    private static let refusedPause = Duration.seconds(60)

    package init(
        _ source: FollowedQuery, upstream: Upstream, surroundings: any StreamSurroundings
    ) {
        self.source = source
        self.upstream = upstream
        self.surroundings = surroundings
    }

    package func control(with controls: OperationControls) throws -> RunSubscription {
        let task = Task(executorPreference: StreamExecutor.shared) { await self.follow(controls) }
        return RunSubscription { task.cancel() }
    }

    private var path: String {
        let mark = source.query.contains("?") ? "&" : "?"
        return "\(source.query)\(mark)live=\(source.mode.rawValue)"
    }

    /// Connects again and again, each time behind the newest cut that is stored.
    private func follow(_ controls: OperationControls) async {
        while !Task.isCancelled {
            lock.withLock { machine = FollowMachine() }
            var settings = EventStreamSettings(UpstreamRequest(path: path))
            settings.lastID = surroundings.position(of: controls.operation) ?? ""
            settings.eventLimit = 64 << 20
            controls.note("connecting")
            let client = EventStreamClient(settings, upstream: upstream)
            switch await client.run({ await self.take($0, controls) }) {
            case .cancelled: return
            case .stopped:
                guard await controls.clock.rest(until: controls.clock.now + Self.notStoredPause)
                else { return }
            case .exhausted:
                controls.report(
                    ControllerError.stream("the followed query is gone for ever"), fails: true)
                return controls.halt()
            case .refused(let error):
                controls.report(ControllerError.stream(error.streamSentence), fails: true)
                controls.note("refused")
                guard await controls.clock.rest(until: controls.clock.now + Self.refusedPause)
                else { return }
            }
        }
    }

    private func take(
        _ signal: EventStreamSignal, _ controls: OperationControls
    ) async -> EventStreamVerdict {
        let event: StreamEvent
        switch signal {
        case .opened:
            lock.withLock { machine.connected() }
            controls.note("following")
            return .proceed
        case .interrupted(let error, _):
            controls.note(error.map { "interrupted: \($0.streamSentence)" } ?? "interrupted")
            return .proceed
        case .event(let next): event = next
        }
        switch lock.withLock({ machine.take(event.name, event.data, id: event.id) }) {
        case .nothing: return .proceed
        case .cut(let value):
            guard let error = await controls.deliver(value) else { return .proceed }
            controls.report(error, fails: false)
            return error.isPartial ? .proceed : .stop
        case .fault(let reason, let isFinal):
            controls.report(ControllerError.stream(reason), fails: isFinal)
            return isFinal ? .reconnect(after: Self.refusedPause) : .proceed
        case .bye(let after?): return .reconnect(after: .milliseconds(after))
        case .bye(nil):
            controls.report(
                ControllerError.stream("the followed server has ended the query"), fails: true)
            return .reconnect(after: Self.refusedPause)
        }
    }
}
