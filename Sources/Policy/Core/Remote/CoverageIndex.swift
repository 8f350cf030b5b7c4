import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetStore

/// The records of what was fetched, by question and by type. Any thread.
///
/// A copy of the store's entities, read at the start and changed after each commit.
final class CoverageIndex: Sendable {
    /// Questions remembered; past it the oldest answer is forgotten.
    static let capacity = 10_000

    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var records: [EntityID: CoverageRecord] = [:]
    // SAFETY: as `records`.
    nonisolated(unsafe) private var byType: [TypeName: [EntityID]] = [:]

    private let store: any EntityStore

    /// - Parameter forgets: Types whose entities did not survive the last stop.
    init(_ store: any EntityStore, forgets: Set<TypeName>) {
        self.store = store
        load(forgets: forgets)
    }

    /// Takes over what is stored, in place of what is known.
    func load(forgets: Set<TypeName> = []) {
        lock.withLock {
            records = [:]
            byType = [:]
            // Under the lock: what is committed behind these views is followed behind this.
            let views = store.views()
            let orders = views[CoverageRecord.orderType]
            views[CoverageRecord.type]?.forEach { document in
                let order = orders?.document(document.idBytes)
                guard let record = CoverageRecord(document, order: order),
                    !forgets.contains(record.type)
                else { return }
                insert(record)
            }
        }
    }

    /// Takes over what another server has stored, or removed.
    func follow(_ id: EntityID) {
        let views = store.views()
        let stored = views[CoverageRecord.type]?.document(id).flatMap {
            CoverageRecord($0, order: views[CoverageRecord.orderType]?.document(id))
        }
        guard let stored else { return forget(id) }
        lock.withLock { insert(stored) }
    }

    /// Takes a record over that was committed; an answer to a later request stays.
    func note(_ record: CoverageRecord) {
        lock.withLock {
            if let known = records[record.id], known.at > record.at { return }
            insert(record)
        }
    }

    private func insert(_ record: CoverageRecord) {
        if records.updateValue(record, forKey: record.id) == nil {
            byType[record.type, default: []].append(record.id)
        }
    }

    /// The oldest record where there are as many as may be, to make room.
    func surplus() -> EntityID? {
        lock.withLock {
            guard records.count >= Self.capacity else { return nil }
            return records.values.min { $0.at < $1.at }?.id
        }
    }

    func forget(_ id: EntityID) {
        lock.withLock {
            guard let record = records.removeValue(forKey: id) else { return }
            byType[record.type]?.removeAll { $0 == id }
        }
    }

    /// The answer to that very question.
    func record(of shape: FetchShape) -> CoverageRecord? {
        shape.recordID.flatMap { id in lock.withLock { records[id] } }
    }

    /// The youngest answer that has all of what `shape` asks: to the same question, or, where the
    /// remote has not chosen the rows, to a wider one. One in an order that was asked for says nothing
    /// of the remote's own.
    func covering(_ shape: FetchShape) -> CoverageRecord? {
        lock.withLock {
            let same = shape.recordID.flatMap { records[$0] }.flatMap {
                shape.isListed && $0.ids == nil ? nil : $0
            }
            guard !shape.isChosen else { return same }
            var best = same
            for id in byType[shape.type] ?? [] {
                guard let record = records[id], record.isWhole,
                    record.isNatural || !shape.isNatural,
                    best.map({ $0.at < record.at }) ?? true,
                    record.conjuncts.isSubset(of: shape.conjuncts)
                else { continue }
                best = record
            }
            return best
        }
    }
}
