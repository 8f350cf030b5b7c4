/// Where a shared log is on PostgreSQL: libpq's own URL, `postgres://h1,h2/database?schema=freshet`. The
/// schema, which is the only part that libpq does not know, has the log's tables.
package struct PostgresAddress: Equatable, Sendable {
    /// As libpq takes it.
    package let url: String
    /// 1...40 small letters, digits and `_`, the first no digit.
    package let schema: String

    private static let schemes = ["postgres://", "postgresql://"]
    private static let usualSchema = "freshet"
    private static let longestSchema = 40

    /// Whether `text` is meant to be one.
    package static func isOne(_ text: String) -> Bool { schemes.contains { text.hasPrefix($0) } }

    package init(_ text: String) throws(LogAddressFault) {
        func fault(_ sentence: String) -> LogAddressFault {
            LogAddressFault(description: sentence)
        }
        guard let scheme = Self.schemes.first(where: { text.hasPrefix($0) }) else {
            throw fault("the log's URL begins with postgres://")
        }
        let place = text.dropFirst(scheme.count)
        // A user's name alone is no secret. A password may have a slash or a question mark in it: libpq
        // looks for the end of it up to the first slash.
        let ends = [place.prefix { $0 != "?" }, place.prefix { $0 != "/" }]
        guard
            !ends.contains(where: { part in
                part.lastIndex(of: "@").map { part[..<$0].contains(":") } ?? false
            })
        else {
            throw fault("the password stands beside the log's URL, not in it")
        }
        let parts = text.split(separator: "?", maxSplits: 1)
        var schema = Self.usualSchema
        var parameters: [Substring] = []
        for parameter in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let name = parameter.prefix { $0 != "=" }
            // libpq decodes names as well, none of which needs it.
            guard !name.contains("%") else {
                throw fault("the names in the log's URL stand without escapes")
            }
            // libpq's `password` and `sslpassword`, and what it may have of that kind one day.
            if name.lowercased().hasSuffix("password") {
                throw fault("the password stands beside the log's URL, not in it")
            }
            if parameter.hasPrefix("schema=") {
                schema = String(parameter.dropFirst("schema=".count))
            } else {
                parameters.append(parameter)
            }
        }
        guard Self.isName(schema) else {
            throw fault(
                "the schema \"\(schema)\" of the log's URL is not 1 to \(Self.longestSchema) small "
                    + "letters, digits and \"_\", of which the first is no digit")
        }
        self.schema = schema
        url =
            parts[0] + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    private static func isName(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            byte &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
        }
        return isPlain && (1...longestSchema).contains(text.utf8.count)
            && !(text.utf8.first.map { $0 &- 0x30 < 10 } ?? true)
    }
}
