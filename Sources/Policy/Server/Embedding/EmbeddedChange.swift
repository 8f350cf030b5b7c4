import FreshetCore
import FreshetQuery
import FreshetStore

/// One change of one entity, as a handler of the embedding program is told of it.
package struct EmbeddedChange: Sendable {
    private let name: TypeName
    private let before: Document?
    private let after: Document?

    init(_ change: Change) {
        name = change.type
        before = change.old
        after = change.new
    }

    package var type: String { name.text }
    /// nil where there was none.
    package var old: EmbeddedEntities.Row? { before.map(row) }
    /// nil where it was removed.
    package var new: EmbeddedEntities.Row? { after.map(row) }

    /// Made where it is read, so that the writer's thread copies nothing.
    private func row(_ document: Document) -> EmbeddedEntities.Row {
        EmbeddedEntities.Row(
            type: name.text, id: document.id.text, revision: document.revision,
            json: Array(document.json))
    }
}

extension FreshetServer {
    /// Has `listener` told of the changes of every commit, in order, on the thread that commits; it
    /// must not block. For one listener, before anything is written.
    package func listen(_ listener: @escaping @Sendable ([EmbeddedChange]) -> Void) {
        service.core.watcher.live.listen { changes in
            let told = changes.filter { !$0.type.isInternal }.map { EmbeddedChange($0) }
            if !told.isEmpty { listener(told) }
        }
    }
}
