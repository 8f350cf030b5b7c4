import FreshetBase
package import FreshetCore
package import FreshetOperations
import FreshetQuery

/// A query that a controller of the embedding program drives: what the controller yields is stored
/// as what a fetch has found, in one commit with all that waits.
// SAFETY: `failure` is read and written under `lock`.
package final class EmbeddedOperation: ControlledOperation, @unchecked Sendable {
    package let id: String
    private let entities: EmbeddedEntities
    private let commits: ControllerCommits
    private let rows: ControlledRows
    private let lock = Lock()
    private var failure: (any Error)?

    init(
        _ id: String, _ query: Query, _ entities: EmbeddedEntities, _ commits: ControllerCommits
    ) {
        self.id = id
        self.entities = entities
        self.commits = commits
        rows = ControlledRows(operation: id, query: query, digest: "embedded")
    }

    /// Whether the query has a remote that a rerun could ask.
    package var takesReruns: Bool {
        entities.core.remotes.source(of: rows.query.type) != nil
    }

    /// The last error that the controller has yielded; nil since a value has come.
    package var lastError: (any Error)? { lock.withLock { failure } }

    package func take(
        _ values: [ControlledValue], completion: @escaping @Sendable (ControllerError?) -> Void
    ) {
        commits.store(values, of: rows) { [weak self] _, error in
            if error == nil { self?.note(nil) }
            completion(error)
        }
    }

    package func take(error: any Error, fails: Bool) { note(error) }

    package func rerun() -> Bool {
        guard takesReruns else { return false }
        let core = entities.core
        do throws(CoreError) {
            try core.refreshOnce(behind: rows.query, for: nil, RemoteCaller())
            return true
        } catch {
            return false
        }
    }

    package func reset() { note(nil) }

    private func note(_ error: (any Error)?) {
        lock.withLock { failure = error }
    }
}

extension EmbeddedEntities {
    /// What stores the values of the embedding program's controllers; one for a server.
    package func makeCommits() -> ControllerCommits { ControllerCommits(core) }

    /// A query to be driven.
    ///
    /// - Parameters:
    ///   - name: Of the operation.
    ///   - parameters: As in a URL.
    package func operation(
        _ name: String, _ type: String, _ parameters: [(String, String)],
        _ commits: ControllerCommits
    ) throws(Problem) -> EmbeddedOperation {
        EmbeddedOperation(name, try query(type, nil, parameters), self, commits)
    }
}
