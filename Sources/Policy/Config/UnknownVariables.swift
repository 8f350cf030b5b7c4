import FreshetBase

/// Variables of the environment that begin as the program's do and that nothing reads: most likely
/// slips, which would otherwise pass in silence.
package enum UnknownVariables {
    package struct Warning: Sendable, Equatable {
        package let sentence: String
        /// Whether it resembles one that is read.
        package let isNear: Bool
    }

    private static let prefix = "FRESHET_"

    /// - Parameter known: Those that something reads.
    package static func warnings(_ environment: [String: String], known: Set<String>) -> [Warning] {
        // Compared without what all have in common, which would make the far ones near.
        let words = known.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
            .sorted()
        return environment.keys.sorted().compactMap { name in
            guard name.hasPrefix(prefix), !known.contains(name),
                !isOfPlatform(name, environment[name] ?? "")
            else { return nil }
            if let near = NearestWord.of(String(name.dropFirst(prefix.count)), among: words) {
                return Warning(
                    sentence: "nothing reads the variable \(name); did you mean \(prefix)\(near)?",
                    isNear: true)
            }
            return Warning(
                sentence: "nothing reads the variable \(name); \"freshet serve --help\" lists those"
                    + " that are read", isNear: false)
        }
    }

    /// Container platforms make variables for a service that is named freshet:
    /// `FRESHET_SERVICE_HOST`, `FRESHET_PORT=tcp://…`, `FRESHET_PORT_8080_TCP_ADDR`.
    private static func isOfPlatform(_ name: String, _ value: String) -> Bool {
        let rest = name.dropFirst(prefix.count)
        if rest == "SERVICE_HOST" || rest == "SERVICE_PORT" || rest.hasPrefix("SERVICE_PORT_") {
            return true
        }
        if rest == "PORT" { return value.hasPrefix("tcp://") || value.hasPrefix("udp://") }
        let parts = rest.split(separator: "_")
        return parts.count >= 3 && parts[0] == "PORT" && parts[1].allSatisfy(\.isNumber)
            && ["TCP", "UDP", "SCTP"].contains(parts[2])
    }
}
