import FreshetEngine
import FreshetQuery
import FreshetStore

/// A store of memory, to be overridden where a test wants another behaviour.
// SAFETY: its one property is Sendable and never changes; subclasses say why theirs are safe.
class ForwardingStore: EntityStore, @unchecked Sendable {
    private let store: MemoryStore

    init(_ store: MemoryStore = MemoryStore()) { self.store = store }

    func document(_ type: TypeName, _ id: EntityID) -> Document? { store.document(type, id) }

    func document(_ type: TypeName, idBytes: UnsafeRawBufferPointer) -> Document? {
        store.document(type, idBytes: idBytes)
    }

    func view(_ type: TypeName) -> TableView? { store.view(type) }

    func views(of types: Set<TypeName>?) -> StoreViews { store.views(of: types) }

    func firstTypes(_ most: Int) -> [TypeName] { store.firstTypes(most) }

    var cursor: Cursor { store.cursor }

    var durability: Durability { store.durability }
    var disk: (any DiskStore)? { store.disk }
    var immediate: (any ImmediateStore)? { nil }

    func durability(of transaction: Transaction) -> Durability {
        store.durability(of: transaction)
    }

    func submit(
        _ transaction: Transaction, _ completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        store.submit(transaction, completion)
    }

    func beginFetch(_ policy: (any FetchPolicy)?) -> FetchTicket { store.beginFetch(policy) }

    var status: StoreStatus { store.status }

    var metrics: StoreMetrics { store.metrics }

    func indexStatus(_ type: TypeName) -> [IndexStatus] { store.indexStatus(type) }

    func withCommitRight(_ body: @escaping @Sendable (EntityTablesAccess) -> Void) -> Bool {
        store.withCommitRight(body)
    }

    func reopen(taken: @escaping @Sendable () -> Void) throws(StoreError) {
        try store.reopen(taken: taken)
    }

    func close() { store.close() }
}
