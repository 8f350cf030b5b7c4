import FreshetBase
import FreshetConfig

/// What specifications of requests may mention: the names of the configuration that holds.
// SAFETY: the one variable is read and written under `lock`.
final class SpecNameTable: @unchecked Sendable {
    private let lock = Lock()
    private var current = SpecNames()
    private var currentSpecs = NamedSpecs()

    var names: SpecNames {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }

    /// The named specifications of the configuration.
    var specs: NamedSpecs {
        get { lock.withLock { currentSpecs } }
        set { lock.withLock { currentSpecs = newValue } }
    }
}
