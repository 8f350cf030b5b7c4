import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetQuery
import FreshetStore

/// Who asks, and what it may do: the bearer of one token, or nobody in particular. Immutable; made
/// anew with each configuration, so that a look at `generation` tells whether it still holds.
final class Caller: Sendable {
    /// The token's name, empty for whoever shows none.
    let name: String
    /// Of the token; nil for whoever shows none.
    let digest: SHA256Digest?
    let rights: AccessRights
    let expires: WallTime?
    /// Of the `AccessControl` that made it.
    let generation: Int

    init(
        name: String, digest: SHA256Digest?, rights: AccessRights, expires: WallTime?,
        generation: Int
    ) {
        self.name = name
        self.digest = digest
        self.rights = rights
        self.expires = expires
        self.generation = generation
    }

    /// Has shown a token.
    var isNamed: Bool { digest != nil }

    func hasExpired(at now: @autoclosure () -> WallTime) -> Bool {
        expires.map { $0 <= now() } ?? false
    }
}

/// What a route needs of its caller. Every line of the route table names one.
enum RouteNeed: Sendable, Equatable {
    /// Open to everybody, no data behind it.
    case nothing
    /// Some right on something; the handler shows what may be read and no more.
    case caller
    /// As `caller`, and for a browser's page nothing: it is shown to everybody, without what the
    /// caller may not see.
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
}

/// The rights of one write, as they are when the writer comes to it.
final class CommitGuard: WriteGuard {
    private let access: AccessControl
    private let caller: Caller

    init(_ access: AccessControl, _ caller: Caller) {
        self.access = access
        self.caller = caller
    }

    func currentRights() -> (any WriteRights)? {
        switch access.standing(of: caller) {
        case .same: caller.rights
        case .changed(let caller): caller.rights
        case .expired, .revoked: nil
        }
    }
}
