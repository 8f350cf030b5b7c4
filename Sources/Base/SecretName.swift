/// Names of parameters whose values are secrets: they stand in no log and in no problem.
package enum SecretName {
    private static let parts = [
        "ticket", "token", "secret", "password", "passwd", "key", "authorization", "cookie",
        "signature", "credential",
    ]

    /// Whether `text`, a name or what has names in it, has one that may be of a secret.
    package static func occurs(in text: some StringProtocol) -> Bool {
        let text = text.lowercased()
        return parts.contains { text.contains($0) }
    }
}
