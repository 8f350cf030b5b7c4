import FreshetBase

/// What a server has sent on to the one that leads. Counts since its start.
struct ForwardFigures: Sendable {
    let requests = Counter()
    /// The number of those that the leader gave no answer to.
    let errors = Counter()
}
