import FreshetBase
import FreshetConfig
import FreshetJSON
import FreshetRefresh

/// Which specification of the configuration reads a condition, or another specification.
enum SpecReader: Sendable {
    case operation(String, slot: StaticString)
    case spec(String)

    func append(to body: inout ByteBuffer) {
        body.append("{")
        switch self {
        case .operation(let id, let slot):
            body.append("\"operation\":")
            body.append(jsonString: id)
            body.member("slot", "\(slot)")
        case .spec(let name):
            body.append("\"spec\":")
            body.append(jsonString: name)
        }
        body.append("}")
    }
}

extension OperationsConfiguration {
    /// Readers of one thing that a row names.
    private static let mostReaders = 500

    /// Whose expressions have a node that is `wanted`, in the order of the configuration.
    func readers(_ wanted: (SpecExpression) -> Bool) -> [SpecReader] {
        var found: [SpecReader] = []
        for operation in operations {
            let settings = operation.settings
            let slots: [(slot: StaticString, expressions: [SpecExpression])] = [
                ("automatic", [settings.gate]), ("stale", settings.stale ?? []),
                ("when", [settings.edge]), ("admit", [settings.admit.when]),
            ]
            for (slot, expressions) in slots where expressions.contains(where: { $0.has(wanted) }) {
                found.append(.operation(operation.id, slot: slot))
            }
        }
        for (name, spec) in specs.sorted(by: { $0.key < $1.key }) where spec.has(wanted) {
            found.append(.spec(name))
        }
        return Array(found.prefix(Self.mostReaders))
    }
}

extension SpecExpression {
    /// Whether a node of it, named ones not in place, is `wanted`.
    fileprivate func has(_ wanted: (SpecExpression) -> Bool) -> Bool {
        if wanted(self) { return true }
        switch self {
        case .all(let parts), .any(let parts): return parts.contains { $0.has(wanted) }
        case .not(let part): return part.has(wanted)
        case .constant, .named, .atom: return false
        }
    }
}
