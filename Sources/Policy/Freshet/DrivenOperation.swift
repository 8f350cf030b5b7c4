import Dispatch
import FreshetBase
import FreshetServer

/// A controller at work. Releasing it ends the controller.
public final class DrivenOperation: Sendable {
    private let operation: EmbeddedOperation
    private let host: ControllerHost
    private let gate: ControllerGate

    init(_ operation: EmbeddedOperation, _ host: ControllerHost, _ gate: ControllerGate) {
        self.operation = operation
        self.host = host
        self.gate = gate
    }

    deinit {
        cancel()
    }

    /// How the controller stands: its state, its counts, its last fault.
    public var report: ControllerReport { host.report }

    /// The last error that it has yielded; nil since a value has come.
    public var lastError: (any Error)? { operation.lastError }

    /// Ends the controller.
    public func cancel() {
        gate.close()
    }
}

/// Has a controller at work while a specification holds, until it is closed.
// SAFETY: all mutable state is read and written under `lock`.
final class ControllerGate: @unchecked Sendable {
    private let host: ControllerHost
    private let board: OperationBoard
    private let expression: SpecExpression
    /// One look after the other, so that the last one tells how it stands.
    private let queue = DispatchQueue(label: "freshet.gate")
    private let lock = Lock()
    private var subscription: RunSubscription?
    private var isClosed = false

    init(_ host: ControllerHost, _ board: OperationBoard, _ expression: SpecExpression) {
        self.host = host
        self.board = board
        self.expression = expression
    }

    func open() {
        let subscription = board.observe(expression, operation: host.operation) { [weak self] _ in
            self?.look()
        }
        lock.withLock { self.subscription = subscription }
        look()
    }

    func close() {
        let subscription = lock.withLock {
            isClosed = true
            defer { self.subscription = nil }
            return self.subscription
        }
        subscription?.cancel()
        host.drive(false)
    }

    private func look() {
        queue.async { [self] in
            guard !lock.withLock({ isClosed }) else { return }
            host.drive(board.evaluate(expression, operation: host.operation).isSatisfied)
            // It may have been closed meanwhile.
            if lock.withLock({ isClosed }) { host.drive(false) }
        }
    }
}
