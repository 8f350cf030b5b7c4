import FreshetBase

/// A request's path and query for a log, without the secrets that may stand in it.
enum RedactedTarget {
    /// - Parameter target: Percent-encoded, as it came. Names are compared as they came, too: one
    ///   that is encoded differently is none that this server reads, and its value is hidden as well.
    static func text(_ target: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: target, as: UTF8.self)
        // By bytes throughout: with a mark behind it a sign is another character.
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return text }
        let start = text.utf8.index(after: mark)
        let parts = text[start...].divided(at: "&").map { part -> Substring in
            guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { return part }
            let name = part[..<equals].lowercased()
            let isSecret =
                name.utf8.contains(UInt8(ascii: "%")) || SecretName.occurs(in: name)
            // A query inside of a query (`q.a=/v1/t?…`) has parameters of its own.
            let isNested = name.utf8.starts(with: "q.".utf8)
            let value = part[part.utf8.index(after: equals)...]
            guard isSecret || isNested && SecretName.occurs(in: value) else { return part }
            return part[..<value.startIndex] + "***"
        }
        return text[..<start] + parts.joined(separator: "&")
    }
}
