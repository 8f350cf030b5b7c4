import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetStore

/// Removes the records of entities that are no more here, whatever has removed them: of those that were
/// fetched one by one, or another type of records that are named as these are. A few records are looked
/// at behind each act that adds one, round and round, so that what removed entities leave is bounded by
/// what else there is.
struct FetchRecordSweep {
    /// Records that are looked at behind an act, which adds one at most.
    private static let step = 8

    private let type: TypeName
    /// Where the next look begins; nil: with the first record.
    private var place: EntityID?

    init(of type: TypeName = EntityFetch.type) {
        self.type = type
    }

    /// The next records.
    mutating func next(in store: any EntityStore) -> [Document] {
        guard let view = store.view(type) else { return [] }
        var cursor = place.map { view.makeCursor(from: $0) } ?? view.makeCursor()
        var records: [Document] = []
        while records.count < Self.step, let record = cursor.next() { records.append(record) }
        place = cursor.next()?.id
        return records
    }

    /// Removes those of `records` whose entities are not there. Any thread.
    ///
    /// - Parameter removed: Called with what each was the record of, behind its removal.
    static func remove(
        _ records: [Document], of type: TypeName = EntityFetch.type, from store: any EntityStore,
        removed: @escaping @Sendable (EntityKey) -> Void = { _ in }
    ) {
        for record in records {
            // A record of what is no id is one of nothing.
            let key = EntityKey(text: record.id.text)
            if let key, store.document(key.type, key.id) != nil { continue }
            // Whatever brings the entity again writes its record anew.
            let condition = WriteCondition.ifMatch([record.revision])
            store.submit(Transaction(.remove(type, record.id, condition))) { outcome in
                if case .done = outcome, let key { removed(key) }
            }
        }
    }
}
