import FreshetEngine
import FreshetQuery

/// Finds the groups that a change concerns. Router's queue only.
///
/// Groups whose rows alone matter stand in a `PredicateIndex` of their type; those with an include,
/// which other entities matter to as well, are asked one by one.
struct CandidateIndex {
    /// Where a group stands.
    enum Place: Sendable {
        case predicate(slot: Int32, Registration)
        case watch
    }

    /// The groups of one type.
    private final class TypeIndex {
        let predicates = PredicateIndex()
        var groups: [LiveGroup?] = []
        var freeSlots: [Int32] = []
    }

    private var types: [TypeName: TypeIndex] = [:]
    private var watching: [TypeName: [LiveGroup]] = [:]
    private var slots: [Int32] = []

    mutating func insert(_ group: LiveGroup) {
        guard let access = group.access else {
            for type in group.types { watching[type, default: []].append(group) }
            group.place = .watch
            return
        }
        group.access = nil
        let index: TypeIndex
        if let known = types[group.query.type] {
            index = known
        } else {
            index = TypeIndex()
            types[group.query.type] = index
        }
        let slot = index.freeSlots.popLast() ?? Int32(index.groups.count)
        if Int(slot) == index.groups.count {
            index.groups.append(group)
        } else {
            index.groups[Int(slot)] = group
        }
        group.place = .predicate(slot: slot, index.predicates.insert(access, slot: slot))
    }

    mutating func remove(_ group: LiveGroup) {
        defer { group.place = nil }
        switch group.place {
        case nil: return
        case .watch:
            for type in group.types {
                watching[type]?.removeAll { $0 === group }
                if watching[type]?.isEmpty == true { watching[type] = nil }
            }
        case .predicate(let slot, let registration):
            guard let index = types[group.query.type] else { return }
            index.predicates.remove(registration)
            index.groups[Int(slot)] = nil
            index.freeSlots.append(slot)
            if index.freeSlots.count == index.groups.count { types[group.query.type] = nil }
        }
    }

    /// Calls `visit` once with each group that `change` concerns, and whether its old and its new
    /// image are among the group's rows.
    ///
    /// - Complexity: O(signatures + candidates + groups with an include).
    mutating func forEach(
        _ change: LiveChange, _ visit: (LiveGroup, _ wasIn: Bool, _ isIn: Bool) -> Void
    ) {
        if let index = types[change.type] {
            slots.removeAll(keepingCapacity: true)
            index.predicates.candidates(old: change.old, new: change.new, into: &slots)
            for slot in slots {
                guard let group = index.groups[Int(slot)] else { continue }
                let (wasIn, isIn) = group.plan.matches(old: change.old, new: change.new)
                // An expression that has given up: the evaluation tells the subscribers.
                if wasIn || isIn || group.plan.isExhausted { visit(group, wasIn, isIn) }
            }
        }
        for group in watching[change.type] ?? [] {
            let (wasIn, isIn) =
                group.query.type == change.type
                ? group.plan.matches(old: change.old, new: change.new) : (false, false)
            // Before its first answer a group may include anything of its types.
            let isConcerned =
                wasIn || isIn || group.plan.isExhausted || group.watch?.concerns(change) ?? true
            if isConcerned { visit(group, wasIn, isIn) }
        }
    }

    /// The groups whose rows are of `type`, or which include entities of it; all for nil.
    func groups(of type: TypeName?) -> [LiveGroup] {
        if let type {
            return (types[type]?.groups.compactMap(\.self) ?? []) + (watching[type] ?? [])
        }
        var all = types.values.flatMap { $0.groups.compactMap(\.self) }
        var seen: Set<ObjectIdentifier> = []
        for group in watching.values.joined()
        where seen.insert(ObjectIdentifier(group)).inserted { all.append(group) }
        return all
    }
}
