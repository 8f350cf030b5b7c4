import FreshetBase

// Specifications as people read them: what a trace says beside its pointers.

extension SpecExpression {
    /// The node by itself: `and`, `or`, `not`, `spec NAME`, or what an atom asks for.
    var text: String {
        switch self {
        case .constant(let value): value ? "true" : "false"
        case .all: "and"
        case .any: "or"
        case .not: "not"
        case .named(let name): "spec \(name)"
        case .atom(let atom): atom.text
        }
    }
}

extension SpecAtom {
    /// `age > 60s`, `connected api`.
    fileprivate var text: String {
        switch self {
        case .connected(let upstream, .connected): "connected \(upstream)"
        case .connected(let upstream, let level): "connected \(upstream) at least \(level.name)"
        case .healthy(let upstream): "healthy \(upstream)"
        case .token(let upstream, .zero): "token \(upstream)"
        case .token(let upstream, let span):
            "token \(upstream) valid for \(span.shortText)"
        case .active(.service): "service active"
        case .active(.operation(let operation)): "active" + operation.text
        case .subscribers(let test, let operation): test.text("subscribers" + operation.text)
        case .age(let test, let operation):
            test.text("age" + operation.text) { Duration.nanoseconds($0).shortText }
        case .value(let isPresent, let operation):
            "value\(operation.text) " + (isPresent ? "present" : "absent")
        case .failures(let test, let operation): test.text("failures" + operation.text)
        case .status(let statuses, let operation):
            "status\(operation.text) " + statuses.map(\.rawValue).sorted().joined(separator: " or ")
        case .condition(let name): "condition \(name)"
        case .window(let window): "window \(Self.clock(window.start)) to \(Self.clock(window.end))"
        case .between: "between"
        case .cron(let schedule, let span): "cron \(schedule.text) for \(span.shortText)"
        case .pressure(let level): "pressure at least \(level.name)"
        case .custom(let custom): "\(type(of: custom.specification))"
        }
    }

    /// `09:30` of seconds of the day.
    private static func clock(_ seconds: Int) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes)"
    }
}

extension OperationReference {
    fileprivate var text: String {
        switch self {
        case .this: ""
        case .other(let id): " of \(id)"
        }
    }
}

extension SpecTest {
    /// `age > 10s and age < 1h`.
    fileprivate func text(_ subject: String, _ bound: (Int64) -> String = { "\($0)" }) -> String {
        comparisons.map { "\(subject) \($0.relation.sign) \(bound($0.bound))" }
            .joined(separator: " and ")
    }
}

extension SpecTest.Relation {
    fileprivate var sign: String {
        switch self {
        case .equal: "="
        case .notEqual: "!="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .less: "<"
        case .lessOrEqual: "<="
        }
    }
}
