import FreshetQuery

/// What filters fix of a row: `a==1` and `a==2` are of one kind. Each change of a type is led to the
/// groups of one kind at one price, however many they are; and once for each kind. Under the set's lock.
final class LiveKind {
    /// What tells a kind from others.
    struct Key: Hashable {
        /// The properties that one disjunct fixes.
        struct Fields: Hashable {
            let equal: Set<PropertyPath>
            let element: PropertyPath?
            let range: PropertyPath?
        }

        let type: TypeName
        let disjuncts: Set<Fields>

        init(_ type: TypeName, _ plan: AccessPlan) {
            self.type = type
            disjuncts = Set(
                plan.accesses.map {
                    Fields(
                        equal: Set($0.equal.keys), element: $0.element?.path, range: $0.range?.path)
                })
        }
    }

    /// Kinds of one type beyond which a group of a further one costs what one does that is asked about
    /// every change, and counts among these.
    static let most = 1_000

    let key: Key
    /// It came when there were as many of its type as may be.
    let isBeyond: Bool
    var groups = 0

    init(_ key: Key, isBeyond: Bool) {
        self.key = key
        self.isBeyond = isBeyond
    }
}
