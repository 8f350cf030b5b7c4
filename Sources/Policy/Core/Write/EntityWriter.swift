import FreshetStore

/// Makes documents, commits them and has remotes told of them. Any thread.
package final class EntityWriter: Sendable {
    let store: any EntityStore
    let catalog: TypeCatalog
    let limits: CoreLimits
    let outbox: Outbox
    package let committer: Committer
    /// First answers of requests that may be repeated.
    package let answers: AnswerBook
    /// What finds the entities that a query names.
    let reader: EntityReader

    init(_ reader: EntityReader, _ committer: Committer, _ answers: AnswerBook) {
        store = reader.store
        catalog = reader.catalog
        limits = reader.limits
        outbox = reader.outbox
        self.committer = committer
        self.answers = answers
        self.reader = reader
    }
}
