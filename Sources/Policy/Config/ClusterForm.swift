import FreshetJSON
import FreshetRemote

/// Members of `cluster` that are no settings: secrets and files, for which there is no flag.
extension ClusterSettings {
    /// By the name of the object that they stand in.
    static let members: [String: [Member<ConfigurationFile>]] = [
        "cluster": [
            Member(
                "secret", "what requests between the servers prove themselves by",
                Secret.form(of: "the secret"), to: \.cluster.secret)
        ],
        "cluster.log": [
            Member("user", "of the log's engine", .text(minLength: 1), to: \.cluster.user),
            Member(
                "password", "of that user", Secret.form(of: "the password"),
                to: \.cluster.password),
            Member("tls", "files in PEM", into: \.cluster.tls, tls),
        ],
    ]

    private static let tls = ObjectTable<Files>([
        Member("roots", "authorities in place of the system's", .text(minLength: 1), to: \.roots),
        Member(
            "certificate", "this server's certificate", .text(minLength: 1), to: \.certificate),
        Member("key", "its key", .text(minLength: 1), to: \.key),
    ])

    /// Takes over what a file alone can say.
    mutating func take(_ file: ClusterSettings) {
        secret = file.secret
        user = file.user
        password = file.password
        tls = file.tls
    }
}
