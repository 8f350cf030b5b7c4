// How far subscribers are behind, for operators.

extension LiveGroup {
    /// Commits that have changed what the group shows since `membership` took it; one more where a
    /// change is known whose effect is not. nil before it took anything.
    func lag(of membership: LiveMembership) -> Int? {
        withState { state in
            guard case .at(let version) = membership.position else { return nil }
            let isUnknown = state.failure == nil && state.needsEvaluation(form) ? 1 : 0
            guard state.version != version else { return isUnknown }
            // The trail forgets: what is older than it knows counts as its first.
            return max(1, state.window?.trail.commits(since: version) ?? 1) + isUnknown
        }
    }
}

extension LiveSet {
    /// Commits that concern the query of `membership` and that it has yet to take; nil before its
    /// first state.
    package func lag(of membership: LiveMembership) -> Int? {
        membership.group.lag(of: membership)
    }
}
