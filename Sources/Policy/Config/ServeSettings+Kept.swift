import FreshetRefresh
import FreshetRemote

// What is read anew while a server runs has to be enough for what it began with and goes on with:
// controllers run by conditions and specifications, upstreams send credentials.

extension ServeSettings {
    /// Keeps what members of `start` name that hold until the next start, and that is none of these
    /// settings any more, as it is now.
    ///
    /// - Parameter current: What holds now, by this at earlier changes.
    /// - Returns: The members that are kept, in order: `conditions.night`, `specs.calm`,
    ///   `upstreams.api.credential`.
    package mutating func keep(
        whatIsNamedBy start: ServeSettings, from current: ServeSettings
    ) -> [String] {
        var kept: [String] = []
        // A specification of these settings names what they have: it is not followed.
        var open = start.operations.operations.flatMap(\.controlled).flatMap(\.expressions)
        while let next = open.popLast() {
            switch next {
            case .not(let part): open.append(part)
            case .all(let parts), .any(let parts): open += parts
            case .named(let name):
                guard operations.specs[name] == nil, let spec = current.operations.specs[name]
                else { continue }
                operations.specs[name] = spec
                kept.append("specs.\(name)")
                open.append(spec)
            case .atom(.condition(let name)):
                guard !operations.conditions.contains(where: { $0.name == name }),
                    let condition = current.operations.conditions.first(where: { $0.name == name })
                else { continue }
                operations.conditions.append(condition)
                kept.append("conditions.\(name)")
            case .constant, .atom: continue
            }
        }
        // An upstream that has moved goes on where it was, and must not get the secret of the new place.
        for old in start.upstreams
        where upstreams.first(where: { $0.name == old.name })?.base != old.base {
            guard credentials[old.name] != current.credentials[old.name] else { continue }
            credentials[old.name] = current.credentials[old.name]
            kept.append("upstreams.\(old.name).credential")
        }
        return kept.sorted()
    }
}
