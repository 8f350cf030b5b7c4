import Glibc

package import FreshetBase
package import FreshetHTTPClient
package import FreshetRefresh

/// The OAuth 2.0 credential of one upstream: injects its token into requests, judges the answers,
/// renews the token where it is refused or expires (operations.md section 5).
///
/// The rules are `Dependency`'s, with the access token as the value. Here stand what a refusal is,
/// how a token is got, and where a refresh token is kept.
package final class OAuth2Credential: UpstreamCredential {
    package let configuration: OAuth2Configuration
    package let id: String
    private let dependency: Dependency<Secret>
    private let refresh: DependencyRefresh<Secret>
    private let keeper: RefreshTokenKeeper
    private let outer: OAuth2Credential?
    private let secrets: CredentialSecrets
    private let log: Log?

    /// - Parameter id: The upstream's, for the log and the file's name.
    /// - Parameter earlier: The credential in whose place it comes, of which requests may be under way: where
    ///   both have the refresh token of one client, what one of them gets is the other's, too.
    /// - Parameter directory: The data directory; nil where there is none, and nothing lasts.
    /// - Parameter transport: What sends requests to that origin, by that route, and nowhere else.
    package convenience init(
        id: String, _ configuration: OAuth2Configuration,
        replacing earlier: OAuth2Credential? = nil, directory: String?, log: Log?,
        clock: any OperationClock = SystemOperationClock(),
        transport: (UpstreamBase, HTTPRoute) -> any UpstreamTransport
    ) {
        self.init(
            id: id, configuration, replacing: earlier, level: 0, directory: directory, log: log,
            clock: clock, transport: transport)
    }

    private init(
        id: String, _ configuration: OAuth2Configuration, replacing earlier: OAuth2Credential?,
        level: Int, directory: String?, log: Log?, clock: any OperationClock,
        transport: (UpstreamBase, HTTPRoute) -> any UpstreamTransport
    ) {
        self.id = id
        self.configuration = configuration
        self.log = log
        outer = configuration.outer.map {
            OAuth2Credential(
                id: id, $0, replacing: earlier?.outer, level: level + 1, directory: directory,
                log: log, clock: clock, transport: transport)
        }
        let file = directory.map {
            RefreshTokenFile(directory: $0, id: id, level: level, of: configuration)
        }
        if !configuration.persists {
            // One that an earlier configuration kept. Where it cannot go, it is at least not used.
            try? file?.remove()
        }
        let shared = earlier.flatMap {
            $0.configuration.keepsRefreshToken(of: configuration) ? $0.keeper : nil
        }
        let keeper =
            shared
            ?? RefreshTokenKeeper(
                configured: configuration.refreshToken, file: configuration.persists ? file : nil
            ) { fault in
                log?.warning(
                    "the refresh token is not kept over a restart",
                    ["upstream": .string(id), "why": .string(fault.sentence)])
            }
        if configuration.persists, directory == nil {
            log?.warning(
                "the refresh token is not kept over a restart",
                ["upstream": .string(id), "why": "there is no data directory"])
        }
        self.keeper = keeper
        let secrets = CredentialSecrets(configuration)
        secrets.add(keeper.current.token)
        self.secrets = secrets
        let dependency = Dependency<Secret>(
            policy: configuration.policy, clock: clock, version: keeper.keptVersion,
            executor: PolicyWorkers.fetches)
        self.dependency = dependency
        let endpoint = OAuth2Endpoint(
            configuration: configuration,
            transport: transport(configuration.tokenURL.origin, configuration.route))
        if let outer {
            let injection = outer.configuration.injection
            refresh = DependencyRefresh(
                within: outer.dependency, refreshOuter: outer.refresh
            ) { _, token in
                try await Self.renew(
                    endpoint, keeper: keeper, dependency: dependency, secrets: secrets,
                    outer: injection.header(with: token))
            }
        } else {
            refresh = DependencyRefresh { _ in
                try await Self.renew(
                    endpoint, keeper: keeper, dependency: dependency, secrets: secrets, outer: nil)
            }
        }
    }

    // MARK: Requests

    package var mask: SecretMask { secrets.mask.adding(outer?.mask ?? .none) }

    package func perform(
        _ send:
            @Sendable (_ header: (String, String)) async throws(UpstreamError) ->
            UpstreamResponse
    ) async throws(UpstreamError) -> UpstreamResponse {
        do {
            return try await dependency.run(
                task: { token in
                    let response = try await send(configuration.injection.header(with: token))
                    if let reason = configuration.criticalReason(of: response, from: "the remote") {
                        return .criticalError(reason: reason)
                    }
                    return configuration.requiresRefreshOn.contains(response.status)
                        ? .dependencyRequiresRefresh : .success(response)
                }, refresh: refresh)
        } catch let error as DependencyError {
            report(error)
            throw UpstreamError(error)
        } catch let error as UpstreamError {
            throw error
        } catch {
            throw .cancelled
        }
    }

    /// Gets a token where the configuration says so (`acquire`); for the start of the service.
    package func acquireEarly() async {
        guard configuration.acquisition == .eager else { return }
        do {
            _ = try await dependency.value(refresh: refresh)
        } catch let error as DependencyError {
            // Told by requests as well, which try again.
            report(error)
        } catch {
            log?.debug("a token was not waited for", ["upstream": .string(id)])
        }
    }

    private func report(_ error: DependencyError) {
        switch error {
        case .refreshFailed(let reason, _, true):
            log?.warning(
                "a credential could not be renewed",
                ["upstream": .string(id), "why": .string(reason)])
        case .refreshLoop(_, true):
            log?.warning(
                "a credential is refused although it was renewed", ["upstream": .string(id)])
        case .critical(let reason, true):
            log?.error(
                "a credential needs an operator",
                ["upstream": .string(id), "why": .string(reason)])
        default: break
        }
    }

    // MARK: Operators

    package var status: CredentialStatus {
        CredentialStatus(
            dependency: dependency.status, grant: configuration.grant,
            hasRefreshToken: keeper.current.token != nil, isPersisted: keeper.isPersisted,
            outer: outer?.status)
    }

    /// Has `observer` called after each change of the token or of its validity; see `Dependency`.
    package func observe(_ observer: @escaping @Sendable () -> Void) {
        dependency.observe(observer)
    }

    /// Puts tokens in place of all that there are. Waits for the disk where the refresh token lasts.
    package func store(accessToken: Secret, refreshToken: Secret?, lifetime: Duration?) {
        outer?.resume()
        secrets.add(accessToken, refreshToken)
        keeper.replace(refreshToken, version: dependency.status.version + 1)
        dependency.store(accessToken, lifetime: lifetime)
    }

    /// Forgets the tokens, on the disk as well; the configured refresh token remains.
    package func empty() {
        outer?.resume()
        keeper.replace(nil, version: dependency.status.version)
        dependency.empty()
    }

    /// An operator has acted: what had failed or was critical is tried again.
    private func resume() {
        outer?.resume()
        let state = dependency.status.state
        if state == .failed || state == .critical { dependency.empty() }
    }

    // MARK: The refresh

    private static func renew(
        _ endpoint: OAuth2Endpoint, keeper: RefreshTokenKeeper, dependency: Dependency<Secret>,
        secrets: CredentialSecrets, outer: (String, String)?
    ) async throws -> DependencyResult<RenewedValue<Secret>> {
        let (token, generation) = keeper.current
        switch await endpoint.request(refreshToken: token, outer: outer) {
        case .tokens(let answer):
            secrets.add(answer.accessToken, answer.refreshToken)
            if endpoint.configuration.grant == .refreshToken, let rotated = answer.refreshToken,
                rotated != token
            {
                await keeper.rotate(
                    rotated, version: dependency.status.version + 1, generation: generation)
            }
            return .success(RenewedValue(answer.accessToken, lifetime: answer.lifetime))
        case .refused(let reason):
            guard outer == nil else { return .dependencyRequiresRefresh }
            // A request of the credential that was here before has renewed it meanwhile.
            if keeper.current.token != token {
                return try await renew(
                    endpoint, keeper: keeper, dependency: dependency, secrets: secrets,
                    outer: outer)
            }
            throw RefreshFailure(reason: reason)
        case .failed(let reason): throw RefreshFailure(reason: reason)
        case .critical(let reason): return .criticalError(reason: reason)
        }
    }
}

