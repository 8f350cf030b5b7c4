import FreshetBase
import FreshetCore
import FreshetServer

/// A controller at work. Releasing it ends the controller.
public final class DrivenOperation: Sendable {
    private let server: FreshetServer
    private let controller: AttachedController
    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var isOver = false

    init(_ controller: AttachedController, of server: FreshetServer) {
        self.server = server
        self.controller = controller
    }

    deinit {
        cancel()
    }

    /// The operation's name, as in `/v1/_operations/NAME`.
    public var operation: String { controller.operation }

    /// How the controller stands: its state, its counts, its last fault. The operation's document has
    /// the same in `controllers`.
    public var report: ControllerReport { controller.report }

    /// The last error that it has yielded; nil since a value has come.
    public var lastError: (any Error)? { controller.lastError }

    /// Ends the controller. An operation that the configuration does not name goes with its last
    /// controller; what was stored stays.
    public func cancel() {
        let isFirst = lock.withLock {
            defer { isOver = true }
            return !isOver
        }
        if isFirst { server.undrive(controller) }
    }
}
