import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetStore

/// A write whose answer takes a sync, a search or a remote.
package struct LaterWrite: Sendable {
    private let writer: EntityWriter
    private let order: WriteOrder
    /// Of what is to be removed.
    private let search: PreparedSearch?
    /// What was answered before, for which the remotes are waited for.
    private let first: FirstAnswer?

    init(_ writer: EntityWriter, _ order: WriteOrder, _ search: PreparedSearch? = nil) {
        self.writer = writer
        self.order = order
        self.search = search
        first = nil
    }

    init(_ writer: EntityWriter, _ order: WriteOrder, _ first: FirstAnswer) {
        self.writer = writer
        self.order = order
        search = nil
        self.first = first
    }

    /// Goes on to the answer. Returns at once.
    ///
    /// - Parameters:
    ///   - isCancelled: Whether whoever waits has gone: asked before a commit alone.
    ///   - completion: Called at most once, on any thread; not where the search for what is to be
    ///     removed was given up.
    package func begin(
        isCancelled: @escaping @Sendable () -> Bool = { false },
        completion: @escaping @Sendable (Result<WriteAnswer, WriteFailure>) -> Void
    ) {
        if let first {
            return writer.waitForRemotes(first.entries, first.receipt, order, completion)
        }
        switch order.content {
        case .transaction(let transaction): writer.carryOut(transaction, order, completion)
        case .removal(let query):
            guard let search else { preconditionFailure("a removal has its search") }
            writer.reader.run(search, isCancelled: isCancelled) { result in
                do throws(CoreError) {
                    remove(try result.get().documents, search, query, completion)
                } catch {
                    completion(.failure(.refused(error)))
                }
            }
        case .nothing: completion(.success(.nothing))
        }
    }

    private func remove(
        _ found: [Document], _ search: PreparedSearch, _ query: Query,
        _ completion: @escaping @Sendable (Result<WriteAnswer, WriteFailure>) -> Void
    ) {
        let order = WriteOrder(
            WriteOrder.Content(writer.removals(found, by: search, query, order)), like: order)
        do throws(CoreError) {
            switch try writer.write(order) {
            case .now(let result): completion(result)
            case .later(let later): later.begin(completion: completion)
            }
        } catch {
            completion(.failure(.refused(error)))
        }
    }
}
