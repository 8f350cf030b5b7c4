// What an embedding program needs comes with `import Freshet`: run specifications, operation
// controllers, `Dependency`, agents, and the clocks that tests move by hand.
@_exported public import FreshetRefresh
