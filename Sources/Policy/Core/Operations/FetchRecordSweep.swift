import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetStore

/// Removes the records of entities that were fetched one by one and are no more here, whatever has
/// removed them. A few records are looked at behind each fetch, round and round, so that what removed
/// entities leave is bounded by what else there is.
struct FetchRecordSweep {
    /// Records that are looked at behind a fetch, which adds one at most.
    private static let step = 8

    /// Where the next look begins; nil: with the first record.
    private var place: EntityID?

    /// The next records.
    mutating func next(in store: any EntityStore) -> [Document] {
        guard let view = store.view(EntityFetch.type) else { return [] }
        var cursor = place.map { view.makeCursor(from: $0) } ?? view.makeCursor()
        var records: [Document] = []
        while records.count < Self.step, let record = cursor.next() { records.append(record) }
        place = cursor.next()?.id
        return records
    }

    /// Removes those of `records` whose entities are not there. Any thread.
    static func remove(_ records: [Document], from store: any EntityStore) {
        for record in records where !hasEntity(record, in: store) {
            // A fetch that brings the entity again writes its record anew.
            let condition = WriteCondition.ifMatch([record.revision])
            store.submit(Transaction(.remove(EntityFetch.type, record.id, condition))) { _ in }
        }
    }

    private static func hasEntity(_ record: Document, in store: any EntityStore) -> Bool {
        // A record of what is no id is one of nothing.
        guard let key = EntityKey(text: record.id.text) else { return false }
        return store.document(key.type, key.id) != nil
    }
}
