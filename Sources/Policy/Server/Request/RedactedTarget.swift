import FreshetBase

/// A request's path and query for a log, without the secrets that may stand in it.
enum RedactedTarget {
    /// Parameters whose names contain one of these have secret values.
    private static let secretNames = [
        "ticket", "token", "secret", "password", "passwd", "key", "authorization", "cookie",
        "signature", "credential",
    ]

    /// - Parameter target: Percent-encoded, as it came. Names are compared as they came, too: one
    ///   that is encoded differently is none that this server reads, and its value is hidden as well.
    static func text(_ target: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: target, as: UTF8.self)
        guard let mark = text.firstIndex(of: "?") else { return text }
        let query = text[text.index(after: mark)...]
        let parts = query.split(separator: "&", omittingEmptySubsequences: false).map { part in
            guard let equals = part.firstIndex(of: "=") else { return part }
            let name = part[..<equals].lowercased()
            let isSecret = name.contains("%") || secretNames.contains { name.contains($0) }
            // A query inside of a query (`q.a=/v1/t?…`) has parameters of its own.
            let isNested = name.hasPrefix("q.")
            let value = part[part.index(after: equals)...].lowercased()
            guard isSecret || isNested && secretNames.contains(where: { value.contains($0) }) else {
                return part
            }
            return part[...equals] + "***"
        }
        return text[...mark] + parts.joined(separator: "&")
    }
}
