import FreshetQuery

/// Finds the groups whose included entities a change may alter. Router's queue only.
///
/// Each group stands under every entity that it shows or has missed, and under every entity that
/// others would come in by pointing at. What it stands under changes with each evaluation; between
/// its view and that moment it is asked about every change of its types, as before its first one.
///
/// - Complexity: A change costs the groups that it concerns, and one look-up for each property that
///   is watched in its type and each id that stands there.
struct WatchIndex {
    private typealias Groups = [ObjectIdentifier: LiveGroup]

    /// What is watched in one type.
    private struct Watched {
        var shown: [EntityID: Groups] = [:]
        /// By property, as canonical JSON spells it, and by the entity that it names.
        var backward: [[UInt8]: [EntityID: Groups]] = [:]
        /// Groups of which it is not known what they depend on.
        var unknown: Groups = [:]
        /// All groups that may include entities of the type.
        var all: Groups = [:]
    }

    private var types: [TypeName: Watched] = [:]
    /// What the groups stand under.
    private var registered: [ObjectIdentifier: LiveWatch] = [:]

    mutating func insert(_ group: LiveGroup) {
        let key = ObjectIdentifier(group)
        for type in group.types {
            types[type, default: Watched()].all[key] = group
            types[type]?.unknown[key] = group
        }
    }

    mutating func remove(_ group: LiveGroup) {
        let key = ObjectIdentifier(group)
        if let watch = registered.removeValue(forKey: key) { withdraw(watch, from: nil, key) }
        for type in group.types {
            types[type]?.all[key] = nil
            types[type]?.unknown[key] = nil
            if types[type]?.all.isEmpty == true { types[type] = nil }
        }
    }

    /// Has the group stand under what its newest answer depends on.
    mutating func renew(_ group: LiveGroup) {
        let key = ObjectIdentifier(group)
        guard let watch = group.watch else { return }
        let before = registered.updateValue(watch, forKey: key)
        if let before {
            withdraw(before, from: watch, key)
        } else {
            for type in group.types { types[type]?.unknown[key] = nil }
        }
        for (type, ids) in watch.shown {
            let known = before?.shown[type] ?? []
            for id in ids where !known.contains(id) {
                types[type, default: Watched()].shown[id, default: [:]][key] = group
            }
        }
        for (type, watches) in watch.backward {
            for watched in watches {
                for parent in watched.parents {
                    types[type, default: Watched()].backward[watched.property, default: [:]][
                        parent, default: [:]][key] = group
                }
            }
        }
    }

    /// Takes a group out of the places of `watch` that `next` does not name.
    private mutating func withdraw(
        _ watch: LiveWatch, from next: LiveWatch?, _ key: ObjectIdentifier
    ) {
        for (type, ids) in watch.shown {
            let kept = next?.shown[type] ?? []
            for id in ids where !kept.contains(id) {
                types[type]?.shown[id]?[key] = nil
                if types[type]?.shown[id]?.isEmpty == true { types[type]?.shown[id] = nil }
            }
        }
        for (type, watches) in watch.backward {
            for watched in watches {
                let property = watched.property
                for parent in watched.parents {
                    types[type]?.backward[property]?[parent]?[key] = nil
                    if types[type]?.backward[property]?[parent]?.isEmpty == true {
                        types[type]?.backward[property]?[parent] = nil
                    }
                }
                if types[type]?.backward[property]?.isEmpty == true {
                    types[type]?.backward[property] = nil
                }
            }
        }
    }

    /// Calls `visit` with each group that `change` concerns, with some more than once.
    func forEach(_ change: Change, _ visit: (LiveGroup) -> Void) {
        guard let watched = types[change.type] else { return }
        for group in watched.unknown.values where group.watch?.concerns(change) ?? true {
            visit(group)
        }
        if !watched.shown.isEmpty, let id = (change.new ?? change.old)?.id,
            let groups = watched.shown[id]
        {
            for group in groups.values { visit(group) }
        }
        for (property, parents) in watched.backward {
            for document in [change.old, change.new] {
                let value = document.flatMap { document in
                    property.withUnsafeBytes { document.member(named: $0) }
                }
                guard let value else { continue }
                for id in EntityID.named(by: value).ids {
                    guard let groups = parents[id] else { continue }
                    for group in groups.values { visit(group) }
                }
            }
        }
    }

    /// The groups that may include entities of `type`.
    func groups(of type: TypeName) -> [LiveGroup] {
        types[type].map { Array($0.all.values) } ?? []
    }
}
