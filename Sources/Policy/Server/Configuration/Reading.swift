import FreshetCore
import FreshetJSON

/// One reading of a configuration: the faults that were found so far, and what its parts may refer
/// to.
struct Reading {
    var faults: [SchemaFault] = []
    /// Where secrets are.
    var environment: [String: String] = [:]
    /// Credentials around the one that is being read.
    var outerCredentials = 0

    /// Notes that the value at `pointer` is not `what`.
    mutating func expected(_ what: String, at pointer: JSONPointer) {
        note("value", "expected \(what)", at: pointer)
    }

    mutating func note(_ code: String, _ detail: String, at pointer: JSONPointer) {
        faults.append(SchemaFault(pointer: pointer.description, code: code, detail: detail))
    }
}
