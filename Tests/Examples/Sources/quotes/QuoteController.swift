import Foundation
import Freshet

/// Yields prices that go up by one: a controller of this program's own.
struct QuoteController: OperationController {
    let names: [String]

    func control(with controls: OperationControls) throws -> RunSubscription {
        let ticker = Ticker { round in
            let quotes = names.map { #"{"id":"\#($0)","price":\#(100 + round)}"# }
            controls.yield(ControlledValue(entities: quotes))
        }
        ticker.start()
        return RunSubscription { ticker.stop() }
    }
}

/// Calls ten times a second, on a thread of its own, until it is stopped.
// SAFETY: `isStopped` is read and written under `lock`.
final class Ticker: @unchecked Sendable {
    private let lock = NSLock()
    private var isStopped = false
    private let tick: @Sendable (Int) -> Void

    init(_ tick: @escaping @Sendable (Int) -> Void) {
        self.tick = tick
    }

    func start() {
        Thread { [self] in
            var round = 0
            while !lock.withLock({ isStopped }) {
                round += 1
                tick(round)
                Thread.sleep(forTimeInterval: 0.1)
            }
        }.start()
    }

    func stop() {
        lock.withLock { isStopped = true }
    }
}
