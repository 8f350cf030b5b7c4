// What an embedding program needs comes with `import Freshet`: run specifications, operation
// controllers, `Dependency`, agents, and clocks. `ManualOperationClock` is for tests of what takes a
// clock: a board of the program's own, a `Dependency`. An `EntityServer` takes none.
@_exported public import FreshetRefresh
