import FreshetBase
import FreshetEngine
import FreshetJSON
package import FreshetRefresh
package import FreshetQuery
package import FreshetStore

/// Keeps conditions that are declared so over a restart: each is an entity of the service's own.
///
/// What somebody orders (`set`) is stored first, and holds once it is stored, one order after the
/// other; so an order that the store refuses changes nothing. What a condition becomes in another
/// way, by a controller or by its end, holds at once and is stored behind that, in the order of the
/// board's commits. The time of its end is stored with it.
// SAFETY: `kept`, `orders` and `isStoring` are touched on the policy executor only; the subscription is set once,
// by `init`.
package final class ConditionKeeper: @unchecked Sendable {
    /// What became of an order.
    package enum Outcome: Sendable {
        /// How the conditions stand, in the order of the writes, and whether their values are others.
        case set([(state: ConditionState, changed: Bool)])
        case unknown(UnknownCondition)
        /// The store has refused it; nothing is changed.
        case refused(WriteOutcome)
    }

    private struct Order {
        let writes: [ConditionWrite]
        let completion: @Sendable (Outcome) -> Void
    }

    /// Orders that wait for those before them.
    private static let mostOrders = 10_000

    package static let storedType = TypeName.internal("condition")

    private let store: any EntityStore
    private let board: OperationBoard
    /// What was written last.
    private var kept: [String: ConditionState] = [:]
    private var orders: [Order] = []
    private var isStoring = false
    private var subscription: RunSubscription?

    init(_ store: any EntityStore, _ board: OperationBoard) {
        self.store = store
        self.board = board
        subscription = board.observeConditions { [weak self] states in
            self?.keepChanged(states)
        }
    }

    /// Begins anew with what the store has.
    func begin() {
        PolicyExecutor.shared.perform { [self] in kept = [:] }
    }

    /// Takes over what the store has by a commit whose outcome nobody knew, and stores what it lacks.
    func renew() {
        PolicyExecutor.shared.perform { [self] in
            let stored = stored()
            kept = Dictionary(stored.map { ($0.name, $0) }) { $1 }
            let now = board.clock.wallNow
            let writes = stored.compactMap { state -> ConditionWrite? in
                guard let known = board.condition(state.name), known.persists,
                    known.revision < state.revision, state.expiresAt.map({ $0 > now }) ?? true
                else { return nil }
                let left = state.expiresAt.map { $0 - now }
                return ConditionWrite(state.name, state.value, ttl: left)
            }
            _ = setNow(writes)
            keepChanged(board.conditions())
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

    /// Sets conditions, all in one commit of the board, once those of them that last are as durable
    /// as the store promises.
    ///
    /// - Parameter completion: Called once, on any thread.
    package func set(
        _ writes: [ConditionWrite], completion: @escaping @Sendable (Outcome) -> Void
    ) {
        guard writes.contains(where: { board.condition($0.name)?.persists == true }) else {
            return completion(setNow(writes))
        }
        PolicyExecutor.shared.perform { [self] in
            guard orders.count < Self.mostOrders else {
                return completion(.refused(.overloaded))
            }
            orders.append(Order(writes: writes, completion: completion))
            storeNext()
        }
    }

    private func setNow(_ writes: [ConditionWrite]) -> Outcome {
        do throws(UnknownCondition) {
            return .set(try board.setConditions(writes))
        } catch {
            return .unknown(error)
        }
    }

    private func storeNext() {
        guard !isStoring, !orders.isEmpty else { return }
        isStoring = true
        let order = orders.removeFirst()
        let states = order.writes.compactMap { write in
            board.condition(write.name).map { $0.after(write, at: board.clock.wallNow) }
        }
        let changed = states.filter { kept[$0.name]?.isKept(as: $0) != true }
        submit(changed) { [self] outcome in
            PolicyExecutor.shared.perform { [self] in
                isStoring = false
                switch outcome {
                case nil, .done:
                    for state in changed { kept[state.name] = state }
                    order.completion(setNow(order.writes))
                case .some(let outcome): order.completion(.refused(outcome))
                }
                storeNext()
            }
        }
    }

    private func keepChanged(_ states: [ConditionState]) {
        let names = states.filter(\.persists).map(\.name)
        guard !names.isEmpty, board.leads else { return }
        PolicyExecutor.shared.perform { [self] in
            let states = names.compactMap { board.condition($0) }
                .filter { kept[$0.name]?.isKept(as: $0) != true }
            guard !states.isEmpty else { return }
            for state in states { kept[state.name] = state }
            submit(states) { [self] outcome in
                guard let outcome, case .done = outcome else {
                    // The next change writes it again.
                    return PolicyExecutor.shared.perform { [self] in
                        for state in states where kept[state.name] == state {
                            kept[state.name] = nil
                        }
                    }
                }
            }
        }
    }

    /// - Parameter completion: Called with nil where nothing has to be written, as what is stored says,
    ///   which is the newest.
    private func submit(
        _ states: [ConditionState], _ completion: @escaping @Sendable (WriteOutcome?) -> Void
    ) {
        let operations: [WriteOperation] = states.filter(\.persists).compactMap { state in
            Self.document(state).map { .set(Self.storedType, $0, .none) }
        }
        guard let transaction = Transaction(operations: operations) else {
            return store.confirm(completion)
        }
        store.submit(transaction, completion)
    }

    private static func document(_ state: ConditionState) -> Document? {
        var json = ByteBuffer(capacity: 128)
        json.append("{")
        json.member("id", state.name)
        json.append(state.value ? ",\"value\":true" : ",\"value\":false")
        json.member("revision", state.revision)
        if let end = state.expiresAt {
            json.member("expiresAt", end.wholeMilliseconds)
        }
        json.append("}")
        var builder = DocumentBuilder()
        return try? builder.build(json: json.bytes, id: .fromBody)
    }

    private static func state(_ document: Document) -> ConditionState? {
        guard let value = document.member(named: "value")?.bool,
            let revision = document.member(named: "revision")?.int64, 0..<(1 << 53) ~= revision
        else { return nil }
        let end = document.member(named: "expiresAt")?.int64
        return ConditionState(
            name: document.id.text, value: value, revision: Int(revision),
            expiresAt: end.map { .milliseconds($0) }, persists: true)
    }
}

extension ConditionState {
    /// How it stands once `write` has been carried out at `instant`, since 1970.
    fileprivate func after(_ write: ConditionWrite, at instant: Duration) -> ConditionState {
        var next = self
        if value != write.value { next.revision += 1 }
        next.value = write.value
        next.expiresAt = write.ttl.map { instant + $0 }
        return next
    }

    /// Whether what was stored says the same; the end may be that of the order, the moment before.
    fileprivate func isKept(as other: ConditionState) -> Bool {
        guard value == other.value, revision == other.revision else { return false }
        guard let end = expiresAt, let otherEnd = other.expiresAt else {
            return expiresAt == other.expiresAt
        }
        return end <= otherEnd && otherEnd - end < .seconds(1)
    }
}
