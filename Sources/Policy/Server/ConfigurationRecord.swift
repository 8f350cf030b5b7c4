import FreshetBase
import FreshetConfig
import FreshetRefresh

/// What this server was started with, the configuration that holds now, and what became of the last
/// attempt to change it. Any thread.
final class ConfigurationRecord: Sendable {
    struct Reload: Sendable {
        let at = WallTime.now
        /// Why the changed configuration was refused; none where it holds.
        var faults: [ConfigurationFault] = []
        /// Members that hold from the next start on.
        var waits: [String] = []
    }

    struct Current: Sendable {
        var settings: ServeSettings
        var loadedAt = WallTime.now
        var lastReload: Reload?
    }

    let start: ServeSettings
    let startedAt = WallTime.now
    private let startInstant = MonotonicInstant.now
    /// Where it listens, a free port resolved.
    let address: String
    let loops: Int
    private let state: Shared<Current>

    init(_ settings: ServeSettings, address: String, loops: Int) {
        start = settings
        self.address = address
        self.loops = loops
        state = Shared(Current(settings: settings))
    }

    var current: Current { state.value }

    var uptime: Duration { MonotonicInstant.now - startInstant }

    /// Takes a changed configuration over, but for what waits for the next start.
    func replace(_ settings: ServeSettings, waits: [String]) {
        state.set(Current(settings: settings, lastReload: Reload(waits: waits)))
    }

    /// Notes why a changed configuration is not taken over.
    func refuse(_ faults: [ConfigurationFault]) {
        state.update { $0.lastReload = Reload(faults: faults) }
    }

    /// What this server has beside the entities themselves, by build and configuration.
    var features: [String] {
        let operations = current.settings.operations
        let all: [(name: String, isThere: Bool)] = [
            ("access", current.settings.access != nil), ("remotes", !start.upstreams.isEmpty),
            ("operations", !operations.operations.isEmpty),
            (
                "controllers",
                operations.operations.contains { !$0.controlled.isEmpty }
            ), ("conditions", !operations.conditions.isEmpty), ("cluster", start.cluster.isOn),
            ("strict", current.settings.isStrict),
        ]
        return all.filter(\.isThere).map(\.name)
    }
}
