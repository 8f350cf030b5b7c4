import FreshetEngine
import FreshetQuery

/// Finds the groups that a change concerns. Router's queue only.
///
/// Each group stands in a `PredicateIndex` of the type of its rows; one with an include stands in
/// the `WatchIndex`, too, where the entities are that it depends on beside them.
struct CandidateIndex {
    /// What one group's filter may take for one change, in steps of about 5 ns: 5 ms.
    private static let patience = 1_000_000

    /// Where a group stands.
    struct Place: Sendable {
        fileprivate let slot: Int32
        fileprivate let registration: Registration
    }

    /// The groups of one type.
    private final class TypeIndex {
        let predicates = PredicateIndex()
        var groups: [LiveGroup?] = []
        var freeSlots: [Int32] = []
    }

    private var types: [TypeName: TypeIndex] = [:]
    private var watches = WatchIndex()
    /// Of the change at work; see `LiveGroup.visit`.
    private var visit: UInt64 = 0
    private var slots: [Int32] = []

    mutating func insert(_ group: LiveGroup) {
        guard let access = group.access else { return }
        group.access = nil
        if group.include != nil { watches.insert(group) }
        let index: TypeIndex
        if let known = types[group.type] {
            index = known
        } else {
            index = TypeIndex()
            types[group.type] = index
        }
        let slot = index.freeSlots.popLast() ?? Int32(index.groups.count)
        if Int(slot) == index.groups.count {
            index.groups.append(group)
        } else {
            index.groups[Int(slot)] = group
        }
        group.place = Place(
            slot: slot, registration: index.predicates.insert(access, slot: slot))
    }

    mutating func remove(_ group: LiveGroup) {
        guard let place = group.place else { return }
        group.place = nil
        if group.include != nil { watches.remove(group) }
        guard let index = types[group.type] else { return }
        precondition(
            index.groups[Int(place.slot)] === group, "a group stands at its place in the index")
        index.predicates.remove(place.registration)
        index.groups[Int(place.slot)] = nil
        index.freeSlots.append(place.slot)
        if index.freeSlots.count == index.groups.count { types[group.type] = nil }
    }

    /// Takes note that a group with an include was evaluated.
    mutating func renewWatch(of group: LiveGroup) {
        if group.include != nil, group.place != nil { watches.renew(group) }
    }

    /// Calls `visit` once with each group that `change` concerns, and whether its old and its new
    /// image are among the group's rows; nil where that took too long to be told.
    ///
    /// - Parameter patience: What the filters of all candidates may take together for long values, see
    ///   `FilterEvaluator`; what they took is taken off.
    /// - Complexity: O(signatures + candidates + properties that point back).
    mutating func forEach(
        _ change: Change, patience: inout Int,
        _ visit: (LiveGroup, _ rows: (wasIn: Bool, isIn: Bool)?) -> Void
    ) {
        self.visit += 1
        if let index = types[change.type] {
            slots.removeAll(keepingCapacity: true)
            index.predicates.candidates(old: change.old, new: change.new, into: &slots)
            for slot in slots {
                guard let group = index.groups[Int(slot)] else { continue }
                let most = min(patience, Self.patience)
                var left = most
                let found = group.matcher.matches(
                    old: change.old, new: change.new, patience: &left)
                patience -= most - left
                guard found.map({ $0.old || $0.new }) ?? true else { continue }
                group.visit = self.visit
                visit(group, found.map { ($0.old, $0.new) })
            }
        }
        // Rows of these groups were found above; what is left concerns what they include.
        watches.forEach(change) { group in
            guard group.visit != self.visit else { return }
            group.visit = self.visit
            visit(group, (false, false))
        }
    }

    /// The groups whose rows are of `type`, or which include entities of it; all for nil.
    func groups(of type: TypeName?) -> [LiveGroup] {
        guard let type else {
            return types.values.flatMap { $0.groups.compactMap(\.self) }
        }
        let own = types[type]?.groups.compactMap(\.self) ?? []
        return own + watches.groups(of: type).filter { $0.type != type }
    }
}
