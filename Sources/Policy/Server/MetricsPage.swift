import FreshetBase

/// Writes the Prometheus text format, version 0.0.4.
struct MetricsPage: ~Copyable {
    enum Kind: String {
        case counter, gauge, histogram
    }

    private(set) var text = ByteBuffer(capacity: 32 * 1024)

    /// The comment lines of a metric.
    ///
    /// - Parameters:
    ///   - name: Without `freshet_`, unless it begins with `process_`.
    ///   - help: A sentence: what is counted, of what, since when.
    mutating func family(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        text.append(text: "# HELP \(Self.full(name)) \(help)\n")
        text.append(text: "# TYPE \(Self.full(name)) \(kind.rawValue)\n")
    }

    mutating func sample(
        _ name: StaticString, _ labels: KeyValuePairs<StaticString, String> = [:], _ value: Int
    ) {
        text.append(text: Self.full(name))
        append(labels)
        text.append(text: " \(value)\n")
    }

    mutating func sample(_ name: StaticString, seconds: Double) {
        text.append(text: "\(Self.full(name)) \(seconds)\n")
    }

    /// A metric with one sample.
    mutating func metric(_ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: Int) {
        family(name, kind, help)
        sample(name, [:], value)
    }

    mutating func metric(
        _ name: StaticString, _ kind: Kind, _ help: StaticString, seconds: Double
    ) {
        family(name, kind, help)
        sample(name, seconds: seconds)
    }

    /// A metric with one histogram.
    mutating func metric(
        _ name: StaticString, _ help: StaticString, _ figures: Histogram.Figures
    ) {
        family(name, .histogram, help)
        samples(name, [:], figures)
    }

    /// The samples of one histogram.
    mutating func samples(
        _ name: StaticString, _ labels: KeyValuePairs<StaticString, String>,
        _ figures: Histogram.Figures
    ) {
        var count = 0
        for (index, each) in figures.counts.enumerated() {
            count += each
            let bound =
                index < Histogram.bounds.count
                ? "\(Double(Histogram.bounds[index]) / 1e9)" : "+Inf"
            text.append(text: "\(Self.full(name))_bucket")
            append(labels, bound: bound)
            text.append(text: " \(count)\n")
        }
        text.append(text: "\(Self.full(name))_sum")
        append(labels)
        text.append(text: " \(Double(figures.nanoseconds) / 1e9)\n\(Self.full(name))_count")
        append(labels)
        text.append(text: " \(count)\n")
    }

    private static func full(_ name: StaticString) -> String {
        let name = name.description
        return name.hasPrefix("process_") ? name : "freshet_" + name
    }

    private mutating func append(
        _ labels: KeyValuePairs<StaticString, String>, bound: String? = nil
    ) {
        var all = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
        if let bound { all.append("le=\"\(bound)\"") }
        if !all.isEmpty { text.append(text: "{\(all.joined(separator: ","))}") }
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
