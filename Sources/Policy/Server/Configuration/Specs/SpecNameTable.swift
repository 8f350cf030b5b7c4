import FreshetBase

/// What specifications of requests may mention: the names of the configuration that holds.
// SAFETY: the one variable is read and written under `lock`.
final class SpecNameTable: @unchecked Sendable {
    private let lock = Lock()
    private var current = SpecNames()

    var names: SpecNames {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }
}