/// What is told of a credential: no token, ever.
package struct CredentialStatus: Sendable {
    package let dependency: DependencyStatus
    package let grant: OAuth2Configuration.Grant
    package let hasRefreshToken: Bool
    /// The refresh token is on the disk and will be there after a restart.
    package let isPersisted: Bool
    private let outers: [CredentialStatus]

    package var outer: CredentialStatus? { outers.first }

    init(
        dependency: DependencyStatus, grant: OAuth2Configuration.Grant, hasRefreshToken: Bool,
        isPersisted: Bool, outer: CredentialStatus?
    ) {
        self.dependency = dependency
        self.grant = grant
        self.hasRefreshToken = hasRefreshToken
        self.isPersisted = isPersisted
        outers = outer.map { [$0] } ?? []
    }
}

extension OAuth2Configuration {
    /// Whether the newest refresh token that a credential of this configuration has is that of `other`.
    fileprivate func keepsRefreshToken(of other: OAuth2Configuration) -> Bool {
        grant == .refreshToken && other.grant == .refreshToken && tokenURL == other.tokenURL
            && clientID == other.clientID && refreshToken == other.refreshToken
            && persists == other.persists
    }
}

extension OAuth2Configuration.Injection {
    func header(with token: Secret) -> (String, String) {
        let parts = format.split(
            separator: "{token}", omittingEmptySubsequences: false
        )
        return (header, parts.joined(separator: token.reveal()))
    }
}

extension UpstreamError {
    init(_ error: DependencyError) {
        switch error {
        case .refreshFailed(let reason, _, let isFinder):
            self = .auth(code: .refresh, origin: isFinder, detail: reason)
        case .refreshLoop(_, let isFinder):
            self = .auth(
                code: .loop, origin: isFinder,
                detail: "the remote refuses every token that the token endpoint gives")
        case .critical(let reason, let isFinder):
            self = .auth(code: .critical, origin: isFinder, detail: reason)
        case .tooManyWaiting(let limit):
            self = .saturated(limit: limit)
        }
    }
}

extension RefreshTokenFile.Fault {
    var sentence: String {
        switch self {
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        case .foreign: "its file is damaged, or belongs to another endpoint or client"
        }
    }
}
