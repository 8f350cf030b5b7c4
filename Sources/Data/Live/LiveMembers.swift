/// The members of a group. Most groups have one, which needs no array.
struct LiveMembers: RandomAccessCollection, MutableCollection, Sendable {
    private var first: LiveMembership?
    private var others: [LiveMembership] = []

    var startIndex: Int { 0 }
    var endIndex: Int { first == nil ? 0 : 1 + others.count }

    subscript(place: Int) -> LiveMembership {
        get {
            if place > 0 { return others[place - 1] }
            guard let first else { preconditionFailure("a member stands at its place") }
            return first
        }
        set { if place > 0 { others[place - 1] = newValue } else { first = newValue } }
    }

    mutating func append(_ membership: LiveMembership) {
        if first == nil { first = membership } else { others.append(membership) }
    }

    /// Takes the last one out of a group that has members.
    mutating func removeLast() -> LiveMembership {
        if let last = others.popLast() {
            if others.isEmpty { others = [] }
            return last
        }
        guard let last = first else { preconditionFailure("a group without members has no last") }
        first = nil
        return last
    }
}
