import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetNet

// Who may do what.
//
// The configuration's `access` is read into rights by type with all `$` values put in
// (AccessForm), so a caller is one immutable object and a decision is one look-up. A request goes
// this way:
//
//     Authorization ─▶ caller ─▶ what the route needs (RouteNeed) ─▶ handler ─▶ core ─▶ answer
//
//  * The route table says what each route needs; `FreshetService.endpoint(of:)` is the one place
//    that asks, before a body is taken and again when it is there.
//  * Reads: the core makes every query by a parser that ands the row rule in, so planner, live
//    groups, counts and cursors know one filter. Gets and included entities ask the rule.
//  * Writes: the one writer asks `CommitGuard` in commit order (WriteGuard), with the rights of
//    that moment.
//  * Answers that come later ask once more before they are sent: a token that was revoked meanwhile
//    gets 401. Streams ask when the configuration changes and when the token expires (StreamAccess).
//
// Tokens. Only SHA-256 digests are known. The presented token's digest is compared with all of
// them, each in whole and none left out, so the time says nothing about a prefix or a place. Each
// event loop remembers a few tokens that it has let in, to save the digest (TokenCache); it compares
// whole tokens in the same manner, and an equal token is an admitted one, which the answer says
// anyway. Unknown, expired and malformed tokens get the same answer.
//
// Failed attempts are counted by address (AttemptLimiter): past ten a minute they get 429 in place
// of 401. A valid token is let in all the same: it has 256 random bits, so guessing is no danger,
// while an address that is shut for everybody would let one client behind a proxy lock out all
// others.
//
// Without `access` one atomic flag is read per request and nothing else happens.

/// Told that what it may tell its client may have changed: by other rights, since another server leads
/// the cluster, or since the server stops. Any thread; must not block.
protocol AccessListener: AnyObject, Sendable {
    func accessChanged()
}

/// What has become of a caller since it was let in.
enum Standing {
    case same
    /// The token is there still, with other rights.
    case changed(Caller)
    case expired
    case revoked
}

/// The callers of the configuration. Any thread; short sections under one lock.
final class AccessControl: Sendable {
    private struct State {
        var digests: [SHA256Digest] = []
        /// The bearers, each at the place of its token in `digests`.
        var callers: [Caller] = []
        var anonymous: Caller
        var listeners: [ObjectIdentifier: any AccessListener] = [:]
    }

    /// What a caller gets on routes that need nothing.
    static let nobody = Caller(
        name: "", digest: nil, rights: AccessRights(named: [:], others: .nothing), expires: nil,
        use: TokenUse(), generation: -1)

    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var state: State
    private let switchedOn = Counter()
    private let generations = Counter()
    private let attempts = AttemptLimiter()

    init(_ settings: AccessSettings?) {
        state = State(
            anonymous: Caller(
                name: "", digest: nil, rights: .everything, expires: nil, use: TokenUse(),
                generation: -1))
        replace(settings)
    }

    /// Whether anything is forbidden to anybody.
    var isOn: Bool { switchedOn.value == 1 }

    /// Changes with the rights.
    var generation: Int { generations.value }

    /// Judges by `settings` from now on; nil: everything is allowed to everybody. Whoever has let a
    /// caller in learns of it when it asks, and `tell` makes it ask.
    func replace(_ settings: AccessSettings?) {
        lock.withLock {
            let generation = generations.value + 1
            let known = Dictionary(uniqueKeysWithValues: zip(state.digests, state.callers))
            state.digests = settings?.tokens.map(\.digest) ?? []
            state.callers =
                settings?.tokens.map {
                    Caller(
                        name: $0.name, digest: $0.digest, subject: $0.subject, claims: $0.claims,
                        rights: $0.rights, expires: $0.expires,
                        use: known[$0.digest]?.use ?? TokenUse(), generation: generation)
                } ?? []
            state.anonymous = Caller(
                name: "", digest: nil, rights: settings?.anonymous ?? .everything, expires: nil,
                use: state.anonymous.use, generation: generation)
            generations.set(generation)
            switchedOn.set(settings == nil ? 0 : 1)
        }
    }

