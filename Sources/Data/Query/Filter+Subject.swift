package import FreshetJSON

extension Filter {
    /// What a test looks at, and the kinds of which a value can be what the test asks for; nil: any.
    /// nil for what is no test of a property.
    package var subject: (path: PropertyPath, kinds: Set<JSONKind>?)? {
        switch self {
        case .constant, .and, .or, .not: nil
        case .compare(let path, _, let literal): (path, [literal.kind])
        case .isIn(let path, let list): (path, Set(list.map(\.kind)))
        case .matches(let path, _), .startsWith(let path, _), .endsWith(let path, _),
            .contains(let path, _):
            (path, [.string])
        case .has(let path, _), .hasAny(let path, _), .hasAll(let path, _), .size(let path, _, _):
            (path, [.array])
        case .exists(let path), .isNull(let path): (path, nil)
        case .isTrue(let path): (path, [.bool])
        }
    }
}
