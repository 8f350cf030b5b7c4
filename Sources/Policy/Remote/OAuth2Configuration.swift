package import FreshetHTTPClient
package import FreshetJSON
package import FreshetRefresh

/// The credential of an upstream, as configured (operations.md section 5), secrets read.
package struct OAuth2Configuration: Sendable, Equatable {
    /// How a token is asked for (RFC 6749, sections 6 and 4.4).
    package enum Grant: String, Sendable, CaseIterable {
        case refreshToken = "refresh_token"
        case clientCredentials = "client_credentials"
    }

    package enum Acquisition: String, Sendable, CaseIterable {
        /// With the first request that needs a token.
        case lazy
        /// When the service starts.
        case eager
    }

    /// Where the client's secret stands in a token request (RFC 6749, section 2.3.1).
    package enum ClientAuthentication: String, Sendable, CaseIterable {
        case body
        case basic
    }

    /// An answer that makes the credential critical: all that is given must hold.
    package struct CriticalRule: Sendable, Equatable {
        package var status: Int
        /// Where in the answer's JSON to look.
        package var pointer: JSONPointer?
        /// What must be there; nil for anything but null.
        package var value: JSONValue?

        package init(status: Int, pointer: JSONPointer? = nil, value: JSONValue? = nil) {
            self.status = status
            self.pointer = pointer
            self.value = value
        }
    }

    /// Where tokens are asked for: an absolute `http` or `https` URL, with a query if wanted
    /// (RFC 6749, section 3.2).
    package struct TokenURL: Sendable, Equatable {
        package let text: String
        /// Scheme, host and port.
        package let origin: UpstreamBase
        /// Path and query, as they stand in a request.
        package let path: String

        package init?(_ text: String) {
            guard let colon = text.firstRange(of: "://"),
                // A fragment, white space or a backslash belongs in no request.
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 && $0 != 0x5C })
            else { return nil }
            let end =
                text[colon.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
            guard let origin = UpstreamBase(String(text[..<end])) else { return nil }
            self.text = text
            self.origin = origin
            path = (text[end...].hasPrefix("/") ? "" : "/") + text[end...]
        }
    }

    /// The header of a request that carries the token.
    package struct Injection: Sendable, Equatable {
        package var header: String
        /// `{token}` stands for the token.
        package var format: String

        package init(header: String = "Authorization", format: String = "Bearer {token}") {
            self.header = header
            self.format = format
        }
    }

    /// How the token endpoint is reached.
    package var route = HTTPRoute()
    package var tokenURL: TokenURL
    package var clientID: String?
    package var clientSecret: Secret?
    package var clientAuthentication = ClientAuthentication.body
    package var grant: Grant
    package var scope: String?
    /// The refresh token to begin with, where there is neither a stored one nor one of an operator.
    package var refreshToken: Secret?
    package var acquisition = Acquisition.lazy
    /// Statuses of data's answers that refuse the token.
    package var requiresRefreshOn: Set<Int> = [401]
    /// Statuses of the token endpoint's answers that refuse the refresh.
    package var refreshFailedOn: Set<Int> = [400, 401]
    package var criticalOn: [CriticalRule] = []
    package var policy = DependencyPolicy()
    package var injection = Injection()
    /// Keep a rotated refresh token over a restart.
    package var persists = false
    private var outers: [OAuth2Configuration] = []

    package init(tokenURL: TokenURL, clientID: String?, grant: Grant) {
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.grant = grant
    }

    /// The credential whose token goes with this one's token requests.
    package var outer: OAuth2Configuration? {
        get { outers.first }
        set { outers = newValue.map { [$0] } ?? [] }
    }

    /// Whether it, or one around it, is to keep a refresh token over a restart.
    package var keepsToken: Bool { persists || outer?.keepsToken ?? false }

    /// How deep credentials may nest: this one and the outer ones.
    package static let maximumDepth = 4
}