    /// Has all listeners look at what has changed.
    func notifyListeners() {
        for listener in lock.withLock({ Array(state.listeners.values) }) {
            listener.accessChanged()
        }
    }

    func watch(_ listener: any AccessListener) {
        lock.withLock { state.listeners[ObjectIdentifier(listener)] = listener }
    }

    func unwatch(_ listener: any AccessListener) {
        lock.withLock { state.listeners[ObjectIdentifier(listener)] = nil }
    }

    /// The caller of requests without a token; without `access` it may do everything.
    var anonymous: Caller { lock.withLock { state.anonymous } }

    /// The bearers of tokens, in the order of the configuration; also those whose tokens have expired.
    var bearers: [Caller] { lock.withLock { state.callers } }

    /// What `caller`, who was let in before, may do now.
    func standing(of caller: Caller, at now: @autoclosure () -> WallTime = .now) -> Standing {
        if caller.hasExpired(at: now()) { return .expired }
        if caller.generation == generation { return .same }
        let present = lock.withLock {
            switch caller.digest {
            // Without `access` tokens mean nothing.
            case let digest? where isOn: find(digest)
            default: state.anonymous
            }
        }
        guard let present else { return .revoked }
        return present.hasExpired(at: now()) ? .expired : .changed(present)
    }

    /// Who makes `request`, by its `Authorization`.
    ///
    /// - Parameter cache: The event loop's.
    /// - Throws: 401, or 429 where there were too many attempts.
    func caller(
        of request: borrowing Request, _ cache: inout TokenCache
    ) throws(Problem) -> Caller {
        let caller = try found(of: request, &cache)
        caller.use.record(by: request.loop.index, at: request.now)
        return caller
    }

    private func found(
        of request: borrowing Request, _ cache: inout TokenCache
    ) throws(Problem) -> Caller {
        guard let header = request.header(.authorization) else { return anonymous }
        guard let token = BearerToken.token(in: header) else {
            var problem = refusal(of: request, isToken: BearerToken.isBearer(header))
            if problem.code == .unauthenticated, let hint = BearerToken.hint(for: header) {
                problem.hint = hint
            }
            throw problem
        }
        if let known = cache.find(token, generation: generation) {
            guard !known.hasExpired(at: .now) else {
                throw refusal(of: request, isToken: true)
            }
            return known
        }
        let digest = SHA256Digest(of: token)
        guard let found = lock.withLock({ find(digest) }), !found.hasExpired(at: .now) else {
            throw refusal(of: request, isToken: true)
        }
        cache.remember(token, found)
        return found
    }

    /// Compares with every digest, and every byte of it.
    private func find(_ digest: SHA256Digest) -> Caller? {
        var place = 0
        for index in state.digests.indices {
            let difference = state.digests[index].difference(from: digest)
            // 1 where there is none.
            let isEqual = ((difference | (0 &- difference)) >> 63) ^ 1
            place |= (index + 1) & (0 &- Int(isEqual))
        }
        return place == 0 ? nil : state.callers[place - 1]
    }

    private func refusal(
        of request: borrowing Request, isToken: Bool
    ) -> Problem {
        if let wait = attempts.failure(of: request.remote.clientKey, at: request.now) {
            return .rateLimited(seconds: wait)
        }
        return .unauthenticated(hasToken: isToken)
    }
}

extension Problem {
    /// The one answer to no token and to a wrong one.
    static func unauthenticated(hasToken: Bool) -> Problem {
        var problem = Problem(
            .unauthenticated,
            hasToken ? "the token is not valid" : "this needs a token",
            hint: "send Authorization: Bearer TOKEN")
        problem.hasToken = hasToken
        return problem
    }

    static func rateLimited(seconds: Int) -> Problem {
        var problem = Problem(
            .rateLimited, "too many wrong tokens came from this address")
        problem.retryAfter = seconds
        return problem
    }
}
