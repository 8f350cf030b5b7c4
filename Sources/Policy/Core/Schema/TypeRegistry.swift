import FreshetEngine
import FreshetRefresh
package import FreshetQuery
package import FreshetStore

/// Which types there are, what is declared of them, and how the stored entities stand to that. Any
/// thread.
package final class TypeRegistry: Sendable {
    package let catalog: TypeCatalog
    /// Which stored entities a changed schema no longer takes.
    package let unfit: UnfitCensus
    private let store: any EntityStore
    private let configuration: ConfigurationNote
    /// Where indexes are built, one after the other.
    private let indexing = PolicyWorkers(.chore)

    init(
        _ store: any EntityStore, catalog: TypeCatalog, workers: SearchWorkers,
        configuration: ConfigurationNote
    ) {
        self.store = store
        self.catalog = catalog
        self.configuration = configuration
        unfit = UnfitCensus(store: store, catalog: catalog, workers: workers)
    }

    /// Builds and gives up indexes as the catalogue now says, in the background, while writes go on.
    package func declareIndexes() {
        indexing.perform { [store, catalog] in
            for (name, _) in store.views().types {
                store.declareIndexes(catalog.indexes(of: name), of: name)
            }
        }
    }

    /// Has types or row rules mean something else from here on, in the order of commits; see
    /// `ConfigurationNote`.
    ///
    /// - Parameters:
    ///   - digest: Of the changed configuration.
    ///   - apply: Makes it hold; called at once.
    ///   - completion: Called once the change has its place among the commits.
    package func reconfigure(
        _ digest: String, apply: () -> Void, completion: @escaping @Sendable () -> Void
    ) {
        configuration.replace(digest, apply: apply, completion: completion)
    }

    /// Digests of configurations that the servers have left behind, newest first.
    package var olderDigests: [String] { configuration.older }

    /// One type, as in `counts()`; empty where it is none of them. O(1).
    package func counts(of name: TypeName?) -> [(name: TypeName, count: Int)] {
        guard let name, !name.isInternal else { return [] }
        let count = store.view(name)?.count ?? 0
        return count > 0 || catalog.schema(of: name) != nil ? [(name, count)] : []
    }

    /// Every type that is declared or was written, by name, with its number of entities.
    package func counts() -> (cursor: Cursor, types: [(name: TypeName, count: Int)]) {
        let views = store.views()
        var counts: [TypeName: Int] = [:]
        for schema in catalog.declared {
            if let name = TypeName(schema.name) { counts[name] = 0 }
        }
        for (name, table) in views.types
        where !name.isInternal && (table.count > 0 || counts[name] != nil) {
            counts[name] = table.count
        }
        return (views.cursor, counts.map { ($0.key, $0.value) }.sorted { $0.name < $1.name })
    }
}
