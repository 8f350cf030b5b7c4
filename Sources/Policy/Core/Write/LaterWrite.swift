import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetStore

/// A write whose answer takes a sync, a search or a remote.
package struct LaterWrite: Sendable {
    /// What its answer takes.
    enum Way: Sendable {
        case commit
        /// What the query finds is removed.
        indirect case removal(Query, PreparedSearch)
        /// The remotes are waited for, behind what was answered before.
        indirect case again(FirstAnswer)
    }

    private let writer: EntityWriter
    private let order: WriteOrder
    private let way: Way

    init(_ writer: EntityWriter, _ order: WriteOrder, _ way: Way = .commit) {
        self.writer = writer
        self.order = order
        self.way = way
    }

    /// Goes on to the answer. Returns at once.
    ///
    /// - Parameters:
    ///   - isCancelled: Whether whoever waits has gone: asked before a commit alone.
    ///   - leaves: Given what ends the waiting for remotes, which is begun then.
    ///   - completion: Called at most once, on any thread; not where the search for what is to be
    ///     removed, or the waiting for remotes, was given up.
    package func begin(
        isCancelled: @escaping @Sendable () -> Bool = { false },
        leaves: @escaping EntityWriter.Leaves = { _ in },
        completion: @escaping @Sendable (Result<WriteAnswer, WriteFailure>) -> Void
    ) {
        switch way {
        case .commit: writer.carryOut(order, leaves: leaves, completion)
        case .again(let first):
            writer.waitForRemotes(
                first.entries, receipt: first.receipt, order: order, leaves: leaves,
                completion: completion)
        case .removal(let query, let search):
            writer.reader.run(search, isCancelled: isCancelled) { result in
                do throws(CoreError) {
                    remove(
                        try result.get().documents, search: search, query: query, leaves: leaves,
                        completion: completion)
                } catch {
                    completion(.failure(.refused(error)))
                }
            }
        }
    }

    private func remove(
        _ found: [Document], search: PreparedSearch, query: Query,
        leaves: @escaping EntityWriter.Leaves,
        completion: @escaping @Sendable (Result<WriteAnswer, WriteFailure>) -> Void
    ) {
        let order = WriteOrder(
            WriteOrder.Content(writer.removals(found, by: search, query, order)), like: order)
        do throws(CoreError) {
            switch try writer.write(order) {
            case .now(let result): completion(result)
            case .later(let later): later.begin(leaves: leaves, completion: completion)
            }
        } catch {
            completion(.failure(.refused(error)))
        }
    }
}
