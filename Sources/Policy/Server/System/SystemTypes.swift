import FreshetBase
import FreshetCore
import FreshetQuery
import FreshetRefresh

/// The system types whose rows this server makes. Any thread.
final class SystemTypes: Sendable {
    private let rows: [TypeName: SystemRows]
    private let watcher: EntityWatcher

    /// Before anything is watched.
    init(
        _ core: CoreManager, _ providers: [any SystemProvider],
        clock: any OperationClock = SystemOperationClock()
    ) {
        let lane = PolicyWorkers(.chore)
        let watcher = core.watcher(of: SystemType.types.name)
        self.watcher = watcher
        let rows = providers.map { provider in
            (provider.type.name, SystemRows(provider, watcher, on: lane, clock: clock))
        }
        self.rows = Dictionary(uniqueKeysWithValues: rows)
        watcher.live.fill { [weak self] in self?.rows[$0]?.open() }
    }

    /// nil where the rows of `type` are entities of the store.
    subscript(type: TypeName) -> SystemRows? { rows[type] }

    /// Rows that were made since the start, by type.
    var made: [(type: TypeName, count: Int)] {
        rows.map { ($0.key, $0.value.madeCount) }.sorted { $0.0 < $1.0 }
    }

    func stop() {
        for rows in rows.values { rows.stop() }
        watcher.live.detach()
    }
}
