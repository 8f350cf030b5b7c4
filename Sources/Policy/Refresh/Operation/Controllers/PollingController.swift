/// Asks for a rerun in a fixed rhythm. Refused ones are not made up for.
public struct PollingController: OperationController {
    private let interval: Duration

    /// - Parameter interval: At least 100 ms.
    public init(every interval: Duration) {
        self.interval = max(interval, .milliseconds(100))
    }

    public func control(with controls: OperationControls) throws -> RunSubscription {
        let rhythm = Rhythm(every: interval, on: controls.clock) {
            controls.rerun()
            return true
        }
        return RunSubscription { rhythm.cancel() }
    }
}
