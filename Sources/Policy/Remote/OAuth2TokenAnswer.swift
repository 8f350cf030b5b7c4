import FreshetJSON

extension Secret {
    /// A token that a header can carry: 1 to 16 KiB of visible ASCII, and spaces inside.
    ///
    /// - Returns: nil for anything else.
    package init?(token text: String) {
        let bytes = text.utf8
        guard (1...OAuth2TokenAnswer.maximumTokenBytes).contains(bytes.count),
            bytes.first != 0x20, bytes.last != 0x20,
            bytes.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        self.init(text)
    }
}

/// A token endpoint's good answer (RFC 6749, section 5.1), its members checked and bounded.
package struct OAuth2TokenAnswer {
    let accessToken: Secret
    let refreshToken: Secret?
    let lifetime: Duration?

    /// A token is a header's value or a part of it, and never needs more.
    static let maximumTokenBytes = 16 << 10
    /// Ten years: keeps sums of durations far from overflow.
    static let maximumLifetime = 315_360_000.0
    static let maximumBytes = 64 << 10

    struct Fault: Error {
        /// One sentence without anything of the answer's values.
        let sentence: String
    }

    init(parsing body: [UInt8]) throws(Fault) {
        guard body.count <= Self.maximumBytes,
            // What the parser says would quote the body.
            let value = try? JSONValue.parse(body, depthLimit: 16), value.objectValue != nil
        else { throw Fault(sentence: "the token endpoint's answer is no JSON object") }
        guard let accessToken = value["access_token"]?.stringValue.flatMap(Secret.init(token:))
        else {
            throw Fault(sentence: "the token endpoint's answer has no sound access_token")
        }
        self.accessToken = accessToken
        switch value["refresh_token"] {
        case nil, .null: refreshToken = nil
        case .some(let member):
            guard let token = member.stringValue.flatMap(Secret.init(token:)) else {
                throw Fault(sentence: "the token endpoint's answer has no sound refresh_token")
            }
            refreshToken = token
        }
        switch value["expires_in"] {
        case nil, .null: lifetime = nil
        case .some(let member):
            guard let lifetime = Self.lifetime(member) else {
                throw Fault(sentence: "the token endpoint's answer has no sound expires_in")
            }
            self.lifetime = lifetime
        }
    }

    /// Seconds as a number, or as its text, which some endpoints send; ten years at most.
    static func lifetime(_ value: JSONValue) -> Duration? {
        let seconds = value.doubleValue ?? value.stringValue.flatMap { Int($0) }.map(Double.init)
        return seconds.flatMap(lifetime(seconds:))
    }

    /// - Returns: nil below zero and for what is no number.
    package static func lifetime(seconds: Double) -> Duration? {
        guard seconds >= 0 else { return nil }
        return .milliseconds(Int64(min(seconds, maximumLifetime) * 1000))
    }
}
