import FreshetBase
import FreshetJSON
import FreshetRefresh

/// Asks one token endpoint for tokens: one exchange each, judged, never repeated.
struct OAuth2Endpoint: Sendable {
    let configuration: OAuth2Configuration
    let transport: any UpstreamTransport

    enum Outcome: Sendable {
        case tokens(OAuth2TokenAnswer)
        /// The endpoint refused: only this climbs to an outer credential.
        case refused(reason: String)
        case failed(reason: String)
        case critical(reason: String)
    }

    /// - Parameter outer: The header of the outer credential.
    func request(refreshToken: Secret?, outer: (String, String)?) async -> Outcome {
        var headers = [
            ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
        ]
        var form = [("grant_type", configuration.grant.rawValue)]
        if configuration.grant == .refreshToken {
            guard let refreshToken else {
                return .failed(
                    reason: "there is no refresh token; an operator has to store a credential")
            }
            form.append(("refresh_token", refreshToken.reveal()))
        }
        if let scope = configuration.scope { form.append(("scope", scope)) }
        switch (configuration.clientAuthentication, configuration.clientSecret) {
        case (.basic, .some):
            let pair = configuration.basicClient?.reveal() ?? ""
            headers.append(("Authorization", "Basic " + pair))
        case (_, let secret):
            if let clientID = configuration.clientID { form.append(("client_id", clientID)) }
            if let secret { form.append(("client_secret", secret.reveal())) }
        }
        let text = form.map { "\($0.0)=\(FormText.encode($0.1))" }.joined(separator: "&")
        var request = UpstreamRequest(
            method: "POST", path: configuration.tokenURL.path, headers: headers,
            body: Array(text.utf8),
            timeout: configuration.policy.refreshTimeout,
            maxBody: OAuth2TokenAnswer.maximumBytes)
        if let outer { request.set(outer.0, outer.1) }
        let secrets =
            [refreshToken, configuration.clientSecret, configuration.basicClient].compactMap(\.self)
            + (outer.map { [Secret($0.1)] } ?? [])
        request.mask = { SecretMask(secrets) }
        do throws(UpstreamError) {
            return judge(try await transport.send(request))
        } catch {
            return .failed(reason: Self.sentence(for: error))
        }
    }

    private func judge(_ response: UpstreamResponse) -> Outcome {
        if let reason = configuration.criticalReason(of: response, from: "the token endpoint") {
            return .critical(reason: reason)
        }
        if configuration.refreshFailedOn.contains(response.status) {
            return .refused(reason: sentence(for: response))
        }
        guard (200..<300).contains(response.status) else {
            return .failed(reason: sentence(for: response))
        }
        do throws(OAuth2TokenAnswer.Fault) {
            return .tokens(try OAuth2TokenAnswer(parsing: response.body))
        } catch {
            return .failed(reason: error.sentence)
        }
    }

    /// One of the words of the body that RFC 6749, section 5.2, knows: anything else might
    /// repeat what was sent.
    private func sentence(for response: UpstreamResponse) -> String {
        var sentence = "the token endpoint answered \(response.status)"
        if response.body.count <= OAuth2TokenAnswer.maximumBytes,
            // An answer without JSON has no such word.
            let word = try? JSONValue.parse(response.body, depthLimit: 16)["error"]?.stringValue,
            Self.errorWords.contains(word)
        {
            sentence += " (\(word))"
        }
        return sentence
    }

    private static let errorWords: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client",
        "unsupported_grant_type", "invalid_scope",
    ]

    private static func sentence(for error: UpstreamError) -> String {
        switch error {
        case .timeout: "the token endpoint did not answer in time"
        case .tooLarge: "the token endpoint's answer is too large"
        case .cancelled: "the token request was cancelled"
        case .unreachable(_, let detail): "the token endpoint cannot be reached (\(detail))"
        default: "the token endpoint cannot be reached"
        }
    }
}

extension OAuth2Configuration {
    /// The client's id and secret as `Basic` has them; nil without a secret. Both are form-encoded
    /// before they are joined (RFC 6749, section 2.3.1).
    var basicClient: Secret? {
        clientSecret.map {
            let pair = FormText.encode(clientID ?? "") + ":" + FormText.encode($0.reveal())
            return Secret(Base64.encode(Array(pair.utf8)))
        }
    }

    /// Why `response` makes the credential critical; nil where it does not.
    func criticalReason(of response: UpstreamResponse, from source: String) -> String? {
        let rules = criticalOn.filter { $0.status == response.status }
        guard !rules.isEmpty else { return nil }
        // Without JSON only a rule that looks at the status alone can hold.
        lazy var body = try? JSONValue.parse(response.body)
        for rule in rules {
            let sentence = "\(source) answered \(response.status)"
            guard let pointer = rule.pointer else { return sentence }
            guard let found = body?[pointer] else { continue }
            if let value = rule.value {
                guard found == value else { continue }
                // The configured text, which is no secret, not the answer's.
                return "\(sentence) with \(value.text) at \(pointer)"
            }
            if !found.isNull { return "\(sentence) with a value at \(pointer)" }
        }
        return nil
    }
}

/// `application/x-www-form-urlencoded` of one name or value.
enum FormText {
    static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x2A: bytes.append(byte)
            case 0x20: bytes.append(0x2B)
            default:
                bytes.append(0x25)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
