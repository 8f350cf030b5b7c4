import FreshetBase

/// A request's path and query for a log, without the secrets that may stand in it.
enum RedactedTarget {
    /// - Parameter target: Percent-encoded, as it came. Names are compared as they came, too: one
    ///   that is encoded differently is none that this server reads, and its value is hidden as well.
    static func text(_ target: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: target, as: UTF8.self)
        guard let mark = text.firstIndex(of: "?") else { return text }
        let query = text[text.index(after: mark)...]
        let parts = query.split(separator: "&", omittingEmptySubsequences: false).map { part in
            guard let equals = part.firstIndex(of: "=") else { return part }
            let name = part[..<equals].lowercased()
            let isSecret = name.contains("%") || SecretName.occurs(in: name)
            // A query inside of a query (`q.a=/v1/t?…`) has parameters of its own.
            let isNested = name.hasPrefix("q.")
            let value = part[part.index(after: equals)...]
            guard isSecret || isNested && SecretName.occurs(in: value) else { return part }
            return part[...equals] + "***"
        }
        return text[...mark] + parts.joined(separator: "&")
    }
}
