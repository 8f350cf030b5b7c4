/// What a route needs of its caller. Every line of the route table names one.
enum RouteNeed: Sendable, Equatable {
    /// Open to everybody, no data behind it.
    case nothing
    /// Some right on something; the handler shows what may be read and no more.
    case caller
    /// The need of `caller`; a browser's page needs nothing: it is shown to everybody, without what
    /// the caller may not see.
    case page
    /// A token that is valid, whatever its rights.
    case token
    /// Reading, or writing, entities of the path's type.
    case read, write
    /// The handler judges each operation of the body by its type, the writer by its entity.
    case operations
    /// Administration, unless the URL names queries (`q.…`): these are judged one by one.
    case liveQueries
    /// Nothing, unless the URL asks for types (`types=`): then as `caller`.
    case description
    /// The ticket of a session in the URL, which the handler judges; without one as `caller`.
    case ticket
    case admin
    /// Administration, or the proof that another server of the cluster asks.
    case server
}
