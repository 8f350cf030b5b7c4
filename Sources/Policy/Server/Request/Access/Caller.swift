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
    /// The token's digest; nil for a caller without a token.
    let digest: SHA256Digest?
    let rights: AccessRights
    let expires: WallTime?
    /// The generation of the `AccessControl` that made the caller.
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
