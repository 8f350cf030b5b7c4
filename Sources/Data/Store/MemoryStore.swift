import FreshetBase
package import FreshetEngine
package import FreshetQuery

/// A store without files: commits on the caller's thread, under one lock, with no thread between.
///
/// The observer is called off the lock and still in commit order: a commit queues its changes
/// under the commit lock, and whichever caller finds nobody delivering delivers all that is queued.
package final class MemoryStore: EntityStore, ImmediateStore {
    private let tables: EntityTables
    private let observer: (any CommitObserver)?
    private let commitLock = Lock()
    // SAFETY: touched under `commitLock` alone.
    nonisolated(unsafe) private var evaluator: CommitEvaluator
    // SAFETY: touched under `commitLock` alone.
    nonisolated(unsafe) private var seqOfNext: UInt64 = 1
    // SAFETY: touched under `commitLock` alone.
    nonisolated(unsafe) private var pending: [Change] = []
    // SAFETY: touched under `commitLock` alone.
    nonisolated(unsafe) private var isDelivering = false
    // SAFETY: touched under `commitLock` alone.
    nonisolated(unsafe) private var isClosed = false
    private let epoch: Epoch

    /// - Parameters:
    ///   - maximumEntity: The largest entity that a merge may make, bytes.
    ///   - maximumEntities: Entities of all types that are stored at most.
    package init(
        rules: (any EntityRules)? = nil, observer: (any CommitObserver)? = nil,
        maximumEntity: Int = 1 << 20, maximumEntities: Int = .max
    ) {
        epoch = .random()
        tables = EntityTables(cursor: Cursor(epoch: epoch, seq: 0), rules: rules)
        self.observer = observer
        evaluator = CommitEvaluator(
            tables: tables, rules: rules, maximumEntity: maximumEntity,
            maximumEntities: maximumEntities)
    }

    package func document(_ type: TypeName, _ id: EntityID) -> Document? {
        tables.document(type, id)
    }

    package func document(_ type: TypeName, idBytes: UnsafeRawBufferPointer) -> Document? {
        tables.document(type, idBytes: idBytes)
    }

    package func view(_ type: TypeName) -> TableView? { tables.view(type) }

    package func views(of types: Set<TypeName>?) -> StoreViews { tables.views(of: types) }
    package func firstTypes(_ most: Int) -> [TypeName] { tables.firstTypes(most) }

    package var cursor: Cursor { tables.cursor }

    package func beginFetch(_ policy: (any FetchPolicy)?) -> FetchTicket {
        tables.fetches.begin(policy) { tables.cursor.seq }
    }

    package var durability: Durability { .memory }
    package var disk: (any DiskStore)? { nil }
    package var immediate: (any ImmediateStore)? { self }
    package func durability(of transaction: Transaction) -> Durability { .memory }

    package var status: StoreStatus {
        commitLock.withLock { isClosed }
            ? StoreStatus(phase: .closed, reason: "the store is closed")
            : StoreStatus(phase: .ready)
    }

    package var metrics: StoreMetrics {
        var metrics = StoreMetrics()
        metrics.commits = commitLock.withLock { Int(seqOfNext) - 1 }
        return metrics
    }

    package func submit(
        _ transaction: Transaction, _ completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        completion(commit(transaction))
    }

    /// The same as `submit` without a completion: nothing here has to wait.
    package func commit(_ transaction: Transaction) -> WriteOutcome {
        // One entity is bounded where it is read.
        guard transaction.rest.isEmpty || transaction.estimatedSize <= Transaction.mostBytes else {
            return .rejected(operation: 0, .tooLarge)
        }
        let (outcome, changes) = commitLock.withLock { evaluate(transaction) }
        if let changes { deliver(changes) }
        return outcome
    }

    /// Evaluates and applies. - Returns: The changes that this caller is to deliver, if any.
    private func evaluate(_ transaction: Transaction) -> (WriteOutcome, [Change]?) {
        if isClosed { return (.closed, nil) }
        let seq = seqOfNext
        switch evaluator.evaluate(transaction, seq: seq, alone: true) {
        case .rejected(let operation, let rejection):
            evaluator.reset()
            return (.rejected(operation: operation, rejection), nil)
        case .idle(let first, let rest):
            evaluator.reset()
            return (.done(receipt(seq - 1, changed: false, first, rest)), nil)
        case .commit(_, let isChanged, let first, let rest):
            seqOfNext += 1
            if evaluator.changes.count == 1 {
                let change = evaluator.changes[0]
                tables.apply(evaluator.places[0], old: change.old, new: change.new, seq: seq)
            } else {
                tables.apply(evaluator.changes[...], evaluator.places[...], seq: seq)
            }
            var mine: [Change]?
            if observer != nil {
                if isDelivering {
                    pending.append(contentsOf: evaluator.changes)
                } else {
                    isDelivering = true
                    mine = evaluator.changes
                }
            }
            evaluator.reset()
            return (.done(receipt(seq, changed: isChanged, first, rest)), mine)
        }
    }

    private func receipt(
        _ seq: UInt64, changed: Bool, _ first: WriteResult, _ rest: [WriteResult]
    ) -> WriteReceipt {
        WriteReceipt(
            cursor: Cursor(epoch: epoch, seq: seq), changed: changed, durability: .memory,
            first: first, rest: rest)
    }

    private func deliver(_ changes: [Change]) {
        var next = changes
        while !next.isEmpty {
            observer?.committed(next)
            next = commitLock.withLock {
                let queued = pending
                pending = []
                if queued.isEmpty { isDelivering = false }
                return queued
            }
        }
    }

    package func indexStatus(_ type: TypeName) -> [IndexStatus] { tables.indexStatus(type) }

    package func withCommitRight(
        _ body: @escaping @Sendable (EntityTablesAccess) -> Void
    ) -> Bool {
        commitLock.withLock {
            guard !isClosed else { return false }
            body(EntityTablesAccess(tables: tables))
            return true
        }
    }

    package func reopen(taken: @escaping @Sendable () -> Void) throws(StoreError) {
        if commitLock.withLock({ isClosed }) { throw .closed }
    }

    package func close() {
        commitLock.withLock { isClosed = true }
    }
}
