import FreshetQuery
import FreshetStore

/// Answers reads: gets, searches and includes, from here or from remotes. Any thread.
package final class EntityReader: Sendable {
    let store: any EntityStore
    let catalog: TypeCatalog
    let limits: CoreLimits
    let workers: SearchWorkers
    let outbox: Outbox
    let operations: Operations
    let remotes: RemoteReads

    init(
        _ store: any EntityStore, catalog: TypeCatalog, limits: CoreLimits,
        workers: SearchWorkers, outbox: Outbox, operations: Operations
    ) {
        self.store = store
        self.catalog = catalog
        self.limits = limits
        self.workers = workers
        self.outbox = outbox
        self.operations = operations
        remotes = operations.remotes
    }
}
