import FreshetEngine
import FreshetQuery

/// Finds the groups that a change concerns. Router's queue only.
struct CandidateIndex {
    private var groupsByType: [TypeName: [LiveGroup]] = [:]

    mutating func insert(_ group: LiveGroup) {
        for type in group.types { groupsByType[type, default: []].append(group) }
    }

    mutating func remove(_ group: LiveGroup) {
        for type in group.types {
            groupsByType[type]?.removeAll { $0 === group }
            if groupsByType[type]?.isEmpty == true { groupsByType[type] = nil }
        }
    }

    /// Calls `visit` once with each group that `change` concerns, and whether its old and its new
    /// image are among the group's rows.
    ///
    /// - Complexity: O(groups of the type).
    func forEach(_ change: LiveChange, _ visit: (LiveGroup, _ wasIn: Bool, _ isIn: Bool) -> Void) {
        for group in groupsByType[change.type] ?? [] {
            var wasIn = false
            var isIn = false
            if group.query.type == change.type {
                wasIn = change.old.map { group.plan.matches($0) } ?? false
                isIn = change.new.map { group.plan.matches($0) } ?? false
            }
            // An expression that has given up: the next evaluation tells the subscribers. And
            // before its first answer a group may include anything of its types.
            let isConcerned =
                wasIn || isIn || group.plan.isExhausted
                || group.include != nil && group.watch?.concerns(change) ?? true
            if isConcerned { visit(group, wasIn, isIn) }
        }
    }

    /// The groups whose rows are of `type`, or which include entities of it; all for nil.
    func groups(of type: TypeName?) -> [LiveGroup] {
        if let type { return groupsByType[type] ?? [] }
        return groupsByType.values.flatMap { $0 }
    }
}
