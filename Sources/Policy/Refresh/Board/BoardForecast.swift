import FreshetBase

/// What would follow if conditions were set.
public struct BoardForecast: Hashable, Sendable {
    /// Something that would turn.
    public struct Turn: Hashable, Sendable {
        public let name: String
        /// What it would become.
        public let value: Bool
    }

    /// Why an operation would not run that something asks to.
    public enum Reason: String, Sendable, CaseIterable {
        /// It may not run by itself.
        case gate
        /// Its value is fresh.
        case fresh
        /// Nobody subscribes to it.
        case subscribers
        /// What asks must hold for a while.
        case settle
        /// It has run by itself lately.
        case minInterval
        /// A run goes on.
        case loading
    }

    /// What becomes of an operation.
    public struct Operation: Hashable, Sendable {
        public let id: String
        /// The slots that would turn: `automatic`, `stale`, `when`, `admit`.
        public let slots: [Turn]
        public let runs: Bool
        public let reason: Reason?
        /// Whether its run would be aborted.
        public let cancels: Bool
    }

    public let conditions: [Turn]
    /// Named specifications by name.
    public let specs: [Turn]
    /// The operations of which something turns, or that run or are asked to, in the order in which they
    /// were attached.
    public let operations: [Operation]
}

extension BoardState {
    /// What `writes` would bring, found by doing them to a copy: nothing is called, and nothing changes.
    ///
    /// - Parameter answers: What custom specifications of named ones say.
    func forecast(
        _ writes: [ConditionWrite], _ answers: [CustomSpecification: Bool]
    ) throws(UnknownCondition) -> BoardForecast {
        if let unknown = writes.first(where: { condition(named: $0.name) == nil }) {
            throw UnknownCondition(name: unknown.name)
        }
        var later = self
        later.effects = ActionQueue()
        later.beginCommit()
        for order in writes { later.write(order) }
        later.endCommit()
        var (started, cancelled) = (Set<ObjectIdentifier>(), Set<ObjectIdentifier>())
        if later.effects.claim() {
            while let effect = later.effects.next() {
                switch effect {
                case .start(let delegate, _, _): started.insert(ObjectIdentifier(delegate))
                case .cancelTriggered(let delegate): cancelled.insert(ObjectIdentifier(delegate))
                default: break
                }
            }
        }
        return BoardForecast(
            conditions: Set(writes.map(\.name)).sorted().compactMap { name in
                .init(
                    name, condition(named: name)?.value == true,
                    later.condition(named: name)?.value == true)
            },
            specs: specs.keys.sorted().compactMap { name in
                .init(name, holds(.named(name), answers), later.holds(.named(name), answers))
            },
            operations: operations.indices.compactMap { place in
                guard let delegate = operations[place].attachment?.delegate,
                    let before = levels(of: place), let after = later.levels(of: place)
                else { return nil }
                let slots = OperationLevels.slots.compactMap { name, field in
                    BoardForecast.Turn(name, before[keyPath: field], after[keyPath: field])
                }
                let runs = started.contains(ObjectIdentifier(delegate))
                let cancels = cancelled.contains(ObjectIdentifier(delegate))
                let reason =
                    runs
                    ? nil : later.operations[place].machine.reason(since: operations[place].machine)
                guard !slots.isEmpty || runs || cancels || reason != nil else { return nil }
                return .init(
                    id: operations[place].id, slots: slots, runs: runs, reason: reason,
                    cancels: cancels)
            })
    }
}

extension BoardForecast.Turn {
    /// nil where both are the same.
    fileprivate init?(_ name: String, _ before: Bool, _ after: Bool) {
        guard before != after else { return nil }
        self.init(name: name, value: after)
    }
}

extension OperationLevels {
    /// The slots by the names that they have in the configuration.
    fileprivate static var slots: [(name: String, field: KeyPath<OperationLevels, Bool>)] {
        [("automatic", \.gate), ("stale", \.stale), ("when", \.when), ("admit", \.admit)]
    }
}
