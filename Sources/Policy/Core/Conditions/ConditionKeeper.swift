import Dispatch
import FreshetBase
import FreshetEngine
import FreshetJSON
package import FreshetOperations
package import FreshetQuery
package import FreshetStore

/// Keeps conditions that are declared so over a restart: each is an entity of the service's own.
///
/// A condition holds on the board at once, and is stored behind that, in the order of the board's
/// commits. Whoever has to know that it lasts waits for `keep`. What a condition becomes when it
/// expires needs no writing: the time of its end is stored with it.
// SAFETY: `kept` is touched on `queue` only; the subscription is set once, by `init`.
package final class ConditionKeeper: @unchecked Sendable {
    package static let storedType = TypeName.internal("condition")

    private let store: any EntityStore
    private let board: OperationBoard
    private let queue = DispatchQueue(label: "freshet.conditions")
    /// What was written last.
    private var kept: [String: ConditionState] = [:]
    private var subscription: RunSubscription?

    init(_ store: any EntityStore, _ board: OperationBoard) {
        self.store = store
        self.board = board
        subscription = board.observeConditions { [weak self] states in
            self?.keepChanged(states)
        }
    }

    /// Conditions as the store has them.
    package func stored() -> [ConditionState] {
        var states: [ConditionState] = []
        guard let table = store.view(Self.storedType) else { return [] }
        table.forEach { document in
            if let state = Self.state(document) { states.append(state) }
        }
        return states
    }

    /// Writes those of `names` that last, as they stand now.
    ///
    /// - Parameter completion: Called once it is as durable as the store promises; nil where nothing
    ///   had to be written.
    package func keep(
        _ names: [String], completion: @escaping @Sendable (WriteOutcome?) -> Void
    ) {
        queue.async { [self] in
            write(names.compactMap { board.condition($0) }, completion)
        }
    }

    private func keepChanged(_ states: [ConditionState]) {
        let names = states.filter(\.persists).map(\.name)
        guard !names.isEmpty else { return }
        queue.async { [self] in
            let states = names.compactMap { board.condition($0) }.filter { kept[$0.name] != $0 }
            write(states) { _ in }
        }
    }

    private func write(
        _ states: [ConditionState], _ completion: @escaping @Sendable (WriteOutcome?) -> Void
    ) {
        let lasting = states.filter(\.persists)
        var operations: [WriteOperation] = []
        for state in lasting {
            guard let document = Self.document(state) else { continue }
            kept[state.name] = state
            operations.append(.set(Self.storedType, document, .none))
        }
        guard let transaction = Transaction(operations: operations) else { return completion(nil) }
        store.submit(transaction, completion)
    }

    private static func document(_ state: ConditionState) -> Document? {
        var json = ByteBuffer(capacity: 128)
        json.append("{\"id\":")
        json.append(jsonString: state.name)
        json.append(state.value ? ",\"value\":true" : ",\"value\":false")
        json.append(",\"revision\":")
        json.append(decimal: state.revision)
        if let end = state.expiresAt {
            json.append(",\"expiresAt\":")
            json.append(decimal: Int(end / .milliseconds(1)))
        }
        json.append("}")
        var builder = DocumentBuilder()
        return try? builder.build(json: json.bytes, id: .fromBody)
    }

    private static func state(_ document: Document) -> ConditionState? {
        guard let value = document.member(named: "value")?.bool,
            let revision = document.member(named: "revision")?.int64
        else { return nil }
        let end = document.member(named: "expiresAt")?.int64
        return ConditionState(
            name: document.id.text, value: value, revision: Int(revision),
            expiresAt: end.map { .milliseconds($0) }, persists: true)
    }
}
