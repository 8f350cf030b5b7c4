/// Which related entities come with the items of an answer.
package enum Include: Hashable, Sendable {
    /// Paths of relationship names, each with everything on its way.
    case paths([PropertyPath])
    /// Every declared relationship, so many levels down.
    case all(depth: Int)
}

extension Include: CustomStringConvertible {
    /// A form that is equal for equal demands: paths sorted, each once.
    package var description: String {
        switch self {
        case .paths(let paths):
            Set(paths.map(\.description)).sorted().joined(separator: ",")
        case .all(let depth): "* \(depth)"
        }
    }
}
