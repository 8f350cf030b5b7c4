import FreshetBase

@testable import FreshetRemote

/// An upstream and its token endpoints without a network. Access tokens are `a1`, `a2`, …, refresh
/// tokens `r1`, `r2`, …; each refresh token is good once.
// SAFETY: all mutable state is read and written under `lock`.
final class ScriptedRemote: @unchecked Sendable {
    struct TokenCall: Sendable {
        let path: String
        let form: [String: String]
        let headers: [(String, String)]
    }

    private let lock = Lock()
    private var number = 0
    private var start = "a"
    private var good: Set<String> = []
    private var refreshToken = "r0"
    private var calls: [TokenCall] = []
    private var script: [@Sendable (TokenCall) async throws(UpstreamError) -> UpstreamResponse?] =
        []
    private var lifetime: Int?

    /// Access tokens that data is given for.
    var accepted: Set<String> {
        get { lock.withLock { good } }
        set { lock.withLock { good = newValue } }
    }
    /// What access tokens begin with.
    var prefix: String {
        get { lock.withLock { start } }
        set { lock.withLock { start = newValue } }
    }
    var tokenCalls: [TokenCall] { lock.withLock { calls } }
    var expiresIn: Int? {
        get { lock.withLock { lifetime } }
        set { lock.withLock { lifetime = newValue } }
    }
    /// The only refresh token that is taken.
    var expected: String {
        get { lock.withLock { refreshToken } }
        set { lock.withLock { refreshToken = newValue } }
    }

    /// The next token call is answered by `answer`; nil from it goes on as usual.
    func next(
        _ answer: @escaping @Sendable (TokenCall) async throws(UpstreamError) -> UpstreamResponse?
    ) {
        lock.withLock { script.append(answer) }
    }

    func next(_ status: Int, _ body: String) {
        next { _ throws(UpstreamError) in .make(status, body) }
    }

    /// Data: 200 with a good token, 401 otherwise.
    func data(_ header: (String, String)) -> UpstreamResponse {
        let token = header.1.split(separator: " ").last.map(String.init) ?? ""
        return accepted.contains(token)
            ? .make(200, #"{"data":1}"#) : .make(401, #"{"error":"invalid_token"}"#)
    }

    func transport(_ origin: UpstreamBase) -> any UpstreamTransport {
        TokenTransport(remote: self)
    }

    /// As many rotations as asked for.
    func issue() -> UpstreamResponse {
        let (access, refresh, lifetime) = lock.withLock {
            number += 1
            refreshToken = "r\(number)"
            good.insert("\(start)\(number)")
            return ("\(start)\(number)", refreshToken, self.lifetime)
        }
        let expires = lifetime.map { ",\"expires_in\":\($0)" } ?? ""
        return .make(
            200,
            #"{"access_token":"\#(access)","token_type":"Bearer","refresh_token":"\#(refresh)"\#(expires)}"#
        )
    }

    fileprivate func answer(_ call: TokenCall) async throws(UpstreamError) -> UpstreamResponse {
        let scripted = lock.withLock {
            calls.append(call)
            return script.isEmpty ? nil : script.removeFirst()
        }
        if let response = try await scripted?(call) { return response }
        if call.form["grant_type"] == "refresh_token", call.form["refresh_token"] != expected {
            return .make(400, #"{"error":"invalid_grant","error_description":"r0 canary"}"#)
        }
        return issue()
    }
}

private struct TokenTransport: UpstreamTransport {
    let remote: ScriptedRemote

    func send(_ request: UpstreamRequest) async throws(UpstreamError) -> UpstreamResponse {
        var form: [String: String] = [:]
        for pair in String(decoding: request.body ?? [], as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            form[String(parts[0])] = String(parts[1])
        }
        return try await remote.answer(
            ScriptedRemote.TokenCall(path: request.path, form: form, headers: request.headers))
    }
}

extension UpstreamResponse {
    static func make(_ status: Int, _ body: String) -> UpstreamResponse {
        UpstreamResponse(status: status, headers: [], body: Array(body.utf8))
    }
}

extension OAuth2Configuration.TokenURL {
    /// A URL that a test knows to be one.
    static func known(_ text: String) -> Self {
        guard let url = Self(text) else { preconditionFailure("\(text) is no token URL") }
        return url
    }
}
