import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetStore

/// Who asks, and what it may do: the bearer of one token, or nobody in particular. Immutable; made
/// anew with each configuration, so that a look at `generation` tells whether it still holds.
final class Caller: Sendable {
    /// The token's name, empty for whoever shows none.
    let name: String
    /// The token's digest; nil for a caller without a token.
    let digest: SHA256Digest?
    /// The value of `$subject` and the object of `$claims`; nil for a caller without a token.
    let subject: String?
    let claims: JSONValue?
    let rights: AccessRights
    let expires: WallTime?
    let use: TokenUse
    /// The generation of the `AccessControl` that made the caller.
    let generation: Int

    init(
        name: String, digest: SHA256Digest?, subject: String? = nil, claims: JSONValue? = nil,
        rights: AccessRights, expires: WallTime?, use: TokenUse, generation: Int
    ) {
        self.name = name
        self.digest = digest
        self.subject = subject
        self.claims = claims
        self.rights = rights
        self.expires = expires
        self.use = use
        self.generation = generation
    }

    /// Has shown a token.
    var isNamed: Bool { digest != nil }

    func hasExpired(at now: @autoclosure () -> WallTime) -> Bool {
        expires.map { $0 <= now() } ?? false
    }
}
